from libc.stdint cimport int8_t, int32_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector


cdef extern from "opened.hpp" namespace "mineproof" nogil:
    void find_truth(const unsigned char* mines, int32_t rows, int32_t cols, vector[unsigned char]& truth) except +
    cppclass Change:
        int32_t at()
    cppclass OpenedBoard:
        vector[unsigned char] shown
        int32_t opened, hits, flags
        void start(int32_t rows, int32_t cols) except +
        void write(unsigned char* symbols)
        int32_t padded(int32_t i)
        int32_t plain(int32_t at)
        const int32_t* around()
        cbool can_open(int32_t at)
        void open(int32_t at, const unsigned char* truth, vector[Change]& journal, cbool floods)
        void open_around(int32_t at, const unsigned char* truth, vector[Change]& journal, cbool floods)
        void note(int32_t at, unsigned char symbol, vector[Change]& journal)
        void take_back(vector[Change]& journal, size_t start)
    cppclass ListedBoard:
        const int8_t* truth
        int8_t* shown
        const int32_t* near
        int32_t* queue
        int32_t open(int32_t cell, cbool floods)
