cdef extern from "symbols.hpp" namespace "mineproof" nogil:
    const unsigned char HIT, ZERO, EIGHT, SHOWN_MINE, FLAG, HIDDEN, QUESTION, NAMED_SAFE
    bint is_symbol(unsigned char symbol)
    bint is_closed(unsigned char symbol)


cdef inline int check_symbols(const unsigned char[::1] symbols) except -1:
    """At the border: compiled code trusts what a cell shows."""
    cdef Py_ssize_t i
    for i in range(symbols.shape[0]):
        if not is_symbol(symbols[i]):
            raise ValueError("this is no symbol of a position")
    return 0
