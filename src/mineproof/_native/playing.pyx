"""Whole games without Python: `Player` makes the choices of the agents ``best`` and ``lowest-risk``, and plays boards with
them."""

from functools import partial
from math import comb

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport INFINITY, log
from libc.stdint cimport UINT64_MAX, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.counting cimport SAFE, UNSURE, Outcome
from mineproof._native.mining cimport PLAYOUTS, Stream, lay_mines, zone_size
from mineproof._native.numbers cimport is_board
from mineproof._native.opened cimport find_truth
from mineproof._native.clock cimport NativeClock, NativeLimit, room_in, seconds_now
from mineproof._native.playing cimport CERTAIN_MOVE, FAILED_MOVE, Cautious, Decider, Deep, MoveKind, PlayedGame, Rollouts, Strategist
from mineproof._native.symbols cimport EIGHT, HIDDEN, SHOWN_MINE, check_symbols


cdef int64_t LEAST_GAMES = 8  # that are played out, however much work they are


cdef class Player:
    """Chooses, and plays. One call at a time. ``boards`` and ``nodes`` limit exact endgames; other options switch parts of
    the rule off (see ``strategy.hpp``), or play guesses out (see ``deep.hpp``): ``playouts`` games each, once at most this
    share of the cells is ``closed``, and at most 10 to the power of ``solutions`` boards are consistent."""

    def __cinit__(self, bint lookahead=True, nodes=None, boards=None, *, bint dead=True, bint living=True,
                  bint tossups=True, bint dominance=True, bint isolated=True, size_t playouts=0,
                  double closed=1, double solutions=INFINITY):
        cdef Deep* deep
        self.again = partial(Player, lookahead, nodes, boards, dead=dead, living=living, tossups=tossups,
                             dominance=dominance, isolated=isolated, playouts=playouts, closed=closed,
                             solutions=solutions)
        if lookahead:
            deep = new Deep()
            deep.boards = playouts
            deep.most_closed = closed
            deep.most_log_solutions = solutions * log(10)
            self.mind = deep
        else:
            self.mind = new Cautious()
        cdef Strategist* strategist = &self.mind.strategist
        strategist.settings.dead = dead
        strategist.settings.living = living
        strategist.settings.dominance = dominance
        strategist.settings.isolated = isolated
        if not tossups:
            strategist.settings.tossups = 0
        if nodes is not None:
            strategist.settings.nodes = nodes
        if boards is not None:
            strategist.settings.boards = boards
        self.clock = NativeClock()
        self.rollouts = new Rollouts(self.mind[0])
        self.limits[:] = [
            &self.mind.counter.limit, &self.rollouts.drawer.counter.limit, &self.rollouts.again.counter.limit
        ]
        for limit in self.limits:
            self.clock.hook(limit)

    def __dealloc__(self):
        del self.rollouts
        del self.mind

    def __reduce__(self):
        """A copy has the same options, and nothing else: a player remembers nothing."""
        return self.again, ()

    cdef int check(self, int32_t rows, int32_t cols, Py_ssize_t cells, int32_t mines) except -1:
        if self.clock.busy:
            raise RuntimeError("this player is at work: it cannot be used again before it is done")
        if not is_board(rows, cols) or cells != <Py_ssize_t> rows * cols:
            raise ValueError("there is no board of this size")
        if not 0 <= mines <= cells:
            raise ValueError("a board of this size cannot have that many mines")
        return 0

    def choose(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines,
               double[:, ::1] probability, clock):
        """The outcome of counting a position, and if that is COUNTED a mark for each cell; then, if no cell is certainly
        safe and some cell is unsure, the choice as (cell, risk, score, why), and all that were considered, each in the
        same way. Fills in the odds."""
        cdef Strategist.Choice choice
        cdef Outcome outcome
        cdef size_t i
        cdef size_t most_bytes
        self.check(rows, cols, symbols.shape[0], mines)
        most_bytes = room_in(clock.limit, <size_t> rows * cols)
        if probability.shape[0] != rows or probability.shape[1] != cols:
            raise ValueError("there must be one number for each cell")
        check_symbols(symbols)
        choice.cell = -1
        self.clock.enter(clock)
        try:
            self.mind.counter.limit.most_bytes = most_bytes
            self.mind.strategist.settings.thorough = True
            with nogil:
                self.mind.start(rows, cols, &symbols[0], mines)
                outcome = self.mind.counter.refresh()
                if outcome == Outcome.COUNTED:
                    outcome = self.mind.count()
                if outcome == Outcome.COUNTED and self.must_guess():
                    choice = self.mind.guess()
                    if self.mind.counter.limit.stopped and choice.cell < 0:
                        outcome = Outcome.STOPPED
        finally:
            self.clock.leave()
        if outcome != Outcome.COUNTED:
            return <int> outcome, b"", None, []
        memcpy(&probability[0, 0], self.mind.probability.data(), self.mind.probability.size() * sizeof(double))
        marks = PyBytes_FromStringAndSize(<const char*> self.mind.mark.data(), self.mind.mark.size())
        if choice.cell < 0:
            return <int> outcome, marks, None, []
        considered = []
        for i in range(self.mind.strategist.considered.size()):
            one = self.mind.strategist.considered[i]
            considered.append((one.cell, one.risk, one.score, <int> one.why))
        return <int> outcome, marks, (choice.cell, choice.risk, choice.score, <int> choice.why), considered

    def joint(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, mined, safe, clock):
        """The share of all boards on which these unknown cells are mines, and those are safe; None when the position could
        not be counted."""
        cdef vector[int32_t] ones, others
        if not self.counted(rows, cols, symbols, mines, clock):
            return None
        if len({*mined, *safe}) < len(mined) + len(safe):
            raise ValueError("a cell is named twice")
        for cells, is_mined in ((mined, True), (safe, False)):
            for cell in cells:
                if not 0 <= cell < rows * cols or self.mind.mark[<int32_t> cell] != UNSURE:
                    raise ValueError("this cell is not unknown")
                if is_mined:
                    ones.push_back(self.mind.counter.board().padded(cell))
                else:
                    others.push_back(self.mind.counter.board().padded(cell))
        return self.mind.strategist.look_from(self.mind.counter.counted(), self.mind.odds.log_solutions(),
                                              self.mind.counter.limit).joint(ones, others)

    cdef cbool counted(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, clock) except *:
        """Whether a position could be counted."""
        cdef cbool done
        cdef size_t most_bytes
        self.check(rows, cols, symbols.shape[0], mines)
        most_bytes = room_in(clock.limit, <size_t> rows * cols)
        check_symbols(symbols)
        self.clock.enter(clock)
        try:
            self.mind.counter.limit.most_bytes = most_bytes
            with nogil:
                self.mind.start(rows, cols, &symbols[0], mines)
                done = self.mind.counter.refresh() == Outcome.COUNTED and self.mind.count() == Outcome.COUNTED
        finally:
            self.clock.leave()
        return done

    cdef cbool must_guess(self) noexcept nogil:
        """Whether no cell is certainly safe, and some cell is unsure."""
        cdef size_t i
        cdef cbool unsure = False
        for i in range(self.mind.mark.size()):
            if self.mind.mark[i] == SAFE:
                return False
            unsure = unsure or self.mind.mark[i] == UNSURE
        return unsure

    def play(self, int32_t rows, int32_t cols, const unsigned char[::1] mines, int32_t start, limit):
        """A game on this board, from this cell: won, moves, the risk of each guess, seconds, slowest choice. The limit is
        for each choice; None when a position could not be counted within it."""
        cdef int32_t count = 0
        cdef Py_ssize_t i
        for i in range(mines.shape[0]):
            if mines[i] > 1:
                raise ValueError("a board must have one byte for each cell, 1 for a mine")
            count += mines[i]
        self.check(rows, cols, mines.shape[0], count)
        if not 0 <= start < rows * cols:
            raise ValueError("the start is outside this board")
        return self.run(rows, cols, &mines[0], count, start, limit)

    def play_seeded(self, int32_t rows, int32_t cols, int32_t mines, int32_t start, int32_t radius,
                    uint64_t seed, uint64_t first, int64_t games, limit):
        """Games on the boards of a seed, from ``first`` on, as `play` tells of each."""
        cdef uint64_t index
        cdef vector[unsigned char] board
        self.check(rows, cols, <Py_ssize_t> rows * cols, mines)
        if not 0 <= start < rows * cols or not -1 <= radius <= 1:
            raise ValueError("the start is outside this board")
        if mines > rows * cols - zone_size(rows, cols, start, radius):
            raise ValueError("that many mines leave no room for the first click")
        if games < 0 or first > <uint64_t> -1 - <uint64_t> games:
            raise ValueError("there are not that many boards")
        results = []
        board.resize(<size_t> rows * cols)
        for index in range(first, first + games):
            lay_mines(board.data(), rows, cols, mines, start, radius, seed, index)
            results.append(self.run(rows, cols, board.data(), mines, start, limit))
        return results

    def play_out(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, uint64_t seed,
                 int64_t games, double work, clock, first=(), int64_t begin=0):
        """The rest of a game from a position, again and again, each time on a consistent board: how likely it is
        won (see ``rollouts.hpp``). Each number is a fair estimate. Fewer when time runs out, or when this much work is done,
        in units of about a nanosecond; None when a position could not be counted.

        With ``first`` these cells are opened first, and are safe: the risk of that is not counted. Game number n, from
        ``begin`` on, has the same board for every ``first`` that is safe on it, so that two of them can be compared."""
        cdef int64_t i
        cdef Stream stream
        cdef size_t most_bytes
        cdef vector[int32_t] opened
        cdef int32_t cell
        cdef cbool done
        self.check(rows, cols, symbols.shape[0], mines)
        most_bytes = room_in(clock.limit, 3 * <size_t> rows * cols) // 3  # of three counters
        check_symbols(symbols)
        for cell in first:
            if not 0 <= cell < rows * cols:
                raise ValueError("a cell that is opened first is outside this board")
            if symbols[cell] <= EIGHT or symbols[cell] == SHOWN_MINE:
                raise ValueError("a cell that is opened first is open already")
            opened.push_back(cell)
        if begin < 0:
            raise ValueError("games are numbered from 0 on")
        chances = []
        self.clock.enter(clock)
        try:
            for i in range(3):
                self.limits[i].most_bytes, self.limits[i].done = most_bytes, 0
            self.mind.strategist.settings.thorough = False
            with nogil:
                done = self.rollouts.start(rows, cols, &symbols[0], mines)
            for i in range(begin, begin + games):
                if i - begin >= LEAST_GAMES and self.work > work:
                    break
                stream = Stream(seed, i, PLAYOUTS)
                with nogil:
                    done = done and self.clock.go_on() and self.rollouts.play_alone(opened, stream)
                if not done:
                    return chances if self.stopped() else None
                chances.append(self.rollouts.value[0])
        finally:
            self.clock.leave()
        return chances

    @property
    def work(self):
        """Done by the last `play_out`, in units of about a nanosecond."""
        return <double> self.limits[0].done + self.limits[1].done + self.limits[2].done

    cdef cbool stopped(self) except *:
        """Whether it was for want of time, or memory, that `play_out` did not come to an end."""
        return (self.limits[0].stopped or self.limits[1].stopped or self.limits[2].stopped
                or not self.clock.go_on())

    def chance(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, clock):
        """Of all boards consistent with a position, those that perfect play wins, and how many there are; None when that is
        too much to search."""
        cdef uint32_t won = 0, boards = 0
        cdef cbool found = False
        cdef size_t most_bytes
        self.check(rows, cols, symbols.shape[0], mines)
        most_bytes = room_in(clock.limit, <size_t> rows * cols)
        check_symbols(symbols)
        self.clock.enter(clock)
        try:
            self.mind.counter.limit.most_bytes = most_bytes
            with nogil:
                self.mind.start(rows, cols, &symbols[0], mines)
                if self.mind.counter.refresh() == Outcome.COUNTED and self.mind.count() == Outcome.COUNTED:
                    found = self.mind.strategist.wins(self.mind.counter.counted(), self.mind.odds.log_solutions(),
                                                      self.mind.counter.limit, won, boards)
        finally:
            self.clock.leave()
        return (won, boards) if found else None

    cdef object run(self, int32_t rows, int32_t cols, const unsigned char* mines, int32_t count, int32_t start, limit):
        cdef PlayedGame game = PlayedGame(False, False, 0, 0, 0)
        cdef size_t most_bytes = room_in(limit, <size_t> rows * cols)
        self.clock.enter(limit.start())
        try:
            self.mind.counter.limit.most_bytes = most_bytes
            with nogil:
                self.board.start(rows, cols)
                find_truth(mines, rows, cols, self.truth)
                self.blank.assign(<size_t> rows * cols, HIDDEN)
                self.mind.start(rows, cols, self.blank.data(), count)
                self.go(start, rows * cols - count, &game)
        finally:
            self.clock.leave()
        if game.failed:
            return None
        return game.won, game.moves, tuple(self.risks), game.seconds, game.slowest

    cdef int go(self, int32_t start, int32_t safe, PlayedGame* game) except -1 nogil:
        """Open a cell, and continue playing until the end. The clock is for each choice."""
        cdef size_t i
        cdef int32_t at
        cdef double began = seconds_now(), before
        cdef MoveKind kind
        self.risks.clear()
        self.todo.assign(1, start)
        self.mind.strategist.settings.thorough = False
        while self.board.opened < safe and not self.board.hits:
            self.journal.clear()
            for i in range(self.todo.size()):
                at = self.board.padded(self.todo[i])
                if not self.board.can_open(at):
                    continue
                self.board.open(at, self.truth.data(), self.journal, True)
                game.moves += 1
                if self.board.hits or self.board.opened == safe:
                    break
            if self.board.hits or self.board.opened == safe:
                break
            for i in range(self.journal.size()):
                at = self.journal[i].at()
                self.mind.counter.see(self.board.plain(at), self.board.shown[at])
            before = seconds_now()
            self.clock.again()
            kind = self.mind.decide()
            game.failed = kind == FAILED_MOVE
            if game.failed:
                return 0
            self.todo = self.mind.todo
            if kind != CERTAIN_MOVE:
                self.risks.push_back(self.mind.choice.risk)
            game.slowest = max(game.slowest, seconds_now() - before)
        game.won = self.board.hits == 0
        game.seconds = seconds_now() - began
        return 0


cdef extern from "endgame.hpp" namespace "mineproof" nogil:
    cdef cppclass WholeGame:
        WholeGame(int32_t rows, int32_t cols, int32_t mines, uint64_t hashed) except +
        int64_t wins(int32_t cell, cbool opening, int64_t nodes, NativeLimit& limit, int64_t& boards) except +


cdef int64_t MOST_BOARDS = 1 << 20  # that are laid at all


cdef class Tree:
    """Perfect play from the first click on. The boards must be few: there is one for each way to lay the mines.
    ``hashed`` masks the hashes that find states, for tests: the results do not depend on it."""

    cdef WholeGame* tree
    cdef NativeClock clock
    cdef NativeLimit limit
    cdef int64_t nodes
    cdef int32_t cells

    def __cinit__(self, int32_t rows, int32_t cols, int32_t mines, int64_t nodes, uint64_t hashed=UINT64_MAX):
        if not is_board(rows, cols) or rows * cols > 256 or not 0 <= mines <= rows * cols:
            raise ValueError("this is not a board, or it has more than 256 cells")
        if comb(rows * cols, mines) > MOST_BOARDS:
            raise ValueError("there are too many boards of this size")
        self.tree = new WholeGame(rows, cols, mines, hashed)
        self.nodes = nodes
        self.cells = rows * cols
        self.clock = NativeClock()
        self.clock.hook(&self.limit)

    def __dealloc__(self):
        del self.tree

    def start(self, int32_t cell, bint opening, clock):
        """Boards that are won from this first cell, which is not a mine (or an opening), and how many there are; None
        when the budget of nodes or the time was used up."""
        cdef int64_t boards = 0, wins
        cdef size_t most_bytes = clock.limit.memory
        if not 0 <= cell < self.cells:
            raise ValueError("the cell is outside this board")
        self.clock.enter(clock)
        try:
            self.limit.stopped = False
            self.limit.most_bytes = most_bytes
            with nogil:
                wins = self.tree.wins(cell, opening, self.nodes, self.limit, boards)
        finally:
            self.clock.leave()
        return None if wins < 0 else (wins, boards)
