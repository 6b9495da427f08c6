// A whole board by the easiest steps: from its start, whatever is certain is opened, and each time the easiest step that there is
// finds it. Sets of a few clues and chains are the business of `technique.hpp`; what only cases or the number of mines settle is
// taken from the counter, which knows all that is certain. Where nothing is, a guess may be made, and does not fail.
//
// Both see what a player sees, and never the mines; these are here to be opened upon, and to tell a guess that does not fail.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "clearing.hpp"
#include "counter.hpp"
#include "numbers.hpp"
#include "odds.hpp"
#include "symbols.hpp"
#include "technique.hpp"

namespace mineproof {

class Course {
public:
    enum Level : std::int32_t { ONE_CLUE = 1, TWO_CLUES, COMBINATION, CHAIN, CASES, MINE_COUNT, GUESS };

    struct Step {
        std::int32_t level = 0;
        bool mine = false;
        std::vector<std::int32_t> clues, cells;  // of cases and the number of mines no clues are named
        std::vector<std::int32_t> used;          // mines that were found before, and without which it would not follow
        double risk = 0;                         // of a guess
    };

    Techniques techniques;
    Counter counter;
    std::vector<Step> steps;

    // Steps up to this level clear the board, or do not. The mines are one byte per cell; the start is none.
    Cleared run(std::int32_t rows, std::int32_t cols, const unsigned char* mines, std::int32_t start, std::int32_t most) {
        const std::size_t cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
        rows_ = rows;
        cols_ = cols;
        mines_ = static_cast<std::int32_t>(std::count(mines, mines + cells, 1));
        to_open_ = static_cast<std::int32_t>(cells) - mines_;
        number_cells(mines, rows, cols, number_);
        neighbour_steps(cols, around_);
        shown_.assign(cells, HIDDEN);
        techniques.start(rows, cols, shown_.data());
        techniques.watch.restart();
        steps.clear();
        safe_.clear();
        news_.clear();
        counting_ = false;
        open(start);
        const Cleared cleared = clear(most);
        leave_out();
        return cleared;
    }

private:
    static constexpr double MOST_WORK = 1e7;  // of joining components exactly, as for `Clearing`
    static constexpr double EQUAL = 1e-9;     // risks: which is first must not depend on rounding

    Cleared clear(std::int32_t most) {
        const std::int32_t largest = most >= CHAIN ? Techniques::CHAIN : most >= COMBINATION ? Techniques::MOST_CLUES : most;
        Techniques::Found found;
        while (to_open_ > 0) {
            // With news there may be single clues that decide; nothing harder is tried before that is known.
            if (techniques.step(news_.empty() ? largest : 1, found)) {
                take(found);
            } else if (techniques.watch.stopped) {
                return Cleared::STOPPED;
            } else if (!news_.empty()) {
                if (!tell_counter()) return Cleared::STOPPED;
            } else {
                const Cleared opened = most >= CASES ? open_hard(most) : Cleared::NO;
                if (opened != Cleared::YES) return opened;
            }
        }
        return Cleared::YES;
    }

    static std::int32_t level_of(std::int32_t size) {
        return size == Techniques::CHAIN ? CHAIN : std::min(size, std::int32_t{COMBINATION});
    }

    void take(Techniques::Found& found) {
        techniques.widen(found);
        steps.push_back({level_of(found.size), found.mine, found.clues, found.cells, found.used, 0});
        if (!found.mine)
            for (const std::int32_t cell : found.cells) open(cell);
    }

    void open(std::int32_t cell) {
        if (shown_[at(cell)] != HIDDEN) return;
        show(cell);
        for (std::size_t i = news_.size() - 1; i < news_.size(); ++i) {  // what is new is the queue
            if (shown_[at(news_[i])] != ZERO) continue;
            around(news_[i], [&](std::int32_t next) {
                if (shown_[at(next)] == HIDDEN) show(next);
            });
        }
    }

    void show(std::int32_t cell) {
        const std::int32_t padded = (cell / cols_ + 1) * (cols_ + 2) + cell % cols_ + 1;
        shown_[at(cell)] = static_cast<unsigned char>(ZERO + number_[at(padded)]);
        techniques.see(cell, shown_[at(cell)]);
        news_.push_back(cell);
        --to_open_;
    }

    // The counter sees what is new, and tells what the clues prove now; false when time runs out.
    bool tell_counter() {
        if (counting_) {
            for (const std::int32_t cell : news_) counter.see(cell, shown_[at(cell)]);
        } else {
            counter.start_proving(rows_, cols_, shown_.data(), mines_);
            counting_ = true;
        }
        news_.clear();
        outcome_ = counter.refresh();
        if (outcome_ != Outcome::COUNTED && outcome_ != Outcome::HARD) return false;
        for (const std::int32_t cell : counter.proved_safe) {
            techniques.want(cell, false);
            safe_.push_back(cell);
        }
        for (const std::int32_t cell : counter.proved_mined) techniques.want(cell, true);
        counter.proved_safe.clear();
        counter.proved_mined.clear();
        return true;
    }

    // What no set of clues and no chain settles.
    Cleared open_hard(std::int32_t most) {
        safe_.erase(std::remove_if(safe_.begin(), safe_.end(), [&](std::int32_t c) { return shown_[at(c)] != HIDDEN; }),
                    safe_.end());
        if (!safe_.empty()) return open_alike(CASES);
        if (outcome_ == Outcome::HARD) return Cleared::HARD;
        const bool counted = most >= MINE_COUNT && counter.number_matters();
        if (!counted && most < GUESS) return Cleared::NO;
        if (!find_odds()) return Cleared::STOPPED;
        for (std::size_t i = 0; i < marks_.size(); ++i)
            if (marks_[i] == SAFE) safe_.push_back(static_cast<std::int32_t>(i));
        if (!safe_.empty()) return open_alike(MINE_COUNT);
        return most >= GUESS ? guess() : Cleared::NO;
    }

    bool find_odds() {
        marks_.resize(shown_.size());
        probability_.resize(shown_.size());
        error_.resize(shown_.size());
        return odds_.join(counter, MOST_WORK) == Outcome::COUNTED &&
               odds_.write(counter.counted(), probability_.data(), error_.data(), marks_.data(), counter.watch) == Outcome::COUNTED;
    }

    // The first of the safe cells, and all that have the same clues around them: whatever settles one settles all.
    Cleared open_alike(std::int32_t level) {
        const std::int32_t first = *std::min_element(safe_.begin(), safe_.end());
        const std::vector<std::int32_t> clues = clues_around(first);
        Step step;
        step.level = level;
        for (const std::int32_t cell : safe_)
            if (clues_around(cell) == clues) step.cells.push_back(cell);
        std::sort(step.cells.begin(), step.cells.end());
        if (level == MINE_COUNT) safe_.clear();  // they were not proved by clues alone
        steps.push_back(step);
        for (const std::int32_t cell : step.cells) open(cell);
        return Cleared::YES;
    }

    // The least risky of the cells that are no mines.
    Cleared guess() {
        std::int32_t best = -1;
        for (std::int32_t cell = 0; cell < rows_ * cols_; ++cell) {
            const std::int32_t padded = (cell / cols_ + 1) * (cols_ + 2) + cell % cols_ + 1;
            if (shown_[at(cell)] != HIDDEN || number_[at(padded)] == NUMBER_OF_MINE) continue;
            if (best < 0 || probability_[at(cell)] < probability_[at(best)] - EQUAL) best = cell;
        }
        Step step;
        step.level = GUESS;
        step.cells.assign(1, best);
        step.risk = probability_[at(best)];
        steps.push_back(step);
        open(best);
        return Cleared::YES;
    }

    // Mines that nothing followed from were not needed. Before cases and the number of mines, any of them may count.
    void leave_out() {
        needed_.assign(shown_.size(), 0);
        bool all = false;
        std::size_t kept = steps.size();
        for (std::size_t i = steps.size(); i-- > 0;) {
            Step& step = steps[i];
            all = all || step.level == CASES || step.level == MINE_COUNT;
            const auto is_needed = [&](std::int32_t cell) { return needed_[at(cell)] != 0; };
            if (step.mine && !all && std::none_of(step.cells.begin(), step.cells.end(), is_needed)) continue;
            for (const std::int32_t cell : step.used) needed_[at(cell)] = 1;
            if (--kept != i) std::swap(steps[kept], step);
        }
        steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(kept));
    }

    std::vector<std::int32_t> clues_around(std::int32_t cell) const {
        std::vector<std::int32_t> clues;
        around(cell, [&](std::int32_t next) {
            if (is_clue(shown_[at(next)])) clues.push_back(next);
        });
        return clues;
    }

    static std::size_t at(std::int32_t cell) { return static_cast<std::size_t>(cell); }

    template <class Visit>
    void around(std::int32_t cell, Visit visit) const {
        const std::int32_t padded = (cell / cols_ + 1) * (cols_ + 2) + cell % cols_ + 1;
        for (const std::int32_t step : around_) {
            const std::int32_t next = padded + step;
            if (number_[at(next)] != BORDER) visit((next / (cols_ + 2) - 1) * cols_ + next % (cols_ + 2) - 1);
        }
    }

    std::int32_t rows_ = 0, cols_ = 0, mines_ = 0, to_open_ = 0, around_[8] = {};
    bool counting_ = false;  // the counter knows this board
    Outcome outcome_ = Outcome::COUNTED;
    std::vector<unsigned char> number_, shown_, marks_, needed_;
    std::vector<double> probability_, error_;
    std::vector<std::int32_t> news_, safe_;  // cells that the counter has not seen yet; cells that the clues prove safe
    Odds odds_;
};

}  // namespace mineproof
