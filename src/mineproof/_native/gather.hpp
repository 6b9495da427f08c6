// Connected clues on a board, and the component that they form.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "board.hpp"
#include "component.hpp"
#include "counted.hpp"
#include "limit.hpp"

namespace mineproof {

class Gatherer {
public:
    void reset(std::size_t padded_size) {
        stamp_.assign(padded_size, 0);
        number_.assign(padded_size, -1);
        next_cell_.resize(padded_size);
        now_ = 0;
    }

    // The clues connected with this one through unknown cells, none when it has no unknown cell; `work` is called with each
    // except the first. INCONSISTENT when one of them cannot be right, STOPPED when time runs out.
    template <class Work>
    Outcome gather(const Board& board, std::int32_t seed, Limit& limit, Work work) {
        ++now_;
        group_.assign(1, seed);
        stamp_[seed] = now_;
        for (std::size_t head = 0; head < group_.size(); ++head) {
            const std::int32_t clue = group_[head];
            std::int32_t unknown = 0;
            const std::int32_t need = board.need_of(clue);
            for (const std::int32_t step : board.around()) {
                const std::int32_t at = clue + step;
                if (!board.is_unknown(at)) continue;
                ++unknown;
                for (const std::int32_t to_clue : board.around()) {
                    const std::int32_t next = at + to_clue;
                    if (board.clue_at(next) && stamp_[next] != now_) {
                        stamp_[next] = now_;
                        work(next);
                        group_.push_back(next);
                    }
                }
            }
            if (need < 0 || need > unknown) return Outcome::INCONSISTENT;
            if (unknown == 0) group_.clear();  // only ever the first
            if (!limit.tick(300)) return Outcome::STOPPED;
        }
        return Outcome::COUNTED;
    }

    bool empty() const { return group_.empty(); }

    // The component of these clues; false when time runs out.
    bool make(const Board& board, Component& component, Limit& limit) {
        component.clear();
        std::sort(group_.begin(), group_.end());
        boxes_of_.assign(group_.size(), {});
        last_.clear();
        for (std::size_t c = 0; c < group_.size(); ++c) number_[group_[c]] = static_cast<std::int32_t>(c);
        ++now_;
        for (const std::int32_t clue : group_) {
            for (const std::int32_t step : board.around()) {
                const std::int32_t at = clue + step;
                if (board.is_unknown(at) && stamp_[at] != now_) {
                    stamp_[at] = now_;
                    add_cell(board, component, at);
                }
            }
            component.clues.push_back(clue);
            component.need.push_back(board.need_of(clue));
            if (!limit.tick(300)) break;
        }
        for (Box& box : component.boxes) {  // so far `first` was the first cell itself; the others are linked to it
            std::int32_t at = box.first;
            box.first = static_cast<std::int32_t>(component.cells.size());
            for (std::int32_t i = 0; i < box.size; ++i, at = next_cell_[at]) component.cells.push_back(at);
        }
        for (const std::int32_t clue : group_) number_[clue] = -1;
        return !limit.stopped;
    }

private:
    void add_cell(const Board& board, Component& component, std::int32_t at) {
        Box box{};
        for (const std::int32_t step : board.around())
            if (board.clue_at(at + step)) box.clues[box.clue_count++] = number_[at + step];
        BoxList& same = boxes_of_[box.clues[0]];
        for (const std::int32_t b : same) {
            Box& other = component.boxes[b];
            if (other.clue_count == box.clue_count && std::equal(box.clues, box.clues + box.clue_count, other.clues)) {
                ++other.size;
                std::int32_t& last = last_[b];
                next_cell_[last] = at;
                last = at;
                return;
            }
        }
        box.size = 1;
        box.first = at;
        same.add(static_cast<std::int32_t>(component.boxes.size()));
        component.boxes.push_back(box);
        last_.push_back(at);
    }

    std::uint32_t now_ = 0;
    std::vector<std::uint32_t> stamp_;
    std::vector<std::int32_t> group_, number_;
    std::vector<BoxList> boxes_of_;
    std::vector<std::int32_t> last_, next_cell_;  // cells of a box, linked while it is made
};

}  // namespace mineproof
