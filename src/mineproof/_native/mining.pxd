from libc.stdint cimport int32_t, uint32_t, uint64_t


cdef extern from "philox.hpp" namespace "mineproof" nogil:
    cdef cppclass Stream:
        Stream()
        Stream(uint64_t seed, uint64_t index, uint64_t purpose)
        uint64_t word()
        uint32_t below(uint32_t n)
    uint64_t MINES, NAMED_CELLS, MINE_COUNT, SAMPLES, WINDOWS, REPAIRS, PLAYOUTS  # what a stream is used for


cdef int32_t zone_size(int32_t rows, int32_t cols, int32_t start, int32_t radius) noexcept nogil
cdef void lay_mines(unsigned char* board, int32_t rows, int32_t cols, int32_t mines,
                    int32_t start, int32_t radius, uint64_t seed, uint64_t index) noexcept nogil
