// How likely each cell is a mine: all components of a counted position joined over the number of mines.
//
// Where there are too many components to join exactly, the normal law does it, and bounds its error.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "combination.hpp"
#include "counted.hpp"
#include "counter.hpp"
#include "philox.hpp"

namespace mineproof {

class Odds {
public:
    bool exact() const { return exact_; }
    // The logarithm of the number of boards; NaN when they were not joined exactly.
    double log_solutions() const { return log_solutions_; }

    // After refresh(): joins the components, exactly if that takes at most this much work, otherwise by the normal law,
    // where it holds.
    Outcome join(Counter& counter, double most_work) {
        if (counter.torn() && counter.tilt_to(counter.tilt()) != Outcome::COUNTED) return Outcome::STOPPED;
        const Counted& counted = counter.counted();
        list(counted);
        if (work() <= most_work || !all_free(counted)) return join_exactly(counter, std::numeric_limits<double>::infinity());
        exact_ = false;
        log_solutions_ = std::numeric_limits<double>::quiet_NaN();
        join_loosely(counted);
        return Outcome::COUNTED;
    }

    // STOPPED when that takes more work, too. Where the weights are too far from each other for floats, the position is
    // counted again with a tilt that brings them together.
    Outcome join_exactly(Counter& counter, double most_work) {
        exact_ = true;
        if (counter.torn() && counter.tilt_to(counter.tilt()) != Outcome::COUNTED) return Outcome::STOPPED;
        for (int tries = 0; tries < MOST_TILTS; ++tries) {
            const Counted& counted = counter.counted();
            list(counted);
            if (work() > most_work) return Outcome::STOPPED;
            counter.limit.restart();
            const FreeCells free{counted.free_cells(), counted.left(), counted.tilt()};
            switch (combination_.join(parts_, free, counter.limit)) {
                case Combination::STOPPED: return Outcome::STOPPED;
                case Combination::IMPOSSIBLE: return Outcome::INCONSISTENT;
                case Combination::FINE:
                    log_solutions_ = combination_.log_weight() - counted.left() * std::log(counted.tilt());
                    join_free_cells(counted);
                    return Outcome::COUNTED;
                case Combination::TOO_FINE: break;
            }
            if (counter.tilt_to(counted.tilt() * std::exp(balance(counted))) != Outcome::COUNTED) return Outcome::STOPPED;
        }
        return Outcome::STOPPED;
    }

    // After join(): odds and marks of all cells, NaN and OPEN where a cell is open. Cells of hard components are unsure, and
    // have no odds. STOPPED when time runs out.
    Outcome write(const Counted& counted, double* probability, double* error, unsigned char* mark, Limit& limit) {
        const Board& board = counted.board();
        board.each_cell([&](std::int32_t i, std::int32_t at) {
            mark[i] = OPEN;
            probability[i] = std::numeric_limits<double>::quiet_NaN();
            if (!board.closed_at(at)) return;
            if (board.shown(at) == NAMED_SAFE || board.proved_safe(at)) {
                set(i, 0, 1, probability, mark);
            } else if (board.proved_mined(at)) {
                set(i, 1, 2, probability, mark);
            } else if (counted.is_free(at)) {
                set(i, rest_mean_ / counted.free_cells(), rest_ways_, probability, mark);
            }
        });
        for (const Component& component : counted.hard())
            for (const std::int32_t at : component.cells) mark[board.plain(at)] = UNSURE;
        for (std::size_t l = 0; l < counted.size(); ++l) {
            const Component& component = counted.component(l);
            weigh_outside(counted, l, seed_, possible_);
            if (exact_ && !limit.tick(combination_.outside_work(l))) return Outcome::STOPPED;
            const bool done = counted.each_box(l, seed_, possible_, boxes_, limit, [&](const Box& box, double mean, unsigned char ways) {
                for (std::int32_t i = box.first; i < box.first + box.size; ++i)
                    set(board.plain(component.cells[i]), mean / box.size, ways, probability, mark);
            });
            if (!done) return Outcome::STOPPED;
        }
        if (!exact_) bound_errors(counted, probability, error, mark);
        return Outcome::COUNTED;
    }

    // What everything except a component weighs, by the number of mines in it.
    void weigh_outside(const Counted& counted, std::size_t l, std::vector<double>& seed,
                       std::vector<unsigned char>& possible) const {
        if (exact_) {
            combination_.outside(l, seed, possible);
            return;
        }
        const Row& row = counted.row(l);
        const double mean = row.moments(shift_).mean;
        seed.resize(row.weight.size());
        possible.assign(row.weight.size(), 1);
        double most = -std::numeric_limits<double>::infinity();
        const auto weight = [&](std::int32_t t) {
            const double away = row.low + t - mean;
            return shift_ * t - away * away * bend_ / 2;
        };
        for (std::int32_t t = 0; t < row.size(); ++t) most = std::max(most, weight(t));
        for (std::int32_t t = 0; t < row.size(); ++t) seed[t] = std::exp(weight(t) - most);
    }

    // After an exact join of a position that is not followed: a uniform solution; 1 for a mine.
    void sample(const Counted& counted, Stream& stream, unsigned char* mined) const {
        const Board& board = counted.board();
        board.each_cell([&](std::int32_t i, std::int32_t at) { mined[i] = board.surely_mined(at); });
        std::int32_t used = 0;
        for (std::size_t l = 0; l < counted.size(); ++l) {
            const Component& component = counted.component(l);
            const std::int32_t chosen = draw_total(counted.row(l), combination_.after(l + 1), used, stream);
            counted.chain(l).sample(component, chosen, stream, [&](std::int32_t b, std::int32_t mines) {
                const Box& box = component.boxes[b];
                for (std::int32_t i = 0; i < box.size; ++i) {
                    const bool mine = below(stream, box.size - i, mines);
                    mined[board.plain(component.cells[box.first + i])] = mine;
                    mines -= mine;
                }
            });
            used += chosen;
        }
        std::int32_t mines = counted.left() - used, cells = counted.free_cells();
        board.each_cell([&](std::int32_t i, std::int32_t at) {
            if (!counted.is_free(at)) return;
            mined[i] = below(stream, cells--, mines);
            mines -= mined[i];
        });
    }

    // A number of mines for a part, given the mines used by the parts before it: as likely as all that follows makes it.
    static std::int32_t draw_total(const Row& part, const Row& after, std::int32_t used, Stream& stream) {
        double total = 0;
        std::int32_t chosen = part.low;
        for (std::int32_t m = part.low; m <= part.high(); ++m)
            if (part.possible_at(m) && after.possible_at(used + m)) total += part.at(m) * after.at(used + m), chosen = m;
        double draw = static_cast<double>(stream.word() >> 11) * 0x1p-53 * total;
        for (std::int32_t m = part.low; m <= part.high(); ++m) {
            if (!part.possible_at(m) || !after.possible_at(used + m)) continue;
            draw -= part.at(m) * after.at(used + m);
            if (draw < 0) return m;
        }
        return chosen;
    }

private:
    static constexpr int MOST_TILTS = 10;
    static constexpr double MOST_SHIFT = 30;

    // Certainty comes from what is possible; a float only says how likely.
    static void set(std::int32_t cell, double share, unsigned char ways, double* probability, unsigned char* mark) {
        mark[cell] = !(ways & 2) ? SAFE : !(ways & 1) ? MINED : UNSURE;
        probability[cell] = !(ways & 2) ? 0 : !(ways & 1) ? 1 : share;
    }

    static bool below(Stream& stream, std::int32_t cells, std::int32_t mines) {
        return stream.below(static_cast<std::uint32_t>(cells)) < static_cast<std::uint32_t>(mines);
    }

    void list(const Counted& counted) {
        parts_.clear();
        for (std::size_t l = 0; l < counted.size(); ++l) parts_.push_back(&counted.row(l));
    }

    double work() const {
        double all = 0, reach = 1;
        for (const Row* part : parts_) {
            reach += part->size();
            all += reach * part->size();
        }
        return all;
    }

    void join_free_cells(const Counted& counted) {
        double mass = 0, mines = 0;
        rest_ways_ = 0;
        combination_.each_total([&](std::int32_t used, double weight) {
            const std::int32_t r = counted.left() - used;
            mass += weight;
            mines += weight * r;
            rest_ways_ |= static_cast<unsigned char>((r < counted.free_cells()) + 2 * (r > 0));
        });
        rest_mean_ = mass > 0 ? mines / mass : 0;
    }

    // ---- the normal law ---------------------------------------------------------------------------------------------

    // Whether every component may hold every number of mines that it can by itself: there is slack on both sides, and
    // the free cells (or gapless components) make every sum between the extremes possible.
    bool all_free(const Counted& counted) const {
        std::int64_t widest = 0, low = 0, high = 0;
        bool gaps = false;
        for (const Row* part : parts_) {
            widest = std::max<std::int64_t>(widest, part->size() - 1);
            low += part->low;
            high += part->high();
            gaps = gaps || part->has_gap();
        }
        if (gaps && counted.free_cells() < widest) return false;
        return low + widest < counted.left() && counted.left() < high + counted.free_cells() - widest;
    }

    // The total of all others is a sum of many independent numbers, so its weight near what is left follows the normal law:
    // exp(shift · t − (t − mean)² / 2 variance), with the shift that makes the expected total right (an exponential tilt and
    // the local limit theorem). `bend_` is 1 / variance.
    void join_loosely(const Counted& counted) {
        shift_ = balance(counted);
        bend_ = 1 / std::max(1.0, moments(counted, shift_).variance);
        const double odds = counted.tilt() * std::exp(shift_);
        rest_mean_ = counted.free_cells() * odds / (1 + odds);
        rest_ways_ = 3;
    }

    // The shift with which the expected number of mines is what is left: by Newton's method, kept inside an interval.
    double balance(const Counted& counted) const {
        double low = -MOST_SHIFT, high = MOST_SHIFT, shift = 0;
        for (int i = 0; i < 100 && high - low > 1e-12; ++i) {
            const Row::Moments found = moments(counted, shift);
            (found.mean < counted.left() ? low : high) = shift;
            const double step = (counted.left() - found.mean) / found.variance;
            if (std::abs(step) < 1e-13) break;
            shift = shift + step > low && shift + step < high ? shift + step : (low + high) / 2;
        }
        return shift;
    }

    Row::Moments moments(const Counted& counted, double shift) const {
        const double odds = counted.tilt() * std::exp(shift), p = odds / (1 + odds);
        Row::Moments all{counted.free_cells() * p, counted.free_cells() * p * (1 - p)};
        for (const Row* part : parts_) {
            const Row::Moments own = part->moments(shift);
            all.mean += own.mean;
            all.variance += own.variance;
        }
        return all;
    }

    // The weights that were used are right except for a factor of 1 ± width / variance (the skewness of the total, which is
    // at most its variance, moves them by half of that, and what follows is of higher order). Odds p then move by at most
    // p (1 − p) times twice that.
    void bound_errors(const Counted& counted, const double* probability, double* error, const unsigned char* mark) const {
        const Board& board = counted.board();
        for (std::size_t i = 0; i < board.cells(); ++i)
            error[i] = mark[i] == UNSURE ? 2 * bend_ * probability[i] * (1 - probability[i]) : probability[i] * 0;
        for (std::size_t l = 0; l < counted.size(); ++l)
            for (const std::int32_t at : counted.component(l).cells) error[board.plain(at)] *= counted.row(l).size();
    }

    bool exact_ = true;
    double log_solutions_ = 0, rest_mean_ = 0, shift_ = 0, bend_ = 0;
    unsigned char rest_ways_ = 0;
    std::vector<const Row*> parts_;
    Combination combination_;
    std::vector<double> seed_;
    std::vector<unsigned char> possible_;
    Counted::Boxes boxes_;
};

}  // namespace mineproof
