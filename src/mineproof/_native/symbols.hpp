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
    GIVEN = 'S',       // closed, and named safe by the game
};

}  // namespace mineproof
