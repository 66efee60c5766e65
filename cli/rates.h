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

// "--group-rate GROUP=RATE" for every group, in their order. Throws usage when one is missing,
// unknown or given twice, or when a rate is not below a half.
std::vector<double> rates_of_groups(const std::vector<std::string>& rates, const Labels& groups);

}  // namespace noiseplus::cli
