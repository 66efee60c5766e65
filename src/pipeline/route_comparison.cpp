#include "pipeline/route_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/intervals.h"
#include "core/thread_pool.h"
#include "learn/projection.h"
#include "noise/scores.h"
#include "pipeline/options.h"

#ifndef NOISEPLUS_COMPARED_ROWS
#define NOISEPLUS_COMPARED_ROWS 6000
#endif

namespace noiseplus {
namespace {

constexpr std::size_t folds = 3;
constexpr std::size_t min_rows = 300;
constexpr std::size_t max_rows = NOISEPLUS_COMPARED_ROWS;
// A class with fewer rows in the sample takes no part: there are too few to train and to test on.
constexpr std::size_t min_class_rows = 15;
// Wider rows are taken along their first principal directions.
constexpr std::size_t max_columns = 128, directions = 64;
// Rows times columns times outputs of the trees: fewer rows where that would be more.
constexpr double max_cells = 1e6;
constexpr std::size_t min_sampled = 600;
// Floats that are copied for the sample: 64 MB.
constexpr std::size_t max_values = std::size_t{1} << 24;
// The audits of the folds take long with more classes, and trees have too few rows of each.
constexpr std::size_t max_classes = 20;

// Boosted trees as LightGBM has them unless told otherwise: that is what tables are mostly trained
// with. More classes need as many trees in each round, and get fewer rounds of smaller trees.
TreeOptions tree_options(std::size_t classes) {
  TreeOptions trees;
  trees.trees = 100;
  trees.learning_rate = .1;
  trees.max_leaves = 31;
  trees.max_depth = 64;
  trees.min_rows_in_leaf = 20;
  trees.ridge = 0;
  trees.row_share = trees.column_share = 1;
  if (classes > 2) {
    trees.trees = 30;
    trees.learning_rate = .25;
    trees.max_leaves = 15;
    trees.max_bins = 32;
  }
  return trees;
}

// A row surely mislabeled keeps a little weight, so that no class loses all of its rows.
constexpr float min_weight = 1e-3F;
// A label that counts for more than this multiplies what chance, and errors of T, do to it.
constexpr float max_worth = 7;

// Whether labels can be corrected by the inverse of T.
bool can_be_corrected(const std::vector<double>& transition, std::size_t classes) {
  std::vector<std::int32_t> each(classes);
  std::iota(each.begin(), each.end(), 0);
  try {
    const Targets inverse = backward_targets({each, classes}, transition);
    const float* const first = inverse.weights.row(0);
    return std::all_of(first, first + classes * classes,
                       [](float worth) { return std::abs(worth) <= max_worth; });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::impossible) return false;
    throw;
  }
}

// Some rows of the data set, with codes of the classes that are left.
struct Sample {
  Matrix rows;
  std::vector<std::int32_t> codes, groups;
  std::vector<std::string> classes;
  bool has_all_classes = true;
};

std::size_t rows_to_sample(const Dataset& dataset, std::size_t classes) {
  const std::size_t columns = dataset.features.view().columns;
  const std::size_t used = columns > max_columns ? directions : columns;
  const std::size_t outputs = classes == 2 ? 1 : classes;
  const double rows = max_cells / static_cast<double>(used * outputs);
  return std::min(std::clamp(static_cast<std::size_t>(rows), min_sampled, max_rows),
                  max_values / columns);
}

Sample take_sample(const Dataset& dataset, std::uint64_t seed, const Execution& execution) {
  const RowsView all = dataset.features.view();
  const std::vector<std::int32_t>& codes = dataset.labels.codes;
  const std::size_t classes = dataset.labels.classes.size();
  std::vector<std::uint32_t> chosen =
      sample_rows(all.rows, rows_to_sample(dataset, classes), seed, Stream::split);
  std::vector<std::size_t> class_rows(classes);
  for (const std::uint32_t n : chosen) ++class_rows[static_cast<std::size_t>(codes[n])];

  Sample sample;
  std::vector<std::int32_t> new_code(classes, -1);
  for (std::size_t c = 0; c < classes; ++c) {
    if (class_rows[c] < min_class_rows) continue;
    new_code[c] = static_cast<std::int32_t>(sample.classes.size());
    sample.classes.push_back(dataset.labels.classes[c]);
  }
  sample.has_all_classes = sample.classes.size() == classes;
  std::erase_if(chosen,
                [&](std::uint32_t n) { return new_code[static_cast<std::size_t>(codes[n])] < 0; });
  sample.rows = Matrix(chosen.size(), all.columns);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::uint32_t n = chosen[i];
    float* const place = sample.rows.row(i);
    const float* const row = all.row(n, place);
    if (row != place) std::copy_n(row, all.columns, place);
    sample.codes.push_back(new_code[static_cast<std::size_t>(codes[n])]);
    if (!dataset.groups.codes.empty()) sample.groups.push_back(dataset.groups.codes[n]);
  }
  if (all.columns > max_columns && !chosen.empty()) {
    sample.rows = principal_coordinates(sample.rows.view(), directions, execution);
  }
  return sample;
}

// One fold: the rows to train on, what their own audit says of them, and the rows held out.
struct Fold {
  Matrix rows, held_out;
  std::vector<std::int32_t> codes, groups;
  std::vector<std::size_t> held_out_rows;  // in the sample
  std::vector<double> transition;
  std::vector<float> right;
};

Fold cut(const Sample& sample, const std::vector<std::int32_t>& fold_of, std::int32_t number) {
  const auto inside = static_cast<std::size_t>(std::count(fold_of.begin(), fold_of.end(), number));
  const std::size_t columns = sample.rows.columns();
  Fold fold{Matrix(fold_of.size() - inside, columns), Matrix(inside, columns), {}, {}, {}, {}, {}};
  std::size_t next = 0;
  for (std::size_t n = 0; n < fold_of.size(); ++n) {
    const float* const row = sample.rows.row(n);
    if (fold_of[n] == number) {
      std::copy_n(row, columns, fold.held_out.row(fold.held_out_rows.size()));
      fold.held_out_rows.push_back(n);
    } else {
      std::copy_n(row, columns, fold.rows.row(next++));
      fold.codes.push_back(sample.codes[n]);
      if (!sample.groups.empty()) fold.groups.push_back(sample.groups[n]);
    }
  }
  return fold;
}

void judge(Fold& fold, const std::vector<std::string>& classes, const AuditOptions& options,
           const Execution& execution) {
  AuditOptions own = options;
  own.probabilities = {};
  own.k = std::min(options.k, fold.rows.rows() - 1);
  NoiseEstimatorOptions with = evidence_options(own, std::min<std::size_t>(1, classes.size() - 1));
  with.folds = std::min<std::size_t>(folds, folds_for(fold.codes, classes.size()));
  NoiseEstimator evidence(fold.rows.view(), fold.codes, classes, with, execution);
  const NoiseEstimate estimate = evidence.estimate(estimator_of(options));
  const LabelQuality quality =
      label_quality(evidence.posterior().view(), estimate, fold.codes, execution);
  fold.transition = estimate.transition;
  fold.right.reserve(quality.right.size());
  for (const double right : quality.right) {
    fold.right.push_back(std::max(static_cast<float>(right), min_weight));
  }
}

enum class Route { plain, weight, correct, balance };

std::string action_of(Route route) {
  switch (route) {
    case Route::weight:
      return "weight";
    case Route::correct:
      return "correct";
    case Route::balance:
      return "balance";
    case Route::plain:
      break;
  }
  return "nothing";
}

class Comparison {
 public:
  Comparison(const Dataset& dataset, const AuditOptions& options, const AuditReport& report,
             const Execution& execution)
      : options_(options),
        report_(report),
        execution_(execution),
        sample_(take_sample(dataset, options.seed, execution)) {}

  std::optional<RouteComparison> run() {
    const std::size_t classes = sample_.classes.size();
    if (classes < 2 || sample_.codes.size() < min_rows) return std::nullopt;
    result_.rows = sample_.codes.size();
    routes_ = {Route::plain, Route::weight};
    const bool classes_differ =
        report_.estimate.identified && !report_.claims.empty() && sample_.has_all_classes;
    if (classes_differ) {
      result_.is_corrected = can_be_corrected(report_.estimate.transition, classes);
    }
    if (!report_.plan.flips_nothing() && sample_.has_all_classes) {
      routes_.push_back(Route::balance);
    }
    cut_and_judge();
    const auto tells_classes_apart = [classes](const Fold& fold) {
      return can_be_corrected(fold.transition, classes);
    };
    if (classes_differ && std::ranges::all_of(folds_, tells_classes_apart)) {
      routes_.push_back(Route::correct);
    }
    answer();
    compare();
    return std::move(result_);
  }

 private:
  void cut_and_judge() {
    const std::vector<std::int32_t> fold_of =
        stratified_folds({sample_.codes, sample_.classes.size()}, folds, options_.seed);
    for (std::size_t f = 0; f < folds; ++f) {
      const Execution part = part_of(execution_, "routes", .5 * static_cast<double>(f) / folds,
                                     .5 * static_cast<double>(f + 1) / folds);
      folds_.push_back(cut(sample_, fold_of, static_cast<std::int32_t>(f)));
      judge(folds_.back(), sample_.classes, options_, part);
    }
  }

  // Small models, each on one thread: together they use all.
  void answer() {
    answers_.assign(routes_.size(), std::vector<std::int32_t>(sample_.codes.size()));
    const Execution part = part_of(execution_, "routes", .5, 1);
    ProgressMeter meter(part, "routes", folds * routes_.size());
    ThreadPool pool(execution_.threads);
    pool.for_each(folds * routes_.size(), [&](std::size_t task) {
      const Fold& fold = folds_[task / routes_.size()];
      const std::size_t r = task % routes_.size();
      const Model model = train(fold, routes_[r]);
      const std::vector<std::int32_t> answers =
          most_likely(probabilities(model, fold.held_out.view(), {.threads = 1}).view());
      for (std::size_t i = 0; i < answers.size(); ++i) {
        answers_[r][fold.held_out_rows[i]] = answers[i];
      }
      meter.step();
    });
    meter.finish();
  }

  Model train(const Fold& fold, Route route) const {
    GivenLabels labels{fold.codes, sample_.classes.size()};
    std::vector<std::int32_t> balanced;
    if (route == Route::weight) labels.row_weights = fold.right;
    if (route == Route::balance) {
      balanced = apply(report_.plan, fold.codes, fold.groups, options_.seed);
      labels.codes = balanced;
    }
    const Targets targets = route == Route::correct ? forward_targets(labels, fold.transition)
                                                    : cross_entropy_targets(labels);
    const Execution alone{.threads = 1};
    return train_trees(fold.rows.view(), targets,
                       {tree_options(sample_.classes.size()), options_.seed, {}}, alone)
        .model;
  }

  void compare() {
    const GivenLabels labels{sample_.codes, sample_.classes.size()};
    const Targets given = cross_entropy_targets(labels);
    const Targets clean = result_.is_corrected
                              ? backward_targets(labels, report_.estimate.transition)
                              : cross_entropy_targets(labels);
    for (std::size_t r = 1; r < routes_.size(); ++r) {
      const Difference by_clean = difference(r, clean), by_given = difference(r, given);
      result_.gains.push_back({action_of(routes_[r]), by_clean.interval(), by_clean.standard_error,
                               by_given.interval()});
    }
  }

  struct Difference {
    double mean = 0, standard_error = 0;

    EstimateWithInterval interval() const {
      const double reach = usual_quantile * standard_error;
      return {mean, mean - reach, mean + reach};
    }
  };

  // Of a route from plain training. `worth` says for each row what each answer is worth: 1 or 0 by
  // its given label, or the unbiased estimate of that by its clean label.
  Difference difference(std::size_t route, const Targets& worth) const {
    const std::size_t rows = sample_.codes.size();
    double sum = 0, squares = 0;
    for (std::size_t n = 0; n < rows; ++n) {
      const float* const of_row = worth.weights.row(n);
      const double gained = double{of_row[answers_[route][n]]} - double{of_row[answers_[0][n]]};
      sum += gained;
      squares += gained * gained;
    }
    const double count = static_cast<double>(rows), mean = sum / count;
    const double variance = std::max(squares / count - mean * mean, 0.0);
    return {mean, std::sqrt(variance / count)};
  }

  const AuditOptions& options_;
  const AuditReport& report_;
  const Execution& execution_;
  Sample sample_;
  std::vector<Route> routes_;
  std::vector<Fold> folds_;
  std::vector<std::vector<std::int32_t>> answers_;  // of each route, for each row of the sample
  RouteComparison result_;
};

}  // namespace

std::optional<RouteComparison> compare_routes(const Dataset& dataset, const AuditOptions& options,
                                              const AuditReport& report,
                                              const Execution& execution) {
  const RowsView rows = dataset.features.view();
  if (rows.columns == 0 || rows.rows < min_rows || dataset.labels.classes.size() > max_classes) {
    return std::nullopt;
  }
  try {
    return Comparison(dataset, options, report, execution).run();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled) throw;
    return std::nullopt;
  }
}

}  // namespace noiseplus
