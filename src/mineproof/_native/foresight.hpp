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

#include "counting.hpp"

namespace mineproof {

class Foresight {
public:
    // After a cell was opened and showed some number.
    struct View {
        double share = 0;   // of all boards: the cell is safe and shows this
        double best = 0, second = 0;  // how safe the two safest cells are then
        std::int32_t certain = 0;  // cells that are certainly safe then
    };

    // The counter has counted a position, and its odds are exact.
    void begin(Counter& counter) {
        counter_ = &counter;
        place_.resize(counter.shown_.size());
        mark_.resize(counter.shown_.size());
        ++epoch_;
        for (std::size_t l = 0; l < counter.live_.size(); ++l)
            for (const std::int32_t at : counter.pieces_[counter.live_[l]].component.cells)
                place_[at] = {epoch_, static_cast<std::int32_t>(l)};
    }

    // False when the cell cannot show this number.
    bool look(std::int32_t cell, int number, View& view) {
        Counter& k = *counter_;
        const std::int32_t at = k.padded(cell);
        if (!gather(at, number)) return false;
        if (!split()) return false;
        for (std::size_t i = 0; i < groups_; ++i) {
            if (!chains_[i]->forward(components_[i], k.tilt_, k.watch) || !chains_[i]->has_solution()) return false;
            chains_[i]->write_to(rows_[i]);
        }
        parts_.clear();
        kept_.clear();
        for (std::size_t l = 0; l < k.live_.size(); ++l)
            if (!std::count(touched_.begin(), touched_.end(), static_cast<std::int32_t>(l))) {
                parts_.push_back(&k.pieces_[k.live_[l]].row);
                kept_.push_back(l);
            }
        for (std::size_t i = 0; i < groups_; ++i) parts_.push_back(&rows_[i]);
        const std::int32_t rest_cells = k.free_cells_ - k.free_[at] - new_cells_;
        if (combination_.join(parts_, rest_cells, k.left(), k.tilt_, k.watch) != Combination::FINE) return false;
        view = {};
        view.share = std::exp(combination_.log_solutions() - k.log_solutions);
        if (rest_cells > 0) {
            const Combination::Rest rest = combination_.rest();
            consider(view, 1 - rest.mean / rest_cells, rest_cells, !rest.can_be_mined);
        }
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            combination_.outside(p, seed_, possible_);
            if (p < kept_.size()) {
                Counter::Piece& piece = k.pieces_[k.live_[kept_[p]]];
                k.each_box(piece, seed_, possible_, [&](const Box& box, double mean, unsigned char ways) {
                    consider(view, 1 - mean / box.size, box.size, !(ways & 2));
                });
            } else {
                const std::size_t i = p - kept_.size();
                for (std::size_t t = 0; t < possible_.size(); ++t) possible_[t] &= rows_[i].possible[t];
                verdicts_.resize(components_[i].boxes.size());
                chains_[i]->backward(seed_.data(), possible_.data(), verdicts_.data());
                for (std::size_t b = 0; b < verdicts_.size(); ++b) {
                    const std::int32_t size = components_[i].boxes[b].size;
                    consider(view, 1 - verdicts_[b].mean / size, size, !verdicts_[b].can_be_mined);
                }
            }
        }
        return true;
    }

private:
    struct Place {
        std::uint32_t epoch = 0;
        std::int32_t piece = -1;
    };

    static void consider(View& view, double safety, std::int32_t cells, bool certain) {
        if (certain) {
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
        Counter& k = *counter_;
        ++now_;
        touched_.clear();
        touch(at);
        std::int32_t need = number, unknown = 0;
        new_cells_ = 0;
        for (const std::int32_t step : k.around_) {
            const std::int32_t next = at + step;
            if (Counter::is_mine(k.shown_[next]) || k.fact_at(next) == Counter::MINE_FACT) --need;
            if (!k.is_unknown(next)) continue;
            ++unknown;
            mark_[next] = now_;
            new_cells_ += k.free_[next];
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
            for (const std::int32_t step : k.around_)
                if (mark_[at + step] == now_ && k.free_[at + step]) merged_.cells.push_back(at + step);
            merged_.boxes.push_back(box);
        }
        merged_.need.push_back(need);
        return true;
    }

    const Component& component(std::int32_t l) const { return counter_->pieces_[counter_->live_[l]].component; }

    void touch(std::int32_t at) {
        if (place_[at].epoch != epoch_ || counter_->free_[at]) return;
        const std::int32_t l = place_[at].piece;
        if (!std::count(touched_.begin(), touched_.end(), l)) touched_.push_back(l);
    }

    // Cuts merged_ into connected components_; false when a clue has more mines than cells.
    bool split() {
        const std::size_t clues = merged_.need.size();
        leader_.resize(clues);
        room_.assign(clues, 0);
        for (std::size_t c = 0; c < clues; ++c) leader_[c] = static_cast<std::int32_t>(c);
        for (const Box& box : merged_.boxes)
            for (std::int32_t i = 0; i < box.clue_count; ++i) {
                room_[box.clues[i]] += box.size;
                leader_[find(box.clues[i])] = find(box.clues[0]);
            }
        for (std::size_t c = 0; c < clues; ++c)
            if (merged_.need[c] > room_[c]) return false;
        groups_ = 0;
        group_.assign(clues, -1);
        number_.resize(clues);
        for (std::size_t c = 0; c < clues; ++c) {
            if (room_[c] == 0) continue;
            std::int32_t& group = group_[find(static_cast<std::int32_t>(c))];
            if (group < 0) {
                group = static_cast<std::int32_t>(groups_++);
                if (components_.size() < groups_) {
                    components_.emplace_back();
                    chains_.push_back(std::make_unique<Chain>());
                    rows_.emplace_back();
                }
                components_[group].clear();
            }
            number_[c] = static_cast<std::int32_t>(components_[group].need.size());
            components_[group].need.push_back(merged_.need[c]);
        }
        for (const Box& box : merged_.boxes) {
            Component& to = components_[group_[find(box.clues[0])]];
            Box copy = box;
            for (std::int32_t i = 0; i < box.clue_count; ++i) copy.clues[i] = number_[box.clues[i]];
            to.boxes.push_back(copy);
        }
        return true;
    }

    std::int32_t find(std::int32_t clue) {
        while (leader_[clue] != clue) clue = leader_[clue] = leader_[leader_[clue]];
        return clue;
    }

    Counter* counter_ = nullptr;
    std::uint32_t epoch_ = 0, now_ = 0;
    std::int32_t new_cells_ = 0;
    std::vector<Place> place_;
    std::vector<std::uint32_t> mark_;
    std::vector<std::int32_t> touched_, leader_, room_, group_, number_;
    Component merged_;
    std::size_t groups_ = 0;
    std::vector<Component> components_;
    std::vector<std::unique_ptr<Chain>> chains_;
    std::vector<Row> rows_;
    std::vector<const Row*> parts_;
    std::vector<std::size_t> kept_;
    std::vector<double> seed_;
    std::vector<unsigned char> possible_;
    std::vector<Chain::Verdict> verdicts_;
    Combination combination_;
};

}  // namespace mineproof
