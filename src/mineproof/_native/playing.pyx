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
from mineproof._native.field cimport Field
from mineproof._native.mining cimport PLAYOUTS, Stream, lay_mines, zone_size
from mineproof._native.numbers cimport is_board
from mineproof._native.patience cimport Patience, Watch, room_in, seconds_now
from mineproof._native.playing cimport CERTAIN_STEP, FAILED_STEP, Cautious, Course, Decider, Deep, Foresight, Step, Strategist
from mineproof._native.symbols cimport EIGHT, HIDDEN, HIT, NAMED_SAFE, SHOWN_MINE, check_symbols


cdef double ANY_WORK = 1e300
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
        self.patience = Patience()
        self.patience.hook(&self.mind.counter.watch)
        self.patience.hook(&self.drawer.watch)

    def __dealloc__(self):
        del self.mind

    def __reduce__(self):
        """A copy has the same options, and nothing else: a player remembers nothing."""
        return self.again, ()

    cdef int check(self, int32_t rows, int32_t cols, Py_ssize_t cells, int32_t mines) except -1:
        if self.patience.busy:
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
        self.patience.enter(clock)
        try:
            self.mind.counter.watch.most_bytes = most_bytes
            self.mind.strategist.settings.thorough = True
            with nogil:
                self.mind.start(rows, cols, &symbols[0], mines)
                outcome = self.mind.counter.refresh()
                if outcome == Outcome.COUNTED:
                    outcome = self.mind.count()
                if outcome == Outcome.COUNTED and self.must_guess():
                    choice = self.mind.guess()
                    if self.mind.counter.watch.stopped and choice.cell < 0:
                        outcome = Outcome.STOPPED
        finally:
            self.patience.leave()
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

    def views(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, int32_t cell, clock):
        """What an unknown cell could show: for each number (share of all boards, safety of the safest cell then, of the
        second safest, how many are certain, which of those near clues are, which cells near clues were found dead).
        None when the position could not be counted."""
        cdef Foresight* foresight
        cdef Foresight.View view
        cdef vector[int32_t] dead
        cdef int number
        if not self.counted(rows, cols, symbols, mines, clock):
            return None
        if not 0 <= cell < rows * cols or self.mind.mark[cell] != UNSURE:
            raise ValueError("this cell is not unknown")
        foresight = &self.mind.strategist.look_from(self.mind.counter.counted(), self.mind.odds.log_solutions(),
                                                    self.mind.counter.watch)
        found = {}
        for number in range(9):
            if foresight.look(cell, number, view):
                dead.clear()
                foresight.list_dead(cell, dead)
                found[number] = (view.share, view.best, view.second, view.certain,
                                 [self.mind.counter.board().plain(at) for at in foresight.certain],
                                 [self.mind.counter.board().plain(at) for at in dead])
        return found

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
                                              self.mind.counter.watch).joint(ones, others)

    cdef cbool counted(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, clock) except *:
        """Whether a position could be counted."""
        cdef cbool done
        cdef size_t most_bytes
        self.check(rows, cols, symbols.shape[0], mines)
        most_bytes = room_in(clock.limit, <size_t> rows * cols)
        check_symbols(symbols)
        self.patience.enter(clock)
        try:
            self.mind.counter.watch.most_bytes = most_bytes
            with nogil:
                self.mind.start(rows, cols, &symbols[0], mines)
                done = self.mind.counter.refresh() == Outcome.COUNTED and self.mind.count() == Outcome.COUNTED
        finally:
            self.patience.leave()
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
        won. A guess does not end it: its risk is counted, and the game goes on where it was safe, on another board if need
        be; an exact endgame ends it with its chance. So each number is a fair estimate, and they scatter less than wins
        and losses do. Fewer when time runs out, or when this much work is done, in units of about a nanosecond; None when a
        position could not be counted.

        With ``first`` these cells are opened first, and are safe: the risk of that is not counted. Game number n, from
        ``begin`` on, has the same board for every ``first`` that is safe on it, so that two of them can be compared."""
        cdef Field field = Field(rows, cols)
        cdef Course course
        cdef int64_t i
        cdef Stream stream
        cdef size_t most_bytes
        cdef vector[unsigned char] start, named
        cdef vector[int32_t] opened
        cdef int32_t cell
        self.check(rows, cols, symbols.shape[0], mines)
        most_bytes = room_in(clock.limit, 2 * <size_t> rows * cols) / 2  # of two counters
        check_symbols(symbols)
        start.assign(&symbols[0], &symbols[0] + symbols.shape[0])
        named = start
        for cell in first:
            if not 0 <= cell < rows * cols:
                raise ValueError("a cell that is opened first is outside this board")
            if start[cell] <= EIGHT or start[cell] == SHOWN_MINE:
                raise ValueError("a cell that is opened first is open already")
            named[cell] = NAMED_SAFE
            opened.push_back(cell)
        if begin < 0:
            raise ValueError("games are numbered from 0 on")
        chances = []
        self.patience.enter(clock)
        try:
            self.mind.counter.watch.most_bytes = most_bytes
            self.drawer.watch.most_bytes = most_bytes
            self.mind.counter.watch.done = self.drawer.watch.done = 0
            for i in range(begin, begin + games):
                if i - begin >= LEAST_GAMES and self.work > work:
                    break
                stream = Stream(seed, i, PLAYOUTS)
                course = Course(False, True, 1, 0, 0, 0)
                self.todo = opened
                with nogil:
                    if self.patience.go_on() and self.draw(field, start, mines, stream) and (
                            self.are_safe(field, opened) or self.draw(field, named, mines, stream)):
                        self.go(field, start.data(), rows * cols - mines, mines, &course, &stream)
                if course.failed:
                    stopped = self.mind.counter.watch.stopped or self.drawer.watch.stopped or not self.patience.go_on()
                    return chances if stopped else None
                chances.append(course.chance)
        finally:
            self.patience.leave()
        return chances

    @property
    def work(self):
        """Done by the last `play_out`, in units of about a nanosecond."""
        return <double> self.mind.counter.watch.done + self.drawer.watch.done

    cdef cbool are_safe(self, Field field, const vector[int32_t]& cells) noexcept nogil:
        """Whether none of these cells is a mine on the board that was laid."""
        cdef size_t i
        for i in range(cells.size()):
            if field.truth[field.padded(cells[i])] == HIT:
                return False
        return True

    cdef cbool draw(self, Field field, const vector[unsigned char]& symbols, int32_t mines, Stream& stream) except * nogil:
        """Lay a consistent board; False when the position could not be counted."""
        self.drawer.start(field.rows, field.cols, symbols.data(), mines, False)
        if self.drawer.refresh() != Outcome.COUNTED or self.drawn.join_exactly(self.drawer, ANY_WORK) != Outcome.COUNTED:
            return False
        self.board.resize(symbols.size())
        self.drawn.sample(self.drawer.counted(), stream, self.board.data())
        field.go_on_from(self.board.data(), symbols.data())
        return True

    def chance(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, clock):
        """Of all boards consistent with a position, those that perfect play wins, and how many there are; None when that is
        too much to search."""
        cdef uint32_t won = 0, boards = 0
        cdef cbool found = False
        cdef size_t most_bytes
        self.check(rows, cols, symbols.shape[0], mines)
        most_bytes = room_in(clock.limit, <size_t> rows * cols)
        check_symbols(symbols)
        self.patience.enter(clock)
        try:
            self.mind.counter.watch.most_bytes = most_bytes
            with nogil:
                self.mind.start(rows, cols, &symbols[0], mines)
                if self.mind.counter.refresh() == Outcome.COUNTED and self.mind.count() == Outcome.COUNTED:
                    found = self.mind.strategist.wins(self.mind.counter.counted(), self.mind.odds.log_solutions(),
                                                      self.mind.counter.watch, won, boards)
        finally:
            self.patience.leave()
        return (won, boards) if found else None

    cdef object run(self, int32_t rows, int32_t cols, const unsigned char* mines, int32_t count, int32_t start, limit):
        cdef Field field = Field(rows, cols)
        cdef Course course = Course(False, False, 1, 0, 0, 0)
        cdef size_t most_bytes = room_in(limit, <size_t> rows * cols)
        cdef vector[unsigned char] blank
        blank.assign(<size_t> rows * cols, HIDDEN)
        field.lay_down(mines)
        field.make_room()
        self.patience.enter(limit.start())
        try:
            self.mind.counter.watch.most_bytes = most_bytes
            self.todo.assign(1, start)
            with nogil:
                self.go(field, blank.data(), rows * cols - count, count, &course, NULL)
        finally:
            self.patience.leave()
        if course.failed:
            return None
        return course.won, course.moves, tuple(self.risks), course.seconds, course.slowest

    cdef int go(self, Field field, const unsigned char* symbols, int32_t safe, int32_t mines, Course* course,
                Stream* stream) except -1 nogil:
        """Open the given cells, and continue playing. The clock is for each choice; with a stream, as `play_out`
        does, it is for all."""
        cdef size_t head = 0, i
        cdef int32_t at
        cdef double began = seconds_now(), before
        cdef Strategist.Choice choice
        cdef Step step
        self.risks.clear()
        if field.opened == safe:  # there is nothing to open
            course.won = True
            course.failed = False
            return 0
        self.mind.strategist.settings.thorough = False
        self.mind.start(field.rows, field.cols, symbols, mines)
        while True:
            for i in range(self.todo.size()):
                at = field.padded(self.todo[i])
                if field.shown[at] != HIDDEN:
                    continue
                field.open_cell(at)
                course.moves += 1
                if field.hits or field.opened == safe:
                    break
            if field.hits or field.opened == safe:
                break
            while head < field.journal.size():
                at = field.journal[head] >> 2
                self.mind.counter.see(field.plain(at), field.shown[at])
                head += 1
            before = seconds_now()
            if stream == NULL:
                self.patience.again()
            course.failed = True  # unless it is decided in time
            step = self.mind.decide()
            if step == FAILED_STEP:
                return 0
            self.todo = self.mind.todo
            if step != CERTAIN_STEP:
                choice = self.mind.choice
                if stream != NULL:
                    if choice.exact():
                        course.failed = False
                        course.chance *= choice.score
                        return 0
                    course.chance *= 1 - choice.risk
                    if not self.make_safe(field, choice.cell, mines, stream[0]):
                        return 0
                    head = 0
                self.risks.push_back(choice.risk)
            course.failed = False
            course.slowest = max(course.slowest, seconds_now() - before)
        course.failed = False
        course.won = field.hits == 0
        course.chance *= course.won
        course.seconds = seconds_now() - began
        return 0


    cdef cbool make_safe(self, Field field, int32_t cell, int32_t mines, Stream& stream) except * nogil:
        """The same position on a board on which this cell is safe; False when that could not be counted."""
        cdef int32_t r, c
        cdef vector[unsigned char] symbols
        if field.truth[field.padded(cell)] == HIT:
            for r in range(field.rows):
                for c in range(field.cols):
                    symbols.push_back(field.shown[field.padded(r * field.cols + c)])
            symbols[cell] = NAMED_SAFE
            return self.draw(field, symbols, mines, stream)
        field.journal.clear()
        return True


cdef extern from "endgame.hpp" namespace "mineproof" nogil:
    cdef cppclass WholeGame:
        WholeGame(int32_t rows, int32_t cols, int32_t mines, uint64_t hashed) except +
        int64_t wins(int32_t cell, cbool opening, int64_t nodes, Watch& watch, int64_t& boards) except +


cdef int64_t MOST_BOARDS = 1 << 20  # that are laid at all


cdef class Tree:
    """Perfect play from the first click on. The boards must be few: there is one for each way to lay the mines.
    ``hashed`` masks the hashes that find states, for tests: the results do not depend on it."""

    cdef WholeGame* tree
    cdef Patience patience
    cdef Watch watch
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
        self.patience = Patience()
        self.patience.hook(&self.watch)

    def __dealloc__(self):
        del self.tree

    def start(self, int32_t cell, bint opening, clock):
        """Boards that are won from this first cell, which is not a mine (or an opening), and how many there are; None
        when the budget of nodes or the time was used up."""
        cdef int64_t boards = 0, wins
        cdef size_t most_bytes = clock.limit.memory
        if not 0 <= cell < self.cells:
            raise ValueError("the cell is outside this board")
        self.patience.enter(clock)
        try:
            self.watch.stopped = False
            self.watch.most_bytes = most_bytes
            with nogil:
                wins = self.tree.wins(cell, opening, self.nodes, self.watch, boards)
        finally:
            self.patience.leave()
        return None if wins < 0 else (wins, boards)
