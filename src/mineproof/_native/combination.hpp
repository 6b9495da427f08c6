// Components and what is left of the board, joined by the number of mines on all of it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "row.hpp"
#include "limit.hpp"

namespace mineproof {

// The cells that no clue sees take the mines that the components leave.
struct FreeCells {
    std::int32_t cells, mines;  // mines to be shared out among the components and these cells
    double tilt;

    // Their weight for each number of mines that the components use: binomials, from the likeliest one on.
    void operator()(const Row& used, Row& row) const {
        row.reset(used.low, used.high());
        const std::int32_t fewest = std::max(0, mines - used.high()), most = std::min(cells, mines - used.low);
        if (fewest > most) return;
        const double mode = (cells + 1) * (tilt / (1 + tilt));
        const std::int32_t start = std::min(most, std::max(fewest, static_cast<std::int32_t>(mode)));
        const auto put = [&](std::int32_t r, double w) {
            row.weight[mines - r - row.low] = w;
            row.possible[mines - r - row.low] = 1;
        };
        double w = 1;
        put(start, w);
        for (std::int32_t r = start; r < most; ++r) put(r + 1, w *= tilt * (cells - r) / (r + 1));
        w = 1;
        for (std::int32_t r = start; r > fewest; --r) put(r - 1, w *= r / (tilt * (cells - r + 1)));
        row.log_scale = log_factorial(cells) - log_factorial(start) - log_factorial(cells - start) + start * std::log(tilt);
    }

private:
    static double log_factorial(std::int32_t n) { return std::lgamma(static_cast<double>(n) + 1); }
};

class Combination {
public:
    enum Outcome { FINE, IMPOSSIBLE, TOO_FINE, STOPPED };

    // The parts are the components, each by its number of mines. `closing(used, row)` fills a row, of the same range as
    // `used`, with what everything else weighs for each number of mines that the parts use together.
    template <class Closing>
    Outcome join(const std::vector<const Row*>& parts, const Closing& closing, Limit& limit) {
        parts_ = &parts;
        const std::size_t n = parts.size();
        if (before_.size() < n + 1) before_.resize(n + 1), after_.resize(n + 1);
        before_[0].reset(0, 0);
        before_[0].weight[0] = 1;
        before_[0].possible[0] = 1;
        for (std::size_t c = 0; c < n; ++c) {
            extend(before_[c], *parts[c], before_[c + 1]);
            if (!limit.tick(std::int64_t{before_[c].size()} * parts[c]->size())) return STOPPED;
        }
        closing(before_[n], after_[n]);
        double log_scale = after_[n].log_scale;
        for (std::size_t c = n; c-- > 0;) {
            retract(after_[c + 1], *parts[c], before_[c], after_[c]);
            log_scale += after_[c].log_scale + parts[c]->log_scale;
            if (!limit.tick(std::int64_t{before_[c].size()} * parts[c]->size())) return STOPPED;
        }
        if (!after_[0].possible[0]) return IMPOSSIBLE;
        if (!(after_[0].weight[0] > 0) || !enough()) return TOO_FINE;
        log_weight_ = log_scale;
        return FINE;
    }

    // Of all ways together.
    double log_weight() const { return log_weight_; }

    // What everything except part c can do, by the number of mines in c.
    void outside(std::size_t c, std::vector<double>& seed, std::vector<unsigned char>& possible) const {
        const Row &part = *(*parts_)[c], &before = before_[c], &after = after_[c + 1];
        seed.assign(part.weight.size(), 0.0);
        possible.assign(part.weight.size(), 0);
        for (std::int32_t i = 0; i < part.size(); ++i)
            for (std::int32_t a = 0; a < before.size(); ++a) {
                const std::int32_t m = before.low + a + part.low + i;
                seed[i] += before.weight[a] * after.at(m);
                possible[i] |= before.possible[a] & after.possible_at(m);
            }
    }
    std::int64_t outside_work(std::size_t c) const {
        return std::int64_t{before_[c].size()} * (*parts_)[c]->size();
    }

    // From this many mines used by the parts before c: the ways to finish with c and all that follows.
    const Row& after(std::size_t c) const { return after_[c]; }

    // Calls with each number of mines that the parts can use together, given everything else, and its weight.
    template <class Work>
    void each_total(Work work) const {
        const Row &used = before_[parts_->size()], &row = after_[parts_->size()];
        for (std::int32_t i = 0; i < row.size(); ++i)
            if (used.possible[i] && row.possible[i]) work(row.low + i, used.weight[i] * row.weight[i]);
    }

private:
    static void extend(const Row& from, const Row& part, Row& to) {
        to.reset(from.low + part.low, from.high() + part.high());
        for (std::int32_t a = 0; a < from.size(); ++a)
            for (std::int32_t i = 0; i < part.size(); ++i) {
                to.weight[a + i] += from.weight[a] * part.weight[i];
                to.possible[a + i] |= from.possible[a] & part.possible[i];
            }
        to.normalise();
    }

    static void retract(const Row& from, const Row& part, const Row& like, Row& to) {
        to.reset(like.low, like.high());
        for (std::int32_t a = 0; a < to.size(); ++a)
            for (std::int32_t i = 0; i < part.size(); ++i) {
                const std::int32_t m = to.low + a + part.low + i;
                to.weight[a] += part.weight[i] * from.at(m);
                to.possible[a] |= from.possible_at(m) & part.possible[i];
            }
        to.normalise();
    }

    // Whether the weights that meet are far enough from the end of their range to be trusted to twelve digits.
    bool enough() const {
        const Row &all = before_[parts_->size()], &rest = after_[parts_->size()];
        double meet = 0;
        for (std::int32_t i = 0; i < all.size(); ++i) meet += all.weight[i] * rest.weight[i];
        return meet > 1e-200;
    }

    const std::vector<const Row*>* parts_ = nullptr;
    double log_weight_ = 0;
    std::vector<Row> before_, after_;  // by part: mines used before it; ways to finish from there
};

}  // namespace mineproof
