#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "balance/balanced_neighbors.h"
#include "balance/bisection.h"
#include "core/checks.h"
#include "core/row_count.h"
#include "noiseplus/balance.h"

namespace noiseplus {
namespace {

double gap_of(const NeighborGraph& graph, std::span<const std::int32_t> ones) {
  return agreements_of(count_views(graph, ones, 1).shares()).gap();
}

}  // namespace

PaperResult search_flip(const AgreementGap& gap, const PaperOptions& options) {
  check_that(gap != nullptr, "there is no gap to search by; give a function");
  check_search(options);
  PaperResult result;
  result.first_gap = gap(1, 0);
  if (std::abs(result.first_gap) <= options.gamma) {
    result.why = "the agreements differ by no more than gamma before any flip";
    return result;
  }
  result.flipped = result.first_gap > 0 ? 1 : 0;
  const double sign = result.flipped == 1 ? 1 : -1;
  const auto falling_gap = [&](double epsilon) { return sign * gap(result.flipped, epsilon); };
  const std::optional<FoundFlip> found = find_flip(falling_gap, options);
  if (!found) {
    result.why = "no flip from the grid turns the sign of the agreement gap";
    return result;
  }
  result.successful = true;
  result.epsilon = found->epsilon;
  result.steps = found->steps;
  return result;
}

std::vector<char> balanced_sample(std::span<const std::int32_t> codes, std::uint64_t seed,
                                  std::size_t classes) {
  check_row_count(codes.size());
  check_class_count(classes);
  std::vector<std::uint32_t> labeled;
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (codes[n] < 0) continue;
    check_class(codes[n], classes, "the label of a row");
    labeled.push_back(static_cast<std::uint32_t>(n));
  }
  std::vector<char> keep(codes.size());
  for (const std::uint32_t n : balanced_rows(codes, labeled, seed, classes)) keep[n] = 1;
  return keep;
}

AgreementGap agreement_gap(RowsView rows, const NeighborGraph& graph,
                           std::span<const std::int32_t> codes, std::int32_t positive,
                           PaperVariant variant, std::uint64_t seed, Metric metric,
                           const Execution& execution) {
  check_paper_input(rows, graph, codes, variant, metric);
  auto ones = std::make_shared<std::vector<std::int32_t>>();
  for (const std::int32_t code : codes) ones->push_back(code == positive ? 1 : 0);
  auto among = std::make_shared<const std::vector<std::uint32_t>>(all_rows(rows.rows));
  auto sample = std::make_shared<BalancedNeighbors>(
      NeighborSource{rows, graph, seed, metric, execution}, *ones, *among, 2, variant);
  return [ones, among, sample, seed](int flipped, double epsilon) {
    const FlipPlan plan = FlipPlan::of_two(static_cast<std::size_t>(flipped), epsilon);
    const std::vector<std::int32_t> labels = apply(plan, *ones, seed);
    return gap_of(sample->of(labels, *among), labels);
  };
}

}  // namespace noiseplus
