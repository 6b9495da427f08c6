// The solutions of a component by their number of mines, as whole numbers of any size.
//
// The pass forward again, over the same states, with integers of as many words as a layer needs. How many that are is read
// off the weights of the chain, or off the number of cells where these are out of range; so no carry is ever lost.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "chain.hpp"
#include "philox.hpp"

namespace mineproof {

class ExactCount {
public:
    std::int32_t words = 1;            // words of a number, the lowest first
    std::vector<std::uint64_t> found;  // for each number of mines that the last state has

    // False when time runs out, or memory.
    bool count(const Component& component, const Chain& chain, Limit& limit) {
        const States& states = chain.states();
        found.assign(1, 1);
        words = 1;
        std::int32_t cells = 0;
        for (std::size_t step = 0; step < states.order.size(); ++step) {
            const Box& box = component.boxes[states.order[step]];
            cells += box.size;
            const std::size_t first = states.all[states.layer_of[step]].weights;
            const std::size_t next = states.all[states.layer_of[step + 1]].weights;
            const std::size_t last =
                step + 2 < states.layer_of.size() ? states.all[states.layer_of[step + 2]].weights : states.weights;
            const double bits = std::min<double>(cells, chain.log2_most(step + 1)) + 2;
            const std::int32_t wider = std::max(words, static_cast<std::int32_t>(bits / 64) + 1);
            if (!limit.fits(((last - next) * wider + found.size()) * sizeof(std::uint64_t))) return false;
            next_.assign((last - next) * wider, 0);
            for (const Edge* e = states.first_edge(step); e < states.last_edge(step); ++e) {
                const State &from = states.all[e->from], &to = states.all[e->to];
                const std::uint64_t* source = found.data() + (from.weights - first) * words;
                std::uint64_t* target = next_.data() + (to.weights - next + from.low + e->mines - to.low) * wider;
                const std::uint64_t factor = static_cast<std::uint64_t>(choose(box.size, e->mines));
                if (wider == 1)
                    for (std::int32_t i = 0; i < from.length; ++i) target[i] += factor * source[i];
                else
                    for (std::int32_t i = 0; i < from.length; ++i) add(target + i * wider, wider, source + i * words, factor);
                if (!limit.tick(std::int64_t{2} * from.length * wider)) return false;
            }
            found.swap(next_);
            words = wider;
        }
        return true;
    }

private:
    // target += factor * source
    void add(std::uint64_t* target, std::int32_t wide, const std::uint64_t* source, std::uint64_t factor) const {
        std::uint64_t carry = 0;
        for (std::int32_t w = 0; w < words; ++w) {
            const Product product = multiply(factor, source[w]);
            const std::uint64_t low = product.low + carry;
            carry = product.high + (low < carry);
            target[w] += low;
            carry += target[w] < low;
        }
        for (std::int32_t w = words; w < wide && carry; ++w) {
            target[w] += carry;
            carry = target[w] < carry;
        }
    }

    std::vector<std::uint64_t> next_;
};

}  // namespace mineproof
