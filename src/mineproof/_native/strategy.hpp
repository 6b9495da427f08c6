// Which cell to open when none is certainly safe.
//
// When few boards are left the rest of the game is searched exactly. Else each candidate is looked at one step ahead: for each
// number that it could show, how safe the next guess would be, or how many cells would be certain. Candidates come in order
// of their safety, and a candidate is given up as soon as it cannot be the best any more.
//
// Choices depend on the position alone: not on the clock, and not on the way that led there. Numbers that differ only by
// rounding count as equal, and the first cell of equals is chosen.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "counted.hpp"
#include "endgame.hpp"
#include "foresight.hpp"
#include "odds.hpp"

namespace mineproof {

class Strategist {
public:
    struct Settings {
        double second = 0.2;          // weight of the second safest cell afterwards
        double progress = 0.05;       // bonus when cells are certain afterwards, for each doubling of their number
        std::uint32_t boards = 1000;  // at most so many for an exact endgame
        std::int64_t nodes = 20000;   // of its search
        std::int32_t free_cells = 6;  // of the cells that no clue sees, so many are looked at
        bool thorough = false;        // whole scores, even of candidates that cannot be the best any more
    };
    struct Choice {
        std::int32_t cell = -1;
        double risk = 0;
        double score = 0;  // the chance to win if exact, else what was compared
        bool exact = false;
    };

    static constexpr double EQUAL = 1e-9;  // numbers that differ by less differ by rounding only

    // The first of the least risky cells; -1 when none is closed.
    static std::int32_t safest(const std::vector<double>& probability, const std::vector<unsigned char>& mark) {
        double least = 2;
        for (std::size_t i = 0; i < mark.size(); ++i)
            if (mark[i] != OPEN) least = std::min(least, probability[i]);
        for (std::size_t i = 0; i < mark.size(); ++i)
            if (mark[i] != OPEN && probability[i] <= least + EQUAL) return static_cast<std::int32_t>(i);
        return -1;
    }

    Settings settings;
    std::vector<Choice> considered;  // in the last choice, but for an exact one

    // A position whose odds are exact; no cell is certainly safe, and some cell is unsure. When time is over the choice is
    // what was best until then, and the watch is stopped.
    Choice choose(const Counted& counted, double log_solutions, const double* probability, const unsigned char* mark,
                  Watch& watch) {
        Choice choice;
        considered.clear();
        if (endgame(counted, log_solutions, watch) && best_.cell >= 0) {
            choice = {counted.board().plain(cells_[best_.cell]), 0, static_cast<double>(best_.wins) / boards(), true};
            choice.risk = probability[choice.cell];
            return choice;
        }
        list(counted, probability, mark);
        foresight_.begin(counted, log_solutions, watch);
        const double most = bonus(8);
        double best = -1;
        for (const Candidate& candidate : candidates_) {
            if (candidate.safety * most <= best) break;
            const double score = worth(candidate, best);
            if (watch.stopped && choice.cell >= 0) break;
            considered.push_back({candidate.cell, 1 - candidate.safety, score, false});
            if (score > best + EQUAL) {
                best = score;
                choice = considered.back();
            }
        }
        return choice;
    }

    // Of all boards that look like this one, those that perfect play wins. False when there are too many, or time is over.
    bool wins(const Counted& counted, double log_solutions, Watch& watch, std::uint32_t& won, std::uint32_t& all) {
        if (!endgame(counted, log_solutions, watch)) return false;
        won = best_.wins;
        all = static_cast<std::uint32_t>(endgame_.boards.size());
        return true;
    }

private:
    struct Candidate {
        std::int32_t cell;
        std::int32_t rank;  // by safety
        double safety;
        std::int32_t hint;  // ties go to the larger one
    };

    double bonus(std::int32_t certain) const { return 1 + settings.progress * std::log2(std::min(certain, 8)); }

    double worth(const Candidate& candidate, double best) {
        double score = 0, left = candidate.safety;
        const double most = bonus(8);
        for (int number = 0; number <= 8; ++number) {
            Foresight::View view;
            if (!foresight_.look(candidate.cell, number, view)) continue;
            left -= view.share;
            double value = (1 - settings.second) * view.best + settings.second * view.second;
            if (view.certain) value = bonus(view.certain);
            if (view.won) value = most;
            score += view.share * value;
            if (!settings.thorough && score + left * most <= best) break;  // it cannot be the best any more
        }
        return score;
    }

    void list(const Counted& k, const double* probability, const unsigned char* mark) {
        const Board& board = k.board();
        candidates_.clear();
        for (std::size_t l = 0; l < k.size(); ++l)
            for (const std::int32_t at : k.component(l).cells) {
                const std::int32_t cell = board.plain(at);
                if (mark[cell] == UNSURE) candidates_.push_back({cell, 0, 1 - probability[cell], 0});
            }
        if (k.free_cells() > 0) {
            free_.clear();
            board.each_cell([&](std::int32_t i, std::int32_t at) {
                if (!k.is_free(at) || mark[i] != UNSURE) return;
                std::int32_t hint = 0;
                for (const std::int32_t step : board.around())
                    // A zero is likelier with few unknown cells around; and it is good to hear of the frontier.
                    if (board.is_unknown(at + step)) hint -= k.is_free(at + step) ? 2 : 1;
                free_.push_back({i, 0, 1 - probability[i], hint});
            });
            const std::size_t kept = std::min<std::size_t>(free_.size(), static_cast<std::size_t>(settings.free_cells));
            std::partial_sort(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(kept), free_.end(), before);
            candidates_.insert(candidates_.end(), free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(kept));
        }
        rank(candidates_);
    }

    // The safest first. Safeties that differ by rounding only are equal: their order must not depend on how a processor
    // rounds. So they are sorted as they are, cut into runs whose neighbours are closer than EQUAL, and each run is put in
    // the order of hints and cells.
    static void rank(std::vector<Candidate>& candidates) {
        std::sort(candidates.begin(), candidates.end(),
                  [](const Candidate& a, const Candidate& b) { return a.safety > b.safety; });
        for (std::size_t i = 1; i < candidates.size(); ++i)
            candidates[i].rank = candidates[i - 1].rank + (candidates[i - 1].safety - candidates[i].safety > EQUAL);
        std::sort(candidates.begin(), candidates.end(), before);
    }

    static bool before(const Candidate& a, const Candidate& b) {
        if (a.rank != b.rank) return a.rank < b.rank;
        return a.hint != b.hint ? a.hint > b.hint : a.cell < b.cell;
    }

    // ---- the endgame ------------------------------------------------------------------------------------------------

    double boards() const { return static_cast<double>(endgame_.boards.size()); }

    // The rest of the game, all of it; `best_` has the result.
    bool endgame(const Counted& k, double log_solutions, Watch& watch) {
        if (log_solutions > std::log(static_cast<double>(settings.boards)) + 1e-9) return false;
        const Board& board = k.board();
        cells_.clear();
        board.each_cell([&](std::int32_t, std::int32_t at) {
            if (board.closed_at(at) && !board.surely_mined(at)) cells_.push_back(at);
        });
        if (cells_.size() > Endgame::MOST_CELLS) return false;
        index_.assign(board.padded_size(), -1);
        free_bits_.clear();
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            index_[cells_[i]] = static_cast<std::int32_t>(i);
            if (board.is_unknown(cells_[i]) && k.is_free(cells_[i])) free_bits_.push_back(static_cast<std::int32_t>(i));
        }
        endgame_.boards.clear();
        steps_ = MOST_STEPS;
        Endgame::Mines mines{};
        if (!lay(k, 0, k.left(), mines)) return false;
        base_.assign(cells_.size(), 0);
        near_.assign(cells_.size(), {});
        for (std::size_t i = 0; i < cells_.size(); ++i)
            for (const std::int32_t step : board.around()) {
                const std::int32_t next = cells_[i] + step;
                base_[i] += board.surely_mined(next);
                if (index_[next] >= 0) near_[i].push_back(index_[next]);
            }
        return endgame_.solve(base_, near_, settings.nodes, watch, best_);
    }

    // All ways to lay the mines, component by component; false when that is too much.
    bool lay(const Counted& k, std::size_t l, std::int32_t mines, Endgame::Mines& board) {
        if (l == k.size()) return lay_free(0, mines, board);
        const Component& component = k.component(l);
        need_ = component.need;
        room_.assign(component.need.size(), 0);
        box_of_.assign(component.cells.size(), nullptr);
        for (const Box& box : component.boxes)
            for (std::int32_t i = box.first; i < box.first + box.size; ++i) {
                box_of_[i] = &box;
                for (std::int32_t c = 0; c < box.clue_count; ++c) ++room_[box.clues[c]];
            }
        ways_.clear();
        Endgame::Mines none{};
        if (!lay_cell(component, 0, 0, none)) return false;
        const std::vector<Way> ways = ways_;
        for (const Way& way : ways) {
            if (way.mines > mines) continue;
            Endgame::Mines both = board;
            for (std::size_t w = 0; w < both.size(); ++w) both[w] |= way.board[w];
            if (!lay(k, l + 1, mines - way.mines, both)) return false;
        }
        return true;
    }

    // All ways of one component, cell by cell.
    bool lay_cell(const Component& component, std::size_t i, std::int32_t mines, Endgame::Mines& board) {
        if (--steps_ < 0) return false;
        if (i == component.cells.size()) {
            ways_.push_back({board, mines});
            return true;
        }
        const Box& box = *box_of_[i];
        const std::int32_t bit = index_[component.cells[i]];
        bool fine = true;
        for (const int mine : {0, 1}) {
            bool possible = true;
            for (std::int32_t c = 0; c < box.clue_count; ++c) {
                const std::int32_t clue = box.clues[c];
                --room_[clue];
                need_[clue] -= mine;
                possible = possible && need_[clue] >= 0 && need_[clue] <= room_[clue];
            }
            if (possible && fine) {
                if (mine) flip(board, bit);
                fine = lay_cell(component, i + 1, mines + mine, board);
                if (mine) flip(board, bit);
            }
            for (std::int32_t c = 0; c < box.clue_count; ++c) {
                ++room_[box.clues[c]];
                need_[box.clues[c]] += mine;
            }
        }
        return fine;
    }

    // The mines that are left, in the cells that no clue sees, from the i-th of them on.
    bool lay_free(std::size_t i, std::int32_t mines, Endgame::Mines& board) {
        const std::int32_t room = static_cast<std::int32_t>(free_bits_.size() - i);
        if (mines < 0 || mines > room) return true;  // no board
        if (--steps_ < 0) return false;
        if (mines == 0 || mines == room) {
            endgame_.boards.push_back(board);
            for (; mines > 0; --mines) flip(endgame_.boards.back(), free_bits_[i++]);
            return endgame_.boards.size() <= settings.boards;
        }
        if (!lay_free(i + 1, mines, board)) return false;
        flip(board, free_bits_[i]);
        const bool fine = lay_free(i + 1, mines - 1, board);
        flip(board, free_bits_[i]);
        return fine;
    }

    static void flip(Endgame::Mines& board, std::int32_t bit) { board[bit >> 6] ^= std::uint64_t{1} << (bit & 63); }

    static constexpr std::int64_t MOST_STEPS = 200'000;  // of laying mines
    struct Way {
        Endgame::Mines board;
        std::int32_t mines;
    };

    Foresight foresight_;
    Endgame endgame_;
    Endgame::Best best_;
    std::int64_t steps_ = 0;
    std::vector<Candidate> candidates_, free_;
    std::vector<std::int32_t> cells_, index_, free_bits_, need_, room_, base_;
    std::vector<std::vector<std::int32_t>> near_;
    std::vector<const Box*> box_of_;
    std::vector<Way> ways_;
};

}  // namespace mineproof
