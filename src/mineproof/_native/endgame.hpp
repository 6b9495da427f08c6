// The end of a game, solved exactly: when few boards are left, search the whole game tree.
//
// A state is the set of boards that are still possible. Nothing else matters: a cell that is open shows the same on all of
// them. The value of a state is the number of its boards that perfect play wins. Six facts keep the tree small:
//
// - Cells that are safe on all boards cost nothing and can only help: they are opened at once, all together.
// - Cells that are safe on the same boards are one choice: after one of them the others are safe, and are opened too.
// - If b is safe wherever a is, b is at least as good a choice. Open b first, then a: that wins what opening a first wins,
//   because b was safe then, and it leaves the choice to stop at b. So a is not tried.
// - A cell that shows the same number wherever it is safe is dead. Opening it tells nothing else than that it was safe, so
//   it can wait until the end. It is not tried while another cell can be.
// - If the boards are all combinations of what some cells can be and what the others can be, and no cell sees both, these
//   are two games: their values are multiplied.
// - A choice wins at most the boards on which it is safe, and afterwards, where nothing is certain, at most those on which
//   the safest cell is safe. A choice that cannot beat the best so far is given up; what it can win at most is remembered.
//
// Hashes only find what may be equal; whether it is, is compared. So the result is exact.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "limit.hpp"

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
    std::uint64_t hashed = ~std::uint64_t{0};  // the bits that a hash keeps: tests keep few, so that many are equal

    // The boards must be there, all with as many mines. `base` are the mines around each cell that are known, `neighbours`
    // the unknown cells around it. False when the budget of nodes was used up, or time or memory runs out.
    bool solve(const std::vector<std::int32_t>& base, const std::vector<std::vector<std::int32_t>>& neighbours,
               std::int64_t budget, Limit& limit, Best& best) {
        const std::size_t cells = base.size();
        count_ = boards.size();
        if (count_ == 0 || count_ > INT32_MAX || cells > MOST_CELLS) return false;
        neighbours_ = &neighbours;
        shows_.resize(cells * count_);
        width_ = (cells + 7) / 8 * 8;
        rows_.assign(width_ * count_, 0);
        for (std::size_t c = 0; c < cells; ++c)
            for (std::size_t b = 0; b < count_; ++b) {
                unsigned char shown = MINE_HERE;
                if (!mined(b, static_cast<std::int32_t>(c))) {
                    shown = static_cast<unsigned char>(base[c]);
                    for (const std::int32_t other : neighbours[c]) shown = static_cast<unsigned char>(shown + mined(b, other));
                }
                shows_[c * count_ + b] = shown;
                rows_[b * width_ + c] = static_cast<std::uint16_t>(1u << shown);
            }
        for (std::size_t b = keys_.size(); b < count_; ++b) keys_.push_back(mix(b + 1));
        if (memo_.empty()) memo_.resize(1 << 12);
        if (++epoch_ == 0) memo_.assign(memo_.size(), {}), epoch_ = 1;
        used_ = 0;
        states_.clear();
        board_bits_ = count_ > 1 << 16 ? 32 : 16;
        budget_ = budget;
        limit_ = &limit;
        exceeded_ = false;
        stack_.clear();
        cells_.clear();
        groups_.clear();
        parts_.clear();
        for (std::size_t b = 0; b < count_; ++b) stack_.push_back(static_cast<std::uint32_t>(b));
        for (std::size_t c = 0; c < cells; ++c) cells_.push_back(static_cast<std::uint16_t>(c));
        best_cell_ = -1;
        best.wins = value({0, count_}, {0, cells}, 0, true);
        best.cell = best_cell_;
        return !exceeded_;
    }

private:
    struct Range {
        std::size_t from, size;
    };
    struct Group {  // cells that are safe on the same boards
        Range cells;         // its part of cells_
        std::uint32_t safe;  // boards on which they are
        std::uint32_t most;  // boards that this choice can win
        bool dead;           // each of them shows the same wherever it is safe
        Range parts;         // what the boards fall into, in parts_
    };
    struct Part {  // boards that look alike after a choice
        Range boards;  // its part of stack_
        std::uint32_t most;
    };
    using Lot = std::pair<std::uint64_t, std::uint32_t>;  // a hash of what a board shows, and the board
    struct Entry {
        std::uint64_t key = 0;
        std::size_t state = 0;  // index into states_
        std::uint32_t epoch = 0;
        std::uint32_t most : 31, exact : 1;  // wins at most this
    };
    struct Seen {  // what a cell shows on some boards
        std::uint32_t numbers = 0, lost = 0;
        int count() const { return static_cast<int>(std::bitset<MINE_HERE>(numbers).count()); }
    };

    bool mined(std::size_t board, std::int32_t cell) const { return boards[board][cell >> 6] >> (cell & 63) & 1; }

    // What all cells show on these boards: numbers_ and lost_.
    void look(Range some) {
        numbers_.assign(width_, 0);
        lost_.assign(width_, 0);
        for (std::size_t from = some.from; from < some.from + some.size; from += UINT16_MAX) {
            few_.assign(width_, 0);
            const std::size_t end = std::min<std::size_t>(some.from + some.size, from + UINT16_MAX);
            std::uint16_t* numbers = numbers_.data();
            std::uint16_t* lost = few_.data();
            for (std::size_t s = from; s < end; ++s) {
                const std::uint16_t* row = &rows_[stack_[s] * width_];
                for (std::size_t c = 0; c < width_; ++c) {
                    numbers[c] = static_cast<std::uint16_t>(numbers[c] | row[c]);
                    lost[c] = static_cast<std::uint16_t>(lost[c] + (row[c] >> MINE_HERE));
                }
            }
            for (std::size_t c = 0; c < width_; ++c) lost_[c] += few_[c];
        }
        limit_->tick(static_cast<std::int64_t>(some.size * width_ / 4));
    }

    // The most of these boards that can be won; when that is not more than `enough`, any number that it cannot exceed and
    // that is not more than `enough` either.
    std::uint32_t value(Range some, Range cells, std::uint32_t enough, bool root = false) {
        if (some.size == 1) return 1;
        if (exceeded_) return 0;
        const std::uint64_t key = key_of(some);
        if (!root)
            if (const Entry* known = find(key, some))
                if (known->exact || known->most <= enough) return known->most;
        if (--budget_ < 0 || limit_->stopped) {
            exceeded_ = true;
            return 0;
        }
        const std::size_t stack = stack_.size(), all_cells = cells_.size(), groups = groups_.size(), parts = parts_.size();
        const std::uint32_t found = search(some, cells, enough, root);
        stack_.resize(stack);
        cells_.resize(all_cells);
        groups_.resize(groups);
        parts_.resize(parts);
        if (!exceeded_) remember(key, some, found, found > enough);
        return found;
    }

    std::uint32_t search(Range some, Range cells, std::uint32_t enough, bool root) {
        const auto n = static_cast<std::uint32_t>(some.size);
        const std::size_t unsure = cells_.size(), first_group = groups_.size();
        sure_.clear();
        look(some);
        for (std::size_t i = 0; i < cells.size; ++i) {
            const std::uint16_t cell = cells_[cells.from + i];
            const Seen seen{numbers_[cell], lost_[cell]};
            const int numbers = seen.count();
            if (numbers == 0 || (numbers == 1 && seen.lost == 0)) continue;  // says nothing any more
            if (seen.lost == 0) {
                sure_.push_back(cell);
            } else {
                cells_.push_back(cell);
                if (sure_.empty()) groups_.push_back({{0, 0}, n - seen.lost, n - seen.lost, numbers == 1, {0, 0}});
            }
        }
        const Range open{unsure, cells_.size() - unsure};
        if (!sure_.empty()) {
            if (root) best_cell_ = sure_.front();
            Group all{{cells_.size(), sure_.size()}, n, n, false, {0, 0}};
            cells_.insert(cells_.end(), sure_.begin(), sure_.end());
            all.most = divide(some, open, all);
            return opened(all, open, enough);
        }
        if (n == 2 && !root) return 1;
        Range one, other;
        if (apart(some, open, one, other)) {
            const auto ways = static_cast<std::uint32_t>(other.size);
            const std::uint32_t wins = value(one, open, enough / ways, root);
            return wins * ways <= enough ? wins * ways : wins * value(other, open, enough / wins);
        }
        const Range choices = choose(some, open, first_group);
        std::uint32_t best = 0, safest = 0;
        while (true) {
            // The most promising choice. At the root the safest of equal ones is wanted, so these are tried, too.
            Group* next = nullptr;
            std::uint32_t most = best;
            for (std::size_t g = choices.from; g < choices.from + choices.size; ++g) {
                Group& group = groups_[g];
                most = std::max(most, group.most);
                const bool better = group.most > std::max(best, enough);
                if ((better || (root && group.most == best && group.safe > safest)) && (!next || group.most > next->most))
                    next = &group;
            }
            if (!next) return most;
            if (next->parts.size == 0) {
                next->most = divide(some, open, *next);
                continue;
            }
            const Group chosen = *next;
            next->most = 0;
            const bool equal = root && best > 0 && chosen.safe > safest;  // is enough
            const std::uint32_t wins = opened(chosen, open, equal ? best - 1 : std::max(best, enough));
            if (exceeded_) return 0;
            if (root && (wins > best || (wins == best && equal))) {
                best_cell_ = cells_[chosen.cells.from];
                safest = chosen.safe;
            }
            best = std::max(best, wins);
        }
    }

    // The boards that are won after opening these cells, which are safe on the same boards.
    std::uint32_t opened(const Group& group, Range open, std::uint32_t enough) {
        std::uint32_t most = group.most;
        for (std::size_t p = group.parts.from; p < group.parts.from + group.parts.size && most > enough; ++p) {
            const Part part = parts_[p];
            const std::uint32_t others = most - part.most;
            most = others + value(part.boards, open, enough > others ? enough - others : 0);
            if (exceeded_) return 0;
        }
        return most;
    }

    // What the boards fall into after a choice, the smallest part first, and how many of them it can win at most.
    std::uint32_t divide(Range some, Range open, Group& group) {
        group.parts.from = parts_.size();
        split(some, group.cells);
        group.parts.size = parts_.size() - group.parts.from;
        std::uint32_t most = 0;
        for (std::size_t p = group.parts.from; p < group.parts.from + group.parts.size; ++p) {
            const std::uint32_t part = bound(parts_[p].boards, open);
            parts_[p].most = part;
            most += part;
        }
        std::stable_sort(parts_.begin() + static_cast<std::ptrdiff_t>(group.parts.from), parts_.end(),
                         [](const Part& a, const Part& b) { return a.boards.size < b.boards.size; });
        return most;
    }

    // The boards on which these cells are safe, by what the cells show there: new parts.
    void split(Range some, Range together) {
        const unsigned char* first = &shows_[cells_[together.from] * count_];
        if (together.size == 1) {
            std::size_t next[MINE_HERE + 1] = {};
            for (std::size_t s = some.from; s < some.from + some.size; ++s) ++next[first[stack_[s]]];
            std::size_t at = stack_.size();
            stack_.resize(at + some.size - next[MINE_HERE]);
            for (int number = 0; number < MINE_HERE; ++number) {
                const std::size_t size = next[number];
                if (size > 0) parts_.push_back({{at, size}, 0});
                next[number] = at;
                at += size;
            }
            for (std::size_t s = some.from; s < some.from + some.size; ++s)
                if (const unsigned char shown = first[stack_[s]]; shown != MINE_HERE) stack_[next[shown]++] = stack_[s];
            return;
        }
        lots_.clear();
        for (std::size_t s = some.from; s < some.from + some.size; ++s) {
            const std::uint32_t board = stack_[s];
            if (first[board] == MINE_HERE) continue;
            std::uint64_t looks = first[board];
            for (std::size_t i = 1; i < together.size; ++i)
                looks = looks * 0x9E3779B97F4A7C15u + shows_[cells_[together.from + i] * count_ + board] + 1;
            lots_.push_back({looks & hashed, board});
        }
        std::sort(lots_.begin(), lots_.end());
        for (auto from = lots_.begin(); from != lots_.end();) {
            const auto [looks, board] = *from;
            const auto hashed_alike = [looks = looks](const Lot& lot) { return lot.first == looks; };
            const auto alike = [&, board = board](const Lot& lot) { return look_alike(board, lot.second, together); };
            const auto to = std::stable_partition(from, std::find_if_not(from, lots_.end(), hashed_alike), alike);
            parts_.push_back({{stack_.size(), static_cast<std::size_t>(to - from)}, 0});
            for (; from != to; ++from) stack_.push_back(from->second);
        }
    }

    bool look_alike(std::uint32_t one, std::uint32_t other, Range together) const {
        for (std::size_t i = 0; i < together.size; ++i) {
            const unsigned char* shows = &shows_[cells_[together.from + i] * count_];
            if (shows[one] != shows[other]) return false;
        }
        return true;
    }

    // What these boards are worth at most, at a glance.
    std::uint32_t bound(Range some, Range cells) {
        const auto n = static_cast<std::uint32_t>(some.size);
        if (n == 1) return 1;
        const std::uint64_t key = key_of(some);
        if (const Entry* known = find(key, some)) return known->most;
        std::uint32_t most = 0;
        look(some);
        const std::size_t first = cells_.size();
        for (std::size_t i = 0; i < cells.size; ++i) {
            const std::uint16_t cell = cells_[cells.from + i];
            const Seen seen{numbers_[cell], lost_[cell]};
            if (seen.lost > 0)
                most = std::max(most, n - seen.lost);
            else if (seen.count() > 1)
                cells_.push_back(cell);
        }
        if (cells_.size() > first) {
            const std::size_t stack = stack_.size(), parts = parts_.size();
            Group all{{first, cells_.size() - first}, n, n, false, {0, 0}};
            most = divide(some, cells, all);
            stack_.resize(stack);
            parts_.resize(parts);
            cells_.resize(first);
        }
        remember(key, some, most, false);
        return most;
    }

    // Cells that are safe on the same boards are put together, and what need not be tried is dropped; the safest first.
    Range choose(Range some, Range open, std::size_t first) {
        const std::size_t words = (some.size + 63) / 64;
        bits_.assign(open.size * words, 0);
        for (std::size_t i = 0; i < open.size; ++i) {
            const unsigned char* shows = &shows_[cells_[open.from + i] * count_];
            std::uint64_t* bits = &bits_[i * words];
            for (std::size_t s = 0; s < some.size; ++s)
                bits[s / 64] |= static_cast<std::uint64_t>(shows[stack_[some.from + s]] != MINE_HERE) << (s % 64);
        }
        order_.clear();
        for (std::size_t i = 0; i < open.size; ++i) order_.push_back(static_cast<std::uint16_t>(i));
        const auto same = [&](std::size_t a, std::size_t b) {
            return std::equal(&bits_[a * words], &bits_[a * words] + words, &bits_[b * words]);
        };
        const auto within = [&](std::size_t a, std::size_t b) {
            for (std::size_t w = 0; w < words; ++w)
                if (bits_[a * words + w] & ~bits_[b * words + w]) return false;
            return true;
        };
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::uint16_t a, std::uint16_t b) { return groups_[first + a].most > groups_[first + b].most; });
        const std::size_t result = groups_.size();
        leaders_.clear();
        taken_.assign(open.size, 0);
        for (std::size_t k = 0; k < order_.size(); ++k) {
            const std::uint16_t a = order_[k];
            if (taken_[a]) continue;
            Group group = groups_[first + a];
            group.cells = {cells_.size(), 0};
            for (std::size_t j = k; j < order_.size() && groups_[first + order_[j]].most == group.most; ++j) {
                const std::uint16_t b = order_[j];
                if (taken_[b] || (j > k && !same(a, b))) continue;
                taken_[b] = 1;
                cells_.push_back(cells_[open.from + b]);
                ++group.cells.size;
                group.dead = group.dead && groups_[first + b].dead;
            }
            groups_.push_back(group);
            leaders_.push_back(a);
        }
        // Of all dead ones, one is enough; of the others those that are not within another.
        bool alive = false;
        for (std::size_t g = result; g < groups_.size(); ++g) alive = alive || !groups_[g].dead;
        std::size_t kept = result;
        for (std::size_t g = result; g < groups_.size(); ++g) {
            if (groups_[g].dead && alive) continue;
            bool inside = false;
            const std::uint16_t leader = leaders_[g - result];
            for (std::size_t h = result; h < kept && !inside; ++h) inside = within(leader, leaders_[h - result]);
            if (inside) continue;
            leaders_[kept - result] = leader;
            groups_[kept++] = groups_[g];
        }
        groups_.resize(kept);
        return {result, kept - result};
    }

    // Whether the boards are all combinations of what some cells can be and what the others can be, which are not near them.
    // Then `one` gets a board for each way of the first, `other` a board for each way of the others.
    bool apart(Range some, Range open, Range& one, Range& other) {
        if (some.size < 4) return false;
        place_.assign(shows_.size() / count_, -1);
        leader_.resize(open.size);
        for (std::size_t i = 0; i < open.size; ++i) {
            place_[cells_[open.from + i]] = static_cast<std::int32_t>(i);
            leader_[i] = i;
        }
        const auto lead = [this](std::size_t i) {
            while (leader_[i] != i) i = leader_[i];
            return i;
        };
        std::size_t areas = open.size;
        for (std::size_t i = 0; i < open.size; ++i)
            for (const std::int32_t next : (*neighbours_)[cells_[open.from + i]]) {
                if (place_[next] < 0) continue;
                const std::size_t a = lead(i), b = lead(static_cast<std::size_t>(place_[next]));
                areas -= a != b;
                leader_[a] = b;
            }
        if (areas == 1) return false;
        for (std::size_t area = 0; area < open.size; ++area) {
            if (leader_[area] != area) continue;
            Mines within[2] = {};  // the cells of the others, and of the area
            for (std::size_t i = 0; i < open.size; ++i) {
                const std::uint16_t cell = cells_[open.from + i];
                within[lead(i) == area][cell >> 6] |= std::uint64_t{1} << (cell & 63);
            }
            for (int side = 0; side < 2; ++side) {
                ways_[side].resize(some.size);
                for (std::size_t s = 0; s < some.size; ++s)
                    for (std::size_t w = 0; w < within[side].size(); ++w)
                        ways_[side][s][w] = boards[stack_[some.from + s]][w] & within[side][w];
            }
            if (different(ways_[0]) * different(ways_[1]) != some.size) continue;
            one = {stack_.size(), 0};
            for (std::size_t s = 0; s < some.size; ++s)
                if (ways_[0][s] == ways_[0][0]) stack_.push_back(stack_[some.from + s]);
            one.size = stack_.size() - one.from;
            other = {stack_.size(), 0};
            for (std::size_t s = 0; s < some.size; ++s)
                if (ways_[1][s] == ways_[1][0]) stack_.push_back(stack_[some.from + s]);
            other.size = stack_.size() - other.from;
            return one.size > 1 && other.size > 1;
        }
        return false;
    }

    std::size_t different(const std::vector<Mines>& values) {
        sorted_ = values;
        std::sort(sorted_.begin(), sorted_.end());
        return static_cast<std::size_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
    }

    std::uint64_t key_of(Range some) const {
        std::uint64_t key = 0;
        for (std::size_t s = some.from; s < some.from + some.size; ++s) key += keys_[stack_[s]];
        return key & hashed;
    }

    const Entry* find(std::uint64_t key, Range some) {
        const Entry& slot = slot_of(key, some);
        return slot.epoch == epoch_ ? &slot : nullptr;
    }

    void remember(std::uint64_t key, Range some, std::uint32_t most, bool exact) {
        if (used_ * 2 >= memo_.size()) {
            if (!fits(memo_.size() * 3, states_.capacity())) return;
            std::vector<Entry> old(memo_.size() * 2);
            old.swap(memo_);
            for (const Entry& entry : old)
                if (entry.epoch == epoch_) slot_where(entry.key, [](const Entry&) { return false; }) = entry;
        }
        Entry& slot = slot_of(key, some);
        if (slot.epoch != epoch_) {
            const std::size_t words = states_.size() + 2 * (some.size + 1);  // at most
            if (states_.capacity() < words) {
                const std::size_t room = std::max(states_.capacity() / 2 * 3, words);
                if (!fits(memo_.size(), states_.capacity() + room)) return;
                states_.reserve(room);
            }
            slot = {key, states_.size(), epoch_, 0, 0};
            write(some);
            ++used_;
        }
        slot.most = most;
        slot.exact = exact;
    }

    // Where these boards are remembered, or can be: they are always in the same order.
    Entry& slot_of(std::uint64_t key, Range some) {
        return slot_where(key, [&](const Entry& entry) {
            return entry.key == key && is_state(entry, some);
        });
    }

    // A state is written as its size and the numbers of its boards, in words of 16 bits: the low halves, then, if there are
    // so many boards, the high ones.
    bool is_state(const Entry& entry, Range some) const {
        const std::uint32_t* first = &stack_[some.from];
        const std::uint16_t* word = &states_[entry.state];
        if ((word[0] | static_cast<std::uint32_t>(word[1]) << 16) != some.size) return false;
        word += 2;
        for (int shift = 0; shift < board_bits_; shift += 16, word += some.size)
            if (!std::equal(first, first + some.size, word, [shift](std::uint32_t board, std::uint16_t half) {
                    return static_cast<std::uint16_t>(board >> shift) == half;
                }))
                return false;
        return true;
    }

    void write(Range some) {
        for (int shift = 0; shift < 32; shift += 16) states_.push_back(static_cast<std::uint16_t>(some.size >> shift));
        for (int shift = 0; shift < board_bits_; shift += 16)
            for (std::size_t s = some.from; s < some.from + some.size; ++s)
                states_.push_back(static_cast<std::uint16_t>(stack_[s] >> shift));
    }

    template <typename Same>
    Entry& slot_where(std::uint64_t key, const Same& same) {
        const std::size_t mask = memo_.size() - 1;
        std::size_t i = key & mask;
        while (memo_[i].epoch == epoch_ && !same(memo_[i])) i = (i + 1) & mask;
        return memo_[i];
    }

    bool fits(std::size_t entries, std::size_t words) {
        if (!limit_->fits(entries * sizeof(Entry) + words * sizeof(states_[0]))) exceeded_ = true;
        return !exceeded_;
    }

    std::size_t count_ = 0, used_ = 0;
    int board_bits_ = 16;  // bits that number a board
    std::int64_t budget_ = 0;
    Limit* limit_ = nullptr;
    std::uint32_t epoch_ = 0;
    bool exceeded_ = false;
    std::int32_t best_cell_ = -1;
    const std::vector<std::vector<std::int32_t>>* neighbours_ = nullptr;
    std::size_t width_ = 0;
    std::vector<unsigned char> shows_;  // cell × board
    std::vector<std::uint16_t> rows_;   // the same, board × cell, as bits
    std::vector<std::uint64_t> keys_;   // a random number for each board; the sum of these finds a state
    std::vector<std::uint32_t> stack_;  // boards of the states on the way
    std::vector<std::uint16_t> cells_;  // the cells that matter in them
    std::vector<Group> groups_;
    std::vector<Part> parts_;
    std::vector<Entry> memo_;
    std::vector<std::uint16_t> states_;  // the boards of each entry
    // for a moment only
    std::vector<std::uint16_t> numbers_, few_;
    std::vector<std::uint32_t> lost_;
    std::vector<std::uint16_t> sure_, order_, leaders_;
    std::vector<unsigned char> taken_;
    std::vector<std::uint64_t> bits_;
    std::vector<Mines> ways_[2], sorted_;
    std::vector<std::size_t> leader_;
    std::vector<std::int32_t> place_;
    std::vector<Lot> lots_;
};

// All boards of a size, from the first click on.
class WholeGame {
public:
    WholeGame(std::int32_t rows, std::int32_t cols, std::int32_t mines, std::uint64_t hashed) {
        endgame_.hashed = hashed;
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
    std::int64_t wins(std::int32_t cell, bool opening, std::int64_t nodes, Limit& limit, std::int64_t& boards) {
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
            if (!endgame_.solve(base_, near_, nodes, limit, best)) return -1;
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
