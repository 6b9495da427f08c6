// Boards that are stuck, mended: mines move where a player would have to guess, until none has to.
//
// A pass clears the board from its start. Where it is stuck, a clue on the edge of what is open is made to decide: either
// its closed cells all lose their mines, or all get one, whichever moves fewer. The mines go to cells that have not been seen
// yet, or come from there, so that the pass can continue. Only when there are no such cells, at the end of a board, is anything
// changed that was known before. A board is done when a pass from the start to the end changed nothing: that pass is the proof.
#pragma once
#include <cstdint>
#include <vector>

#include "clearing.hpp"
#include "philox.hpp"

namespace mineproof {

class Mender {
public:
    std::int64_t passes = 0;  // since this was last set

    // The board that was laid, mended. NO when too many passes changed something.
    Cleared mend(Clearing& board, Stream stream) {
        board_ = &board;
        stream_ = stream;
        const std::int64_t most_repairs = 50 + board.cells();
        std::int64_t repairs = 0;
        for (int pass = 0; pass < MOST_PASSES; ++pass) {
            ++passes;
            if (!move_pockets()) return Cleared::STOPPED;
            board.begin();
            bool changed = false;
            for (bool going_on = true; going_on;) {
                const Cleared cleared = board.run();
                if (cleared == Cleared::STOPPED) return cleared;
                if (cleared == Cleared::YES) {
                    if (!changed) return cleared;
                    break;
                }
                if (++repairs > most_repairs) return Cleared::NO;
                changed = true;
                going_on = repair();
            }
        }
        return Cleared::NO;
    }

private:
    static constexpr int MOST_PASSES = 40;
    static constexpr int MOST_THROWS = 50;  // for a cell of some kind, before all are looked at
    static constexpr std::size_t FAR_APART = 64;  // clues: on a large board many are mended at once

    // The mine of a pocket goes anywhere else. False when time runs out.
    bool move_pockets() {
        for (int times = 0; times < MOST_PASSES && board_->has_pocket(kind_); ++times) {
            board_->each_cell([&](std::int32_t, std::int32_t at) {
                if (kind_[at] == NO_POCKET) return;
                const std::int32_t beside = kind_[at] == ONE_ABOVE ? at + board_->stride() : at + 1;
                const std::int32_t mine = board_->is_mine(at) ? at : beside;
                if (!board_->is_mine(mine)) return;  // a pocket nearby took it away
                const std::int32_t to = find([&](std::int32_t other) { return !board_->is_mine(other) && board_->may_be_mine(other); });
                if (to >= 0) board_->move_mine(mine, to);
            });
            if (!board_->limit.tick(5 * std::int64_t{board_->cells()})) return false;
        }
        return true;
    }

    // Lets some clues decide. False when the board must be cleared from its start again.
    bool repair() {
        clues_.clear();
        bool unseen = false;
        board_->each_cell([&](std::int32_t, std::int32_t at) {
            if (board_->is_undecided(at)) clues_.push_back(at);
            unseen = unseen || (board_->is_unknown(at) && !board_->is_seen(at));
        });
        board_->limit.tick(3 * std::int64_t{board_->cells()});
        if (clues_.empty()) {
            open_wall();
            return false;
        }
        if (unseen) {
            bool done = false;
            for (std::size_t n = 1 + clues_.size() / FAR_APART; n > 0; --n) {
                const std::int32_t clue = clues_[stream_.below(static_cast<std::uint32_t>(clues_.size()))];
                if (board_->is_undecided(clue))
                    done |= decide(clue, [&](std::int32_t at) { return board_->is_unknown(at) && !board_->is_seen(at); });
            }
            if (done) return true;
        }
        for (const std::int32_t clue : clues_)
            if (board_->is_undecided(clue)) decide(clue, [&](std::int32_t at) { return board_->may_be_mine(at); });
        return false;
    }

    // All closed cells of a clue lose their mines, or all get one. The others' part is taken by cells that `fit`.
    template <class Fits>
    bool decide(std::int32_t clue, Fits fits) {
        const std::int32_t mines = board_->need(clue), safe = board_->unknown_around(clue) - mines;
        const bool empty = mines < safe || (mines == safe && stream_.below(2));
        return change(clue, empty, fits) || change(clue, !empty, fits);
    }

    template <class Fits>
    bool change(std::int32_t clue, bool empty, Fits fits) {
        cells_.clear();
        board_->each_unknown_around(clue, [&](std::int32_t at) { cells_.push_back(at); });
        for (const std::int32_t at : cells_) {
            if (board_->is_mine(at) != empty) continue;
            const std::int32_t other = find([&](std::int32_t place) {
                for (const std::int32_t own : cells_)
                    if (own == place) return false;
                return board_->is_mine(place) != empty && fits(place);
            });
            if (other < 0) return false;
            empty ? board_->move_mine(at, other) : board_->move_mine(other, at);
        }
        return true;
    }

    // Closed cells that no clue sees, behind mines: one of the mines changes place with one of the cells.
    void open_wall() {
        const std::int32_t wall = find([&](std::int32_t at) {
            if (!board_->is_proved_mine(at)) return false;
            for (const std::int32_t step : board_->around())
                if (board_->is_unknown(at + step)) return true;
            return false;
        });
        const std::int32_t inside = find([&](std::int32_t at) { return board_->is_unknown(at) && !board_->is_mine(at); });
        if (wall >= 0 && inside >= 0) board_->move_mine(wall, inside);
    }

    // A cell that fits, any of them alike; -1 when there is none, or no time to look at all.
    template <class Fits>
    std::int32_t find(Fits fits) {
        const std::uint32_t cells = static_cast<std::uint32_t>(board_->cells());
        if (board_->limit.stopped) return -1;
        for (int i = 0; i < MOST_THROWS; ++i) {
            const std::int32_t at = board_->padded(static_cast<std::int32_t>(stream_.below(cells)));
            if (fits(at)) return at;
        }
        fitting_.clear();
        if (!board_->limit.tick(5 * std::int64_t{cells})) return -1;
        board_->each_cell([&](std::int32_t, std::int32_t at) {
            if (fits(at)) fitting_.push_back(at);
        });
        return fitting_.empty() ? -1 : fitting_[stream_.below(static_cast<std::uint32_t>(fitting_.size()))];
    }

    Clearing* board_ = nullptr;
    Stream stream_;
    std::vector<unsigned char> kind_;
    std::vector<std::int32_t> clues_, cells_, fitting_;
};

}  // namespace mineproof
