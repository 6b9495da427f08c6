// A whole position, counted: components, the cells that no clue sees, and the number of mines that joins them.
//
// Weights are tilted: every mine counts `tilt`, near the odds of a mine on this board, which keeps the numbers that matter
// near each other. All boards have the same number of mines, so the tilt changes no probability.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "chain.hpp"
#include "combination.hpp"
#include "frontier.hpp"
#include "philox.hpp"

namespace mineproof {

class Counter {
public:
    enum Outcome { COUNTED = 0, INCONSISTENT = 1, STOPPED = 2, TOO_FINE = 3 };
    enum Mark : unsigned char { OPEN = 0, UNSURE = 1, SAFE = 2, MINED = 3 };

    Frontier frontier;
    Watch watch;
    double log_solutions = 0;

    // Reads a position and counts it. TOO_FINE: possible, but beyond the range of the weights.
    Outcome count(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines) {
        frontier.read(rows, cols, symbols);
        left_ = mines - frontier.known_mines;
        watch.stopped = false;
        watch.until_next = 1 << 12;
        if (frontier.contradiction || left_ < 0 || left_ > frontier.unknown_cells) return INCONSISTENT;
        const double tilt = usual_tilt(left_, frontier.unknown_cells);
        const std::size_t n = frontier.component_count();
        if (chains_.size() < n) chains_.resize(n), rows_.resize(n);
        parts_.resize(n);
        for (std::size_t c = 0; c < n; ++c) {
            if (!chains_[c].forward(frontier.components[c], tilt, watch)) return STOPPED;
            if (!chains_[c].has_solution()) return INCONSISTENT;
            chains_[c].write_to(rows_[c]);
            parts_[c] = &rows_[c];
        }
        const auto joined = combination_.join(parts_, static_cast<std::int32_t>(frontier.rest.size()), left_, tilt);
        log_solutions = combination_.log_solutions();
        return joined == Combination::FINE ? COUNTED : joined == Combination::IMPOSSIBLE ? INCONSISTENT : TOO_FINE;
    }

    // The odds of a mine on this board, within bounds.
    static double usual_tilt(std::int32_t mines, std::int32_t cells) {
        const double density = std::min(0.95, std::max(0.02, static_cast<double>(mines) / std::max(1, cells)));
        return density / (1 - density);
    }

    // After COUNTED: the odds and the mark of every closed cell. Arrays have rows * cols entries.
    void odds(double* probability, unsigned char* mark, std::size_t cells) {
        std::fill(probability, probability + cells, std::numeric_limits<double>::quiet_NaN());
        std::fill(mark, mark + cells, static_cast<unsigned char>(OPEN));
        for (const std::int32_t cell : frontier.given) probability[cell] = 0, mark[cell] = SAFE;
        const Combination::Rest rest = combination_.rest();
        const double cells_in_rest = static_cast<double>(frontier.rest.size());
        for (const std::int32_t cell : frontier.rest)
            set(cell, rest.mean / cells_in_rest, rest.can_be_safe, rest.can_be_mined, probability, mark);
        for (std::size_t c = 0; c < frontier.component_count(); ++c) {
            const Component& component = frontier.components[c];
            combination_.outside(c, seed_, seed_possible_);
            verdicts_.resize(component.boxes.size());
            chains_[c].backward(seed_.data(), seed_possible_.data(), verdicts_.data());
            for (std::size_t b = 0; b < component.boxes.size(); ++b) {
                const Box& box = component.boxes[b];
                const Chain::Verdict& verdict = verdicts_[b];
                for (std::int32_t i = box.first; i < box.first + box.size; ++i)
                    set(component.cells[i], verdict.mean / box.size, verdict.can_be_safe, verdict.can_be_mined, probability, mark);
            }
        }
    }

    // After COUNTED: a uniform solution; 1 for a mine. Known mines are included.
    void sample(Stream& stream, const unsigned char* symbols, unsigned char* mined, std::size_t cells) {
        for (std::size_t i = 0; i < cells; ++i) mined[i] = symbols[i] == HIT || symbols[i] == SHOWN_MINE;
        std::int32_t used = 0;
        for (std::size_t c = 0; c < frontier.component_count(); ++c) {
            const Row &part = rows_[c], &after = combination_.after(c + 1);
            double total = 0;
            std::int32_t chosen = part.low;
            for (std::int32_t m = part.low; m <= part.high(); ++m)
                if (part.possible_at(m) && after.possible_at(used + m)) total += part.at(m) * after.at(used + m), chosen = m;
            double draw = static_cast<double>(stream.word() >> 11) * 0x1p-53 * total;
            for (std::int32_t m = part.low; m <= part.high(); ++m) {
                if (!part.possible_at(m) || !after.possible_at(used + m)) continue;
                draw -= part.at(m) * after.at(used + m);
                if (draw < 0) {
                    chosen = m;
                    break;
                }
            }
            chains_[c].sample(chosen, stream, mined);
            used += chosen;
        }
        std::int32_t mines = left_ - used;
        std::int32_t cells_left = static_cast<std::int32_t>(frontier.rest.size());
        for (const std::int32_t cell : frontier.rest) {
            const bool mine = stream.below(static_cast<std::uint32_t>(cells_left)) < static_cast<std::uint32_t>(mines);
            mined[cell] = mine;
            mines -= mine;
            --cells_left;
        }
    }

    std::size_t widest() const {
        std::size_t most = 0;
        for (std::size_t c = 0; c < frontier.component_count(); ++c) most = std::max(most, chains_[c].widest());
        return most;
    }

private:
    // Certainty comes from what is possible; a float only says how likely.
    static void set(std::int32_t cell, double share, bool can_be_safe, bool can_be_mined, double* probability,
                    unsigned char* mark) {
        mark[cell] = !can_be_mined ? SAFE : !can_be_safe ? MINED : UNSURE;
        probability[cell] = !can_be_mined ? 0 : !can_be_safe ? 1 : share;
    }

    std::int32_t left_ = 0;
    Combination combination_;
    std::vector<Chain> chains_;
    std::vector<Row> rows_;
    std::vector<const Row*> parts_;
    std::vector<double> seed_;
    std::vector<unsigned char> seed_possible_;
    std::vector<Chain::Verdict> verdicts_;
};

}  // namespace mineproof
