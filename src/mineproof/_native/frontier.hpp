// What a position leaves open: clues that miss mines, boxes of unknown cells that look alike, components.
//
// The same cut as mineproof.odds.frontier, which is written to be read; this one is written to be run.
#pragma once
#include <cstdint>
#include <vector>

#include "numbers.hpp"
#include "symbols.hpp"

namespace mineproof {

// Unknown cells that exactly the same clues see. A cell has at most eight clues around it.
struct Box {
    std::int32_t first, size;  // its cells in Component::cells
    std::int32_t clue_count;
    std::int32_t clues[8];
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

class Frontier {
public:
    // Components are kept for reuse: only the first component_count() are of this position.
    std::vector<Component> components;
    std::vector<std::int32_t> rest;   // unknown cells that no clue sees
    std::vector<std::int32_t> given;  // closed cells that the game has named safe
    std::int32_t known_mines = 0, unknown_cells = 0;
    bool contradiction = false;  // a clue that its own neighbours cannot satisfy

    std::size_t component_count() const { return count_; }

    void read(std::int32_t rows, std::int32_t cols, const unsigned char* symbols) {
        const std::int32_t stride = cols + 2;
        std::int32_t around[8];
        neighbour_steps(cols, around);
        shown_.assign(static_cast<std::size_t>(rows + 2) * stride, 0);
        for (std::int32_t r = 0; r < rows; ++r)
            for (std::int32_t c = 0; c < cols; ++c)
                shown_[(r + 1) * stride + c + 1] = symbols[static_cast<std::size_t>(r) * cols + c];
        rest.clear();
        given.clear();
        clue_at_.clear();
        need_.clear();
        known_mines = unknown_cells = 0;
        contradiction = false;
        number_.assign(shown_.size(), -1);

        for (std::int32_t r = 1; r <= rows; ++r)
            for (std::int32_t at = r * stride + 1; at <= r * stride + cols; ++at) {
                const unsigned char symbol = shown_[at];
                if (symbol == HIT || symbol == SHOWN_MINE) ++known_mines;
                if (symbol == GIVEN) given.push_back(plain(at, stride, cols));
                if (symbol < ZERO || symbol > EIGHT) continue;
                std::int32_t need = symbol - ZERO, unknown = 0;
                for (const std::int32_t step : around) {
                    const unsigned char next = shown_[at + step];
                    unknown += is_unknown(next);
                    need -= next == HIT || next == SHOWN_MINE;
                }
                if (need < 0 || need > unknown) contradiction = true;
                if (unknown == 0) continue;
                number_[at] = static_cast<std::int32_t>(clue_at_.size());
                clue_at_.push_back(at);
                need_.push_back(need);
            }
        make_boxes(rows, cols, stride, around);
        make_components(stride, cols);
    }

private:
    struct RawBox {
        std::int32_t clue_count, clues[8], first_cell, last_cell, size;
    };

    static bool is_unknown(unsigned char symbol) {
        return symbol == HIDDEN || symbol == FLAG || symbol == QUESTION;
    }
    static std::int32_t plain(std::int32_t at, std::int32_t stride, std::int32_t cols) {
        return (at / stride - 1) * cols + at % stride - 1;
    }

    std::int32_t leader(std::int32_t clue) {
        while (leader_[clue] != clue) clue = leader_[clue] = leader_[leader_[clue]];
        return clue;
    }

    void make_boxes(std::int32_t rows, std::int32_t cols, std::int32_t stride, const std::int32_t (&around)[8]) {
        raw_.clear();
        next_cell_.assign(shown_.size(), 0);
        boxes_of_clue_.assign(clue_at_.size(), {});
        for (std::int32_t r = 1; r <= rows; ++r)
            for (std::int32_t at = r * stride + 1; at <= r * stride + cols; ++at) {
                if (!is_unknown(shown_[at])) continue;
                ++unknown_cells;
                RawBox box{};
                for (const std::int32_t step : around)
                    if (number_[at + step] >= 0) box.clues[box.clue_count++] = number_[at + step];
                if (box.clue_count == 0) {
                    rest.push_back(plain(at, stride, cols));
                    continue;
                }
                // Cells that look alike share their first clue, which few boxes have.
                auto& same = boxes_of_clue_[box.clues[0]];
                std::int32_t found = -1;
                for (std::int32_t i = 0; i < same.count && found < 0; ++i)
                    if (equal(raw_[same.box[i]], box)) found = same.box[i];
                if (found < 0) {
                    found = static_cast<std::int32_t>(raw_.size());
                    box.first_cell = box.last_cell = at;
                    box.size = 1;
                    raw_.push_back(box);
                    same.box[same.count++] = found;
                } else {
                    next_cell_[raw_[found].last_cell] = at;
                    raw_[found].last_cell = at;
                    ++raw_[found].size;
                }
            }
    }

    static bool equal(const RawBox& a, const RawBox& b) {
        if (a.clue_count != b.clue_count) return false;
        for (std::int32_t i = 0; i < a.clue_count; ++i)
            if (a.clues[i] != b.clues[i]) return false;
        return true;
    }

    void make_components(std::int32_t stride, std::int32_t cols) {
        const std::int32_t clue_count = static_cast<std::int32_t>(clue_at_.size());
        leader_.resize(clue_count);
        for (std::int32_t i = 0; i < clue_count; ++i) leader_[i] = i;
        for (const RawBox& box : raw_)
            for (std::int32_t i = 1; i < box.clue_count; ++i) leader_[leader(box.clues[i])] = leader(box.clues[0]);
        count_ = 0;
        component_of_.assign(clue_count, -1);
        place_.resize(clue_count);
        for (std::int32_t i = 0; i < clue_count; ++i) {
            const std::int32_t head = leader(i);
            if (component_of_[head] < 0) {
                component_of_[head] = static_cast<std::int32_t>(count_++);
                if (components.size() < count_) components.emplace_back();
                components[count_ - 1].clear();
            }
            component_of_[i] = component_of_[head];
            Component& component = components[component_of_[i]];
            place_[i] = static_cast<std::int32_t>(component.need.size());
            component.need.push_back(need_[i]);
            component.clues.push_back(plain(clue_at_[i], stride, cols));
        }
        for (const RawBox& raw : raw_) {
            Component& component = components[component_of_[raw.clues[0]]];
            Box box{};
            box.first = static_cast<std::int32_t>(component.cells.size());
            box.size = raw.size;
            box.clue_count = raw.clue_count;
            for (std::int32_t i = 0; i < raw.clue_count; ++i) box.clues[i] = place_[raw.clues[i]];
            std::int32_t at = raw.first_cell;
            for (std::int32_t i = 0; i < raw.size; ++i, at = next_cell_[at])
                component.cells.push_back(plain(at, stride, cols));
            component.boxes.push_back(box);
        }
    }

    struct BoxesOfClue {
        std::int32_t count = 0, box[8];  // a clue has at most eight unknown cells around it
    };

    std::size_t count_ = 0;
    std::vector<unsigned char> shown_;
    std::vector<std::int32_t> number_, clue_at_, need_, next_cell_, leader_, component_of_, place_;
    std::vector<RawBox> raw_;
    std::vector<BoxesOfClue> boxes_of_clue_;
};

}  // namespace mineproof
