from libc.stdint cimport int32_t
from libcpp.vector cimport vector


cdef class Field:
    cdef readonly int32_t rows, cols
    cdef readonly int32_t opened  # safe cells that are open
    cdef readonly int32_t hits    # mines that are open
    cdef readonly int32_t flags
    cdef readonly bint laid
    cdef bint flood
    cdef int32_t stride
    cdef int32_t around[8]
    cdef vector[unsigned char] truth   # what opening shows: b'0'..b'8' or b'*'
    cdef vector[unsigned char] shown   # what the player sees, as in the text form; 0 on the border
    cdef vector[int32_t] journal       # every change: padded index * 4 + the note that was there
    cdef vector[size_t] marks          # where each move starts in the journal

    cdef int32_t cell(self, int32_t index) except -1
    cdef int need_mines(self) except -1
    cdef int make_room(self) except -1
    cdef int32_t padded(self, int32_t index) noexcept nogil
    cdef int32_t plain(self, int32_t at) noexcept nogil
    cdef void change(self, int32_t at, unsigned char symbol) noexcept nogil
    cdef void tally(self, unsigned char symbol, int32_t by) noexcept nogil
    cdef void spread(self, size_t head) noexcept nogil
    cdef int go_on_from(self, const unsigned char* mines, const unsigned char* symbols) except -1 nogil
    cdef int lay_down(self, const unsigned char* mines) except -1 nogil
    cdef void open_cell(self, int32_t at) noexcept nogil
    cdef void open_around(self, int32_t at) noexcept nogil
    cdef object changes(self, size_t start)
