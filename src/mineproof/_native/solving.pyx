"""Whole boards by the easiest steps, for Python: `Course`.

Whatever Python can call checks what it is given; compiled code behind it trusts its input.
"""

from libc.stdint cimport int32_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.counting cimport NativeCounter
from mineproof._native.numbers cimport are_mines, is_board
from mineproof._native.clock cimport NativeClock, NativeLimit


cdef extern from "clearing.hpp" namespace "mineproof" nogil:
    cdef enum class Cleared:
        YES
        NO
        HARD
        STOPPED

cdef extern from "course.hpp" namespace "mineproof" nogil:
    cdef cppclass SolutionStep "mineproof::Course::SolutionStep":
        int32_t level
        cbool mine
        vector[int32_t] clues, cells, used
        double risk

    cdef cppclass Searching "mineproof::Techniques":
        NativeLimit limit

    cdef cppclass NativeCourse "mineproof::Course":
        Searching techniques
        NativeCounter counter
        vector[SolutionStep] steps
        Cleared run(int32_t rows, int32_t cols, const unsigned char* mines, int32_t start, int32_t most) except +

CLEARED, STUCK, HARD, STOPPED = <int> Cleared.YES, <int> Cleared.NO, <int> Cleared.HARD, <int> Cleared.STOPPED
GUESS = 7  # the level of a guess


cdef class Course:
    """Solves boards, one after the other, and remembers the steps of the last."""

    cdef NativeCourse native
    cdef NativeClock clock

    def __cinit__(self):
        self.clock = NativeClock()
        self.clock.hook(&self.native.techniques.limit)
        self.clock.hook(&self.native.counter.limit)

    def run(self, int32_t rows, int32_t cols, const unsigned char[::1] mines, int32_t start, int32_t most, clock):
        """Whether steps up to a level clear this board from its start: CLEARED, STUCK, HARD or STOPPED."""
        cdef Cleared cleared
        cdef size_t most_bytes = clock.limit.memory
        if not is_board(rows, cols) or mines.shape[0] != <Py_ssize_t> rows * cols or not are_mines(&mines[0], mines.shape[0]):
            raise ValueError("a board must have one byte for each cell, 1 for a mine")
        if not 0 <= start < rows * cols or mines[start]:
            raise ValueError("the start is outside this board, or a mine")
        if not 1 <= most <= GUESS:
            raise ValueError("there is no such level")
        self.clock.enter(clock)
        try:
            self.native.counter.limit.most_bytes = most_bytes
            with nogil:
                cleared = self.native.run(rows, cols, &mines[0], start, most)
        finally:
            self.clock.leave()
        return <int> cleared

    def counts(self):
        """How many steps there are of each level, from 0 on."""
        cdef int32_t found[8]
        cdef size_t i
        self.check()
        for i in range(8):
            found[i] = 0
        for i in range(self.native.steps.size()):
            found[self.native.steps[i].level] += 1
        return tuple(found)

    def steps(self):
        """The steps: level, whether the cells are mines, clues, cells, mines found before that it needs, risk."""
        self.check()
        return [
            (step.level, step.mine, tuple(step.clues), tuple(step.cells), tuple(step.used), step.risk)
            for step in self.native.steps
        ]

    cdef int check(self) except -1:
        if self.clock.busy:
            raise RuntimeError("this is already at work: it cannot be used again before it is done")
        return 0
