#include "balance/balanced_neighbors.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/checks.h"
#include "neighbors/metric_check.h"
#include "neighbors/within.h"

namespace noiseplus {

std::vector<std::uint32_t> balanced_rows(std::span<const std::int32_t> labels,
                                         std::span<const std::uint32_t> among, std::uint64_t seed,
                                         std::size_t classes) {
  std::vector<std::vector<std::uint32_t>> members(classes);
  for (const std::uint32_t n : among) members[static_cast<std::size_t>(labels[n])].push_back(n);
  std::size_t wanted = std::numeric_limits<std::size_t>::max();
  for (const std::vector<std::uint32_t>& rows : members) wanted = std::min(wanted, rows.size());
  std::vector<std::uint32_t> kept;
  for (std::vector<std::uint32_t>& rows : members) {
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t ha = hash(seed, Stream::resample, a);
      const std::uint64_t hb = hash(seed, Stream::resample, b);
      return ha != hb ? ha < hb : a < b;
    });
    kept.insert(kept.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(wanted));
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

std::vector<std::uint32_t> all_rows(std::size_t rows) {
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

NeighborGraph NeighborSource::within_balanced(std::span<const std::int32_t> labels,
                                              std::span<const std::uint32_t> among,
                                              std::size_t classes) const {
  NeighborOptions options;
  options.k = 2;
  options.seed = seed;
  options.metric = metric;
  marks->resize(rows.rows);
  return neighbors_among(rows, graph, balanced_rows(labels, among, seed, classes), *marks, options,
                         execution);
}

BalancedNeighbors::BalancedNeighbors(NeighborSource source,
                                     std::span<const std::int32_t> before_flips,
                                     std::span<const std::uint32_t> among, std::size_t classes,
                                     PaperVariant variant)
    : source_(std::move(source)), classes_(classes), variant_(variant) {
  if (variant_ == PaperVariant::original) {
    sample_ = source_.within_balanced(before_flips, among, classes_);
  }
}

const NeighborGraph& BalancedNeighbors::of(std::span<const std::int32_t> labels,
                                           std::span<const std::uint32_t> among) {
  if (variant_ == PaperVariant::rebalanced) {
    sample_ = source_.within_balanced(labels, among, classes_);
  }
  return sample_;
}

double LabelAgreement::share() const {
  return rows == 0 ? 0 : static_cast<double>(agreeing) / static_cast<double>(rows);
}

std::vector<LabelAgreement> count_agreements(const NeighborGraph& sample,
                                             std::span<const std::int32_t> labels,
                                             std::size_t classes) {
  std::vector<LabelAgreement> agreements(classes);
  for (std::size_t a = 0; a < sample.size(); ++a) {
    const std::int32_t label = labels[sample.anchors[a]];
    LabelAgreement& of_label = agreements[static_cast<std::size_t>(label)];
    const std::span<const std::uint32_t> others = sample.neighbors(a);
    const bool agree = std::all_of(others.begin(), others.end(),
                                   [&](std::uint32_t other) { return labels[other] == label; });
    ++of_label.rows;
    of_label.agreeing += agree ? 1 : 0;
  }
  return agreements;
}

SampleAgreements::SampleAgreements(NeighborSource source,
                                   std::span<const std::int32_t> before_flips,
                                   std::span<const std::uint32_t> among, std::size_t classes,
                                   PaperVariant variant)
    : classes_(classes), variant_(variant) {
  if (rarest_class(before_flips, among, classes).rows >= min_rows_to_agree) {
    neighbors_.emplace(std::move(source), before_flips, among, classes, variant);
  }
}

std::vector<LabelAgreement> SampleAgreements::of(std::span<const std::int32_t> labels,
                                                 std::span<const std::uint32_t> among) {
  if (!neighbors_) return {};
  if (variant_ == PaperVariant::rebalanced &&
      rarest_class(labels, among, classes_).rows < min_rows_to_agree) {
    return {};
  }
  return count_agreements(neighbors_->of(labels, among), labels, classes_);
}

void check_paper_input(RowsView rows, const NeighborGraph& graph,
                       std::span<const std::int32_t> codes, PaperVariant variant, Metric metric) {
  check_view(rows);
  check_one_per_row(codes.size(), rows.rows);
  check_graph_of_all_rows(graph, rows.rows);
  check_that(is_among(variant, PaperVariant::rebalanced),
             "the variant is none; say original or rebalanced");
  check_metric(metric);
}

RarestClass rarest_class(std::span<const std::int32_t> labels, std::span<const std::uint32_t> among,
                         std::size_t classes) {
  std::vector<std::size_t> rows(classes);
  for (const std::uint32_t n : among) ++rows[static_cast<std::size_t>(labels[n])];
  const auto rarest = std::min_element(rows.begin(), rows.end());
  return {static_cast<std::size_t>(rarest - rows.begin()), *rarest};
}

}  // namespace noiseplus
