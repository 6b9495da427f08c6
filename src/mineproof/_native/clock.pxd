from libcpp cimport bool as cbool


cdef extern from "limit.hpp" namespace "mineproof" nogil:
    cdef cppclass NativeLimit "mineproof::Limit":
        cbool (*go_on)(void*) noexcept nogil
        void* context
        size_t most_bytes
        double most_cost
        cbool stopped
        long long done
        cbool tick(long long work)
        void restart()

cdef double seconds_now() noexcept nogil
cpdef size_t bytes_of_board(size_t cells)
cdef size_t room_in(object limit, size_t cells) except? 0


cdef class NativeClock:
    cdef double ends, next_look, seconds
    cdef object clock
    cdef object interruption
    cdef bint controlled
    cdef bint busy

    cdef int hook(self, NativeLimit* limit) except -1
    cdef int begin(self, clock) except -1
    cdef int enter(self, clock) except -1
    cdef int leave(self) except -1
    cdef int again(self) except -1 nogil
    cdef cbool go_on(self) noexcept nogil
    cdef cbool look(self) noexcept
