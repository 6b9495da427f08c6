"""Many games of one level side by side, for learners: one call opens a cell in each.

It is `Field` without notes, chords and undo, and draws its boards itself. What a cell shows is a number: -1 while it is
closed, else 0 to 8. The arrays have no border; each cell has a list of its neighbours instead, so that what is shown can be
copied as it is. A step keeps the GIL, so that it is whole to other threads.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset
from libcpp.vector cimport vector

from mineproof._native.mining cimport lay_mines
from mineproof._native.numbers cimport are_mines, is_board
from mineproof._native.opened cimport ListedBoard

cdef enum:
    CLOSED = -1
    MINE = 9     # in the truth
    ANYWHERE = -1  # the radius of a first click that may be a mine
    DRAWN = 64   # seeds of a game that are asked for at once


cdef class Batch:
    """``games`` games. ``radius`` is what the first click keeps free of mines: -1 for nothing, 0 for its cell, 1 for its
    neighbours too. ``most_steps`` ends a game, 0 for never. ``draw(game)`` gives the next 64 seeds of its boards."""

    cdef readonly int32_t games, rows, cols, mines
    cdef int32_t cells, radius
    cdef bint flood
    cdef int64_t most_steps
    cdef object draw
    cdef vector[int8_t] shown          # games × cells
    cdef vector[int8_t] truth          # games × cells, where the mines are laid
    cdef vector[int32_t] near          # cells × 9: how many neighbours, and which
    cdef vector[int32_t] queue         # of the flood fill
    cdef vector[unsigned char] board   # that is being laid
    cdef vector[unsigned char] laid, over
    cdef vector[int32_t] left          # safe cells that are closed, of each game
    cdef vector[int64_t] steps
    cdef vector[uint64_t] drawn        # seeds: games × DRAWN
    cdef vector[int32_t] used          # how many of them, of each game
    cdef vector[uint64_t] seed, index  # of the board of each game

    def __cinit__(self, int32_t games, int32_t rows, int32_t cols, int32_t mines, int32_t radius, bint flood,
                  int64_t most_steps, draw):
        if not is_board(rows, cols) or not 1 <= games <= (1 << 20) or <int64_t> games * rows * cols > <int64_t> 1 << 32:
            raise ValueError("there is no batch of this size")
        if not ANYWHERE <= radius <= 1 or most_steps < 0:
            raise ValueError("there is no such rule")
        if not 0 <= mines < rows * cols or mines > rows * cols - min(rows, 2 * radius + 1) * min(cols, 2 * radius + 1):
            raise ValueError("so many mines do not fit")
        self.games, self.rows, self.cols, self.mines = games, rows, cols, mines
        self.radius, self.flood, self.most_steps, self.draw = radius, flood, most_steps, draw
        self.cells = rows * cols
        self.shown.assign(<size_t> games * self.cells, CLOSED)
        self.truth.resize(<size_t> games * self.cells)
        self.queue.resize(self.cells)
        self.board.resize(self.cells)
        self.laid.assign(games, 0)
        self.over.assign(games, 1)  # nothing can be opened before `start`
        self.left.assign(games, 0)
        self.steps.assign(games, 0)
        self.drawn.resize(<size_t> games * DRAWN)
        self.used.assign(games, DRAWN)
        self.seed.assign(games, 0)
        self.index.assign(games, 0)
        self.find_neighbours()

    cdef int find_neighbours(self) except -1:
        cdef int32_t r, c, row, col, cell = 0
        cdef int32_t* near
        self.near.assign(<size_t> self.cells * 9, 0)
        for r in range(self.rows):
            for c in range(self.cols):
                near = &self.near[<size_t> cell * 9]
                for row in range(max(0, r - 1), min(self.rows, r + 2)):
                    for col in range(max(0, c - 1), min(self.cols, c + 2)):
                        if row != r or col != c:
                            near[0] += 1
                            near[near[0]] = row * self.cols + col
                cell += 1
        return 0

    cdef int check(self, int32_t game) except -1:
        if not 0 <= game < self.games:
            raise ValueError(f"there is no game {game}")
        return 0

    # -- starting ----------------------------------------------------------------------------------------------------

    def forget_seeds(self, int32_t game):
        """Ask for new seeds at the next start."""
        self.check(game)
        self.used[game] = DRAWN

    def start(self, int32_t game):
        """A new game on the next board."""
        self.check(game)
        self.begin(game)

    def start_with(self, int32_t game, uint64_t seed, uint64_t index):
        """A new game on board number ``index`` of this seed."""
        self.check(game)
        self.seed[game], self.index[game] = seed, index
        self.clear(game)

    def start_on(self, int32_t game, const unsigned char[::1] mines):
        """A new game on this board, whatever is opened first: one byte per cell, 1 for a mine."""
        cdef int32_t cell, count = 0
        self.check(game)
        if mines.shape[0] != self.cells or not are_mines(&mines[0], mines.shape[0]):
            raise ValueError("a board has a byte for each cell, 1 for a mine")
        for cell in range(self.cells):
            count += mines[cell]
        if count != self.mines:
            raise ValueError(f"these games have {self.mines} mines")
        self.clear(game)
        self.put(game, &mines[0])

    cdef int begin(self, int32_t game) except -1:
        cdef const uint64_t[::1] new
        if self.used[game] == DRAWN:
            new = self.draw(game)
            if new.shape[0] != DRAWN:
                raise ValueError(f"{DRAWN} seeds are drawn at once")
            memcpy(&self.drawn[<size_t> game * DRAWN], &new[0], DRAWN * sizeof(uint64_t))
            self.used[game] = 0
        self.seed[game], self.index[game] = self.drawn[<size_t> game * DRAWN + self.used[game]], 0
        self.used[game] += 1
        self.clear(game)
        return 0

    cdef void clear(self, int32_t game) noexcept:
        memset(&self.shown[<size_t> game * self.cells], CLOSED, self.cells)
        self.laid[game] = self.over[game] = 0
        self.left[game] = self.cells - self.mines
        self.steps[game] = 0

    cdef void lay(self, int32_t game, int32_t start) noexcept:
        lay_mines(self.board.data(), self.rows, self.cols, self.mines, ANYWHERE if self.radius == ANYWHERE else start,
                  self.radius, self.seed[game], self.index[game])
        self.put(game, self.board.data())

    cdef void put(self, int32_t game, const unsigned char* mines) noexcept:
        """Every mine counts itself to its neighbours. They are listed first, without a branch that no processor could
        foresee."""
        cdef int8_t* truth = &self.truth[<size_t> game * self.cells]
        cdef int32_t* listed = self.queue.data()
        cdef const int32_t* near
        cdef int32_t cell, i, k, count = 0
        memset(truth, 0, self.cells)
        for cell in range(self.cells):
            listed[count] = cell
            count += mines[cell]
        for i in range(count):
            near = &self.near[<size_t> listed[i] * 9]
            for k in range(1, near[0] + 1):
                truth[near[k]] += 1
        for i in range(count):
            truth[listed[i]] = MINE
        self.laid[game] = 1

    # -- playing -----------------------------------------------------------------------------------------------------

    def step(self, const int64_t[::1] actions, double[::1] rewards, unsigned char[::1] terminated,
             unsigned char[::1] truncated):
        """Open a cell in each game; a game that is over starts again instead. Fills in what came of it."""
        cdef int32_t game
        if not actions.shape[0] == rewards.shape[0] == terminated.shape[0] == truncated.shape[0] == self.games:
            raise ValueError(f"there are {self.games} games")
        for game in range(self.games):
            if not 0 <= actions[game] < self.cells:
                raise ValueError(f"game {game} has no cell {actions[game]}")
        for game in range(self.games):
            rewards[game] = 0
            terminated[game] = truncated[game] = False
            if self.over[game]:
                self.begin(game)
                continue
            rewards[game] = self.open(game, <int32_t> actions[game])
            self.steps[game] += 1
            terminated[game] = rewards[game] != 0
            truncated[game] = self.steps[game] == self.most_steps
            self.over[game] = terminated[game] or truncated[game]

    cdef int open(self, int32_t game, int32_t cell) noexcept:
        """1 when the game is won by it, -1 when it is lost, else 0."""
        cdef ListedBoard board
        board.shown = &self.shown[<size_t> game * self.cells]
        if board.shown[cell] != CLOSED:
            return 0
        if not self.laid[game]:
            self.lay(game, cell)
        board.truth = &self.truth[<size_t> game * self.cells]
        if board.truth[cell] == MINE:
            return -1
        board.near, board.queue = self.near.data(), self.queue.data()
        self.left[game] -= board.open(cell, self.flood)
        return self.left[game] == 0

    # -- looking -----------------------------------------------------------------------------------------------------

    def look(self, int8_t[:, :, ::1] shown):
        """Copy what every cell shows: games × rows × cols."""
        if shown.shape[0] != self.games or shown.shape[1] != self.rows or shown.shape[2] != self.cols:
            raise ValueError("there is a number for each cell of each game")
        memcpy(&shown[0, 0, 0], self.shown.data(), self.shown.size())

    def fixed(self, int32_t game):
        """Whether the mines are laid: then the first click does not move them."""
        self.check(game)
        return bool(self.laid[game])
