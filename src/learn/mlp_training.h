// What training one network and training two have in common. Internal to the learn stage.
#pragma once

#include <functional>
#include <vector>

#include "learn/mlp_network.h"

namespace noiseplus {

// Throws usage.
void check_options(const MlpOptions& options);

// Learns from one batch, and returns its mean loss before the step.
using LearnBatch = std::function<double(const Batch& batch, const AdamStep& step)>;

// All epochs over `rows`, which come in a new order in each; the rate falls to zero along a half
// cosine. `goes_on` is asked after each epoch. The model of the result is left to the caller.
FitResult run_epochs(const MlpOptions& options, std::vector<std::uint32_t> rows,
                     const LearnBatch& learn, const std::function<bool()>& goes_on,
                     const Execution& execution);

}  // namespace noiseplus
