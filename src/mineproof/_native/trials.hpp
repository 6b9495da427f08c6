// Guesses of one rule, and what they are worth if another rule plays on.
//
// One rule, the walker, walks through a game. A guess does not end it: the game goes on where the guess was safe, on another
// board if need be, and from there on counts as much less as the guess was risky. At each guess the other rule, the judge, is
// asked too. What a cell is worth is the chance to win if it is opened and the judge plays on, by playing out boards that are
// drawn from the position.
//
// The worth of the walker's choices less that of the judge's own, summed over a game with those weights, is on average just
// what the walker wins more often than the judge (Kakade and Langford, 2002: the performance difference lemma). No luck before
// a guess is in that sum, and as little as possible after it.
#pragma once
#include <cstdint>
#include <vector>

#include "decider.hpp"
#include "rollouts.hpp"

namespace mineproof {

struct Fork {  // a guess
    double weight = 1;  // the chance that all guesses before it were safe
    double log_solutions = 0;
    std::int32_t opened = 0;
    Strategist::Choice judge, walker;
    std::vector<unsigned char> symbols;
    std::vector<Strategist::Choice> considered;  // by the judge
};

struct Walk {
    bool failed = false;  // a position could not be counted, or not in time
    double chance = 1;    // to win, given what was shown: a fair estimate of the walker's
    std::vector<Fork> forks;
};

class Trials {
public:
    Trials(Decider& judge, Decider& walker) : judge_(judge), walker_(walker), rollouts_(judge) {}

    Rollouts& rollouts() { return rollouts_; }

    // A game on this board (what each cell would show; padded) from this cell. With an exact endgame it is over.
    Walk walk(std::int32_t rows, std::int32_t cols, std::vector<unsigned char> truth, std::int32_t mines, std::int32_t start,
              Stream& stream) {
        Walk walk;
        const std::int32_t stride = cols + 2, cells = rows * cols;
        std::int32_t around[8], opened = 0;
        neighbour_steps(cols, around);
        const auto padded = [=](std::int32_t i) { return (i / cols + 1) * stride + i % cols + 1; };
        const auto plain = [=](std::int32_t at) { return (at / stride - 1) * cols + at % stride - 1; };
        std::vector<unsigned char> shown(static_cast<std::size_t>(cells), HIDDEN);
        std::vector<std::int32_t> todo{start}, journal;
        walker_.start(rows, cols, shown.data(), mines);
        while (true) {
            journal.clear();
            const auto put = [&](std::int32_t at) {
                if (truth[at] == 0 || shown[plain(at)] != HIDDEN) return;
                shown[plain(at)] = truth[at];
                journal.push_back(at);
            };
            for (const std::int32_t cell : todo) put(padded(cell));
            for (std::size_t head = 0; head < journal.size(); ++head) {
                const std::int32_t at = journal[head];
                if (truth[at] == ZERO)
                    for (const std::int32_t step : around) put(at + step);
            }
            opened += static_cast<std::int32_t>(journal.size());
            if (opened == cells - mines) return walk;
            for (const std::int32_t at : journal) walker_.counter.see(plain(at), truth[at]);
            const Decider::Step step = walker_.decide();
            todo = walker_.todo;
            if (step == Decider::CERTAIN) continue;
            walk.failed = step == Decider::FAILED || !ask_judge(rows, cols, shown, mines);
            if (walk.failed) return walk;
            const Strategist::Choice choice = walker_.choice;
            if (!choice.exact() || !judge_.choice.exact())  // else both play perfectly from here on
                walk.forks.push_back({walk.chance, walker_.odds.log_solutions(), opened, judge_.choice, choice, shown,
                                      judge_.strategist.considered});
            walk.chance *= choice.exact() ? choice.score : 1 - choice.risk;
            if (choice.exact()) return walk;
            if (truth[padded(choice.cell)] == HIT) {
                shown[choice.cell] = NAMED_SAFE;
                walk.failed = !rollouts_.again.start(rows, cols, shown.data(), mines);
                if (walk.failed) return walk;
                rollouts_.again.draw(stream, truth);
                shown[choice.cell] = HIDDEN;
            }
        }
    }

    // What these unknown cells are worth: the same boards for all of them, whichever they are. False when a position could
    // not be counted, or time runs out.
    bool weigh(std::int32_t rows, std::int32_t cols, std::vector<unsigned char> shown, std::int32_t mines,
               const std::vector<std::int32_t>& chosen, std::size_t boards, std::uint64_t seed, std::uint64_t index,
               std::vector<double>& worth) {
        judge_.start(rows, cols, shown.data(), mines);
        if (judge_.counter.refresh() != Outcome::COUNTED || judge_.count() != Outcome::COUNTED) return false;
        worth.clear();
        for (const std::int32_t cell : chosen) worth.push_back(1 - judge_.probability[cell]);
        if (!rollouts_.start(rows, cols, shown.data(), mines)) return false;
        Stream stream(seed, index, TRIALS);
        rollouts_.draw(boards, stream);
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const std::int32_t cell = chosen[i], at = (cell / cols + 1) * (cols + 2) + cell % cols + 1;
            Stream own(seed, index, TRIALS + (static_cast<std::uint64_t>(cell + 1) << 8));
            std::size_t from = 0, safe = 0;
            for (std::size_t b = 0; b < boards; ++b) safe += rollouts_.boards[b][at] != HIT;
            if (safe == 0) {  // a mine on all of them: another board, on which it is safe
                shown[cell] = NAMED_SAFE;
                if (!rollouts_.again.start(rows, cols, shown.data(), mines)) return false;
                shown[cell] = HIDDEN;
                rollouts_.boards.emplace_back();
                rollouts_.again.draw(own, rollouts_.boards.back());
                from = boards;
                safe = 1;
            }
            if (!rollouts_.play(cell, from, rollouts_.boards.size(), own)) return false;
            double sum = 0;
            for (std::size_t b = from; b < rollouts_.boards.size(); ++b)
                if (rollouts_.boards[b][at] != HIT) sum += rollouts_.value[b];
            worth[i] *= sum / static_cast<double>(safe);
            rollouts_.boards.resize(boards);
        }
        return true;
    }

private:
    bool ask_judge(std::int32_t rows, std::int32_t cols, const std::vector<unsigned char>& shown, std::int32_t mines) {
        judge_.strategist.settings.thorough = true;
        judge_.start(rows, cols, shown.data(), mines);
        const Decider::Step step = judge_.decide();
        judge_.strategist.settings.thorough = false;
        return step == Decider::GUESS || step == Decider::EXACT;
    }

    Decider &judge_, &walker_;
    Rollouts rollouts_;
};

}  // namespace mineproof
