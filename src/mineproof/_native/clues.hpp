// A board whose mines are known to us, and what a player knows of it: which cells are open, which are proved to be mines, and
// what every clue still says. Nothing is opened here except what the player's knowledge proves.
//
// Two rules need one or two clues only, and are cheap; `clearing.hpp` has the others.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "numbers.hpp"
#include "pockets.hpp"
#include "limit.hpp"

namespace mineproof {

class Clues {
public:
    Limit limit;  // continues from board to board

    void set_size(std::int32_t rows, std::int32_t cols) {
        rows_ = rows;
        cols_ = cols;
        stride_ = cols + 2;
        const std::size_t size = static_cast<std::size_t>(rows + 4) * stride_ + 2;
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
        ring_ = 1;
        while (ring_ < size) ring_ *= 2;
        single_.resize(ring_--);
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

    // The mines, one byte per cell.
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
        head_ = tail_ = 0;
        pairs_.clear();
        news_.clear();
        new_numbers_ = true;
        to_open_ = cells() - mines_;
        open(start_);
        limit.tick(cells());
    }

    // ---- what a player finds out ------------------------------------------------------------------------------------

    bool all_open() const { return to_open_ == 0; }

    // One cell: a zero is a single clue like any other, and `simple_rules` opens what it brings.
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

    // Opens all that single clues prove, and pairs of clues; false when time runs out.
    bool simple_rules() {
        do {
            while (head_ != tail_) {  // first come, first asked: when a clue is asked later, more is known
                const std::int32_t clue = single_[head_++ & ring_];
                waiting_[clue] &= PAIRED;
                const unsigned char set = closed_[clue];
                if (!set) continue;
                if (need_[clue] == 0) {
                    know_all(clue, set, false);
                } else if (need_[clue] == size_of(set)) {
                    know_all(clue, set, true);
                } else if (!waiting_[clue]) {
                    waiting_[clue] = PAIRED;
                    pairs_.push_back(clue);
                }
                if (!limit.tick(30)) return false;
            }
            while (!pairs_.empty() && head_ == tail_) {
                const std::int32_t clue = pairs_.back();
                pairs_.pop_back();
                waiting_[clue] &= ALONE;
                if (closed_[clue]) compare(clue);
                if (!limit.tick(60)) return false;
            }
        } while (head_ != tail_);
        return !limit.stopped;
    }

    // ---- the board --------------------------------------------------------------------------------------------------

    std::int32_t rows() const { return rows_; }
    std::int32_t cols() const { return cols_; }
    std::int32_t cells() const { return rows_ * cols_; }
    std::int32_t padded(std::int32_t i) const { return (i / cols_ + 2) * stride_ + i % cols_ + FIRST; }
    const std::int32_t (&around() const)[8] { return around_; }
    std::int32_t stride() const { return stride_; }
    template <class Work>
    void each_cell(Work work) const {
        for (std::int32_t r = 0, i = 0; r < rows_; ++r)
            for (std::int32_t at = (r + 2) * stride_ + FIRST, c = 0; c < cols_; ++c) work(i++, at++);
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
        new_numbers_ = true;
    }

protected:
    std::int32_t number(std::int32_t at) const { return number_[at]; }
    std::int32_t plain(std::int32_t at) const { return ((at - FIRST) / stride_ - 2) * cols_ + (at - FIRST) % stride_; }
    bool is_open(std::int32_t at) const { return state_[at] == OPENED; }

    std::int32_t rows_ = 0, cols_ = 0, mines_ = 0, to_open_ = 0;
    bool new_numbers_ = false;        // cells that are open may show other numbers than before
    std::vector<std::int32_t> news_;  // cells that were opened or proved to be mines, in order

private:
    // The border: one column on each side, two rows above and below, one cell more at both ends. So two rows and two columns
    // from any cell are still in the arrays.
    static constexpr std::int32_t FIRST = 2;
    enum State : unsigned char { CLOSED, OPENED, MINED, OUTSIDE };
    enum Waiting : unsigned char { ALONE = 1, PAIRED = 2 };
    struct Pair {
        std::int32_t step;       // from a clue to another
        unsigned char of_first;  // which neighbours of the first are neighbours of the other, too
        unsigned char of_other;  // which of the other's are neighbours of the first
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

    // Two clues that are at most two steps apart can see the same cells.
    void set_pairs() {
        pair_count_ = 0;
        const auto touches = [](int row, int col) { return row >= -1 && row <= 1 && col >= -1 && col <= 1 && (row || col); };
        for (int row = -2; row <= 2; ++row)
            for (int col = -2; col <= 2; ++col) {
                if (row == 0 && col == 0) continue;
                Pair pair{row * stride_ + col, 0, 0};
                int k = 0;
                for (int r = -1; r <= 1; ++r)
                    for (int c = -1; c <= 1; ++c) {
                        if (r == 0 && c == 0) continue;
                        pair.of_first |= touches(r - row, c - col) << k;
                        pair.of_other |= touches(r + row, c + col) << k;
                        ++k;
                    }
                pair_[pair_count_++] = pair;
            }
    }

    void change_number(std::int32_t at, int by) {
        number_[at] = static_cast<unsigned char>(number_[at] + by);
        need_[at] = static_cast<unsigned char>(need_[at] + by);
        ask(at);
    }

    // A clue waits to be asked alone, once, if it is open. No branch: it would be unpredictable.
    void ask(std::int32_t at) {
        const unsigned char joins = (state_[at] == OPENED) & ~waiting_[at] & ALONE;
        single_[tail_ & ring_] = at;
        tail_ += joins;
        waiting_[at] |= joins;
    }

    // All around a cell learn that it is not unknown any more. The arrays are named once: bytes may be anything to a compiler,
    // also the address of another array.
    void know(std::int32_t at, unsigned char mine) {
        news_.push_back(at);
        unsigned char *closed = closed_.data() + at, *need = need_.data() + at, *waiting = waiting_.data() + at;
        const unsigned char* state = state_.data() + at;
        std::int32_t* single = single_.data();
        const std::size_t ring = ring_;
        std::size_t tail = tail_;
        for (int k = 0; k < 8; ++k) {
            const std::int32_t step = around_[k];
            closed[step] &= static_cast<unsigned char>(~(0x80u >> k));  // the way back is 7 - k
            need[step] -= mine;
            const unsigned char joins = (state[step] == OPENED) & ~waiting[step] & ALONE;
            single[tail & ring] = at + step;
            tail += joins;
            waiting[step] |= joins;
        }
        tail_ = tail;
    }

    void know_all(std::int32_t clue, unsigned set, bool mine) {
        each_bit(set, [&](int k) { mine ? mark(clue + around_[k]) : open(clue + around_[k]); });
    }

    // Of two clues, if one needs as many mines more as it has cells of its own, these are mines, and the other's own are safe.
    void compare(std::int32_t clue) {
        for (int p = 0; p < pair_count_; ++p) {
            const Pair& pair = pair_[p];
            const std::int32_t other = clue + pair.step;
            if (state_[other] != OPENED || !(closed_[clue] & pair.of_first)) continue;
            const unsigned own = closed_[clue] & ~pair.of_first, others = closed_[other] & ~pair.of_other;
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

    std::int32_t stride_ = 0, around_[8] = {}, start_ = 0;
    int pair_count_ = 0;
    Pair pair_[24];
    std::vector<unsigned char> mine_, triple_, wall_, outside_, hidden_, number_;
    std::vector<unsigned char> blank_, all_closed_;  // state and closed neighbours of the board before the first click
    std::vector<unsigned char> state_, need_, closed_, waiting_;
    std::vector<std::int32_t> single_, pairs_;  // clues waiting to be asked, alone (a ring, from head to tail) and with others
    std::size_t ring_ = 0, head_ = 0, tail_ = 0;
};

}  // namespace mineproof
