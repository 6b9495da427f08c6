// Counts a position; and as it changes, counts again only where it was touched.
//
// Single clues are asked first, then each component. What is proved stays proved while cells only open; when one closes
// again (undo), everything is read again. A component that is too wide is freed of what a few clues prove, and falls apart;
// if it does not, it is set aside until all others are counted, and then tried again with what time and memory there is.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "counted.hpp"
#include "gather.hpp"
#include "loosen.hpp"

namespace mineproof {

class Counter : public Counted {
public:
    Limit limit;
    std::vector<std::int32_t> proved_safe, proved_mined;  // found since they were last taken; plain indices

    // A position to count. With `follow`, tables are made that let odds be queried repeatedly as it changes.
    void start(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines, bool follow) {
        begin(rows, cols, symbols, mines, follow, follow);
    }

    // The same if only certain cells are needed: all that the clues prove is found, and no tables are made.
    void start_proving(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines) {
        begin(rows, cols, symbols, mines, false, true);
    }

    // What a cell shows now.
    void see(std::int32_t cell, unsigned char symbol) {
        const std::int32_t at = board_.padded(cell);
        const unsigned char before = board_.shown(at);
        if (before == symbol) return;
        board_.show(at, symbol);
        if (is_closed(before) && is_closed(symbol) && (before == NAMED_SAFE) == (symbol == NAMED_SAFE)) return;  // a note
        if (!is_closed(before) || (before == NAMED_SAFE && is_closed(symbol))) {
            stale_ = true;  // opened before, other now: nothing that was proved is sure
            return;
        }
        // A cell that was known to be what it turns out to be tells its neighbours nothing new.
        const bool expected = board_.proved_safe(at) ? is_clue(symbol) : board_.proved_mined(at) && is_mine(symbol);
        changed_.push_back({at, expected});
        shown_mines_ += is_mine(symbol);
        proved_mines_ -= board_.proved_mined(at);
        board_.forget(at);
    }

    // This unknown cell is proved, by whatever means.
    void know(std::int32_t cell, bool mine) {
        const std::int32_t at = board_.padded(cell);
        if (!board_.is_unknown(at)) return;
        learn(at, mine);
        count_free(at);
    }

    // Counts what was touched since the last time.
    Outcome refresh() {
        limit.restart();
        torn_ = false;
        if (stale_) reread();
        for (const Change& change : changed_) {
            touch(change.at);
            count_free(change.at);
            for (const std::int32_t step : board_.around()) {
                if (!change.expected) touch(change.at + step);
                count_free(change.at + step);
            }
        }
        changed_.clear();
        Outcome outcome = count_touched();
        // Gaps between the extremes are seen when the components are joined.
        if (outcome == Outcome::COUNTED && (left() < low_ || left() > high_ + free_cells_)) return Outcome::INCONSISTENT;
        stale_ = outcome == Outcome::INCONSISTENT;
        return outcome;
    }

    // After refresh(), when the clues prove no cell safe: whether the number of mines may. It does not where the free cells
    // can hold what any solution of the components leaves them, and are not always left none.
    bool number_matters() const {
        return left() < high_ || left() - low_ > free_cells_ || (free_cells_ > 0 && low_ == high_ && left() == low_);
    }

    // Counts all again with another tilt.
    Outcome tilt_to(double tilt) {
        limit.restart();
        if (supposed_ != NO_PIECE) return Outcome::STOPPED;  // what was supposed has no other tilt, and would be lost
        tilt_ = tilt;
        torn_ = true;
        for (std::size_t p = 0; p < pieces_.size(); ++p)
            if (pieces_[p].alive) drop(static_cast<std::int32_t>(p));
        const Outcome outcome = count_touched();
        torn_ = outcome != Outcome::COUNTED;
        return outcome;
    }

    // Whether the last time that all was counted with another tilt it was not all done.
    bool torn() const { return torn_; }

    // After HARD: lists the components that could not be counted; false when time runs out.
    bool list_hard() {
        limit.restart();
        hard_.clear();
        for (std::size_t i = 0; i < aside_.size(); ++i) {
            if (!is_aside(i)) continue;
            hard_.emplace_back();
            if (gather(aside_[i]) == Outcome::COUNTED && gatherer_.make(board_, hard_.back(), limit)) continue;
            hard_.clear();  // a component that is half made names clues that it does not have
            return false;
        }
        return true;
    }

    // The hard components together hold mines with these weights, as far as anyone knows.
    void suppose(const Row& row) {
        release_supposed();
        supposed_ = static_cast<std::int32_t>(spare_piece());
        Piece& piece = pieces_[supposed_];
        piece.component.clear();
        piece.row = row;
        piece.chain.reset();
        piece.alive = true;
    }

    bool supposed() const { return supposed_ >= 0; }

    // After refresh(): the components that were counted, as a list.
    const Counted& counted() {
        live_.clear();
        for (std::size_t p = 0; p < pieces_.size(); ++p)
            if (pieces_[p].alive) live_.push_back(p);
        return *this;
    }

    // The cell with the least risk, as far as its component and the average density tell: costs the same on any board.
    // Proved cells are not among them. -1 when there is none.
    std::int32_t quick_best(double& risk) {
        const double p = free_cells_ > 0 ? std::min(1.0, std::max(0.0, (left() - expected_) / free_cells_)) : 2;
        while (!risks_.empty()) {
            const Risk& top = risks_.top();
            if (pieces_[top.piece].alive && pieces_[top.piece].version == top.version) break;
            risks_.pop();
        }
        if (!risks_.empty() && risks_.top().risk <= p) {
            risk = risks_.top().risk;
            return board_.plain(risks_.top().cell);
        }
        while (free_cursor_ < free_.size() && !free_[free_cursor_]) ++free_cursor_;
        if (free_cells_ == 0 || free_cursor_ == free_.size()) return -1;
        risk = p;
        return board_.plain(static_cast<std::int32_t>(free_cursor_));
    }

    // What is proved, for each cell, whatever was counted; other closed cells are unsure.
    void write_proved(unsigned char* mark) const {
        board_.each_cell([&](std::int32_t i, std::int32_t at) {
            if (!board_.closed_at(at)) return;
            mark[i] = board_.shown(at) == NAMED_SAFE || board_.proved_safe(at) ? SAFE : board_.proved_mined(at) ? MINED : UNSURE;
        });
    }

    // The largest layer of states of any component counted since start().
    std::size_t widest() const { return widest_; }

private:
    static constexpr std::int32_t MOST_COLUMNS = 16;
    static constexpr std::size_t WORTH_KEEPING = 1u << 22;  // bytes: larger tables would count against the next limit
    static constexpr std::size_t WORTH_LEARNING = 64;  // states: a wide component may fall apart when proved cells go
    static constexpr std::size_t WIDE = 1u << 12;      // states: it is loosened, and set aside
    static constexpr std::int32_t NO_PIECE = -1, ASIDE = -2;  // ASIDE - i: of the component that is i-th aside

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

    void begin(std::int32_t rows, std::int32_t cols, const unsigned char* symbols, std::int32_t mines, bool follow, bool learn) {
        follow_ = follow;
        learn_ = learn;
        mines_ = mines;
        board_.start(rows, cols, symbols);
        reread();
    }

    void reread() {
        const std::size_t size = board_.padded_size();
        stale_ = false;
        shown_mines_ = proved_mines_ = free_cells_ = 0;
        free_cursor_ = 0;
        board_.forget_all();
        free_.assign(size, 0);
        piece_of_.assign(size, NO_PIECE);
        waiting_.assign(size, 0);
        loosened_.assign(size, 0);
        gatherer_.reset(size);
        aside_.clear();
        hard_.clear();
        live_.clear();
        spare_.clear();
        supposed_ = NO_PIECE;
        for (std::size_t p = pieces_.size(); p-- > 0;) {  // kept, for the memory that they hold
            pieces_[p].alive = false;
            if (pieces_[p].chain && pieces_[p].chain->bytes() > WORTH_KEEPING) pieces_[p].chain.reset();
            spare_.push_back(static_cast<std::int32_t>(p));
        }
        if (chain_->bytes() > WORTH_KEEPING) chain_ = std::make_unique<Chain>();
        if (sweep_.bytes() > WORTH_KEEPING) sweep_ = Sweep();
        changed_.clear();
        dirty_.clear();
        risks_ = {};
        proved_safe.clear();
        proved_mined.clear();
        expected_ = 0;
        low_ = high_ = 0;
        std::int32_t closed = 0;
        board_.each_cell([&](std::int32_t, std::int32_t at) {
            shown_mines_ += is_mine(board_.shown(at));
            closed += board_.is_unknown(at);
            count_free(at);
            if (board_.clue_at(at)) enlist(at);
        });
        const double density = std::min(0.95, std::max(0.02, static_cast<double>(left()) / std::max(1, closed)));
        tilt_ = density / (1 - density);
        widest_ = 0;
        limit.held = 0;
    }

    // ---- what must be counted --------------------------------------------------------------------------------------

    // A clue near a change, and its component, must be counted again.
    void touch(std::int32_t at) {
        if (!board_.clue_at(at)) return;
        enlist(at);
        if (piece_of_[at] >= 0) drop(piece_of_[at]);
        piece_of_[at] = NO_PIECE;  // nor is it aside any more
    }

    void enlist(std::int32_t clue) {
        if (waiting_[clue]) return;
        waiting_[clue] = 1;
        dirty_.push_back(clue);
    }

    void drop(std::int32_t p) {
        Piece& piece = pieces_[p];
        piece.alive = false;
        expected_ -= piece.moments.mean;
        low_ -= piece.row.low;
        high_ -= piece.row.high();
        spare_.push_back(p);
        if (piece.chain) {
            limit.held -= piece.chain->bytes();
            if (piece.chain->bytes() > WORTH_KEEPING) piece.chain.reset();
        }
        for (const std::int32_t clue : piece.component.clues) {
            piece_of_[clue] = NO_PIECE;
            enlist(clue);
        }
    }

    void count_free(std::int32_t at) {
        bool is_free = board_.is_unknown(at);
        if (is_free)
            for (const std::int32_t step : board_.around()) is_free = is_free && !board_.clue_at(at + step);
        free_cells_ += is_free - free_[at];
        if (is_free && static_cast<std::size_t>(at) < free_cursor_) free_cursor_ = static_cast<std::size_t>(at);
        free_[at] = is_free;
    }

    void learn(std::int32_t at, bool mine) {
        board_.know(at, mine);
        (mine ? proved_mined : proved_safe).push_back(board_.plain(at));
        proved_mines_ += mine;
        for (const std::int32_t step : board_.around()) touch(at + step);
    }

    // ---- counting ---------------------------------------------------------------------------------------------------

    // STOPPED: time was over before everything was looked at once; the next time continues from there.
    Outcome count_touched() {
        release_supposed();
        hard_.clear();
        Outcome outcome = count_dirty();
        if (outcome != Outcome::COUNTED) return outcome;
        // What was set aside is tried again, the easiest first: nothing hard keeps what is easier from being counted.
        for (const std::size_t most_states : {std::size_t{1} << 16, std::size_t{1} << 20, SIZE_MAX})
            for (std::size_t i = 0; i < aside_.size() && outcome == Outcome::COUNTED; ++i) {
                if (!is_aside(i)) continue;
                outcome = gather(aside_[i]);
                if (outcome == Outcome::COUNTED) outcome = count_group(most_states);
                if (outcome == Outcome::COUNTED) outcome = count_dirty();
            }
        if (outcome == Outcome::INCONSISTENT || !dirty_.empty()) return outcome;
        for (std::size_t i = 0; i < aside_.size(); ++i)
            if (is_aside(i)) return Outcome::HARD;
        return Outcome::COUNTED;
    }

    Outcome count_dirty() {
        while (!dirty_.empty()) {
            const Outcome settled = settle();
            if (settled != Outcome::COUNTED) return settled;
            const std::int32_t first = ASIDE - static_cast<std::int32_t>(aside_.size());
            for (const std::int32_t seed : undecided_) {
                if (piece_of_[seed] >= 0 || piece_of_[seed] <= first || waiting_[seed]) continue;  // it was, or will be
                Outcome outcome = gather(seed);
                if (gatherer_.empty()) continue;
                if (outcome == Outcome::COUNTED) outcome = count_group(WIDE);
                if (outcome == Outcome::STOPPED)
                    for (const std::int32_t other : undecided_) enlist(other);
                if (outcome != Outcome::COUNTED) return outcome;
            }
        }
        return Outcome::COUNTED;
    }

    // What single clues decide, before anything is counted. New facts touch more clues, which join the end of the list.
    // Those that decide nothing by themselves are left in undecided_.
    Outcome settle() {
        undecided_.clear();
        for (std::size_t head = 0; head < dirty_.size(); ++head) {
            const std::int32_t clue = dirty_[head];
            waiting_[clue] = 0;
            const std::int32_t need = board_.need_of(clue), unknown = board_.unknown_around(clue);
            if (need < 0 || need > unknown) return Outcome::INCONSISTENT;
            if (need > 0 && need < unknown) {
                undecided_.push_back(clue);
            } else if (unknown > 0) {
                for (const std::int32_t step : board_.around())
                    if (board_.is_unknown(clue + step)) learn(clue + step, need > 0);
            }
            if (!limit.tick(50)) {
                dirty_.erase(dirty_.begin(), dirty_.begin() + static_cast<std::ptrdiff_t>(head + 1));
                for (const std::int32_t other : undecided_) enlist(other);
                return Outcome::STOPPED;
            }
        }
        dirty_.clear();
        return Outcome::COUNTED;
    }

    // Counts the component of group_, with at most this many states in a layer. One that is too wide is set aside.
    Outcome count_group(std::size_t most_states) {
        const std::size_t p = spare_piece();
        Piece& piece = pieces_[p];
        Outcome outcome = Outcome::COUNTED;
        const Sweep::Outcome swept = gatherer_.make(board_, piece.component, limit)
                                         ? chain_->forward(piece.component, tilt_, most_states, sweep_, limit)
                                         : Sweep::STOPPED;
        if (swept == Sweep::STOPPED) {
            outcome = Outcome::STOPPED;
        } else if (swept == Sweep::TOO_WIDE) {
            if (most_states == WIDE) outcome = set_aside(piece.component);
        } else if (!chain_->has_solution()) {
            outcome = Outcome::INCONSISTENT;
        } else {
            widest_ = std::max(widest_, chain_->states().widest);
            chain_->write_to(piece.row);
            bool learnt = false;
            if (learn_ || chain_->states().widest > WORTH_LEARNING) outcome = learn_all(piece, learnt);
            // Without the cells that were proved it is another problem.
            if (outcome == Outcome::COUNTED && !learnt) {
                if (fill_piece(piece, p)) return Outcome::COUNTED;
                outcome = Outcome::STOPPED;
            }
        }
        spare_.push_back(static_cast<std::int32_t>(p));
        return outcome;
    }

    std::size_t spare_piece() {
        if (spare_.empty()) {
            pieces_.emplace_back();
            return pieces_.size() - 1;
        }
        const std::size_t p = static_cast<std::size_t>(spare_.back());
        spare_.pop_back();
        return p;
    }

    // What all solutions of a component agree on, and its least risk otherwise.
    Outcome learn_all(const Piece& piece, bool& learnt) {
        const Component& component = piece.component;
        seed_.assign(piece.row.weight.size(), 1.0);
        if (!chain_->backward(component, seed_.data(), piece.row.possible.data(), back_, limit)) return Outcome::STOPPED;
        least_ = 2;
        for (std::size_t b = 0; b < component.boxes.size(); ++b) {
            const Verdict& verdict = back_.verdicts[b];
            const Box& box = component.boxes[b];
            if (!verdict.can_be_safe || !verdict.can_be_mined) {
                learnt = true;
                learn_box(component, box, verdict.can_be_mined);
            } else if (verdict.mean / box.size < least_) {
                least_ = verdict.mean / box.size;
                safest_ = component.cells[box.first];
            }
        }
        return Outcome::COUNTED;
    }

    void learn_box(const Component& component, const Box& box, bool mine) {
        for (std::int32_t i = box.first; i < box.first + box.size; ++i)
            if (board_.is_unknown(component.cells[i])) {
                learn(component.cells[i], mine);
                board_.each_near(component.cells[i], 4, [&](std::int32_t at) { loosened_[at] = 0; });
            }
    }

    bool fill_piece(Piece& piece, std::size_t p) {
        piece.moments = piece.row.moments();
        if (follow_ && piece.row.size() <= MOST_COLUMNS) {
            if (!tabulate(piece)) return false;
            piece.chain.reset();
        } else {  // the whole chain is kept, for one pass when odds are asked for
            if (!piece.chain) piece.chain = std::make_unique<Chain>();
            piece.chain.swap(chain_);
            limit.held += piece.chain->bytes();
        }
        for (const std::int32_t clue : piece.component.clues) piece_of_[clue] = static_cast<std::int32_t>(p);
        piece.alive = true;
        ++piece.version;
        expected_ += piece.moments.mean;
        low_ += piece.row.low;
        high_ += piece.row.high();
        if (follow_) risks_.push({least_, p, piece.version, safest_});
        return true;
    }

    // What each box holds for each number of mines: a pass backward for each.
    bool tabulate(Piece& piece) {
        const std::size_t boxes = piece.component.boxes.size(), size = piece.row.weight.size();
        piece.mean.assign(boxes * size, 0.0);
        piece.ways.assign(boxes * size, 0);
        seed_.assign(size, 0.0);
        one_.assign(size, 0);
        for (std::size_t t = 0; t < size; ++t) {
            if (!piece.row.possible[t]) continue;
            seed_[t] = one_[t] = 1;
            if (!chain_->backward(piece.component, seed_.data(), one_.data(), back_, limit)) return false;
            seed_[t] = one_[t] = 0;
            for (std::size_t b = 0; b < boxes; ++b) {
                piece.mean[b * size + t] = back_.verdicts[b].mean;
                piece.ways[b * size + t] = back_.verdicts[b].ways();
            }
        }
        return true;
    }

    // ---- aside ------------------------------------------------------------------------------------------------------

    // Of a component that was touched since it was set aside, every part has been gathered again.
    bool is_aside(std::size_t i) const { return piece_of_[aside_[i]] == ASIDE - static_cast<std::int32_t>(i); }

    Outcome set_aside(const Component& component) {
        bool learnt = false;
        const auto wanted = [&](std::int32_t clue) {  // not again, unless something near it was learnt since
            const bool first = !loosened_[clue];
            loosened_[clue] = 1;
            return first;
        };
        const Loosener::Outcome loosened = loosener_.loosen(component, limit, wanted, [&](const Box& box, bool mine) {
            learnt = true;
            learn_box(component, box, mine);
        });
        if (loosened == Loosener::INCONSISTENT) return Outcome::INCONSISTENT;
        if (!learnt) mark_aside(component.clues);
        return loosened == Loosener::STOPPED ? Outcome::STOPPED : Outcome::COUNTED;
    }

    void mark_aside(const std::vector<std::int32_t>& clues) {
        for (const std::int32_t clue : clues) piece_of_[clue] = ASIDE - static_cast<std::int32_t>(aside_.size());
        aside_.push_back(clues.front());
    }

    void release_supposed() {
        if (supposed_ < 0) return;
        pieces_[supposed_].alive = false;
        spare_.push_back(supposed_);
        supposed_ = NO_PIECE;
    }

    // The clues connected with this one; their pieces are dropped.
    Outcome gather(std::int32_t seed) {
        return gatherer_.gather(board_, seed, limit, [&](std::int32_t clue) {
            if (piece_of_[clue] >= 0) drop(piece_of_[clue]);
        });
    }

    bool stale_ = false, follow_ = false, learn_ = false, torn_ = false;
    std::size_t widest_ = 0;
    double expected_ = 0, least_ = 2;
    std::int64_t low_ = 0, high_ = 0;
    std::int32_t safest_ = -1, supposed_ = NO_PIECE;
    std::size_t free_cursor_ = 0;
    std::vector<unsigned char> waiting_, loosened_, one_;
    std::vector<Change> changed_;
    std::vector<std::int32_t> piece_of_, dirty_, undecided_, spare_, aside_;
    std::priority_queue<Risk> risks_;
    std::vector<double> seed_;
    std::unique_ptr<Chain> chain_ = std::make_unique<Chain>();
    Chain::Back back_;
    Sweep sweep_;
    Gatherer gatherer_;
    Loosener loosener_;
};

}  // namespace mineproof
