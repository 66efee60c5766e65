// Table 3: labels that people, or the web, got wrong. Nothing is injected.
#pragma once

#include <span>

#include "experiments/methods/cells.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// Of more rows than this not all neighbors are searched.
inline constexpr std::size_t rows_for_all_neighbors = 200'000;

struct HumanNoiseCase {
  const KnownRows& training;  // its clean labels are not looked at
  const KnownRows& test;
  const std::vector<std::int32_t>& given;  // labels of the training rows
  TrainOptions train;                      // the network, alike for all methods
  // Clean training labels, where somebody knows them: whether auto's claim is right.
  std::span<const std::int32_t> clean = {};
  std::uint64_t seed = 0;
  std::size_t max_searched = rows_for_all_neighbors;
};

// Accuracy of the methods
//   * ce: labels as given
//   * forward: forward correction with auto's matrix
//   * co-teaching: two networks, which forget as many rows as auto says are wrong
//   * balanced-ce: after the closed form by auto's estimate, claimed or not
// The training rows need no graph; where they have none it is searched. Of more rows than
// `max_searched` an eighth of that number is looked at, and latent classes stand in for auto, as
// in `audit --anchors`.
CellResult human_noise_cell(const HumanNoiseCase& one, const Execution& execution = {});

}  // namespace noiseplus
