from libc.stdint cimport int32_t, int64_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.counting cimport Counted, Foresight, NativeCounter, Odds, Outcome
from mineproof._native.mining cimport Stream
from mineproof._native.opened cimport Change, OpenedBoard
from mineproof._native.clock cimport NativeClock, NativeLimit


cdef extern from "strategy.hpp" namespace "mineproof" nogil:
    cdef enum Why "mineproof::Strategist::Why":
        LOOKED "mineproof::Strategist::LOOKED"
        EXACT "mineproof::Strategist::EXACT"
        ISOLATED "mineproof::Strategist::ISOLATED"
        TOSSUP "mineproof::Strategist::TOSSUP"
        IMPLIED "mineproof::Strategist::IMPLIED"
        PLAYED_OUT "mineproof::Strategist::PLAYED_OUT"
    cdef cppclass Strategist:
        cppclass Settings:
            double second, progress
            uint32_t boards
            int64_t nodes
            int32_t free_cells
            cbool thorough, dead, living, dominance, isolated
            double tossups
        cppclass Choice:
            int32_t cell
            double risk, score
            Why why
            cbool exact()
        Settings settings
        vector[Choice] considered
        Foresight& look_from(const Counted& counted, double log_solutions, NativeLimit& limit) except +
        cbool wins(const Counted& counted, double log_solutions, NativeLimit& limit, uint32_t& won, uint32_t& all) except +

cdef extern from "decider.hpp" namespace "mineproof" nogil:
    cdef enum MoveKind "mineproof::Decider::MoveKind":
        CERTAIN_MOVE "mineproof::Decider::CERTAIN"
        FAILED_MOVE "mineproof::Decider::FAILED"
    cdef cppclass Decider:
        NativeCounter counter
        Odds odds
        Strategist strategist
        vector[double] probability
        vector[unsigned char] mark
        vector[int32_t] todo
        Strategist.Choice choice
        void start(int32_t rows, int32_t cols, const unsigned char* symbols, int32_t mines) except +
        MoveKind decide() except +
        Outcome count() except +
        Strategist.Choice guess() except +
    cdef cppclass Cautious(Decider):
        pass

cdef extern from "deep.hpp" namespace "mineproof" nogil:
    cdef cppclass Deep(Decider):
        size_t boards
        double most_closed, most_log_solutions


cdef extern from "rollouts.hpp" namespace "mineproof" nogil:
    cdef cppclass Drawer:
        NativeCounter counter
    cdef cppclass Rollouts:
        Rollouts(Decider& decider) except +
        Drawer drawer, again
        vector[double] value
        cbool start(int32_t rows, int32_t cols, const unsigned char* symbols, int32_t mines) except +
        cbool play_alone(const vector[int32_t]& first, Stream& stream) except +


cdef struct PlayedGame:
    cbool won
    cbool failed  # a position could not be counted, or not in time
    int32_t moves
    double seconds, slowest


cdef class Player:
    cdef object again  # makes one like it
    cdef Decider* mind
    cdef Rollouts* rollouts
    cdef NativeLimit* limits[3]  # of the counters of both
    cdef NativeClock clock
    cdef OpenedBoard board  # of the game that is played
    cdef vector[unsigned char] truth, blank
    cdef vector[Change] journal
    cdef vector[int32_t] todo
    cdef vector[double] risks  # of the guesses of the last game

    cdef int check(self, int32_t rows, int32_t cols, Py_ssize_t cells, int32_t mines) except -1
    cdef cbool counted(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, clock) except *
    cdef cbool must_guess(self) noexcept nogil
    cdef cbool stopped(self) except *
    cdef object run(self, int32_t rows, int32_t cols, const unsigned char* mines, int32_t count, int32_t start, limit)
    cdef int go(self, int32_t start, int32_t safe, PlayedGame* game) except -1 nogil
