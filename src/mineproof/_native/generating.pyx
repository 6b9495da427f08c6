"""Boards that need no guess, found without Python: `Generator` tries the boards of a seed one after the other."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.counting cimport NativeCounter
from mineproof._native.mining cimport REPAIRS, Stream, lay_mines, zone_size
from mineproof._native.numbers cimport are_mines, is_board
from mineproof._native.clock cimport NativeClock, NativeLimit


cdef extern from "clearing.hpp" namespace "mineproof" nogil:
    cdef enum class Cleared:
        YES
        NO
        HARD
        STOPPED
    cdef cppclass Clearing:
        NativeLimit limit
        NativeCounter counter
        void set_size(int32_t rows, int32_t cols) except +
        void set_start(int32_t start, cbool opening)
        void lay(const unsigned char* mines, int32_t count)
        void write(unsigned char* mines)
        cbool has_pocket(vector[unsigned char]& kind) except +
        void begin() except +
        Cleared run() except +

cdef extern from "mending.hpp" namespace "mineproof" nogil:
    cdef cppclass Mender:
        int64_t passes
        Cleared mend(Clearing& board, Stream stream) except +

CLEARED, STUCK, HARD, STOPPED = <int> Cleared.YES, <int> Cleared.NO, <int> Cleared.HARD, <int> Cleared.STOPPED

cdef double MOST_COST = 1e8  # of a component on a board that can be mended: more is stuck as well


cdef class Generator:
    """Of one size, number of mines and start. With ``opening`` the first click shows a zero. One call at a time."""

    cdef Clearing clearing
    cdef Mender mender
    cdef NativeClock clock
    cdef vector[unsigned char] board, kind
    cdef int32_t rows, cols, mines, start
    cdef cbool opening

    def __cinit__(self, int32_t rows, int32_t cols, int32_t mines, int32_t start, bint opening):
        if not is_board(rows, cols):
            raise ValueError("there is no board of this size")
        if not 0 <= start < rows * cols:
            raise ValueError("the start is outside this board")
        if not 0 <= mines <= rows * cols - zone_size(rows, cols, start, opening):
            raise ValueError("that many mines leave no room for the first click")
        self.rows, self.cols, self.mines, self.start, self.opening = rows, cols, mines, start, opening
        self.board.resize(<size_t> rows * cols)
        self.clearing.set_size(rows, cols)
        self.clearing.set_start(start, opening)
        self.clock = NativeClock()
        self.clock.hook(&self.clearing.limit)
        self.clock.hook(&self.clearing.counter.limit)

    def find(self, uint64_t seed, uint64_t first, int64_t tries, bint mend, clock):
        """The first board of a seed, from number ``first`` on, that needs no guess; with ``mend``, boards are mended.

        The outcome, the number of the board after the last that was tried, how many were tried, and if the outcome is
        CLEARED the board. STUCK when none of ``tries`` boards is such a board. A board that was mended counts as often as
        it was cleared from its start.
        """
        cdef Cleared cleared = Cleared.NO
        cdef uint64_t index = first
        cdef int64_t tried = 0
        self.enter(clock)
        try:
            self.clearing.counter.limit.most_cost = MOST_COST if mend else 1e300
            with nogil:
                while cleared == Cleared.NO and tried < tries:
                    lay_mines(self.board.data(), self.rows, self.cols, self.mines, self.start, self.opening, seed, index)
                    self.clearing.lay(self.board.data(), self.mines)
                    if mend:
                        self.mender.passes = 0
                        cleared = self.mender.mend(self.clearing, Stream(seed, index, REPAIRS))
                        tried += self.mender.passes
                    else:
                        self.clear(&cleared)
                        tried += 1
                    index += 1
                if cleared == Cleared.YES:
                    self.clearing.write(self.board.data())
        finally:
            self.clock.leave()
        board = PyBytes_FromStringAndSize(<char*> self.board.data(), self.board.size()) if cleared == Cleared.YES else None
        return <int> cleared, index, tried, board

    def clear_board(self, const unsigned char[::1] mines, clock):
        """How far certain moves clear this board from the start: CLEARED, STUCK, HARD or STOPPED."""
        cdef Cleared cleared = Cleared.NO
        cdef int32_t count = 0
        cdef Py_ssize_t i
        if mines.shape[0] != <Py_ssize_t> self.board.size() or not are_mines(&mines[0], mines.shape[0]):
            raise ValueError("a board must have one byte for each cell, 1 for a mine")
        for i in range(mines.shape[0]):
            count += mines[i]
        if count != self.mines or mines[self.start]:
            raise ValueError("this board has another number of mines, or one at the start")
        self.enter(clock)
        try:
            self.clearing.counter.limit.most_cost = 1e300
            with nogil:
                self.clearing.lay(&mines[0], count)
                self.clear(&cleared)
        finally:
            self.clock.leave()
        return <int> cleared

    cdef int enter(self, clock) except -1:
        cdef size_t most_bytes = clock.limit.memory
        self.clock.enter(clock)
        self.clearing.counter.limit.most_bytes = most_bytes
        self.clearing.limit.stopped = False
        return 0

    cdef int clear(self, Cleared* cleared) except -1 nogil:
        """The board that was laid, as far as certain moves clear it."""
        if self.clearing.has_pocket(self.kind):
            cleared[0] = Cleared.NO if self.clearing.limit.tick(self.board.size()) else Cleared.STOPPED
            return 0
        self.clearing.begin()
        cleared[0] = self.clearing.run()
        return 0
