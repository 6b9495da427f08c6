// One component, counted: dynamic programming over its boxes, forward and backward.
//
// State: what each open clue still misses, four bits a clue. Each state carries, by the number of mines used so far, a
// weight (binomials times tilt^mines, scaled) and a bit. The bit says whether that number of mines can be reached at
// all. Certainty is decided by bits alone; weights only say how likely.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "combination.hpp"
#include "component.hpp"
#include "philox.hpp"
#include "watch.hpp"

namespace mineproof {

inline double choose(int n, int k) {
    static const double table[9][9] = {
        {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1},
        {1, 7, 21, 35, 35, 21, 7, 1}, {1, 8, 28, 56, 70, 56, 28, 8, 1}};
    return table[n][k];
}

// ---- bits: dst |= src << by, and dst |= src >> by, over arrays of words ------------------------------------------

inline void or_left(std::uint64_t* dst, int dst_words, const std::uint64_t* src, int src_words, int by) {
    const int whole = by >> 6, part = by & 63;
    for (int i = 0; i < src_words; ++i) {
        if (i + whole < dst_words) dst[i + whole] |= src[i] << part;
        if (part && i + whole + 1 < dst_words) dst[i + whole + 1] |= src[i] >> (64 - part);
    }
}

inline std::uint64_t word_right(const std::uint64_t* src, int src_words, int i, int by) {
    const int whole = by >> 6, part = by & 63;
    std::uint64_t word = i + whole < src_words ? src[i + whole] >> part : 0;
    if (part && i + whole + 1 < src_words) word |= src[i + whole + 1] << (64 - part);
    return word;
}

class Chain {
public:
    struct Verdict {
        double mean;  // expected mines in the box
        bool can_be_safe, can_be_mined;  // whether a cell of the box can be
    };

    // Counts the component; false when the watch stopped it.
    bool forward(const Component& component, double tilt, Watch& watch) {
        component_ = &component;
        tilt_ = tilt;
        list_boxes();
        most_open_ = 0;
        greedy(0, most_open_);
        order_.swap(trial_);
        if (run_any(EASY, watch)) return true;
        if (watch.stopped) return false;
        order_boxes();
        return run_any(SIZE_MAX, watch);
    }

    bool has_solution() const { return end_ >= 0; }

    // The component that was counted has moved.
    void rebind(const Component& component) { component_ = &component; }

    // The solutions by their number of mines.
    void write_to(Row& row) const {
        const State& end = states_[end_];
        row.reset(end.low, end.low + end.length - 1);
        row.log_scale = log_scale_;
        for (int i = 0; i < end.length; ++i) {
            row.weight[i] = forward_[end.weights + i];
            row.possible[i] = reached_[end.bits + (i >> 6)] >> (i & 63) & 1;
        }
    }
    // Memory that the tables hold. A vector that grows holds its old and its new place for a moment.
    std::size_t bytes() const {
        return states_.capacity() * sizeof(State) + edges_.capacity() * sizeof(Edge) +
               (forward_.capacity() + backward_.capacity()) * sizeof(double) +
               (reached_.capacity() + leads_.capacity()) * sizeof(std::uint64_t) + table_.capacity() * sizeof(Slot);
    }
    std::size_t widest() const { return widest_; }

    // What each box holds when the rest of the board weighs this much for each number of mines here.
    void backward(const double* seed, const unsigned char* seed_possible, Verdict* verdicts) {
        backward_.assign(forward_.size(), 0.0);
        leads_.assign(reached_.size(), 0);
        const State& end = states_[end_];
        for (int i = 0; i < end.length; ++i) {
            backward_[end.weights + i] = seed[i];
            if (seed_possible[i]) leads_[end.bits + (i >> 6)] |= std::uint64_t{1} << (i & 63);
        }
        for (std::size_t step = order_.size(); step-- > 0;) back_over(step, verdicts[order_[step]]);
    }

    // A uniform solution with so many mines: adds its mined cells.
    void sample(int used, Stream& stream, std::vector<std::int32_t>& mined) {
        std::uint32_t at = static_cast<std::uint32_t>(end_);
        for (std::size_t step = order_.size(); step-- > 0;) {
            const Box& box = component_->boxes[order_[step]];
            const Edge* chosen = pick_edge(step, at, used, stream);
            place(box, chosen->mines, stream, mined);
            used -= chosen->mines;
            at = chosen->from;
        }
    }

    // Spreads so many mines uniformly over the cells of a box.
    void place(const Box& box, int mines, Stream& stream, std::vector<std::int32_t>& mined) const {
        const std::int32_t* cells = component_->cells.data() + box.first;
        for (int i = 0; i < box.size; ++i) {
            const bool mine = stream.below(static_cast<std::uint32_t>(box.size - i)) < static_cast<std::uint32_t>(mines);
            if (mine) mined.push_back(cells[i]);
            mines -= mine;
        }
    }

private:
    struct State {
        std::int32_t low, length;  // numbers of mines used: low .. low + length - 1
        std::uint32_t weights, bits;
        int words() const { return (length + 63) >> 6; }
    };
    struct Edge {
        std::uint32_t from, to;
        std::int32_t mines;
    };
    template <int W>
    struct Key {
        std::uint64_t word[W] = {};
        bool operator==(const Key& other) const {
            for (int i = 0; i < W; ++i)
                if (word[i] != other.word[i]) return false;
            return true;
        }
        std::uint64_t hash() const {
            std::uint64_t h = 0;
            for (int i = 0; i < W; ++i) h = (h ^ word[i]) * 0x9E3779B97F4A7C15u, h ^= h >> 29;
            return h;
        }
        std::int32_t get(int slot) const { return word[slot >> 4] >> ((slot & 15) * 4) & 15; }
        void put(int slot, std::uint64_t value) { word[slot >> 4] |= value << ((slot & 15) * 4); }
        void subtract(const Key& other) {
            for (int i = 0; i < W; ++i) word[i] -= other.word[i];
        }
        void add(const Key& other) {
            for (int i = 0; i < W; ++i) word[i] += other.word[i];
        }
    };

    // ---- the order of the boxes -----------------------------------------------------------------------------------

    // Most components are easy in any sensible order: one greedy order is tried first, up to so many states in a layer.
    static constexpr std::size_t EASY = 200;

    void list_boxes() {
        const auto& boxes = component_->boxes;
        boxes_of_.resize(std::max(boxes_of_.size(), component_->need.size()));
        for (auto& list : boxes_of_) list.count = 0;
        for (std::size_t b = 0; b < boxes.size(); ++b)
            for (int i = 0; i < boxes[b].clue_count; ++i)
                boxes_of_[boxes[b].clues[i]].add(static_cast<std::int32_t>(b));
    }

    // Greedy from several ends of the component; the cheapest order is kept.
    void order_boxes() {
        const int n = static_cast<int>(component_->boxes.size());
        const int starts[6] = {0, n - 1, n / 2, n / 4, 3 * n / 4, n / 8};
        double best = 0;
        for (int t = 0; t < 6; ++t) {
            int open = 0;
            const double cost = greedy(starts[t], open);
            if (t == 0 || cost < best) {
                best = cost;
                order_.swap(trial_);
                most_open_ = open;
            }
        }
    }

    double greedy(int start, int& most_open) {
        const auto& boxes = component_->boxes;
        const std::size_t n = boxes.size(), clues = component_->need.size();
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
        while (!near_.empty()) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < near_.size(); ++i)
                if (score_[near_[i]] < score_[near_[best]]) best = i;
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
                    log_states -= spread(clue);
                }
            }
            most_open = std::max(most_open, open);
            for (int k = 0; k < box.clue_count; ++k) {
                const std::int32_t clue = box.clues[k];
                room_[clue] -= box.size;
                done_[b] = 1;
                if (--left_[clue] == 0) {
                    --open;
                    continue;
                }
                log_states += spread(clue);
                if (left_[clue] == 1)
                    for (const std::int32_t next : boxes_of_[clue]) score_[next] -= !done_[next];
            }
            cost += std::exp2(std::min(log_states, 500.0)) * (box.size + 1);
        }
        return cost;
    }

    // How many values (as a logarithm) what an open clue misses can have: at most need, at most the cells to come.
    double spread(std::int32_t clue) const {
        static const double log2_of[10] = {0, 0, 1, 1.585, 2, 2.322, 2.585, 2.807, 3, 3.17};
        return log2_of[std::min(std::min(component_->need[clue], room_[clue]), 8) + 1];
    }

    // ---- forward --------------------------------------------------------------------------------------------------

    bool run_any(std::size_t most_states, Watch& watch) {
        if (most_open_ <= 16) return run<1>(most_states, watch);
        if (most_open_ <= 32) return run<2>(most_states, watch);
        if (most_open_ <= 64) return run<4>(most_states, watch);
        if (most_open_ <= 512) return run<32>(most_states, watch);
        watch.stopped = true;  // nothing so wide was ever counted
        return false;
    }

    // False when a layer has more states than allowed, or the watch stopped it.
    template <int W>
    bool run(std::size_t most_states, Watch& watch) {
        const auto& boxes = component_->boxes;
        states_.clear();
        edges_.clear();
        forward_.clear();
        reached_.clear();
        layer_of_.clear();
        edges_of_.clear();
        log_scale_ = 0;
        widest_ = 1;
        end_ = -1;
        std::vector<Key<W>>& keys = keys_<W>();
        std::vector<Key<W>>& next_keys = next_keys_<W>();
        keys.assign(1, Key<W>{});
        slot_.assign(component_->need.size(), -1);
        room_.assign(component_->need.size(), 0);
        left_.assign(component_->need.size(), 0);
        free_.clear();
        for (int s = most_open_; s-- > 0;) free_.push_back(s);
        for (const Box& box : boxes)
            for (int k = 0; k < box.clue_count; ++k) {
                room_[box.clues[k]] += box.size;
                ++left_[box.clues[k]];
            }
        states_.push_back({0, 1, 0, 0});
        forward_.push_back(1.0);
        reached_.push_back(1);
        layer_of_.push_back(0);

        for (const std::int32_t b : order_) {
            const Box& box = boxes[b];
            Key<W> opening, step;
            int slots[8];
            std::int32_t later[8];
            for (int k = 0; k < box.clue_count; ++k) {
                const std::int32_t clue = box.clues[k];
                if (slot_[clue] < 0) {
                    slot_[clue] = free_.back();
                    free_.pop_back();
                    opening.put(slot_[clue], static_cast<std::uint64_t>(component_->need[clue]));
                }
                step.put(slot_[clue], 1);
                slots[k] = slot_[clue];
                room_[clue] -= box.size;
                later[k] = room_[clue];
            }
            for (int k = 0; k < box.clue_count; ++k)  // only now: a clue that opens here must not get a slot in use
                if (--left_[box.clues[k]] == 0) free_.push_back(slots[k]);
            const std::uint32_t first = static_cast<std::uint32_t>(layer_of_.back());
            const std::uint32_t next = static_cast<std::uint32_t>(states_.size());
            edges_of_.push_back(edges_.size());
            next_keys.clear();
            if (++stamp_ == 0) table_.assign(table_.size(), {0, 0}), stamp_ = 1;
            for (std::uint32_t s = 0; s < keys.size(); ++s) {
                Key<W> key = keys[s];
                key.add(opening);
                std::int32_t low = 0, high = box.size;
                for (int k = 0; k < box.clue_count; ++k) {
                    const std::int32_t need = key.get(slots[k]);
                    low = std::max(low, need - later[k]);
                    high = std::min(high, need);
                }
                const State from = states_[first + s];
                for (std::int32_t j = 0; j < low; ++j) key.subtract(step);
                for (std::int32_t j = low; j <= high; ++j) {
                    const std::uint32_t to = next + find(key, next_keys);
                    if (to == states_.size()) {
                        states_.push_back({from.low + j, from.length, 0, 0});
                    } else {
                        State& state = states_[to];
                        const std::int32_t bottom = std::min(state.low, from.low + j);
                        state.length = std::max(state.low + state.length, from.low + j + from.length) - bottom;
                        state.low = bottom;
                    }
                    edges_.push_back({first + s, to, j});
                    key.subtract(step);
                }
                if (!watch.tick(high - low + 2, bytes() + keys.size() * sizeof(key))) return false;
            }
            layer_of_.push_back(next);
            widest_ = std::max(widest_, next_keys.size());
            if (next_keys.empty()) return true;  // no solution
            if (next_keys.size() > most_states) return false;
            if (!fill(box, next, watch)) return false;
            keys.swap(next_keys);
        }
        end_ = static_cast<std::int64_t>(states_.size()) - 1;
        return true;
    }

    // Weights and bits of the states from `next` on, from the edges that lead to them.
    bool fill(const Box& box, std::uint32_t next, Watch& watch) {
        std::size_t weights = forward_.size(), bits = reached_.size();
        for (std::size_t s = next; s < states_.size(); ++s) {
            states_[s].weights = static_cast<std::uint32_t>(weights);
            states_[s].bits = static_cast<std::uint32_t>(bits);
            weights += static_cast<std::size_t>(states_[s].length);
            bits += static_cast<std::size_t>(states_[s].words());
        }
        if (weights > UINT32_MAX || states_.size() > UINT32_MAX / 2) {
            watch.stopped = true;
            return false;
        }
        // The pass backward will want as much again.
        const std::size_t wanted = bytes() + (weights - std::min(weights, forward_.capacity())) * 2 * sizeof(double);
        if (wanted > (1u << 24)) watch.until_next = 0;  // so much that the watch is asked at once
        if (!watch.tick(static_cast<std::int64_t>(weights - forward_.size()), wanted)) return false;
        const std::size_t first_weight = forward_.size();
        forward_.resize(weights, 0.0);
        reached_.resize(bits, 0);
        double factor[9];
        factors(box, factor);
        for (std::size_t e = edges_of_.back(); e < edges_.size(); ++e) {
            const Edge edge = edges_[e];
            const State &from = states_[edge.from], &to = states_[edge.to];
            const int shift = from.low + edge.mines - to.low;
            const double* source = forward_.data() + from.weights;
            double* target = forward_.data() + to.weights + shift;
            const double f = factor[edge.mines];
            for (int i = 0; i < from.length; ++i) target[i] += f * source[i];
            or_left(reached_.data() + to.bits, to.words(), reached_.data() + from.bits, from.words(), shift);
            if (!watch.tick(from.length, 0)) return false;
        }
        rescale(forward_, first_weight, log_scale_);
        return true;
    }

    void factors(const Box& box, double (&factor)[9]) const {
        double power = 1;
        for (int j = 0; j <= box.size; ++j, power *= tilt_) factor[j] = choose(box.size, j) * power;
    }

    // Keep weights near 1, remembering by how much; what is too small to matter becomes 0, and its bit stays.
    static void rescale(std::vector<double>& weights, std::size_t first, double& log_scale) {
        double most = 0;
        for (std::size_t i = first; i < weights.size(); ++i) most = std::max(most, weights[i]);
        if (most > 1e-100 && most < 1e100) return;
        if (!(most > 0)) return;
        for (std::size_t i = first; i < weights.size(); ++i) weights[i] /= most;
        log_scale += std::log(most);
    }

    // ---- backward -------------------------------------------------------------------------------------------------

    void back_over(std::size_t step, Verdict& verdict) {
        const Box& box = component_->boxes[order_[step]];
        const std::size_t last = step + 1 < edges_of_.size() ? edges_of_[step + 1] : edges_.size();
        double factor[9], mass = 0, mines = 0, most = 0;
        factors(box, factor);
        bool safe = false, mined = false;
        for (std::size_t e = edges_of_[step]; e < last; ++e) {
            const Edge edge = edges_[e];
            const State &from = states_[edge.from], &to = states_[edge.to];
            const int shift = from.low + edge.mines - to.low;
            const double *f = forward_.data() + from.weights, *after = backward_.data() + to.weights + shift;
            double* before = backward_.data() + from.weights;
            double meet = 0;
            const double c = factor[edge.mines];
            for (int i = 0; i < from.length; ++i) {
                const double b = c * after[i];
                before[i] += b;
                meet += f[i] * b;
                most = std::max(most, before[i]);
            }
            mass += meet;
            mines += meet * edge.mines;
            bool possible = false;
            for (int i = 0; i < from.words(); ++i) {
                const std::uint64_t leads = word_right(leads_.data() + to.bits, to.words(), i, shift);
                possible = possible || (leads & reached_[from.bits + i]);
                leads_[from.bits + i] |= leads;
            }
            safe = safe || (possible && edge.mines < box.size);
            mined = mined || (possible && edge.mines > 0);
        }
        verdict = {mass > 0 ? mines / mass : 0.0, safe, mined};
        if (most > 1e100 || (most < 1e-100 && most > 0)) {
            const std::size_t first = states_[layer_of_[step]].weights, end = states_[layer_of_[step + 1]].weights;
            for (std::size_t i = first; i < end; ++i) backward_[i] /= most;
        }
    }

    const Edge* pick_edge(std::size_t step, std::uint32_t to, int used, Stream& stream) {
        const Box& box = component_->boxes[order_[step]];
        const std::size_t last = step + 1 < edges_of_.size() ? edges_of_[step + 1] : edges_.size();
        double factor[9], total = 0;
        factors(box, factor);
        const Edge* fallback = nullptr;
        picks_.clear();
        for (std::size_t e = edges_of_[step]; e < last; ++e) {
            const Edge& edge = edges_[e];
            if (edge.to != to) continue;
            const State& from = states_[edge.from];
            const int i = used - edge.mines - from.low;
            if (i < 0 || i >= from.length || !(reached_[from.bits + (i >> 6)] >> (i & 63) & 1)) continue;
            fallback = &edge;
            total += factor[edge.mines] * forward_[from.weights + i];
            picks_.push_back({total, &edge});
        }
        const double draw = static_cast<double>(stream.word() >> 11) * 0x1p-53 * total;
        for (const auto& pick : picks_)
            if (draw < pick.first) return pick.second;
        return fallback;
    }

    // ---- hash table of the next layer -------------------------------------------------------------------------------

    template <int W>
    std::uint32_t find(const Key<W>& key, std::vector<Key<W>>& keys) {
        if (table_.size() < 2 * keys.size() + 16) grow(keys);
        const std::size_t mask = table_.size() - 1;
        for (std::size_t i = key.hash() & mask;; i = (i + 1) & mask) {
            Slot& slot = table_[i];
            if (slot.stamp != stamp_) {
                slot = {stamp_, static_cast<std::uint32_t>(keys.size())};
                keys.push_back(key);
                return slot.index;
            }
            if (keys[slot.index] == key) return slot.index;
        }
    }

    template <int W>
    void grow(const std::vector<Key<W>>& keys) {
        std::size_t size = std::max<std::size_t>(table_.size() * 2, 64);
        while (size < 4 * keys.size()) size *= 2;
        table_.assign(size, {0, 0});
        stamp_ = 1;
        for (std::uint32_t k = 0; k < keys.size(); ++k) {
            std::size_t i = keys[k].hash() & (size - 1);
            while (table_[i].stamp == stamp_) i = (i + 1) & (size - 1);
            table_[i] = {stamp_, k};
        }
    }

    struct Slot {
        std::uint32_t stamp, index;
    };

    template <int W>
    std::vector<Key<W>>& keys_() {
        static thread_local std::vector<Key<W>> keys;
        return keys;
    }
    template <int W>
    std::vector<Key<W>>& next_keys_() {
        static thread_local std::vector<Key<W>> keys;
        return keys;
    }

    const Component* component_ = nullptr;
    double tilt_ = 1, log_scale_ = 0;
    std::int64_t end_ = -1;  // the state after the last box
    int most_open_ = 0;
    std::size_t widest_ = 0;
    std::uint32_t stamp_ = 0;
    std::vector<std::int32_t> order_, trial_, left_, room_, slot_, free_, near_, score_;
    std::vector<unsigned char> opened_, waiting_, done_;
    std::vector<BoxList> boxes_of_;
    std::vector<State> states_;
    std::vector<Edge> edges_;
    std::vector<std::size_t> layer_of_, edges_of_;  // first state before each box (and after the last); first edge of each
    std::vector<double> forward_, backward_;
    std::vector<std::uint64_t> reached_, leads_;
    std::vector<Slot> table_;
    std::vector<std::pair<double, const Edge*>> picks_;
};

}  // namespace mineproof
