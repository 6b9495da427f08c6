// What to do next in a game that is followed: all certain cells, or a guess.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "counter.hpp"
#include "odds.hpp"
#include "strategy.hpp"

namespace mineproof {

class Decider {
public:
    enum MoveKind { CERTAIN, GUESS, EXACT, FAILED };  // FAILED: the position could not be counted, or not in time

    Counter counter;
    Odds odds;
    Strategist strategist;
    std::vector<double> probability, error;
    std::vector<unsigned char> mark;
    std::vector<std::int32_t> todo;  // the cells to open next; plain
    Strategist::Choice choice;       // the last guess

    virtual ~Decider() = default;

    void start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines) {
        const std::size_t cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
        probability.resize(cells);
        error.resize(cells);
        mark.resize(cells);
        counter.start(rows, cols, symbols, mines, true);
    }

    // Fills in the cells to open, and the choice if it is one.
    MoveKind decide() {
        if (counter.refresh() != Outcome::COUNTED) return FAILED;
        todo.swap(counter.proved_safe);
        counter.proved_safe.clear();
        counter.proved_mined.clear();
        if (!todo.empty()) return CERTAIN;
        if (count() != Outcome::COUNTED) return FAILED;
        for (std::size_t i = 0; i < mark.size(); ++i)
            if (mark[i] == SAFE) todo.push_back(static_cast<std::int32_t>(i));
        if (!todo.empty()) return CERTAIN;
        choice = guess();
        if (choice.cell < 0 || counter.limit.stopped) return FAILED;
        todo.push_back(choice.cell);
        return choice.exact() ? EXACT : GUESS;
    }

    // After refresh(): the odds.
    Outcome count() {
        const Outcome outcome = odds.join(counter, std::numeric_limits<double>::infinity());
        if (outcome != Outcome::COUNTED) return outcome;
        return odds.write(counter.counted(), probability.data(), error.data(), mark.data(), counter.limit);
    }

    // After count(), when no cell is certainly safe.
    virtual Strategist::Choice guess() {
        return strategist.choose(counter.counted(), odds.log_solutions(), probability.data(), mark.data(), counter.limit);
    }
};

// Guesses the least risky cell, whatever follows.
class Cautious : public Decider {
public:
    Strategist::Choice guess() override {
        strategist.considered.clear();
        Strategist::Choice found;
        found.cell = Strategist::safest(probability, mark);
        found.risk = found.cell >= 0 ? probability[found.cell] : 0;
        found.score = 1 - found.risk;
        return found;
    }
};

}  // namespace mineproof
