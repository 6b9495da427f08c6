"""Guesses of one player, and what they are worth if another plays on: see ``trials.hpp``."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.counting cimport NativeCounter
from mineproof._native.mining cimport TRIALS, Stream, lay_mines, zone_size
from mineproof._native.numbers cimport NUMBER_OF_MINE, number_cells
from mineproof._native.patience cimport Patience
from mineproof._native.playing cimport Decider, Player, Strategist
from mineproof._native.symbols cimport EIGHT, HIT, SHOWN_MINE, ZERO, check_symbols


cdef extern from "trials.hpp" namespace "mineproof" nogil:
    cdef cppclass Drawer:
        NativeCounter counter
    cdef cppclass Rollouts:
        Drawer drawer, again
    cdef cppclass Fork:
        double weight, log_solutions
        int32_t opened
        Strategist.Choice judge, walker
        vector[unsigned char] symbols
        vector[Strategist.Choice] considered
    cdef cppclass Walk:
        cbool failed
        double chance
        vector[Fork] forks
    cdef cppclass Trials:
        Trials(Decider& judge, Decider& walker) except +
        Rollouts& rollouts()
        Walk walk(int32_t rows, int32_t cols, vector[unsigned char] truth, int32_t mines, int32_t start,
                  Stream& stream) except +
        cbool weigh(int32_t rows, int32_t cols, vector[unsigned char] shown, int32_t mines, const vector[int32_t]& chosen,
                    size_t boards, uint64_t seed, uint64_t index, vector[double]& worth) except +


cdef tuple told(const Strategist.Choice& choice):
    return choice.cell, choice.risk, choice.score, <int> choice.why


cdef class Pair:
    """A judge and a walker, which must be at rest while this works. One call at a time."""

    cdef Player judge, walker
    cdef Trials* trials
    cdef Patience patience

    def __cinit__(self, Player judge not None, Player walker not None):
        if judge is walker:
            raise ValueError("a player is not its own judge")
        self.judge, self.walker = judge, walker
        self.trials = new Trials(judge.mind[0], walker.mind[0])
        self.patience = Patience()
        self.patience.hook(&self.trials.rollouts().drawer.counter.watch)
        self.patience.hook(&self.trials.rollouts().again.counter.watch)

    def __dealloc__(self):
        del self.trials

    cdef int check(self, int32_t rows, int32_t cols, Py_ssize_t cells, int32_t mines, limit) except -1:
        cdef size_t most_bytes = limit.memory
        for player in (self.judge, self.walker):
            (<Player> player).check(rows, cols, cells, mines)
            (<Player> player).mind.counter.watch.most_bytes = most_bytes
            (<Player> player).mind.strategist.settings.thorough = False
        return 0

    def walk(self, int32_t rows, int32_t cols, int32_t mines, int32_t start, int32_t radius, uint64_t seed,
             uint64_t index, limit):
        """A game of the walker on a board of a seed: its chance, and for each guess (weight, logarithm of the number of
        consistent boards, open cells, symbols, the judge's choice, the walker's choice, what the judge considered), where a
        choice is (cell, risk, score, why). None when a position could not be counted within the limit."""
        cdef Stream stream = Stream(seed, index, TRIALS)
        cdef Walk walk
        cdef Fork fork
        cdef size_t i
        cdef vector[unsigned char] board, truth
        self.check(rows, cols, <Py_ssize_t> rows * cols, mines, limit)
        if not 0 <= start < rows * cols or not -1 <= radius <= 1:
            raise ValueError("the start is outside this board")
        if mines > rows * cols - zone_size(rows, cols, start, radius):
            raise ValueError("that many mines leave no room for the first click")
        board.resize(<size_t> rows * cols)
        lay_mines(board.data(), rows, cols, mines, start, radius, seed, index)
        if board[start]:
            return 0.0, []  # the first click, under the rule that it may be a mine
        number_cells(board.data(), rows, cols, truth)
        for i in range(truth.size()):
            truth[i] = HIT if truth[i] == NUMBER_OF_MINE else 0 if truth[i] > NUMBER_OF_MINE else ZERO + truth[i]
        self.enter(limit.start())
        try:
            with nogil:
                walk = self.trials.walk(rows, cols, truth, mines, start, stream)
        finally:
            self.leave()
        if walk.failed:
            return None
        return walk.chance, [
            (fork.weight, fork.log_solutions, fork.opened,
             PyBytes_FromStringAndSize(<const char*> fork.symbols.data(), fork.symbols.size()),
             told(fork.judge), told(fork.walker), [told(one) for one in fork.considered])
            for fork in walk.forks
        ]

    def weigh(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, cells, size_t boards,
              uint64_t seed, uint64_t index, limit):
        """The chance to win after opening each of these unknown cells if the judge plays on, by so many boards, which
        depend on the seed and the index alone. None when a position could not be counted within the limit."""
        cdef vector[int32_t] chosen
        cdef vector[unsigned char] shown
        cdef vector[double] worth
        cdef int32_t cell
        cdef cbool done
        self.check(rows, cols, symbols.shape[0], mines, limit)
        check_symbols(symbols)
        if boards < 1:
            raise ValueError("at least one board is needed")
        for cell in cells:
            if not 0 <= cell < rows * cols or symbols[cell] <= EIGHT or symbols[cell] == SHOWN_MINE:
                raise ValueError("this cell is not unknown")
            chosen.push_back(cell)
        shown.assign(&symbols[0], &symbols[0] + symbols.shape[0])
        self.enter(limit.start())
        try:
            with nogil:
                done = self.trials.weigh(rows, cols, shown, mines, chosen, boards, seed, index, worth)
        finally:
            self.leave()
        return list(worth) if done else None

    cdef int enter(self, clock) except -1:
        self.patience.enter(clock)
        try:
            self.judge.patience.enter(clock)
            try:
                self.walker.patience.enter(clock)
            except BaseException:
                self.judge.patience.leave()
                raise
        except BaseException:
            self.patience.leave()
            raise
        return 0

    cdef int leave(self) except -1:
        try:
            self.walker.patience.leave()
        finally:
            try:
                self.judge.patience.leave()
            finally:
                self.patience.leave()
        return 0
