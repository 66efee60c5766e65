#include "report/audit_paper.h"

#include <algorithm>

#include "report/options.h"

namespace noiseplus {
namespace {

// Neighbours fetched, of which two are looked for inside a balanced sample.
constexpr std::size_t neighbours_for_paper = 30;

// Label 1 of the paper is the class at `positive`.
std::size_t class_flipped(const PaperResult& result, std::size_t positive) {
  return result.flipped == 1 ? positive : 1 - positive;
}

void adopt(AuditReport& report, const PaperResult& result) {
  report.paper = result;
  if (result.flipped >= 0) {
    const std::size_t flipped = class_flipped(result, report.positive);
    report.estimate.cleaner = static_cast<int>(flipped);
    report.estimate.noisier = static_cast<int>(1 - flipped);
    report.claims = {{report.estimate.noisier, report.estimate.cleaner}};
  }
  if (result.successful) {
    report.plan = FlipPlan::of_two(class_flipped(result, report.positive), result.epsilon);
  } else {
    report.warnings.push_back("the paper's search is unsuccessful: " + result.why);
  }
}

}  // namespace

void ask_paper(const Dataset& dataset, const AuditOptions& options, PaperVariant variant,
               AuditReport& report, const Execution& execution) {
  report.plan = FlipPlan::nothing(report.classes.size());
  report.estimate.estimator = "paper";
  report.estimate.noisier = report.estimate.cleaner = report.estimate.leans = -1;
  report.claims.clear();
  report.leans.clear();
  report.warnings.push_back(
      "the paper's method gives a direction and a flip, but no rates and no test; its direction is "
      "right only where the clean classes are equally frequent. Rates shown are those of auto");
  const RowsView rows = dataset.features.view();
  NeighbourOptions search;
  search.k = std::min(neighbours_for_paper, rows.rows - 1);
  search.seed = options.seed;
  search.metric = metric_of(options);
  const NeighbourGraph graph = find_neighbours(rows, search, execution);
  const AgreementGap gap =
      agreement_gap(rows, graph, dataset.labels.codes, static_cast<std::int32_t>(report.positive),
                    variant, options.seed, search.metric, execution);
  adopt(report, search_flip(gap, options.paper));
}

}  // namespace noiseplus
