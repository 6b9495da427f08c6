// What the caller allows the work to cost, in time and memory: loops tick, and end when told to. `NativeClock` (`clock.pyx`)
// answers for the caller's clock.
#pragma once
#include <cstddef>
#include <cstdint>

namespace mineproof {

struct Limit {
    bool (*go_on)(void*) = nullptr;  // asked from time to time; false ends the work
    void* context = nullptr;
    std::size_t most_bytes = SIZE_MAX;  // most memory for tables
    double most_cost = 1e300;  // estimated cost above which a component is skipped
    std::size_t held = 0;      // bytes of the tables that are kept
    bool stopped = false;      // whether the work was ended
    std::int64_t done = 0;     // amount of work since it was last set to 0, in units of about a nanosecond

    void restart() {
        stopped = false;
        until_next_ = 1 << 12;
    }

    // Records this much work, in units of about a nanosecond; false when there is no time for more.
    bool tick(std::int64_t work) {
        done += work;
        until_next_ -= work;
        if (until_next_ <= 0) {
            until_next_ = 1 << 16;
            if (go_on != nullptr && !go_on(context)) stopped = true;
        }
        return !stopped;
    }

    bool fits(std::size_t bytes) const { return held + bytes <= most_bytes; }

private:
    std::int64_t until_next_ = 0;
};

}  // namespace mineproof
