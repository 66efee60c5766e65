// What tests of --anchors auto share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "noiseplus/pipeline.h"
#include "pipeline/anchors.h"

namespace noiseplus::testing_support {

inline AuditOptions within(double precision, std::uint64_t seed = 0) {
  AuditOptions options;
  options.precision = precision;
  options.seed = seed;
  return options;
}

inline double half_width_with(const Dataset& dataset, std::size_t anchors, std::uint64_t seed) {
  AuditOptions options;
  options.estimator = "moments";
  options.anchors = anchors;
  options.seed = seed;
  return half_width(audit(dataset, options).estimate).value_or(1);
}

inline bool warns_of(const AuditReport& report, const std::string& text) {
  return std::any_of(
      report.warnings.begin(), report.warnings.end(),
      [&](const std::string& warning) { return warning.find(text) != warning.npos; });
}

}  // namespace noiseplus::testing_support
