from libc.stdint cimport int32_t
from libcpp.vector cimport vector


cdef extern from "numbers.hpp" namespace "mineproof" nogil:
    const unsigned char NUMBER_OF_MINE, BORDER
    bint is_board(int32_t rows, int32_t cols)
    bint are_mines(const unsigned char* mines, size_t cells)
    void neighbour_steps(int32_t cols, int32_t* around)
    void number_cells(const unsigned char* mines, int32_t rows, int32_t cols, vector[unsigned char]& number) except +
