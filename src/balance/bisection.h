// The bisection of the paper's Algorithm 1. Internal.
#pragma once

#include <functional>
#include <optional>

#include "noiseplus/balance.h"

namespace noiseplus {

struct FoundFlip {
  double epsilon = 0;
  int steps = 0;
};

// Where a gap that is above gamma at 0 comes within gamma of zero. None when no right end of the
// options has a gap below -gamma.
std::optional<FoundFlip> find_flip(const std::function<double(double epsilon)>& falling_gap,
                                   const PaperOptions& options);

// Throws usage: gamma or a right end that is not from 0 to 1, a negative number of steps.
void check_search(const PaperOptions& options);

}  // namespace noiseplus
