"""A board in play: opening, chords, notes, undo.

The journal of changes is the queue of the flood fill (see ``opened.hpp``) and all that undo needs. Moves and looks keep the
GIL, so that each is whole to other threads. Whatever Python can call checks what it is given.
"""

from cpython cimport array
import array
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from mineproof._native.numbers cimport are_mines, is_board
from mineproof._native.opened cimport Change, OpenedBoard, find_truth
from mineproof._native.symbols cimport FLAG, HIT, NAMED_SAFE, SHOWN_MINE, is_closed

cdef array.array INTS = array.array("i")


cdef class Field:
    """The mines below, what is shown above. Indices are row-major."""

    cdef readonly int32_t rows, cols
    cdef readonly bint laid
    cdef bint flood
    cdef OpenedBoard board
    cdef vector[unsigned char] truth  # what opening shows: b'0'..b'8' or b'*'
    cdef vector[Change] journal       # every change
    cdef vector[size_t] marks         # where each move starts in the journal

    def __cinit__(self, int32_t rows, int32_t cols, bint flood=True):
        if not is_board(rows, cols):
            raise ValueError("there is no board of this size")
        self.rows = rows
        self.cols = cols
        self.flood = flood
        self.laid = False
        self.board.start(rows, cols)

    cdef int32_t cell(self, int32_t index) except -1:
        """Where a cell is that Python names."""
        if not 0 <= index < self.rows * self.cols:
            raise ValueError(f"cell {index} is outside this board")
        return self.board.padded(index)

    cdef int need_mines(self) except -1:
        if not self.laid:
            raise RuntimeError("the mines are not laid yet")
        return 0

    # -- set-up ------------------------------------------------------------------------------------------------

    def lay(self, const unsigned char[::1] mines):
        """Put the mines down: one byte per cell, 1 for a mine. Notes already made stay."""
        if mines.shape[0] != <Py_ssize_t> self.rows * self.cols or not are_mines(&mines[0], mines.shape[0]):
            raise ValueError("a board must have one byte for each cell, 1 for a mine")
        find_truth(&mines[0], self.rows, self.cols, self.truth)
        self.laid = True

    def give(self, indices):
        """Show these cells as safe before the first move."""
        cdef int32_t index
        for index in indices:
            self.board.shown[self.cell(index)] = NAMED_SAFE

    # -- moves: each is one entry for undo, and returns the cells that changed -----------------------------------

    def open(self, int32_t index):
        """Open a closed cell, and what a zero brings with it."""
        cdef int32_t at = self.cell(index)
        self.need_mines()
        self.begin_move()
        if is_closed(self.board.shown[at]):
            self.board.open(at, self.truth.data(), self.journal, self.flood)
        return self.changes(self.marks.back())

    def chord(self, int32_t index):
        """Open every closed, unflagged neighbour."""
        cdef int32_t at = self.cell(index)
        self.need_mines()
        self.begin_move()
        self.board.open_around(at, self.truth.data(), self.journal, self.flood)
        return self.changes(self.marks.back())

    def note(self, int32_t index, unsigned char symbol):
        """Write H, F or Q on a closed cell."""
        cdef int32_t at = self.cell(index)
        if not is_closed(symbol) or not is_closed(self.board.shown[at]):
            raise ValueError("notes are H, F, Q and S, on closed cells")
        self.begin_move()
        self.board.note(at, symbol, self.journal)
        return self.changes(self.marks.back())

    def undo(self):
        """Take the last move back and return the cells that changed with it."""
        if self.marks.empty():
            raise RuntimeError("there is no move to take back")
        undone = self.changes(self.marks.back())
        self.board.take_back(self.journal, self.marks.back())
        self.marks.pop_back()
        return undone

    cdef int begin_move(self) except -1:
        """Memory for all that a move can change, before it changes anything: afterwards nothing can fail.

        Room for every cell that is still closed is enough, and is asked for once: what opens is closed no more.
        """
        cdef size_t closed = <size_t> self.rows * self.cols - self.board.opened - self.board.hits + 1
        if self.journal.capacity() < self.journal.size() + closed:
            self.journal.reserve(max(self.journal.size() + closed, 2 * self.journal.capacity()))
        self.marks.push_back(self.journal.size())
        return 0

    cdef object changes(self, size_t start):
        cdef size_t i, count = self.journal.size() - start
        cdef array.array cells = array.clone(INTS, count, zero=False)
        for i in range(count):
            cells.data.as_ints[i] = self.board.plain(self.journal[start + i].at())
        return cells

    # -- looking -----------------------------------------------------------------------------------------------

    @property
    def opened(self):
        """Safe cells that are open."""
        return self.board.opened

    @property
    def hits(self):
        """Mines that are open."""
        return self.board.hits

    @property
    def flags(self):
        """Cells that are flagged."""
        return self.board.flags

    @property
    def moves(self):
        """How many moves are in force, that is, can be undone."""
        return self.marks.size()

    def symbol(self, int32_t index):
        """What the player sees there, as the code of its character."""
        return self.board.shown[self.cell(index)]

    def symbols(self, cells):
        """What the player sees at these cells, one character each."""
        cdef bytearray shown = bytearray(len(cells))
        cdef int32_t cell
        cdef Py_ssize_t i = 0
        for cell in cells:
            if i == len(shown):
                raise ValueError("there are more cells than were announced")
            shown[i] = self.board.shown[self.cell(cell)]
            i += 1
        return bytes(shown)

    def flags_around(self, int32_t index):
        """Neighbours that are flagged or are mines lying open."""
        cdef int32_t at = self.cell(index), k, count = 0
        for k in range(8):
            count += self.board.shown[at + self.board.around()[k]] in (FLAG, HIT)
        return count

    def closed_around(self, int32_t index):
        """Neighbours that a chord would open."""
        cdef int32_t at = self.cell(index), k, count = 0
        for k in range(8):
            count += self.board.can_open(at + self.board.around()[k])
        return count

    def flagged_mines(self):
        """Flags that are right."""
        cdef int32_t count = 0
        cdef size_t at
        if self.laid:
            for at in range(self.truth.size()):
                count += self.board.shown[at] == FLAG and self.truth[at] == HIT
        return count

    def text(self, bint reveal=False):
        """All that the player sees, one character a cell; with ``reveal``, once a mine is open, the closed mines too."""
        cdef bytes symbols = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
        cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(symbols)
        cdef int32_t i, at
        self.board.write(data)
        if reveal and self.board.hits:
            for i in range(self.rows * self.cols):
                at = self.board.padded(i)
                if self.truth[at] == HIT and self.board.can_open(at):
                    data[i] = SHOWN_MINE
        return symbols

    def solution(self):
        """The finished board: every number, and every mine as shown after a loss. The mines must be laid."""
        cdef bytes symbols = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
        cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(symbols)
        cdef int32_t i, at
        self.need_mines()
        for i in range(self.rows * self.cols):
            at = self.board.padded(i)
            data[i] = SHOWN_MINE if self.truth[at] == HIT else self.truth[at]
        return symbols
