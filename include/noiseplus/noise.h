// Stage 4, noise: how often the labels of each class are wrong, without knowing one true label.
//
// The idea: a row and its k nearest neighbors share one hidden clean label and have independent
// noisy ones, so they are k + 1 looks ("views") at it. How often the views agree gives the noise
// rates. Notation: e+ = P(label 0 | clean 1), e- = P(label 1 | clean 0), p = P(clean 1). The class
// called 1 or positive is the caller's choice; every result about classes is in the order of the
// labels' classes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noiseplus/core.h"
#include "noiseplus/learn.h"
#include "noiseplus/neighbors.h"

namespace noiseplus {

// ------------------------------------------------------------------------------------- view counts

// How many anchors have label y and c positives among their k neighbors. Integers that add up, so
// threads, shards and machines all reduce to the same numbers.
// Layout: cell (y, c) is at y * (k + 1) + c, for y in {0, 1} and c in 0..k.
struct ViewCounts {
  std::size_t k = 0;
  std::vector<std::int64_t> cells;

  // These throw usage when there are not 2 (k + 1) cells, or a count is negative.
  std::int64_t anchors() const;
  // Each cell's share of the anchors. Throws usage when there are none.
  std::vector<double> shares() const;
  // Throws usage unless both have the same k, or the left side is empty.
  ViewCounts& operator+=(const ViewCounts& other);
};

// How many ordered pairs of anchors, of cells (u, v), share at least one row among their views; a
// pair of an anchor with itself counts. Layout: (u, v) at u * 2 (k + 1) + v.
struct PairCounts {
  std::size_t k = 0;
  std::vector<std::int64_t> cells;
  // Pairs of rows that both view sets of a pair hold, added up over all pairs: how much the mean of
  // a product of two labels repeats itself, and so how far it strays by chance.
  std::int64_t common_row_pairs = 0;
};

// `codes` are the labels of all rows; those equal to `positive` are 1, the others 0. Like all that
// take a graph, they throw usage when it is not of these rows.
ViewCounts count_views(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                       std::int32_t positive);
PairCounts count_pairs(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                       std::int32_t positive, const Execution& execution = {});

// ------------------------------------------------------------------------------------- moments

// m1 = P(view is 1), m2 = P(two views are 1), m3 = P(three views are 1).
struct Moments {
  double m1 = 0, m2 = 0, m3 = 0;
};

// Which views a pair or a triple is made of. The two have the same expectation where neighbors
// share their clean label. Where they do not quite, `anchored` is biased, by opposite amounts for
// the two choices of the positive class; `all` gives the same rates for both (docs/estimators.md).
enum class Views {
  all,      // any of the k + 1
  anchored  // the row itself and one, or two, of its neighbors
};

// `shares` as ViewCounts::shares() or exact probabilities in the same layout. Throws usage when k
// is below 2, or they are not 2 (k + 1) probabilities.
Moments moments_of(std::span<const double> shares, std::size_t k, Views views = Views::all);

// What the moments say, in closed form; nothing is clamped.
struct MomentSolution {
  double s = 1;             // 1 - e+ + e-; above 1 the positives are cleaner, at any prior
  double e_positive = 0;    // e+
  double e_negative = 0;    // e-
  double prior = 0;         // p
  double conditioning = 0;  // m2 - m1^2 = p (1-p) (1 - e+ - e-)^2; near 0 nothing can be known
  bool solvable = false;    // false: the moments are of no mixture; only conditioning is set
};

MomentSolution solve(const Moments& moments);

// Standard errors of a solution, from pairs of view sets that share rows (and so are dependent).
struct MomentErrors {
  double s = 0, e_positive = 0, e_negative = 0, prior = 0, conditioning = 0;

  // Of the conditioning, were all labels drawn without regard to the features.
  double chance = 0;

  // Share of the variance of s that is due to view sets having rows in common. It stays when more
  // rows of the same data become anchors: with c times as many the variance of s is about
  // (1 - shared) / c + shared of what it is.
  double shared = 0;

  // About how many independent view sets of the rarer clean class there are: what the errors
  // themselves are estimated from. Intervals widen by Student's t when it is small.
  double degrees = 0;
};

// Two-sided 95 % quantile of Student's t, and the two-sided p-value of a statistic. Fewer than 4
// degrees count as 4. Accurate to .002 from there on. NaN gives NaN.
double student_quantile(double degrees);
double student_p_value(double statistic, double degrees);

// Throws usage when views and pairs are not of the same k, from 2 on.
MomentErrors errors_of(const Moments& moments, const MomentSolution& solution,
                       const ViewCounts& views, const PairCounts& pairs, Views use = Views::all);

// ------------------------------------------------------------------------------------- agreements

// The paper's measure for three views: PA = P(both neighbors 1 | row 1), NA likewise for 0.
struct Agreements {
  double positive = 0, negative = 0;
  double gap() const { return positive - negative; }
};

// `shares` for k = 2: throws usage unless there are 6. A class that does not occur has agreement 0.
Agreements agreements_of(std::span<const double> shares);

// ------------------------------------------------------------------------------------- estimate

// What is known about the noise. T[i][j] = P(label j | clean i) is at i * classes + j.
struct NoiseEstimate {
  std::string estimator;
  std::vector<double> prior;                // of the clean classes
  std::vector<EstimateWithInterval> noise;  // of each class: 1 - T[i][i]
  std::vector<double> transition;           // T
  EstimateWithInterval gap;                 // highest minus lowest rate
  double gap_shared = 0;  // share of the gap's variance that more anchors of these rows would leave
  double s = 1;           // two classes: 1 - rate of class 1 + rate of class 0, not clamped
  double p_value = 1;     // of "all rates are equal"
  double conditioning = 0;
  bool identified = false;  // false: the rates are not to be relied on; a warning says why
  int noisier = -1;  // class with the higher rate, when the difference is significant; else -1
  int cleaner = -1;
  int leans = -1;  // class that looks noisier without being proved so, or -1
  std::vector<std::string> warnings;
};

struct MomentOptions {
  // Changes the answer.
  std::int32_t positive = 1;
  Views views = Views::all;
  double significance = 0.05;
};

// Two classes, any prior. Assumes that a row and its neighbors share their clean label: where
// classes overlap, overlap is read as noise. `class_names` appear in warnings only. Throws usage
// unless codes and options.positive are 0 or 1, and graph.k is 2 or more.
NoiseEstimate estimate_by_moments(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                                  std::span<const std::string> class_names,
                                  const MomentOptions& options = {},
                                  const Execution& execution = {});

// ------------------------------------------------------------------------------------- latent
// class

// Any number of classes. The k + 1 views of a row are draws from one row of T, that of the hidden
// clean label: with c[j] = how many of them are of class j,
//   P(c) ~ sum over i of prior[i] * product over j of T[i][j]^c[j].
// Prior and T of the greatest likelihood are found by expectation-maximisation. It starts at
// T[i][i] = (1 + 1/K) / 2 with the rest spread evenly and the prior of the given labels, which
// decides which hidden class is called what: the one that mostly has that label.
struct LatentClassOptions {
  // Changes the answer.
  double tolerance = 1e-9;  // of the mean log likelihood: a step that gains less is the last
  int max_steps = 300;      // passes over the data
  bool accelerated = true;  // SQUAREM (Varadhan and Roland 2008): the same answer in fewer steps
  double significance = 0.05;
};

struct LatentClassFit {
  std::size_t classes = 0;
  std::vector<double> prior;       // of the clean classes
  std::vector<double> transition;  // T
  double log_likelihood = 0;  // mean of the view sets, but for a constant, before the last step
  int steps = 0;
  bool converged = false;
};

// Throws usage when k is below 2, or a code is not in 0..classes-1; data when there is one
// class only, or more than memory for them. Memory: of the order of k numbers an anchor, some
// matrices of classes x classes, and some 64 MB.
LatentClassFit fit_latent_classes(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                                  std::size_t classes, const LatentClassOptions& options = {},
                                  const Execution& execution = {});

// The fit with intervals, in the terms of the other estimators; overlap is read as noise, as by the
// moments. Two classes with k = 2: the same rates as theirs, where those are within [0, 1].
//
// Intervals are from the scores of the view sets and the products of those that share a row; up to
// 16 classes with all parameters uncertain, of more with the three that matter for each class: its
// prior, its rate, and how often others have its label. `gap` and `p_value` are those of the
// highest against the lowest rate, corrected for the number of pairs of classes; `noisier` and
// `cleaner` are these two where that is significant. `conditioning` is the least, over classes, of
// how much more often than by chance two views both have its label; of two classes that is m2 -
// m1^2. `identified` is false, and a warning names the class, when one is hardly ever true, has
// another label as often as its own, is no better recognized by neighbors than by chance, or has a
// rate that is anybody's guess.
NoiseEstimate estimate_by_latent_class(const NeighborGraph& graph,
                                       std::span<const std::int32_t> codes,
                                       std::span<const std::string> class_names,
                                       const LatentClassOptions& options = {},
                                       const Execution& execution = {});

// ----------------------------------------------------------------------------- confident learning

// Confident learning (Northcutt, Jiang, Chuang 2021), which compares labels with what a model says
// of rows it was not trained on. The numbers are those of cleanlab 2.9's
// estimate_py_and_noise_matrices_from_probabilities, its quirks included.
struct ConfidentJoint {
  std::size_t classes = 0;
  std::vector<double> thresholds;     // a class is credible from here on; 2, so never, when absent
  std::vector<std::int64_t> counted;  // (label i, guess j) at i * classes + j: rows, as counted
  std::vector<std::int64_t> counts;   // the same, scaled so that every row of the data counts
  std::vector<double> prior;          // of the clean classes; never 0, even of a class without rows
  // T. A class that is no row's guess has a row of zeros.
  std::vector<double> transition;
};

// `probabilities` is n x K, out of sample; row n's label is codes[n]. Sums are in double precision.
// Throws usage when sizes or codes do not fit, data when a probability is not within [0, 1].
ConfidentJoint confident_joint(MatrixView probabilities, std::span<const std::int32_t> codes);

// What the joint says, in the terms of the other estimators. The intervals are binomial, from the
// counts: they cover the chance of counting and NOT the bias of the method, which takes rows of
// overlapping classes for mislabeled ones and is often the larger error; a warning says so. For
// the same reason no class is ever claimed to be noisier: `leans` is the noisiest one where
// counting alone would prove it, by `p_value`, which is corrected for the number of pairs of
// classes; so is the interval of `gap`. `gap_shared` stays 0; `conditioning` is p (1-p) (1 - e+ -
// e-)^2 of two classes and 0 of more. `identified` is false, and a warning names the class, when
// no row's guess is a class, or when its label is no likelier on its own rows than on another's;
// where T has a row of zeros, that of the identity takes its place.
NoiseEstimate estimate_from_probabilities(MatrixView probabilities,
                                          std::span<const std::int32_t> codes,
                                          std::span<const std::string> class_names);

// The same with the probabilities of a linear model, trained on the other folds. Throws as
// stratified_folds does.
NoiseEstimate estimate_by_confident_learning(RowsView rows, const GivenLabels& labels,
                                             const FoldOptions& options = {},
                                             const Execution& execution = {});

// ------------------------------------------------------------------------------------------ edges

// Where classes overlap, the share of label 1 near a row, P(label 1 | row) = e- + (1 - e+ - e-)
// P(clean 1 | row), moves between two edges, e- and 1 - e+. The rows that score highest for a class
// are near its edge, and how they are labeled is its row of T.
struct EdgeOptions {
  // Changes the answer.
  double tail = .02;           // share of the rows that counts as scoring highest
  std::size_t min_rows = 100;  // in a tail; but never more than a quarter of all rows
};

// `scores` is n x K, out of sample: a model that has seen a row's own label puts it where the label
// says. The prior solves label shares = T^t prior. Intervals are Wilson's: they cover the chance of
// counting, and NOT the bias of a tail that is not pure, which makes rates too high; a warning says
// so, and for the same reason no class is claimed to be noisier: `leans` is the noisiest where
// chance alone cannot explain it. Throws usage when sizes, codes or options do not fit, data when a
// score is not within [0, 1] or there are fewer than four rows.
NoiseEstimate estimate_by_edges(MatrixView scores, std::span<const std::int32_t> codes,
                                std::span<const std::string> class_names,
                                const EdgeOptions& options = {});

// ------------------------------------------------------------------------------------------ votes

// How many neighbors of each anchor carry each label: anchors x K. A row has no vote of its own.
// Throws usage when a label is missing or not below `classes`.
Matrix count_votes(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                   std::size_t classes);

// The same as scores, out of sample as a row's own label has no part: two classes (votes + 1/2) /
// (k + 1); more classes (votes + K q / 10 + 1/1000) / (k + K / 10) with q the class's share of all
// labels.
Matrix vote_scores(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                   std::size_t classes);

// ------------------------------------------------------------------------------------------ curve

// The share of labels as a curve over scores, with free asymptotes: P(label j | row) = sum over i
// of h_i T[i][j], where h = P(clean | row) is a logistic function of the scores. Where the curve
// levels off, it shows T. All rows take part, not those of a tail only: errors are about a third of
// those of `edges`.
struct CurveOptions {
  // Changes the answer.
  double ridge = .01;  // two classes: on the weights of the standardized logits
  int max_steps = 200;
  double tolerance = 1e-6;  // on the largest entry of the gradient of the mean log likelihood
  // More classes: up to so many parameters, K^2 + K + the number of scores, all are taken as
  // uncertain in the errors: 34 classes. The time to solve for them grows as their cube.
  std::size_t max_parameters = 1200;
};

struct CurveFit {
  NoiseEstimate estimate;               // "curve"; the prior is the mean of the posterior
  std::vector<double> standard_errors;  // of the rate of each class
  std::vector<double> covariance;       // K x K: of the rates; its diagonal is the errors' squares
  Matrix posterior;                     // n x K: P(clean | row)
  // Of the rate of each class: upper limits from the labels of the rows that score highest for it.
  // They hold without a pure region, if noise depends on the class only.
  std::vector<double> upper_limits;
  double log_likelihood = 0;  // of a label, in the mean; a little less, for the penalties

  // Standard error of the difference of two rates, which are not estimated independently. Throws
  // usage when there is no such class.
  double error_of_gap(std::size_t a, std::size_t b) const;
};

// Each of `scores` is n x K, out of sample: those of a linear model, of neighbors (vote_scores),
// or both. Two classes: the features are standardized logits of the scores of class 1, clipped to
// [.001, .999]; maximum likelihood from three starts, with rates below .6. More classes: logarithms
// of scores clipped from below at 1e-4, one pseudo-count a cell of T.
//
// Errors are sandwiches (Huber 1967) with all parameters uncertain, times 1.05 because scores are
// learnt from these very labels; the pull of the pseudo-counts counts as an error. With more than
// `max_parameters` the error of a rate is worked out with the weights of the scores, the class's
// own intercept and its row of T uncertain, while those of other classes are held fixed: .77
// to 1.22 times the full error, .94 on average, with 6 to 30 classes. The lower end of `gap` and
// `p_value` hold for all pairs of classes at once. Where the assumption holds, intervals of rates
// and of the gap were measured to cover 92 to 99 %, with two to four classes. They do not cover
// what it is wrong by: votes of neighbors level off before the classes do, so that on votes alone,
// of classes that overlap, they cover less; and as with `edges` a class without a pure region has a
// rate that is too high, so that `leans` is set where chance is ruled out and `noisier` never: see
// choose_estimate. A class with fewer rows than pseudo-counts is not identified.
//
// Reports its progress as "curve". Throws as estimate_by_edges does, and cancelled.
CurveFit fit_curve(std::span<const MatrixView> scores, std::span<const std::int32_t> codes,
                   std::span<const std::string> class_names, const CurveOptions& options = {},
                   const Execution& execution = {});

// ---------------------------------------------------------------------------------------- overlap

// The same edges without a model: the share of positives around a row has a distribution, which is
// taken to be a few values ("atoms"), and the counts of positives among k + 1 views a mixture of as
// many binomials. The outermost atoms are e- and 1 - e+.
struct OverlapOptions {
  // Changes the answer.
  std::size_t max_atoms = 8;  // as many as BIC says, from 2 on
  double min_weight = .01;    // an atom with less is no edge
};

// Two classes; k of about 30. Errors are from Fisher's information of the mixture and from pairs of
// view sets that share rows. The choice of the number of atoms is not in them, nor is the bias
// where no neighborhood is pure: `noisier` is never set. Throws usage when k or the classes do not
// fit.
NoiseEstimate estimate_by_overlap(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                                  std::span<const std::string> class_names,
                                  const OverlapOptions& options = {},
                                  const Execution& execution = {});

// ------------------------------------------------------------------------------------------- auto

// What a posterior P(clean | row) says of how far the classes overlap.
struct PosteriorShape {
  std::vector<double> prior;  // its mean
  std::vector<double> pure;   // share of each class that is in rows with h above `pure_from`
  double mixed = 0;           // mean(1 - max h) / (1 - max prior): 0 all rows sure, 1 none
};

// Throws usage when there are no rows, or a value is not from 0 to 1.
PosteriorShape shape_of(MatrixView posterior, double pure_from = .8);

// Share of pairs of a row and one of its nearest neighbors whose likeliest classes differ, divided
// by what pairs drawn at random would have. The posterior is of all rows. Throws usage otherwise.
double neighbor_disagreement(MatrixView posterior, const NeighborGraph& graph,
                             std::size_t nearest = 5);

// Distinct rows / rows. Rows are equal when all their values are. Throws usage when there are none.
double distinct_share(RowsView rows, const Execution& execution = {});

// The curve on a linear model's scores, on those of neighbors (vote_scores), and on both. With
// boosted trees `both` has their scores too, and `without_trees` is the curve on the other two.
struct CurveFits {
  CurveFit linear, votes, both;
  std::optional<CurveFit> without_trees = {};
};

CurveFits fit_curves(MatrixView linear, MatrixView votes, std::span<const std::int32_t> codes,
                     std::span<const std::string> class_names, const CurveOptions& options = {},
                     const Execution& execution = {});

// What an estimator that takes neighbors to share their clean label has found.
struct LatentClasses {
  std::vector<double> transition, prior;
};

// What a user knows of the rows, in place of what `auto` finds out.
enum class Assumption {
  none,
  embedding,  // neighbors share their clean label: dense, and no doubt about it
  table       // classes overlap
};

// Every constant of `auto`. They were fitted on few data sets.
struct ChoiceRule {
  // Neighbors are taken to share their clean label ("dense") when all three hold.
  double max_disagreement = .07;  // of neighbors, by the linear curve
  double max_mixed = .30;         // by the curve on votes
  double max_mixed_two = .15;     // of two classes, where overlap looks most like noise
  double min_distinct = .8;       // repeated rows agree with themselves, not with neighbors

  std::size_t nearest = 5;  // neighbors whose classes are compared
  // Where a linear model tells less than this share of what votes tell of the labels, classes lie
  // in a way it cannot see, and the votes take its place.
  double min_linear_gain = .5;
  double pure_from = .8;  // a row is surely of a class above this

  // How far the edge of class i may be from pure, so that its rate is too high:
  //   min(kept, kept^a * (scale * (1 - pure_i)^b * odds_i^c + max(0, few / sqrt(n p_i) - enough)))
  // with kept = (trace T - 1) / (K - 1), odds_i = (1 - p_i) / (p_i (K - 1)) and n p_i the rows of
  // the class. The last term is for classes with so few rows that a curve levels off by chance. In
  // a difference, what overlap adds to both rates cancels: it has a scale and a power of its own.
  double doubt_scale = .25, gap_doubt_scale = .1;
  double doubt_power_of_kept = .65;                                // a
  double doubt_power_of_impurity = 1.6;                            // b
  double doubt_power_of_odds = .7, gap_doubt_power_of_odds = 1.1;  // c
  double doubt_of_few_rows = 3;                                    // few
  double enough_rows_doubt = .05;                                  // enough
  // At least slope * (low_kept - kept): labels that keep little may level off without a pure
  // region.
  double low_kept = .4, gap_low_kept = .25;
  double low_kept_slope = .5;
  // The lower end of a rate's interval has less doubt by this share of how far the limit from the
  // least mixed rows is above what chance explains: so much is taken for overlap already.
  double doubt_per_excess = .5;
  // Where many rows repeat each other only few shares of labels occur, and a curve levels off at
  // one of them: a rate may be too high by this share of itself, and by the second number at least.
  double doubt_of_repeated_rows = .6, min_doubt_of_repeated_rows = .15;
  double min_kept = .05;         // kept is no smaller, however noisy the labels
  double min_prior = .01;        // nor is p_i, and no nearer to 1
  double upper_bound_from = .1;  // with more doubt a rate is an upper bound only

  double interval_errors = 2.286;   // standard errors to either side of a rate
  double claim_errors_two = 2.286;  // standard errors that a claim is above 0, two classes
  double claim_errors_many = 3;  // more classes; more still where their pairs are many (Bonferroni)
  double min_lead = .02;         // a difference must be larger by this than doubt and chance
  double min_pure = .7;          // a class less pure than this with a rate above the next is not
  double largest_impure_rate = .45;  // accused: overlap explains such a rate better

  Assumption assume = Assumption::none;
};

struct ClassPair {
  int noisier = -1, cleaner = -1;
};

struct ChosenEstimate {
  // "auto". Where there are claims, `noisier` and `cleaner` are the clearest; else `leans` is the
  // noisier class of the clearest lean.
  NoiseEstimate estimate;
  std::string mode;    // "dense": T of the latent classes; "overlap": of the curve on both scores
  std::string reason;  // why, in words
  std::vector<ClassPair> claims;       // proved, if the rule is right
  std::vector<ClassPair> leans;        // beyond chance, but overlap may explain them
  std::vector<double> doubts;          // of each class: how far its rate may be too high
  std::vector<double> gap_doubts;      // the same of its difference from another's
  std::vector<double> covariance;      // K x K: of the rates, by chance
  std::vector<char> upper_bound_only;  // of each class: 1 where the doubt is large
  // Share of all labels that are wrong: the rates weighted by the clean shares of the classes. The
  // doubt is how far it may be too high; the error is by chance.
  EstimateWithInterval wrong_share;
  double wrong_share_error = 0, wrong_share_doubt = 0;
  double disagreement = 0, mixed = 0, distinct = 1;  // what decided the mode
};

// Chooses by how far the classes overlap, and says only what would hold if the class accused were
// no purer than it seems. Two methods must agree: in a dense case the latent classes and the curve
// on votes, otherwise the curves on all scores and on those without trees, or on the linear ones
// where there are no trees. `graph` and fits are of all
// rows. Throws usage when they are not of the same classes and rows, or a constant of the rule is
// out of its range.
ChosenEstimate choose_estimate(const CurveFits& fits, const LatentClasses& latent,
                               const NeighborGraph& graph, double distinct,
                               std::span<const std::string> class_names,
                               const ChoiceRule& rule = {});

// ---------------------------------------------------------------------------------- probabilities

// Class probabilities as points whose nearest neighbors are rows that a model takes for alike:
// logarithms, clipped from below at 1e-4, minus the row's mean of them (the centered log-ratio of
// compositional data). For data sets that have no other features. Measured against probabilities
// and their square roots, whose distances hardly tell a row of P(class) = .9 from one of .99: with
// these, `auto` took rows of overlapping classes for one class (docs/estimators.md).
// Throws usage when there are no rows or columns, or values are not from 0 to 1.
Matrix probability_rows(MatrixView probabilities, const Execution& execution = {});

// ---------------------------------------------------------------------------------- label quality

// How credible each label is. One entry a row.
struct LabelQuality {
  std::vector<double> right;            // probability that the given label is the clean one
  std::vector<std::int32_t> suggested;  // the likeliest clean label; the given one on equal terms
  double power = 1;                     // a, below
  // Whether `right` may be read as a probability: within .05 of the truth in every tenth of the
  // rows, if noise depends on the class only. Otherwise it ranks the rows. Set by audit.
  bool is_calibrated = false;
};

// By Bayes' rule, P(clean i | row, label y) ~ h_i T[i][y], with T of an estimate of any kind and h
// = P(clean | row) from everything that is known of the row but its label: best the posterior of a
// curve on both scores, which has the linear model and all k neighbors in it (CurveFits::both).
//
// Posterior and estimate may be of different fits and then contradict each other: where hard rows
// are mislabeled more often, a curve takes noise for overlap, and its posterior is too blunt for
// the T of latent classes. So h_i ~ (posterior_i w_i)^a, with weights w for which the mean of h is
// the estimate's prior, and the power a, from 1/4 to 4, for which the mean of `right` is the
// estimate's share of right labels, sum over i of prior[i] T[i][i]. Posterior and estimate of one
// fit agree: a and w are about 1. A T that takes overlap for noise makes probabilities too extreme.
//
// A probability in T below 1e-4 counts as 1e-4. Row n of `posterior`, n x K, has label codes[n].
// Memory: a copy of the posterior. Throws usage when sizes or codes do not fit or the estimate is
// not made of probabilities, data when the posterior is not within [0, 1].
LabelQuality label_quality(MatrixView posterior, const NoiseEstimate& estimate,
                           std::span<const std::int32_t> codes, const Execution& execution = {});

// ---------------------------------------------------------------------------------- all estimators

// As --estimator spells them. A value that is none has an empty name.
enum class EstimatorKind { automatic, curve, moments, latent_class, edges, overlap, confident };

std::string_view to_string(EstimatorKind estimator);
std::optional<EstimatorKind> parse_estimator(std::string_view name);

// Whether it asks nothing but the labels of neighbors, and so can do with some rows as anchors.
bool needs_views_only(EstimatorKind estimator);
// Whether it is for two classes only: moments and overlap.
bool needs_two_classes(EstimatorKind estimator);

struct NoiseEstimatorOptions {
  // Changes the answer.
  std::size_t k = 10;  // neighbors that are views: moments, latent classes
  // Neighbors that vote: curve, overlap; all rows where there are fewer. The curve takes k instead
  // where so many tell more of the labels: clusters may have fewer rows than voters.
  std::size_t voters = 30;
  std::size_t folds = 5;  // of the linear model; fewer where a class has fewer rows
  std::uint64_t seed = 0;
  Metric metric = Metric::euclidean;
  Views views = Views::all;   // of moments
  std::int32_t positive = 1;  // of moments
  // Rows whose neighbors are looked at, for estimators that need views only; empty means all.
  std::span<const std::uint32_t> anchors = {};
  // Out-of-fold class probabilities of the caller's own model, n x K, in place of those of the
  // linear model; not owned, and must outlive the NoiseEstimator. Without rows: none. `folds` then
  // does not count.
  MatrixView probabilities = {};
  ChoiceRule rule;
};

// What the estimators look at: neighbors, out-of-sample scores, curves. Each is found when it is
// first asked for, and kept. Rows, labels, names and anchors must outlive it. Not for several
// threads at once.
class NoiseEstimator {
 public:
  // Throws usage unless there is a label for each row, anchors are rows, and options are in range;
  // data when there are no rows, and as check_class_probabilities (data.h) does for those given.
  NoiseEstimator(RowsView rows, std::span<const std::int32_t> codes,
                 std::span<const std::string> class_names, const NoiseEstimatorOptions& options,
                 const Execution& execution = {});

  // A graph found before, of the same rows, seed, metric and anchors: neighbors do not change when
  // labels do. It serves for as many neighbors as it has, and fewer. Throws usage when it is not
  // of these rows and anchors.
  void use(NeighborGraph graph);

  // Throws usage for an estimator that is of two classes where there are more, or needs all rows
  // where there are anchors; data when there are fewer than k + 1 rows, or for one that needs a
  // linear model a class with fewer rows than folds. Where a class has one row only, or classes are
  // so many that a curve would take minutes, `auto` is the latent classes instead, and says so.
  NoiseEstimate estimate(EstimatorKind estimator);

  // What auto found, and why; null until it was asked for, or where a linear model was impossible.
  const ChosenEstimate* chosen() const { return chosen_ ? &*chosen_ : nullptr; }

  // Of every row, or the anchors. `neighbors` at most rows - 1.
  const NeighborGraph& graph(std::size_t neighbors);
  const NeighborGraph& views() { return graph(options_.k); }
  // Out-of-fold P(label | row): the given probabilities, or else those of a linear model. Valid as
  // long as the NoiseEstimator and the given probabilities are.
  MatrixView scores();
  // Of two classes the linear scores behind these are of a model that was told of the noise, as a
  // first curve saw it, and speaks of clean labels. Given probabilities take the place of the
  // linear scores, as they are.
  const CurveFits& curves();
  // P(clean | row) for label_quality: of the curve on both scores, or of votes where auto makes no
  // curve.
  const Matrix& posterior();

  double seconds_searching() const { return seconds_searching_; }

 private:
  NoiseEstimate choose();
  bool is_for_trees(const CurveFit& by_votes);
  double distinct();
  Matrix tree_scores(std::vector<double> transition) const;
  RowsView scored_rows();
  Matrix score(std::vector<double> transition);
  CurveFit curve_on(std::initializer_list<MatrixView> scores) const;
  bool has_probabilities() const { return options_.probabilities.rows != 0; }
  std::string why_no_curve() const;
  std::size_t voters() const;

  RowsView rows_;
  std::span<const std::int32_t> codes_;
  std::span<const std::string> class_names_;
  NoiseEstimatorOptions options_;
  Execution execution_;
  std::map<std::size_t, NeighborGraph> graphs_;  // by the number of neighbors
  std::optional<Matrix> narrow_, linear_scores_, vote_posterior_;
  std::optional<CurveFits> curves_;
  std::optional<NoiseEstimate> latent_;
  std::optional<ChosenEstimate> chosen_;
  std::optional<double> distinct_;  // share of distinct rows
  double seconds_searching_ = 0;
};

// --------------------------------------------------------------------------------------- giveaway

enum class GiveawayKind {
  column,  // a column alone
  rule,    // a short rule over two or three columns
  id       // a column that grows from row to row, where labels come in blocks of rows
};

// "column", "rule" or "id"; empty for a value that is none.
std::string_view to_string(GiveawayKind kind);

// Columns that reproduce the labels. The labels are then clean, or were made from these columns,
// and nothing in the rows tells which: no noise rate can be estimated from such features.
struct Giveaway {
  GiveawayKind kind = GiveawayKind::column;
  // As the user calls them; those of an array are numbered from 1. Of several columns that each
  // reproduce the labels alone the best comes first.
  std::vector<std::string> columns;
  double share = 0;  // of the labels that they reproduce, on rows not used to find out how
  std::string rule;  // in words, where it is short
};

// Looks for labels that a column alone, or a tree of depth 3 over at most three columns, reproduces
// on held-out rows with at most 1 % errors (and at most a tenth of the errors of always answering
// with the most frequent label), while all other columns together reproduce clearly fewer. Classes
// that are apart by nature are none: where rows become rare towards the threshold from both sides,
// or errors gather there. docs/estimators.md has the criterion and what it was measured on.
//
// Looks at no more than 20,000 rows, fewer where there are more than 200 columns; reports its
// progress as "labels and columns". Fewer than 50 rows, or a single class, give nothing. Throws
// usage when the parts of the data set do not fit together.
std::optional<Giveaway> find_giveaway(const Dataset& dataset, std::uint64_t seed = 0,
                                      const Execution& execution = {});

// ------------------------------------------------------------------------------------------ groups

// The noise of one group, as if its rows were all there are: neighbors are searched inside it.
struct GroupNoise {
  std::string name;
  std::size_t rows = 0;
  NoiseEstimate estimate;  // rates of its classes
  // Share of the group's labels that are wrong: the rates of its classes, weighted by their clean
  // shares inside the group.
  EstimateWithInterval rate;
  double error = 0;  // standard error of `rate`, by chance
  double doubt = 0;  // how far `rate` may be too high, because classes overlap
  std::vector<double> class_errors, class_doubts;  // the same for the rate of each class
  // For auto, for each class: 1 where overlap may be in its rate. Empty for other estimators.
  std::vector<char> class_upper_bound_only;
  // One rate for all classes, their mean with the weights of least variance. Present only where
  // equal rates are not rejected and the rates are known well enough to say so.
  std::optional<EstimateWithInterval> symmetric_rate;
  std::string too_small;  // why nothing is known, where so; then the rates are those of all rows
  bool claims = true;     // whether its estimator may claim anything, or only lean

  bool known() const { return too_small.empty() && estimate.identified; }
  // Whether only the upper end of `rate` is known: where it is so for the rate of a class.
  bool is_upper_bound() const {
    return known() && std::ranges::find(class_upper_bound_only, 1) != class_upper_bound_only.end();
  }
};

// `estimate` by NoiseEstimator of the group's rows; `chosen` where that was auto. Throws usage when
// they are not of the same classes, or rates are not from 0 to 1.
GroupNoise noise_of_group(std::string name, std::size_t rows, const NoiseEstimate& estimate,
                          const ChosenEstimate* chosen, const ChoiceRule& rule = {});

// A group of which nothing can be known: it has the rates of all rows, from 0 to 1, and no
// transition matrix.
GroupNoise unknown_group(std::string name, std::size_t rows, const NoiseEstimate& of_all_rows,
                         std::string why);

inline constexpr std::size_t max_group_claims = 1000;

// The same class has different rates in two groups.
struct ClassGroupsClaim {
  int label = -1;                  // position of the class
  int noisier = -1, cleaner = -1;  // positions of the groups
};

// Two questions. Which groups have more wrong labels: `claims`. And does noise differ between
// groups beyond what their classes explain, so that the same class has different rates:
// `class_claims`. Class noise alone makes groups with different base rates differ in the first, not
// in the second. The errors are those of all comparisons at once (Bonferroni), and a claim must be
// beyond chance by the accused group's doubt and by rule.min_lead.
struct GroupComparison {
  // Positions in the list of groups, by the noisier and then the cleaner one; the clearest
  // max_group_claims where there are more. `claims_total` counts all.
  std::vector<ClassPair> claims;
  std::size_t claims_total = 0;
  int noisier = -1, cleaner = -1;  // of the clearest claim
  int leaning = -1;                // the noisier of the clearest lean, where nothing is claimed
  EstimateWithInterval gap;        // highest minus lowest known rate
  double p_value = 1;
  // The clearest for each class: at most one per class.
  std::vector<ClassGroupsClaim> class_claims;
  double beyond_class_p_value = 1;  // of "every class has the same rate in all groups"
};

GroupComparison compare_groups(std::span<const GroupNoise> groups, const ChoiceRule& rule = {});

}  // namespace noiseplus
