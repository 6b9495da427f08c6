// Time, memory and patience of whoever asked.
#pragma once
#include <cstddef>
#include <cstdint>

namespace mineproof {

// Asked from time to time whether to go on; also watches the memory that is used.
struct Watch {
    std::size_t held = 0;  // by chains that were kept
    bool (*go_on)(void*) = nullptr;
    void* context = nullptr;
    std::size_t most_bytes = SIZE_MAX;
    std::int64_t until_next = 0;
    bool stopped = false;

    bool tick(std::int64_t work, std::size_t bytes) {
        until_next -= work;
        if (until_next <= 0) {
            until_next = 1 << 16;
            if (held + 3 * bytes > most_bytes || (go_on != nullptr && !go_on(context))) stopped = true;
        }
        return !stopped;
    }
};

}  // namespace mineproof
