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

// A cell, padded, and the note that was there.
class Change {
public:
    static constexpr unsigned char NOTES[4] = {HIDDEN, FLAG, QUESTION, NAMED_SAFE};  // what a cell bears that is not open

    Change() = default;
    Change(std::int32_t at, unsigned char note)
        : packed_(at << 2 | (note == HIDDEN ? 0 : note == FLAG ? 1 : note == QUESTION ? 2 : 3)) {}
    std::int32_t at() const { return packed_ >> 2; }
    unsigned char note() const { return NOTES[packed_ & 3]; }

private:
    std::int32_t packed_ = 0;
};

// Cells are padded indices into arrays with a border of one cell, so every cell has eight neighbours.
class OpenedBoard {
public:
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
    bool can_open(std::int32_t at) const { return is_openable(shown[at]); }

    // Opens a closed cell, and what a zero brings with it.
    void open(std::int32_t at, const unsigned char* truth, std::vector<Change>& journal, bool floods = true) {
        flags -= shown[at] == FLAG;
        walk(truth, journal, floods, [&](Opening& opening) { opening.show(at); });
    }

    // Opens every neighbour that can be opened.
    void open_around(std::int32_t at, const unsigned char* truth, std::vector<Change>& journal, bool floods = true) {
        walk(truth, journal, floods, [&](Opening& opening) {
            for (const std::int32_t step : around_)
                if (opening.can_open(at + step)) opening.show(at + step);
        });
    }

    // Changes the note on a closed cell.
    void note(std::int32_t at, unsigned char symbol, std::vector<Change>& journal) {
        journal.emplace_back(at, shown[at]);
        flags += (symbol == FLAG) - (shown[at] == FLAG);
        shown[at] = symbol;
    }

    // Takes back all that the journal has from here on.
    void take_back(std::vector<Change>& journal, std::size_t start = 0) {
        unsigned char* const symbols = shown.data();
        std::int32_t clues = 0, mines = 0, flagged = 0;
        for (std::size_t i = journal.size(); i-- > start;) {
            const unsigned char note = journal[i].note();
            unsigned char& symbol = symbols[journal[i].at()];
            clues += is_clue(symbol);
            mines += symbol == HIT;
            flagged += (note == FLAG) - (symbol == FLAG);
            symbol = note;
        }
        opened -= clues;
        hits -= mines;
        flags += flagged;
        journal.resize(start);
    }

    // What the player sees: one byte per cell, without the border.
    void write(unsigned char* symbols) const {
        for (std::int32_t r = 0; r < rows_; ++r)
            std::copy_n(&shown[(r + 1) * stride_ + 1], cols_, symbols + static_cast<std::size_t>(r) * static_cast<std::size_t>(cols_));
    }

private:
    struct Opening {  // pointers of its own, because a byte that is written may be part of anything
        unsigned char* shown;
        const unsigned char* truth;
        const std::int32_t* around;
        std::vector<Change>& journal;
        std::int32_t hits = 0;

        std::size_t queued() const { return journal.size(); }
        bool can_open(std::int32_t at) const { return is_openable(shown[at]); }
        template <class Visit>
        void each_around_zero(std::size_t i, Visit visit) const {
            const std::int32_t at = journal[i].at();  // the journal may move
            if (shown[at] != ZERO) return;
            for (int k = 0; k < 8; ++k) visit(at + around[k]);
        }
        void show(std::int32_t at) {
            const unsigned char symbol = truth[at];
            journal.emplace_back(at, shown[at]);
            shown[at] = symbol;
            hits += symbol == HIT;
        }
    };

    template <class Begin>
    void walk(const unsigned char* truth, std::vector<Change>& journal, bool floods, Begin begin) {
        Opening opening{shown.data(), truth, around_, journal};
        const std::size_t head = journal.size();
        begin(opening);
        if (floods) flood(opening, head);
        hits += opening.hits;
        opened += static_cast<std::int32_t>(journal.size() - head) - opening.hits;
    }

    static bool is_openable(unsigned char symbol) { return symbol == HIDDEN || symbol == QUESTION || symbol == NAMED_SAFE; }

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
