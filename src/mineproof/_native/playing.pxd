from libc.stdint cimport int32_t, int64_t, uint32_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.counting cimport Counted, NativeCounter, Odds, Outcome
from mineproof._native.field cimport Field
from mineproof._native.mining cimport Stream
from mineproof._native.patience cimport Patience, Watch


cdef extern from "foresight.hpp" namespace "mineproof" nogil:
    cdef cppclass Foresight:
        cppclass View:
            double share, best, second
            int32_t certain
            cbool won
        vector[int32_t] certain
        cbool look(int32_t cell, int number, View& view) except +
        void list_dead(int32_t cell, vector[int32_t]& dead) except +
        double joint(const vector[int32_t]& mined, const vector[int32_t]& safe) except +

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
        Foresight& look_from(const Counted& counted, double log_solutions, Watch& watch) except +
        cbool wins(const Counted& counted, double log_solutions, Watch& watch, uint32_t& won, uint32_t& all) except +

cdef extern from "decider.hpp" namespace "mineproof" nogil:
    cdef enum Step "mineproof::Decider::Step":
        CERTAIN_STEP "mineproof::Decider::CERTAIN"
        FAILED_STEP "mineproof::Decider::FAILED"
    cdef cppclass Decider:
        NativeCounter counter
        Odds odds
        Strategist strategist
        vector[double] probability
        vector[unsigned char] mark
        vector[int32_t] todo
        Strategist.Choice choice
        void start(int32_t rows, int32_t cols, const unsigned char* symbols, int32_t mines) except +
        Step decide() except +
        Outcome count() except +
        Strategist.Choice guess() except +
    cdef cppclass Cautious(Decider):
        pass

cdef extern from "deep.hpp" namespace "mineproof" nogil:
    cdef cppclass Deep(Decider):
        size_t boards
        double most_closed, most_log_solutions


cdef struct Course:
    cbool won
    cbool failed          # a position could not be counted, or not in time
    double chance         # that the guesses so far were safe; in the end, to win
    int32_t moves
    double seconds, slowest


cdef class Player:
    cdef object again  # makes one like it
    cdef Decider* mind
    cdef NativeCounter drawer  # of the boards on which games are played out
    cdef Odds drawn
    cdef vector[unsigned char] board
    cdef Patience patience
    cdef vector[int32_t] todo
    cdef vector[double] risks  # of the guesses of the last game

    cdef int check(self, int32_t rows, int32_t cols, Py_ssize_t cells, int32_t mines) except -1
    cdef cbool counted(self, int32_t rows, int32_t cols, const unsigned char[::1] symbols, int32_t mines, clock) except *
    cdef cbool must_guess(self) noexcept nogil
    cdef cbool are_safe(self, Field field, const vector[int32_t]& cells) noexcept nogil
    cdef cbool draw(self, Field field, const vector[unsigned char]& symbols, int32_t mines, Stream& stream) except * nogil
    cdef cbool make_safe(self, Field field, int32_t cell, int32_t mines, Stream& stream) except * nogil
    cdef object run(self, int32_t rows, int32_t cols, const unsigned char* mines, int32_t count, int32_t start, limit)
    cdef int go(self, Field field, const unsigned char* symbols, int32_t safe, int32_t mines, Course* course,
                Stream* stream) except -1 nogil
