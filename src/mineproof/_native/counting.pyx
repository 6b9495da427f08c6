"""The counting engine for Python: one object holds the workspace; one thread at a time may use it."""

import time

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, uint64_t
from libcpp cimport bool as cbool

from mineproof._native.mining cimport Stream

COUNTED, INCONSISTENT, STOPPED, TOO_FINE = range(4)
OPEN, UNSURE, SAFE, MINED = range(4)
SAMPLES = 3  # the purpose of the random stream; 0 to 2 are those of ``mining``


cdef cbool go_on(void* context) noexcept nogil:
    with gil:
        return (<Engine> context).keep_going()


cdef class Engine:
    """Counts a position, and follows it as it changes."""

    cdef Counter counter
    cdef double deadline
    cdef object cancel, interruption
    cdef int32_t rows, cols

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

    def start(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, bint follow=False):
        """Read a position; with ``follow``, so that odds can be asked for again and again as it changes."""
        self.rows, self.cols = rows, cols
        with nogil:
            self.counter.start(rows, cols, &symbols[0], mines, follow)

    def see(self, cells, const unsigned char[::1] symbols):
        """These cells show these symbols now."""
        cdef int32_t cell
        cdef Py_ssize_t i = 0
        for cell in cells:
            self.counter.see(cell, symbols[i])
            i += 1

    def count(self, double seconds, size_t most_bytes, cancel=None):
        """Count what was touched: COUNTED, INCONSISTENT or STOPPED. ``cancel`` is a ``threading.Event`` or None."""
        cdef int outcome
        self.be_patient(seconds, cancel)
        self.counter.watch.most_bytes = most_bytes
        with nogil:
            outcome = self.counter.refresh()
        if self.interruption is not None:
            raise self.interruption
        return outcome

    cdef int be_patient(self, double seconds, cancel) except -1:
        self.deadline = time.monotonic() + seconds
        self.cancel = cancel
        self.interruption = None
        return 0

    def odds(self, double[:, ::1] probability, double[:, ::1] error, double most_work, double seconds, cancel=None):
        """After COUNTED: an outcome (any other may still come), and a mark for each cell.

        Where joining all components exactly is too much work, ``exact`` becomes False and ``error`` is filled in.
        """
        cdef bytes marks = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
        cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(marks)
        cdef int outcome
        self.be_patient(seconds, cancel)
        with nogil:
            outcome = self.counter.odds(&probability[0, 0], &error[0, 0], data, most_work)
        if self.interruption is not None:
            raise self.interruption
        return outcome, marks

    def samples(self, int count, uint64_t seed):
        """After exact odds of a position that is not followed: uniform solutions, one byte a cell, 1 for a mine."""
        cdef Stream stream = Stream(seed, 0, SAMPLES)
        cdef bytes mined
        found = []
        for _ in range(count):
            mined = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
            self.counter.sample(stream, <unsigned char*> PyBytes_AS_STRING(mined))
            found.append(mined)
        return found

    def take_proved(self):
        """Safe cells and mines proved since the last call."""
        safe, mined = list(self.counter.proved_safe), list(self.counter.proved_mined)
        self.counter.proved_safe.clear()
        self.counter.proved_mined.clear()
        return safe, mined

    def quick_best(self):
        """(cell, risk) of a cell that is not proved, or None."""
        cdef double risk = 0
        cdef int32_t cell = self.counter.quick_best(risk)
        return None if cell < 0 else (cell, risk)

    def components(self):
        """Clues and cells of each component that is left, as indices."""
        found = list(self.counter.components())
        return list(zip(found[::2], found[1::2], strict=True))

    @property
    def exact(self):
        """Whether the last odds are."""
        return self.counter.exact

    @property
    def log_solutions(self):
        """Of the last exact odds."""
        return self.counter.log_solutions

    @property
    def widest(self):
        """The largest set of states of any component."""
        return self.counter.widest()
