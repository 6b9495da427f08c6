// A component that is too wide to count, and cells of it that a few clues prove by themselves.
//
// Around each clue, the clues nearest to it are taken alone: whatever holds on all their solutions holds on the board. Most
// proofs are that short, and a wide component without the proved cells falls apart into narrow ones.
#pragma once
#include <cstdint>
#include <vector>

#include "chain.hpp"
#include "component.hpp"
#include "limit.hpp"

namespace mineproof {

class Loosener {
public:
    enum Outcome { DONE, INCONSISTENT, STOPPED };

    // Looks around each clue that `wanted` wants, and calls with each box whose cells are all mines, or all safe; it may be
    // called with the same box again.
    template <class Wanted, class Work>
    Outcome loosen(const Component& component, Limit& limit, Wanted wanted, Work work) {
        const std::size_t clues = component.need.size();
        boxes_of_.assign(clues, {});
        for (std::size_t b = 0; b < component.boxes.size(); ++b)
            for (std::int32_t i = 0; i < component.boxes[b].clue_count; ++i)
                boxes_of_[component.boxes[b].clues[i]].add(static_cast<std::int32_t>(b));
        number_.assign(clues, -1);
        taken_.assign(component.boxes.size(), 0);
        for (std::size_t centre = 0; centre < clues; ++centre) {
            if (!wanted(component.clues[centre])) continue;
            gather(component, static_cast<std::int32_t>(centre));
            const Sweep::Outcome outcome = chain_.forward(near_, 1.0, MOST_STATES, sweep_, limit);
            if (outcome == Sweep::STOPPED) return STOPPED;
            if (outcome == Sweep::TOO_WIDE) continue;
            if (!chain_.has_solution()) return INCONSISTENT;
            chain_.write_to(row_);
            if (!chain_.backward(near_, row_.weight.data(), row_.possible.data(), back_, limit)) return STOPPED;
            for (std::size_t b = 0; b < near_.boxes.size(); ++b) {
                const Verdict& verdict = back_.verdicts[b];
                if (!verdict.can_be_safe || !verdict.can_be_mined)
                    work(component.boxes[near_.boxes[b].first], verdict.can_be_mined);
            }
        }
        return DONE;
    }

private:
    static constexpr std::size_t MOST_CLUES = 12, MOST_STATES = 1000;

    // The clues nearest to one, in near_; a box there has its number in the component as its first cell.
    void gather(const Component& component, std::int32_t centre) {
        group_.assign(1, centre);
        number_[centre] = 0;
        for (std::size_t head = 0; head < group_.size() && group_.size() < MOST_CLUES; ++head)
            for (const std::int32_t b : boxes_of_[group_[head]]) {
                const Box& box = component.boxes[b];
                for (std::int32_t i = 0; i < box.clue_count && group_.size() < MOST_CLUES; ++i)
                    if (number_[box.clues[i]] < 0) {
                        number_[box.clues[i]] = static_cast<std::int32_t>(group_.size());
                        group_.push_back(box.clues[i]);
                    }
            }
        near_.clear();
        for (const std::int32_t clue : group_) {
            near_.need.push_back(component.need[clue]);
            for (const std::int32_t b : boxes_of_[clue]) {
                if (taken_[b]) continue;
                taken_[b] = 1;
                const Box& box = component.boxes[b];
                Box copy{b, box.size, 0, {}};
                for (std::int32_t i = 0; i < box.clue_count; ++i)
                    if (number_[box.clues[i]] >= 0) copy.clues[copy.clue_count++] = number_[box.clues[i]];
                near_.boxes.push_back(copy);
            }
        }
        for (const std::int32_t clue : group_) number_[clue] = -1;
        for (const Box& box : near_.boxes) taken_[box.first] = 0;
    }

    Component near_;
    Chain chain_;
    Chain::Back back_;
    Sweep sweep_;
    Row row_;
    std::vector<BoxList> boxes_of_;
    std::vector<std::int32_t> group_, number_;
    std::vector<unsigned char> taken_;
};

}  // namespace mineproof
