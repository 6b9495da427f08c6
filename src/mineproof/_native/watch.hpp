// The time and memory limits of the caller. Long work ticks regularly.
#pragma once
#include <cstddef>
#include <cstdint>

namespace mineproof {

struct Watch {
    bool (*go_on)(void*) = nullptr;  // asked from time to time; false ends the work
    void* context = nullptr;
    std::size_t most_bytes = SIZE_MAX;
    double most_cost = 1e300;  // of a component, as its order lets expect: more is not even tried
    std::size_t held = 0;  // bytes of tables that are kept
    bool stopped = false;
    std::int64_t done = 0;  // work done; set it to 0 first to measure

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
