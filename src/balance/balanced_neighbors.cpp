#include "balance/balanced_neighbors.h"

#include <algorithm>
#include <utility>

#include "core/checks.h"
#include "neighbors/graph_check.h"
#include "neighbors/metric_check.h"

namespace noiseplus {

NeighborGraph NeighborSource::within_balanced(std::span<const std::int32_t> labels,
                                              std::size_t classes) const {
  NeighborOptions options;
  options.k = 2;
  options.seed = seed;
  options.metric = metric;
  return neighbors_within(rows, graph, balanced_sample(labels, seed, classes), options, execution);
}

BalancedNeighbors::BalancedNeighbors(NeighborSource source,
                                     std::span<const std::int32_t> before_flips,
                                     std::size_t classes, PaperVariant variant)
    : source_(std::move(source)), classes_(classes), variant_(variant) {
  if (variant_ == PaperVariant::original) sample_ = source_.within_balanced(before_flips, classes_);
}

const NeighborGraph& BalancedNeighbors::of(std::span<const std::int32_t> labels) {
  if (variant_ == PaperVariant::rebalanced) sample_ = source_.within_balanced(labels, classes_);
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
                                   std::span<const std::int32_t> before_flips, std::size_t classes,
                                   PaperVariant variant)
    : classes_(classes), variant_(variant) {
  if (rarest_class(before_flips, classes).rows >= min_rows_to_agree) {
    neighbors_.emplace(std::move(source), before_flips, classes, variant);
  }
}

std::vector<LabelAgreement> SampleAgreements::of(std::span<const std::int32_t> labels) {
  if (!neighbors_) return {};
  if (variant_ == PaperVariant::rebalanced &&
      rarest_class(labels, classes_).rows < min_rows_to_agree) {
    return {};
  }
  return count_agreements(neighbors_->of(labels), labels, classes_);
}

void check_paper_input(RowsView rows, const NeighborGraph& graph,
                       std::span<const std::int32_t> codes, PaperVariant variant, Metric metric) {
  check_view(rows);
  check_one_per_row(codes.size(), rows.rows);
  check_graph(graph, rows.rows);
  check_that(graph.size() == rows.rows, "the graph is not of all rows; make it without anchors");
  check_that(is_among(variant, PaperVariant::rebalanced),
             "the variant is none; say original or rebalanced");
  check_metric(metric);
}

RarestClass rarest_class(std::span<const std::int32_t> labels, std::size_t classes) {
  std::vector<std::size_t> rows(classes);
  for (const std::int32_t label : labels) {
    if (label >= 0) ++rows[static_cast<std::size_t>(label)];
  }
  const auto rarest = std::min_element(rows.begin(), rows.end());
  return {static_cast<std::size_t>(rarest - rows.begin()), *rarest};
}

}  // namespace noiseplus
