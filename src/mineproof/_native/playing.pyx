"""Whole games without Python: `Player` makes the choices of the agents ``best`` and ``lowest-risk``, and plays boards with
them."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.counting cimport Counter
from mineproof._native.field cimport Field
from mineproof._native.mining cimport lay_mines


cdef extern from *:
    """
    #include <chrono>
    static inline double seconds_now() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    static inline bool before(void* deadline) noexcept { return seconds_now() < *static_cast<double*>(deadline); }
    """
    double seconds_now() noexcept nogil
    cbool before(void*) noexcept nogil

cdef extern from "strategy.hpp" namespace "mineproof" nogil:
    cdef cppclass Strategist:
        cppclass Settings:
            double second, progress
            uint32_t boards
            int64_t nodes
            int32_t free_cells
            cbool thorough
        cppclass Choice:
            int32_t cell
            double risk, score
            cbool exact
        Settings settings
        vector[Choice] considered
        Choice choose(Counter& counter, const double* probability, const unsigned char* mark) except +

cdef enum:
    COUNTED = 0
    OPEN = 0
    SAFE = 2

cdef double ANY_WORK = 1e300
cdef double NO_DEADLINE = 1e300


class CannotCount(RuntimeError):
    """A position is too hard to be counted."""


cdef struct Game:
    cbool won
    cbool failed          # the position could not be counted
    int32_t moves
    double seconds, slowest


cdef class Player:
    """Chooses, and plays. One thread at a time may use it."""

    cdef Counter counter
    cdef Strategist strategist
    cdef vector[double] probability, error
    cdef vector[unsigned char] mark, board
    cdef vector[int32_t] todo
    cdef vector[double] risks  # of the guesses of the last game
    cdef cbool lookahead
    cdef double deadline

    def __cinit__(self, bint lookahead=True, nodes=None, boards=None):
        self.lookahead = lookahead
        if nodes is not None:
            self.strategist.settings.nodes = nodes
        if boards is not None:
            self.strategist.settings.boards = boards
        self.deadline = NO_DEADLINE
        self.counter.watch.go_on = before
        self.counter.watch.context = &self.deadline
        self.counter.watch.most_bytes = <size_t> 1 << 32

    cdef int make_room(self, int32_t rows, int32_t cols) except -1:
        cdef size_t cells = <size_t> rows * cols
        self.probability.resize(cells)
        self.error.resize(cells)
        self.mark.resize(cells)
        self.board.resize(cells)
        return 0

    def choose(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, double seconds=1e9,
               size_t most_bytes=<size_t> 1 << 32):
        """For a position that has no certainly safe cell: (cell, risk, score, exact), and all that were considered, each
        in the same way; None when it cannot be counted within the limit."""
        cdef Strategist.Choice choice
        cdef size_t i
        cdef bint done = False
        if symbols.shape[0] != <Py_ssize_t> rows * cols:
            raise ValueError("so many symbols are not a board of this size")
        self.make_room(rows, cols)
        self.deadline = seconds_now() + seconds
        self.counter.watch.most_bytes = most_bytes
        self.strategist.settings.thorough = True
        with nogil:
            self.counter.start(rows, cols, &symbols[0], mines, True)
            if self.counter.refresh() == COUNTED and self.count() == COUNTED:
                choice = self.guess()
                done = not self.counter.watch.stopped and choice.cell >= 0
        self.deadline = NO_DEADLINE
        if not done:
            return None
        considered = []
        for i in range(self.strategist.considered.size()):
            one = self.strategist.considered[i]
            considered.append((one.cell, one.risk, one.score, one.exact))
        return (choice.cell, choice.risk, choice.score, choice.exact), considered

    def play(self, int32_t rows, int32_t cols, const unsigned char[::1] mines, int32_t start):
        """A game on this board, from this cell: won, moves, the risk of each guess, seconds, slowest choice."""
        cdef int32_t count = 0
        cdef Py_ssize_t i
        if mines.shape[0] != <Py_ssize_t> rows * cols or not 0 <= start < rows * cols:
            raise ValueError("this is not a board of this size, or the start is outside it")
        for i in range(mines.shape[0]):
            count += mines[i]
        return self.result(self.run(rows, cols, &mines[0], count, start))

    def play_seeded(self, int32_t rows, int32_t cols, int32_t mines, int32_t start, int32_t radius,
                    uint64_t seed, uint64_t first, int64_t games):
        """Games on the boards of a seed, from ``first`` on, as `play` tells of each."""
        cdef uint64_t index
        results = []
        self.make_room(rows, cols)
        for index in range(first, first + games):
            lay_mines(self.board.data(), rows, cols, mines, start, radius, seed, index)
            results.append(self.result(self.run(rows, cols, self.board.data(), mines, start)))
            PyErr_CheckSignals()
        return results

    cdef object result(self, Game game):
        if game.failed:
            raise CannotCount("a position of the game could not be counted")
        return game.won, game.moves, tuple(self.risks), game.seconds, game.slowest

    cdef int count(self) except -1 nogil:
        return self.counter.odds(self.probability.data(), self.error.data(), self.mark.data(), ANY_WORK)

    cdef Strategist.Choice guess(self) except * nogil:
        cdef Strategist.Choice choice
        cdef size_t i, best = self.mark.size()
        if self.lookahead:
            return self.strategist.choose(self.counter, self.probability.data(), self.mark.data())
        for i in range(self.mark.size()):
            if self.mark[i] != OPEN and (best == self.mark.size() or self.probability[i] < self.probability[best] - 1e-9):
                best = i
        self.strategist.considered.clear()
        choice.cell = <int32_t> best
        choice.risk = self.probability[best]
        choice.score = 1 - choice.risk
        choice.exact = False
        return choice

    cdef Game run(self, int32_t rows, int32_t cols, const unsigned char* mines, int32_t count, int32_t start) except *:
        cdef Field field = Field(rows, cols)
        cdef Game game = Game(False, False, 0, 0, 0)
        self.make_room(rows, cols)
        field.lay_down(mines)
        field.make_room()
        with nogil:
            self.go(field, rows * cols - count, count, start, &game)
        return game

    cdef int go(self, Field field, int32_t safe, int32_t mines, int32_t start, Game* game) except -1 nogil:
        cdef size_t head = 0, i
        cdef int32_t at
        cdef double began = seconds_now(), before
        cdef Strategist.Choice choice
        cdef vector[unsigned char] blank
        self.risks.clear()
        if safe == 0:  # there is nothing to open
            game.won = True
            return 0
        self.strategist.settings.thorough = False
        blank.assign(self.mark.size(), 72)  # H
        self.counter.start(field.rows, field.cols, blank.data(), mines, True)
        self.todo.assign(1, start)
        while True:
            for i in range(self.todo.size()):
                at = field.padded(self.todo[i])
                if field.shown[at] != 72:
                    continue
                field.open_cell(at)
                game.moves += 1
                if field.hits or field.opened == safe:
                    break
            if field.hits or field.opened == safe:
                break
            while head < field.journal.size():
                at = field.journal[head] >> 2
                self.counter.see(field.plain(at), field.shown[at])
                head += 1
            before = seconds_now()
            if self.counter.refresh() != COUNTED:
                game.failed = True
                break
            self.todo.swap(self.counter.proved_safe)
            self.counter.proved_safe.clear()
            self.counter.proved_mined.clear()
            if self.todo.empty():
                if self.count() != COUNTED:
                    game.failed = True
                    break
                for i in range(self.mark.size()):
                    if self.mark[i] == SAFE:
                        self.todo.push_back(<int32_t> i)
            if self.todo.empty():
                choice = self.guess()
                self.risks.push_back(choice.risk)
                self.todo.push_back(choice.cell)
            game.slowest = max(game.slowest, seconds_now() - before)
        game.won = field.hits == 0
        game.seconds = seconds_now() - began
        return 0


cdef extern from "endgame.hpp" namespace "mineproof" nogil:
    cdef cppclass Tree_ "mineproof::WholeGame":
        Tree_(int32_t rows, int32_t cols, int32_t mines) except +
        int64_t wins(int32_t cell, cbool opening, int64_t nodes, int64_t& boards) except +


cdef class Tree:
    """Perfect play from the first click on."""

    cdef Tree_* tree
    cdef int64_t nodes

    def __cinit__(self, int32_t rows, int32_t cols, int32_t mines, int64_t nodes):
        self.tree = new Tree_(rows, cols, mines)
        self.nodes = nodes

    def __dealloc__(self):
        del self.tree

    def start(self, int32_t cell, bint opening):
        """Boards that are won from this first cell, which is not a mine (or an opening), and how many there are; None
        when the budget of nodes was used up."""
        cdef int64_t boards = 0, wins
        with nogil:
            wins = self.tree.wins(cell, opening, self.nodes, boards)
        return None if wins < 0 else (wins, boards)
