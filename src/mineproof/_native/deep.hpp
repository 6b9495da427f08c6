// Guesses, chosen by playing them out, once the game is under way.
//
// The best guesses by the rule are compared on the same boards, drawn uniformly from all that are consistent. The boards get
// twice as many from round to round. A guess is given up when knowing more of it can be expected to gain less than another
// round costs, so that a clear decision is cheap, and a close one gets the rest of the budget. What is compared is not the mean
// alone: it is shrunk towards what the rule leads one to expect, by how much the boards scatter, because the best of many noisy
// means is a lucky one (a normal prior around the rule's score; docs/strength.md says how its constants were found).
//
// Boards depend on the position alone, so the same position always gets the same choice, unless time runs out: then it is what
// was best until then, and the work was stopped.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "decider.hpp"
#include "philox.hpp"
#include "rollouts.hpp"

namespace mineproof {

class Deep : public Decider {
public:
    std::size_t boards = 0;  // games that are played out for a decision, at most; none when it is 0
    // The rule alone, while there are more closed cells, as a share of all, or more consistent boards, by logarithm.
    double most_closed = 1, most_log_solutions = std::numeric_limits<double>::infinity();

    Strategist::Choice guess() override {
        const bool late = boards > 0 && is_late();
        const bool thorough = strategist.settings.thorough;
        strategist.settings.thorough = thorough || late;
        const Strategist::Choice choice = Decider::guess();
        strategist.settings.thorough = thorough;
        if (!late || choice.cell < 0 || counter.limit.stopped) return choice;
        if (choice.why != Strategist::LOOKED && choice.why != Strategist::IMPLIED) return choice;
        return deliberate(choice);
    }

private:
    static constexpr std::size_t MOST_RIVALS = 6;
    static constexpr double KEEP = 0.8;   // least share of the best score that makes a rival
    static constexpr double SLOPE = 0.68;  // slope of the worth of guesses against their score
    static constexpr double SPREAD = 0.018, LATE_SPREAD = 0.028;  // spread of their worth beyond that; the second one when
    static constexpr double LATE = 6 * 2.302585092994046;         // not more boards are consistent than this, by logarithm
    // What playing the whole budget for one guess would have to gain, as a chance to win, for each e-fold of the consistent
    // boards: the more there are, the longer are the games.
    static constexpr double PRICE = 5e-4;
    static constexpr double LEAST_VARIANCE = 0.002;
    static constexpr std::size_t FIRST_BOARDS = 16;
    static constexpr std::size_t MOST_BYTES = std::size_t{1} << 26;
    static constexpr std::size_t MOST_CELLS = 10000;  // each game costs as many: on larger boards, the rule alone

    static constexpr std::uint32_t LEAF_BOARDS = 100;  // the most boards for an exact endgame in a game that is played out
    static constexpr std::int64_t LEAF_NODES = 2000;   // most nodes of its search
    static constexpr std::size_t ENOUGH = 4;  // boards that show some number, for a mean of their own

    struct Rival {
        Strategist::Choice choice;
        std::array<double, 9> share{};       // by number: share of all boards on which the cell is safe and shows it
        std::array<double, 9> mean{};        // by number: chance to win on boards that show it, or one near it
        std::vector<double> value, weight;   // by board, as rollouts have them
        std::vector<unsigned char> number;   // by board: what the cell shows; MINED where it is a mine
        double worth = 0;                    // the chance to win, by the boards so far
        double more = 0;                     // than the choice of the rule, shrunk
        double error = 0;                    // error of `more`
    };
    static constexpr unsigned char MINED = 9;

    Strategist::Choice deliberate(const Strategist::Choice& choice) {
        list_rivals(choice);
        if (rivals_.size() == 1) return choice;
        const Board& board = counter.board();
        const std::size_t most = MOST_BYTES / board.cells();
        read_symbols(board);
        Limit* const limits[] = {&plain_.counter.limit, &rollouts_.drawer.counter.limit, &rollouts_.again.counter.limit};
        const auto give_up = [&] {
            for (const Limit* limit : limits) counter.limit.stopped |= limit->stopped;
        };
        for (Limit* limit : limits) {
            limit->restart();
            limit->go_on = counter.limit.go_on;
            limit->context = counter.limit.context;
            limit->most_bytes = counter.limit.most_bytes;
        }
        plain_.strategist.settings = strategist.settings;
        plain_.strategist.settings.thorough = false;
        plain_.strategist.settings.boards = std::min(strategist.settings.boards, LEAF_BOARDS);
        plain_.strategist.settings.nodes = std::min(strategist.settings.nodes, LEAF_NODES);
        Strategist::Choice best = choice;
        if (!rollouts_.start(board.rows(), board.cols(), symbols_.data(), counter.mines())) return give_up(), best;
        Stream stream(seed(board), 0, DECISIONS);
        std::size_t drawn = 0, left = boards;
        bool decided = false;
        while (!decided && left >= rivals_.size() && drawn < most) {
            const std::size_t more = std::min({std::max(FIRST_BOARDS, drawn), left / rivals_.size(), most - drawn});
            rollouts_.draw(drawn + more, stream);
            for (Rival& rival : rivals_) {
                Stream own(seed(board), drawn, DECISIONS + (static_cast<std::uint64_t>(rival.choice.cell + 1) << 8));
                if (!play(rival, drawn, drawn + more, own)) return give_up(), best;
            }
            drawn += more;
            left -= more * rivals_.size();
            weigh();
            const Rival* leader = &rivals_[0];
            for (const Rival& rival : rivals_)
                if (rival.more > leader->more + Strategist::EQUAL) leader = &rival;
            best = leader->choice;
            if (best.cell != choice.cell) best.why = Strategist::PLAYED_OUT;
            const double most_more = leader->more;
            // Of the next round, which has as many boards as all before.
            const double price = PRICE * odds.log_solutions() * static_cast<double>(drawn) / static_cast<double>(boards);
            const bool first_is_worse = may_gain(most_more, leader->error) < price;
            // The choice of the rule stays, as what all are compared with, until one of them alone is left and better.
            rivals_.erase(std::remove_if(rivals_.begin() + 1, rivals_.end(),
                                         [&](const Rival& r) {
                                             return r.more < most_more && may_gain(most_more - r.more, r.error) < price;
                                         }),
                          rivals_.end());
            decided = rivals_.size() == 1 || (rivals_.size() == 2 && first_is_worse);
        }
        return best;
    }

    // What it would gain on average to know the worth of a rival that is so far behind, with such a (normal) error: how far
    // it would turn out to be ahead, where it does.
    static double may_gain(double behind, double error) {
        if (error <= 0) return std::max(0.0, -behind);
        const double z = behind / error;
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * 3.141592653589793);
        const double beyond = std::erfc(z / std::sqrt(2.0)) / 2;
        return error * (density - z * beyond);
    }

    // Whether few enough cells are closed, and boards left.
    bool is_late() const {
        if (mark.size() > MOST_CELLS || odds.log_solutions() > most_log_solutions + Strategist::EQUAL) return false;
        const auto closed = static_cast<double>(mark.size() - std::count(mark.begin(), mark.end(), OPEN));
        return closed <= most_closed * static_cast<double>(mark.size());
    }

    // The rule's own choice first, then the others by their score. No cell that the rule would not open: dead ones, while there
    // is another, and those before which another one is opened. Cells that are alike in risk and score are one.
    void list_rivals(const Strategist::Choice& choice) {
        rivals_.assign(1, {});
        rivals_[0].choice = choice;
        Foresight& foresight = strategist.look_from(counter.counted(), odds.log_solutions(), counter.limit);
        std::vector<Strategist::Choice> others = strategist.considered;
        while (!others.empty() && rivals_.size() < MOST_RIVALS) {
            auto next = others.begin();
            for (auto other = others.begin(); other != others.end(); ++other)
                if (other->score > next->score + Strategist::EQUAL) next = other;
            Strategist::Choice other = *next;
            others.erase(next);
            if (other.score < KEEP * choice.score - Strategist::EQUAL) break;
            if (other.dead && !choice.dead) continue;
            other = strategist.dominating(counter.counted(), probability.data(), other);
            const bool known = std::any_of(rivals_.begin(), rivals_.end(), [&](const Rival& rival) {
                return rival.choice.cell == other.cell || (std::abs(rival.choice.score - other.score) < Strategist::EQUAL &&
                                                           std::abs(rival.choice.risk - other.risk) < Strategist::EQUAL);
            });
            if (known) continue;
            rivals_.emplace_back();
            rivals_.back().choice = other;
        }
        for (Rival& rival : rivals_)
            for (int number = 0; number <= 8; ++number) {
                Foresight::View view;
                if (foresight.look(rival.choice.cell, number, view)) rival.share[number] = view.share;
            }
    }

    bool play(Rival& rival, std::size_t from, std::size_t to, Stream& stream) {
        if (!rollouts_.play({rival.choice.cell}, from, to, stream)) return false;
        const std::int32_t at = counter.board().padded(rival.choice.cell);
        for (std::size_t b = from; b < to; ++b) {
            const unsigned char shown = rollouts_.boards[b][at];
            rival.value.push_back(shown == HIT ? 0 : rollouts_.value[b]);
            rival.weight.push_back(shown == HIT ? 0 : rollouts_.weight[b]);
            rival.number.push_back(shown == HIT ? MINED : static_cast<unsigned char>(shown - ZERO));
        }
        return true;
    }

    // What each rival is worth, and how much more than the first.
    void weigh() {
        for (Rival& rival : rivals_) average(rival);
        const Rival& first = rivals_[0];
        const auto n = static_cast<double>(first.value.size());
        for (std::size_t i = 1; i < rivals_.size(); ++i) {
            Rival& rival = rivals_[i];
            double variance = 0;
            for (std::size_t b = 0; b < first.value.size(); ++b) {
                const double away = residue(rival, b) - residue(first, b);
                variance += away * away / n;
            }
            variance = std::max(variance, LEAST_VARIANCE);
            const double expected =
                -SLOPE * std::max(first.worth, 0.02) * (first.choice.score - rival.choice.score) / first.choice.score;
            const double spread = odds.log_solutions() <= LATE ? LATE_SPREAD : SPREAD;
            const bool seen = is_seen(first) && is_seen(rival);
            const double trust = seen ? spread * spread / (spread * spread + variance / n) : 0;
            rival.more = expected + trust * (rival.worth - first.worth - expected);
            rival.error = spread * std::sqrt(1 - trust);
        }
    }

    // Each number counts with its exact share, not with that of the boards that happen to show it; numbers that few boards
    // show are taken together.
    static void average(Rival& rival) {
        std::array<double, 9> sum{};
        std::array<std::size_t, 9> count{};
        for (std::size_t b = 0; b < rival.value.size(); ++b)
            if (rival.number[b] != MINED) sum[rival.number[b]] += rival.value[b], ++count[rival.number[b]];
        rival.worth = 0;
        double last = 0;
        for (int first = 0, number = 0; number <= 8; ++number) {
            double share = 0, values = 0;
            std::size_t boards = 0;
            for (int n = first; n <= number; ++n) share += rival.share[n], values += sum[n], boards += count[n];
            if (boards < ENOUGH && number < 8) continue;
            if (boards > 0) last = values / static_cast<double>(boards);
            for (int n = first; n <= number; ++n) rival.mean[n] = last;
            rival.worth += share * last;
            first = number + 1;
        }
    }

    // Whether it is safe on any board.
    static bool is_seen(const Rival& rival) {
        return std::any_of(rival.number.begin(), rival.number.end(), [](unsigned char n) { return n != MINED; });
    }

    // What a board moves the mean by, times the number of boards.
    static double residue(const Rival& rival, std::size_t b) {
        return rival.number[b] == MINED ? 0 : rival.weight[b] * (rival.value[b] - rival.mean[rival.number[b]]);
    }

    void read_symbols(const Board& board) {
        symbols_.resize(board.cells());
        board.each_cell([&](std::int32_t i, std::int32_t at) {
            const unsigned char shown = board.shown(at);
            symbols_[i] = is_closed(shown) ? static_cast<unsigned char>(HIDDEN) : shown;
        });
    }

    // FNV-1a (Fowler, Noll and Vo) over what is shown.
    std::uint64_t seed(const Board& board) const {
        std::uint64_t hash = 0xCBF29CE484222325u;
        const auto add = [&](std::uint64_t byte) { hash = (hash ^ byte) * 0x100000001B3u; };
        for (const std::int32_t number : {board.rows(), board.cols(), counter.mines()})
            for (int shift = 0; shift < 32; shift += 8) add(static_cast<std::uint32_t>(number) >> shift & 255);
        for (const unsigned char symbol : symbols_) add(symbol);
        return hash;
    }

    Decider plain_;  // plays the games out, by the rule alone
    Rollouts rollouts_{plain_};
    std::vector<Rival> rivals_;
    std::vector<unsigned char> symbols_;
};

}  // namespace mineproof
