// Neighbors inside a sample with balanced labels, as the paper counts agreements on. Internal.
#pragma once

#include <memory>
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

  // One mark per row of the matrix, all 0 between calls. Copies of a source share them, so that
  // only one of these may be at work.
  std::shared_ptr<std::vector<char>> marks = std::make_shared<std::vector<char>>();

  // The two nearest inside the balanced sample of `among`, by their labels, for each of its rows.
  NeighborGraph within_balanced(std::span<const std::int32_t> labels,
                                std::span<const std::uint32_t> among, std::size_t classes) const;
};

// Here and below: `labels` has one entry per row of the matrix, of which only those of `among`, in
// ascending order, are looked at. Nothing takes longer for the rows that are not among them.

// The rows of a balanced sample, in ascending order: those that balanced_sample keeps.
std::vector<std::uint32_t> balanced_rows(std::span<const std::int32_t> labels,
                                         std::span<const std::uint32_t> among, std::uint64_t seed,
                                         std::size_t classes);

std::vector<std::uint32_t> all_rows(std::size_t rows);

// The sample of a variant: drawn once from the labels before any flip, or from those at hand.
class BalancedNeighbors {
 public:
  BalancedNeighbors(NeighborSource source, std::span<const std::int32_t> before_flips,
                    std::span<const std::uint32_t> among, std::size_t classes,
                    PaperVariant variant);

  // The result is good until the next call.
  const NeighborGraph& of(std::span<const std::int32_t> labels,
                          std::span<const std::uint32_t> among);

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
                   std::span<const std::uint32_t> among, std::size_t classes, PaperVariant variant);

  // Of each class; empty when the sample would have fewer than three rows of each, so that no row
  // could agree with two others.
  std::vector<LabelAgreement> of(std::span<const std::int32_t> labels,
                                 std::span<const std::uint32_t> among);

 private:
  std::size_t classes_;
  PaperVariant variant_;
  std::optional<BalancedNeighbors> neighbors_;
};

// How many rows the rarest class has.
struct RarestClass {
  std::size_t code = 0, rows = 0;
};
RarestClass rarest_class(std::span<const std::int32_t> labels, std::span<const std::uint32_t> among,
                         std::size_t classes);

constexpr std::size_t min_rows_to_agree = 3;

// Throws usage: not a label for each row, a graph that is not of all rows in order, a variant or a
// metric that is none.
void check_paper_input(RowsView rows, const NeighborGraph& graph,
                       std::span<const std::int32_t> codes, PaperVariant variant, Metric metric);

}  // namespace noiseplus
