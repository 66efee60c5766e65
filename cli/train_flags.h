// The flags of train, and which of them go together.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "flags.h"
#include "noiseplus/report.h"

namespace noiseplus::cli {

struct TrainFlags {
  DataFlags data;
  TrainModelOptions options;
  std::string loss = "ce", model, transition, alpha = "cv", weights, fair;
  std::vector<std::string> group_rates;
  std::string output, json, html;
};

void add_noise_flags(CLI::App& command, TrainFlags& flags);
void add_model_flags(CLI::App& command, TrainFlags& flags);
void add_fair_flags(CLI::App& command, TrainFlags& flags);

// Throws usage for flags that would do nothing, because whoever gave them meant something.
// `options` are those that the flags have set.
void refuse_idle_flags(const CLI::App& command, const TrainFlags& flags,
                       const TrainModelOptions& options);

}  // namespace noiseplus::cli
