// What a click would show, and how things would stand then: counted, without playing it.
//
// Opening a cell touches only the components next to it. These are joined with the new clue and counted; everything else
// keeps its tables, and is only joined again over the number of mines.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "combination.hpp"
#include "counted.hpp"

namespace mineproof {

class Foresight {
public:
    // After a cell was opened and showed some number.
    struct View {
        double share = 0;   // of all boards: the cell is safe and shows this
        double best = 0, second = 0;  // how safe the two safest cells are then
        std::int32_t certain = 0;  // cells that are certainly safe then
        bool won = true;  // no cell that is still closed can be safe
    };

    // A position whose components were joined exactly, and the logarithm of its number of boards.
    void begin(const Counted& counted, double log_solutions, Watch& watch) {
        counted_ = &counted;
        log_solutions_ = log_solutions;
        watch_ = &watch;
        place_.resize(counted.board().padded_size());
        mark_.resize(counted.board().padded_size());
        ++epoch_;
        for (std::size_t l = 0; l < counted.size(); ++l)
            for (const std::int32_t at : counted.component(l).cells) place_[at] = {epoch_, static_cast<std::int32_t>(l)};
    }

    // False when the cell cannot show this number, or time is over.
    bool look(std::int32_t cell, int number, View& view) {
        const Counted& k = *counted_;
        const std::int32_t at = k.board().padded(cell);
        if (!gather(at, number)) return false;
        if (!splitter_.split(merged_)) return false;
        const std::size_t groups = splitter_.count();
        while (chains_.size() < groups) chains_.push_back(std::make_unique<Chain>()), rows_.emplace_back();
        for (std::size_t i = 0; i < groups; ++i) {
            Chain& chain = *chains_[i];
            if (chain.forward(splitter_.part(i), k.tilt(), SIZE_MAX, sweep_, *watch_) != Sweep::DONE) {
                watch_->stopped = true;  // it may be memory that is short
                return false;
            }
            if (!chain.has_solution()) return false;
            chain.write_to(rows_[i]);
        }
        parts_.clear();
        kept_.clear();
        for (std::size_t l = 0; l < k.size(); ++l)
            if (!std::count(touched_.begin(), touched_.end(), static_cast<std::int32_t>(l))) {
                parts_.push_back(&k.row(l));
                kept_.push_back(l);
            }
        for (std::size_t i = 0; i < groups; ++i) parts_.push_back(&rows_[i]);
        const std::int32_t rest_cells = k.free_cells() - k.is_free(at) - new_cells_;
        if (combination_.join(parts_, FreeCells{rest_cells, k.left(), k.tilt()}, *watch_) != Combination::FINE) return false;
        view = {};
        view.share = std::exp(combination_.log_weight() - k.left() * std::log(k.tilt()) - log_solutions_);
        if (rest_cells > 0) consider_rest(view, rest_cells);
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            combination_.outside(p, seed_, possible_);
            if (p < kept_.size()) {
                const bool done = k.each_box(kept_[p], seed_, possible_, boxes_, *watch_,
                                             [&](const Box& box, double mean, unsigned char ways) {
                                                 consider(view, 1 - mean / box.size, box.size, ways);
                                             });
                if (!done) return false;
                continue;
            }
            const std::size_t i = p - kept_.size();
            const Component& part = splitter_.part(i);
            for (std::size_t t = 0; t < possible_.size(); ++t) possible_[t] &= rows_[i].possible[t];
            if (!chains_[i]->backward(part, seed_.data(), possible_.data(), boxes_.back, *watch_)) return false;
            for (std::size_t b = 0; b < part.boxes.size(); ++b) {
                const Verdict& verdict = boxes_.back.verdicts[b];
                consider(view, 1 - verdict.mean / part.boxes[b].size, part.boxes[b].size, verdict.ways());
            }
        }
        return true;
    }

private:
    struct Place {
        std::uint32_t epoch = 0;
        std::int32_t piece = -1;
    };

    void consider_rest(View& view, std::int32_t rest_cells) const {
        double mass = 0, mines = 0;
        unsigned char ways = 0;
        combination_.each_total([&](std::int32_t used, double weight) {
            const std::int32_t r = counted_->left() - used;
            mass += weight;
            mines += weight * r;
            ways |= static_cast<unsigned char>((r < rest_cells) + 2 * (r > 0));
        });
        consider(view, 1 - mines / mass / rest_cells, rest_cells, ways);
    }

    static void consider(View& view, double safety, std::int32_t cells, unsigned char ways) {
        view.won = view.won && !(ways & 1);
        if (!(ways & 2)) {
            view.certain += cells;
            safety = 1;
        }
        if (safety > view.best) {
            view.second = cells > 1 ? safety : view.best;
            view.best = safety;
        } else {
            view.second = std::max(view.second, safety);
        }
    }
    // The components next to the cell, as one, without the cell and with the clue that it would become.
    bool gather(std::int32_t at, int number) {
        const Counted& k = *counted_;
        const Board& board = k.board();
        ++now_;
        touched_.clear();
        touch(at);
        std::int32_t need = number, unknown = 0;
        new_cells_ = 0;
        for (const std::int32_t step : board.around()) {
            const std::int32_t next = at + step;
            need -= board.surely_mined(next);
            if (!board.is_unknown(next)) continue;
            ++unknown;
            mark_[next] = now_;
            new_cells_ += k.is_free(next);
            touch(next);
        }
        if (need < 0 || need > unknown) return false;
        merged_.clear();
        std::int32_t clues = 0;
        for (const std::int32_t l : touched_) clues += static_cast<std::int32_t>(component(l).need.size());
        std::int32_t offset = 0;
        for (const std::int32_t l : touched_) {
            const Component& part = component(l);
            for (const Box& box : part.boxes)
                for (const bool inside : {false, true}) {
                    Box copy = box;
                    copy.first = static_cast<std::int32_t>(merged_.cells.size());
                    for (std::int32_t i = box.first; i < box.first + box.size; ++i)
                        if (part.cells[i] != at && (mark_[part.cells[i]] == now_) == inside)
                            merged_.cells.push_back(part.cells[i]);
                    copy.size = static_cast<std::int32_t>(merged_.cells.size()) - copy.first;
                    if (copy.size == 0) continue;
                    for (std::int32_t c = 0; c < copy.clue_count; ++c) copy.clues[c] += offset;
                    if (inside) copy.clues[copy.clue_count++] = clues;
                    merged_.boxes.push_back(copy);
                }
            merged_.need.insert(merged_.need.end(), part.need.begin(), part.need.end());
            offset += static_cast<std::int32_t>(part.need.size());
        }
        if (new_cells_ > 0) {
            Box box{static_cast<std::int32_t>(merged_.cells.size()), new_cells_, 1, {clues}};
            for (const std::int32_t step : board.around())
                if (mark_[at + step] == now_ && k.is_free(at + step)) merged_.cells.push_back(at + step);
            merged_.boxes.push_back(box);
        }
        merged_.need.push_back(need);
        return true;
    }

    const Component& component(std::int32_t l) const { return counted_->component(static_cast<std::size_t>(l)); }

    void touch(std::int32_t at) {
        if (place_[at].epoch != epoch_ || counted_->is_free(at)) return;
        const std::int32_t l = place_[at].piece;
        if (!std::count(touched_.begin(), touched_.end(), l)) touched_.push_back(l);
    }

    const Counted* counted_ = nullptr;
    Watch* watch_ = nullptr;
    double log_solutions_ = 0;
    std::uint32_t epoch_ = 0, now_ = 0;
    std::int32_t new_cells_ = 0;
    std::vector<Place> place_;
    std::vector<std::uint32_t> mark_;
    std::vector<std::int32_t> touched_;
    Component merged_;
    Splitter splitter_;
    Sweep sweep_;
    std::vector<std::unique_ptr<Chain>> chains_;
    std::vector<Row> rows_;
    std::vector<const Row*> parts_;
    std::vector<std::size_t> kept_;
    std::vector<double> seed_;
    std::vector<unsigned char> possible_;
    Counted::Boxes boxes_;
    Combination combination_;
};

}  // namespace mineproof
