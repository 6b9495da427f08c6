// A component of the frontier: clues that hang together, and the unknown cells around them in boxes.
#pragma once
#include <cstdint>
#include <vector>

namespace mineproof {

// Unknown cells that exactly the same clues see. A cell has at most eight clues around it.
struct Box {
    std::int32_t first, size;  // its cells in Component::cells
    std::int32_t clue_count;
    std::int32_t clues[8];
};

// The boxes of a clue: at most eight, as it has at most eight neighbours.
struct BoxList {
    std::int32_t count = 0, box[8];
    const std::int32_t* begin() const { return box; }
    const std::int32_t* end() const { return box + count; }
    void add(std::int32_t b) { box[count++] = b; }
};

struct Component {
    std::vector<std::int32_t> need;   // by clue: mines that it still misses
    std::vector<std::int32_t> clues;  // by clue: its cell
    std::vector<Box> boxes;
    std::vector<std::int32_t> cells;

    void clear() {
        need.clear();
        clues.clear();
        boxes.clear();
        cells.clear();
    }
};

}  // namespace mineproof
