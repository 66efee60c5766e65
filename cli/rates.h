// "--rate CLASS=RATE" as a transition matrix.
#pragma once

#include <string>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus::cli {

// Row-stochastic, row = clean class. A class without a rate stays clean; with more than two classes
// the noise goes to all others alike. Throws usage, or impossible when there is one class only.
std::vector<double> transition_of_rates(const std::vector<std::string>& rates,
                                        const Labels& labels);

}  // namespace noiseplus::cli
