// A board, as far as certain moves clear it from its start. The cheapest rule that finds something is asked first: a single
// clue, two clues, all clues together, the number of mines.
#pragma once
#include <cstdint>
#include <vector>

#include "clues.hpp"
#include "counter.hpp"
#include "odds.hpp"
#include "symbols.hpp"

namespace mineproof {

enum class Cleared {
    YES = 0,
    NO = 1,       // nothing more is certain
    HARD = 2,     // a component was too wide for what memory and work it may take
    STOPPED = 3,  // time ran out, or the work was cancelled
};

class Clearing : public Clues {
public:
    Counter counter;

    // Opens all that is certain.
    Cleared run() {
        for (;;) {
            if (!simple_rules()) return Cleared::STOPPED;
            if (all_open()) return Cleared::YES;
            const Cleared found = all_clues();
            if (found != Cleared::YES) return found;
        }
    }

private:
    static constexpr unsigned char NOTHING_TO_TELL = 0;  // as on the border of the counter's board
    static constexpr double MOST_WORK = 1e7;  // most steps to join components exactly; beyond that the bounds are enough

    // What all clues prove together, and then what the number of mines adds. YES when a cell was opened.
    Cleared all_clues() {
        tell_counter();
        const Outcome outcome = counter.refresh();
        if (outcome != Outcome::COUNTED && outcome != Outcome::HARD) return Cleared::STOPPED;
        const std::int32_t before = to_open_;
        for (const std::int32_t cell : counter.proved_mined)
            if (is_unknown(padded(cell))) mark(padded(cell));
        for (const std::int32_t cell : counter.proved_safe)
            if (is_unknown(padded(cell))) open(padded(cell));
        counter.proved_mined.clear();
        counter.proved_safe.clear();
        if (to_open_ < before) return Cleared::YES;
        if (outcome == Outcome::HARD) return Cleared::HARD;
        return counter.number_matters() ? count_mines() : Cleared::NO;
    }

    Cleared count_mines() {
        marks_.resize(symbols_.size());
        probability_.resize(symbols_.size());
        error_.resize(symbols_.size());
        if (odds_.join(counter, MOST_WORK) != Outcome::COUNTED) return Cleared::STOPPED;
        if (odds_.write(counter.counted(), probability_.data(), error_.data(), marks_.data(), counter.limit) != Outcome::COUNTED)
            return Cleared::STOPPED;
        const std::int32_t before = to_open_;
        each_cell([&](std::int32_t i, std::int32_t at) {
            if (marks_[i] == SAFE && is_unknown(at)) open(at);
        });
        return to_open_ < before ? Cleared::YES : Cleared::NO;
    }

    unsigned char symbol(std::int32_t at) const {
        if (is_open(at)) return static_cast<unsigned char>(ZERO + number(at));
        return is_proved_mine(at) ? SHOWN_MINE : HIDDEN;
    }

    // The counter sees what a player sees, with what was proved: mines as if they were shown, and clues that have no unknown
    // neighbour left as if they were outside the board.
    void tell_counter() {
        if (new_numbers_) {
            symbols_.resize(static_cast<std::size_t>(cells()));
            each_cell([&](std::int32_t i, std::int32_t at) {
                symbols_[i] = is_open(at) && unknown_around(at) == 0 ? NOTHING_TO_TELL : symbol(at);
            });
            counter.start_proving(rows_, cols_, symbols_.data(), mines_);
            limit.tick(10 * std::int64_t{cells()});
            new_numbers_ = false;
        } else {
            for (const std::int32_t at : news_) counter.see(plain(at), symbol(at));
        }
        news_.clear();
    }

    std::vector<unsigned char> symbols_, marks_;
    std::vector<double> probability_, error_;
    Odds odds_;
};

}  // namespace mineproof
