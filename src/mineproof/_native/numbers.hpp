// The numbers of a board, in an array with a border of one cell, so that every cell has eight neighbours.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace mineproof {

constexpr unsigned char NUMBER_OF_MINE = 9, BORDER = 10;

// Whether there can be a board of this size: of all that is computed with it, border included, nothing leaves 32 bits.
inline bool is_board(std::int32_t rows, std::int32_t cols) {
    return rows >= 1 && cols >= 1 && std::int64_t{rows} * cols <= std::int64_t{1} << 26;
}

// Whether these are mines: one byte per cell, 1 for a mine.
inline bool are_mines(const unsigned char* mines, std::size_t cells) {
    unsigned char all = 0;
    for (std::size_t i = 0; i < cells; ++i) all |= mines[i];
    return all <= 1;
}

// Where the eight neighbours of a cell are, relative to it, in such an array.
inline void neighbour_steps(std::int32_t cols, std::int32_t* around) {
    const std::int32_t stride = cols + 2;
    const std::int32_t steps[8] = {-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1};
    std::memcpy(around, steps, sizeof steps);
}

// `mines` has one byte per cell, 1 for a mine. The sums are over shifted copies of the whole board: loops that a compiler
// turns into vector instructions.
inline void number_cells(const unsigned char* mines, std::int32_t rows, std::int32_t cols,
                         std::vector<unsigned char>& number) {
    const std::size_t stride = static_cast<std::size_t>(cols) + 2, size = (static_cast<std::size_t>(rows) + 2) * stride;
    std::vector<unsigned char> mine(size), triple(size);
    number.assign(size, BORDER);
    for (std::int32_t r = 0; r < rows; ++r)
        std::memcpy(&mine[(r + 1) * stride + 1], mines + static_cast<std::size_t>(r) * cols, static_cast<std::size_t>(cols));
    unsigned char *m = mine.data(), *t = triple.data(), *n = number.data();
    for (std::size_t i = 1; i < size - 1; ++i) t[i] = m[i - 1] + m[i] + m[i + 1];
    for (std::size_t i = stride; i < size - stride; ++i) n[i] = m[i] ? NUMBER_OF_MINE : t[i - stride] + t[i] + t[i + stride];
    for (std::int32_t r = 1; r <= rows; ++r) n[r * stride] = n[r * stride + stride - 1] = BORDER;
}

}  // namespace mineproof
