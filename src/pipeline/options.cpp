#include "pipeline/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/checks.h"
#include "data/checks.h"
#include "data/memory_limit.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

// "a, b and c"
std::string listing(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

// Of an enumeration that begins at 0 and has a name for each of its values and no other.
template <typename Enumeration>
std::vector<std::string> names_of_all() {
  std::vector<std::string> names;
  for (int value = 0; !to_string(static_cast<Enumeration>(value)).empty(); ++value) {
    names.emplace_back(to_string(static_cast<Enumeration>(value)));
  }
  return names;
}

void check_classes(const Dataset& dataset) {
  const Labels& labels = dataset.labels;
  const std::string label = dataset.source + ": the label '" + dataset.label_name + "'";
  const std::size_t classes = labels.classes.size();
  if (classes < 2) {
    throw Error(ErrorKind::impossible,
                label + " has one class only; there is nothing to compare it with");
  }
  check_class_memory(label, labels.codes.size(), classes);
  if (classes > 2) return;
  for (std::int32_t c = 0; c < 2; ++c) {
    if (labels.count(c) >= 2) continue;
    const std::size_t row = dataset.row_id(static_cast<std::size_t>(
        std::find(labels.codes.begin(), labels.codes.end(), c) - labels.codes.begin()));
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
  constexpr std::size_t max_neighbors = 255;
  if (k > max_neighbors) {
    throw Error(ErrorKind::usage, "--k " + std::to_string(k) + ": at most 255");
  }
  const std::size_t rows = dataset.labels.codes.size();
  if (rows <= k) {
    throw Error(ErrorKind::data, dataset.source + ": " + std::to_string(rows) +
                                     " rows are too few for " + std::to_string(k) +
                                     " neighbors each; give more rows or a smaller --k");
  }
}

void check_anchors(const Dataset& dataset, const AuditOptions& options) {
  const bool sampled = options.anchors != 0 || options.precision;
  if (sampled && options.estimator == "paper") {
    throw Error(ErrorKind::usage, "--anchors: the paper's method needs all rows; leave it out");
  }
  if (sampled && !dataset.groups.classes.empty()) {
    throw Error(ErrorKind::usage, "--anchors: groups need all rows; leave it out");
  }
  if (sampled && options.judge_rows) {
    throw Error(ErrorKind::usage, "--anchors: --rows is about all rows; leave one of them out");
  }
  if (sampled && options.suspects > 0) {
    throw Error(ErrorKind::usage, "--anchors: --suspects is about all rows; leave one of them out");
  }
  const EstimatorKind kind = estimator_of(options);
  if (sampled && kind != EstimatorKind::automatic && !needs_views_only(kind)) {
    throw Error(ErrorKind::usage,
                "--anchors: " + options.estimator +
                    " looks at all rows; leave it out, or use --estimator moments "
                    "or latent-class");
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

std::vector<std::string> option_values(std::string_view option) {
  if (option == "estimator") {
    std::vector<std::string> names = names_of_all<EstimatorKind>();
    names.emplace_back("paper");
    return names;
  }
  if (option == "transition") return names_of_all<EstimatorKind>();
  if (option == "loss") return names_of_all<LossKind>();
  if (option == "fair") return names_of_all<Constraint>();
  if (option == "route") return {"auto", "plain", "noise-aware", "balance"};
  if (option == "model") return names_of_all<ModelKind>();
  if (option == "assume") return {"embedding", "table"};
  if (option == "views") return {"all", "anchored"};
  if (option == "metric") return {"euclidean", "cosine"};
  if (option == "scope") return {"class", "group", "class-in-group"};
  if (option == "method") return {"closed-form", "paper", "paper-rebalanced"};
  return {};
}

void check_value(const std::string& option, const std::string& value) {
  const std::vector<std::string> known = option_values(option);
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  throw Error(ErrorKind::usage, "--" + option + ' ' + value + ": there are " + listing(known));
}

void check_options(const Dataset& dataset, const AuditOptions& options) {
  check_value("estimator", options.estimator);
  if (!options.assume.empty()) check_value("assume", options.assume);
  if (!options.assume.empty() && estimator_of(options) != EstimatorKind::automatic) {
    throw Error(ErrorKind::usage, "--assume is for --estimator auto");
  }
  check_value("views", options.views);
  check_value("metric", options.metric);
  constexpr std::size_t max_suspects = 1000;
  if (options.suspects > max_suspects) {
    throw Error(ErrorKind::usage, fmt::format("--suspects {}: at most {}; --rows has all rows",
                                              options.suspects, max_suspects));
  }
  check_anchors(dataset, options);
  check_classes(dataset);
  check_dataset(dataset);
  if (options.probabilities.rows != 0) {
    check_class_probabilities(options.probabilities, dataset.labels.codes.size(),
                              dataset.labels.classes);
  }
  check_k(dataset, options.k);
}

void check_balance_options(const Dataset& dataset, const BalanceOptions& options) {
  check_value("method", options.method);
  if (options.audit.estimator == "paper") {
    throw Error(ErrorKind::usage,
                "--estimator paper: it gives no rates to balance by; say --method paper instead");
  }
  if (!options.scope.empty()) check_value("scope", options.scope);
  const bool by_group = options.scope == "group" || options.scope == "class-in-group";
  if (by_group && dataset.groups.classes.empty()) {
    throw Error(ErrorKind::usage,
                "--scope " + options.scope + " needs groups; name their column with --group");
  }
  if (options.method != "closed-form" && (options.audit.anchors != 0 || options.audit.precision)) {
    throw Error(ErrorKind::usage, "--anchors: the paper's method needs all rows; leave it out");
  }
}

std::vector<std::string> similar_names_in(const Dataset& dataset) {
  std::vector<std::string> found = find_similar_names(dataset.labels.classes, "classes");
  for (std::string& sentence : find_similar_names(dataset.groups.classes, "groups")) {
    found.push_back(std::move(sentence));
  }
  return found;
}

EstimatorKind estimator_of(const AuditOptions& options) {
  return parse_estimator(options.estimator).value_or(EstimatorKind::automatic);
}

NoiseEstimatorOptions evidence_options(const AuditOptions& options, std::size_t positive) {
  NoiseEstimatorOptions evidence;
  evidence.k = options.k;
  evidence.seed = options.seed;
  evidence.metric = metric_of(options);
  evidence.views = views_of(options);
  evidence.positive = static_cast<std::int32_t>(positive);
  evidence.probabilities = options.probabilities;
  if (options.assume == "embedding") evidence.rule.assume = Assumption::embedding;
  if (options.assume == "table") evidence.rule.assume = Assumption::table;
  return evidence;
}

std::size_t folds_for(std::span<const std::int32_t> codes, std::size_t classes) {
  const std::vector<std::size_t> rows = count_labels(codes, classes);
  return std::clamp<std::size_t>(*std::min_element(rows.begin(), rows.end()), 2,
                                 NoiseEstimatorOptions().folds);
}

Metric metric_of(const AuditOptions& options) {
  return options.metric == "cosine" ? Metric::cosine : Metric::euclidean;
}

Views views_of(const AuditOptions& options) {
  return options.views == "anchored" ? Views::anchored : Views::all;
}

}  // namespace noiseplus
