// Components and the cells that no clue sees, joined by the number of mines on the whole board.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "watch.hpp"

namespace mineproof {

// A function of a number of mines: weights (scaled) and possibility, from `low` on.
struct Row {
    std::int32_t low = 0;
    std::vector<double> weight;
    std::vector<unsigned char> possible;
    double log_scale = 0;

    std::int32_t size() const { return static_cast<std::int32_t>(weight.size()); }
    std::int32_t high() const { return low + size() - 1; }
    void reset(std::int32_t from, std::int32_t to) {
        low = from;
        weight.assign(static_cast<std::size_t>(to - from + 1), 0.0);
        possible.assign(weight.size(), 0);
        log_scale = 0;
    }
    bool has(std::int32_t m) const { return m >= low && m <= high(); }
    double at(std::int32_t m) const { return has(m) ? weight[m - low] : 0.0; }
    bool possible_at(std::int32_t m) const { return has(m) && possible[m - low]; }
    // Divides by the largest weight, remembering its logarithm.
    void normalise() {
        double most = 0;
        for (const double w : weight) most = std::max(most, w);
        if (!(most > 0)) return;
        for (double& w : weight) w /= most;
        log_scale += std::log(most);
    }
};

class Combination {
public:
    enum Outcome { FINE, IMPOSSIBLE, TOO_FINE, STOPPED };

    // The parts are the components, each by its number of mines; `mines` are to be shared out among them and the rest.
    Outcome join(const std::vector<const Row*>& parts, std::int32_t rest_cells, std::int32_t mines, double tilt,
                 Watch& watch) {
        parts_ = &parts;
        rest_cells_ = rest_cells;
        mines_ = mines;
        const std::size_t n = parts.size();
        if (before_.size() < n + 1) before_.resize(n + 1), after_.resize(n + 1);
        before_[0].reset(0, 0);
        before_[0].weight[0] = 1;
        before_[0].possible[0] = 1;
        for (std::size_t c = 0; c < n; ++c) {
            extend(before_[c], *parts[c], before_[c + 1]);
            if (!watch.tick(std::int64_t{before_[c].size()} * parts[c]->size(), 0)) return STOPPED;
        }
        rest_row(before_[n], tilt);
        double log_scale = after_[n].log_scale;
        for (std::size_t c = n; c-- > 0;) {
            retract(after_[c + 1], *parts[c], before_[c], after_[c]);
            log_scale += after_[c].log_scale + parts[c]->log_scale;
            if (!watch.tick(std::int64_t{before_[c].size()} * parts[c]->size(), 0)) return STOPPED;
        }
        if (!after_[0].possible[0]) return IMPOSSIBLE;
        if (!(after_[0].weight[0] > 0) || !enough()) return TOO_FINE;
        log_solutions_ = log_scale - mines * std::log(tilt);
        return FINE;
    }

    double log_solutions() const { return log_solutions_; }

    // What everything but part c can do, by the number of mines in c.
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

    // From so many mines used by the parts before c: the ways to finish with c and all that follows.
    const Row& after(std::size_t c) const { return after_[c]; }

    struct Rest {
        double mean = 0;  // expected mines in all of them
        bool can_be_safe = false, can_be_mined = false;
    };
    Rest rest() const {
        const Row &used = before_[parts_->size()], &row = after_[parts_->size()];
        Rest found;
        double mass = 0, mines = 0;
        for (std::int32_t i = 0; i < row.size(); ++i) {
            const std::int32_t r = mines_ - row.low - i;
            const double meet = used.weight[i] * row.weight[i];
            mass += meet;
            mines += meet * r;
            if (used.possible[i] && row.possible[i]) {
                found.can_be_safe = found.can_be_safe || r < rest_cells_;
                found.can_be_mined = found.can_be_mined || r > 0;
            }
        }
        found.mean = mass > 0 ? mines / mass : 0;
        return found;
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

    // The rest can take the mines that the components leave: its weight for each number of mines that they use.
    void rest_row(const Row& used, double tilt) {
        Row& row = after_[parts_->size()];
        row.reset(used.low, used.high());
        while (log_factorial_.size() <= static_cast<std::size_t>(rest_cells_)) {
            const double n = static_cast<double>(log_factorial_.size());
            log_factorial_.push_back(log_factorial_.empty() ? 0.0 : log_factorial_.back() + std::log(n));
        }
        logs_.assign(row.weight.size(), 0.0);
        double most = -std::numeric_limits<double>::infinity();
        for (std::int32_t i = 0; i < row.size(); ++i) {
            const std::int32_t r = mines_ - row.low - i;
            if (r < 0 || r > rest_cells_) continue;
            row.possible[i] = 1;
            logs_[i] = log_factorial_[rest_cells_] - log_factorial_[r] - log_factorial_[rest_cells_ - r] + r * std::log(tilt);
            most = std::max(most, logs_[i]);
        }
        if (!std::isfinite(most)) return;
        row.log_scale = most;
        for (std::int32_t i = 0; i < row.size(); ++i)
            if (row.possible[i]) row.weight[i] = std::exp(logs_[i] - most);
    }

    // Whether the weights that meet are far enough from the end of their range to be trusted to twelve digits.
    bool enough() const {
        const Row &all = before_[parts_->size()], &rest = after_[parts_->size()];
        double meet = 0;
        for (std::int32_t i = 0; i < all.size(); ++i) meet += all.weight[i] * rest.weight[i];
        return meet > 1e-200;
    }

    const std::vector<const Row*>* parts_ = nullptr;
    std::int32_t rest_cells_ = 0, mines_ = 0;
    double log_solutions_ = 0;
    std::vector<Row> before_, after_;  // by part: mines used before it; ways to finish from there
    std::vector<double> log_factorial_, logs_;
};

}  // namespace mineproof
