// The states of a component: what its open clues still miss, after each box in turn.
//
// `States` is the graph of them, layer by layer, with an edge for each number of mines that a box may hold; it knows no
// weights. `Sweep` makes it, and keeps its workspace for the next one. A state is kept as four bits per clue while its layer
// is made, and forgotten after that: edges are all that the passes over the graph need.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "component.hpp"
#include "order.hpp"
#include "limit.hpp"

namespace mineproof {

struct State {
    std::int32_t low, length;     // numbers of mines used: low .. low + length - 1
    std::uint32_t weights, bits;  // where its weights and bits begin
    int words() const { return (length + 63) >> 6; }
};

struct Edge {
    std::uint32_t from, to;
    std::int32_t mines;  // mines in the box
};

struct States {
    std::vector<std::int32_t> order;  // order of the boxes
    std::vector<State> all;
    std::vector<Edge> edges;
    std::vector<std::size_t> layer_of, edges_of;  // first state before each box and after the last; first edge of each
    std::size_t weights = 0, bits = 0;            // sums over all states
    std::size_t widest = 0;                       // layer
    bool solvable = false;

    void clear() {
        all.clear();
        edges.clear();
        layer_of.clear();
        edges_of.clear();
        weights = bits = 0;
        widest = 1;
        solvable = false;
    }
    const State& end() const { return all.back(); }
    const Edge* first_edge(std::size_t step) const { return edges.data() + edges_of[step]; }
    const Edge* last_edge(std::size_t step) const {
        return edges.data() + (step + 1 < edges_of.size() ? edges_of[step + 1] : edges.size());
    }
    std::size_t bytes() const { return all.capacity() * sizeof(State) + edges.capacity() * sizeof(Edge); }
};

class Sweep {
public:
    enum Outcome { DONE, TOO_WIDE, STOPPED };

    // At most this many states in a layer, and no more memory than the limit allows.
    Outcome run(const Component& component, std::size_t most_states, Limit& limit, States& into) {
        // Most components are easy in any sensible order: one greedy order is tried first.
        if (order_.quick(component, limit)) {
            const Outcome easy = build_any(component, std::min(EASY, most_states), limit, into);
            if (easy != TOO_WIDE || most_states <= EASY) return easy;
        }
        if (limit.stopped) return STOPPED;
        if (order_.careful(component, limit) && order_.cost() <= limit.most_cost)
            return build_any(component, most_states, limit, into);
        return limit.stopped ? STOPPED : TOO_WIDE;
    }

    std::size_t bytes() const {
        return (keys_.capacity() + next_keys_.capacity()) * sizeof(std::uint64_t) + table_.capacity() * sizeof(Slot);
    }

private:
    static constexpr std::size_t EASY = 200;

    template <int W>
    struct Key {
        std::uint64_t word[W] = {};
        bool operator==(const Key& other) const { return std::memcmp(word, other.word, sizeof word) == 0; }
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
    template <int W>
    static Key<W> load(const std::vector<std::uint64_t>& keys, std::size_t i) {
        Key<W> key;
        std::memcpy(key.word, keys.data() + i * W, sizeof key.word);
        return key;
    }
    struct Slot {
        std::uint32_t stamp, index;
    };

    Outcome build_any(const Component& component, std::size_t most_states, Limit& limit, States& into) {
        if (order_.most_open() <= 16) return build<1>(component, most_states, limit, into);
        if (order_.most_open() <= 32) return build<2>(component, most_states, limit, into);
        if (order_.most_open() <= 64) return build<4>(component, most_states, limit, into);
        return build<Order::MOST_OPEN / 16>(component, most_states, limit, into);
    }

    template <int W>
    Outcome build(const Component& component, std::size_t most_states, Limit& limit, States& into) {
        into.clear();
        into.order = order_.boxes();
        into.all.push_back({0, 1, 0, 0});
        into.layer_of.push_back(0);
        into.weights = into.bits = 1;
        begin(component);
        keys_.assign(W, 0);
        count_ = 1;
        for (const std::int32_t b : into.order) {
            const Box& box = component.boxes[b];
            Key<W> opening, step;
            int slots[8];
            std::int32_t later[8];  // cells still to come, by clue
            for (int k = 0; k < box.clue_count; ++k) {
                const std::int32_t clue = box.clues[k];
                if (slot_[clue] < 0) {
                    slot_[clue] = free_.back();
                    free_.pop_back();
                    opening.put(slot_[clue], static_cast<std::uint64_t>(component.need[clue]));
                }
                step.put(slot_[clue], 1);
                slots[k] = slot_[clue];
                room_[clue] -= box.size;
                later[k] = room_[clue];
            }
            for (int k = 0; k < box.clue_count; ++k)  // only now: a clue that opens here must not get a slot in use
                if (--left_[box.clues[k]] == 0) free_.push_back(slots[k]);
            const std::uint32_t first = static_cast<std::uint32_t>(into.layer_of.back());
            const std::uint32_t next = static_cast<std::uint32_t>(into.all.size());
            into.edges_of.push_back(into.edges.size());
            next_keys_.clear();
            next_count_ = 0;
            if (++stamp_ == 0) table_.assign(table_.size(), {0, 0}), stamp_ = 1;
            for (std::uint32_t s = 0; s < count_; ++s) {
                Key<W> key = load<W>(keys_, s);
                key.add(opening);
                std::int32_t low = 0, high = box.size;
                for (int k = 0; k < box.clue_count; ++k) {
                    const std::int32_t need = key.get(slots[k]);
                    low = std::max(low, need - later[k]);
                    high = std::min(high, need);
                }
                const State from = into.all[first + s];
                for (std::int32_t j = 0; j < low; ++j) key.subtract(step);
                for (std::int32_t j = low; j <= high; ++j) {
                    const std::uint32_t to = next + find<W>(key);
                    if (to == into.all.size()) {
                        into.all.push_back({from.low + j, from.length, 0, 0});
                    } else {
                        State& state = into.all[to];
                        const std::int32_t bottom = std::min(state.low, from.low + j);
                        state.length = std::max(state.low + state.length, from.low + j + from.length) - bottom;
                        state.low = bottom;
                    }
                    into.edges.push_back({first + s, to, j});
                    key.subtract(step);
                }
                if (!limit.tick(10 * (high - low + 2))) return STOPPED;
                if (next_count_ > most_states) return TOO_WIDE;
                if ((s & 1023) == 1023 && !fits(into, limit)) return TOO_WIDE;
            }
            into.layer_of.push_back(next);
            into.widest = std::max<std::size_t>(into.widest, next_count_);
            if (next_count_ == 0) return DONE;  // no solution
            for (std::size_t s = next; s < into.all.size(); ++s) {
                into.all[s].weights = static_cast<std::uint32_t>(into.weights);
                into.all[s].bits = static_cast<std::uint32_t>(into.bits);
                into.weights += static_cast<std::size_t>(into.all[s].length);
                into.bits += static_cast<std::size_t>(into.all[s].words());
            }
            if (into.weights > UINT32_MAX || !fits(into, limit)) return TOO_WIDE;
            keys_.swap(next_keys_);
            count_ = next_count_;
        }
        into.solvable = true;
        return DONE;
    }

    void begin(const Component& component) {
        slot_.assign(component.need.size(), -1);
        room_.assign(component.need.size(), 0);
        left_.assign(component.need.size(), 0);
        free_.clear();
        for (int s = order_.most_open(); s-- > 0;) free_.push_back(s);
        for (const Box& box : component.boxes)
            for (int k = 0; k < box.clue_count; ++k) {
                room_[box.clues[k]] += box.size;
                ++left_[box.clues[k]];
            }
    }

    // The graph, weights for the passes forward and backward, and what vectors take while they grow.
    bool fits(const States& into, const Limit& limit) const {
        return limit.fits(bytes() + 2 * into.bytes() + 2 * (into.weights + into.bits) * sizeof(double));
    }

    // The number of this state in the next layer, where it is new or there already.
    template <int W>
    std::uint32_t find(const Key<W>& key) {
        if (table_.size() < 2 * std::size_t{next_count_} + 16) grow<W>();
        const std::size_t mask = table_.size() - 1;
        for (std::size_t i = key.hash() & mask;; i = (i + 1) & mask) {
            Slot& slot = table_[i];
            if (slot.stamp != stamp_) {
                slot = {stamp_, next_count_};
                next_keys_.insert(next_keys_.end(), key.word, key.word + W);
                return next_count_++;
            }
            if (std::memcmp(next_keys_.data() + std::size_t{slot.index} * W, key.word, sizeof key.word) == 0)
                return slot.index;
        }
    }

    template <int W>
    void grow() {
        std::size_t size = std::max<std::size_t>(table_.size() * 2, 64);
        while (size < 4 * std::size_t{next_count_}) size *= 2;
        table_.assign(size, {0, 0});
        stamp_ = 1;
        for (std::uint32_t k = 0; k < next_count_; ++k) {
            std::size_t i = load<W>(next_keys_, k).hash() & (size - 1);
            while (table_[i].stamp == stamp_) i = (i + 1) & (size - 1);
            table_[i] = {stamp_, k};
        }
    }

    Order order_;
    std::vector<std::uint64_t> keys_, next_keys_;  // keys of the states of this layer, and of the next one
    std::uint32_t count_ = 0, next_count_ = 0, stamp_ = 0;
    std::vector<Slot> table_;                      // where a key of the next layer is
    std::vector<std::int32_t> slot_, room_, left_, free_;
};

}  // namespace mineproof
