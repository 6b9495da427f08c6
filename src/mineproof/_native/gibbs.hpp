// Components that could not be counted: chains of solutions, redrawn window by window (block Gibbs sampling).
//
// A chain holds one solution: the number of mines in each box. Repeatedly it forgets a window, the boxes around some box,
// counts it exactly given everything else, and draws its mines again. What is averaged is not the draw but the exact odds
// inside the window. The rest of the board weighs in by the number of mines that the hard components hold together.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "chain.hpp"
#include "combination.hpp"
#include "component.hpp"
#include "odds.hpp"
#include "philox.hpp"
#include "limit.hpp"

namespace mineproof {

class Gibbs {
public:
    // What the windows of one chain said of a box.
    struct Record {
        double sum = 0;  // sum of the odds of a cell
        std::int32_t visits = 0;
        std::int32_t open = 0;  // visits in which a cell of it could be safe, and could be mined
    };

    // `rest` has what the rest of the board weighs, by the number of mines in all these components together.
    void start(const std::vector<Component>& components, const Row& rest, double tilt, std::uint64_t seed, std::uint64_t purpose) {
        tilt_ = tilt;
        stream_ = Stream(seed, 0, purpose);
        whole_.clear();
        for (const Component& component : components) {
            const std::int32_t clues = static_cast<std::int32_t>(whole_.need.size());
            const std::int32_t cells = static_cast<std::int32_t>(whole_.cells.size());
            for (Box box : component.boxes) {
                box.first += cells;
                for (std::int32_t i = 0; i < box.clue_count; ++i) box.clues[i] += clues;
                whole_.boxes.push_back(box);
            }
            whole_.need.insert(whole_.need.end(), component.need.begin(), component.need.end());
            whole_.cells.insert(whole_.cells.end(), component.cells.begin(), component.cells.end());
        }
        boxes_of_.assign(whole_.need.size(), {});
        for (std::size_t b = 0; b < whole_.boxes.size(); ++b)
            for (std::int32_t i = 0; i < whole_.boxes[b].clue_count; ++i)
                boxes_of_[whole_.boxes[b].clues[i]].add(static_cast<std::int32_t>(b));
        number_.assign(whole_.need.size(), -1);
        inside_.assign(whole_.boxes.size(), 0);
        ways.assign(whole_.boxes.size(), 0);
        read_rest(rest);
        chains_.clear();
    }

    const Component& whole() const { return whole_; }
    std::size_t chains() const { return chains_.size(); }
    const std::vector<Record>& records(std::size_t chain) const { return chains_[chain].records; }
    const std::vector<double>& totals(std::size_t chain) const { return chains_[chain].totals; }  // by number of mines
    std::int64_t sweeps() const {  // of the slowest chain: times that every box was visited
        std::int64_t least = chains_.empty() ? 0 : INT64_MAX;
        for (const State& chain : chains_) least = std::min(least, chain.sweeps);
        return least;
    }
    std::vector<unsigned char> ways;  // by box: 1 a cell of it was safe, 2 mined, on some consistent board

    // A solution, as the mines in each box, shows one way for each. False when it is none.
    bool note(const std::vector<std::int32_t>& mines) {
        if (mines.size() != whole_.boxes.size()) return false;
        std::vector<std::int32_t> left = whole_.need;
        std::size_t total = 0;
        for (std::size_t b = 0; b < mines.size(); ++b) {
            if (mines[b] < 0 || mines[b] > whole_.boxes[b].size) return false;
            for (std::int32_t i = 0; i < whole_.boxes[b].clue_count; ++i) left[whole_.boxes[b].clues[i]] -= mines[b];
            total += static_cast<std::size_t>(mines[b]);
        }
        if (std::any_of(left.begin(), left.end(), [](std::int32_t n) { return n != 0; }) || !possible_[total]) return false;
        for (std::size_t b = 0; b < mines.size(); ++b)
            ways[b] |= static_cast<unsigned char>((mines[b] < whole_.boxes[b].size) + 2 * (mines[b] > 0));
        return true;
    }

    // A solution to start from. False when it is none.
    bool add_chain(const std::vector<std::int32_t>& mines) {
        if (!note(mines)) return false;
        State chain;
        for (const std::int32_t held : mines) chain.total += held;
        chain.held = mines;
        chain.records.resize(mines.size());
        chain.totals.assign(possible_.size(), 0.0);
        chain.covered.assign(mines.size(), 1);
        chains_.push_back(std::move(chain));
        return true;
    }

    // The averages begin again, from where the chains have come.
    void forget() {
        for (State& chain : chains_) {
            chain.records.assign(chain.records.size(), {});
            chain.totals.assign(chain.totals.size(), 0.0);
            chain.sweeps = 0;
        }
    }

    // Windows of all chains in turn, until each has visited every box this many times, or time runs out: then false.
    bool run(std::int64_t sweeps, Limit& limit) {
        while (this->sweeps() < sweeps)
            for (State& chain : chains_)
                if (!redraw(chain, limit)) return false;
        return true;
    }

private:
    static constexpr std::size_t MOST_STATES = 4000, WIDE = 200, FEWEST_BOXES = 3, MOST_BOXES = 120;

    struct State {
        std::vector<std::int32_t> held;  // mines in each box
        std::int32_t total = 0;
        std::vector<Record> records;
        std::vector<double> totals;
        std::vector<unsigned char> covered;  // boxes that this sweep has redrawn
        std::vector<std::int32_t> order;     // order in which boxes become centres
        std::size_t next = 0;
        std::int64_t sweeps = -1;
    };

    // As logarithms, so that chains find their way from far away; beyond the range of floats the slope at its end continues.
    void read_rest(const Row& rest) {
        const std::size_t most = whole_.cells.size() + 1;
        possible_.assign(most, 0);
        log_rest_.assign(most, -std::numeric_limits<double>::infinity());
        std::int32_t first = -1, last = -1;
        for (std::int32_t t = 0; t < static_cast<std::int32_t>(most); ++t) {
            possible_[t] = rest.possible_at(t);
            if (!(rest.at(t) > 1e-290)) continue;
            log_rest_[t] = std::log(rest.at(t));
            if (first < 0) first = t;
            last = t;
        }
        if (first < 0) return;
        const double up = last > first ? std::min(0.0, log_rest_[last] - log_rest_[last - 1]) : 0;
        const double down = last > first ? std::min(0.0, log_rest_[first] - log_rest_[first + 1]) : 0;
        for (std::int32_t t = last + 1; t < static_cast<std::int32_t>(most); ++t) log_rest_[t] = log_rest_[t - 1] + up;
        for (std::int32_t t = first; t-- > 0;) log_rest_[t] = log_rest_[t + 1] + down;
        narrow_ = std::count(possible_.begin(), possible_.end(), 1) < 8;
    }

    // One window of a chain; false when time runs out.
    bool redraw(State& chain, Limit& limit) {
        choose_window(chain);
        const std::int32_t fixed = take_out(chain);
        if (!splitter_.split(window_)) return true;  // never: the chain holds a solution
        const std::size_t parts = splitter_.count();
        while (forwards_.size() < parts) forwards_.push_back(std::make_unique<Chain>()), rows_.emplace_back();
        rows_of_.clear();
        std::size_t widest = 0;
        for (std::size_t p = 0; p < parts; ++p) {
            const Sweep::Outcome outcome = forwards_[p]->forward(splitter_.part(p), tilt_, MOST_STATES, sweep_, limit);
            if (outcome == Sweep::STOPPED) return false;
            if (outcome == Sweep::TOO_WIDE) {
                if (size_ > FEWEST_BOXES)  // else there is no memory for any window, and none will do
                    for (const std::int32_t b : chosen_) chain.covered[b] = 0;
                size_ = std::max<double>(FEWEST_BOXES, size_ * 0.8);
                return true;
            }
            widest = std::max(widest, forwards_[p]->states().widest);
            forwards_[p]->write_to(rows_[p]);
        }
        for (std::size_t p = 0; p < parts; ++p) rows_of_.push_back(&rows_[p]);
        const auto closing = [&](const Row& used, Row& row) {
            row.reset(used.low, used.high());
            double most = -std::numeric_limits<double>::infinity();
            const std::int32_t end = static_cast<std::int32_t>(possible_.size());
            const auto log_at = [&](std::int32_t i) {
                const std::int32_t t = fixed + used.low + i;
                return t >= 0 && t < end && possible_[t] ? log_rest_[t] : -std::numeric_limits<double>::infinity();
            };
            for (std::int32_t i = 0; i < row.size(); ++i) most = std::max(most, log_at(i));
            for (std::int32_t i = 0; i < row.size(); ++i) {
                const double log = log_at(i);
                row.possible[i] = log > -std::numeric_limits<double>::infinity();
                if (row.possible[i]) row.weight[i] = std::exp(log - most);
            }
        };
        const Combination::Outcome joined = combination_.join(rows_of_, closing, limit);
        if (joined == Combination::STOPPED) return false;
        if (joined != Combination::FINE) return true;  // too fine for floats: another window will do
        size_ = std::min<double>(MOST_BOXES, std::max<double>(FEWEST_BOXES, size_ * (widest < WIDE ? 1.01 : 0.98)));
        if (!record(chain, parts, limit)) return false;
        double mass = 0;
        combination_.each_total([&](std::int32_t, double weight) { mass += weight; });
        combination_.each_total([&](std::int32_t used, double weight) { chain.totals[fixed + used] += weight / mass; });
        draw(chain, parts, fixed);
        return true;
    }

    // The boxes around the next one that this sweep has not covered; and around another one too, where the number of mines
    // leaves a window no freedom of its own.
    void choose_window(State& chain) {
        while (chain.next < chain.order.size() && chain.covered[chain.order[chain.next]]) ++chain.next;
        if (chain.next == chain.order.size()) {
            const std::uint32_t boxes = static_cast<std::uint32_t>(whole_.boxes.size());
            chain.order.resize(boxes);
            for (std::uint32_t b = 0; b < boxes; ++b) chain.order[b] = static_cast<std::int32_t>(b);
            for (std::uint32_t b = boxes; b-- > 1;) std::swap(chain.order[b], chain.order[stream_.below(b + 1)]);
            chain.covered.assign(boxes, 0);
            chain.next = 0;
            ++chain.sweeps;
        }
        chosen_.clear();
        spread(chain.order[chain.next], static_cast<std::size_t>(size_));
        if (narrow_)
            spread(static_cast<std::int32_t>(stream_.below(static_cast<std::uint32_t>(whole_.boxes.size()))),
                   chosen_.size() + static_cast<std::size_t>(size_));
        for (const std::int32_t b : chosen_) chain.covered[b] = 1;
    }

    void spread(std::int32_t centre, std::size_t most) {
        std::size_t head = chosen_.size();
        if (inside_[centre]) return;
        inside_[centre] = 1;
        chosen_.push_back(centre);
        for (; head < chosen_.size() && chosen_.size() < most; ++head) {
            const Box& box = whole_.boxes[chosen_[head]];
            for (std::int32_t i = 0; i < box.clue_count; ++i)
                for (const std::int32_t next : boxes_of_[box.clues[i]])
                    if (!inside_[next] && chosen_.size() < most) inside_[next] = 1, chosen_.push_back(next);
        }
    }

    // Makes the window a problem of its own, given what the chain holds outside; returns the mines outside.
    std::int32_t take_out(const State& chain) {
        window_.clear();
        clues_.clear();
        std::int32_t fixed = chain.total;
        for (const std::int32_t b : chosen_) {
            Box box = whole_.boxes[b];
            box.first = b;
            fixed -= chain.held[b];
            for (std::int32_t i = 0; i < box.clue_count; ++i) {
                std::int32_t& number = number_[box.clues[i]];
                if (number < 0) {
                    number = static_cast<std::int32_t>(clues_.size());
                    clues_.push_back(box.clues[i]);
                }
                box.clues[i] = number;
            }
            window_.boxes.push_back(box);
        }
        for (const std::int32_t clue : clues_) {
            std::int32_t need = whole_.need[clue];
            for (const std::int32_t b : boxes_of_[clue])
                if (!inside_[b]) need -= chain.held[b];
            window_.need.push_back(need);
            number_[clue] = -1;
        }
        for (const std::int32_t b : chosen_) inside_[b] = 0;
        return fixed;
    }

    // The odds inside the window.
    bool record(State& chain, std::size_t parts, Limit& limit) {
        for (std::size_t p = 0; p < parts; ++p) {
            const Component& part = splitter_.part(p);
            combination_.outside(p, seed_, seed_possible_);
            for (std::size_t t = 0; t < seed_possible_.size(); ++t) seed_possible_[t] &= rows_[p].possible[t];
            if (!forwards_[p]->backward(part, seed_.data(), seed_possible_.data(), back_, limit)) return false;
            for (std::size_t b = 0; b < part.boxes.size(); ++b) {
                const double odds = back_.verdicts[b].mean / part.boxes[b].size;
                const std::int32_t at = part.boxes[b].first;
                const unsigned char found = back_.verdicts[b].ways();
                Record& kept = chain.records[at];
                kept.sum += odds;
                ++kept.visits;
                kept.open += found == 3;
                ways[at] |= found;
            }
        }
        return true;
    }

    void draw(State& chain, std::size_t parts, std::int32_t fixed) {
        std::int32_t used = 0;
        for (std::size_t p = 0; p < parts; ++p) {
            const Component& part = splitter_.part(p);
            const std::int32_t mines = Odds::draw_total(rows_[p], combination_.after(p + 1), used, stream_);
            forwards_[p]->sample(part, mines, stream_,
                                 [&](std::int32_t b, std::int32_t held) { chain.held[part.boxes[b].first] = held; });
            used += mines;
        }
        chain.total = fixed + used;
    }

    double tilt_ = 1, size_ = 10;
    bool narrow_ = false;
    Stream stream_;
    Component whole_, window_;
    std::vector<BoxList> boxes_of_;
    std::vector<unsigned char> possible_, inside_, seed_possible_;
    std::vector<double> log_rest_, seed_;
    std::vector<State> chains_;
    std::vector<std::int32_t> chosen_, clues_, number_;
    Splitter splitter_;
    Sweep sweep_;
    std::vector<std::unique_ptr<Chain>> forwards_;
    std::vector<Row> rows_;
    std::vector<const Row*> rows_of_;
    Combination combination_;
    Chain::Back back_;
};

}  // namespace mineproof
