// All ways to lay the mines of a counted position, or of one of its components, for the exact search of what follows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "counted.hpp"
#include "endgame.hpp"

namespace mineproof {

class Laying {
public:
    std::vector<std::int32_t> cells;              // the cells of the search, by bit; padded
    std::vector<std::int32_t> base;               // by bit: mines around it that are known
    std::vector<std::vector<std::int32_t>> near;  // by bit: the bits around it

    // All boards of a position; false when they are more than `most`, or too much work to find.
    bool lay_all(const Counted& k, std::uint32_t most, std::vector<Endgame::Mines>& boards) {
        const Board& board = k.board();
        cells.clear();
        board.each_cell([&](std::int32_t, std::int32_t at) {
            if (board.closed_at(at) && !board.surely_mined(at)) cells.push_back(at);
        });
        if (cells.size() > Endgame::MOST_CELLS) return false;
        number(board);
        free_bits_.clear();
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (board.is_unknown(cells[i]) && k.is_free(cells[i])) free_bits_.push_back(static_cast<std::int32_t>(i));
        boards.clear();
        boards_ = &boards;
        most_ = most;
        steps_ = MOST_STEPS;
        Endgame::Mines mines{};
        if (!lay(k, 0, k.left(), mines)) return false;
        surround(board);
        return true;
    }

    // All ways of one component, whatever its number of mines.
    bool lay_one(const Counted& k, std::size_t l, std::uint32_t most, std::vector<Endgame::Mines>& boards) {
        cells = k.component(l).cells;
        std::sort(cells.begin(), cells.end());
        if (cells.size() > Endgame::MOST_CELLS) return false;
        number(k.board());
        steps_ = MOST_STEPS;
        if (!find_ways(k.component(l)) || ways_.size() > most) return false;
        boards.clear();
        for (const Way& way : ways_) boards.push_back(way.board);
        surround(k.board());
        return true;
    }

private:
    struct Way {
        Endgame::Mines board;
        std::int32_t mines;
    };

    void number(const Board& board) {
        index_.assign(board.padded_size(), -1);
        for (std::size_t i = 0; i < cells.size(); ++i) index_[cells[i]] = static_cast<std::int32_t>(i);
    }

    void surround(const Board& board) {
        base.assign(cells.size(), 0);
        near.assign(cells.size(), {});
        for (std::size_t i = 0; i < cells.size(); ++i)
            for (const std::int32_t step : board.around()) {
                const std::int32_t next = cells[i] + step;
                base[i] += board.surely_mined(next);
                if (index_[next] >= 0) near[i].push_back(index_[next]);
            }
    }

    // Component by component, then the cells that no clue sees; false when that is too much.
    bool lay(const Counted& k, std::size_t l, std::int32_t mines, Endgame::Mines& board) {
        if (l == k.size()) return lay_free(0, mines, board);
        if (!find_ways(k.component(l))) return false;
        const std::vector<Way> ways = ways_;
        for (const Way& way : ways) {
            if (way.mines > mines) continue;
            Endgame::Mines both = board;
            for (std::size_t w = 0; w < both.size(); ++w) both[w] |= way.board[w];
            if (!lay(k, l + 1, mines - way.mines, both)) return false;
        }
        return true;
    }

    // All ways of one component, in ways_.
    bool find_ways(const Component& component) {
        need_ = component.need;
        room_.assign(component.need.size(), 0);
        box_of_.assign(component.cells.size(), nullptr);
        for (const Box& box : component.boxes)
            for (std::int32_t i = box.first; i < box.first + box.size; ++i) {
                box_of_[i] = &box;
                for (std::int32_t c = 0; c < box.clue_count; ++c) ++room_[box.clues[c]];
            }
        ways_.clear();
        Endgame::Mines none{};
        return lay_cell(component, 0, 0, none);
    }

    // Cell by cell.
    bool lay_cell(const Component& component, std::size_t i, std::int32_t mines, Endgame::Mines& board) {
        if (--steps_ < 0) return false;
        if (i == component.cells.size()) {
            ways_.push_back({board, mines});
            return true;
        }
        const Box& box = *box_of_[i];
        const std::int32_t bit = index_[component.cells[i]];
        bool fine = true;
        for (const int mine : {0, 1}) {
            bool possible = true;
            for (std::int32_t c = 0; c < box.clue_count; ++c) {
                const std::int32_t clue = box.clues[c];
                --room_[clue];
                need_[clue] -= mine;
                possible = possible && need_[clue] >= 0 && need_[clue] <= room_[clue];
            }
            if (possible && fine) {
                if (mine) flip(board, bit);
                fine = lay_cell(component, i + 1, mines + mine, board);
                if (mine) flip(board, bit);
            }
            for (std::int32_t c = 0; c < box.clue_count; ++c) {
                ++room_[box.clues[c]];
                need_[box.clues[c]] += mine;
            }
        }
        return fine;
    }

    // The mines that are left, in the cells that no clue sees, from the i-th of them on.
    bool lay_free(std::size_t i, std::int32_t mines, Endgame::Mines& board) {
        const std::int32_t room = static_cast<std::int32_t>(free_bits_.size() - i);
        if (mines < 0 || mines > room) return true;  // no board
        if (--steps_ < 0) return false;
        if (mines == 0 || mines == room) {
            boards_->push_back(board);
            for (; mines > 0; --mines) flip(boards_->back(), free_bits_[i++]);
            return boards_->size() <= most_;
        }
        if (!lay_free(i + 1, mines, board)) return false;
        flip(board, free_bits_[i]);
        const bool fine = lay_free(i + 1, mines - 1, board);
        flip(board, free_bits_[i]);
        return fine;
    }

    static void flip(Endgame::Mines& board, std::int32_t bit) { board[bit >> 6] ^= std::uint64_t{1} << (bit & 63); }

    static constexpr std::int64_t MOST_STEPS = 200'000;

    std::int64_t steps_ = 0;
    std::uint32_t most_ = 0;
    std::vector<Endgame::Mines>* boards_ = nullptr;
    std::vector<std::int32_t> index_, free_bits_, need_, room_;
    std::vector<const Box*> box_of_;
    std::vector<Way> ways_;
};

}  // namespace mineproof
