// Neighbors inside a sample with balanced labels, as the paper counts agreements on. Internal.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "noiseplus/balance.h"

namespace noiseplus {

// Where neighbors come from. Looks at rows and graph, which must outlive it.
struct NeighborSource {
  RowsView rows;
  const NeighborGraph& graph;
  std::uint64_t seed;
  Metric metric;
  Execution execution;

  // The two nearest inside the balanced sample of the labels, for each of its rows. Rows with a
  // negative label are no part of it.
  NeighborGraph within_balanced(std::span<const std::int32_t> labels, std::size_t classes) const;
};

// The sample of a variant: drawn once from the labels before any flip, or from those at hand.
class BalancedNeighbors {
 public:
  BalancedNeighbors(NeighborSource source, std::span<const std::int32_t> before_flips,
                    std::size_t classes, PaperVariant variant);

  // The result is good until the next call.
  const NeighborGraph& of(std::span<const std::int32_t> labels);

 private:
  NeighborSource source_;
  std::size_t classes_;
  PaperVariant variant_;
  NeighborGraph sample_;
};

// Rows of the sample with a label, and those of them whose two neighbors have it too.
struct LabelAgreement {
  std::int64_t rows = 0, agreeing = 0;

  // 0 where there are no rows, as by agreements_of.
  double share() const;
};

std::vector<LabelAgreement> count_agreements(const NeighborGraph& sample,
                                             std::span<const std::int32_t> labels,
                                             std::size_t classes);

// The same for labels that flips may have left with hardly a row of some class.
class SampleAgreements {
 public:
  SampleAgreements(NeighborSource source, std::span<const std::int32_t> before_flips,
                   std::size_t classes, PaperVariant variant);

  // Of each class; empty when the sample would have fewer than three rows of each, so that no row
  // could agree with two others.
  std::vector<LabelAgreement> of(std::span<const std::int32_t> labels);

 private:
  std::size_t classes_;
  PaperVariant variant_;
  std::optional<BalancedNeighbors> neighbors_;
};

// How many rows the rarest class has; rows with a negative label do not count.
struct RarestClass {
  std::size_t code = 0, rows = 0;
};
RarestClass rarest_class(std::span<const std::int32_t> labels, std::size_t classes);

constexpr std::size_t min_rows_to_agree = 3;

// Throws usage: not a label for each row, a graph that is not of all rows, a variant or a metric
// that is none.
void check_paper_input(RowsView rows, const NeighborGraph& graph,
                       std::span<const std::int32_t> codes, PaperVariant variant, Metric metric);

}  // namespace noiseplus
