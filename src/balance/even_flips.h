// Flips of a class into all others alike, and what to call a class or group. Internal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "noiseplus/balance.h"

namespace noiseplus {

// "class a", "group b"; numbers where there are no names.
std::string name_of(const std::string& kind, std::span<const std::string> names, std::size_t i);

// K x K: labels of class c are turned, with probability epsilons[c], into one of the others.
std::vector<double> evenly(const std::vector<double>& epsilons);

// Labels of group g are turned, with probability epsilons[g], into one of the other classes.
FlipPlan even_groups(const std::vector<double>& epsilons, std::size_t classes);

// Throws impossible when there is one class, or none.
void check_classes(std::size_t classes);

}  // namespace noiseplus
