// Games played on from a position, on many boards at once: how likely they are won.
//
// Boards are drawn uniformly from those that are consistent. As long as they look alike they are one game, and each decision
// is made once; where they show different numbers they part. What was decided in a position is remembered, for boards that come
// to it later or by another way.
//
// A guess ends no game: those boards on which it is a mine get what the others, on which it is safe, get on average, and all
// get that times its safety. When it is a mine on all of them another board is drawn, on which it is safe. An exact endgame
// ends the game with its chance.
//
// So the mean over the boards is a fair estimate of the chance to win, and scatters far less than wins and losses do: given
// that a guess is safe, the boards on which it is are a uniform draw from all such boards.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bits.hpp"
#include "decider.hpp"
#include "opened.hpp"
#include "philox.hpp"

namespace mineproof {

// A uniform draw of boards that are consistent with a position.
class Drawer {
public:
    Counter counter;

    // False when the position could not be counted.
    bool start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines) {
        rows_ = rows;
        cols_ = cols;
        mined_.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
        counter.start(rows, cols, symbols, mines, false);
        return counter.refresh() == Outcome::COUNTED &&
               odds_.join_exactly(counter, std::numeric_limits<double>::infinity()) == Outcome::COUNTED;
    }

    // What each cell would show; padded.
    void draw(Stream& stream, std::vector<unsigned char>& truth) {
        odds_.sample(counter.counted(), stream, mined_.data());
        find_truth(mined_.data(), rows_, cols_, truth);
    }

private:
    std::int32_t rows_ = 0, cols_ = 0;
    Odds odds_;
    std::vector<unsigned char> mined_;
};

class Rollouts {
public:
    // Plays by these decisions.
    explicit Rollouts(Decider& decider) : decider_(decider) {}

    Drawer drawer, again;  // draw the boards, and others where a guess is a mine on all of these
    std::vector<std::vector<unsigned char>> boards;  // by number: what each cell would show; padded
    std::vector<double> value;                       // by number: chance to win, found by the last play()
    std::vector<double> weight;  // by number: for how many boards it stands in the mean; 0 where others stand for it

    // A position to play on from. False when it could not be counted.
    bool start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines) {
        rows_ = rows;
        cols_ = cols;
        mines_ = mines;
        start_.board.start(rows, cols, symbols);
        boards.clear();
        forget();
        decider_.counter.limit.restart();
        return drawer.start(rows, cols, symbols, mines);
    }

    // Draws boards until there are so many.
    void draw(std::size_t count, Stream& stream) {
        while (boards.size() < count) {
            boards.emplace_back();
            drawer.draw(stream, boards.back());
        }
    }

    // Opens cells on the boards [from, to), and plays on. Whether they are safe is not counted: only boards on which all of them
    // are get played, and the others get no value. False when a position could not be counted, or time runs out.
    bool play(const std::vector<std::int32_t>& first, std::size_t from, std::size_t to, Stream& stream) {
        stream_ = &stream;
        value.resize(boards.size());
        weight.resize(boards.size());
        order_.clear();
        for (std::size_t b = from; b < to; ++b)
            if (are_safe(first, b)) order_.push_back(b);
        following_ = false;
        if (!first.empty()) return open(start_, first, 0, order_.size());
        View view = start_;
        return order_.empty() || go_on(view, 0, order_.size());
    }

    // The same on a board of its own, the only one: `value` has the chance.
    bool play_alone(const std::vector<std::int32_t>& first, Stream& stream) {
        boards.resize(1);
        drawer.draw(stream, boards[0]);
        if (!are_safe(first, 0)) {
            symbols(start_);
            for (const std::int32_t cell : first) now_[cell] = NAMED_SAFE;
            if (!again.start(rows_, cols_, now_.data(), mines_)) return false;
            again.draw(stream, boards[0]);
        }
        return play(first, 0, 1, stream);
    }

private:
    // Whether none of these cells is a mine on this board.
    bool are_safe(const std::vector<std::int32_t>& cells, std::size_t board) const {
        return std::none_of(cells.begin(), cells.end(),
                            [&](std::int32_t cell) { return boards[board][start_.board.padded(cell)] == HIT; });
    }

    static constexpr std::size_t MOST_BYTES = std::size_t{1} << 25;  // most memory for decisions, about

    struct View {
        OpenedBoard board;
        std::uint64_t key = 0;  // tells what was opened since the start
    };
    struct Decision {
        Decider::MoveKind kind;
        double chance;  // chance that a guess is safe, or that an exact endgame is won
        std::vector<std::int32_t> todo;
    };

    // The boards in these places of the order all look like this.
    bool go_on(View& view, std::size_t from, std::size_t to) {
        while (view.board.opened < rows_ * cols_ - mines_) {
            if (!decider_.counter.limit.tick(static_cast<std::int64_t>(to - from))) return false;
            const auto known = decided_.find(view.key);
            const Decision decision = known != decided_.end() ? known->second : decide(view);
            if (decision.kind == Decider::FAILED) return false;
            if (decision.kind == Decider::EXACT) return give(from, to, decision.chance);
            if (decision.kind == Decider::GUESS) return guess(view, decision, from, to);
            if (!reveal(order_[from], decision.todo, view)) return false;
            if (alike(from, to) < to) {  // they part
                conceal(view);
                return open(view, decision.todo, from, to);
            }
            if (following_) tell(view);
        }
        return give(from, to, 1);
    }

    Decision decide(const View& view) {
        if (!following_) decider_.start(rows_, cols_, symbols(view), mines_);
        following_ = true;
        const Decider::MoveKind kind = decider_.decide();
        const Strategist::Choice& choice = decider_.choice;
        Decision decision{kind, kind == Decider::EXACT ? choice.score : 1 - choice.risk, decider_.todo};
        if (kind == Decider::FAILED) return decision;
        bytes_ += sizeof(*decided_.begin()) + decision.todo.size() * sizeof(decision.todo[0]) + 64;
        if (bytes_ > MOST_BYTES) forget();
        decided_.emplace(view.key, decision);
        return decision;
    }

    void forget() {
        decided_.clear();
        bytes_ = 0;
    }

    bool give(std::size_t from, std::size_t to, double chance) {
        for (std::size_t p = from; p < to; ++p) value[order_[p]] = chance, weight[order_[p]] = 1;
        return true;
    }

    // All boards in these places open these cells, which are safe; those that look alike then go on together.
    bool open(const View& view, const std::vector<std::int32_t>& todo, std::size_t from, std::size_t to) {
        bool follows = following_;  // it does for the first of them; for the others it must start again
        while (from < to) {
            View next = view;
            if (!reveal(order_[from], todo, next)) return false;
            const std::size_t end = alike(from, to);
            if (follows) tell(next);
            following_ = follows;
            follows = false;
            if (!go_on(next, from, end)) return false;
            from = end;
        }
        return true;
    }

    bool guess(const View& view, const Decision& decision, std::size_t from, std::size_t to) {
        const std::int32_t at = view.board.padded(decision.todo[0]);
        const auto first = order_.begin() + static_cast<std::ptrdiff_t>(from);
        const auto mined = std::stable_partition(first, order_.begin() + static_cast<std::ptrdiff_t>(to),
                                                 [&](std::size_t b) { return boards[b][at] != HIT; });
        const auto safe = static_cast<std::size_t>(mined - order_.begin());
        if (safe == from) return guess_again(view, decision, from, to);
        if (!open(view, decision.todo, from, safe)) return false;
        double mean = 0;
        for (std::size_t p = from; p < safe; ++p) mean += value[order_[p]] *= decision.chance;
        mean /= static_cast<double>(safe - from);
        const double each = static_cast<double>(to - from) / static_cast<double>(safe - from);
        for (std::size_t p = from; p < safe; ++p) weight[order_[p]] *= each;
        for (std::size_t p = safe; p < to; ++p) value[order_[p]] = mean, weight[order_[p]] = 0;
        return true;
    }

    // It is a mine on all of them: another board, on which it is safe, takes the first place for a while.
    bool guess_again(const View& view, const Decision& decision, std::size_t from, std::size_t to) {
        symbols(view);
        now_[decision.todo[0]] = NAMED_SAFE;
        if (!again.start(rows_, cols_, now_.data(), mines_)) return false;
        const std::size_t own = order_[from], other = boards.size();
        boards.emplace_back();
        value.push_back(0);
        weight.push_back(0);
        again.draw(*stream_, boards[other]);
        order_[from] = other;
        const bool done = open(view, decision.todo, from, from + 1);
        const double chance = value[other] * decision.chance;
        order_[from] = own;
        boards.pop_back();
        value.pop_back();
        weight.pop_back();
        if (!done) return false;
        for (std::size_t p = from; p < to; ++p) value[order_[p]] = chance, weight[order_[p]] = 0;
        weight[own] = static_cast<double>(to - from);
        return true;
    }

    // Opens these cells on a board; what was opened is in the journal. False if all were open already, as can be
    // only if two positions have the same key.
    bool reveal(std::size_t board, const std::vector<std::int32_t>& todo, View& view) {
        journal_.clear();
        for (const std::int32_t cell : todo) {
            const std::int32_t at = view.board.padded(cell);
            if (view.board.can_open(at)) view.board.open(at, boards[board].data(), journal_);
        }
        for (const Change change : journal_) view.key += key_of(change.at(), view.board.shown[change.at()]);
        return !journal_.empty();
    }

    // Takes back what was opened last.
    void conceal(View& view) {
        for (const Change change : journal_) view.key -= key_of(change.at(), view.board.shown[change.at()]);
        view.board.take_back(journal_);
    }

    static std::uint64_t key_of(std::int32_t at, unsigned char symbol) {
        return mix(static_cast<std::uint64_t>(at) << 8 | symbol);
    }

    // Of the boards in these places, those that opened the same as the first come to the front; where they end.
    std::size_t alike(std::size_t from, std::size_t to) {
        const std::vector<unsigned char>& truth = boards[order_[from]];
        const auto end = std::stable_partition(order_.begin() + static_cast<std::ptrdiff_t>(from),
                                               order_.begin() + static_cast<std::ptrdiff_t>(to), [&](std::size_t b) {
                                                   for (const Change change : journal_)
                                                       if (boards[b][change.at()] != truth[change.at()]) return false;
                                                   return true;
                                               });
        return static_cast<std::size_t>(end - order_.begin());
    }

    // The decider sees what was opened.
    void tell(const View& view) {
        for (const Change change : journal_)
            decider_.counter.see(view.board.plain(change.at()), view.board.shown[change.at()]);
    }

    // As a position.
    const unsigned char* symbols(const View& view) {
        now_.resize(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(cols_));
        view.board.write(now_.data());
        return now_.data();
    }

    Decider& decider_;
    Stream* stream_ = nullptr;
    std::int32_t rows_ = 0, cols_ = 0, mines_ = 0;
    View start_;
    bool following_ = false;             // the decider follows the position at hand
    std::vector<unsigned char> now_;
    std::vector<std::size_t> order_;     // numbers of boards; those that look alike are side by side
    std::vector<Change> journal_;        // what was opened last
    std::unordered_map<std::uint64_t, Decision> decided_;  // since start(), by key; of 200,000, two are alike once in 10^9 times
    std::size_t bytes_ = 0;                                // memory of decided_
};

}  // namespace mineproof
