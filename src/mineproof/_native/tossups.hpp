// Pairs of cells that may end as a toss-up: the long-term risk of a position.
//
// Two neighbours, one a mine and the other safe, are a toss-up when every cell that sees exactly one of them is a mine or
// outside the board: nothing that is opened ever tells them apart (see pockets.hpp). While those cells are still unknown the
// pair is a toss-up on some boards only. A safe click on one of the pair ends that risk, and may so be worth more than it
// looks; how much more is the share of the boards on which the toss-up would stay, given that the click is safe. The idea is
// that of the solver JSMinesweeper; this is written from its description.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "counted.hpp"
#include "foresight.hpp"

namespace mineproof {

class Tossups {
public:
    std::int32_t forced = -1;  // the safest cell that is a mine only where it is one of a toss-up; plain
    double most = 0;           // the largest share of any cell

    // `probability` are the odds of the position that the foresight has begun with.
    void find(const Counted& k, Foresight& foresight, const double* probability) {
        const Board& board = k.board();
        const std::int32_t down = board.stride();
        forced = -1;
        most = 0;
        share_.assign(board.padded_size(), 0.0);
        double forced_safety = -1;
        const auto add = [&](std::int32_t at, std::int32_t along, std::int32_t across) {
            Pair pair{at, at + along};
            if (!read(k, probability, along, across, pair)) return;
            const std::array<std::int32_t, 1> safe{pair.second};
            mined_.push_back(pair.first);
            const double share = foresight.joint(mined_, safe);
            mined_.pop_back();
            if (share <= LEAST) return;
            for (const std::int32_t one : {pair.first, pair.second}) {
                share_[one] += share;
                const double risk = probability[board.plain(one)];
                if (std::abs(risk - share) < EQUAL && 1 - risk > forced_safety + EQUAL) {
                    forced = board.plain(one);
                    forced_safety = 1 - risk;
                }
            }
            if (2 * share > WORTH_BREAKING + EQUAL)
                for (const std::int32_t end : mined_) share_[end] += share;
        };
        board.each_cell([&](std::int32_t, std::int32_t at) {
            if (!board.is_unknown(at)) return;
            add(at, 1, down);
            add(at, down, 1);
        });
        board.each_cell([&](std::int32_t i, std::int32_t at) {
            if (share_[at] == 0 || !(probability[i] < 1)) return;
            share_[at] = std::min({share_[at], probability[i], 1 - probability[i]}) / (1 - probability[i]);
            most = std::max(most, share_[at]);
        });
    }

    // Of the boards on which a cell is safe, those on which a toss-up with it would stay.
    double share(std::int32_t at) const { return share_[at]; }

private:
    static constexpr double EQUAL = 1e-9, LEAST = 1e-9, WORTH_BREAKING = 0.025;
    static constexpr double WORTH_COUNTING = 0.002;  // least share of all boards that is worth counting
    static constexpr std::size_t MOST_UNKNOWN = 3;   // most unknown cells that see only one of the pair

    struct Pair {
        std::int32_t first, second;
    };

    // Whether the pair may be a toss-up; mined_ are the unknown cells that must be mines for that.
    bool read(const Counted& k, const double* probability, std::int32_t along, std::int32_t across, const Pair& pair) {
        const Board& board = k.board();
        if (!board.is_unknown(pair.second)) return false;
        bool seen = !k.is_free(pair.first) || !k.is_free(pair.second);
        double bound = std::min(probability[board.plain(pair.first)], 1 - probability[board.plain(pair.second)]);
        mined_.clear();
        for (const std::int32_t line : {pair.first - along, pair.second + along})
            for (const std::int32_t end : {line - across, line, line + across}) {
                if (!board.inside(end) || board.surely_mined(end)) continue;
                if (!board.is_unknown(end) || mined_.size() == MOST_UNKNOWN) return false;
                mined_.push_back(end);
                seen = seen || !k.is_free(end);
                bound = std::min(bound, probability[board.plain(end)]);
            }
        return seen && bound > WORTH_COUNTING + EQUAL;
    }

    std::vector<double> share_;
    std::vector<std::int32_t> mined_;
};

}  // namespace mineproof
