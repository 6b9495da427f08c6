// What a cell shows, as in the text form of a position. A number is its digit.
#pragma once

namespace mineproof {

enum Symbol : unsigned char {
    HIT = '*',         // a mine that was opened
    ZERO = '0',
    EIGHT = '8',
    SHOWN_MINE = '?',  // a mine shown when the game was lost
    FLAG = 'F',
    HIDDEN = 'H',
    QUESTION = 'Q',
    NAMED_SAFE = 'S',  // closed, and named safe by the game
};

inline bool is_closed(unsigned char s) { return s == HIDDEN || s == FLAG || s == QUESTION || s == NAMED_SAFE; }
inline bool is_mine(unsigned char s) { return s == HIT || s == SHOWN_MINE; }
inline bool is_clue(unsigned char s) { return s >= ZERO && s <= EIGHT; }
inline bool is_symbol(unsigned char s) { return is_closed(s) || is_mine(s) || is_clue(s); }

}  // namespace mineproof
