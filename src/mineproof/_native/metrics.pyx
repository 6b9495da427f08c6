"""What a board costs to clear: 3BV, openings, islands, greedy ZiNi.

A *unit* is what one click can clear at best: an opening, or a number that touches no opening. 3BV is the number of
units. Boards carry a border of one cell, as in ``field``.
"""

from libc.stdint cimport int32_t
from libcpp.pair cimport pair
from libcpp.queue cimport priority_queue
from libcpp.vector cimport vector

from mineproof._native.numbers cimport MINE, are_mines, is_board, neighbour_steps, number_cells

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
        d[at] = n[at] >= MINE
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
        raise ValueError("a board has a byte for each cell, 1 for a mine")
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
    """(3BV, openings, islands, ZiNi)."""
    cdef Board b
    cdef int32_t zini
    check(mines, rows, cols)
    with nogil:
        build(b, &mines[0], rows, cols)
        find_units(b, True, True)
        zini = greedy_zini(b)
    return b.openings + b.lone, b.openings, b.islands, zini


cdef struct Greedy:
    vector[unsigned char] open    # opened cells, and flagged mines
    vector[unsigned char] cleared  # by unit id: openings that are open
    vector[int32_t] premium
    vector[int32_t] refreshed  # the chord after which the premium was last brought up to date
    priority_queue[pair[int32_t, int32_t]] best  # (premium, -rank of the cell); stale entries are skipped
    int32_t clicks, units


cdef int32_t premium_of(Board& b, Greedy& g, int32_t at) noexcept nogil:
    """Units that a chord at this cell clears, less the clicks it takes."""
    cdef int32_t k, n, i, unit, gain = 0, seen_count = 0
    cdef int32_t[8] seen
    cdef bint new
    if b.unit[at] == -1 and not g.open[at]:
        gain += 1
    for k in range(8):
        n = at + b.around[k]
        unit = b.unit[n]
        if b.number[n] == MINE:
            gain -= not g.open[n]
        elif unit == -1:
            gain += not g.open[n]
        elif unit > 0 and not g.cleared[unit]:
            new = True
            for i in range(seen_count):
                if seen[i] == unit:
                    new = False
            if new:
                seen[seen_count] = unit
                seen_count += 1
                gain += 1
    return gain - 1 - (not g.open[at])


cdef int refresh(Board& b, Greedy& g, int32_t at) except -1 nogil:
    """Bring the premium of a cell up to date. Ties go to the leftmost column, then to the top, as in ms-toollib."""
    cdef int32_t premium, rank
    if b.number[at] == 0 or b.number[at] >= MINE:  # a zero needs no chord
        return 0
    premium = premium_of(b, g, at)
    if premium != g.premium[at]:
        g.premium[at] = premium
        rank = at % b.stride * (b.rows + 2) + at // b.stride
        if premium >= 0:
            g.best.push(pair[int32_t, int32_t](premium, -rank))


cdef inline int refresh_once(Board& b, Greedy& g, int32_t at, int32_t chord) except -1 nogil:
    if g.refreshed[at] != chord:
        g.refreshed[at] = chord
        refresh(b, g, at)


cdef int open_unit(Board& b, Greedy& g, int32_t at, vector[int32_t]& touched) except -1 nogil:
    """Open a cell and all that it brings; note what became open."""
    cdef size_t head = touched.size()
    cdef int32_t k, n
    if g.open[at]:
        return 0
    g.open[at] = 1
    touched.push_back(at)
    if b.unit[at] == -1:
        g.units -= 1
    while head < touched.size():
        at = touched[head]
        head += 1
        if b.number[at] == 0:
            if not g.cleared[b.unit[at]]:
                g.cleared[b.unit[at]] = 1
                g.units -= 1
            for k in range(8):
                n = at + b.around[k]
                if b.number[n] < MINE and not g.open[n]:
                    g.open[n] = 1
                    touched.push_back(n)


cdef int32_t greedy_zini(Board& b) except -1 nogil:
    cdef Greedy g
    cdef vector[int32_t] touched
    cdef int32_t r, c, at, k, n, rank, chord = 0
    cdef size_t i
    g.open.assign(b.number.size(), 0)
    g.cleared.assign(b.openings + 1, 0)
    g.premium.assign(b.number.size(), -100)
    g.refreshed.assign(b.number.size(), 0)
    g.clicks, g.units = 0, b.openings + b.lone
    for r in range(b.rows):
        for c in range(b.cols):
            refresh(b, g, (r + 1) * b.stride + c + 1)
    while not g.best.empty():
        rank = -g.best.top().second
        at = rank % (b.rows + 2) * b.stride + rank // (b.rows + 2)
        if g.premium[at] != g.best.top().first:
            g.best.pop()
            continue
        g.best.pop()
        touched.clear()
        if not g.open[at]:
            g.clicks += 1
            open_unit(b, g, at, touched)
        g.clicks += 1
        for k in range(8):
            n = at + b.around[k]
            if b.number[n] == MINE:
                if not g.open[n]:
                    g.clicks += 1
                    g.open[n] = 1
                    touched.push_back(n)
            elif b.number[n] < MINE:
                open_unit(b, g, n, touched)
        chord += 1
        for i in range(touched.size()):
            refresh_once(b, g, touched[i], chord)
            for k in range(8):
                refresh_once(b, g, touched[i] + b.around[k], chord)
    return g.clicks + g.units  # no chord pays any more: the other units cost a click each
