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
#include "odds.hpp"
#include "opened.hpp"
#include "symbols.hpp"
#include "technique.hpp"

namespace mineproof {

class Course {
public:
    enum Level : std::int32_t { ONE_CLUE = 1, TWO_CLUES, COMBINATION, CHAIN, CASES, MINE_COUNT, GUESS };

    struct SolutionStep {
        std::int32_t level = 0;
        bool mine = false;
        std::vector<std::int32_t> clues, cells;  // `clues` is empty for cases and the number of mines
        std::vector<std::int32_t> used;          // mines that were found before, and without which it would not follow
        double risk = 0;                         // risk of a guess
    };

    Techniques techniques;
    Counter counter;
    std::vector<SolutionStep> steps;

    // Steps up to this level clear the board, or do not. The mines are one byte per cell; the start is none.
    Cleared run(std::int32_t rows, std::int32_t cols, const unsigned char* mines, std::int32_t start, std::int32_t most) {
        const std::size_t cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
        mines_ = static_cast<std::int32_t>(std::count(mines, mines + cells, 1));
        safe_cells_ = static_cast<std::int32_t>(cells) - mines_;
        find_truth(mines, rows, cols, truth_);
        board_.start(rows, cols);
        symbols_.assign(cells, HIDDEN);
        techniques.start(rows, cols, symbols_.data());
        techniques.limit.restart();
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
    static constexpr double MOST_WORK = 1e7;  // most steps to join components exactly, as for `Clearing`
    static constexpr double EQUAL = 1e-9;     // risks: which is first must not depend on rounding

    Cleared clear(std::int32_t most) {
        const std::int32_t largest = most >= CHAIN ? Techniques::CHAIN : most >= COMBINATION ? Techniques::MOST_CLUES : most;
        Techniques::Found found;
        while (board_.opened < safe_cells_) {
            // With news there may be single clues that decide; nothing harder is tried before that is known.
            if (techniques.step(news_.empty() ? largest : 1, found)) {
                take(found);
            } else if (techniques.limit.stopped) {
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
        if (!is_hidden(cell)) return;
        std::size_t i = news_.size();
        board_.open(board_.padded(cell), truth_.data(), news_);
        for (; i < news_.size(); ++i) techniques.see(plain(news_[i]), board_.shown[news_[i].at()]);
    }

    // The counter sees what is new, and tells what the clues prove now; false when time runs out.
    bool tell_counter() {
        if (counting_) {
            for (const Change change : news_) counter.see(plain(change), board_.shown[change.at()]);
        } else {
            board_.write(symbols_.data());
            counter.start_proving(board_.rows(), board_.cols(), symbols_.data(), mines_);
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
        safe_.erase(std::remove_if(safe_.begin(), safe_.end(), [&](std::int32_t c) { return !is_hidden(c); }), safe_.end());
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
        marks_.resize(symbols_.size());
        probability_.resize(symbols_.size());
        error_.resize(symbols_.size());
        return odds_.join(counter, MOST_WORK) == Outcome::COUNTED &&
               odds_.write(counter.counted(), probability_.data(), error_.data(), marks_.data(), counter.limit) == Outcome::COUNTED;
    }

    // The first of the safe cells, and all that have the same clues around them: whatever settles one settles all.
    Cleared open_alike(std::int32_t level) {
        const std::int32_t first = *std::min_element(safe_.begin(), safe_.end());
        const std::vector<std::int32_t> clues = clues_around(first);
        SolutionStep step;
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
        for (std::int32_t cell = 0; cell < board_.rows() * board_.cols(); ++cell) {
            if (!is_hidden(cell) || truth_[at(board_.padded(cell))] == HIT) continue;
            if (best < 0 || probability_[at(cell)] < probability_[at(best)] - EQUAL) best = cell;
        }
        SolutionStep step;
        step.level = GUESS;
        step.cells.assign(1, best);
        step.risk = probability_[at(best)];
        steps.push_back(step);
        open(best);
        return Cleared::YES;
    }

    // Mines that nothing followed from were not needed. Before cases and the number of mines, any of them may count.
    void leave_out() {
        needed_.assign(symbols_.size(), 0);
        bool all = false;
        std::size_t kept = steps.size();
        for (std::size_t i = steps.size(); i-- > 0;) {
            SolutionStep& step = steps[i];
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
        for (const std::int32_t step : board_.around()) {
            const std::int32_t next = board_.padded(cell) + step;
            if (is_clue(board_.shown[at(next)])) clues.push_back(board_.plain(next));
        }
        return clues;
    }

    static std::size_t at(std::int32_t cell) { return static_cast<std::size_t>(cell); }
    bool is_hidden(std::int32_t cell) const { return board_.shown[at(board_.padded(cell))] == HIDDEN; }
    std::int32_t plain(Change change) const { return board_.plain(change.at()); }

    OpenedBoard board_;
    std::int32_t mines_ = 0, safe_cells_ = 0;
    bool counting_ = false;  // the counter knows this board
    Outcome outcome_ = Outcome::COUNTED;
    std::vector<unsigned char> truth_, symbols_, marks_, needed_;
    std::vector<double> probability_, error_;
    std::vector<Change> news_;         // cells that the counter has not seen yet
    std::vector<std::int32_t> safe_;  // cells that the clues prove safe
    Odds odds_;
};

}  // namespace mineproof
