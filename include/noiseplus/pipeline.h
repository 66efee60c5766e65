// Stage 7, pipeline: whole jobs in one call: audit a data set, balance its labels, train a model.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noiseplus/balance.h"
#include "noiseplus/core.h"
#include "noiseplus/data.h"
#include "noiseplus/fair.h"
#include "noiseplus/learn.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// Spelled the same on the command line, in JSON and here.
struct AuditOptions {
  // Changes the answer.
  // auto, curve, moments, latent-class, edges, overlap, confident (noise.h), or paper.
  std::string estimator = "auto";
  std::string assume;       // of auto: embedding, table, or empty for what it finds out itself
  std::size_t k = 10;       // neighbors that are views; 2 is the paper's
  std::size_t anchors = 0;  // rows whose neighbors are searched; 0 = all
  // The wanted half-width of the gap's 95 % interval, in (0, 0.5]. Set, it is --anchors auto: as
  // many anchors as it needs, and `anchors` stays 0.
  std::optional<double> precision;
  std::uint64_t seed = 0;
  std::string metric = "euclidean";  // or cosine: rows as given, of any length but 0
  std::string views = "all";         // of moments: all or anchored (noise.h says what that means)
  std::string positive;              // class that is 1; empty = the last in order
  PaperOptions paper;                // of the estimator and methods called paper
  bool judge_rows = false;           // say of each row how likely its label is right
  // List so many of the rows that are most likely mislabeled, at most 1000.
  std::size_t suspects = 0;
  // Two classes: count the paper's agreements after flips of many sizes, for a picture. Up to
  // 200,000 rows; takes about as long as the search for neighbors.
  bool agreements = false;
  // Of auto with all rows: try what training gains from each route, for the advice. It takes some
  // seconds of processor time at most: 6 with 250 columns or 20 classes.
  bool compare_routes = true;
  // Out-of-fold class probabilities of the caller's own model: n x K, columns in the order of the
  // labels' classes, each row adding up to 1 within .001, values in [0, 1] (read_probabilities
  // reads such). Not owned: they must outlive the call. Without rows: none are given, and a linear
  // model makes them.
  //
  // Given, they take the place of the linear model's in every estimator that looks at scores, in
  // the judgment of rows, and inside groups. A data set without features (zero rows of them) then
  // takes its neighbors from the probabilities, as probability_rows (noise.h) makes points of
  // them. report.warnings says where the probabilities seem to have seen their own labels, or to be
  // of folds that differ.
  MatrixView probabilities = {};
  std::string probabilities_name;  // of where they come from, for the report
};

struct Seconds {
  double read = 0, neighbors = 0, estimate = 0;
};

// Half-widths of the gap's 95 % interval.
struct Precision {
  double wanted = 0;
  std::optional<double> reached;  // none where the rates are not identified
};

// The accuracy that a route gained over plain training when both were tried.
struct RouteGain {
  std::string action;             // of Advice: "weight", "correct" or "balance"
  EstimateWithInterval gain;      // accuracy minus that of plain training, as a share of the rows
  double standard_error = 0;      // of that difference
  EstimateWithInterval on_given;  // the same by the given labels, where the one above is corrected
};

// Routes tried with built-in models on a sample of the rows. Predictions are compared with labels
// that neither the model nor the audit behind its weights has seen. The plan of balanced labels and
// the rates of corrected ones are those of the whole audit.
struct RouteComparison {
  ModelKind model = ModelKind::trees;  // that was trained
  std::size_t rows = 0;                // of the sample; each was held out once
  // Accuracies are those by clean labels, estimated from the given ones by the inverse of the
  // transition matrix. Otherwise they are by the given labels.
  bool is_corrected = false;
  std::vector<RouteGain> gains;
};

// What to do next (docs/advice.md). Actions:
//   nothing  train as usual
//   weight   weight each row by the probability that its label is right
//   correct  train with a corrected loss, such as forward
//   balance  flip labels of the cleaner class or group, then train as usual
//   fix      let a person fix the few labels that are surely wrong
//   check    it cannot be known: let a person check some rows first
// Both bounds are of how far the risk of a linear model may be from the best, but for constants:
// after balancing, and with a loss corrected by the estimated rates (docs/concepts.md). They decide
// between these two where nothing could be tried.
struct Advice {
  std::string action;
  std::string why;
  double balance_bound = 0, correct_bound = 0;
  std::optional<EstimateWithInterval> expected_gain;  // of accuracy, where the action was tried
  std::optional<RouteComparison> comparison;          // where one was made
  std::size_t rows_to_fix = 0;                        // of "fix"
};

// What decided whether neighbors share their clean label, beside the limits of a dense set; all
// three must hold (noise.h, ChoiceRule).
struct Clusterability {
  double disagreement = 0, max_disagreement = 0;  // of the classes of neighbors
  double mixed = 0, max_mixed = 0;                // rows between the classes
  double distinct = 1, min_distinct = 0;          // share of rows that are no repetition
};

// The paper's PA - NA on these rows, the sample balanced again after each flip, over the share of
// the labels `flipped` that are turned into the other. PA is that of `flipped`: above 0 at the
// start, the agreements call it the cleaner class.
struct AgreementCurve {
  int flipped = 0;
  std::vector<double> epsilons, gaps;
};

// A row whose label is likely wrong, and what a person needs to judge it.
struct Suspect {
  std::size_t row = 0;  // of the file, from 0
  std::int32_t given = 0, suggested = 0;
  double right = 0;                     // probability that the given label is
  std::optional<std::int32_t> group;    // where there are groups
  std::vector<std::int32_t> neighbors;  // labels of the k nearest, nearest first
  std::vector<std::string> values;      // one for each of Suspects::columns
  std::vector<std::uint8_t> pixels;     // of a picture, row by row, 0 = darkest
};

struct Suspects {
  std::size_t unlikely = 0;          // rows of which another label is likelier than the given one
  std::vector<std::string> columns;  // of the table, as they are in the file, or of the matrix
  std::size_t columns_left_out = 0;
  std::size_t width = 0, height = 0;  // where rows are pictures; then there are no columns
  std::vector<Suspect> rows;          // the least likely label first
};

struct AuditReport {
  std::string label;
  std::size_t rows = 0;            // with a label
  std::size_t missing_labels = 0;  // rows without one, which were left out
  std::size_t features = 0;        // 0 where there are probabilities only
  // The name of the probabilities that were given, empty where they have none; nothing where a
  // linear model made them.
  std::optional<std::string> probabilities;
  std::vector<std::string> classes;
  std::vector<std::size_t> class_rows;
  std::size_t positive = 1;  // position in classes
  std::size_t k = 0;
  std::string metric;
  std::size_t anchors = 0;             // rows examined
  std::optional<Precision> precision;  // where it chose the anchors
  NoiseEstimate estimate;
  std::string mode, reason;                      // of auto: "dense" or "overlap", and why
  std::optional<Clusterability> clusterability;  // of auto: what decided the mode
  // Where columns reproduce the labels: then no rate is identified and nothing is claimed.
  std::optional<Giveaway> giveaway;
  std::vector<ClassPair> claims;       // of classes: all that is proved
  std::vector<char> upper_bound_only;  // of auto, of each class: 1 where overlap may be in its rate
  std::optional<EstimateWithInterval> wrong_share;  // of auto: share of all labels that are wrong
  std::map<std::string, std::vector<double>>
      estimates;           // rates by estimator, in the order of classes
  std::string group_name;  // column of the groups, where there are any
  std::vector<GroupNoise> groups;
  std::vector<std::vector<std::size_t>> group_class_rows;  // labels of each group, by class
  GroupComparison comparison;
  std::string scope = "class";           // of the plan: class, group or class-in-group
  FlipPlan plan = FlipPlan::nothing(2);  // what balancing would do; nothing when nothing is proved
  std::optional<FlipPlan> forced;        // what it would do by force, where nothing is proved
  std::optional<PaperParts> paper;       // of classes, or of groups: as the scope says
  std::vector<std::string> warnings;     // of reading and estimating
  Advice advice;
  Seconds seconds;
  std::vector<std::size_t> flipped;          // labels changed, by class; empty unless balanced
  LabelQuality quality;                      // of each row; empty unless asked for
  bool rows_are_calibrated = false;          // of quality and suspects: LabelQuality::is_calibrated
  std::optional<Suspects> suspects;          // where asked for
  std::optional<AgreementCurve> agreements;  // where asked for and to be had

  // Whether only the upper end of the rate of class c is known; false where there is no such class.
  bool is_upper_bound(std::size_t c) const {
    return c < upper_bound_only.size() && upper_bound_only[c] != 0;
  }
  // Whether the rate of some class is an upper bound; then so is wrong_share, and the clean shares
  // of the classes are not known.
  bool has_upper_bound() const {
    return std::ranges::find(upper_bound_only, 1) != upper_bound_only.end();
  }
};

// Neighbors and estimates, of all rows and inside each group of the data set; seconds.read is left
// to the caller. `auto` comes with the rates of all other estimators beside it. Throws impossible
// when there is one class only, data when there are more classes than memory for them,
// saying how much they need, one of two classes has fewer than two rows, there are fewer than k + 1
// rows, or a row of zeros under cosine; usage when an option is unknown or out of range, the parts
// of the data set do not fit together (a label, and where there are groups a group, per row;
// probabilities, where given, of these rows and classes), or an estimator is for two classes and
// there are more. A group with fewer than 50 rows, or fewer than 5 of a class, is reported as too
// small.
//
// Where columns give the labels away (find_giveaway), whatever the estimator, rates are not
// identified, their intervals are 0 to 1, nothing is claimed or planned, and a warning names the
// columns.
//
// With fewer anchors than rows, `auto` is moments for two classes and latent-class for more, which
// read overlap as noise; a warning says so. Groups need all rows.
//
// With a precision the anchors grow in rounds, as the estimates so far suggest, and the result is
// that of the last number given as `anchors`, to the byte. A warning says where all rows do not
// reach the precision, or 25,000 do not identify the rates, which ends the rounds too.
AuditReport audit(const Dataset& dataset, const AuditOptions& options,
                  const Execution& execution = {});

// What a finding says. As text: wrong-share, condition, ...; empty for a value that is none.
enum class FindingId {
  wrong_share,              // how many of all labels are wrong
  condition,                // what every rate assumes
  giveaway,                 // columns reproduce the labels, so that nothing can be judged
  direction,                // of the paper's agreements, without a test
  difference,               // one class, or one group, is noisier than another
  difference_within_class,  // one class is noisier in one group than in another
  no_difference,            // none is proved
  not_identified,           // the rates cannot be known from these rows
  row_scores,               // whether the probabilities of rows are calibrated or a ranking
  precision,                // the wanted precision is reached
  balancing                 // what was flipped, or what is advised to be
};

enum class Severity {
  info,
  notice,  // what the data prove
  warning  // what keeps the rates from being relied on
};

std::string_view to_string(FindingId id);
std::string_view to_string(Severity severity);

// One result of an audit. Every front end shows `title` and `text` as they are.
struct Finding {
  FindingId id = FindingId::condition;
  Severity severity = Severity::info;
  std::string subject;  // what it is about: "labels", "rows", "classes" or "groups"
  std::string title;    // a few words, without a full stop
  std::string text;     // whole sentences; names are quoted and made printable
  std::map<std::string, double> numbers;  // those in the text: "value", "low", "gap", ...
};

// What a report has found, the most general first. A sentence claims what the report claims and no
// more: what is not proved reads "no difference found". Throws usage when the parts of the report
// do not fit together.
std::vector<Finding> findings(const AuditReport& report);

// How labels are balanced.
struct BalanceOptions {
  AuditOptions audit;
  // What is made equally noisy: class, group or class-in-group. Empty: groups where the data set
  // has them, else classes.
  std::string scope;
  std::string method = "closed-form";  // closed-form, paper, paper-rebalanced
  bool force = false;                  // flip even where the difference is not significant
};

// What an option that is a name may be, as the command line spells it: of "estimator", "assume",
// "views", "metric", "scope", "method", "loss", "fair", "route", "model" and "transition" (which
// may be a file too); none of others.
std::vector<std::string> option_values(std::string_view option);

struct BalanceResult {
  AuditReport report;               // with the plan that was applied, and how many it flipped
  std::vector<std::int32_t> codes;  // new labels
};

// Audit, plan, flip. Throws as audit does, usage when the scope needs groups and there are none,
// and impossible when the paper's search is unsuccessful, a forced flip has no identified rates to
// go by, or a class keeps no more of its labels than chance would give.
BalanceResult balance(const Dataset& dataset, const BalanceOptions& options,
                      const Execution& execution = {});

// ---------------------------------------------------------------------------------------- training

// How a model is trained on a data set: TrainOptions, where the noise rates come from, what is
// balanced first, and what is to be alike in all groups.
struct TrainModelOptions {
  // What is given here counts unless a field below replaces it: its transition, groups, deltas,
  // class names and seed.
  TrainOptions train;
  // For backward, forward, co-teaching and group-peer: an estimator as AuditOptions has them, but
  // for paper. `given`: train.transition, and train.deltas.
  std::string transition = "auto";
  bool misspecify = false;  // replace T by a random one of the same trace
  std::size_t folds = 5;    // of linear models that the estimators look at
  std::string positive;     // two classes: which is called positive; empty = the last in order
  std::vector<float> row_weights;  // one a row, or empty
  AuditOptions audit;  // how neighbors are found; probabilities for all that estimates noise
  std::uint64_t seed = 0;

  // Labels are balanced first, as by `balance` with this scope and force.
  bool balance = false;
  std::string scope;
  bool force = false;

  // Two classes: what is to be alike in all groups (fair.h), and how far a group may be off.
  std::optional<Constraint> fair;
  double tolerance = 0.01;
  // Constrain rates by clean labels: with the noise of each group given here, or estimated as
  // `transition` says.
  bool noise_aware = false;
  // Rates are counted on rows unseen, by so many folds (FairOptions); 0: by 5 where the noise is
  // known, after balancing or by noise_aware, else on the rows trained on; 1: always on those.
  std::size_t fair_folds = 0;
  std::vector<LabelNoise> group_noise;
  // With `fair`, how the noise is accounted for. Empty: as balance and noise_aware say. "plain",
  // "noise-aware" and "balance": so, whatever else is said of it. "auto": whichever of these is
  // shown to pay, without a clean label (FairAdvice).
  std::string route;
};

// How a route to a fair model compares with the plain constraint, on the rows trained on. Clean
// labels are not there: violation and accuracy by them follow from the given ones at each of 500
// noise rates, drawn as wide as the audit's intervals. The ends of an interval leave 16 % of these
// on either side.
struct RouteTrial {
  std::string route;             // "noise-aware" or "balance"
  EstimateWithInterval removed;  // violation of the plain constraint minus that of this route
  EstimateWithInterval gained;   // accuracy of this route minus that of the plain constraint
  double lower_in = 0;           // share of the noise rates at which its violation is lower
  double spread = 0;             // one standard error of a violation by the chance of sampling
  std::string why_not;           // why it is not the answer; empty where it is
};

// Which route was taken. One that is not plain has a lower violation at 84 % of the noise rates or
// more, removes more of it than `spread` on average, and costs no accuracy on average. Of two such
// the one that removes more.
struct FairAdvice {
  std::string route, why;
  std::vector<RouteTrial>
      trials;  // none where nothing but the plain constraint comes into question
};

// How a constraint was met.
struct FairReport {
  std::string constraint;
  double tolerance = 0;
  // "given labels", or "clean labels": rates corrected with the noise below; and why.
  std::string judged_by, why;
  std::vector<std::string> groups;
  std::vector<std::size_t> group_rows;
  std::vector<double>
      base_rates;  // share of positives in each group, by clean labels where judged so
  std::vector<LabelNoise> noise;  // of each group; empty: by given labels
  std::vector<ConstrainedRate> rates;
  double violation = 0;  // largest difference between two groups
  double error = 0;      // share of given labels the mixture does not answer
  double unconstrained_error = 0, unconstrained_violation = 0;  // of the model without it
  std::vector<double> shares;                                   // of the models in the mixture
  int rounds = 0, models_trained = 0;
  std::size_t folds = 0;  // below 2: rates were counted on the rows trained on
  bool converged = true;
  std::optional<FairAdvice> advice;  // of the route "auto"
};

struct TrainReport {
  std::string label, loss, model;
  std::size_t rows = 0, features = 0;
  std::size_t missing_labels = 0;  // rows without a label, which were left out
  std::vector<std::string> classes;
  std::string transition_from;     // given, or the estimator; empty where the loss needs none
  std::vector<double> transition;  // what was used, row = clean class
  std::optional<double> alpha;
  std::vector<AlphaTrial> trials;
  std::vector<std::string> groups;  // group-peer
  std::vector<double> deltas;       // group-peer: 1 - e+ - e- of each
  int steps = 0;                    // of L-BFGS, epochs, or rounds of trees
  bool converged = true;
  double objective = 0;
  double noisy_accuracy = 0;  // on the rows it was trained on, by their given labels
  std::optional<double> held_out_accuracy;
  std::optional<AuditReport> balanced;  // how labels were balanced first
  std::optional<FairReport> fair;
  std::vector<std::string> warnings;
  double seconds = 0;
};

struct TrainModelResult {
  SavedModel saved;
  TrainReport report;
};

// Throws as `train`, `train_fair`, `balance` and the estimators do; impossible when a loss or a
// constraint needs rates and these are not identified, data when there are more classes than memory
// for them.
//
// With `balance` and `fair` together the constraint is that of clean labels at the common rate the
// flips have left: equal rates by labels that are equally noisy are equal rates by clean ones only
// where the groups have as many positives. Where they have, by what the data can tell, given labels
// will do, and have less spread.
TrainModelResult train_model(const Dataset& dataset, const TrainModelOptions& options,
                             const Execution& execution = {});

}  // namespace noiseplus
