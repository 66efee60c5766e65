// "--rate CLASS=RATE" and "--group-rate GROUP=RATE" as matrices.
#pragma once

#include <string>
#include <vector>

#include "noiseplus/data.h"
#include "noiseplus/fair.h"

namespace noiseplus::cli {

// Row-stochastic, row = clean class. A class without a rate stays clean; with more than two classes
// the noise goes to all others alike. Throws usage, or impossible when there is one class only.
std::vector<double> transition_of_rates(const std::vector<std::string>& rates,
                                        const Labels& labels);

// Throws impossible when there is one class only, data when there is no memory for them.
void check_noise_classes(const Labels& labels);

// One matrix a group, one after the other, with noise that goes to all other classes alike. A group
// without a rate stays clean. Throws usage, and as check_noise_classes does.
std::vector<double> transitions_of_groups(const std::vector<std::string>& rates,
                                          const Labels& groups, const Labels& labels);

// "--group-rate GROUP=E" or "GROUP=E-:E+" for every group, in their order. Throws usage when a rate
// is missing, unknown, given twice, or no better than chance.
std::vector<LabelNoise> noise_of_groups(const std::vector<std::string>& rates,
                                        const Labels& groups);

// The same, as the deltas of group peer loss, in the order of the
// groups: of two classes 1 - e+ - e-; of more, with noise that goes to all other classes alike and
// "GROUP=E" only, delta = 1 - E * K / (K - 1).
std::vector<double> deltas_of_groups(const std::vector<std::string>& rates, const Labels& groups,
                                     std::size_t classes);

}  // namespace noiseplus::cli
