#include "report/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace noiseplus {
namespace {

void check_one_of(const std::string& value, std::initializer_list<const char*> known,
                  const std::string& message) {
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    throw Error(ErrorKind::usage, message);
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

void check_k(const Dataset& dataset, std::size_t k) {
  if (k < 2) {
    throw Error(ErrorKind::usage,
                "--k " + std::to_string(k) + ": three views are needed, so k is 2 or more");
  }
  constexpr std::size_t most_neighbours = 255;
  if (k > most_neighbours) {
    throw Error(ErrorKind::usage, "--k " + std::to_string(k) + ": at most 255");
  }
  const std::size_t rows = dataset.labels.codes.size();
  if (rows <= k) {
    throw Error(ErrorKind::data, dataset.source + ": " + std::to_string(rows) +
                                     " rows are too few for " + std::to_string(k) +
                                     " neighbours each; give more rows or a smaller --k");
  }
}

void check_anchors(const AuditOptions& options, bool for_paper) {
  if (for_paper && (options.anchors != 0 || options.precision)) {
    throw Error(ErrorKind::usage, "--anchors: the paper's method needs all rows; leave it out");
  }
  if (!options.precision) return;
  constexpr double widest = 0.5;  // wider, and the estimate is not called identified
  if (!(*options.precision > 0 && *options.precision <= widest)) {
    throw Error(ErrorKind::usage, fmt::format("--precision {}: more than 0 and at most {}",
                                              *options.precision, widest));
  }
  if (options.anchors != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("--anchors {}: a precision chooses the number of anchors; give one or "
                            "the other",
                            options.anchors));
  }
}

}  // namespace

void check_options(const Dataset& dataset, const AuditOptions& options, bool for_paper) {
  check_one_of(options.estimator, {"auto", "moments", "paper"},
               "--estimator " + options.estimator + ": this version has auto, moments and paper");
  check_one_of(options.views, {"all", "anchored"},
               "--views " + options.views + ": there are all and anchored");
  check_one_of(options.metric, {"euclidean", "cosine"},
               "--metric " + options.metric + ": there are euclidean and cosine");
  check_anchors(options, for_paper);
  check_classes(dataset);
  check_k(dataset, options.k);
}

Metric metric_of(const AuditOptions& options) {
  return options.metric == "cosine" ? Metric::cosine : Metric::euclidean;
}

Views views_of(const AuditOptions& options) {
  return options.views == "anchored" ? Views::anchored : Views::all;
}

}  // namespace noiseplus
