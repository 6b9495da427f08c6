// A component of the frontier: connected clues, and the unknown cells around them in boxes.
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

// Cuts clues and boxes that need not be connected into components that are. The boxes keep their `first`, which so tells
// where each came from; clues and cells are not named in the parts.
class Splitter {
public:
    // False when a clue needs more mines than it has cells, or fewer than 0.
    bool split(const Component& whole) {
        const std::size_t clues = whole.need.size();
        leader_.resize(clues);
        room_.assign(clues, 0);
        for (std::size_t c = 0; c < clues; ++c) leader_[c] = static_cast<std::int32_t>(c);
        for (const Box& box : whole.boxes)
            for (std::int32_t i = 0; i < box.clue_count; ++i) {
                room_[box.clues[i]] += box.size;
                leader_[find(box.clues[i])] = find(box.clues[0]);
            }
        for (std::size_t c = 0; c < clues; ++c)
            if (whole.need[c] < 0 || whole.need[c] > room_[c]) return false;
        count_ = 0;
        group_.assign(clues, -1);
        number_.resize(clues);
        for (std::size_t c = 0; c < clues; ++c) {
            if (room_[c] == 0) continue;
            std::int32_t& group = group_[find(static_cast<std::int32_t>(c))];
            if (group < 0) {
                group = static_cast<std::int32_t>(count_++);
                if (parts_.size() < count_) parts_.emplace_back();
                parts_[group].clear();
            }
            number_[c] = static_cast<std::int32_t>(parts_[group].need.size());
            parts_[group].need.push_back(whole.need[c]);
        }
        for (const Box& box : whole.boxes) {
            Box copy = box;
            for (std::int32_t i = 0; i < box.clue_count; ++i) copy.clues[i] = number_[box.clues[i]];
            parts_[group_[find(box.clues[0])]].boxes.push_back(copy);
        }
        return true;
    }

    std::size_t count() const { return count_; }
    const Component& part(std::size_t i) const { return parts_[i]; }

private:
    std::int32_t find(std::int32_t clue) {
        while (leader_[clue] != clue) clue = leader_[clue] = leader_[leader_[clue]];
        return clue;
    }

    std::size_t count_ = 0;
    std::vector<Component> parts_;
    std::vector<std::int32_t> leader_, room_, group_, number_;
};

}  // namespace mineproof
