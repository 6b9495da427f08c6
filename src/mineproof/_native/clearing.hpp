// A board whose mines are known to us, as far as certain moves clear it from its start.
//
// The player's knowledge, and only that, decides what is opened: `need_` and `around_closed_` of an open cell are what its
// clue still says. The cheapest rule that finds something is asked first: a single clue, two clues, all clues together,
// the number of mines.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "counter.hpp"
#include "numbers.hpp"
#include "odds.hpp"
#include "pockets.hpp"
#include "symbols.hpp"
#include "watch.hpp"

namespace mineproof {

enum class Cleared {
    YES = 0,
    NO = 1,       // nothing more is certain
    HARD = 2,     // a component was too wide for what memory and work it may take
    STOPPED = 3,  // time is over, or nobody wants the answer any more
};

class Clearing {
public:
    Watch watch;      // of the simple rules, which go on from board to board
    Counter counter;  // has a watch of its own

    void set_size(std::int32_t rows, std::int32_t cols) {
        rows_ = rows;
        cols_ = cols;
        stride_ = cols + 2;
        const std::size_t size = static_cast<std::size_t>(rows + 4) * stride_;
        neighbour_steps(cols, around_);
        mine_.assign(size, 0);
        triple_.assign(size, 0);
        number_.assign(size, 0);
        blank_.assign(size, OUTSIDE);
        all_closed_.assign(size, 0);
        wall_.assign(size, 1);
        outside_.assign(size, 1);
        hidden_.assign(size, 0);
        waiting_.assign(size, 0);
        symbols_.resize(static_cast<std::size_t>(rows) * cols);
        each_cell([&](std::int32_t, std::int32_t at) {
            blank_[at] = CLOSED;
            outside_[at] = 0;
        });
        each_cell([&](std::int32_t, std::int32_t at) {
            for (int k = 0; k < 8; ++k) all_closed_[at] |= (!outside_[at + around_[k]]) << k;
        });
        state_ = blank_;
        need_ = number_;
        set_pairs();
    }

    // Where the first click is. With `opening` its neighbours have no mine either.
    void set_start(std::int32_t start, bool opening) {
        start_ = padded(start);
        for (std::size_t at = 0; at < hidden_.size(); ++at) hidden_[at] = !outside_[at];
        hidden_[start_] = 0;
        for (const std::int32_t step : around_)
            if (opening) hidden_[start_ + step] = 0;
    }

    // The mines, a byte a cell.
    void lay(const unsigned char* mines, std::int32_t count) {
        mines_ = count;
        for (std::int32_t r = 0; r < rows_; ++r)
            std::memcpy(&mine_[padded(r * cols_)], mines + static_cast<std::size_t>(r) * cols_, static_cast<std::size_t>(cols_));
    }

    // The mines as they lie now.
    void write(unsigned char* mines) const {
        for (std::int32_t r = 0; r < rows_; ++r)
            std::memcpy(mines + static_cast<std::size_t>(r) * cols_, &mine_[padded(r * cols_)], static_cast<std::size_t>(cols_));
    }

    // Whether the board has a pocket, which no certain move ever opens; `kind` tells where.
    bool has_pocket(std::vector<unsigned char>& kind) {
        for (std::size_t at = 0; at < mine_.size(); ++at) wall_[at] = mine_[at] | outside_[at];
        return find_pockets(mine_.data(), wall_.data(), hidden_.data(), stride_, mine_.size(), kind);
    }

    // Nothing is open yet except the start.
    void begin() {
        const std::size_t size = mine_.size(), s = static_cast<std::size_t>(stride_);
        unsigned char *m = mine_.data(), *t = triple_.data(), *n = number_.data();
        for (std::size_t i = 1; i < size - 1; ++i) t[i] = m[i - 1] + m[i] + m[i + 1];
        for (std::size_t i = s; i < size - s; ++i) n[i] = t[i - s] + t[i] + t[i + s] - m[i];
        state_ = blank_;
        need_ = number_;
        closed_ = all_closed_;
        std::fill(waiting_.begin(), waiting_.end(), 0);
        single_.clear();
        pairs_.clear();
        news_.clear();
        counting_ = false;
        to_open_ = cells() - mines_;
        open(start_);
        watch.tick(cells());
    }

    // Opens all that is certain.
    Cleared run() {
        for (;;) {
            if (!simple_rules()) return Cleared::STOPPED;
            if (to_open_ == 0) return Cleared::YES;
            const Cleared found = all_clues();
            if (found != Cleared::YES) return found;
        }
    }

    // ---- for who mends a board that is stuck ------------------------------------------------------------------------

    std::int32_t rows() const { return rows_; }
    std::int32_t cols() const { return cols_; }
    std::int32_t cells() const { return rows_ * cols_; }
    std::int32_t padded(std::int32_t i) const { return (i / cols_ + 2) * stride_ + i % cols_ + 1; }
    const std::int32_t (&around() const)[8] { return around_; }
    std::int32_t stride() const { return stride_; }
    template <class Work>
    void each_cell(Work work) const {
        for (std::int32_t r = 0, i = 0; r < rows_; ++r)
            for (std::int32_t at = (r + 2) * stride_ + 1, c = 0; c < cols_; ++c) work(i++, at++);
    }

    bool is_mine(std::int32_t at) const { return mine_[at]; }
    bool may_be_mine(std::int32_t at) const { return hidden_[at]; }  // the first click does not open it
    bool is_unknown(std::int32_t at) const { return state_[at] == CLOSED; }
    bool is_proved_mine(std::int32_t at) const { return state_[at] == MINED; }
    // An open cell whose clue does not decide its closed neighbours by itself.
    bool is_undecided(std::int32_t at) const {
        return state_[at] == OPENED && need_[at] > 0 && need_[at] < size_of(closed_[at]);
    }
    std::int32_t need(std::int32_t clue) const { return need_[clue]; }
    std::int32_t unknown_around(std::int32_t at) const { return size_of(closed_[at]); }
    template <class Work>
    void each_unknown_around(std::int32_t at, Work work) const {
        each_bit(closed_[at], [&](int k) { work(at + around_[k]); });
    }
    bool is_seen(std::int32_t at) const {
        for (const std::int32_t step : around_)
            if (state_[at + step] == OPENED) return true;
        return false;
    }

    // A mine changes its place, and clues change with it. Between two unknown cells everything that was found stays true.
    void move_mine(std::int32_t from, std::int32_t to) {
        mine_[from] = 0;
        mine_[to] = 1;
        for (const std::int32_t step : around_) {
            change_number(from + step, -1);
            change_number(to + step, 1);
        }
        counting_ = false;
    }

private:
    enum State : unsigned char { CLOSED, OPENED, MINED, OUTSIDE };
    struct Pair {
        std::int32_t step;       // from a clue to another
        unsigned char shared;    // which neighbours of the first are neighbours of the other
        unsigned char shared_b;  // and of the other, of the first
    };
    struct News {
        std::int32_t at;
        bool mine;
    };

    static int size_of(unsigned char set) {  // of a set of neighbours
        static const unsigned char of_four[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
        return of_four[set & 15] + of_four[set >> 4];
    }
    template <class Work>
    static void each_bit(unsigned set, Work work) {
        for (int k = 0; set; ++k, set >>= 1)
            if (set & 1) work(k);
    }

    // Two clues that are at most two steps apart may see the same cells.
    void set_pairs() {
        pair_count_ = 0;
        const auto near = [](int row, int col) { return row >= -1 && row <= 1 && col >= -1 && col <= 1 && (row || col); };
        for (int row = -2; row <= 2; ++row)
            for (int col = -2; col <= 2; ++col) {
                if (row == 0 && col == 0) continue;
                Pair pair{row * stride_ + col, 0, 0};
                int k = 0;
                for (int r = -1; r <= 1; ++r)
                    for (int c = -1; c <= 1; ++c) {
                        if (r == 0 && c == 0) continue;
                        pair.shared |= near(r - row, c - col) << k;
                        pair.shared_b |= near(r + row, c + col) << k;
                        ++k;
                    }
                pair_[pair_count_++] = pair;
            }
    }

    void change_number(std::int32_t at, int by) {
        number_[at] = static_cast<unsigned char>(number_[at] + by);
        need_[at] = static_cast<unsigned char>(need_[at] + by);
        if (state_[at] == OPENED) ask(at);
    }

    void ask(std::int32_t clue) {
        if (waiting_[clue]) return;
        waiting_[clue] = 1;
        single_.push_back(clue);
    }

    void open(std::int32_t at) {
        state_[at] = OPENED;
        --to_open_;
        ask(at);
        know(at, 0);
    }

    void mark(std::int32_t at) {
        state_[at] = MINED;
        know(at, 1);
    }

    // All around a cell learn that it is not unknown any more.
    void know(std::int32_t at, unsigned char mine) {
        if (counting_) news_.push_back({at, mine != 0});
        for (int k = 0; k < 8; ++k) {
            const std::int32_t next = at + around_[k];
            closed_[next] &= static_cast<unsigned char>(~(0x80u >> k));  // the way back is 7 - k
            need_[next] -= mine;
            if (state_[next] == OPENED) ask(next);
        }
    }

    void know_all(std::int32_t clue, unsigned set, bool mine) {
        each_bit(set, [&](int k) { mine ? mark(clue + around_[k]) : open(clue + around_[k]); });
    }

    // ---- rules ------------------------------------------------------------------------------------------------------

    bool simple_rules() {
        do {
            while (!single_.empty()) {
                const std::int32_t clue = single_.back();
                single_.pop_back();
                waiting_[clue] = 0;
                const unsigned char set = closed_[clue];
                if (!set) continue;
                if (need_[clue] == 0)
                    know_all(clue, set, false);
                else if (need_[clue] == size_of(set))
                    know_all(clue, set, true);
                else
                    pairs_.push_back(clue);
                if (!watch.tick(30)) return false;
            }
            while (!pairs_.empty() && single_.empty()) {
                const std::int32_t clue = pairs_.back();
                pairs_.pop_back();
                if (closed_[clue]) compare(clue);
                if (!watch.tick(60)) return false;
            }
        } while (!single_.empty());
        return true;
    }

    // Of two clues, if one needs as many mines more as it has cells of its own, these are mines, and the other's own are safe.
    void compare(std::int32_t clue) {
        for (int p = 0; p < pair_count_; ++p) {
            const Pair& pair = pair_[p];
            const std::int32_t other = clue + pair.step;
            if (state_[other] != OPENED || !(closed_[clue] & pair.shared)) continue;
            const unsigned own = closed_[clue] & ~pair.shared, others = closed_[other] & ~pair.shared_b;
            const int more = need_[clue] - need_[other];
            if (more == size_of(static_cast<unsigned char>(own)) && (own || others)) {
                know_all(clue, own, true);
                know_all(other, others, false);
            } else if (-more == size_of(static_cast<unsigned char>(others)) && (own || others)) {
                know_all(clue, own, false);
                know_all(other, others, true);
            } else {
                continue;
            }
            ask(clue);
            return;
        }
    }

    // What all clues prove together, and then what the number of mines adds. YES when a cell was opened.
    Cleared all_clues() {
        tell_counter();
        const Outcome outcome = counter.refresh();
        if (outcome == Outcome::HARD) return Cleared::HARD;
        if (outcome != Outcome::COUNTED) return Cleared::STOPPED;
        const std::int32_t before = to_open_;
        for (const std::int32_t cell : counter.proved_mined)
            if (is_unknown(padded(cell))) mark(padded(cell));
        for (const std::int32_t cell : counter.proved_safe)
            if (is_unknown(padded(cell))) open(padded(cell));
        counter.proved_mined.clear();
        counter.proved_safe.clear();
        if (to_open_ < before) return Cleared::YES;
        if (!counter.number_matters()) return Cleared::NO;
        return count_mines();
    }

    Cleared count_mines() {
        probability_.resize(symbols_.size());
        error_.resize(symbols_.size());
        marks_.resize(symbols_.size());
        if (odds_.join(counter, MOST_WORK) != Outcome::COUNTED) return Cleared::STOPPED;
        if (odds_.write(counter.counted(), probability_.data(), error_.data(), marks_.data(), counter.watch) != Outcome::COUNTED)
            return Cleared::STOPPED;
        const std::int32_t before = to_open_;
        each_cell([&](std::int32_t i, std::int32_t at) {
            if (marks_[i] == SAFE && is_unknown(at)) open(at);
        });
        return to_open_ < before ? Cleared::YES : Cleared::NO;
    }

    // The counter sees what a player sees, and knows what was proved already.
    void tell_counter() {
        if (counting_) {
            for (const News& one : news_) {
                if (one.mine)
                    counter.know(plain(one.at), true);
                else
                    counter.see(plain(one.at), static_cast<unsigned char>(ZERO + number_[one.at]));
            }
        } else {
            each_cell([&](std::int32_t i, std::int32_t at) {
                symbols_[i] = state_[at] == OPENED ? static_cast<unsigned char>(ZERO + number_[at]) : HIDDEN;
            });
            counter.start_proving(rows_, cols_, symbols_.data(), mines_);
            counting_ = true;
            watch.tick(10 * std::int64_t{cells()});
        }
        news_.clear();
    }

    std::int32_t plain(std::int32_t at) const { return (at / stride_ - 2) * cols_ + at % stride_ - 1; }

    static constexpr double MOST_WORK = 1e7;  // of joining components exactly, in steps; beyond that the bounds are enough

    std::int32_t rows_ = 0, cols_ = 0, stride_ = 0, around_[8] = {}, mines_ = 0, start_ = 0, to_open_ = 0;
    int pair_count_ = 0;
    Pair pair_[24];
    bool counting_ = false;  // the counter follows
    std::vector<unsigned char> mine_, triple_, wall_, outside_, hidden_, number_, symbols_, marks_;
    std::vector<unsigned char> blank_, all_closed_;  // state and closed neighbours of the board before the first click
    std::vector<unsigned char> state_, need_, closed_, waiting_;
    std::vector<std::int32_t> single_, pairs_;  // clues that are to be asked, alone and with others
    std::vector<News> news_;                    // since the counter was last told
    std::vector<double> probability_, error_;
    Odds odds_;
};

}  // namespace mineproof
