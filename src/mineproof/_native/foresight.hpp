// What a click would show, and how things would stand then: counted, without playing it.
//
// Opening a cell touches only the components next to it. These are joined with the new clue and counted; everything else
// keeps its tables, and is only joined again over the number of mines.
//
// A cell is dead when it shows the same number on every board where it is safe: opening it teaches nothing except that it is
// safe. With `living`, dead cells do not count in what a click leaves. The test for that is quick, and misses some.
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
        double share = 0;   // share of all boards on which the cell is safe and shows this
        double best = 0, second = 0;  // how safe the two safest cells are then
        std::int32_t certain = 0;  // cells that are certainly safe then; with `living`, no more than MANY are counted
        bool won = true;  // no cell that is still closed can be safe
    };
    static constexpr std::int32_t MANY = 8;

    bool living = false;  // dead cells do not count in a view, except where all cells are dead
    std::vector<std::int32_t> certain;  // the cells near clues that are certainly safe in the last view; padded

    // A position whose components were joined exactly, and the logarithm of its number of boards.
    void begin(const Counted& counted, double log_solutions, Limit& limit) {
        counted_ = &counted;
        log_solutions_ = log_solutions;
        limit_ = &limit;
        const std::size_t size = counted.board().padded_size();
        place_.resize(size);
        mark_.resize(size);
        sure_.resize(size);
        mined_.resize(size);
        ++epoch_;
        for (std::size_t l = 0; l < counted.size(); ++l)
            for (const std::int32_t at : counted.component(l).cells) place_[at] = {epoch_, static_cast<std::int32_t>(l)};
    }

    // The component of an unknown cell (padded); -1 when no clue sees it.
    std::int32_t component_of(std::int32_t at) const {
        return place_[at].epoch == epoch_ && !counted_->is_free(at) ? place_[at].piece : -1;
    }

    // False when the cell cannot show this number, or time runs out.
    bool look(std::int32_t cell, int number, View& view) {
        const Counted& k = *counted_;
        const std::int32_t at = k.board().padded(cell);
        if (!gather(at, number)) return false;
        const std::int32_t rest_cells = k.free_cells() - k.is_free(at) - new_cells_;
        view = {};
        if (!join(rest_cells, k.left(), view.share)) return false;
        items_.clear();
        if (rest_cells > 0) items_.push_back(rest(rest_cells));
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            combination_.outside(p, seed_, possible_);
            if (p < kept_.size()) {
                const std::int32_t* cells = k.component(kept_[p]).cells.data();
                const bool done = k.each_box(kept_[p], seed_, possible_, boxes_, *limit_,
                                             [&](const Box& box, double mean, unsigned char ways) {
                                                 items_.push_back({1 - mean / box.size, cells + box.first, box.size, ways});
                                             });
                if (!done) return false;
                continue;
            }
            const std::size_t i = p - kept_.size();
            const Component& part = splitter_.part(i);
            for (std::size_t t = 0; t < possible_.size(); ++t) possible_[t] &= rows_[i].possible[t];
            if (!chains_[i]->backward(part, seed_.data(), possible_.data(), boxes_.back, *limit_)) return false;
            for (std::size_t b = 0; b < part.boxes.size(); ++b) {
                const Verdict& verdict = boxes_.back.verdicts[b];
                const Box& box = part.boxes[b];
                items_.push_back({1 - verdict.mean / box.size, &merged_.cells[box.first], box.size, verdict.ways()});
            }
        }
        note_certain();
        if (!living || !summarise_living(at, view)) summarise(view);
        return true;
    }

    // After look(): the cells near clues of the view that are dead; padded.
    void list_dead(std::int32_t cell, std::vector<std::int32_t>& dead) const {
        for (const Item& item : items_)
            for (std::int32_t i = 0; item.cells && (item.ways & 1) && i < item.size; ++i)
                if (is_dead(item.cells[i], counted_->board().padded(cell))) dead.push_back(item.cells[i]);
    }

    // Whether a cell near clues is certainly safe in the last view.
    bool is_certain(std::int32_t at) const { return sure_[at].view == now_ && !(sure_[at].ways & 2); }

    // The share of all boards on which these unknown cells are mines, and those are safe; padded. 0 when time runs out.
    template <class Mined, class Safe>
    double joint(const Mined& mined, const Safe& safe) {
        const Counted& k = *counted_;
        ++now_;
        touched_.clear();
        std::int32_t gone = 0, laid = 0;
        for (const std::int32_t at : mined) gone += fix(at, true), ++laid;
        for (const std::int32_t at : safe) gone += fix(at, false);
        merged_.clear();
        for (const std::int32_t l : touched_) {
            const Component& part = component(l);
            const auto offset = static_cast<std::int32_t>(merged_.need.size());
            merged_.need.insert(merged_.need.end(), part.need.begin(), part.need.end());
            for (const Box& box : part.boxes) {
                Box copy = box;
                for (std::int32_t c = 0; c < copy.clue_count; ++c) copy.clues[c] += offset;
                copy.first = static_cast<std::int32_t>(merged_.cells.size());
                for (std::int32_t i = box.first; i < box.first + box.size; ++i) {
                    if (mark_[part.cells[i]] != now_) {
                        merged_.cells.push_back(part.cells[i]);
                    } else if (mined_[part.cells[i]]) {
                        for (std::int32_t c = 0; c < copy.clue_count; ++c) --merged_.need[copy.clues[c]];
                    }
                }
                copy.size = static_cast<std::int32_t>(merged_.cells.size()) - copy.first;
                if (copy.size > 0) merged_.boxes.push_back(copy);
            }
        }
        double share = 0;
        return laid <= k.left() && join(k.free_cells() - gone, k.left() - laid, share) ? share : 0;
    }

private:
    struct Place {
        std::uint32_t epoch = 0;
        std::int32_t piece = -1;
    };
    // Cells that are alike in a view: a box, or the cells that no clue sees.
    struct Item {
        double safety;
        const std::int32_t* cells;  // padded; none for those that no clue sees
        std::int32_t size;
        unsigned char ways;  // 1 a cell can be safe, 2 a cell can be mined
    };
    struct Sure {
        std::uint32_t view = 0;
        unsigned char ways = 0;
    };

    // Counts what was merged, with all other components and this many cells that no clue sees: the share of all boards.
    bool join(std::int32_t rest_cells, std::int32_t mines, double& share) {
        const Counted& k = *counted_;
        if (!splitter_.split(merged_)) return false;
        const std::size_t groups = splitter_.count();
        while (chains_.size() < groups) chains_.push_back(std::make_unique<Chain>()), rows_.emplace_back();
        for (std::size_t i = 0; i < groups; ++i) {
            Chain& chain = *chains_[i];
            if (chain.forward(splitter_.part(i), k.tilt(), SIZE_MAX, sweep_, *limit_) != Sweep::DONE) {
                limit_->stopped = true;  // it may be memory that is short
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
        mines_ = mines;
        if (combination_.join(parts_, FreeCells{rest_cells, mines, k.tilt()}, *limit_) != Combination::FINE) return false;
        share = std::exp(combination_.log_weight() - mines * std::log(k.tilt()) - log_solutions_);
        return true;
    }

    // The cells that no clue sees.
    Item rest(std::int32_t cells) const {
        double mass = 0, mines = 0;
        unsigned char ways = 0;
        combination_.each_total([&](std::int32_t used, double weight) {
            const std::int32_t r = mines_ - used;
            mass += weight;
            mines += weight * r;
            ways |= static_cast<unsigned char>((r < cells) + 2 * (r > 0));
        });
        return {1 - mines / mass / cells, nullptr, cells, ways};
    }

    // Certainty is decided by what is possible: only then is the safety 1.
    void note_certain() {
        certain.clear();
        rest_sure_ = false;
        for (Item& item : items_) {
            if (item.ways == 3) continue;
            if (!(item.ways & 2)) item.safety = 1;
            if (!item.cells) rest_sure_ = true;
            for (std::int32_t i = 0; item.cells && i < item.size; ++i) {
                sure_[item.cells[i]] = {now_, item.ways};
                if (!(item.ways & 2)) certain.push_back(item.cells[i]);
            }
        }
    }

    void summarise(View& view) const {
        for (const Item& item : items_) {
            view.won = view.won && !(item.ways & 1);
            if (!(item.ways & 2)) view.certain += item.size;
            if (item.safety > view.best) {
                view.second = item.size > 1 ? item.safety : view.best;
                view.best = item.safety;
            } else {
                view.second = std::max(view.second, item.safety);
            }
        }
    }

    // The same for living cells, after this cell was opened; false when there is none.
    bool summarise_living(std::int32_t opened, View& view) {
        std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) { return a.safety > b.safety; });
        View found;
        found.share = view.share;
        std::int32_t seen = 0;
        for (const Item& item : items_) {
            if (!(item.ways & 1)) continue;
            found.won = false;
            const bool sure = !(item.ways & 2);
            if (!sure && seen >= 2) break;
            for (std::int32_t i = 0; i < item.size; ++i) {
                if (item.cells && is_dead(item.cells[i], opened)) continue;
                if (seen < 2) (seen == 0 ? found.best : found.second) = item.safety;
                ++seen;
                found.certain += sure;
                if (sure ? found.certain >= MANY : seen >= 2) break;
            }
            if (found.certain >= MANY) break;
        }
        if (seen == 0) return false;
        view = found;
        return true;
    }

    // Whether a cell shows the same number on all boards of the last view on which it is safe. Its uncertain neighbours must
    // be divided among clues that, except for the cell itself, see no other uncertain cell: each such clue says how many mines
    // its share of them has.
    bool is_dead(std::int32_t cell, std::int32_t opened) const {
        const Board& board = counted_->board();
        std::int32_t near[8];
        int count = 0;
        for (const std::int32_t step : board.around()) {
            const std::int32_t next = cell + step;
            if (!is_unsure(next, opened)) continue;
            if (!counted_->is_free(next) || mark_[next] == now_) {
                near[count++] = next;
            } else if (!rest_sure_) {
                return false;  // no clue sees it
            }
        }
        unsigned masks[24];
        int clues = 0;
        if (count > 0)
            board.each_near(cell, 2, [&](std::int32_t clue) {
                if (clue == cell || !(clue == opened || board.clue_at(clue))) return;
                unsigned mask = 0;
                for (const std::int32_t step : board.around()) {
                    const std::int32_t next = clue + step;
                    if (next == cell || !is_unsure(next, opened)) continue;
                    const auto place = std::find(near, near + count, next) - near;
                    if (place == count) return;  // it sees another one, too
                    mask |= 1u << place;
                }
                if (mask) masks[clues++] = mask;
            });
        return divides(masks, clues, (1u << count) - 1);
    }

    bool is_unsure(std::int32_t at, std::int32_t opened) const {
        return at != opened && counted_->board().is_unknown(at) && sure_[at].view != now_;
    }

    static bool divides(const unsigned* masks, int clues, unsigned left) {
        if (left == 0) return true;
        const unsigned lowest = left & (~left + 1);
        for (int i = 0; i < clues; ++i)
            if ((masks[i] & lowest) && !(masks[i] & ~left) && divides(masks, clues, left & ~masks[i])) return true;
        return false;
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
        const std::int32_t l = component_of(at);
        if (l >= 0 && !std::count(touched_.begin(), touched_.end(), l)) touched_.push_back(l);
    }

    // What this cell is, in joint(); whether it is one that no clue sees.
    bool fix(std::int32_t at, bool mine) {
        mark_[at] = now_;
        mined_[at] = mine;
        touch(at);
        return counted_->is_free(at);
    }

    const Counted* counted_ = nullptr;
    Limit* limit_ = nullptr;
    double log_solutions_ = 0;
    std::uint32_t epoch_ = 0, now_ = 0;
    std::int32_t new_cells_ = 0, mines_ = 0;
    bool rest_sure_ = false;
    std::vector<Place> place_;
    std::vector<std::uint32_t> mark_;
    std::vector<Sure> sure_;
    std::vector<unsigned char> mined_;
    std::vector<std::int32_t> touched_;
    std::vector<Item> items_;
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
