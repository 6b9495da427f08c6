"""Random boards: where the mines lie, which safe cells are given, how many mines there are.

Everything is a pure function of (seed, index); see philox.hpp.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset
from libcpp.algorithm cimport sort
from libcpp.vector cimport vector

from mineproof._native.numbers cimport is_board


cdef enum:
    SAFE = 0
    MINE = 1
    KEPT_FREE = 2  # only while laying


cdef int32_t mark_zone(unsigned char* board, int32_t rows, int32_t cols,
                       int32_t start, int32_t radius, unsigned char mark) noexcept nogil:
    """Write ``mark`` on the square of ``radius`` around ``start`` (none when start < 0); return its size."""
    cdef int32_t r, c, size = 0
    if start < 0:
        return 0
    cdef int32_t row = start // cols, col = start % cols
    for r in range(max(0, row - radius), min(rows, row + radius + 1)):
        for c in range(max(0, col - radius), min(cols, col + radius + 1)):
            board[r * cols + c] = mark
            size += 1
    return size


cdef int32_t zone_size(int32_t rows, int32_t cols, int32_t start, int32_t radius) noexcept nogil:
    """Of the square of ``radius`` around ``start``, which must be on the board; 0 when start < 0."""
    if start < 0 or radius < 0:
        return 0
    cdef int32_t row = start // cols, col = start % cols
    return (min(rows, row + radius + 1) - max(0, row - radius)) * (min(cols, col + radius + 1) - max(0, col - radius))


cdef void lay_mines(unsigned char* board, int32_t rows, int32_t cols, int32_t mines,
                    int32_t start, int32_t radius, uint64_t seed, uint64_t index) noexcept nogil:
    """Fill ``board`` with 0 and ``mines`` ones, uniform among the boards with none in the zone.

    The rarer kind of cell is thrown at random, again where it does not fit: no tables, and at most a few throws a
    cell, because at least half of the allowed cells still take it.
    """
    cdef int32_t cells = rows * cols, left, cell
    cdef Stream stream = Stream(seed, index, MINES)
    memset(board, SAFE, cells)
    cdef int32_t allowed = cells - mark_zone(board, rows, cols, start, radius, KEPT_FREE)
    cdef unsigned char thrown = MINE, other = SAFE
    left = mines
    if mines > allowed // 2:
        thrown, other = SAFE, MINE
        left = allowed - mines
        memset(board, MINE, cells)
        mark_zone(board, rows, cols, start, radius, KEPT_FREE)
    while left > 0:
        cell = <int32_t> stream.below(cells)
        if board[cell] == other:
            board[cell] = thrown
            left -= 1
    mark_zone(board, rows, cols, start, radius, SAFE)


def lay(int32_t rows, int32_t cols, int32_t mines, int32_t start, int32_t radius, uint64_t seed, uint64_t index):
    """A random board as bytes, 1 for a mine."""
    if not is_board(rows, cols) or not -1 <= start < rows * cols or not -1 <= radius <= 1:
        raise ValueError("there is no board of this size, or no such start")
    if not 0 <= mines <= rows * cols - zone_size(rows, cols, start, radius):
        raise ValueError("that many mines do not fit")
    cdef bytes board = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> rows * cols)
    cdef unsigned char* data = <unsigned char*> PyBytes_AS_STRING(board)
    with nogil:
        lay_mines(data, rows, cols, mines, start, radius, seed, index)
    return board


def pick_safe(const unsigned char[::1] board, int32_t count, uint64_t seed, uint64_t index):
    """``count`` different safe cells of the board, uniform, in increasing order."""
    cdef vector[int32_t] safe
    cdef int32_t cell, i
    cdef uint64_t j
    cdef Stream stream = Stream(seed, index, NAMED_CELLS)
    with nogil:
        for cell in range(<int32_t> board.shape[0]):
            if board[cell] == SAFE:
                safe.push_back(cell)
        if not 0 <= count <= <Py_ssize_t> safe.size():
            with gil:
                raise ValueError("there are not that many safe cells")
        for i in range(count):
            j = i + stream.below(<uint32_t> safe.size() - i)
            safe[i], safe[j] = safe[j], safe[i]
        safe.resize(count)
        sort(safe.begin(), safe.end())
    return list(safe)


def count_mines(int32_t cells, uint64_t threshold, int32_t most, int tries, uint64_t seed, uint64_t index):
    """How many of ``cells`` become mines, each with probability threshold / 2^53, given that at most ``most`` do.

    By rejection; -1 when none of ``tries`` draws fits.
    """
    cdef Stream stream = Stream(seed, index, MINE_COUNT)
    cdef int32_t cell, mines
    cdef int i
    with nogil:
        for i in range(tries):
            mines = 0
            for cell in range(cells):
                mines += (stream.word() >> 11) < threshold
            if mines <= most:
                with gil:
                    return mines
    return -1


def words(uint64_t seed, uint64_t index, uint64_t purpose, int count):
    """The first ``count`` words of a stream, for comparison with NumPy."""
    cdef Stream stream = Stream(seed, index, purpose)
    return [stream.word() for _ in range(count)]
