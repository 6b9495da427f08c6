// What a player sees of a board, with a border around it, and what was proved of its closed cells.
//
// Cells are padded indices here, into arrays with the border; `plain` makes of them what the outside knows.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numbers.hpp"
#include "symbols.hpp"

namespace mineproof {

class Board {
public:
    void start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols) {
        rows_ = rows;
        cols_ = cols;
        stride_ = cols + 2;
        neighbour_steps(cols, around_);
        shown_.assign(static_cast<std::size_t>(rows + 2) * stride_, 0);
        for (std::int32_t r = 0; r < rows; ++r)
            std::copy_n(symbols + static_cast<std::size_t>(r) * cols, cols, &shown_[(r + 1) * stride_ + 1]);
        forget_all();
    }

    std::int32_t rows() const { return rows_; }
    std::int32_t cols() const { return cols_; }
    std::int32_t stride() const { return stride_; }
    std::size_t cells() const { return static_cast<std::size_t>(rows_) * cols_; }
    std::size_t padded_size() const { return shown_.size(); }
    std::int32_t padded(std::int32_t i) const { return (i / cols_ + 1) * stride_ + i % cols_ + 1; }
    std::int32_t plain(std::int32_t at) const { return (at / stride_ - 1) * cols_ + at % stride_ - 1; }
    const std::int32_t (&around() const)[8] { return around_; }  // steps to the neighbours
    // Calls with the plain and the padded index of every cell.
    template <class Work>
    void each_cell(Work work) const {
        for (std::int32_t r = 0, i = 0; r < rows_; ++r)
            for (std::int32_t at = (r + 1) * stride_ + 1; at <= (r + 1) * stride_ + cols_; ++at, ++i) work(i, at);
    }

    // Calls with every cell at most this many steps away.
    template <class Work>
    void each_near(std::int32_t at, std::int32_t steps, Work work) const {
        const std::int32_t row = at / stride_, col = at % stride_;
        for (std::int32_t r = std::max(1, row - steps); r <= std::min(rows_, row + steps); ++r)
            for (std::int32_t c = std::max(1, col - steps); c <= std::min(cols_, col + steps); ++c) work(r * stride_ + c);
    }

    bool inside(std::int32_t at) const { return shown_[at] != 0; }  // and not on the border

    unsigned char shown(std::int32_t at) const { return shown_[at]; }
    void show(std::int32_t at, unsigned char symbol) { shown_[at] = symbol; }
    bool clue_at(std::int32_t at) const { return is_clue(shown_[at]); }
    bool closed_at(std::int32_t at) const { return is_closed(shown_[at]); }

    // ---- what was proved ------------------------------------------------------------------------------------------

    void know(std::int32_t at, bool mine) { fact_[at] = mine ? MINED : SAFE; }
    void forget(std::int32_t at) { fact_[at] = NOTHING; }
    void forget_all() { fact_.assign(shown_.size(), NOTHING); }
    bool proved_safe(std::int32_t at) const { return fact_[at] == SAFE; }
    bool proved_mined(std::int32_t at) const { return fact_[at] == MINED; }

    // Neither open, nor named safe, nor proved.
    bool is_unknown(std::int32_t at) const {
        return is_closed(shown_[at]) && shown_[at] != NAMED_SAFE && fact_[at] == NOTHING;
    }
    bool surely_mined(std::int32_t at) const {
        return is_mine(shown_[at]) || (is_closed(shown_[at]) && fact_[at] == MINED);
    }
    // Mines that a clue still needs.
    std::int32_t need_of(std::int32_t clue) const {
        std::int32_t need = shown_[clue] - ZERO;
        for (const std::int32_t step : around_) need -= surely_mined(clue + step);
        return need;
    }
    std::int32_t unknown_around(std::int32_t at) const {
        std::int32_t unknown = 0;
        for (const std::int32_t step : around_) unknown += is_unknown(at + step);
        return unknown;
    }

private:
    enum Fact : unsigned char { NOTHING, SAFE, MINED };

    std::int32_t rows_ = 0, cols_ = 0, stride_ = 0, around_[8] = {};
    std::vector<unsigned char> shown_, fact_;
};

}  // namespace mineproof
