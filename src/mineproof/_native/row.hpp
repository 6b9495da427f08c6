// A function of a number of mines.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace mineproof {

// Weights (scaled) and possibility, from `low` on.
struct Row {
    std::int32_t low = 0;
    std::vector<double> weight;
    std::vector<unsigned char> possible;
    double log_scale = 0;

    std::int32_t size() const { return static_cast<std::int32_t>(weight.size()); }
    std::int32_t high() const { return low + size() - 1; }
    void reset(std::int32_t from, std::int32_t to) {
        low = from;
        weight.assign(static_cast<std::size_t>(to - from + 1), 0.0);
        possible.assign(weight.size(), 0);
        log_scale = 0;
    }
    bool has(std::int32_t m) const { return m >= low && m <= high(); }
    double at(std::int32_t m) const { return has(m) ? weight[m - low] : 0.0; }
    bool possible_at(std::int32_t m) const { return has(m) && possible[m - low]; }
    bool has_gap() const { return std::find(possible.begin(), possible.end(), 0) != possible.end(); }
    // Divides by the largest weight, remembering its logarithm.
    void normalise() {
        double most = 0;
        for (const double w : weight) most = std::max(most, w);
        if (!(most > 0)) return;
        for (double& w : weight) w /= most;
        log_scale += std::log(most);
    }
    struct Moments {
        double mean, variance;
    };
    // When every mine weighs exp(shift) more.
    Moments moments(double shift = 0) const {
        double most = 0;  // exponents that do not overflow
        for (std::int32_t i = 0; i < size(); ++i)
            if (weight[i] > 0) most = std::max(most, shift * i);
        double mass = 0, mean = 0, square = 0;
        for (std::int32_t i = 0; i < size(); ++i) {
            const double w = weight[i] * std::exp(shift * i - most);
            mass += w;
            mean += w * i;
            square += w * i * i;
        }
        mean /= mass;
        return {low + mean, std::max(0.0, square / mass - mean * mean)};
    }
};

}  // namespace mineproof
