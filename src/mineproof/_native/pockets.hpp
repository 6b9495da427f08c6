// Pockets: a few cells in which mines can change places unnoticed, so that no board with a pocket is cleared
// without a guess.
//
// The reason, for any set of cells: if the mines in it can be laid in another way, as many of them, such that every safe cell
// outside shows the same number as before, then nothing that is opened outside tells the two ways apart; so no cell in which
// they differ is ever certain. The number of mines does not help, because it is the same. Three kinds are looked for:
//
//     #ab#    a mine and a safe cell side by side (or one above the other). Whatever sees one of
//     #  #    them and not the other is a mine, or outside the board.
//
//     #  #    Four cells in a square, mines in two opposite corners. Whatever sees one cell of
//      ab     the square only, the four cells at its corners, is a mine or outside. Everything
//      ba     else sees both kinds alike.
//     #  #
//
// They are some of the pockets, not all; most boards that end in a coin flip have one of these.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mineproof {

enum Pocket : unsigned char { NO_POCKET = 0, SIDE_BY_SIDE = 1, ONE_ABOVE = 2, SQUARE = 4 };

// Writes the kinds of the pockets that have their top left cell there; true when there is any. The arrays have a border
// such that two rows and two columns from any cell are still in them. `mine` is 1 for a mine, `wall` for a mine or outside, `closed` for cells
// inside that are not open from the beginning.
inline bool find_pockets(const unsigned char* mine, const unsigned char* wall, const unsigned char* closed,
                         std::int32_t stride, std::size_t size, std::vector<unsigned char>& kind) {
    const std::int32_t s = stride;
    const std::size_t first = static_cast<std::size_t>(2 * s), last = size - static_cast<std::size_t>(2 * s + 2);
    kind.assign(size, NO_POCKET);
    unsigned char any = 0;
    for (std::size_t at = first; at < last; ++at) {  // bytes and no branches: the compiler makes vectors of it
        const unsigned char *m = mine + at, *w = wall + at, *c = closed + at;
        const unsigned char beside = m[0] ^ m[1], below = m[0] ^ m[s];
        const unsigned char two = c[0] & c[1], high = c[0] & c[s], four = two & c[s] & c[s + 1];
        const unsigned char side = two & beside & w[-s - 1] & w[-1] & w[s - 1] & w[-s + 2] & w[2] & w[s + 2];
        const unsigned char above = high & below & w[-s - 1] & w[-s] & w[-s + 1] & w[2 * s - 1] & w[2 * s] & w[2 * s + 1];
        const unsigned char opposite = beside & below & (m[1] ^ m[s + 1]);
        const unsigned char square = four & opposite & w[-s - 1] & w[-s + 2] & w[2 * s - 1] & w[2 * s + 2];
        kind[at] = static_cast<unsigned char>(side * SIDE_BY_SIDE | above * ONE_ABOVE | square * SQUARE);
        any |= kind[at];
    }
    return any;
}

}  // namespace mineproof
