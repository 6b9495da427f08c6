// One component, counted: passes forward and backward over its states.
//
// Each state carries, by the number of mines used so far, a weight (binomials times tilt^mines, scaled) and a bit. The bit
// says whether that number of mines can be reached at all. Certainty is decided by bits alone; weights only say how likely.
// A chain that was counted does not change any more: passes backward write into a `Back` of the caller's.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "bits.hpp"
#include "combination.hpp"
#include "component.hpp"
#include "philox.hpp"
#include "states.hpp"
#include "limit.hpp"

namespace mineproof {

inline int choose(int n, int k) {
    static const int table[9][9] = {
        {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1},
        {1, 7, 21, 35, 35, 21, 7, 1}, {1, 8, 28, 56, 70, 56, 28, 8, 1}};
    return table[n][k];
}

// A box, when the rest of the board is given its weight.
struct Verdict {
    double mean;                     // expected mines in the box
    bool can_be_safe, can_be_mined;  // whether a cell of the box can be
    unsigned char ways() const { return static_cast<unsigned char>(can_be_safe + 2 * can_be_mined); }
};

class Chain {
public:
    // Workspace of passes backward, and what the last one found for each box.
    struct Back {
        std::unique_ptr<double[]> weight;  // weights of the layers; each layer has its part from when it is reached
        std::size_t room = 0;
        std::vector<std::uint64_t> leads;  // whether a solution can be reached from here
        std::vector<Verdict> verdicts;
    };

    Sweep::Outcome forward(const Component& component, double tilt, std::size_t most_states, Sweep& sweep, Limit& limit) {
        tilt_ = tilt;
        const Sweep::Outcome outcome = sweep.run(component, most_states, limit, states_);
        if (outcome != Sweep::DONE || !states_.solvable) return outcome;
        return weigh(component, limit) ? Sweep::DONE : Sweep::STOPPED;
    }

    bool has_solution() const { return states_.solvable; }
    const States& states() const { return states_; }

    // The solutions by their number of mines.
    void write_to(Row& row) const {
        const State& end = states_.end();
        row.reset(end.low, end.low + end.length - 1);
        row.log_scale = log_scale_;
        for (int i = 0; i < end.length; ++i) {
            row.weight[i] = forward_[end.weights + i];
            row.possible[i] = has_bit(reached_.data() + end.bits, i);
        }
    }

    // A bound on the number of ways to any state of a layer, with any number of mines, in bits; infinite where weights went
    // below the range of floats.
    double log2_most(std::size_t layer) const {
        double most = 0;
        const double per_mine = std::log2(tilt_), scale = layer_scale_[layer] / std::log(2.0);
        const std::size_t last = layer + 1 < states_.layer_of.size() ? states_.layer_of[layer + 1] : states_.all.size();
        for (std::size_t s = states_.layer_of[layer]; s < last; ++s) {
            const State& state = states_.all[s];
            for (std::int32_t i = 0; i < state.length; ++i) {
                const double w = forward_[state.weights + i];
                if (!(w > 1e-290)) {
                    if (has_bit(reached_.data() + state.bits, i)) return std::numeric_limits<double>::infinity();
                    continue;
                }
                most = std::max(most, std::log2(w) + scale - per_mine * (state.low + i));
            }
        }
        return most;
    }

    std::size_t bytes() const {
        return states_.bytes() + forward_.capacity() * sizeof(double) + reached_.capacity() * sizeof(std::uint64_t);
    }

    // What each box holds when the rest of the board weighs this much for each number of mines here; false when time runs out.
    bool backward(const Component& component, const double* seed, const unsigned char* seed_possible, Back& back,
                  Limit& limit) const {
        if (back.room < forward_.size()) {
            back.weight.reset(new double[forward_.size()]);
            back.room = forward_.size();
        }
        back.leads.assign(reached_.size(), 0);
        back.verdicts.resize(component.boxes.size());
        const State& end = states_.end();
        for (int i = 0; i < end.length; ++i) {
            back.weight[end.weights + i] = seed[i];
            if (seed_possible[i]) back.leads[end.bits + (i >> 6)] |= std::uint64_t{1} << (i & 63);
        }
        for (std::size_t step = states_.order.size(); step-- > 0;) {
            const std::int32_t b = states_.order[step];
            if (!back_over(step, component.boxes[b], back, back.verdicts[b], limit)) return false;
        }
        return true;
    }

    // A uniform solution with this many mines: calls with each box and the mines in it.
    template <class Work>
    void sample(const Component& component, int used, Stream& stream, Work work) const {
        std::uint32_t at = static_cast<std::uint32_t>(states_.all.size() - 1);
        for (std::size_t step = states_.order.size(); step-- > 0;) {
            const std::int32_t b = states_.order[step];
            const Edge& chosen = pick_edge(step, component.boxes[b], at, used, stream);
            work(b, chosen.mines);
            used -= chosen.mines;
            at = chosen.from;
        }
    }

private:
    bool weigh(const Component& component, Limit& limit) {
        forward_.clear();  // and layer by layer again: new memory takes its time, too
        forward_.reserve(states_.weights);
        forward_.push_back(1);
        reached_.assign(states_.bits, 0);
        reached_[0] = 1;
        log_scale_ = 0;
        layer_scale_.assign(1, 0.0);
        for (std::size_t step = 0; step < states_.order.size(); ++step) {
            double factor[9];
            factors(component.boxes[states_.order[step]], factor);
            forward_.resize(last_weight(step + 1), 0.0);
            for (const Edge* e = states_.first_edge(step); e < states_.last_edge(step); ++e) {
                const State &from = states_.all[e->from], &to = states_.all[e->to];
                const int shift = from.low + e->mines - to.low;
                const double* source = forward_.data() + from.weights;
                double* target = forward_.data() + to.weights + shift;
                const double f = factor[e->mines];
                for (int i = 0; i < from.length; ++i) target[i] += f * source[i];
                or_left(reached_.data() + to.bits, to.words(), reached_.data() + from.bits, from.words(), shift);
                if (!limit.tick(from.length + 4)) return false;
            }
            rescale(step + 1);
            layer_scale_.push_back(log_scale_);
        }
        return true;
    }

    void factors(const Box& box, double (&factor)[9]) const {
        double power = 1;
        for (int j = 0; j <= box.size; ++j, power *= tilt_) factor[j] = choose(box.size, j) * power;
    }

    std::size_t first_weight(std::size_t layer) const { return states_.all[states_.layer_of[layer]].weights; }
    std::size_t last_weight(std::size_t layer) const {
        return layer + 1 < states_.layer_of.size() ? first_weight(layer + 1) : states_.weights;
    }

    // Keep weights near 1, remembering by how much; what is too small to matter becomes 0, and its bit stays.
    void rescale(std::size_t layer) {
        const std::size_t first = first_weight(layer), last = last_weight(layer);
        double most = 0;
        for (std::size_t i = first; i < last; ++i) most = std::max(most, forward_[i]);
        if ((most > 1e-100 && most < 1e100) || !(most > 0)) return;
        for (std::size_t i = first; i < last; ++i) forward_[i] /= most;
        log_scale_ += std::log(most);
    }

    bool back_over(std::size_t step, const Box& box, Back& back, Verdict& verdict, Limit& limit) const {
        double factor[9], mass = 0, mines = 0, most = 0;
        factors(box, factor);
        std::fill(back.weight.get() + first_weight(step), back.weight.get() + last_weight(step), 0.0);
        bool safe = false, mined = false;
        for (const Edge* e = states_.first_edge(step); e < states_.last_edge(step); ++e) {
            const State &from = states_.all[e->from], &to = states_.all[e->to];
            const int shift = from.low + e->mines - to.low;
            const double *f = forward_.data() + from.weights, *after = back.weight.get() + to.weights + shift;
            double* before = back.weight.get() + from.weights;
            double meet = 0;
            const double c = factor[e->mines];
            for (int i = 0; i < from.length; ++i) {
                const double b = c * after[i];
                before[i] += b;
                meet += f[i] * b;
                most = std::max(most, before[i]);
            }
            mass += meet;
            mines += meet * e->mines;
            bool possible = false;
            for (int i = 0; i < from.words(); ++i) {
                const std::uint64_t leads = word_right(back.leads.data() + to.bits, to.words(), i, shift);
                possible = possible || (leads & reached_[from.bits + i]);
                back.leads[from.bits + i] |= leads;
            }
            safe = safe || (possible && e->mines < box.size);
            mined = mined || (possible && e->mines > 0);
            if (!limit.tick(from.length + 4)) return false;
        }
        verdict = {mass > 0 ? mines / mass : 0.0, safe, mined};
        if (most > 1e100 || (most < 1e-100 && most > 0))
            for (std::size_t i = first_weight(step); i < last_weight(step); ++i) back.weight[i] /= most;
        return true;
    }

    const Edge& pick_edge(std::size_t step, const Box& box, std::uint32_t to, int used, Stream& stream) const {
        double factor[9], total = 0;
        factors(box, factor);
        const Edge* last = nullptr;
        const auto weight = [&](const Edge& edge) {  // negative: it does not lead here with this many mines
            const State& from = states_.all[edge.from];
            const int i = used - edge.mines - from.low;
            if (edge.to != to || i < 0 || i >= from.length || !has_bit(reached_.data() + from.bits, i)) return -1.0;
            return factor[edge.mines] * forward_[from.weights + i];
        };
        for (const Edge* e = states_.first_edge(step); e < states_.last_edge(step); ++e) total += std::max(0.0, weight(*e));
        double draw = static_cast<double>(stream.word() >> 11) * 0x1p-53 * total;
        for (const Edge* e = states_.first_edge(step); e < states_.last_edge(step); ++e) {
            const double w = weight(*e);
            if (w < 0) continue;
            last = e;
            draw -= w;
            if (draw < 0) break;
        }
        return *last;
    }

    double tilt_ = 1, log_scale_ = 0;
    States states_;
    std::vector<double> forward_, layer_scale_;
    std::vector<std::uint64_t> reached_;
};

}  // namespace mineproof
