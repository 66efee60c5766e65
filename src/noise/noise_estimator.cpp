#include <algorithm>
#include <array>
#include <chrono>
#include <initializer_list>
#include <utility>

#include "core/checks.h"
#include "learn/projection.h"
#include "neighbors/graph_check.h"
#include "neighbors/metric_check.h"
#include "noise/scores.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

// Rows with more columns, or more products in a pass over all of them, are made narrow.
constexpr std::size_t max_columns = 256;
constexpr double max_work = 1e8;
constexpr std::size_t directions_enough = 64;
constexpr int max_steps = 100;  // of a linear model; what it learns later is single rows

// Of more classes, and more rows times classes, auto makes no curve.
constexpr std::size_t many_classes = 34;
constexpr double max_cells = 3e6;
// Nor where a class of so many has fewer rows than this times the classes: its rate would be of the
// curve's pseudo-counts.
constexpr std::size_t min_rows_a_cell = 10;

// The noise that a model is told of is no nearer to none, and leaves at least this much to tell.
constexpr double min_told = .01;
// What it may then tell less of a label, in the mean, than a model that was not told.
constexpr double largest_loss = .002;

// Fewer rows teach trees little: on 1,000 the rates were no longer identified. More cells than this
// take them longer than all else.
constexpr std::size_t min_rows_for_trees = 2000;
constexpr double max_cells_for_trees = 5e6;
constexpr double min_kept_for_trees = .02;
// What the curve may tell less of a label with trees than without.
constexpr double largest_loss_by_trees = .0005;

constexpr std::array<std::pair<EstimatorKind, std::string_view>, 7> estimator_names = {{
    {EstimatorKind::automatic, "auto"},
    {EstimatorKind::curve, "curve"},
    {EstimatorKind::moments, "moments"},
    {EstimatorKind::latent_class, "latent-class"},
    {EstimatorKind::edges, "edges"},
    {EstimatorKind::overlap, "overlap"},
    {EstimatorKind::confident, "confident"},
}};

NeighborGraph nearest_of(const NeighborGraph& graph, std::size_t k) {
  NeighborGraph nearest{k, graph.anchors, {}, {}};
  nearest.ids.reserve(graph.size() * k);
  nearest.distances.reserve(graph.size() * k);
  for (std::size_t at = 0; at < graph.ids.size(); at += graph.k) {
    const auto first = static_cast<std::ptrdiff_t>(at);
    const auto last = static_cast<std::ptrdiff_t>(at + k);
    nearest.ids.insert(nearest.ids.end(), graph.ids.begin() + first, graph.ids.begin() + last);
    nearest.distances.insert(nearest.distances.end(), graph.distances.begin() + first,
                             graph.distances.begin() + last);
  }
  return nearest;
}

}  // namespace

std::string_view to_string(EstimatorKind estimator) {
  for (const auto& [kind, name] : estimator_names) {
    if (kind == estimator) return name;
  }
  return "";
}

std::optional<EstimatorKind> parse_estimator(std::string_view name) {
  for (const auto& [kind, known] : estimator_names) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

bool needs_views_only(EstimatorKind estimator) {
  return estimator == EstimatorKind::moments || estimator == EstimatorKind::latent_class;
}

bool needs_two_classes(EstimatorKind estimator) {
  return estimator == EstimatorKind::moments || estimator == EstimatorKind::overlap;
}

NoiseEstimator::NoiseEstimator(RowsView rows, std::span<const std::int32_t> codes,
                               std::span<const std::string> class_names,
                               const NoiseEstimatorOptions& options, const Execution& execution)
    : rows_(rows),
      codes_(codes),
      class_names_(class_names),
      options_(options),
      execution_(execution) {
  check_view(rows);
  check_one_per_row(codes.size(), rows.rows);
  if (rows.rows == 0) throw Error(ErrorKind::data, "there are no rows to estimate noise from");
  check_codes(codes, class_names.size());
  check_metric(options.metric);
  check_that(is_among(options.views, Views::anchored), "the views are none; say all or anchored");
  if (class_names.size() == 2) check_class(options.positive, 2);
  if (has_probabilities()) {
    check_class_probabilities(options.probabilities, rows.rows,
                              {class_names.begin(), class_names.end()});
  }
  for (const std::uint32_t anchor : options.anchors) {
    check_that(anchor < rows.rows, "an anchor is not a row; count rows from 0");
  }
}

std::size_t NoiseEstimator::voters() const {
  return std::min(options_.voters, rows_.rows - 1);
}

void NoiseEstimator::use(NeighborGraph graph) {
  check_graph(graph, rows_.rows);
  bool has_anchors =
      graph.size() == (options_.anchors.empty() ? rows_.rows : options_.anchors.size());
  for (std::size_t t = 0; t < graph.size() && has_anchors; ++t) {
    has_anchors = graph.anchors[t] == (options_.anchors.empty() ? t : options_.anchors[t]);
  }
  check_that(graph.k > 0 && has_anchors && graph.distances.size() == graph.ids.size(),
             "the graph is not of these anchors in their order, with a distance for each neighbor");
  const std::size_t neighbors = graph.k;
  graphs_.insert_or_assign(neighbors, std::move(graph));
}

const NeighborGraph& NoiseEstimator::graph(std::size_t neighbors) {
  check_that(neighbors > 0, "a graph needs at least one neighbor per row");
  const auto found = graphs_.find(neighbors);
  if (found != graphs_.end()) return found->second;
  const auto wider = graphs_.upper_bound(neighbors);
  if (wider != graphs_.end()) {
    return graphs_.emplace(neighbors, nearest_of(wider->second, neighbors)).first->second;
  }
  const auto start = std::chrono::steady_clock::now();
  NeighborOptions search;
  search.k = neighbors;
  search.seed = options_.seed;
  search.metric = options_.metric;
  search.anchors = options_.anchors;
  NeighborGraph graph = find_neighbors(rows_, search, execution_);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  seconds_searching_ += took.count();
  return graphs_.emplace(neighbors, std::move(graph)).first->second;
}

// Empty where auto can look at scores.
std::string NoiseEstimator::why_no_curve() const {
  const std::vector<std::size_t> rows = count_labels(codes_, class_names_.size());
  const std::size_t fewest = *std::min_element(rows.begin(), rows.end());
  if (fewest < 2 && !has_probabilities()) {
    return "a class has one row only, so that no linear model can be tested on it";
  }
  const std::size_t classes = class_names_.size();
  const double cells = static_cast<double>(rows_.rows) * static_cast<double>(classes);
  if (classes > many_classes && cells > max_cells) {
    return "a curve of so many classes would take long";
  }
  if (classes > many_classes && fewest < min_rows_a_cell * classes) {
    return "a curve of so many classes needs more rows of each";
  }
  return "";
}

// Of wide rows and many classes a linear model takes longer than all else together, and learns rows
// by heart; what it is asked for here, the first principal directions tell nearly as well.
RowsView NoiseEstimator::scored_rows() {
  const std::size_t outputs = class_names_.size() == 2 ? 1 : class_names_.size();
  const double work =
      static_cast<double>(rows_.rows * rows_.columns) * static_cast<double>(outputs);
  const bool is_wide = rows_.columns > max_columns || work > max_work;
  if (!is_wide || rows_.columns <= directions_enough) return rows_;
  if (!narrow_) narrow_ = principal_coordinates(rows_, directions_enough, execution_);
  return narrow_->view();
}

Matrix NoiseEstimator::score(std::vector<double> transition) {
  FoldOptions folds;
  folds.seed = options_.seed;
  folds.class_names.assign(class_names_.begin(), class_names_.end());
  folds.folds = options_.folds;
  folds.transition = std::move(transition);
  folds.linear.max_steps = max_steps;
  return out_of_sample_probabilities(scored_rows(), {codes_, class_names_.size()}, folds,
                                     execution_);
}

MatrixView NoiseEstimator::scores() {
  if (has_probabilities()) return options_.probabilities;
  if (!linear_scores_) linear_scores_ = score({});
  return linear_scores_->view();
}

CurveFit NoiseEstimator::curve_on(std::initializer_list<MatrixView> scores) const {
  return fit_curve(std::vector<MatrixView>(scores), codes_, class_names_, {}, execution_);
}

const CurveFits& NoiseEstimator::curves() {
  if (curves_) return *curves_;
  const std::size_t classes = class_names_.size();
  Matrix votes = vote_scores(graph(voters()), codes_, classes);
  CurveFit by_votes = curve_on({votes.view()});
  if (options_.k < voters()) {
    Matrix few = vote_scores(views(), codes_, classes);
    CurveFit by_few = curve_on({few.view()});
    if (by_few.log_likelihood > by_votes.log_likelihood) {
      votes = std::move(few);
      by_votes = std::move(by_few);
    }
  }
  MatrixView linear = scores();
  CurveFit by_linear = curve_on({linear});
  Matrix clean_scores;
  if (classes == 2 && !has_probabilities()) {
    // A linear model of noisy labels bends where the noise has its edges. Told of the noise that is
    // seen so far, it need not, and the edges show more clearly.
    std::vector<double> transition = curve_on({linear, votes.view()}).estimate.transition;
    for (double& cell : transition) cell = std::clamp(cell, min_told, 1 - min_told);
    if (transition[0] + transition[3] > 1 + min_told) {
      clean_scores = score(std::move(transition));
      CurveFit by_clean = curve_on({clean_scores.view()});
      if (by_clean.log_likelihood > by_linear.log_likelihood - largest_loss) {
        linear = clean_scores.view();
        by_linear = std::move(by_clean);
      }
    }
  }
  CurveFit by_both = curve_on({linear, votes.view()});
  std::optional<CurveFit> without_trees;
  if (is_for_trees(by_votes)) {
    const Matrix trees = tree_scores(by_both.estimate.transition);
    CurveFit by_all = curve_on({linear, trees.view(), votes.view()});
    if (by_all.log_likelihood > by_both.log_likelihood - largest_loss_by_trees) {
      without_trees = std::exchange(by_both, std::move(by_all));
    }
  }
  curves_ = CurveFits{std::move(by_linear), std::move(by_votes), std::move(by_both),
                      std::move(without_trees)};
  return *curves_;
}

// Trees see what bends and interacts in a table. They have nothing to add where neighbors share
// their labels or rows repeat each other, and take long on wide rows.
bool NoiseEstimator::is_for_trees(const CurveFit& by_votes) {
  return !has_probabilities() && class_names_.size() == 2 && rows_.rows >= min_rows_for_trees &&
         static_cast<double>(rows_.rows * rows_.columns) <= max_cells_for_trees &&
         options_.rule.assume != Assumption::embedding &&
         shape_of(by_votes.posterior.view(), options_.rule.pure_from).mixed >
             options_.rule.max_mixed &&
         distinct() >= options_.rule.min_distinct;
}

double NoiseEstimator::distinct() {
  if (!distinct_) distinct_ = distinct_share(rows_, execution_);
  return *distinct_;
}

// Trained once with the loss corrected for the noise seen so far: trees that learn the labels as
// they are level off where the noise does, and hide its edges.
Matrix NoiseEstimator::tree_scores(std::vector<double> transition) const {
  FoldOptions folds;
  folds.seed = options_.seed;
  folds.class_names.assign(class_names_.begin(), class_names_.end());
  folds.folds = options_.folds;
  for (double& cell : transition) cell = std::clamp(cell, min_told, 1 - min_told);
  if (transition[0] + transition[3] > 1 + min_kept_for_trees) folds.transition = transition;
  return out_of_fold_tree_probabilities(rows_, {codes_, class_names_.size()}, folds, {},
                                        execution_);
}

const Matrix& NoiseEstimator::posterior() {
  if (why_no_curve().empty()) return curves().both.posterior;
  if (!vote_posterior_) {
    vote_posterior_ = vote_scores(graph(voters()), codes_, class_names_.size());
  }
  return *vote_posterior_;
}

NoiseEstimate NoiseEstimator::estimate(EstimatorKind estimator) {
  const std::string name(to_string(estimator));
  check_that(!name.empty(), "the estimator is none; take a value of EstimatorKind");
  if (needs_two_classes(estimator) && class_names_.size() > 2) {
    throw Error(ErrorKind::usage, name + " is for two classes; use auto or latent-class");
  }
  if (!options_.anchors.empty() && !needs_views_only(estimator)) {
    throw Error(ErrorKind::usage, name + " looks at all rows, not at the neighbors of some");
  }
  switch (estimator) {
    case EstimatorKind::moments:
      return estimate_by_moments(views(), codes_, class_names_, {options_.positive, options_.views},
                                 execution_);
    case EstimatorKind::latent_class:
      if (!latent_) {
        latent_ = estimate_by_latent_class(views(), codes_, class_names_, {}, execution_);
      }
      return *latent_;
    case EstimatorKind::overlap:
      return estimate_by_overlap(graph(voters()), codes_, class_names_, {}, execution_);
    case EstimatorKind::edges:
      return estimate_by_edges(scores(), codes_, class_names_);
    case EstimatorKind::confident:
      return estimate_from_probabilities(scores(), codes_, class_names_);
    case EstimatorKind::curve:
      return curves().both.estimate;
    case EstimatorKind::automatic:
      break;
  }
  return choose();
}

NoiseEstimate NoiseEstimator::choose() {
  const std::string why = why_no_curve();
  if (!why.empty()) {
    NoiseEstimate estimate = this->estimate(EstimatorKind::latent_class);
    estimate.warnings.push_back(why + ": the latent classes stand in for auto");
    return estimate;
  }
  const NeighborGraph& voters_graph = graph(voters());
  const CurveFits& fits = curves();
  const NoiseEstimate latent = estimate(EstimatorKind::latent_class);
  chosen_ = choose_estimate(fits, {latent.transition, latent.prior}, voters_graph, distinct(),
                            class_names_, options_.rule);
  return chosen_->estimate;
}

}  // namespace noiseplus
