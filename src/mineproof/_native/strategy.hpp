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

#include "counting.hpp"
#include "endgame.hpp"
#include "foresight.hpp"

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

    Settings settings;
    std::vector<Choice> considered;  // in the last choice, but for an exact one

    // The counter has counted a position and its odds are exact; no cell is certainly safe.
    Choice choose(Counter& counter, const double* probability, const unsigned char* mark) {
        Choice choice;
        considered.clear();
        if (counter.log_solutions <= std::log(static_cast<double>(settings.boards)) + 1e-9 && endgame(counter, choice)) {
            choice.risk = probability[choice.cell];
            return choice;
        }
        list(counter, probability, mark);
        foresight_.begin(counter);
        const double most = bonus(8);
        double best = -1;
        for (const Candidate& candidate : candidates_) {
            if (candidate.safety * most <= best) break;
            const double score = worth(candidate, best);
            considered.push_back({candidate.cell, 1 - candidate.safety, score, false});
            if (score > best + EQUAL) {
                best = score;
                choice = considered.back();
            }
        }
        return choice;
    }

private:
    struct Candidate {
        std::int32_t cell;
        double safety;
        double hint;  // ties go to the larger one
    };

    static constexpr double EQUAL = 1e-9;

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
            if (view.best == 0) value = most;  // nothing safe is left: the game is won
            score += view.share * value;
            if (!settings.thorough && score + left * most <= best) break;  // it cannot be the best any more
        }
        return score;
    }

    void list(Counter& k, const double* probability, const unsigned char* mark) {
        candidates_.clear();
        for (const std::size_t l : k.live_)
            for (const std::int32_t at : k.pieces_[l].component.cells) {
                const std::int32_t cell = k.plain(at);
                if (mark[cell] == Counter::UNSURE) candidates_.push_back({cell, 1 - probability[cell], 0});
            }
        if (k.free_cells_ > 0) {
            free_.clear();
            k.each_cell([&](std::int32_t i, std::int32_t at) {
                if (!k.free_[at]) return;
                double hint = 0;
                for (const std::int32_t step : k.around_) {
                    if (!k.is_unknown(at + step)) continue;
                    hint -= k.free_[at + step] ? 1 : 0.5;  // a zero is likelier; and it is good to hear of the frontier
                }
                free_.push_back({i, 1 - probability[i], hint});
            });
            const std::size_t kept = std::min<std::size_t>(free_.size(), static_cast<std::size_t>(settings.free_cells));
            std::partial_sort(free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(kept), free_.end(), before);
            candidates_.insert(candidates_.end(), free_.begin(), free_.begin() + static_cast<std::ptrdiff_t>(kept));
        }
        std::sort(candidates_.begin(), candidates_.end(), before);
    }

    static bool before(const Candidate& a, const Candidate& b) {
        const double one = std::round(a.safety / EQUAL), other = std::round(b.safety / EQUAL);
        if (one != other) return one > other;
        return a.hint != b.hint ? a.hint > b.hint : a.cell < b.cell;
    }

    // ---- the endgame ------------------------------------------------------------------------------------------------

    bool endgame(Counter& k, Choice& choice) {
        cells_.clear();
        k.each_cell([&](std::int32_t, std::int32_t at) {
            if (k.is_unknown(at)) cells_.push_back(at);
        });
        if (cells_.size() > Endgame::MOST_CELLS) return false;
        index_.assign(k.shown_.size(), -1);
        for (std::size_t i = 0; i < cells_.size(); ++i) index_[cells_[i]] = static_cast<std::int32_t>(i);
        endgame_.boards.clear();
        steps_ = MOST_STEPS;
        Endgame::Board board{};
        if (!lay(k, 0, k.left(), board)) return false;
        base_.assign(cells_.size(), 0);
        near_.assign(cells_.size(), {});
        for (std::size_t i = 0; i < cells_.size(); ++i)
            for (const std::int32_t step : k.around_) {
                const std::int32_t next = cells_[i] + step;
                base_[i] += Counter::is_mine(k.shown_[next]) || k.fact_at(next) == Counter::MINE_FACT;
                if (index_[next] >= 0) near_[i].push_back(index_[next]);
            }
        Endgame::Best best;
        if (!endgame_.solve(base_, near_, settings.nodes, best) || best.cell < 0) return false;
        const double chance = static_cast<double>(best.wins) / static_cast<double>(endgame_.boards.size());
        choice = {k.plain(cells_[best.cell]), 0, chance, true};
        return true;
    }

    // All ways to lay the mines, component by component; false when that is too much.
    bool lay(Counter& k, std::size_t l, std::int32_t mines, Endgame::Board& board) {
        if (l == k.live_.size()) return lay_free(k, 0, mines, board);
        const Component& component = k.pieces_[k.live_[l]].component;
        need_ = component.need;
        room_.assign(component.need.size(), 0);
        box_of_.assign(component.cells.size(), nullptr);
        for (const Box& box : component.boxes)
            for (std::int32_t i = box.first; i < box.first + box.size; ++i) {
                box_of_[i] = &box;
                for (std::int32_t c = 0; c < box.clue_count; ++c) ++room_[box.clues[c]];
            }
        ways_.clear();
        Endgame::Board none{};
        if (!lay_cell(component, 0, 0, none)) return false;
        const std::vector<Way> ways = ways_;
        for (const Way& way : ways) {
            if (way.mines > mines) continue;
            Endgame::Board both = board;
            for (std::size_t w = 0; w < both.size(); ++w) both[w] |= way.board[w];
            if (!lay(k, l + 1, mines - way.mines, both)) return false;
        }
        return true;
    }

    // All ways of one component, cell by cell.
    bool lay_cell(const Component& component, std::size_t i, std::int32_t mines, Endgame::Board& board) {
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

    // The mines that are left, in the cells that no clue sees.
    bool lay_free(const Counter& k, std::size_t i, std::int32_t mines, Endgame::Board& board) {
        if (--steps_ < 0) return false;
        if (mines == 0) {
            endgame_.boards.push_back(board);
            return endgame_.boards.size() <= settings.boards;
        }
        while (i < cells_.size() && !k.free_[cells_[i]]) ++i;
        if (i == cells_.size()) return true;
        if (!lay_free(k, i + 1, mines, board)) return false;
        flip(board, static_cast<std::int32_t>(i));
        const bool fine = lay_free(k, i + 1, mines - 1, board);
        flip(board, static_cast<std::int32_t>(i));
        return fine;
    }

    static void flip(Endgame::Board& board, std::int32_t bit) { board[bit >> 6] ^= std::uint64_t{1} << (bit & 63); }

    static constexpr std::int64_t MOST_STEPS = 200'000;  // of laying mines
    struct Way {
        Endgame::Board board;
        std::int32_t mines;
    };

    Foresight foresight_;
    Endgame endgame_;
    std::int64_t steps_ = 0;
    std::vector<Candidate> candidates_, free_;
    std::vector<std::int32_t> cells_, index_, need_, room_, base_;
    std::vector<std::vector<std::int32_t>> near_;
    std::vector<const Box*> box_of_;
    std::vector<Way> ways_;
};

}  // namespace mineproof
