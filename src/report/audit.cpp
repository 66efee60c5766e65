#include <algorithm>
#include <chrono>

#include "noiseplus/report.h"

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

void check_estimator(const std::string& estimator) {
  if (estimator != "auto" && estimator != "moments" && estimator != "paper") {
    throw Error(ErrorKind::usage,
                "--estimator " + estimator + ": this version has auto, moments and paper");
  }
}

void check_classes(const Dataset& dataset) {
  const Labels& labels = dataset.labels;
  const std::string label = dataset.source + ": the label '" + dataset.label_name + "'";
  const std::size_t classes = labels.classes.size();
  if (classes != 2) {
    throw Error(ErrorKind::impossible,
                label + " has " + std::to_string(classes) +
                    (classes == 1 ? " class only; there is nothing to compare it with"
                                  : " classes; this version audits two, so keep the rows of two"));
  }
  for (std::int32_t c = 0; c < 2; ++c) {
    if (labels.count(c) >= 2) continue;
    const auto row = std::find(labels.codes.begin(), labels.codes.end(), c) - labels.codes.begin();
    throw Error(ErrorKind::data, label + " is '" + labels.classes[static_cast<std::size_t>(c)] +
                                     "' in row " + std::to_string(row + 1) +
                                     " only; a class needs two rows or more");
  }
}

std::size_t positive_class(const Labels& labels, const std::string& wanted) {
  if (wanted.empty()) return labels.classes.size() - 1;
  if (const auto found = labels.find(wanted)) return *found;
  throw Error(ErrorKind::usage, "--positive " + wanted + ": no such class; there are '" +
                                    labels.classes[0] + "' and '" + labels.classes[1] + "'");
}

class Audit {
 public:
  Audit(const Dataset& dataset, const AuditOptions& options, const Execution& execution)
      : dataset_(dataset), options_(options), execution_(execution) {}

  AuditReport run(bool for_paper) {
    check_options(for_paper);
    describe();
    find(for_paper);
    const auto start = std::chrono::steady_clock::now();
    MomentOptions moments;
    moments.positive = static_cast<std::int32_t>(report_.positive);
    moments.views = options_.views == "anchored" ? Views::anchored : Views::all;
    const NeighbourGraph& graph = narrow_.k != 0 ? narrow_ : graph_;
    report_.estimate = estimate_by_moments(graph, dataset_.labels.codes, dataset_.labels.classes,
                                           moments, execution_);
    for (const Estimated& rate : report_.estimate.noise) {
      report_.estimates["moments"].push_back(rate.value);
    }
    report_.warnings.insert(report_.warnings.end(), report_.estimate.warnings.begin(),
                            report_.estimate.warnings.end());
    if (report_.estimate.noisier >= 0) report_.plan = closed_form_plan(report_.estimate);
    report_.seconds.estimate = seconds_since(start);
    return report_;
  }

  PaperResult search_paper(PaperVariant variant) {
    const AgreementGap gap = agreement_gap(dataset_.features.view(), graph_, dataset_.labels.codes,
                                           static_cast<std::int32_t>(report_.positive), variant,
                                           options_.seed, execution_);
    return search_flip(gap, options_.paper);
  }

 private:
  void check_options(bool for_paper) const {
    check_estimator(options_.estimator);
    if (options_.views != "all" && options_.views != "anchored") {
      throw Error(ErrorKind::usage, "--views " + options_.views + ": there are all and anchored");
    }
    check_classes(dataset_);
    if (options_.k < 2) {
      throw Error(ErrorKind::usage, "--k " + std::to_string(options_.k) +
                                        ": three views are needed, so k is 2 or more");
    }
    constexpr std::size_t most_neighbours = 255;
    if (options_.k > most_neighbours) {
      throw Error(ErrorKind::usage, "--k " + std::to_string(options_.k) + ": at most 255");
    }
    const std::size_t rows = dataset_.features.view().rows;
    if (rows <= options_.k) {
      throw Error(ErrorKind::data, dataset_.source + ": " + std::to_string(rows) +
                                       " rows are too few for " + std::to_string(options_.k) +
                                       " neighbours each; give more rows or a smaller --k");
    }
    if (for_paper && options_.anchors != 0) {
      throw Error(ErrorKind::usage, "--anchors: the paper's method needs all rows; leave it out");
    }
  }

  void describe() {
    const RowsView rows = dataset_.features.view();
    report_.label = dataset_.label_name;
    report_.rows = rows.rows;
    report_.features = rows.columns;
    report_.classes = dataset_.labels.classes;
    report_.class_rows = {dataset_.labels.count(0), dataset_.labels.count(1)};
    report_.positive = positive_class(dataset_.labels, options_.positive);
    report_.k = options_.k;
    report_.warnings = dataset_.warnings;
  }

  void find(bool for_paper) {
    const auto start = std::chrono::steady_clock::now();
    const RowsView rows = dataset_.features.view();
    NeighbourOptions search;
    search.k = options_.k;
    search.seed = options_.seed;
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
    report_.anchors = graph_.size();
    report_.seconds.neighbours = seconds_since(start);
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
