// A position, counted: what odds, sampling, foresight, the strategist and the endgame read, and no one else changes.
//
// Cells that the clues prove are facts of the board and leave the counting problem: they would tie the whole board into one
// component. What is left are pieces (components that were counted), hard components (that could not be), and free cells,
// which no clue sees.
//
// Weights are tilted: every mine counts `tilt`, near the odds of a mine on this board, which keeps the numbers that matter
// near each other. All boards have the same number of mines, so the tilt changes no probability.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "board.hpp"
#include "chain.hpp"
#include "component.hpp"
#include "row.hpp"
#include "limit.hpp"

namespace mineproof {

// What is known about a cell.
enum Mark : unsigned char { OPEN = 0, UNSURE = 1, SAFE = 2, MINED = 3 };

enum class Outcome {
    COUNTED = 0,
    INCONSISTENT = 1,
    HARD = 2,     // there are components that could not be counted
    STOPPED = 3,  // time ran out, or the work was cancelled
};

// A component that was counted: its chain; or, where odds are queried repeatedly, what each box holds for each number
// of mines in the component.
struct Piece {
    bool alive = false;
    std::uint32_t version = 0;
    Component component;
    Row row;
    Row::Moments moments{};  // mean and variance of its number of mines, by itself
    std::unique_ptr<Chain> chain;
    std::vector<double> mean;         // box × mines
    std::vector<unsigned char> ways;  // box × mines: 1 a cell can be safe, 2 a cell can be mined
};

class Counted {
public:
    const Board& board() const { return board_; }
    double tilt() const { return tilt_; }
    std::int32_t mines() const { return mines_; }
    std::int32_t left() const { return mines_ - shown_mines_ - proved_mines_; }  // mines neither shown nor proved
    std::int32_t free_cells() const { return free_cells_; }
    bool is_free(std::int32_t at) const { return free_[at]; }

    // The components that were counted, in order.
    std::size_t size() const { return live_.size(); }
    const Component& component(std::size_t l) const { return piece(l).component; }
    const Row& row(std::size_t l) const { return piece(l).row; }
    const Chain& chain(std::size_t l) const { return *piece(l).chain; }
    bool chained(std::size_t l) const { return piece(l).chain != nullptr; }

    // Those that could not be.
    const std::vector<Component>& hard() const { return hard_; }

    // Workspace of each_box().
    struct Boxes {
        Chain::Back back;
        std::vector<unsigned char> possible;
    };

    // Calls with each box of a component, its expected mines, and the ways it can be: 1 a cell can be safe, 2 a cell can be
    // mined. The rest of the board weighs `seed` for each number of mines here, and `possible` says which there can be. False
    // when time runs out.
    template <class Work>
    bool each_box(std::size_t l, const std::vector<double>& seed, const std::vector<unsigned char>& possible, Boxes& boxes,
                  Limit& limit, Work work) const {
        const Piece& found = piece(l);
        const std::size_t size = found.row.weight.size();
        boxes.possible.resize(size);
        for (std::size_t t = 0; t < size; ++t) boxes.possible[t] = possible[t] & found.row.possible[t];
        if (found.chain) {
            if (!found.chain->backward(found.component, seed.data(), boxes.possible.data(), boxes.back, limit)) return false;
            for (std::size_t b = 0; b < found.component.boxes.size(); ++b)
                work(found.component.boxes[b], boxes.back.verdicts[b].mean, boxes.back.verdicts[b].ways());
            return true;
        }
        for (std::size_t b = 0; b < found.component.boxes.size(); ++b) {
            double mass = 0, mines = 0;
            unsigned char ways = 0;
            for (std::size_t t = 0; t < size; ++t) {
                const double w = found.row.weight[t] * seed[t];
                mass += w;
                mines += w * found.mean[b * size + t];
                if (boxes.possible[t]) ways |= found.ways[b * size + t];
            }
            work(found.component.boxes[b], mass > 0 ? mines / mass : 0, ways);
        }
        return limit.tick(static_cast<std::int64_t>(size * found.component.boxes.size()));
    }

protected:  // the counter derives from this, and makes it
    const Piece& piece(std::size_t l) const { return pieces_[live_[l]]; }

    Board board_;
    std::int32_t mines_ = 0, shown_mines_ = 0, proved_mines_ = 0, free_cells_ = 0;
    double tilt_ = 1;
    std::vector<unsigned char> free_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> live_;
    std::vector<Component> hard_;
};

}  // namespace mineproof
