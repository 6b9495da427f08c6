from libc.stdint cimport int32_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.mining cimport Stream


cdef extern from "watch.hpp" namespace "mineproof" nogil:
    cdef cppclass Watch:
        cbool (*go_on)(void*) noexcept nogil
        void* context
        size_t most_bytes
        cbool stopped

cdef extern from "counting.hpp" namespace "mineproof" nogil:
    cdef cppclass Counter:
        Watch watch
        vector[int32_t] proved_safe
        vector[int32_t] proved_mined
        double log_solutions
        cbool exact
        void start(int32_t rows, int32_t cols, const unsigned char* symbols, int32_t mines, cbool follow) except +
        void see(int32_t cell, unsigned char symbol) except +
        int refresh() except +
        int odds(double* probability, double* error, unsigned char* mark, double most_work) except +
        void sample(Stream& stream, unsigned char* mined) except +
        int32_t quick_best(double& risk) except +
        vector[vector[int32_t]] components() except +
        size_t widest()
