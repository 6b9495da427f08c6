// Philox4x64-10, a counter-based random stream: the same (key, purpose) gives the same words on every machine.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. The words are those of
// numpy.random.Philox(key=[seed, index], counter=[0, 0, 0, purpose]).random_raw(), which the tests use as the oracle.
// NumPy's own object cannot be rekeyed without Python and costs more to make than a whole expert board.
#pragma once
#include <cstdint>

namespace mineproof {

struct Product { std::uint64_t high, low; };

// MINEPROOF_PORTABLE takes the way of compilers without 128-bit integers, such as MSVC, on any compiler.
inline Product multiply(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__) && !defined(MINEPROOF_PORTABLE)
    const unsigned __int128 p = static_cast<unsigned __int128>(a) * b;
    return {static_cast<std::uint64_t>(p >> 64), static_cast<std::uint64_t>(p)};
#else
    const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    const std::uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), other = a0 * b1 + (mid & 0xffffffffu);
    return {a1 * b1 + (mid >> 32) + (other >> 32), a * b};
#endif
}

// What a stream of (seed, index) is used for: uses never share random words.
enum Purpose : std::uint64_t { MINES = 0, NAMED_CELLS = 1, MINE_COUNT = 2, SAMPLES = 3, WINDOWS = 4, REPAIRS = 5, PLAYOUTS = 6, DECISIONS = 8 };

class Stream {
public:
    explicit Stream(std::uint64_t seed = 0, std::uint64_t index = 0, std::uint64_t purpose = 0)
        : key0_(seed), key1_(index), purpose_(purpose) {}

    std::uint64_t word() {
        if (used_ == 4) refill();
        return words_[used_++];
    }

    // Uniform in [0, n), n >= 1. Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019.
    std::uint32_t below(std::uint32_t n) {
        std::uint64_t m = static_cast<std::uint64_t>(half()) * n;
        if (static_cast<std::uint32_t>(m) < n) {
            const std::uint32_t threshold = (0u - n) % n;
            while (static_cast<std::uint32_t>(m) < threshold) m = static_cast<std::uint64_t>(half()) * n;
        }
        return static_cast<std::uint32_t>(m >> 32);
    }

private:
    // The low half of a word first, then its high half.
    std::uint32_t half() {
        if (has_half_) {
            has_half_ = false;
            return half_;
        }
        const std::uint64_t w = word();
        has_half_ = true;
        half_ = static_cast<std::uint32_t>(w >> 32);
        return static_cast<std::uint32_t>(w);
    }

    void refill() {
        ++counter_;  // 2^64 blocks: no carry into the next word is ever needed
        std::uint64_t c0 = counter_, c1 = 0, c2 = 0, c3 = purpose_, k0 = key0_, k1 = key1_;
        for (int round = 0; round < 10; ++round) {
            const Product p0 = multiply(0xD2E7470EE14C6C93u, c0), p1 = multiply(0xCA5A826395121157u, c2);
            c0 = p1.high ^ c1 ^ k0;
            c2 = p0.high ^ c3 ^ k1;
            c1 = p1.low;
            c3 = p0.low;
            k0 += 0x9E3779B97F4A7C15u;
            k1 += 0xBB67AE8584CAA73Bu;
        }
        words_[0] = c0;
        words_[1] = c1;
        words_[2] = c2;
        words_[3] = c3;
        used_ = 0;
    }

    std::uint64_t key0_, key1_, purpose_, counter_ = 0, words_[4];
    std::uint32_t half_ = 0;
    int used_ = 4;
    bool has_half_ = false;
};

}  // namespace mineproof
