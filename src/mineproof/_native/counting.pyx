"""Counting for Python: `Counter` counts a position and follows it, `Sampler` draws solutions of what cannot be counted.

Whatever Python can call checks what it is given; compiled code behind it trusts its input. One call at a time: an object
that is at work refuses a second one.
"""

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.mining cimport SAMPLES, WINDOWS, Stream
from mineproof._native.numbers cimport is_board
from mineproof._native.clock cimport NativeClock, NativeLimit, room_in
from mineproof._native.symbols cimport check_symbols

COUNTED, INCONSISTENT, HARD, STOPPED = <int> Outcome.COUNTED, <int> Outcome.INCONSISTENT, <int> Outcome.HARD, <int> Outcome.STOPPED
MARK_OPEN, MARK_UNSURE, MARK_SAFE, MARK_MINED = OPEN, UNSURE, SAFE, MINED  # what is known about a cell

cdef double COST_A_SECOND = 2e8  # ten times what a good machine does: expected costs are rough

cdef enum:  # what was done with the position
    NOTHING, STARTED, WAS_COUNTED, WAS_JOINED


cdef class Counter:
    """Counts a position, and follows it as it changes."""

    cdef NativeCounter counter
    cdef Odds joined
    cdef NativeClock clock
    cdef int32_t rows, cols
    cdef int stage

    def __cinit__(self):
        self.clock = NativeClock()
        self.clock.hook(&self.counter.limit)

    cdef int need(self, int stage) except -1:
        if self.clock.busy:
            raise RuntimeError("this counter is at work: it cannot be used again before it is done")
        if self.stage < stage:
            raise RuntimeError("called out of order: start comes first, then count, then odds")
        return 0

    def start(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, bint follow=False):
        """Read a position; with ``follow``, so that odds can be queried repeatedly as it changes."""
        self.need(NOTHING)
        if not is_board(rows, cols) or mines < 0 or symbols.shape[0] != <Py_ssize_t> rows * cols:
            raise ValueError("there is no board of this size")
        check_symbols(symbols)
        self.clock.enter(None)
        try:
            self.stage = NOTHING
            self.rows, self.cols = rows, cols
            with nogil:
                self.counter.start(rows, cols, &symbols[0], mines, follow)
            self.stage = STARTED
        finally:
            self.clock.leave()

    def see(self, cells, const unsigned char[::1] symbols, unsigned char[::1] board=None):
        """These cells show these symbols now. With ``board``, which has all cells, write them there too: other threads see
        none or all of them."""
        cdef vector[int32_t] indices = cells
        cdef size_t i
        self.need(STARTED)
        if indices.size() != <size_t> symbols.shape[0]:
            raise ValueError("there must be one symbol for each cell")
        if board is not None and board.shape[0] != <Py_ssize_t> self.rows * self.cols:
            raise ValueError("there is no board of this size")
        check_symbols(symbols)
        self.check_cells(indices)
        self.stage = NOTHING  # what fails half-way must be started again
        for i in range(indices.size()):
            self.counter.see(indices[i], symbols[i])
            if board is not None:
                board[indices[i]] = symbols[i]
        self.stage = STARTED

    def know(self, safe, mined):
        """These cells are proved, by whatever means."""
        cdef vector[int32_t] safe_cells = safe, mined_cells = mined
        cdef size_t i
        self.need(STARTED)
        self.check_cells(safe_cells)
        self.check_cells(mined_cells)
        self.stage = NOTHING
        for i in range(safe_cells.size()):
            self.counter.know(safe_cells[i], False)
        for i in range(mined_cells.size()):
            self.counter.know(mined_cells[i], True)
        self.stage = STARTED

    cdef int check_shape(self, double[:, ::1] numbers) except -1:
        if numbers.shape[0] != self.rows or numbers.shape[1] != self.cols:
            raise ValueError("there must be one number for each cell")
        return 0

    cdef int check_cells(self, const vector[int32_t]& cells) except -1:
        cdef size_t i
        for i in range(cells.size()):
            if not 0 <= cells[i] < self.rows * self.cols:
                raise ValueError(f"cell {cells[i]} is outside this board")
        return 0

    def count(self, clock):
        """Count what was touched: COUNTED, INCONSISTENT, or HARD when some components could not be counted."""
        cdef Outcome outcome
        cdef size_t most_bytes = room_in(clock.limit, <size_t> self.rows * self.cols)
        cdef double most_cost = COST_A_SECOND * <double> clock.left
        self.need(STARTED)  # only now: a clock is Python, and Python may do anything
        self.clock.enter(clock)
        try:
            self.stage = NOTHING  # what fails half-way must be started again
            self.counter.limit.most_bytes = most_bytes
            self.counter.limit.most_cost = most_cost
            with nogil:
                outcome = self.counter.refresh()
            self.stage = WAS_COUNTED if outcome == Outcome.COUNTED or outcome == Outcome.HARD else STARTED
        finally:
            self.clock.leave()
        return <int> outcome

    def odds(self, double[:, ::1] probability, double[:, ::1] error, double most_work, clock):
        """After counting: COUNTED, INCONSISTENT or STOPPED, and a mark for each cell.

        Where joining all components exactly is too much work, ``exact`` becomes False and ``error`` is filled in.
        """
        cdef bytes marks = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
        cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(marks)
        cdef Outcome outcome
        self.need(WAS_COUNTED)
        self.check_shape(probability)
        self.check_shape(error)
        self.stage = WAS_COUNTED
        self.clock.enter(clock)
        try:
            with nogil:
                outcome = self.joined.join(self.counter, most_work)
                if outcome == Outcome.COUNTED:
                    outcome = self.joined.write(self.counter.counted(), &probability[0, 0], &error[0, 0], data, self.counter.limit)
        finally:
            self.clock.leave()
        if outcome == Outcome.COUNTED:
            self.stage = WAS_JOINED
        return <int> outcome, marks

    def samples(self, int count, uint64_t seed, clock):
        """After exact odds of a position that is not followed: uniform solutions, one byte per cell, 1 for a mine; fewer
        when time runs out."""
        cdef Stream stream = Stream(seed, 0, SAMPLES)
        cdef bytes mined
        cdef unsigned char* data
        cdef const Counted* counted
        cdef size_t l
        self.need(WAS_JOINED)
        counted = &self.counter.counted()
        if not self.joined.exact():
            raise RuntimeError("an exact count must come before samples")
        for l in range(counted.size()):
            if not counted.chained(l):
                raise RuntimeError("samples are for positions that are not followed")
        found = []
        self.clock.enter(clock)
        try:
            while len(found) < count and self.clock.go_on():
                mined = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
                data = <unsigned char*> PyBytes_AS_STRING(mined)
                with nogil:
                    self.joined.sample(counted[0], stream, data)
                found.append(mined)
        finally:
            self.clock.leave()
        return found

    def views(self, int32_t cell, clock, bint living=False):
        """After exact odds: what a closed cell could show. For each number (share of all boards, whether all other closed
        cells are mines then, how many are certainly safe, safety of the safest, of the second safest, which of the safe
        ones are near clues, which cells near clues were found dead); cells that were proved before do not count. With
        ``living``, dead cells do not either, where there are others. None when time runs out."""
        cdef Foresight foresight
        cdef Foresight.View view
        cdef vector[int32_t] dead
        cdef int number
        cdef cbool can_show
        self.need(WAS_JOINED)
        if not 0 <= cell < self.rows * self.cols or not self.counter.board().closed_at(self.counter.board().padded(cell)):
            raise ValueError("this cell is open, or outside this board")
        if not self.joined.exact():
            raise RuntimeError("an exact count must come before views")
        found = {}
        if self.counter.board().surely_mined(self.counter.board().padded(cell)):
            return found
        self.clock.enter(clock)
        try:
            self.counter.limit.restart()
            foresight.living = living
            foresight.begin(self.counter.counted(), self.joined.log_solutions(), self.counter.limit)
            for number in range(9):
                with nogil:
                    can_show = foresight.look(cell, number, view)
                if self.counter.limit.stopped:
                    return None
                if can_show:
                    dead.clear()
                    foresight.list_dead(cell, dead)
                    found[number] = (view.share, view.won, view.certain, view.best, view.second,
                                     self.plain(foresight.certain), self.plain(dead))
        finally:
            self.clock.leave()
        return found

    def solution_rows(self, clock):
        """After counting: for each component the least number of mines, and how many solutions there are with that
        number, one more, and so on, as integers; None when time runs out."""
        cdef ExactCount exact
        cdef const Counted* counted
        cdef size_t l
        cdef cbool done
        self.need(WAS_COUNTED)
        counted = &self.counter.counted()
        found = []
        self.clock.enter(clock)
        try:
            for l in range(counted.size()):
                if not counted.chained(l):
                    raise RuntimeError("solutions are for positions that are not followed")
                self.counter.limit.stopped = False
                with nogil:
                    done = exact.count(counted.component(l), counted.chain(l), self.counter.limit)
                if not done:
                    return None
                data = PyBytes_FromStringAndSize(<const char*> exact.found.data(), 8 * exact.found.size())
                size = 8 * exact.words
                row = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
                found.append((counted.row(l).low, row))
        finally:
            self.clock.leave()
        return found

    def marks(self):
        """What is proved, as far as it was counted: a mark for each cell."""
        cdef bytes marks
        cdef unsigned char* data
        self.need(STARTED)
        marks = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> self.rows * self.cols)
        data = <unsigned char*> PyBytes_AS_STRING(marks)
        memset(data, OPEN, <size_t> self.rows * self.cols)
        self.counter.write_proved(data)
        return marks

    def take_proved(self):
        """Safe cells and mines proved since the last call."""
        self.need(STARTED)
        safe, mined = list(self.counter.proved_safe), list(self.counter.proved_mined)
        self.counter.proved_safe.clear()
        self.counter.proved_mined.clear()
        return safe, mined

    def quick_best(self):
        """(cell, risk) of a cell that is not proved, or None."""
        cdef double risk = 0
        self.need(WAS_COUNTED)
        cdef int32_t cell = self.counter.quick_best(risk)
        return None if cell < 0 else (cell, risk)

    def components(self):
        """Clues and cells of each component that was counted, as indices."""
        cdef size_t l
        self.need(WAS_COUNTED)
        cdef const Counted* counted = &self.counter.counted()
        return [
            (self.plain(counted.component(l).clues), self.plain(counted.component(l).cells))
            for l in range(counted.size())
        ]

    cdef list plain(self, const vector[int32_t]& cells):
        cdef size_t i
        return [self.counter.board().plain(cells[i]) for i in range(cells.size())]

    def list_hard(self, clock):
        """After HARD: list the components that could not be counted; False when time runs out."""
        cdef cbool done
        self.need(WAS_COUNTED)
        self.clock.enter(clock)
        try:
            with nogil:
                done = self.counter.list_hard()
        finally:
            self.clock.leave()
        return done

    def hard_clues(self):
        """Of each component that could not be counted: its clues, each with its cells and the mines that it misses."""
        cdef size_t c, b, i
        cdef int32_t k
        cdef const Component* part
        self.need(WAS_COUNTED)
        found = []
        for c in range(self.counter.hard().size()):
            part = &self.counter.hard()[c]
            cells = self.plain(part.cells)
            around = [[] for _ in range(part.need.size())]
            for b in range(part.boxes.size()):
                for k in range(part.boxes[b].clue_count):
                    around[part.boxes[b].clues[k]] += cells[part.boxes[b].first : part.boxes[b].first + part.boxes[b].size]
            clues = self.plain(part.clues)
            found.append([(clues[i], tuple(around[i]), part.need[i]) for i in range(part.need.size())])
        return found

    @property
    def cells(self):
        """Of the board."""
        return self.rows * self.cols

    @property
    def hard_cells(self):
        """Of the components that could not be counted."""
        cdef size_t c, cells = 0
        self.need(NOTHING)
        for c in range(self.counter.hard().size()):
            cells += self.counter.hard()[c].cells.size()
        return cells

    @property
    def hard_clue_count(self):
        """Clues of the components that could not be counted."""
        cdef size_t c, clues = 0
        self.need(NOTHING)
        for c in range(self.counter.hard().size()):
            clues += self.counter.hard()[c].need.size()
        return clues

    def suppose(self, int32_t low, const double[::1] weights, const unsigned char[::1] possible):
        """The hard components together hold mines with these weights, from ``low`` on."""
        cdef Row row
        cdef Py_ssize_t i
        self.need(WAS_COUNTED)
        if weights.shape[0] < 1 or possible.shape[0] != weights.shape[0]:
            raise ValueError("there must be one weight for each number of mines")
        if low < 0 or low + weights.shape[0] - 1 > self.rows * self.cols:
            raise ValueError("a board of this size cannot have that many mines")
        row.reset(low, low + <int32_t> weights.shape[0] - 1)
        for i in range(weights.shape[0]):
            row.weight[i] = weights[i]
            row.possible[i] = possible[i] != 0
        self.stage = WAS_COUNTED
        self.counter.suppose(row)

    def outside_hard(self, int32_t most, double most_work, clock):
        """What the rest of the board weighs when the hard components hold 0, 1, … ``most`` mines, and which of these numbers
        can be; None when that is too much work."""
        cdef Outcome outcome
        cdef vector[double] weight
        cdef vector[unsigned char] possible
        if not 0 <= most <= self.rows * self.cols:
            raise ValueError("a board of this size cannot have that many mines")
        self.suppose(0, np.ones(most + 1), np.ones(most + 1, np.uint8))
        self.clock.enter(clock)
        try:
            with nogil:
                outcome = self.joined.join_exactly(self.counter, most_work)
        finally:
            self.clock.leave()
        if outcome == Outcome.INCONSISTENT:
            return np.zeros(most + 1), np.zeros(most + 1, np.uint8)
        if outcome != Outcome.COUNTED:
            return None
        cdef size_t supposed = self.counter.counted().size()
        while self.counter.counted().component(supposed - 1).cells.size():
            supposed -= 1
        self.joined.weigh_outside(self.counter.counted(), supposed - 1, weight, possible)
        return np.array(weight), np.array(possible, np.uint8)

    @property
    def joined_exactly(self):
        """Whether odds were the last thing that was asked for, and are exact."""
        return self.stage == WAS_JOINED and self.joined.exact() and not self.supposed

    @property
    def supposed(self):
        """Whether something was supposed of components that could not be counted: then nothing here is exact."""
        return self.counter.supposed()

    @property
    def log_solutions(self):
        """Of the last exact odds."""
        return self.joined.log_solutions()

    @property
    def free_cells(self):
        """Cells that no clue sees, and of which nothing is proved."""
        return self.counter.free_cells()

    @property
    def mines_left(self):
        """Mines that are neither shown nor proved."""
        return self.counter.left()

    @property
    def widest(self):
        """The largest set of states of any component."""
        return self.counter.widest()


cdef class Sampler:
    """Chains of solutions of the components that a counter could not count."""

    cdef Gibbs gibbs
    cdef NativeClock clock
    cdef NativeLimit limit
    cdef vector[int32_t] cells   # of the board
    cdef vector[int32_t] box_of  # of each of them
    cdef int32_t board_cells

    def __cinit__(self, Counter counter not None, const double[::1] rest, const unsigned char[::1] possible, uint64_t seed):
        """``rest`` and ``possible`` are those of `Counter.outside_hard`."""
        cdef Row row
        cdef size_t b
        cdef int32_t i
        counter.need(WAS_COUNTED)
        if rest.shape[0] < 1 or possible.shape[0] != rest.shape[0]:
            raise ValueError("there must be one weight for each number of mines")
        row.reset(0, <int32_t> rest.shape[0] - 1)
        for t in range(rest.shape[0]):
            row.weight[t] = rest[t]
            row.possible[t] = possible[t] != 0
        if counter.counter.hard().empty():
            raise RuntimeError("there is nothing hard, or it was not listed")
        self.clock = NativeClock()
        self.clock.hook(&self.limit)
        self.gibbs.start(counter.counter.hard(), row, counter.counter.tilt(), seed, WINDOWS)
        self.cells = counter.plain(self.gibbs.whole().cells)
        self.box_of.resize(self.cells.size())
        self.board_cells = counter.rows * counter.cols
        for b in range(self.gibbs.whole().boxes.size()):
            for i in range(self.gibbs.whole().boxes[b].size):
                self.box_of[self.gibbs.whole().boxes[b].first + i] = <int32_t> b

    cdef int rest(self) except -1:
        if self.clock.busy:
            raise RuntimeError("this sampler is at work: it cannot be used again before it is done")
        return 0

    cdef vector[int32_t] held(self, const unsigned char[::1] mined) except *:
        """The mines in each box of a board that has one byte per cell, 1 for a mine."""
        cdef vector[int32_t] held
        cdef size_t i
        self.rest()
        if mined.shape[0] != self.board_cells:
            raise ValueError("there must be one byte for each cell")
        held.resize(self.gibbs.whole().boxes.size())
        for i in range(self.cells.size()):
            held[self.box_of[i]] += mined[self.cells[i]] != 0
        return held

    def add_chain(self, const unsigned char[::1] mined):
        """A solution to start from: one byte per cell of the board, 1 for a mine. False when it is none."""
        return self.gibbs.add_chain(self.held(mined))

    def note(self, const unsigned char[::1] mined):
        """A solution that shows one way for each box. False when it is none."""
        return self.gibbs.note(self.held(mined))

    def run(self, int64_t sweeps, clock):
        """Redraw windows until every chain has visited every box this many times since it was last told to `forget`; False
        when time was over before."""
        cdef cbool done = False
        cdef size_t most_bytes = clock.limit.memory
        self.rest()
        if not self.gibbs.chains():
            raise RuntimeError("there is no chain")
        self.clock.enter(clock)
        try:
            self.limit.stopped = False
            self.limit.most_bytes = most_bytes
            with nogil:
                done = self.gibbs.run(sweeps, self.limit)
        finally:
            self.clock.leave()
        return done

    def forget(self):
        """Begin the averages again, from where the chains have come."""
        self.rest()
        self.gibbs.forget()

    @property
    def sweeps(self):
        """Times that every chain has visited every box."""
        self.rest()
        return self.gibbs.sweeps()

    @property
    def places(self):
        """The cells of the board that are sampled, and the box of each."""
        return np.array(self.cells, np.int64), np.array(self.box_of, np.int64)

    @property
    def ways(self):
        """For each box 1 if a cell of it was safe on some board, 2 if mined, 3 if both."""
        self.rest()
        return np.array(self.gibbs.ways, np.uint8)

    def records(self):
        """Chains × boxes: the sum of the odds, visits, and visits that left a cell open."""
        cdef size_t chain, b, boxes = self.gibbs.whole().boxes.size()
        cdef double[:, :, ::1] data
        found = np.empty((3, self.gibbs.chains(), boxes))
        data = found
        self.rest()
        if self.gibbs.chains() != <size_t> data.shape[1]:
            raise RuntimeError("a chain was added in the meantime")
        for chain in range(self.gibbs.chains()):
            for b in range(boxes):
                data[0, chain, b] = self.gibbs.records(chain)[b].sum
                data[1, chain, b] = self.gibbs.records(chain)[b].visits
                data[2, chain, b] = self.gibbs.records(chain)[b].open
        return found

    def totals(self):
        """Chains × numbers of mines: how often the hard components held this many."""
        self.rest()
        return np.array([self.gibbs.totals(chain) for chain in range(self.gibbs.chains())])
