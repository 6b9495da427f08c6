// Greedy ZiNi: clicks that clear a board when chords are used where they pay.
//
// The premium of a number is what a chord there clears, in units, less the clicks that it takes: one, one more to open the
// number first, and one for each flag. The largest premium is played until none is left that is not negative; ties go to the
// first cell. Premiums are kept up to date by what changes; none is computed twice. The largest one is found through bounds
// for blocks of cells, for blocks of blocks, and so on: a bound rises when a premium does, and is made exact when it seems to
// be the largest.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "numbers.hpp"
#include "limit.hpp"

namespace mineproof {

class Zini {
public:
    Limit limit;

    // `unit` has the opening's number (from 1) on its zeros, -1 on numbers that touch none, else 0.
    std::int32_t clicks(const std::vector<unsigned char>& number, const std::vector<std::int32_t>& unit,
                        std::int32_t openings, std::int32_t lone, const std::int32_t (&around)[8]) {
        number_ = number.data();
        unit_ = unit.data();
        around_ = around;
        const std::size_t size = number.size();
        open_.assign(size, 0);
        counted_.assign(size, 0);
        cleared_.assign(static_cast<std::size_t>(openings) + 1, 0);
        auto& premium = lay_out(size);
        for (std::size_t at = 0; at < size; ++at)
            if (number_[at] > 0 && number_[at] < NUMBER_OF_MINE) premium[at] = first_premium(static_cast<std::int32_t>(at));
        for (std::size_t level = 1; level < bounds_.size(); ++level)
            for (std::size_t b = 0; b < bounds_[level - 1].size() / BLOCK; ++b)
                bounds_[level][b] = largest(&bounds_[level - 1][b * BLOCK]);
        units_ = openings + lone;
        std::int32_t clicked = 0;
        for (std::int32_t at = next(); at >= 0 && limit.tick(200); at = next()) {
            clicked += 1 + !open_[at];
            open(at);
            for (int k = 0; k < 8; ++k) {
                const std::int32_t n = at + around_[k];
                if (number_[n] < NUMBER_OF_MINE) {
                    open(n);
                } else if (number_[n] == NUMBER_OF_MINE && !open_[n]) {
                    ++clicked;
                    open_[n] = 1;
                    for (int j = 0; j < 8; ++j) change(n + around_[j], 1);
                }
            }
            premium[at] = NEVER;  // nothing is left around it
        }
        return clicked + units_;  // no chord pays any more: the other units cost a click each
    }

private:
    static constexpr std::size_t BLOCK = 256;
    static constexpr std::int8_t NEVER = -100;

    // Premiums, and bounds of them up to one block; all NEVER.
    std::vector<std::int8_t>& lay_out(std::size_t size) {
        std::size_t levels = 0;
        do {
            const std::size_t blocks = (size + BLOCK - 1) / BLOCK;
            if (bounds_.size() == levels) bounds_.emplace_back();
            bounds_[levels++].assign(blocks * BLOCK, NEVER);
            size = blocks;
        } while (size > 1);
        bounds_.resize(levels);
        return bounds_[0];
    }

    std::int8_t first_premium(std::int32_t at) {
        std::int32_t gain = -2 + (unit_[at] == -1), seen[8], count = 0;
        for (int k = 0; k < 8; ++k) {
            const std::int32_t n = at + around_[k], unit = unit_[n];
            gain += unit == -1;
            gain -= number_[n] == NUMBER_OF_MINE;
            if (unit > 0 && std::find(seen, seen + count, unit) == seen + count) seen[count++] = unit;
        }
        return static_cast<std::int8_t>(gain + count);
    }

    // Of cells that are no candidates it stays below zero, whatever is added.
    void change(std::int32_t at, int by) {
        std::size_t block = static_cast<std::size_t>(at);
        const auto premium = static_cast<std::int8_t>(bounds_[0][block] + by);
        bounds_[0][block] = premium;
        for (std::size_t level = 1; level < bounds_.size(); ++level) {
            block /= BLOCK;
            if (bounds_[level][block] >= premium) return;
            bounds_[level][block] = premium;
        }
    }

    // Opens a cell and all that it brings.
    void open(std::int32_t at) {
        if (unit_[at] > 0) {
            if (!cleared_[unit_[at]]) clear(at);
        } else if (!open_[at]) {
            open_[at] = 1;
            if (unit_[at] == 0) {
                change(at, 1);  // it need not be opened first any more
            } else {
                --units_;  // the same for itself, but it is no gain any more either
                for (int k = 0; k < 8; ++k) change(at + around_[k], -1);
            }
        }
    }

    // Opens the opening of this zero.
    void clear(std::int32_t zero) {
        const std::int32_t unit = unit_[zero];
        cleared_[unit] = 1;
        --units_;
        todo_.assign(1, zero);
        open_[zero] = 1;
        for (std::size_t head = 0; head < todo_.size(); ++head)
            for (int k = 0; k < 8; ++k) {
                const std::int32_t n = todo_[head] + around_[k];
                if (number_[n] >= NUMBER_OF_MINE) continue;  // the border
                if (unit_[n] > 0) {
                    if (!open_[n]) open_[n] = 1, todo_.push_back(n);
                } else if (counted_[n] != unit) {
                    counted_[n] = unit;
                    change(n, -1 + !open_[n]);  // no gain any more; and it is open now
                    open_[n] = 1;
                }
            }
    }

    static std::int8_t largest(const std::int8_t* block) {
        std::int8_t most = NEVER;
        for (std::size_t i = 0; i < BLOCK; ++i) most = block[i] > most ? block[i] : most;
        return most;
    }

    // The first cell with the largest premium; -1 when that is negative.
    std::int32_t next() {
        for (;;) {
            std::size_t level = bounds_.size() - 1, at = 0;
            const std::int8_t most = largest(bounds_[level].data());
            if (most < 0) return -1;
            for (;; --level) {  // down to the first block, and cell, that has it
                const std::int8_t* block = &bounds_[level][at * BLOCK];
                const void* found = std::memchr(block, most, BLOCK);
                if (found == nullptr) {  // the bound was too high
                    bounds_[level + 1][at] = largest(block);
                    break;
                }
                at = at * BLOCK + static_cast<std::size_t>(static_cast<const std::int8_t*>(found) - block);
                if (level == 0) return static_cast<std::int32_t>(at);
            }
        }
    }

    const unsigned char* number_ = nullptr;
    const std::int32_t *unit_ = nullptr, *around_ = nullptr;
    std::int32_t units_ = 0;
    std::vector<unsigned char> open_, cleared_;  // opened cells and flagged mines; openings that are open, by unit
    std::vector<std::int32_t> counted_, todo_;   // the last opening that a number has heard of
    std::vector<std::vector<std::int8_t>> bounds_;  // premiums, bounds for blocks of them, bounds for blocks of these, …
};

}  // namespace mineproof
