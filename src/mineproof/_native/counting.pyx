"""The counting engine for Python: one object holds the workspace; one thread at a time may use it."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.mining cimport Stream

import time

cdef extern from "frontier.hpp" namespace "mineproof" nogil:
    cdef cppclass Component:
        vector[int32_t] need
        vector[int32_t] clues
        vector[int32_t] cells
    cdef cppclass Frontier:
        vector[Component] components
        vector[int32_t] rest
        int32_t unknown_cells
        size_t component_count()

cdef extern from "chain.hpp" namespace "mineproof" nogil:
    cdef cppclass Watch:
        cbool (*go_on)(void*) noexcept nogil
        void* context
        size_t most_bytes

cdef extern from "counting.hpp" namespace "mineproof" nogil:
    cdef cppclass Counter:
        Frontier frontier
        Watch watch
        double log_solutions
        int count(int32_t rows, int32_t cols, const unsigned char* symbols, int32_t mines)
        void odds(double* probability, unsigned char* mark, size_t cells)
        void sample(Stream& stream, const unsigned char* symbols, unsigned char* mined, size_t cells)
        size_t widest()

COUNTED, INCONSISTENT, STOPPED, TOO_FINE = range(4)
OPEN, UNSURE, SAFE, MINED = range(4)
SAMPLES = 3  # the purpose of the random stream; 0 to 2 are those of ``mining``


cdef cbool go_on(void* context) noexcept nogil:
    with gil:
        return (<Engine> context).keep_going()


cdef class Engine:
    """Counts positions."""

    cdef Counter counter
    cdef double deadline
    cdef object interruption
    cdef object cancel

    def __cinit__(self):
        self.counter.watch.context = <void*> self
        self.counter.watch.go_on = go_on

    cdef bint keep_going(self) noexcept:
        try:
            PyErr_CheckSignals()
        except BaseException as interruption:  # handed on when the engine has stopped
            self.interruption = interruption
            return False
        if self.cancel is not None and self.cancel.is_set():
            return False
        return time.monotonic() < self.deadline

    def count(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines,
              double seconds, size_t most_bytes, cancel=None):
        """Count a position; one of COUNTED, INCONSISTENT, STOPPED, TOO_FINE.

        ``cancel`` is a ``threading.Event`` or None: set, it stops the count.
        """
        cdef int outcome
        self.deadline = time.monotonic() + seconds
        self.cancel = cancel
        self.interruption = None
        self.counter.watch.most_bytes = most_bytes
        with nogil:
            outcome = self.counter.count(rows, cols, &symbols[0], mines)
        if self.interruption is not None:
            raise self.interruption
        return outcome

    def odds(self, double[:, ::1] probability):
        """After COUNTED: fill in the odds and return a mark for each cell."""
        cdef size_t cells = probability.shape[0] * probability.shape[1]
        cdef bytes marks = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> cells)
        cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(marks)
        with nogil:
            self.counter.odds(&probability[0, 0], data, cells)
        return marks

    def samples(self, const unsigned char[::1] symbols, int count, uint64_t seed):
        """After COUNTED of these symbols: uniform solutions, one byte a cell, 1 for a mine."""
        cdef size_t cells = symbols.shape[0]
        cdef Stream stream = Stream(seed, 0, SAMPLES)
        cdef bytes mined
        found = []
        for _ in range(count):
            mined = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> cells)
            self.counter.sample(stream, &symbols[0], <unsigned char*> PyBytes_AS_STRING(mined), cells)
            found.append(mined)
        return found

    @property
    def log_solutions(self):
        return self.counter.log_solutions

    @property
    def widest(self):
        """The largest set of states of any component."""
        return self.counter.widest()

    def components(self):
        """For each component: its clues and its cells, as indices."""
        cdef size_t c
        return [
            (list(self.counter.frontier.components[c].clues), list(self.counter.frontier.components[c].cells))
            for c in range(self.counter.frontier.component_count())
        ]
