"""Wrong on purpose, and only in the build of ``make sanitize``: each fault must be seen, or the sanitizers do not look.

``self_check.py`` calls each of them in a process of its own.
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t
from libcpp.vector cimport vector


cdef extern from *:
    """
    #include <cstdint>
    #include <memory>
    #include <vector>

    // `volatile`, so that no compiler finds out before.
    static inline int past_the_end(int cells) {
        volatile int at = cells;
        std::unique_ptr<unsigned char[]> board(new unsigned char[cells]());
        return board[at];
    }
    static inline int past_the_size(int cells) {  // of a vector that has room for more
        std::vector<unsigned char> board(cells);
        board.reserve(4 * cells);
        const unsigned char* data = board.data();
        volatile int at = cells + 8;
        return data[at];
    }
    static inline int after_its_end() {
        std::unique_ptr<int> cell(new int(1));
        int* volatile kept = cell.get();
        cell.reset();
        return *kept;
    }
    static inline std::int32_t too_large(std::int32_t rows, std::int32_t cols) {
        volatile std::int32_t cells = rows;
        return cells * cols;
    }
    static inline std::int32_t no_number() {
        volatile double odds = 0;
        return static_cast<std::int32_t>(odds / odds);
    }
    """
    int past_the_end(int cells)
    int past_the_size(int cells)
    int after_its_end()
    int32_t too_large(int32_t rows, int32_t cols)
    int32_t no_number()


def nothing():
    """All is well."""
    return too_large(16, 30)


def read_past_the_end():
    return past_the_end(64)


def read_past_the_size():
    return past_the_size(64)


def read_what_was_freed():
    return after_its_end()


def read_past_bytes():
    """What Python allocates is watched too."""
    cdef bytes board = bytes(bytearray(1000))
    cdef int at = 1000 + 8
    return PyBytes_AS_STRING(board)[at]


def multiply_too_far():
    return too_large(1 << 16, 1 << 16)


def convert_no_number():
    return no_number()


def index_too_far():
    """The checks of the debug build are there, too."""
    cdef vector[int] cells
    cdef int[::1] view
    import array
    view = array.array("i", [1, 2, 3])
    cells.resize(3)
    return view[cells.size()]


def index_a_vector_too_far():
    cdef vector[int] cells
    cells.resize(3)
    return cells[cells.size()]
