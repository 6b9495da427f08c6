// A position, counted; and as it changes, counted again only where it was touched.
//
// Cells that the clues prove, mines or safe, are kept as knowledge and leave the counting problem: they would tie the whole
// board into one component. Single clues are asked first, then each component. What is proved stays proved while cells only
// open; when one closes again (undo), everything is read anew.
//
// Weights are tilted: every mine counts `tilt_`, near the odds of a mine on this board, which keeps the numbers that matter
// near each other. All boards have the same number of mines, so the tilt changes no probability.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <queue>
#include <vector>

#include "chain.hpp"
#include "combination.hpp"
#include "component.hpp"
#include "numbers.hpp"
#include "symbols.hpp"

namespace mineproof {

class Counter {
public:
    // TOO_FINE: possible, but beyond the range of the weights.
    enum Outcome { COUNTED = 0, INCONSISTENT = 1, STOPPED = 2, TOO_FINE = 3 };
    enum Mark : unsigned char { OPEN = 0, UNSURE = 1, SAFE = 2, MINED = 3 };

    Watch watch;
    std::vector<std::int32_t> proved_safe, proved_mined;  // found since they were last taken; plain indices
    double log_solutions = 0;
    bool exact = true;  // of the last odds()

    // A position to count. With `follow`, tables are made that let odds be asked for again and again as it changes.
    void start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines, bool follow) {
        follow_ = follow;
        rows_ = rows;
        cols_ = cols;
        stride_ = cols + 2;
        mines_ = mines;
        neighbour_steps(cols, around_);
        shown_.assign(static_cast<std::size_t>(rows + 2) * stride_, 0);
        for (std::int32_t r = 0; r < rows; ++r)
            std::copy_n(symbols + static_cast<std::size_t>(r) * cols, cols, &shown_[(r + 1) * stride_ + 1]);
        reread();
    }

    // What a cell shows now.
    void see(std::int32_t cell, unsigned char symbol) {
        const std::int32_t at = padded(cell);
        const unsigned char before = shown_[at];
        if (before == symbol) return;
        shown_[at] = symbol;
        if (is_closed(before) && is_closed(symbol) && (before == GIVEN) == (symbol == GIVEN)) return;  // a note
        if (!is_closed(before) || (before == GIVEN && is_closed(symbol))) {
            stale_ = true;  // opened before, other now: nothing that was proved is sure
            return;
        }
        // A cell that was known to be what it turns out to be tells its neighbours nothing new.
        const bool expected = fact_[at] == SAFE_FACT ? is_clue(symbol) : fact_[at] == MINE_FACT && is_mine(symbol);
        changed_.push_back({at, expected});
        shown_mines_ += is_mine(symbol);
        proved_mines_ -= fact_[at] == MINE_FACT;
        fact_[at] = UNKNOWN;
    }

    // Counts what was touched since the last time.
    Outcome refresh() {
        watch.stopped = false;
        watch.until_next = 1 << 12;
        if (stale_) reread();
        for (const Change& change : changed_) {
            touch(change.at);
            count_free(change.at);
            for (const std::int32_t step : around_) {
                if (!change.expected) touch(change.at + step);
                count_free(change.at + step);
            }
        }
        changed_.clear();
        while (!dirty_.empty()) {
            if (!settle()) {
                stale_ = true;
                return INCONSISTENT;
            }
            dirty_.clear();
            const Outcome outcome = rebuild(undecided_);
            if (outcome != COUNTED) {
                stale_ = true;
                return outcome;
            }
        }
        // Gaps between the extremes are seen when the components are joined.
        return low_ <= left() && left() <= high_ + free_cells_ ? COUNTED : INCONSISTENT;
    }

    // After refresh(): odds and marks of all cells, NaN and OPEN where a cell is open.
    // Components are joined exactly as long as that takes no more than so much work.
    Outcome odds(double* probability, double* error, unsigned char* mark, double most_work) {
        const std::size_t cells = static_cast<std::size_t>(rows_) * cols_;
        std::fill(probability, probability + cells, std::numeric_limits<double>::quiet_NaN());
        std::fill(mark, mark + cells, static_cast<unsigned char>(OPEN));
        parts_.clear();
        live_.clear();
        double work = 0, reach = 1;
        for (std::size_t p = 0; p < pieces_.size(); ++p)
            if (pieces_[p].alive) {
                parts_.push_back(&pieces_[p].row);
                live_.push_back(p);
                reach += pieces_[p].row.size();
                work += reach * pieces_[p].row.size();
            }
        exact = work <= most_work;
        Combination::Rest rest;
        if (exact || !all_free()) {
            exact = true;
            watch.stopped = false;
            const auto joined = combination_.join(parts_, free_cells_, left(), tilt_, watch);
            if (joined == Combination::STOPPED) return STOPPED;
            if (joined == Combination::IMPOSSIBLE) return INCONSISTENT;
            if (joined == Combination::TOO_FINE) return TOO_FINE;
            log_solutions = combination_.log_solutions();
            rest = combination_.rest();
        } else {
            rest = loosely_joined();
        }
        each_cell([&](std::int32_t i, std::int32_t at) {
            if (!is_closed(shown_[at])) return;
            if (shown_[at] == GIVEN || fact_[at] == SAFE_FACT) {
                set(i, 0, true, false, probability, mark);
            } else if (fact_[at] == MINE_FACT) {
                set(i, 1, false, true, probability, mark);
            } else if (free_[at]) {
                set(i, rest.mean / free_cells_, rest.can_be_safe, rest.can_be_mined, probability, mark);
            }
        });
        for (std::size_t l = 0; l < live_.size(); ++l) piece_odds(pieces_[live_[l]], l, probability, mark);
        if (!exact) bound_errors(probability, error, mark);
        return COUNTED;
    }

    // The cell with the least risk, as far as its component and the average density tell: costs the same on any board.
    // Proved cells are not among them. -1 when there is none.
    std::int32_t quick_best(double& risk) {
        const double p = free_cells_ > 0 ? free_risk() : 2;
        while (!risks_.empty()) {
            const Risk& top = risks_.top();
            if (pieces_[top.piece].alive && pieces_[top.piece].version == top.version) break;
            risks_.pop();
        }
        if (!risks_.empty() && risks_.top().risk <= p) {
            risk = risks_.top().risk;
            return plain(risks_.top().cell);
        }
        while (free_cursor_ < free_.size() && !free_[free_cursor_]) ++free_cursor_;
        if (free_cells_ == 0 || free_cursor_ == free_.size()) return -1;
        risk = p;
        return plain(static_cast<std::int32_t>(free_cursor_));
    }

    // After odds() of a position that is not followed, and exact: a uniform solution; 1 for a mine.
    void sample(Stream& stream, unsigned char* mined) {
        each_cell([&](std::int32_t i, std::int32_t at) { mined[i] = is_mine(shown_[at]) || fact_at(at) == MINE_FACT; });
        std::int32_t used = 0;
        for (std::size_t l = 0; l < live_.size(); ++l) {
            Piece& piece = pieces_[live_[l]];
            const Row &part = piece.row, &after = combination_.after(l + 1);
            double total = 0;
            std::int32_t chosen = part.low;
            for (std::int32_t m = part.low; m <= part.high(); ++m)
                if (part.possible_at(m) && after.possible_at(used + m)) total += part.at(m) * after.at(used + m), chosen = m;
            double draw = static_cast<double>(stream.word() >> 11) * 0x1p-53 * total;
            for (std::int32_t m = part.low; m <= part.high(); ++m) {
                if (!part.possible_at(m) || !after.possible_at(used + m)) continue;
                draw -= part.at(m) * after.at(used + m);
                if (draw < 0) {
                    chosen = m;
                    break;
                }
            }
            piece.chain->rebind(piece.component);
            sampled_.clear();
            piece.chain->sample(chosen, stream, sampled_);
            for (const std::int32_t at : sampled_) mined[plain(at)] = 1;
            used += chosen;
        }
        std::int32_t mines = left() - used, cells = free_cells_;
        each_cell([&](std::int32_t i, std::int32_t at) {
            if (!free_[at]) return;
            mined[i] = stream.below(static_cast<std::uint32_t>(cells)) < static_cast<std::uint32_t>(mines);
            mines -= mined[i];
            --cells;
        });
    }

    // After odds(): the components that are left when what is proved is taken out, by clues and cells.
    std::vector<std::vector<std::int32_t>> components() const {
        std::vector<std::vector<std::int32_t>> found;
        for (const Piece& piece : pieces_)
            if (piece.alive)
                for (const auto* list : {&piece.component.clues, &piece.component.cells}) {
                    found.emplace_back();
                    for (const std::int32_t at : *list) found.back().push_back(plain(at));
                }
        return found;
    }

    // The largest set of states of any component counted since start().
    std::size_t widest() const { return widest_; }

private:
    friend class Foresight;   // these read the components that were counted
    friend class Strategist;

    enum Fact : unsigned char { UNKNOWN = 0, SAFE_FACT = 1, MINE_FACT = 2 };

    static constexpr std::size_t MOST_COLUMNS = 16;
    static constexpr std::size_t WORTH_KEEPING = 1u << 22;  // bytes: larger tables would count against the next limit
    static constexpr std::size_t WORTH_LEARNING = 64;  // states: a wide component may fall apart when proved cells go

    // A component that was counted. For each box and each number of mines in the component: what the box holds then.
    struct Piece {
        bool alive = false;
        std::uint32_t version = 0;
        Component component;  // clues and cells are padded indices
        Row row;
        std::vector<double> mean;           // box × mines
        std::vector<unsigned char> ways;    // box × mines: 1 a cell can be safe, 2 a cell can be mined
        bool chained = false;               // instead of these, the chain is kept
        std::unique_ptr<Chain> chain;
        double expected = 0;  // number of mines, by itself
    };
    struct Change {
        std::int32_t at;
        bool expected;
    };
    struct Risk {
        double risk;
        std::size_t piece;
        std::uint32_t version;
        std::int32_t cell;
        bool operator<(const Risk& other) const {
            return risk != other.risk ? risk > other.risk : cell > other.cell;
        }
    };

    // Certainty comes from what is possible; a float only says how likely.
    static void set(std::int32_t cell, double share, bool can_be_safe, bool can_be_mined, double* probability,
                    unsigned char* mark) {
        mark[cell] = !can_be_mined ? SAFE : !can_be_safe ? MINED : UNSURE;
        probability[cell] = !can_be_mined ? 0 : !can_be_safe ? 1 : share;
    }
    static bool is_closed(unsigned char s) { return s == HIDDEN || s == FLAG || s == QUESTION || s == GIVEN; }
    static bool is_mine(unsigned char s) { return s == HIT || s == SHOWN_MINE; }
    static bool is_clue(unsigned char s) { return s >= ZERO && s <= EIGHT; }
    bool is_unknown(std::int32_t at) const {
        return is_closed(shown_[at]) && shown_[at] != GIVEN && fact_[at] == UNKNOWN;
    }
    std::int32_t padded(std::int32_t i) const { return (i / cols_ + 1) * stride_ + i % cols_ + 1; }
    std::int32_t plain(std::int32_t at) const { return (at / stride_ - 1) * cols_ + at % stride_ - 1; }
    // Calls with the plain and the padded index of every cell.
    template <class Work>
    void each_cell(Work work) const {
        for (std::int32_t r = 0, i = 0; r < rows_; ++r)
            for (std::int32_t at = (r + 1) * stride_ + 1; at <= (r + 1) * stride_ + cols_; ++at, ++i) work(i, at);
    }
    std::int32_t left() const { return mines_ - shown_mines_ - proved_mines_; }

    void reread() {
        const std::size_t size = shown_.size();
        stale_ = false;
        shown_mines_ = proved_mines_ = free_cells_ = 0;
        free_cursor_ = 0;
        fact_.assign(size, UNKNOWN);
        free_.assign(size, 0);
        piece_of_.assign(size, -1);
        waiting_.assign(size, 0);
        stamp_.assign(size, 0);
        number_.assign(size, -1);
        next_cell_.resize(size);
        now_ = 0;
        spare_.clear();
        for (std::size_t p = pieces_.size(); p-- > 0;) {  // kept, for the memory that they hold
            pieces_[p].alive = false;
            if (pieces_[p].chain && pieces_[p].chain->bytes() > WORTH_KEEPING) pieces_[p].chain.reset();
            spare_.push_back(static_cast<std::int32_t>(p));
        }
        if (chain_.bytes() > WORTH_KEEPING) chain_ = Chain();
        changed_.clear();
        dirty_.clear();
        risks_ = {};
        proved_safe.clear();
        proved_mined.clear();
        expected_ = 0;
        low_ = high_ = 0;
        std::int32_t closed = 0;
        each_cell([&](std::int32_t, std::int32_t at) {
            shown_mines_ += is_mine(shown_[at]);
            closed += is_unknown(at);
            count_free(at);
            if (is_clue(shown_[at])) enlist(at);
        });
        const double density = std::min(0.95, std::max(0.02, static_cast<double>(left()) / std::max(1, closed)));
        tilt_ = density / (1 - density);
        widest_ = 0;
        watch.held = 0;
    }

    // A clue near a change, and its component, are to be counted again.
    void touch(std::int32_t at) {
        if (!is_clue(shown_[at])) return;
        enlist(at);
        drop(piece_of_[at]);
    }

    void enlist(std::int32_t clue) {
        if (waiting_[clue]) return;
        waiting_[clue] = 1;
        dirty_.push_back(clue);
    }

    void drop(std::int32_t p) {
        if (p < 0 || !pieces_[p].alive) return;
        Piece& piece = pieces_[p];
        piece.alive = false;
        expected_ -= piece.expected;
        low_ -= piece.row.low;
        high_ -= piece.row.high();
        spare_.push_back(p);
        for (const std::int32_t clue : piece.component.clues) {
            piece_of_[clue] = -1;
            enlist(clue);
        }
    }

    void count_free(std::int32_t at) {
        bool is_free = is_unknown(at);
        if (is_free)
            for (const std::int32_t step : around_) is_free = is_free && !is_clue(shown_[at + step]);
        free_cells_ += is_free - free_[at];
        if (is_free && static_cast<std::size_t>(at) < free_cursor_) free_cursor_ = static_cast<std::size_t>(at);
        free_[at] = is_free;
    }

    // What single clues decide, before anything is counted; false when one of them cannot be right. New facts touch
    // more clues, which join the end of the list. Those that decide nothing by themselves are left in undecided_.
    bool settle() {
        undecided_.clear();
        for (std::size_t head = 0; head < dirty_.size(); ++head) {
            const std::int32_t clue = dirty_[head];
            waiting_[clue] = 0;
            std::int32_t unknown = 0;
            const std::int32_t need = need_of(clue);
            for (const std::int32_t step : around_) unknown += is_unknown(clue + step);
            if (need < 0 || need > unknown) return false;
            if (unknown == 0) continue;
            if (need > 0 && need < unknown) {
                undecided_.push_back(clue);
                continue;
            }
            for (const std::int32_t step : around_) {
                const std::int32_t at = clue + step;
                if (!is_unknown(at)) continue;
                know(at, need > 0);
                for (const std::int32_t to_clue : around_)
                    if (is_clue(shown_[at + to_clue])) touch(at + to_clue);
            }
        }
        return true;
    }

    void know(std::int32_t at, bool mine) {
        fact_[at] = mine ? MINE_FACT : SAFE_FACT;
        (mine ? proved_mined : proved_safe).push_back(plain(at));
        proved_mines_ += mine;
    }

    // ---- components -------------------------------------------------------------------------------------------------

    Outcome rebuild(const std::vector<std::int32_t>& seeds) {
        for (const std::int32_t seed : seeds) {
            if (piece_of_[seed] >= 0) continue;  // counted again already
            ++now_;
            if (!gather(seed)) return INCONSISTENT;
            if (group_.empty()) continue;
            const Outcome outcome = count_group();
            if (outcome != COUNTED) return outcome;
        }
        return COUNTED;
    }

    // The clues connected with this one, in group_; false when one of them cannot be right.
    bool gather(std::int32_t seed) {
        group_.clear();
        group_.push_back(seed);
        stamp_[seed] = now_;
        for (std::size_t head = 0; head < group_.size(); ++head) {
            const std::int32_t clue = group_[head];
            std::int32_t unknown = 0;
            const std::int32_t need = need_of(clue);
            for (const std::int32_t step : around_) {
                const std::int32_t at = clue + step;
                if (!is_unknown(at)) continue;
                ++unknown;
                for (const std::int32_t to_clue : around_) {
                    const std::int32_t next = at + to_clue;
                    if (is_clue(shown_[next]) && stamp_[next] != now_) {
                        stamp_[next] = now_;
                        drop(piece_of_[next]);
                        group_.push_back(next);
                    }
                }
            }
            if (need < 0 || need > unknown) return false;
            if (unknown == 0) {  // only ever the seed
                group_.clear();
                return true;
            }
        }
        return true;
    }

    unsigned char fact_at(std::int32_t at) const { return is_closed(shown_[at]) ? fact_[at] : UNKNOWN; }

    // Mines that a clue still misses.
    std::int32_t need_of(std::int32_t clue) const {
        std::int32_t need = shown_[clue] - ZERO;
        for (const std::int32_t step : around_)
            need -= is_mine(shown_[clue + step]) || fact_at(clue + step) == MINE_FACT;
        return need;
    }

    void make_component(Component& component) {
        component.clear();
        std::sort(group_.begin(), group_.end());
        boxes_of_.assign(group_.size(), {});
        last_.clear();
        for (std::size_t c = 0; c < group_.size(); ++c) number_[group_[c]] = static_cast<std::int32_t>(c);
        ++now_;
        for (const std::int32_t clue : group_) {
            for (const std::int32_t step : around_) {
                const std::int32_t at = clue + step;
                if (is_unknown(at) && stamp_[at] != now_) {
                    stamp_[at] = now_;
                    add_cell(component, at);
                }
            }
            component.clues.push_back(clue);
            component.need.push_back(need_of(clue));
        }
        for (Box& box : component.boxes) {  // so far `first` was the first cell itself; the others are linked to it
            std::int32_t at = box.first;
            box.first = static_cast<std::int32_t>(component.cells.size());
            for (std::int32_t i = 0; i < box.size; ++i, at = next_cell_[at]) component.cells.push_back(at);
        }
        for (const std::int32_t clue : group_) number_[clue] = -1;
    }

    void add_cell(Component& component, std::int32_t at) {
        Box box{};
        for (const std::int32_t step : around_)
            if (is_clue(shown_[at + step])) box.clues[box.clue_count++] = number_[at + step];
        BoxList& same = boxes_of_[box.clues[0]];
        for (const std::int32_t b : same) {
            Box& other = component.boxes[b];
            if (other.clue_count == box.clue_count && std::equal(box.clues, box.clues + box.clue_count, other.clues)) {
                ++other.size;
                std::int32_t& last = last_[b];
                next_cell_[last] = at;
                last = at;
                return;
            }
        }
        box.size = 1;
        box.first = at;
        same.add(static_cast<std::int32_t>(component.boxes.size()));
        component.boxes.push_back(box);
        last_.push_back(at);
    }

    Outcome count_group() {
        std::size_t p = pieces_.size();
        if (spare_.empty()) {
            pieces_.emplace_back();
        } else {
            p = static_cast<std::size_t>(spare_.back());
            spare_.pop_back();
        }
        Piece& piece = pieces_[p];
        make_component(piece.component);
        const bool counted = chain_.forward(piece.component, tilt_, watch);
        if (!counted || !chain_.has_solution()) {
            spare_.push_back(static_cast<std::int32_t>(p));
            return counted ? INCONSISTENT : STOPPED;
        }
        widest_ = std::max(widest_, chain_.widest());
        chain_.write_to(piece.row);
        if (follow_ || chain_.widest() > WORTH_LEARNING) {
            verdicts_.resize(piece.component.boxes.size());
            seed_.assign(piece.row.weight.size(), 1.0);
            chain_.backward(seed_.data(), piece.row.possible.data(), verdicts_.data());
            if (learn(piece.component)) {  // without the cells that were proved it is another problem
                spare_.push_back(static_cast<std::int32_t>(p));
                for (const std::int32_t clue : piece.component.clues) enlist(clue);
                return COUNTED;
            }
        }
        fill_piece(piece, p);
        return COUNTED;
    }

    // Keeps what every solution of the component agrees on; whether there was anything.
    bool learn(const Component& component) {
        bool any = false;
        for (std::size_t b = 0; b < component.boxes.size(); ++b) {
            const Chain::Verdict& verdict = verdicts_[b];
            if (verdict.can_be_safe && verdict.can_be_mined) continue;
            any = true;
            const Box& box = component.boxes[b];
            for (std::int32_t i = box.first; i < box.first + box.size; ++i)
                know(component.cells[i], verdict.can_be_mined);
        }
        return any;
    }

    void fill_piece(Piece& piece, std::size_t p) {
        const std::size_t boxes = piece.component.boxes.size(), size = piece.row.weight.size();
        for (const std::int32_t clue : piece.component.clues) piece_of_[clue] = static_cast<std::int32_t>(p);
        piece.alive = true;
        ++piece.version;
        double mass = 0, mean = 0;
        for (std::size_t i = 0; i < size; ++i) {
            mass += piece.row.weight[i];
            mean += piece.row.weight[i] * (piece.row.low + static_cast<double>(i));
        }
        piece.expected = mean / mass;
        expected_ += piece.expected;
        low_ += piece.row.low;
        high_ += piece.row.high();
        if (follow_) {
            double least = 2;
            std::int32_t safest = -1;
            for (std::size_t b = 0; b < boxes; ++b) {
                const double risk = verdicts_[b].mean / piece.component.boxes[b].size;
                if (risk < least) least = risk, safest = piece.component.cells[piece.component.boxes[b].first];
            }
            risks_.push({least, p, piece.version, safest});
        }
        piece.chained = !follow_ || size > MOST_COLUMNS;
        if (piece.chained) {  // the whole chain is kept, for one pass when odds are asked for
            if (!piece.chain) piece.chain = std::make_unique<Chain>();
            std::swap(*piece.chain, chain_);
            if (piece.chain->bytes() > (1u << 20)) watch.held += piece.chain->bytes();
            return;
        }
        piece.chain.reset();
        // What each box holds for each number of mines: a pass backward for each.
        piece.mean.assign(boxes * size, 0.0);
        piece.ways.assign(boxes * size, 0);
        for (std::size_t t = 0; t < size; ++t) {
            if (!piece.row.possible[t]) continue;
            seed_.assign(size, 0.0);
            one_.assign(size, 0);
            seed_[t] = one_[t] = 1;
            chain_.backward(seed_.data(), one_.data(), verdicts_.data());
            for (std::size_t b = 0; b < boxes; ++b) {
                piece.mean[b * size + t] = verdicts_[b].mean;
                piece.ways[b * size + t] = static_cast<unsigned char>(verdicts_[b].can_be_safe + 2 * verdicts_[b].can_be_mined);
            }
        }
    }

    // ---- joining ----------------------------------------------------------------------------------------------------

    static bool has_gap(const Row& row) {
        return std::find(row.possible.begin(), row.possible.end(), 0) != row.possible.end();
    }

    // Whether every component may hold every number of mines that it can by itself: there is slack on both sides, and
    // the free cells (or gapless components) make every sum between the extremes possible.
    bool all_free() const {
        std::int64_t widest = 0;
        bool gaps = false;
        for (const std::size_t l : live_) {
            widest = std::max<std::int64_t>(widest, pieces_[l].row.size() - 1);
            gaps = gaps || has_gap(pieces_[l].row);
        }
        if (gaps && free_cells_ < widest) return false;
        return low_ + widest < left() && left() < high_ + free_cells_ - widest;
    }

    double free_risk() const {
        return std::min(1.0, std::max(0.0, (left() - expected_) / std::max(1, free_cells_)));
    }

    // Too many components to join exactly. The total of all others is a sum of many independent numbers, so its weight
    // near what is left follows the normal law: exp(shift · t − (t − mean)² / 2 variance), with the shift that makes the
    // expected total right (an exponential tilt and the local limit theorem). `bend_` is 1 / variance.
    Combination::Rest loosely_joined() {
        double low = -30, high = 30;
        for (int i = 0; i < 100; ++i) {
            const double middle = (low + high) / 2;
            (expected_at(middle) < left() ? low : high) = middle;
        }
        shift_ = (low + high) / 2;
        double variance = 0;
        expected_at(shift_, &variance);
        bend_ = 1 / std::max(1.0, variance);
        log_solutions = std::numeric_limits<double>::quiet_NaN();
        const double odds = tilt_ * std::exp(shift_);
        return {free_cells_ * odds / (1 + odds), true, true};
    }

    double expected_at(double shift, double* variance = nullptr) const {
        const double odds = tilt_ * std::exp(shift), p = odds / (1 + odds);
        double total = free_cells_ * p, spread = free_cells_ * p * (1 - p);
        for (const std::size_t l : live_) {
            const Row& row = pieces_[l].row;
            double mass = 0, mean = 0, square = 0;
            for (std::int32_t i = 0; i < row.size(); ++i) {
                const double w = row.weight[i] * std::exp(shift * i);
                mass += w;
                mean += w * i;
                square += w * i * i;
            }
            mean /= mass;
            total += row.low + mean;
            spread += square / mass - mean * mean;
        }
        if (variance != nullptr) *variance = spread;
        return total;
    }

    void piece_odds(Piece& piece, std::size_t l, double* probability, unsigned char* mark) {
        const std::size_t size = piece.row.weight.size();
        if (exact) {
            combination_.outside(l, seed_, one_);
        } else {
            double mass = 0, mean = 0;
            for (std::size_t t = 0; t < size; ++t) {
                const double w = piece.row.weight[t] * std::exp(shift_ * static_cast<double>(t));
                mass += w;
                mean += w * static_cast<double>(t);
            }
            mean /= mass;
            seed_.resize(size);
            one_.assign(size, 1);
            for (std::size_t t = 0; t < size; ++t) {
                const double away = static_cast<double>(t) - mean;
                seed_[t] = std::exp(shift_ * static_cast<double>(t) - away * away * bend_ / 2);
            }
        }
        each_box(piece, seed_, one_, [&](const Box& box, double mean, unsigned char ways) {
            for (std::int32_t i = box.first; i < box.first + box.size; ++i)
                set(plain(piece.component.cells[i]), mean / box.size, ways & 1, ways & 2, probability, mark);
        });
    }

    // Calls with each box, its expected mines, and the ways it can be: 1 a cell can be safe, 2 a cell can be mined. The rest
    // of the board weighs `seed` for each number of mines here, and `possible` says which of these there can be.
    template <class Work>
    void each_box(Piece& piece, const std::vector<double>& seed, std::vector<unsigned char>& possible, Work work) {
        const std::size_t size = piece.row.weight.size();
        for (std::size_t t = 0; t < size; ++t) possible[t] &= piece.row.possible[t];
        if (piece.chained) {
            verdicts_.resize(piece.component.boxes.size());
            piece.chain->rebind(piece.component);
            piece.chain->backward(seed.data(), possible.data(), verdicts_.data());
        }
        for (std::size_t b = 0; b < piece.component.boxes.size(); ++b) {
            if (piece.chained) {
                const Chain::Verdict& verdict = verdicts_[b];
                work(piece.component.boxes[b], verdict.mean,
                     static_cast<unsigned char>(verdict.can_be_safe + 2 * verdict.can_be_mined));
                continue;
            }
            double mass = 0, mines = 0;
            unsigned char ways = 0;
            for (std::size_t t = 0; t < size; ++t) {
                const double w = piece.row.weight[t] * seed[t];
                mass += w;
                mines += w * piece.mean[b * size + t];
                if (possible[t]) ways |= piece.ways[b * size + t];
            }
            work(piece.component.boxes[b], mass > 0 ? mines / mass : 0, ways);
        }
    }

    // The weights that were used are right but for a factor of 1 ± width / variance (the skewness of the total, which is
    // at most its variance, moves them by half of that, and what follows is of higher order). Odds p then move by at most
    // p (1 − p) times twice that.
    void bound_errors(const double* probability, double* error, const unsigned char* mark) const {
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows_) * cols_; ++i)
            error[i] = mark[i] == UNSURE ? 2 * bend_ * probability[i] * (1 - probability[i]) : probability[i] * 0;
        for (const std::size_t l : live_)
            for (const std::int32_t at : pieces_[l].component.cells) error[plain(at)] *= pieces_[l].row.size();
    }

    std::int32_t rows_ = 0, cols_ = 0, stride_ = 0, mines_ = 0, around_[8];
    std::int32_t shown_mines_ = 0, proved_mines_ = 0, free_cells_ = 0;
    bool stale_ = false, follow_ = false;
    std::size_t widest_ = 0;
    double tilt_ = 1, expected_ = 0, shift_ = 0, bend_ = 0;
    std::int64_t low_ = 0, high_ = 0;  // mines that all components together hold, at least and at most
    std::size_t free_cursor_ = 0;
    std::vector<unsigned char> shown_, fact_, free_, waiting_;
    std::vector<Change> changed_;
    std::vector<std::int32_t> piece_of_, number_, dirty_, undecided_, group_, spare_, sampled_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t now_ = 0;
    std::vector<Piece> pieces_;
    std::priority_queue<Risk> risks_;
    std::vector<BoxList> boxes_of_;
    std::vector<std::int32_t> last_, next_cell_;  // cells of a box, linked while it is made
    std::vector<double> seed_;
    std::vector<unsigned char> one_;
    std::vector<Chain::Verdict> verdicts_;
    std::vector<const Row*> parts_;
    std::vector<std::size_t> live_;
    Chain chain_;
    Combination combination_;
};

}  // namespace mineproof
