"""The easiest next step for Python: `Techniques` knows a position, and what was settled of it so far.

Whatever Python can call checks what it is given; compiled code behind it trusts its input.
"""

from libc.stdint cimport int32_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.numbers cimport is_board
from mineproof._native.clock cimport NativeClock, NativeLimit
from mineproof._native.symbols cimport check_symbols


cdef extern from "technique.hpp" namespace "mineproof" nogil:
    cdef cppclass Found "mineproof::Techniques::Found":
        int32_t size
        cbool mine
        vector[int32_t] clues, cells, used

    cdef cppclass NativeTechniques "mineproof::Techniques":
        NativeLimit limit
        void start(int32_t rows, int32_t cols, const unsigned char* symbols) except +
        void see(int32_t cell, unsigned char symbol)
        void want(int32_t cell, cbool mine) except +
        void look_around(int32_t cell, int32_t radius)
        void forget()
        void settle(int32_t cell, cbool mine) except +
        cbool step(int32_t most, Found& found) except +

CHAIN = 5  # stands for a chain, where a number of clues is expected


cdef class Techniques:
    """The cells of a position that are wanted, and the easiest way to settle them one after the other."""

    cdef NativeTechniques native
    cdef NativeClock clock
    cdef int32_t cells

    def __cinit__(self):
        self.clock = NativeClock()
        self.clock.hook(&self.native.limit)

    cdef int check(self, const vector[int32_t]& cells) except -1:
        cdef size_t i
        if self.clock.busy:
            raise RuntimeError("this is already at work: it cannot be used again before it is done")
        for i in range(cells.size()):
            if not 0 <= cells[i] < self.cells:
                raise ValueError(f"cell {cells[i]} is outside this board")
        return 0

    def start(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols):
        """Read a position. Nothing is wanted, and nothing settled."""
        self.check([])
        if not is_board(rows, cols) or symbols.shape[0] != <Py_ssize_t> rows * cols:
            raise ValueError("there is no board of this size")
        check_symbols(symbols)
        self.cells = 0
        self.native.start(rows, cols, &symbols[0])
        self.cells = rows * cols

    def see(self, cells, const unsigned char[::1] symbols):
        """These cells show these symbols now."""
        cdef vector[int32_t] indices = cells
        cdef size_t i
        self.check(indices)
        if indices.size() != <size_t> symbols.shape[0]:
            raise ValueError("there must be one symbol for each cell")
        check_symbols(symbols)
        for i in range(indices.size()):
            self.native.see(indices[i], symbols[i])

    def want(self, cells, bint mine):
        """These cells are certain, and to be settled; those that are named first are tried first."""
        cdef vector[int32_t] indices = cells
        self.check(indices)
        for i in range(indices.size()):
            self.native.want(indices[i], mine)

    def settle(self, cells, bint mine):
        """These cells are settled, by other means."""
        cdef vector[int32_t] indices = cells
        self.check(indices)
        for i in range(indices.size()):
            self.native.settle(indices[i], mine)

    def look_around(self, int32_t cell, int32_t radius):
        """Only clues at most so far from the cell count from now on; a negative radius: all."""
        self.check([cell])
        self.native.look_around(cell, radius)

    def forget(self):
        """Nothing is wanted, and nothing of what was wanted is settled."""
        self.check([])
        self.native.forget()

    def step(self, int32_t most, clock):
        """The easiest step of at most this many clues, or chains too: the number of clues, or `CHAIN`; whether the cells
        are mines; the clues, the cells, and the cells settled before that it needs. None when there is none."""
        cdef Found found
        cdef cbool there
        self.check([])
        self.clock.enter(clock)
        try:
            self.native.limit.stopped = False
            with nogil:
                there = self.native.step(most, found)
        finally:
            self.clock.leave()
        if not there:
            return None
        return found.size, found.mine, found.clues, found.cells, found.used
