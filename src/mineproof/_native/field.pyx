"""The one implementation of opening, flood fill and numbers.

Both arrays carry a border of one cell, so that every cell has eight neighbours. The journal of changes is also the
queue of the flood fill and all that undo needs: a cell enters it when it opens, and never twice.

Moves and looks keep the GIL, so that each is whole to other threads; compiled callers use the nogil methods. Whatever
Python can call checks what it is given.
"""

from cpython cimport array
import array
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from mineproof._native.numbers cimport NUMBER_OF_MINE, are_mines, is_board, neighbour_steps, number_cells
from mineproof._native.symbols cimport EIGHT, FLAG, NAMED_SAFE, HIDDEN, HIT, QUESTION, SHOWN_MINE, ZERO

cdef array.array INTS = array.array("i")

# A cell that is not open bears one of these notes.
cdef unsigned char[4] NOTES
NOTES[:] = [HIDDEN, FLAG, QUESTION, NAMED_SAFE]


cdef inline int32_t note_code(unsigned char symbol) noexcept nogil:
    if symbol == HIDDEN:
        return 0
    if symbol == FLAG:
        return 1
    if symbol == QUESTION:
        return 2
    return 3


cdef inline bint can_open(unsigned char symbol) noexcept nogil:
    return symbol == HIDDEN or symbol == QUESTION or symbol == NAMED_SAFE


cdef inline bint is_note(unsigned char symbol) noexcept nogil:
    return symbol == FLAG or can_open(symbol)


cdef class Field:
    """A board in play: the mines below, what is shown above. Indices are row-major."""

    def __cinit__(self, int32_t rows, int32_t cols, bint flood=True):
        if not is_board(rows, cols):
            raise ValueError("there is no board of this size")
        self.rows = rows
        self.cols = cols
        self.flood = flood
        self.stride = cols + 2
        self.opened = self.hits = self.flags = 0
        self.laid = False
        cdef int32_t r, c
        neighbour_steps(cols, self.around)
        self.shown.assign(<size_t> (rows + 2) * self.stride, 0)
        for r in range(1, rows + 1):
            for c in range(1, cols + 1):
                self.shown[r * self.stride + c] = HIDDEN

    cdef inline int32_t padded(self, int32_t index) noexcept nogil:
        return (index // self.cols + 1) * self.stride + index % self.cols + 1

    cdef inline int32_t plain(self, int32_t at) noexcept nogil:
        return (at // self.stride - 1) * self.cols + at % self.stride - 1

    cdef int32_t cell(self, int32_t index) except -1:
        """Where a cell is that Python names."""
        if not 0 <= index < self.rows * self.cols:
            raise ValueError(f"cell {index} is outside this board")
        return self.padded(index)

    cdef int need_mines(self) except -1:
        if not self.laid:
            raise RuntimeError("the mines are not laid yet")
        return 0

    # -- set-up ------------------------------------------------------------------------------------------------

    def lay(self, const unsigned char[::1] mines):
        """Put the mines down: one byte per cell, 1 for a mine. Notes already made stay."""
        if mines.shape[0] != <Py_ssize_t> self.rows * self.cols or not are_mines(&mines[0], mines.shape[0]):
            raise ValueError("a board must have one byte for each cell, 1 for a mine")
        self.lay_down(&mines[0])

    cdef int lay_down(self, const unsigned char* mines) except -1 nogil:
        cdef size_t i
        number_cells(mines, self.rows, self.cols, self.truth)
        for i in range(self.truth.size()):
            self.truth[i] = HIT if self.truth[i] == NUMBER_OF_MINE else ZERO + self.truth[i]
        self.laid = True
        return 0

    cdef int go_on_from(self, const unsigned char* mines, const unsigned char* symbols) except -1 nogil:
        """Lay these mines, and show a position consistent with them, without its notes. Mines that it shows are not hits:
        they were found before. There is room for all that can follow."""
        cdef int32_t r, c, at, i = 0
        self.lay_down(mines)
        self.journal.clear()
        self.journal.reserve(<size_t> self.rows * self.cols + 1)
        self.marks.clear()
        self.opened = self.hits = self.flags = 0
        for r in range(1, self.rows + 1):
            for c in range(1, self.cols + 1):
                at = r * self.stride + c
                self.shown[at] = HIDDEN
                if symbols[i] <= EIGHT or symbols[i] == SHOWN_MINE:
                    self.shown[at] = self.truth[at]
                    self.opened += self.truth[at] != HIT
                i += 1
        return 0

    def give(self, indices):
        """Show these cells as safe before the first move."""
        cdef int32_t index
        for index in indices:
            self.shown[self.cell(index)] = NAMED_SAFE

    # -- moves: each is one entry for undo, and returns the cells that changed -----------------------------------

    def open(self, int32_t index):
        """Open a closed cell, and what a zero brings with it."""
        cdef int32_t at = self.cell(index)
        self.need_mines()
        self.make_room()
        self.marks.push_back(self.journal.size())
        self.open_cell(at)
        return self.changes(self.marks.back())

    def chord(self, int32_t index):
        """Open every closed, unflagged neighbour."""
        cdef int32_t at = self.cell(index)
        self.need_mines()
        self.make_room()
        self.marks.push_back(self.journal.size())
        self.open_around(at)
        return self.changes(self.marks.back())

    def note(self, int32_t index, unsigned char symbol):
        """Write H, F or Q on a closed cell."""
        cdef int32_t at = self.cell(index)
        if not is_note(symbol) or not is_note(self.shown[at]):
            raise ValueError("notes are H, F, Q and S, on closed cells")
        self.make_room()
        self.marks.push_back(self.journal.size())
        self.change(at, symbol)
        return self.changes(self.marks.back())

    def undo(self):
        """Take the last move back and return the cells that changed with it."""
        cdef size_t start, i
        cdef int32_t at
        if self.marks.empty():
            raise RuntimeError("there is no move to take back")
        start = self.marks.back()
        undone = self.changes(start)
        i = self.journal.size()
        while i > start:
            i -= 1
            at = self.journal[i] >> 2
            self.tally(self.shown[at], -1)
            self.shown[at] = NOTES[self.journal[i] & 3]
            self.tally(self.shown[at], 1)
        self.journal.resize(start)
        self.marks.pop_back()
        return undone

    cdef int make_room(self) except -1:
        """Memory for all that a move can change, before it changes anything: afterwards nothing can fail.

        Room for every cell that is still closed is enough, and is asked for once: what opens is closed no more.
        """
        cdef size_t closed = <size_t> self.rows * self.cols - self.opened - self.hits + 1
        if self.journal.capacity() < self.journal.size() + closed:
            self.journal.reserve(max(self.journal.size() + closed, 2 * self.journal.capacity()))
        return 0

    cdef void open_cell(self, int32_t at) noexcept nogil:
        cdef size_t head = self.journal.size()
        self.change(at, self.truth[at])
        self.spread(head)

    cdef void open_around(self, int32_t at) noexcept nogil:
        cdef size_t head = self.journal.size()
        cdef int32_t k
        for k in range(8):
            if can_open(self.shown[at + self.around[k]]):
                self.change(at + self.around[k], self.truth[at + self.around[k]])
        self.spread(head)

    cdef void spread(self, size_t head) noexcept nogil:
        """Flood fill from the cells that the journal holds since ``head``."""
        cdef int32_t at, next_to, k
        if not self.flood:
            return
        while head < self.journal.size():
            at = self.journal[head] >> 2
            head += 1
            if self.shown[at] != ZERO:
                continue
            for k in range(8):
                next_to = at + self.around[k]
                if can_open(self.shown[next_to]):
                    self.change(next_to, self.truth[next_to])

    cdef inline void change(self, int32_t at, unsigned char symbol) noexcept nogil:
        self.journal.push_back(at * 4 + note_code(self.shown[at]))
        self.tally(self.shown[at], -1)
        self.shown[at] = symbol
        self.tally(symbol, 1)

    cdef inline void tally(self, unsigned char symbol, int32_t by) noexcept nogil:
        if symbol == FLAG:
            self.flags += by
        elif symbol == HIT:
            self.hits += by
        elif symbol <= EIGHT:  # every note comes after the digits
            self.opened += by

    cdef object changes(self, size_t start):
        cdef size_t i, count = self.journal.size() - start
        cdef array.array cells = array.clone(INTS, count, zero=False)
        for i in range(count):
            cells.data.as_ints[i] = self.plain(self.journal[start + i] >> 2)
        return cells

    # -- looking -----------------------------------------------------------------------------------------------

    @property
    def moves(self):
        """How many moves are in force, that is, can be undone."""
        return self.marks.size()

    def symbol(self, int32_t index):
        """What the player sees there, as the code of its character."""
        return self.shown[self.cell(index)]

    def symbols(self, cells):
        """What the player sees at these cells, one character each."""
        cdef bytearray shown = bytearray(len(cells))
        cdef int32_t cell
        cdef Py_ssize_t i = 0
        for cell in cells:
            if i == len(shown):
                raise ValueError("there are more cells than were announced")
            shown[i] = self.shown[self.cell(cell)]
            i += 1
        return bytes(shown)

    def flags_around(self, int32_t index):
        """Neighbours that are flagged or are mines lying open."""
        cdef int32_t at = self.cell(index), k, count = 0
        for k in range(8):
            count += self.shown[at + self.around[k]] in (FLAG, HIT)
        return count

    def closed_around(self, int32_t index):
        """Neighbours that a chord would open."""
        cdef int32_t at = self.cell(index), k, count = 0
        for k in range(8):
            count += can_open(self.shown[at + self.around[k]])
        return count

    def flagged_mines(self):
        """Flags that are right."""
        cdef int32_t count = 0
        cdef size_t at
        if self.laid:
            for at in range(self.shown.size()):
                count += self.shown[at] == FLAG and self.truth[at] == HIT
        return count

    def text(self, bint reveal=False):
        """All that the player sees, one character a cell; with ``reveal``, once a mine is open, the closed mines too."""
        cdef bytes symbols = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
        cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(symbols)
        cdef int32_t r, c, at
        for r in range(self.rows):
            at = (r + 1) * self.stride + 1
            memcpy(data + <size_t> r * self.cols, &self.shown[at], self.cols)
            if reveal and self.hits:
                for c in range(self.cols):
                    if self.truth[at + c] == HIT and can_open(self.shown[at + c]):
                        data[r * self.cols + c] = SHOWN_MINE
        return symbols

    def solution(self):
        """The finished board: every number, and every mine as shown after a loss. The mines must be laid."""
        cdef bytes symbols = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
        cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(symbols)
        cdef int32_t r, c, at
        self.need_mines()
        for r in range(self.rows):
            for c in range(self.cols):
                at = (r + 1) * self.stride + c + 1
                data[r * self.cols + c] = SHOWN_MINE if self.truth[at] == HIT else self.truth[at]
        return symbols
