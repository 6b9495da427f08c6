// What is open of a board, and the walk over it as cells open: one flood fill, for games, learners, playouts and solutions.
//
// The truth, what each cell would show, belongs to the caller: many boards can be compared with one truth, and one board with
// many. The journal of changes is also the queue of the flood fill and all that undo needs: a cell enters it when it opens,
// and never twice. Only `clues.hpp` opens cells in another way: there, zeros are single clues like any other; and what
// `metrics` and `zini.hpp` collect are openings, of boards on which nothing is open.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "numbers.hpp"
#include "symbols.hpp"

namespace mineproof {

// The cells that a board has queued from `head` on are open; each zero among them opens its neighbours, which are queued.
template <class Board>
void flood(Board&& board, std::size_t head) {
    for (; head < board.queued(); ++head) board.each_around_zero(head, [&](std::int32_t next) {
        if (board.can_open(next)) board.show(next);
    });
}

// What each cell would show, padded; `mines` has one byte per cell, 1 for a mine.
inline void find_truth(const unsigned char* mines, std::int32_t rows, std::int32_t cols, std::vector<unsigned char>& truth) {
    number_cells(mines, rows, cols, truth);
    for (unsigned char& symbol : truth)
        symbol = symbol == NUMBER_OF_MINE ? static_cast<unsigned char>(HIT) : static_cast<unsigned char>(ZERO + symbol);
}

struct Change {
    std::uint32_t at : 30;   // padded
    std::uint32_t note : 2;  // that was there: an index of OpenedBoard::NOTES
};

// Cells are padded indices into arrays with a border of one cell, so every cell has eight neighbours.
class OpenedBoard {
public:
    static constexpr unsigned char NOTES[4] = {HIDDEN, FLAG, QUESTION, NAMED_SAFE};  // what a cell bears that is not open

    std::vector<unsigned char> shown;  // by cell: what the player sees; 0 on the border
    std::int32_t opened = 0;           // safe cells that are open
    std::int32_t hits = 0;             // mines that were opened
    std::int32_t flags = 0;

    // All cells are closed.
    void start(std::int32_t rows, std::int32_t cols) {
        rows_ = rows;
        cols_ = cols;
        stride_ = cols + 2;
        neighbour_steps(cols, around_);
        opened = hits = flags = 0;
        shown.assign(static_cast<std::size_t>(rows + 2) * static_cast<std::size_t>(stride_), 0);
        for (std::int32_t r = 1; r <= rows; ++r) std::fill_n(&shown[r * stride_ + 1], cols, HIDDEN);
    }

    // A position without the player's notes. Mines that it shows are not hits: they were found before.
    void start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols) {
        start(rows, cols);
        for (std::int32_t i = 0; i < rows * cols; ++i) {
            if (symbols[i] != FLAG && symbols[i] != QUESTION) shown[padded(i)] = symbols[i];
            opened += is_clue(symbols[i]);
        }
    }

    std::int32_t rows() const { return rows_; }
    std::int32_t cols() const { return cols_; }
    std::int32_t padded(std::int32_t i) const { return (i / cols_ + 1) * stride_ + i % cols_ + 1; }
    std::int32_t plain(std::int32_t at) const { return (at / stride_ - 1) * cols_ + at % stride_ - 1; }
    const std::int32_t (&around() const)[8] { return around_; }
    bool can_open(std::int32_t at) const { return shown[at] > EIGHT && shown[at] != FLAG && shown[at] != SHOWN_MINE; }

    // Opens a closed cell, and what a zero brings with it.
    void open(std::int32_t at, const unsigned char* truth, std::vector<Change>& journal, bool floods = true) {
        Opening opening{*this, truth, journal};
        const std::size_t head = journal.size();
        opening.show(at);
        if (floods) flood(opening, head);
    }

    // Opens every neighbour that can be opened.
    void open_around(std::int32_t at, const unsigned char* truth, std::vector<Change>& journal, bool floods = true) {
        Opening opening{*this, truth, journal};
        const std::size_t head = journal.size();
        for (const std::int32_t step : around_)
            if (can_open(at + step)) opening.show(at + step);
        if (floods) flood(opening, head);
    }

    // Changes the note on a closed cell.
    void note(std::int32_t at, unsigned char symbol, std::vector<Change>& journal) {
        journal.push_back(change_of(at));
        flags += (symbol == FLAG) - (shown[at] == FLAG);
        shown[at] = symbol;
    }

    // Takes back all that the journal has from here on.
    void take_back(std::vector<Change>& journal, std::size_t start = 0) {
        while (journal.size() > start) {
            const auto at = static_cast<std::int32_t>(journal.back().at);
            const unsigned char before = NOTES[journal.back().note];
            opened -= is_clue(shown[at]);
            hits -= shown[at] == HIT;
            flags += (before == FLAG) - (shown[at] == FLAG);
            shown[at] = before;
            journal.pop_back();
        }
    }

    // What the player sees: one byte per cell, without the border.
    void write(unsigned char* symbols) const {
        for (std::int32_t r = 0; r < rows_; ++r)
            std::copy_n(&shown[(r + 1) * stride_ + 1], cols_, symbols + static_cast<std::size_t>(r) * static_cast<std::size_t>(cols_));
    }

private:
    struct Opening {  // a walk over this board
        OpenedBoard& board;
        const unsigned char* truth;
        std::vector<Change>& journal;

        std::size_t queued() const { return journal.size(); }
        bool can_open(std::int32_t at) const { return board.can_open(at); }
        template <class Visit>
        void each_around_zero(std::size_t i, Visit visit) const {
            const auto at = static_cast<std::int32_t>(journal[i].at);  // the journal may move
            if (board.shown[at] != ZERO) return;
            for (const std::int32_t step : board.around_) visit(at + step);
        }
        void show(std::int32_t at) {
            journal.push_back(board.change_of(at));
            board.flags -= board.shown[at] == FLAG;
            board.shown[at] = truth[at];
            ++(truth[at] == HIT ? board.hits : board.opened);
        }
    };

    Change change_of(std::int32_t at) const {
        const auto note = std::find(NOTES, NOTES + 3, shown[at]) - NOTES;
        return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(note)};
    }

    std::int32_t rows_ = 0, cols_ = 0, stride_ = 0, around_[8] = {};
};

// A board of numbers without a border, so that what is shown can be copied as it is: -1 where a cell is closed. Each cell has
// nine entries in `near`: how many neighbours, and which.
struct ListedBoard {
    const std::int8_t* truth;
    std::int8_t* shown;
    const std::int32_t* near;
    std::int32_t* queue;  // room for all cells
    std::size_t count = 0;

    std::size_t queued() const { return count; }
    bool can_open(std::int32_t cell) const { return shown[cell] < 0; }
    template <class Visit>
    void each_around_zero(std::size_t i, Visit visit) const {
        if (shown[queue[i]] != 0) return;
        const std::int32_t* listed = near + static_cast<std::size_t>(queue[i]) * 9;
        for (std::int32_t k = 1; k <= *listed; ++k) visit(listed[k]);
    }
    void show(std::int32_t cell) {
        shown[cell] = truth[cell];
        queue[count++] = cell;
    }
    // Opens a closed cell, and what a zero brings with it; how many cells that are.
    std::int32_t open(std::int32_t cell, bool floods) {
        show(cell);
        if (floods) flood(*this, 0);
        return static_cast<std::int32_t>(count);
    }
};

}  // namespace mineproof
