#include "pipeline/audit_paper.h"

#include <algorithm>
#include <cmath>

#include "pipeline/options.h"

namespace noiseplus {
namespace {

// Neighbors fetched, of which two are looked for inside a balanced sample.
constexpr std::size_t neighbors_for_paper = 30;

PaperPlan search_plan(const Dataset& dataset, const AuditOptions& options, PaperVariant variant,
                      const AuditReport& report, const Execution& execution) {
  const RowsView rows = dataset.features.view();
  const PaperSearch how{variant, options.seed, metric_of(options), options.paper};
  NeighborOptions search;
  search.k = std::min(neighbors_for_paper, rows.rows - 1);
  search.seed = how.seed;
  search.metric = how.metric;
  const NeighborGraph graph = find_neighbors(rows, search, execution);
  if (report.scope == "class") {
    return paper_classes_plan(rows, graph, dataset.labels.codes, report.classes, how, execution);
  }
  std::optional<std::int32_t> positive;
  if (report.classes.size() == 2) positive = static_cast<std::int32_t>(report.positive);
  return paper_groups_plan(rows, graph, dataset.labels.codes, report.classes, dataset.groups.codes,
                           dataset.groups.classes, positive, how, execution);
}

// A class with too few rows leaves the search unsuccessful, as data that it finds no flip for do.
PaperPlan search_or_fail(const Dataset& dataset, const AuditOptions& options, PaperVariant variant,
                         const AuditReport& report, const Execution& execution) try {
  return search_plan(dataset, options, variant, report, execution);
} catch (const Error& error) {
  if (error.kind() != ErrorKind::impossible) throw;
  PaperPlan failed;
  failed.search.why = error.what();
  return failed;
}

int cleanest(const PaperParts& found) {
  int best = -1;
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    const double agreement = found.parts[i].agreement;
    if (std::isnan(agreement)) continue;
    if (best < 0 || agreement > found.parts[static_cast<std::size_t>(best)].agreement) {
      best = static_cast<int>(i);
    }
  }
  return best == found.noisiest ? -1 : best;
}

// The paper's order is a ranking, not a test: who is flipped is called cleaner.
std::vector<ClassPair> pairs_of(const PaperParts& found) {
  std::vector<ClassPair> pairs;
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    if (found.parts[i].epsilon > 0) pairs.push_back({found.noisiest, static_cast<int>(i)});
  }
  return pairs;
}

}  // namespace

void ask_paper(const Dataset& dataset, const AuditOptions& options, PaperVariant variant,
               AuditReport& report, const Execution& execution) {
  if (report.scope == "class-in-group") {
    throw Error(ErrorKind::usage,
                "--scope class-in-group: the paper's method has class and group; use --method "
                "closed-form");
  }
  const PaperPlan found = search_or_fail(dataset, options, variant, report, execution);
  report.paper = found.search;
  report.plan = found.search.successful ? found.plan : FlipPlan::nothing(report.classes.size());
  report.estimate.estimator = "paper";
  report.estimate.noisier = report.estimate.cleaner = report.estimate.leans = -1;
  report.claims.clear();
  report.comparison = {};
  report.comparison.gap = {0, -1, 1};
  const int cleaner = cleanest(found.search);
  if (cleaner >= 0 && report.scope == "class") {
    report.estimate.noisier = found.search.noisiest;
    report.estimate.cleaner = cleaner;
    report.claims = pairs_of(found.search);
  } else if (cleaner >= 0) {
    report.comparison.noisier = found.search.noisiest;
    report.comparison.cleaner = cleaner;
    report.comparison.claims = pairs_of(found.search);
    report.comparison.claims_total = report.comparison.claims.size();
  }
  report.warnings.emplace_back(
      "the paper's method gives a direction and a flip, but no rates and no test; its direction is "
      "right only where the clean classes are equally frequent. Rates shown are those of auto");
  if (!found.search.successful) {
    report.warnings.push_back("the paper's search is unsuccessful: " + found.search.why);
  }
}

}  // namespace noiseplus
