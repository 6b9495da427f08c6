cdef extern from "symbols.hpp" namespace "mineproof" nogil:
    const unsigned char HIT, ZERO, EIGHT, SHOWN_MINE, FLAG, HIDDEN, QUESTION, NAMED_SAFE
