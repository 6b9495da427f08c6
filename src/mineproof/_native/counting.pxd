from libc.stdint cimport int32_t, int64_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

from mineproof._native.mining cimport Stream
from mineproof._native.clock cimport NativeClock, NativeLimit


cdef extern from "component.hpp" namespace "mineproof" nogil:
    cdef cppclass Box:
        int32_t first, size, clue_count
        int32_t clues[8]
    cdef cppclass Component:
        vector[int32_t] need, clues, cells
        vector[Box] boxes

cdef extern from "row.hpp" namespace "mineproof" nogil:
    cdef cppclass Row:
        int32_t low
        vector[double] weight
        vector[unsigned char] possible
        void reset(int32_t first, int32_t last) except +

cdef extern from "board.hpp" namespace "mineproof" nogil:
    cdef cppclass Board:
        int32_t plain(int32_t at)
        int32_t padded(int32_t cell)
        cbool closed_at(int32_t at)
        cbool surely_mined(int32_t at)

cdef extern from "chain.hpp" namespace "mineproof" nogil:
    cdef cppclass Chain:
        pass

cdef extern from "counter.hpp" namespace "mineproof" nogil:
    cdef enum class Outcome:
        COUNTED
        INCONSISTENT
        HARD
        STOPPED
    cdef cppclass Counted:
        const Board& board()
        double tilt()
        int32_t left()
        int32_t free_cells()
        size_t size()
        const Component& component(size_t l)
        const Row& row(size_t l)
        const Chain& chain(size_t l)
        cbool chained(size_t l)
        const vector[Component]& hard()
    cdef cppclass NativeCounter "mineproof::Counter"(Counted):
        NativeLimit limit
        vector[int32_t] proved_safe
        vector[int32_t] proved_mined
        void start(int32_t rows, int32_t cols, const unsigned char* symbols, int32_t mines, cbool follow) except +
        void see(int32_t cell, unsigned char symbol) except +
        void know(int32_t cell, cbool mine) except +
        void suppose(const Row& row) except +
        cbool supposed()
        Outcome refresh() except +
        cbool list_hard() except +
        const Counted& counted() except +
        int32_t quick_best(double& risk) except +
        void write_proved(unsigned char* mark)
        size_t widest()

cdef extern from "odds.hpp" namespace "mineproof" nogil:
    const unsigned char OPEN, UNSURE, SAFE, MINED
    cdef cppclass Odds:
        cbool exact()
        double log_solutions()
        Outcome join(NativeCounter& counter, double most_work) except +
        Outcome join_exactly(NativeCounter& counter, double most_work) except +
        Outcome write(const Counted& counted, double* probability, double* error, unsigned char* mark,
                      NativeLimit& limit) except +
        void weigh_outside(const Counted& counted, size_t l, vector[double]& seed,
                           vector[unsigned char]& possible) except +
        void sample(const Counted& counted, Stream& stream, unsigned char* mined) except +

cdef extern from "exact_count.hpp" namespace "mineproof" nogil:
    cdef cppclass ExactCount:
        int32_t words
        vector[uint64_t] found
        cbool count(const Component& component, const Chain& chain, NativeLimit& limit) except +

cdef extern from "gibbs.hpp" namespace "mineproof" nogil:
    cdef cppclass Gibbs:
        cppclass Record:
            double sum
            int32_t visits, open
        vector[unsigned char] ways
        void start(const vector[Component]& components, const Row& rest, double tilt, uint64_t seed,
                   uint64_t purpose) except +
        const Component& whole()
        size_t chains()
        const vector[Record]& records(size_t chain)
        const vector[double]& totals(size_t chain)
        int64_t sweeps()
        cbool add_chain(const vector[int32_t]& mines) except +
        cbool note(const vector[int32_t]& mines) except +
        void forget() except +
        cbool run(int64_t sweeps, NativeLimit& limit) except +

cdef extern from "foresight.hpp" namespace "mineproof" nogil:
    cdef cppclass Foresight:
        cppclass View:
            double share, best, second
            int32_t certain
            cbool won
        cbool living
        vector[int32_t] certain
        void begin(const Counted& counted, double log_solutions, NativeLimit& limit) except +
        cbool look(int32_t cell, int number, View& view) except +
        void list_dead(int32_t cell, vector[int32_t]& dead) except +
        double joint(const vector[int32_t]& mined, const vector[int32_t]& safe) except +
