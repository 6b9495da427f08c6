// Words of 64 bits: sets of numbers, over arrays of them; and numbers that look random.
#pragma once
#include <cstdint>

namespace mineproof {

// dst |= src << by
inline void or_left(std::uint64_t* dst, int dst_words, const std::uint64_t* src, int src_words, int by) {
    const int whole = by >> 6, part = by & 63;
    for (int i = 0; i < src_words; ++i) {
        if (i + whole < dst_words) dst[i + whole] |= src[i] << part;
        if (part && i + whole + 1 < dst_words) dst[i + whole + 1] |= src[i] >> (64 - part);
    }
}

// Word i of src >> by.
inline std::uint64_t word_right(const std::uint64_t* src, int src_words, int i, int by) {
    const int whole = by >> 6, part = by & 63;
    std::uint64_t word = i + whole < src_words ? src[i + whole] >> part : 0;
    if (part && i + whole + 1 < src_words) word |= src[i + whole + 1] << (64 - part);
    return word;
}

inline bool has_bit(const std::uint64_t* words, int i) { return words[i >> 6] >> (i & 63) & 1; }

// splitmix64 (Steele, Lea and Flood, 2014). Sums of such numbers tell sets apart.
inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

}  // namespace mineproof
