// Which cell to open when none is certainly safe.
//
// When few boards are left the rest of the game is searched exactly; and so is a component that has nothing to do with the
// rest. Else each candidate is looked at one step ahead: for each number that it could show, how safe the next guess would be,
// or how many cells would be certain; and more if a safe click ends a long-term risk. Candidates come in order of their safety,
// and a candidate is given up as soon as it cannot be the best any more.
//
// Dead cells come last, and a cell that is safe wherever the chosen one is, and elsewhere too, is opened before it: neither
// ever costs a board (docs/strength.md has the proofs).
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
#include "laying.hpp"
#include "odds.hpp"
#include "tossups.hpp"

namespace mineproof {

class Strategist {
public:
    struct Settings {
        double second = 0.2;          // weight of the second safest cell afterwards
        double progress = 0.05;       // bonus when cells are certain afterwards, for each doubling of their number
        std::uint32_t boards = 1000;  // the most boards for an exact endgame
        std::int64_t nodes = 20000;   // most nodes of the search of an endgame
        std::int32_t free_cells = 6;  // the most cells considered of those that no clue sees
        bool thorough = false;        // whole scores, even of candidates that cannot be the best any more
        bool dead = true;             // cells that teach nothing come last
        bool living = true;           // and do not count in what a click leaves
        double tossups = 0.9;         // weight of toss-ups that a safe click would end
        bool dominance = true;        // what is safe wherever the chosen cell is, and elsewhere too, comes before it
        bool isolated = true;         // components that have nothing to do with the rest, and forced toss-ups, come first
    };
    enum Why : unsigned char { LOOKED, EXACT, ISOLATED, TOSSUP, IMPLIED, PLAYED_OUT };
    struct Choice {
        std::int32_t cell = -1;
        double risk = 0;
        double score = 0;  // the chance to win if exact, or to win the isolated component; else what was compared
        Why why = LOOKED;
        bool dead = false;  // it can show one number only, and such cells come last
        bool exact() const { return why == EXACT; }
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
    std::vector<Choice> considered;  // candidates of the last choice, if it looked ahead

    // A position whose odds are exact; no cell is certainly safe, and some cell is unsure. When time is over the choice is
    // what was best until then, and the work was stopped.
    Choice choose(const Counted& counted, double log_solutions, const double* probability, const unsigned char* mark,
                  Limit& limit) {
        Choice choice;
        considered.clear();
        if (endgame(counted, log_solutions, limit) && best_.cell >= 0) {
            choice.cell = counted.board().plain(laying_.cells[best_.cell]);
            return {choice.cell, probability[choice.cell], static_cast<double>(best_.wins) / boards(), EXACT};
        }
        look_from(counted, log_solutions, limit);
        if (settings.isolated && isolated(counted, probability, limit, choice)) return choice;
        if (settings.tossups > 0 || settings.isolated) tossups_.find(counted, foresight_, probability);
        if (settings.isolated && tossups_.forced >= 0)
            return {tossups_.forced, probability[tossups_.forced], 1 - probability[tossups_.forced], TOSSUP};
        list(counted, probability, mark);
        const double most = bonus(Foresight::MANY), highest = settings.tossups > 0 ? factor(tossups_.most) : 1;
        double best = -1, dead_best = -1;
        Choice dead;
        for (const Candidate& candidate : candidates_) {
            if (candidate.safety * most * highest <= best) break;
            const double more = settings.tossups > 0 ? factor(tossups_.share(counted.board().padded(candidate.cell))) : 1;
            if (!settings.thorough && candidate.safety * most * more <= best) continue;
            const double score = worth(candidate, best / more) * more;
            if (limit.stopped && (choice.cell >= 0 || dead.cell >= 0)) break;
            const bool last = settings.dead && numbers_ == 1;
            considered.push_back({candidate.cell, 1 - candidate.safety, score, LOOKED, last});
            if (score <= (last ? dead_best : best) + EQUAL) continue;
            (last ? dead_best : best) = score;
            (last ? dead : choice) = considered.back();
            if (!last) chosen_implied_ = implied_;
        }
        if (choice.cell < 0) return dead;
        return settings.dominance ? safer(counted, probability, choice) : choice;
    }

    // After look_from(): what comes before a cell that was considered, if another is safe wherever it is, and elsewhere too.
    Choice dominating(const Counted& counted, const double* probability, const Choice& choice) {
        if (!settings.dominance) return choice;
        worth({choice.cell, 0, 1 - choice.risk, 0}, -1);
        chosen_implied_ = implied_;
        return safer(counted, probability, choice);
    }

    // What a cell would show, and what would be certain then, or found dead; with the settings of the rule.
    Foresight& look_from(const Counted& counted, double log_solutions, Limit& limit) {
        foresight_.begin(counted, log_solutions, limit);
        foresight_.living = settings.living;
        return foresight_;
    }

    // Of all consistent boards, those that perfect play wins. False when there are too many, or time runs out.
    bool wins(const Counted& counted, double log_solutions, Limit& limit, std::uint32_t& won, std::uint32_t& all) {
        if (!endgame(counted, log_solutions, limit)) return false;
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

    double bonus(std::int32_t certain) const {
        return 1 + settings.progress * std::log2(std::min(certain, Foresight::MANY));
    }
    double factor(double share) const { return 1 + settings.tossups * share; }

    // The safest of the cells that are safe wherever the chosen one is, if any is safer.
    Choice safer(const Counted& k, const double* probability, Choice choice) const {
        double least = choice.risk - EQUAL;
        for (const std::int32_t at : chosen_implied_) least = std::min(least, probability[k.board().plain(at)]);
        if (least == choice.risk - EQUAL) return choice;
        std::int32_t first = INT32_MAX;
        for (const std::int32_t at : chosen_implied_)
            if (probability[k.board().plain(at)] <= least + EQUAL) first = std::min(first, k.board().plain(at));
        return {first, probability[first], choice.score, IMPLIED};
    }

    // Fills in how many numbers the candidate can show, and what is safe wherever it is, if it may be the best.
    double worth(const Candidate& candidate, double best) {
        double score = 0, left = candidate.safety;
        const double most = bonus(Foresight::MANY);
        numbers_ = 0;
        implied_.clear();  // time may run out before the first number
        for (int number = 0; number <= 8; ++number) {
            Foresight::View view;
            if (!foresight_.look(candidate.cell, number, view)) continue;
            if (++numbers_ == 1) implied_ = foresight_.certain;
            implied_.erase(std::remove_if(implied_.begin(), implied_.end(),
                                          [&](std::int32_t at) { return !foresight_.is_certain(at); }),
                           implied_.end());
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
    bool endgame(const Counted& k, double log_solutions, Limit& limit) {
        if (log_solutions > std::log(static_cast<double>(settings.boards)) + 1e-9) return false;
        return laying_.lay_all(k, settings.boards, endgame_.boards) &&
               endgame_.solve(laying_.base, laying_.near, settings.nodes, limit, best_);
    }

    // A component that nothing outside tells of, and that tells of nothing outside: its number of mines is always the same,
    // and its cells touch no other unknown cell. The chance to win is then that of winning the component times that of
    // winning all else, so its best cell is as good now as at any time. The smallest one is searched.
    bool isolated(const Counted& k, const double* probability, Limit& limit, Choice& choice) {
        std::size_t found = k.size();
        const auto before = [&](const Component& a, const Component& b) {
            return a.cells.size() != b.cells.size() ? a.cells.size() < b.cells.size() : a.clues[0] < b.clues[0];
        };
        for (std::size_t l = 0; l < k.size(); ++l)
            if ((found == k.size() || before(k.component(l), k.component(found))) && is_isolated(k, l)) found = l;
        if (found == k.size() || !laying_.lay_one(k, found, settings.boards, endgame_.boards)) return false;
        if (!endgame_.solve(laying_.base, laying_.near, settings.nodes, limit, best_) || best_.cell < 0) return false;
        choice.cell = k.board().plain(laying_.cells[best_.cell]);
        choice.risk = probability[choice.cell];
        choice.score = static_cast<double>(best_.wins) / boards();
        choice.why = ISOLATED;
        return true;
    }

    bool is_isolated(const Counted& k, std::size_t l) const {
        const std::vector<unsigned char>& possible = k.row(l).possible;
        if (std::count(possible.begin(), possible.end(), 0) + 1 != static_cast<std::ptrdiff_t>(possible.size())) return false;
        for (const std::int32_t at : k.component(l).cells)
            for (const std::int32_t step : k.board().around()) {
                const std::int32_t next = at + step;
                if (k.board().is_unknown(next) && foresight_.component_of(next) != static_cast<std::int32_t>(l)) return false;
            }
        return true;
    }

    Foresight foresight_;
    Tossups tossups_;
    Laying laying_;
    Endgame endgame_;
    Endgame::Best best_;
    std::vector<Candidate> candidates_, free_;
    std::vector<std::int32_t> implied_, chosen_implied_;
    int numbers_ = 0;
};

}  // namespace mineproof
