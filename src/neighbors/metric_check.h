// Checks a metric that may have been cast from any integer. Internal.
#pragma once

#include "core/checks.h"
#include "noiseplus/neighbors.h"

namespace noiseplus {

// Throws usage when it is neither euclidean nor cosine.
inline void check_metric(Metric metric) {
  check_that(is_among(metric, Metric::cosine), "unknown metric; use euclidean or cosine");
}

}  // namespace noiseplus
