"""What a board costs to clear: 3BV, openings, islands, greedy ZiNi.

A *unit* is what one click can clear at best: an opening, or a number that touches no opening. 3BV is the number of
units. Boards carry a border of one cell, as in ``field``.
"""

from libc.stdint cimport int32_t
from libcpp.vector cimport vector

from mineproof._native.numbers cimport NUMBER_OF_MINE, are_mines, is_board, neighbour_steps, number_cells
from mineproof._native.clock cimport NativeClock, NativeLimit

cdef extern from "zini.hpp" namespace "mineproof" nogil:
    cdef cppclass Zini:
        NativeLimit limit
        int32_t clicks(const vector[unsigned char]& number, const vector[int32_t]& unit, int32_t openings, int32_t lone,
                       const int32_t (&around)[8]) except +

cdef struct Board:
    int32_t rows, cols, stride
    int32_t around[8]
    int32_t openings, islands, lone  # lone: numbers that touch no opening
    vector[unsigned char] number
    vector[int32_t] unit  # for ZiNi: the opening's number (from 1) on its zeros, -1 on lone numbers, else 0


cdef int build(Board& b, const unsigned char* mines, int32_t rows, int32_t cols) except -1 nogil:
    b.rows, b.cols, b.stride = rows, cols, cols + 2
    neighbour_steps(cols, b.around)
    number_cells(mines, rows, cols, b.number)
    return 0


cdef int spread(Board& b, vector[unsigned char]& done, int32_t start, bint through_numbers,
                 int32_t label, vector[int32_t]& group) except -1 nogil:
    """Collect in ``group`` the zeros, or with ``through_numbers`` all cells, connected to ``start`` and not yet done.

    Everything next to the group becomes done too. With a label, the cells of the group get it as their unit.
    """
    cdef size_t head = 0
    cdef int32_t at, next_to, k
    group.clear()
    group.push_back(start)
    done[start] = 1
    while head < group.size():
        at = group[head]
        head += 1
        if label:
            b.unit[at] = label
        for k in range(8):
            next_to = at + b.around[k]
            if not done[next_to]:
                done[next_to] = 1
                if through_numbers or b.number[next_to] == 0:
                    group.push_back(next_to)


cdef int find_units(Board& b, bint islands_too, bint label) except -1 nogil:
    """Count openings and lone numbers, and islands if asked; with ``label``, say to which unit each cell belongs."""
    cdef vector[int32_t] group
    cdef vector[unsigned char] done
    cdef int32_t at, size = <int32_t> b.number.size()
    done.resize(size)
    cdef unsigned char* n = &b.number[0]
    cdef unsigned char* d = &done[0]
    b.openings = b.islands = b.lone = 0
    if label:
        b.unit.assign(size, 0)
    for at in range(size):
        d[at] = n[at] >= NUMBER_OF_MINE
    for at in range(b.stride, size - b.stride):
        if n[at] == 0 and not d[at]:
            b.openings += 1
            spread(b, done, at, False, b.openings if label else 0, group)
    for at in range(size):
        b.lone += not d[at]
    if not islands_too:
        return 0
    for at in range(b.stride, size - b.stride):
        if not d[at]:
            b.islands += 1
            spread(b, done, at, True, -1 if label else 0, group)


cdef int check(const unsigned char[::1] mines, int32_t rows, int32_t cols) except -1:
    if not is_board(rows, cols) or mines.shape[0] != <Py_ssize_t> rows * cols or not are_mines(&mines[0], mines.shape[0]):
        raise ValueError("a board must have one byte for each cell, 1 for a mine")
    return 0


def bbbv(const unsigned char[::1] mines, int32_t rows, int32_t cols):
    """3BV alone."""
    cdef Board b
    check(mines, rows, cols)
    with nogil:
        build(b, &mines[0], rows, cols)
        find_units(b, False, False)
    return b.openings + b.lone


def measure(const unsigned char[::1] mines, int32_t rows, int32_t cols):
    """(3BV, openings, islands, ZiNi). Ties of ZiNi go to the leftmost column, then to the top, as in ms-toollib: so the
    board is measured column by column. Signals are heard."""
    cdef NativeClock clock = NativeClock()
    cdef Board b
    cdef Zini zini
    cdef int32_t clicks, r, c
    cdef vector[unsigned char] turned
    check(mines, rows, cols)
    clock.hook(&zini.limit)
    clock.enter(None)
    try:
        with nogil:
            turned.resize(<size_t> rows * cols)
            for r in range(rows):
                for c in range(cols):
                    turned[<size_t> c * rows + r] = mines[<Py_ssize_t> r * cols + c]
            build(b, turned.data(), cols, rows)
            find_units(b, True, True)
            clicks = zini.clicks(b.number, b.unit, b.openings, b.lone, b.around)
    finally:
        clock.leave()
    return b.openings + b.lone, b.openings, b.islands, clicks
