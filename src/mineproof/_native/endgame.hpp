// The end of a game, solved exactly: when few boards are left, search the whole game tree.
//
// A state is the set of boards that are still possible. Nothing else matters: a cell that is open shows the same on all of
// them. Opening a cell that is safe on all boards costs nothing and can only help, so such a cell is opened at once. For
// any other cell the boards on which it is a mine are lost, and the others fall apart by the number it shows. The value of
// a state is the number of its boards that perfect play wins.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "watch.hpp"

namespace mineproof {

class Endgame {
public:
    static constexpr int MOST_CELLS = 256;
    static constexpr unsigned char MINE_HERE = 9;
    using Mines = std::array<std::uint64_t, MOST_CELLS / 64>;  // a bit a cell: mined

    struct Best {
        std::int32_t cell = -1;  // its place in the list of cells
        std::uint32_t wins = 0;  // boards that are won from here
    };

    std::vector<Mines> boards;

    // The boards must be there. `base` are the mines around each cell that are known, `near` the unknown cells around it.
    // False when the budget of nodes was used up, or time is over.
    bool solve(const std::vector<std::int32_t>& base, const std::vector<std::vector<std::int32_t>>& near,
               std::int64_t budget, Watch& watch, Best& best) {
        const std::size_t cells = base.size();
        count_ = boards.size();
        if (count_ == 0 || count_ > UINT16_MAX || cells > MOST_CELLS) return false;
        shows_.resize(cells * count_);
        for (std::size_t c = 0; c < cells; ++c)
            for (std::size_t b = 0; b < count_; ++b) {
                unsigned char shown = MINE_HERE;
                if (!mined(b, static_cast<std::int32_t>(c))) {
                    shown = static_cast<unsigned char>(base[c]);
                    for (const std::int32_t other : near[c]) shown = static_cast<unsigned char>(shown + mined(b, other));
                }
                shows_[c * count_ + b] = shown;
            }
        for (std::size_t b = keys_.size(); b < count_; ++b) keys_.push_back(mix(b + 1));
        if (memo_.empty()) memo_.resize(1 << 12);
        ++epoch_;
        used_ = 0;
        budget_ = budget;
        watch_ = &watch;
        exceeded_ = false;
        stack_.clear();
        cells_.clear();
        for (std::size_t b = 0; b < count_; ++b) stack_.push_back(static_cast<std::uint16_t>(b));
        for (std::size_t c = 0; c < cells; ++c) cells_.push_back(static_cast<std::uint16_t>(c));
        best_ = {};
        if (count_ == 1) {
            best = {-1, 1};
            return true;
        }
        const std::uint32_t wins = value(0, count_, 0, cells, true);
        if (exceeded_) return false;
        best = best_;
        best.wins = wins;
        return true;
    }

private:
    struct Candidate {
        std::uint16_t cell;
        std::uint16_t parts;
        std::uint32_t bound;  // boards on which it is safe
        std::uint64_t split;  // how it divides the boards
    };
    struct Entry {
        std::uint64_t key = 0;
        std::uint32_t epoch = 0, wins = 0;
    };

    bool mined(std::size_t board, std::int32_t cell) const { return boards[board][cell >> 6] >> (cell & 63) & 1; }

    static std::uint64_t mix(std::uint64_t x) {  // splitmix64 (Steele, Lea and Flood, 2014)
        x += 0x9E3779B97F4A7C15u;
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
        x = (x ^ x >> 27) * 0x94D049BB133111EBu;
        return x ^ x >> 31;
    }

    // Boards stack_[from, from + n) and cells cells_[first, first + m): the most boards that can be won.
    std::uint32_t value(std::size_t from, std::size_t n, std::size_t first, std::size_t m, bool root = false) {
        if (n == 1 && !root) return 1;
        if (exceeded_) return 0;
        std::uint64_t key = 0;
        for (std::size_t i = 0; i < n; ++i) key += keys_[stack_[from + i]];
        if (!root)
            if (const Entry* known = find(key)) return known->wins;
        if (--budget_ < 0 || !watch_->tick(static_cast<std::int64_t>(n * m))) {
            exceeded_ = true;
            return 0;
        }
        const std::size_t candidates = candidates_.size(), next_cells = cells_.size();
        for (std::size_t i = 0; i < m; ++i) {
            const std::uint16_t cell = cells_[first + i];
            const unsigned char* shows = &shows_[cell * count_];
            std::uint32_t seen = 0, lost = 0;
            std::uint64_t split = 0;
            for (std::size_t s = 0; s < n; ++s) {
                const std::uint16_t board = stack_[from + s];
                const std::uint32_t shown = shows[board];
                seen |= 1u << shown;
                lost += shown == MINE_HERE;
                split += keys_[board] * (shown + 1);
            }
            const auto parts = static_cast<std::uint16_t>(std::bitset<MINE_HERE>(seen).count());
            if (parts == 0 || (parts == 1 && lost == 0)) continue;  // says nothing any more
            cells_.push_back(cell);
            candidates_.push_back({cell, parts, static_cast<std::uint32_t>(n) - lost, split});
        }
        const std::size_t left = cells_.size() - next_cells;
        std::uint32_t best = 0;
        const auto free_cell = std::find_if(candidates_.begin() + static_cast<std::ptrdiff_t>(candidates), candidates_.end(),
                                            [n](const Candidate& c) { return c.bound == n; });
        if (free_cell != candidates_.end()) {
            const std::uint16_t cell = free_cell->cell;
            best = opened(cell, from, n, next_cells, left, 0, static_cast<std::uint32_t>(n));
            if (root) best_.cell = cell;
        } else if (n == 2 && !root) {
            best = 1;
        } else {
            std::stable_sort(candidates_.begin() + static_cast<std::ptrdiff_t>(candidates), candidates_.end(),
                             [](const Candidate& a, const Candidate& b) {
                                 return a.bound != b.bound ? a.bound > b.bound : a.parts > b.parts;
                             });
            const std::size_t end = candidates_.size();
            for (std::size_t i = candidates; i < end && candidates_[i].bound > best; ++i) {
                const Candidate candidate = candidates_[i];
                bool seen = false;
                for (std::size_t j = candidates; j < i && !seen; ++j) seen = candidates_[j].split == candidate.split;
                if (seen) continue;
                const std::uint32_t wins = opened(candidate.cell, from, n, next_cells, left, best, candidate.bound);
                if (exceeded_) break;
                if (wins > best) {
                    best = wins;
                    if (root) best_.cell = candidate.cell;
                }
            }
        }
        candidates_.resize(candidates);
        cells_.resize(next_cells);
        if (!exceeded_) remember(key, best);
        return best;
    }

    // The boards that are won after opening a cell; given up when it cannot be more than `best`.
    std::uint32_t opened(std::uint16_t cell, std::size_t from, std::size_t n, std::size_t first, std::size_t m,
                         std::uint32_t best, std::uint32_t bound) {
        const unsigned char* shows = &shows_[cell * count_];
        const std::size_t base = stack_.size();
        std::size_t start[10];
        for (int v = 0; v < MINE_HERE; ++v) {
            start[v] = stack_.size();
            for (std::size_t s = 0; s < n; ++s)
                if (shows[stack_[from + s]] == v) stack_.push_back(stack_[from + s]);
        }
        start[MINE_HERE] = stack_.size();
        std::uint32_t wins = 0;
        for (int v = 0; v < MINE_HERE; ++v) {
            const std::size_t size = start[v + 1] - start[v];
            if (size == 0) continue;
            const std::uint32_t won = value(start[v], size, first, m);
            if (exceeded_) break;
            wins += won;
            bound -= static_cast<std::uint32_t>(size) - won;
            if (bound <= best) {
                wins = 0;
                break;
            }
        }
        stack_.resize(base);
        return wins;
    }

    const Entry* find(std::uint64_t key) const {
        const std::size_t mask = memo_.size() - 1;
        for (std::size_t i = key & mask;; i = (i + 1) & mask) {
            if (memo_[i].epoch != epoch_) return nullptr;
            if (memo_[i].key == key) return &memo_[i];
        }
    }

    void remember(std::uint64_t key, std::uint32_t wins) {
        if (++used_ * 2 > memo_.size()) {
            std::vector<Entry> old(memo_.size() * 2);
            old.swap(memo_);
            for (const Entry& entry : old)
                if (entry.epoch == epoch_) place(entry);
        }
        place({key, epoch_, wins});
    }

    void place(const Entry& entry) {
        const std::size_t mask = memo_.size() - 1;
        std::size_t i = entry.key & mask;
        while (memo_[i].epoch == epoch_ && memo_[i].key != entry.key) i = (i + 1) & mask;
        memo_[i] = entry;
    }

    std::size_t count_ = 0, used_ = 0;
    std::int64_t budget_ = 0;
    Watch* watch_ = nullptr;
    std::uint32_t epoch_ = 0;
    bool exceeded_ = false;
    Best best_;
    std::vector<unsigned char> shows_;  // cell × board
    std::vector<std::uint64_t> keys_;   // a random number of each board: sums of them tell states and splits apart
    std::vector<std::uint16_t> stack_, cells_;
    std::vector<Candidate> candidates_;
    std::vector<Entry> memo_;
};

// All boards of a size, from the first click on.
class WholeGame {
public:
    WholeGame(std::int32_t rows, std::int32_t cols, std::int32_t mines) {
        const std::int32_t cells = rows * cols;
        base_.assign(static_cast<std::size_t>(cells), 0);
        near_.resize(static_cast<std::size_t>(cells));
        for (std::int32_t i = 0; i < cells; ++i)
            for (std::int32_t j = 0; j < cells; ++j)
                if (i != j && std::abs(i / cols - j / cols) <= 1 && std::abs(i % cols - j % cols) <= 1)
                    near_[static_cast<std::size_t>(i)].push_back(j);
        Endgame::Mines board{};
        lay(0, cells, mines, board);
    }

    // Boards that are won from this cell, which is not a mine, or with `opening` not next to one either; -1 when the
    // search needs more nodes or time.
    std::int64_t wins(std::int32_t cell, bool opening, std::int64_t nodes, Watch& watch, std::int64_t& boards) {
        std::vector<Endgame::Mines> shown[9];
        for (const Endgame::Mines& board : all_) {
            const auto mined = [&board](std::int32_t c) { return static_cast<int>(board[c >> 6] >> (c & 63) & 1); };
            if (mined(cell)) continue;
            int number = 0;
            for (const std::int32_t next : near_[static_cast<std::size_t>(cell)]) number += mined(next);
            if (!opening || number == 0) shown[number].push_back(board);
        }
        std::int64_t won = 0;
        boards = 0;
        for (const auto& some : shown) {
            if (some.empty()) continue;
            boards += static_cast<std::int64_t>(some.size());
            endgame_.boards = some;
            Endgame::Best best;
            if (!endgame_.solve(base_, near_, nodes, watch, best)) return -1;
            won += best.wins;
        }
        return won;
    }

private:
    void lay(std::int32_t from, std::int32_t cells, std::int32_t mines, Endgame::Mines& board) {
        if (mines == 0) {
            all_.push_back(board);
            return;
        }
        for (std::int32_t c = from; c + mines <= cells; ++c) {
            board[c >> 6] ^= std::uint64_t{1} << (c & 63);
            lay(c + 1, cells, mines - 1, board);
            board[c >> 6] ^= std::uint64_t{1} << (c & 63);
        }
    }

    Endgame endgame_;
    std::vector<Endgame::Mines> all_;
    std::vector<std::int32_t> base_;
    std::vector<std::vector<std::int32_t>> near_;
};

}  // namespace mineproof
