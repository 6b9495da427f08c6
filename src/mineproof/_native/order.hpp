// In which order the boxes of a component are counted. The order decides how many states there are.
//
// Greedy: of the boxes next to an open clue, the one that opens fewest new clues less those that it ends.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "component.hpp"
#include "limit.hpp"

namespace mineproof {

class Order {
public:
    static constexpr int MOST_OPEN = 512;  // clues at once: nothing so wide was ever counted

    const std::vector<std::int32_t>& boxes() const { return order_; }
    int most_open() const { return most_open_; }
    double cost() const { return cost_; }  // the approximate number of edges between states

    // From the first box: good enough for most components. False when it is too wide, or time runs out.
    bool quick(const Component& component, Limit& limit) {
        list_boxes(component);
        const double cost = greedy(component, 0, limit);
        order_.swap(trial_);
        most_open_ = open_;
        cost_ = cost;
        return cost >= 0;
    }

    // After quick(): from several ends of the component; the cheapest order is kept.
    bool careful(const Component& component, Limit& limit) {
        const int n = static_cast<int>(component.boxes.size());
        const int starts[6] = {0, n - 1, n / 2, n / 4, 3 * n / 4, n / 8};
        double best = -1;
        for (const int start : starts) {
            const double cost = greedy(component, start, limit);
            if (cost < 0 || (best >= 0 && cost >= best)) continue;
            best = cost_ = cost;
            order_.swap(trial_);
            most_open_ = open_;
        }
        return best >= 0;
    }

private:
    void list_boxes(const Component& component) {
        const auto& boxes = component.boxes;
        boxes_of_.resize(std::max(boxes_of_.size(), component.need.size()));
        for (std::size_t c = 0; c < component.need.size(); ++c) boxes_of_[c].count = 0;
        for (std::size_t b = 0; b < boxes.size(); ++b)
            for (int i = 0; i < boxes[b].clue_count; ++i)
                boxes_of_[boxes[b].clues[i]].add(static_cast<std::int32_t>(b));
    }

    // The cost of an order, in trial_; negative when it is too wide, or time runs out.
    double greedy(const Component& component, int start, Limit& limit) {
        const auto& boxes = component.boxes;
        const std::size_t n = boxes.size(), clues = component.need.size();
        left_.assign(clues, 0);
        room_.assign(clues, 0);
        opened_.assign(clues, 0);
        for (std::size_t c = 0; c < clues; ++c) {
            left_[c] = boxes_of_[c].count;
            for (const std::int32_t b : boxes_of_[c]) room_[c] += boxes[b].size;
        }
        waiting_.assign(n, 0);
        done_.assign(n, 0);
        near_.clear();
        trial_.clear();
        score_.resize(n);  // clues that a box would open, less those that it would end
        for (std::size_t b = 0; b < n; ++b) {
            score_[b] = boxes[b].clue_count;
            for (int k = 0; k < boxes[b].clue_count; ++k) score_[b] -= left_[boxes[b].clues[k]] == 1;
        }
        near_.push_back(start);
        waiting_[start] = 1;
        double cost = 0, log_states = 0;
        int open = 0;
        open_ = 0;
        while (!near_.empty()) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < near_.size(); ++i)
                if (score_[near_[i]] < score_[near_[best]]) best = i;
            if (!limit.tick(static_cast<std::int64_t>(near_.size()))) return -1;
            const std::int32_t b = near_[best];
            near_[best] = near_.back();
            near_.pop_back();
            trial_.push_back(b);
            const Box& box = boxes[b];
            for (int k = 0; k < box.clue_count; ++k) {
                const std::int32_t clue = box.clues[k];
                if (!opened_[clue]) {
                    opened_[clue] = 1;
                    ++open;
                    for (const std::int32_t next : boxes_of_[clue]) {
                        --score_[next];
                        if (!waiting_[next]) waiting_[next] = 1, near_.push_back(next);
                    }
                } else {
                    log_states -= spread(component, clue);
                }
            }
            open_ = std::max(open_, open);
            if (open_ > MOST_OPEN) return -1;
            done_[b] = 1;
            for (int k = 0; k < box.clue_count; ++k) {
                const std::int32_t clue = box.clues[k];
                room_[clue] -= box.size;
                if (--left_[clue] == 0) {
                    --open;
                    continue;
                }
                log_states += spread(component, clue);
                if (left_[clue] == 1)
                    for (const std::int32_t next : boxes_of_[clue]) score_[next] -= !done_[next];
            }
            cost += std::exp2(std::min(log_states, 500.0)) * (box.size + 1);
        }
        return cost;
    }

    // How many values (as a logarithm) what an open clue misses can have: at most need, at most the cells to come.
    double spread(const Component& component, std::int32_t clue) const {
        static const double log2_of[10] = {0, 0, 1, 1.585, 2, 2.322, 2.585, 2.807, 3, 3.17};
        return log2_of[std::min(std::min(component.need[clue], room_[clue]), 8) + 1];
    }

    int most_open_ = 0, open_ = 0;
    double cost_ = 0;
    std::vector<std::int32_t> order_, trial_, left_, room_, near_, score_;
    std::vector<unsigned char> opened_, waiting_, done_;
    std::vector<BoxList> boxes_of_;
};

}  // namespace mineproof
