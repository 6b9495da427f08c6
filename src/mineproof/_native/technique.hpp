// What a person would find: the fewest clues, together with what is settled already, that settle one more cell.
//
// A *set* of clues settles a cell when it allows the cell one way only, given the cells that were settled before. Sets of one
// clue come first, then pairs, then three and four connected clues: for each cell only the sets that hold a clue
// next to it. After these come *chains*: suppose the opposite, follow single clues, and meet a contradiction.
//
// Cells that no clue settles alone are many, and sets are more. So the caller says which cells are wanted: those that an
// analysis has found to be certain. Nothing else is ever looked for.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "symbols.hpp"
#include "limit.hpp"

namespace mineproof {

class Techniques {
public:
    static constexpr int MOST_CLUES = 4;  // most clues of a set
    static constexpr int CHAIN = 5;       // stands for a chain, where a number of clues is expected

    enum State : unsigned char { UNKNOWN, SETTLED_SAFE, SETTLED_MINE, SEEN, SEEN_MINE };  // the last two: on the board
    enum Wanted : unsigned char { NOT_WANTED, WANTED_SAFE, WANTED_MINE };

    struct Found {
        std::int32_t size = 0;  // clues of the set, or CHAIN
        bool mine = false;
        std::vector<std::int32_t> clues, cells;
        std::vector<std::int32_t> used;  // cells that were settled before, and without which it would not follow
    };

    Limit limit;

    void start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols) {
        rows_ = rows;
        cols_ = cols;
        const std::size_t cells = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
        state_.assign(cells, UNKNOWN);
        number_.assign(cells, -1);
        wanted_.assign(cells, NOT_WANTED);
        supposed_.assign(cells, UNKNOWN);
        because_.assign(cells, -1);
        list_.clear();
        touched_.clear();
        radius_ = -1;
        for (std::size_t i = 0; i < cells; ++i) see(static_cast<std::int32_t>(i), symbols[i]);
    }

    // The cell shows this now.
    void see(std::int32_t cell, unsigned char symbol) {
        number_[at(cell)] = static_cast<signed char>(is_clue(symbol) ? symbol - ZERO : -1);
        state_[at(cell)] = is_clue(symbol) || symbol == NAMED_SAFE ? SEEN : is_mine(symbol) ? SEEN_MINE : UNKNOWN;
    }

    // What to find out. Cells that come first are tried first.
    void want(std::int32_t cell, bool mine) {
        if (wanted_[at(cell)] == NOT_WANTED) {
            list_.push_back(cell);
            touched_.push_back(cell);
        }
        wanted_[at(cell)] = mine ? WANTED_MINE : WANTED_SAFE;
    }

    // Only clues in this square count from now on; a negative radius: all.
    void look_around(std::int32_t cell, std::int32_t radius) {
        centre_ = cell;
        radius_ = radius;
    }

    // Forget what was settled, and what was wanted.
    void forget() {
        for (const std::int32_t cell : touched_) {
            wanted_[at(cell)] = NOT_WANTED;
            if (state_[at(cell)] == SETTLED_SAFE || state_[at(cell)] == SETTLED_MINE) state_[at(cell)] = UNKNOWN;
        }
        list_.clear();
        touched_.clear();
    }

    void settle(std::int32_t cell, bool mine) {
        touched_.push_back(cell);
        state_[at(cell)] = mine ? SETTLED_MINE : SETTLED_SAFE;
    }

    // What a single clue settles, it settles for all unknown cells around it, wanted or not.
    void widen(Found& found) {
        if (found.size != 1) return;
        around(found.clues[0], 1, [&](std::int32_t cell) {
            if (state_[at(cell)] != UNKNOWN) return;
            settle(cell, found.mine);
            found.cells.push_back(cell);
        });
        std::sort(found.cells.begin(), found.cells.end());
    }

    // The easiest next step, of at most this many clues (`CHAIN`: any, and chains); it is settled. False when there is none,
    // or when time runs out.
    bool step(std::int32_t most, Found& found) {
        list_.erase(std::remove_if(list_.begin(), list_.end(), [&](std::int32_t c) { return state_[at(c)] != UNKNOWN; }),
                    list_.end());
        for (std::int32_t size = 1; size <= std::min(most, std::int32_t{MOST_CLUES}); ++size)
            for (std::size_t i = 0; i < list_.size(); ++i) {
                if (limit.stopped) return false;
                // The first is the one that matters most; with single clues, the others are gone through in turns.
                const std::size_t turn = size > 1 || i == 0 ? i : 1 + (i + next_) % (list_.size() - 1);
                if (!set_for(list_[turn], size, found)) continue;
                if (size == 1 && i > 0) next_ = turn;
                return finish(found);
            }
        return most >= CHAIN && chain(found) && finish(found);
    }

private:
    struct Boxes {  // the unknown cells around a set of clues, by the clues that see them
        std::int32_t clues = 0, boxes = 0;
        std::int32_t need[MOST_CLUES];
        std::int32_t sight[16], size[16];  // by box: a bit for each clue that sees it, and its number of unknown cells
    };

    static std::size_t at(std::int32_t cell) { return static_cast<std::size_t>(cell); }

    template <class Visit>
    void around(std::int32_t cell, std::int32_t reach, Visit visit) const {
        const std::int32_t row = cell / cols_, col = cell % cols_;
        for (std::int32_t r = std::max(0, row - reach); r <= std::min(rows_ - 1, row + reach); ++r)
            for (std::int32_t c = std::max(0, col - reach); c <= std::min(cols_ - 1, col + reach); ++c)
                if (r != row || c != col) visit(r * cols_ + c);
    }

    bool within(std::int32_t one, std::int32_t other, std::int32_t reach) const {
        return std::abs(one / cols_ - other / cols_) <= reach && std::abs(one % cols_ - other % cols_) <= reach;
    }

    bool is_clue_here(std::int32_t cell) const {
        return number_[at(cell)] >= 0 && (radius_ < 0 || within(cell, centre_, radius_));
    }

    bool is_open_clue(std::int32_t cell) const {
        if (!is_clue_here(cell)) return false;
        bool open = false;
        around(cell, 1, [&](std::int32_t next) { open |= state_[at(next)] == UNKNOWN; });
        return open;
    }

    bool share(std::int32_t one, std::int32_t other) const {
        bool found = false;
        around(one, 1, [&](std::int32_t cell) { found |= state_[at(cell)] == UNKNOWN && within(cell, other, 1); });
        return found;
    }

    // The set of this size that settles the cell with clues as near as can be. Connected sets with a given member are
    // listed once each (Wernicke, 2006).
    bool set_for(std::int32_t cell, std::int32_t size, Found& found) {
        cell_ = cell;
        opposite_mine_ = wanted_[at(cell)] == WANTED_SAFE;
        nearest_ = INT32_MAX;
        seen_.clear();
        around(cell, 1, [&](std::int32_t clue) {
            if (!is_open_clue(clue)) return;
            set_.assign(1, clue);
            std::vector<std::int32_t> next, known = seen_;
            known.push_back(clue);
            grow(clue, known, next, size);
            extend(next, known, size);
            seen_.push_back(clue);  // sets with this clue are all tried
        });
        found.size = size;
        found.clues = best_set_;
        return nearest_ < INT32_MAX;
    }

    // Clues that share unknown cells with this one, and are not known yet.
    void grow(std::int32_t clue, std::vector<std::int32_t>& known, std::vector<std::int32_t>& next, std::int32_t size) const {
        if (size <= static_cast<std::int32_t>(set_.size())) return;
        around(clue, 2, [&](std::int32_t other) {
            if (is_open_clue(other) && std::find(known.begin(), known.end(), other) == known.end() && share(clue, other)) {
                known.push_back(other);
                next.push_back(other);
            }
        });
    }

    void extend(std::vector<std::int32_t> next, const std::vector<std::int32_t>& known, std::int32_t size) {
        if (static_cast<std::int32_t>(set_.size()) == size) {
            const std::int32_t distance = distance_of(set_);
            if (distance >= nearest_ || !refutes(set_, cell_, opposite_mine_)) return;
            nearest_ = distance;
            best_set_ = set_;
            return;
        }
        while (!next.empty() && !limit.stopped) {
            const std::int32_t clue = next.front();
            next.erase(next.begin());
            set_.push_back(clue);
            std::vector<std::int32_t> wider = known, further = next;
            grow(clue, wider, further, size);
            extend(further, wider, size);
            set_.pop_back();
        }
    }

    std::int32_t distance_of(const std::vector<std::int32_t>& clues) const {
        std::int32_t sum = 0;
        for (const std::int32_t clue : clues) {
            const std::int32_t down = clue / cols_ - cell_ / cols_, right = clue % cols_ - cell_ % cols_;
            sum += down * down + right * right;
        }
        return sum;
    }

    // Whether the clues cannot all be right when this cell is a mine, or safe.
    bool refutes(const std::vector<std::int32_t>& clues, std::int32_t cell, bool mine) {
        limit.tick(8 * static_cast<std::int64_t>(clues.size()));
        Boxes boxes;
        std::int32_t slot[16];
        std::fill(slot, slot + 16, -1);
        for (const std::int32_t clue : clues) boxes.need[boxes.clues++] = number_[at(clue)];
        for (std::int32_t i = 0; i < boxes.clues; ++i) {
            const std::int32_t clue = clues[at(i)];
            around(clue, 1, [&](std::int32_t other) {
                const State state = state_[at(other)];
                if (other == cell || state != UNKNOWN) {
                    boxes.need[i] -= other == cell ? mine : state == SETTLED_MINE || state == SEEN_MINE;
                    return;
                }
                std::int32_t sight = 0;
                for (std::int32_t j = 0; j < boxes.clues; ++j) sight |= within(clues[at(j)], other, 1) << j;
                if ((sight & ((1 << i) - 1)) != 0) return;  // an earlier clue has counted it
                if (slot[sight] < 0) {
                    slot[sight] = boxes.boxes++;
                    boxes.sight[slot[sight]] = sight;
                    boxes.size[slot[sight]] = 0;
                }
                ++boxes.size[slot[sight]];
            });
        }
        std::int32_t room[MOST_CLUES] = {};
        for (std::int32_t b = 0; b < boxes.boxes; ++b)
            for (std::int32_t i = 0; i < boxes.clues; ++i)
                if (boxes.sight[b] >> i & 1) room[i] += boxes.size[b];
        return !possible(boxes, 0, boxes.need, room);
    }

    static bool possible(const Boxes& boxes, std::int32_t box, const std::int32_t* need, const std::int32_t* room) {
        for (std::int32_t i = 0; i < boxes.clues; ++i)
            if (need[i] < 0 || need[i] > room[i]) return false;
        if (box == boxes.boxes) return true;
        std::int32_t next_need[MOST_CLUES], next_room[MOST_CLUES];
        for (std::int32_t mines = 0; mines <= boxes.size[box]; ++mines) {
            for (std::int32_t i = 0; i < boxes.clues; ++i) {
                const bool sees = boxes.sight[box] >> i & 1;
                next_need[i] = need[i] - (sees ? mines : 0);
                next_room[i] = room[i] - (sees ? boxes.size[box] : 0);
            }
            if (possible(boxes, box + 1, next_need, next_room)) return true;
        }
        return false;
    }

    // All that the set, or the chain, settles in the same way: from three clues on, only cells that the same clues see, for
    // others take another argument. And of the cells that were settled before, those it needs.
    bool finish(Found& found) {
        found.mine = !opposite_mine_;
        found.cells.assign(1, cell_);
        found.used.clear();
        const bool chained = found.size == CHAIN;
        const auto follows = [&](std::int32_t cell) {
            return chained ? contradicts(cell, opposite_mine_, &found.clues) : refutes(found.clues, cell, opposite_mine_);
        };
        std::vector<std::int32_t> settled;
        for (const std::int32_t clue : found.clues)
            around(clue, 1, [&](std::int32_t cell) {
                const State state = state_[at(cell)];
                if ((state == SETTLED_SAFE || state == SETTLED_MINE) &&
                    std::find(settled.begin(), settled.end(), cell) == settled.end())
                    settled.push_back(cell);
            });
        for (const std::int32_t cell : settled) {
            const State state = state_[at(cell)];
            state_[at(cell)] = UNKNOWN;
            if (!follows(cell_)) {
                state_[at(cell)] = state;
                found.used.push_back(cell);
            } else {
                dropped_.push_back({cell, state});
            }
        }
        for (const std::int32_t cell : list_)  // what follows beside it, from the same
            if (cell != cell_ && wanted_[at(cell)] == wanted_[at(cell_)] && seen_by(found.clues, cell) &&
                (found.size < 3 || alike(found.clues, cell)) && follows(cell))
                found.cells.push_back(cell);
        for (const Dropped& dropped : dropped_) state_[at(dropped.cell)] = dropped.state;
        dropped_.clear();
        if (limit.stopped) return false;  // it may have been ended in the middle
        for (const std::int32_t cell : found.cells) settle(cell, found.mine);
        std::sort(found.clues.begin(), found.clues.end());
        std::sort(found.cells.begin(), found.cells.end());
        std::sort(found.used.begin(), found.used.end());
        return true;
    }

    bool seen_by(const std::vector<std::int32_t>& clues, std::int32_t cell) const {
        return std::any_of(clues.begin(), clues.end(), [&](std::int32_t clue) { return within(clue, cell, 1); });
    }

    bool alike(const std::vector<std::int32_t>& clues, std::int32_t cell) const {
        return std::all_of(clues.begin(), clues.end(),
                           [&](std::int32_t clue) { return within(clue, cell, 1) == within(clue, cell_, 1); });
    }

    // -- chains --------------------------------------------------------------------------------------------------------

    // The chain with the fewest clues.
    bool chain(Found& found) {
        std::size_t fewest = SIZE_MAX;
        std::int32_t best = -1;
        std::vector<std::int32_t> clues;
        for (const std::int32_t cell : list_) {
            if (limit.stopped) return false;
            clues.clear();
            if (contradicts(cell, wanted_[at(cell)] == WANTED_SAFE, nullptr, &clues) && clues.size() < fewest) {
                fewest = clues.size();
                best = cell;
                found.clues = clues;
            }
        }
        if (best < 0) return false;
        cell_ = best;
        opposite_mine_ = wanted_[at(best)] == WANTED_SAFE;
        for (std::size_t i = found.clues.size(); i-- > 0;) {  // without those that it does not need
            const std::int32_t clue = found.clues[i];
            found.clues.erase(found.clues.begin() + static_cast<std::ptrdiff_t>(i));
            if (!contradicts(cell_, opposite_mine_, &found.clues))
                found.clues.insert(found.clues.begin() + static_cast<std::ptrdiff_t>(i), clue);
        }
        found.size = CHAIN;
        return true;
    }

    // Suppose that the cell is a mine, or safe, and follow single clues (of these, or all) until one cannot be right.
    bool contradicts(std::int32_t cell, bool mine, const std::vector<std::int32_t>* among,
                     std::vector<std::int32_t>* clues = nullptr) {
        trail_.assign(1, cell);
        supposed_[at(cell)] = mine ? SETTLED_MINE : SETTLED_SAFE;
        because_[at(cell)] = -1;
        std::int32_t wrong = -1;
        for (std::size_t i = 0; i < trail_.size() && wrong < 0; ++i)
            around(trail_[i], 1, [&](std::int32_t clue) {
                if (wrong >= 0 || !is_clue_here(clue)) return;
                if (among != nullptr && std::find(among->begin(), among->end(), clue) == among->end()) return;
                if (!follow(clue)) wrong = clue;
            });
        if (wrong >= 0 && clues != nullptr) explain(wrong, *clues);
        for (const std::int32_t trailed : trail_) supposed_[at(trailed)] = UNKNOWN;
        return wrong >= 0;
    }

    // What a clue settles, given what is supposed; false when it cannot be right.
    bool follow(std::int32_t clue) {
        limit.tick(8);
        std::int32_t need = number_[at(clue)], unknown = 0;
        around(clue, 1, [&](std::int32_t cell) {
            const State state = state_[at(cell)] == UNKNOWN ? supposed_[at(cell)] : state_[at(cell)];
            need -= state == SETTLED_MINE || state == SEEN_MINE;
            unknown += state == UNKNOWN;
        });
        if (need < 0 || need > unknown) return false;
        if (unknown > 0 && (need == 0 || need == unknown))
            around(clue, 1, [&](std::int32_t cell) {
                if (state_[at(cell)] != UNKNOWN || supposed_[at(cell)] != UNKNOWN) return;
                supposed_[at(cell)] = need > 0 ? SETTLED_MINE : SETTLED_SAFE;
                because_[at(cell)] = clue;
                trail_.push_back(cell);
            });
        return true;
    }

    // The clues that led to the wrong one, it included.
    void explain(std::int32_t wrong, std::vector<std::int32_t>& clues) {
        clues.assign(1, wrong);
        for (std::size_t i = 0; i < clues.size(); ++i)
            around(clues[i], 1, [&](std::int32_t cell) {
                const std::int32_t clue = because_[at(cell)];
                if (state_[at(cell)] == UNKNOWN && supposed_[at(cell)] != UNKNOWN && clue >= 0 &&
                    std::find(clues.begin(), clues.end(), clue) == clues.end())
                    clues.push_back(clue);
            });
    }

    struct Dropped {
        std::int32_t cell;
        State state;
    };

    std::int32_t rows_ = 0, cols_ = 0, centre_ = 0, radius_ = -1;
    std::vector<State> state_;
    std::vector<signed char> number_;  // -1: no clue
    std::vector<unsigned char> wanted_;
    std::vector<std::int32_t> list_;  // wanted cells that are not settled
    std::vector<std::int32_t> touched_;
    std::int32_t cell_ = -1;          // the cell that the last set or chain settles
    bool opposite_mine_ = false;      // what was supposed of it
    std::int32_t nearest_ = 0;        // how far the clues of the best set are from it
    std::size_t next_ = 0;            // index of the next wanted cell to try with single clues
    std::vector<std::int32_t> set_, best_set_, seen_, trail_, because_;
    std::vector<State> supposed_;
    std::vector<Dropped> dropped_;
};

}  // namespace mineproof
