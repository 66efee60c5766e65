#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "noiseplus/report.h"
#include "report/anchors.h"
#include "report/options.h"

namespace noiseplus {
namespace {

// Neighbours fetched for the paper's methods, which look for two of them inside a balanced sample.
constexpr std::size_t neighbours_for_paper = 30;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

NeighbourGraph nearest_of(const NeighbourGraph& graph, std::size_t k) {
  NeighbourGraph nearest{k, graph.anchors, {}, {}};
  for (std::size_t a = 0; a < graph.size(); ++a) {
    for (std::size_t j = 0; j < k; ++j) {
      nearest.ids.push_back(graph.ids[a * graph.k + j]);
      nearest.distances.push_back(graph.distances[a * graph.k + j]);
    }
  }
  return nearest;
}

// Why --anchors auto ended where the wanted precision is not reached; empty when it is.
std::string why_imprecise(const AuditReport& report) {
  const auto [wanted, reached] = *report.precision;
  if (reached && *reached <= wanted) return "";
  const std::string missed = fmt::format("--precision {} is not reached: ", wanted);
  if (reached) {
    return missed + fmt::format("all {} rows tell the difference to {:.3g}", report.rows, *reached);
  }
  if (report.anchors == report.rows) {
    return missed + fmt::format("all {} rows do not identify the rates", report.rows);
  }
  return missed + fmt::format(
                      "{} rows do not identify the rates, and there --anchors auto stops; "
                      "--anchors N examines more",
                      report.anchors);
}

class Audit {
 public:
  Audit(const Dataset& dataset, const AuditOptions& options, const Execution& execution)
      : dataset_(dataset), options_(options), execution_(execution) {}

  AuditReport run(bool for_paper) {
    check_options(dataset_, options_, for_paper);
    describe();
    if (options_.precision) {
      examine_until_precise(*options_.precision);
    } else {
      find(for_paper);
      estimate(narrow_.k != 0 ? narrow_ : graph_);
    }
    conclude();
    return report_;
  }

  PaperResult search_paper(PaperVariant variant) {
    const AgreementGap gap = agreement_gap(dataset_.features.view(), graph_, dataset_.labels.codes,
                                           static_cast<std::int32_t>(report_.positive), variant,
                                           options_.seed, metric_of(options_), execution_);
    return search_flip(gap, options_.paper);
  }

 private:
  void describe() {
    const RowsView rows = dataset_.features.view();
    report_.label = dataset_.label_name;
    report_.rows = rows.rows;
    report_.features = rows.columns;
    report_.classes = dataset_.labels.classes;
    report_.class_rows = {dataset_.labels.count(0), dataset_.labels.count(1)};
    report_.positive = dataset_.labels.positive(options_.positive);
    report_.k = options_.k;
    report_.metric = options_.metric;
    report_.warnings = dataset_.warnings;
  }

  NeighbourOptions search_options() const {
    NeighbourOptions search;
    search.k = options_.k;
    search.seed = options_.seed;
    search.metric = metric_of(options_);
    return search;
  }

  void find(bool for_paper) {
    const auto start = std::chrono::steady_clock::now();
    const RowsView rows = dataset_.features.view();
    NeighbourOptions search = search_options();
    std::vector<std::uint32_t> anchors;
    if (options_.anchors != 0 && options_.anchors < rows.rows) {
      anchors = sample_rows(rows.rows, options_.anchors, options_.seed, Stream::anchors);
      search.anchors = anchors;
    }
    if (for_paper) {
      search.k = std::max(options_.k, std::min(neighbours_for_paper, rows.rows - 1));
    }
    graph_ = find_neighbours(rows, search, execution_);
    if (graph_.k != options_.k) narrow_ = nearest_of(graph_, options_.k);
    report_.seconds.neighbours += seconds_since(start);
  }

  void examine_until_precise(double precision) {
    auto start = std::chrono::steady_clock::now();
    GrowingGraph graph(dataset_.features.view(), search_options(), execution_);
    for (std::size_t wanted = first_anchors(precision, report_.rows); wanted != report_.anchors;
         wanted = next_anchors(report_.estimate, report_.anchors, precision, report_.rows)) {
      const NeighbourGraph& grown = graph.grow_to(wanted);
      report_.seconds.neighbours += seconds_since(start);
      estimate(grown);
      start = std::chrono::steady_clock::now();
    }
    report_.precision = {precision, half_width(report_.estimate)};
  }

  void estimate(const NeighbourGraph& graph) {
    const auto start = std::chrono::steady_clock::now();
    MomentOptions moments;
    moments.positive = static_cast<std::int32_t>(report_.positive);
    moments.views = views_of(options_);
    report_.estimate = estimate_by_moments(graph, dataset_.labels.codes, dataset_.labels.classes,
                                           moments, execution_);
    report_.anchors = graph.size();
    report_.seconds.estimate += seconds_since(start);
  }

  void conclude() {
    for (const Estimated& rate : report_.estimate.noise) {
      report_.estimates["moments"].push_back(rate.value);
    }
    report_.warnings.insert(report_.warnings.end(), report_.estimate.warnings.begin(),
                            report_.estimate.warnings.end());
    if (report_.precision) {
      const std::string why = why_imprecise(report_);
      if (!why.empty()) report_.warnings.push_back(why);
    }
    if (report_.estimate.noisier >= 0) report_.plan = closed_form_plan(report_.estimate);
  }

  const Dataset& dataset_;
  const AuditOptions& options_;
  const Execution& execution_;
  AuditReport report_;
  NeighbourGraph graph_;
  NeighbourGraph narrow_;  // the k nearest of graph_, when it has more
};

// Label 1 of the paper is the class at `positive`.
std::size_t class_flipped(const PaperResult& result, std::size_t positive) {
  return result.flipped == 1 ? positive : 1 - positive;
}

void adopt_paper(AuditReport& report, const PaperResult& result) {
  report.paper = result;
  report.plan = FlipPlan::nothing(2);
  report.estimate.estimator = "paper";
  report.estimate.noisier = report.estimate.cleaner = report.estimate.leans = -1;
  report.warnings.push_back(
      "the paper's method gives a direction and a flip, but no rates and no test; its direction is "
      "right only where the clean classes are equally frequent. Rates shown are those of moments");
  if (result.flipped >= 0) {
    const std::size_t flipped = class_flipped(result, report.positive);
    report.estimate.cleaner = static_cast<int>(flipped);
    report.estimate.noisier = static_cast<int>(1 - flipped);
  }
  if (result.successful) {
    report.plan = FlipPlan::of_two(class_flipped(result, report.positive), result.epsilon);
  } else {
    report.warnings.push_back("the paper's search is unsuccessful: " + result.why);
  }
}

Advice advise(const AuditReport& report) {
  if (report.paper && !report.paper->successful) {
    return {"nothing", "the paper's search is unsuccessful: " + report.paper->why};
  }
  if (!report.paper && !report.estimate.identified) {
    return {"nothing", "the rates are not identified, so no flip can be justified"};
  }
  if (report.estimate.noisier < 0) {
    return {"nothing", "no difference between the two rates is proved"};
  }
  return {"balance", "the classes are unequally noisy: plain training would lean towards '" +
                         report.classes[static_cast<std::size_t>(report.estimate.cleaner)] + "'"};
}

}  // namespace

AuditReport audit(const Dataset& dataset, const AuditOptions& options, const Execution& execution) {
  const bool by_paper = options.estimator == "paper";
  Audit work(dataset, options, execution);
  AuditReport report = work.run(by_paper);
  if (by_paper) adopt_paper(report, work.search_paper(PaperVariant::original));
  report.advice = advise(report);
  return report;
}

Balanced balance(const Dataset& dataset, const BalanceOptions& options,
                 const Execution& execution) {
  const bool by_paper = options.method == "paper" || options.method == "paper-rebalanced";
  if (!by_paper && options.method != "closed-form") {
    throw Error(ErrorKind::usage, "--method " + options.method +
                                      ": there are closed-form, paper and paper-rebalanced");
  }
  if (options.audit.estimator == "paper") {
    throw Error(ErrorKind::usage,
                "--estimator paper: it gives no rates to balance by; say --method paper instead");
  }
  Balanced balanced;
  if (by_paper) {
    Audit work(dataset, options.audit, execution);
    balanced.report = work.run(true);
    adopt_paper(balanced.report,
                work.search_paper(options.method == "paper" ? PaperVariant::original
                                                            : PaperVariant::rebalanced));
    if (!balanced.report.paper->successful) {
      throw Error(ErrorKind::impossible,
                  "unsuccessful: " + balanced.report.paper->why + "; try --method closed-form");
    }
    balanced.report.advice = advise(balanced.report);
  } else {
    balanced.report = audit(dataset, options.audit, execution);
    if (options.force) {
      if (!balanced.report.estimate.identified) {
        throw Error(ErrorKind::impossible,
                    "the rates are not identified, so there is nothing to force; use features that "
                    "separate the classes, or more rows");
      }
      balanced.report.plan = closed_form_plan(balanced.report.estimate);
    }
  }
  balanced.codes = apply(balanced.report.plan, dataset.labels.codes, options.audit.seed);
  balanced.report.flipped.assign(2, 0);
  for (std::size_t n = 0; n < balanced.codes.size(); ++n) {
    const std::int32_t given = dataset.labels.codes[n];
    if (balanced.codes[n] != given) ++balanced.report.flipped[static_cast<std::size_t>(given)];
  }
  return balanced;
}

}  // namespace noiseplus
