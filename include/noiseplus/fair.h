// Stage 6, fair: models that treat groups alike, from labels that may be wrong.
//
//   labels, groups --constraint--> costs of a cell --oracle--> classifiers --LP--> Mixture
//
// Two classes, called positive and negative, and any number of groups. All that a classifier is to
// a constraint is one count a cell: how many rows of this label and this group it calls positive.
// Losses and rates are linear forms of these counts, so a constrained problem is a game between
// costs of cells and a learner that takes weights (Agarwal et al. 2018, "A reductions approach to
// fair classification").
//
// Noise of labels inside a group: e+ is the share of clean positives that are labeled negative,
// e- that of clean negatives that are labeled positive.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noiseplus/core.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// --------------------------------------------------------------------------- rates and their noise

struct LabelNoise {
  double negative = 0;  // e-
  double positive = 0;  // e+
};

// P(predicted positive | positive) and P(predicted positive | negative), by clean or by given
// labels. The functions below are linear in them and do not ask that they be within 0 to 1, where
// estimates need not be. All throw usage for a prior, a q or a rate of noise that is not.
struct PositiveRates {
  double tpr = 0, fpr = 0;
};

// What given labels show of a classifier that does not look at them, where clean labels would show
// `clean`; `prior` is the share of clean positives. Throws impossible when all or no labels would
// be positive.
PositiveRates noisy_rates(PositiveRates clean, double prior, LabelNoise noise);

// The way back, at any base rate; q is the share of positive labels, as given:
//   TPR = ((1 - e-) q T - e- (1 - q) F) / (q - e-)
//   FPR = ((1 - e+) (1 - q) F - e+ q T) / (1 - q - e+)
// Groups of equal noise and equal q have equal clean rates where they have equal noisy ones; equal
// noise alone is not enough. Throws impossible unless e- < q < 1 - e+: such labels cannot have come
// about by this noise from two classes.
PositiveRates clean_rates(PositiveRates noisy, double q, LabelNoise noise);

// The share of clean positives where a share q of the labels is positive. Throws impossible when e+
// and e- add up to 1 or more.
double clean_share(double q, LabelNoise noise);

// A group whose labels have the rate `noise` for both classes, while `assumed` was accounted for.
// Clean classes are equally frequent. The functions below throw impossible when one of the two is
// not below one half.
struct MisjudgedGroup {
  PositiveRates noisy;
  double noise = 0, assumed = 0;
};

// Clean TPR minus the TPR corrected with the assumed rate, exactly: with T and F the noisy rates
// and e, a the two rates of noise, (T - F) (e - a) / ((1 - 2e) (1 - 2a)). That of the FPR is the
// opposite.
double correction_error(const MisjudgedGroup& group);

// Once the corrected rates of two groups are equal, their clean ones still differ: TPR of the first
// minus TPR of the second, which is also FPR of the second minus FPR of the first. Where only one
// of the corrected rates was made equal, it is that rate's difference.
double residual_violation(const MisjudgedGroup& first, const MisjudgedGroup& second);

// At least so much is left, whether rates were taken too high or too low: never above
// |residual_violation|. The paper's theorem with T - F where it prints T and F, err = |a - e|:
//   min(err_1, err_2) / err_1 * | err_1 X_1 - err_2 X_2 |,  X = |T - F| / ((1 - 2e) (1 - 2a))
// and the first factor 1 when err_1 = 0. X needs its absolute value: with the sign of T - F this
// were no bound for a classifier that is better than chance in one group and worse in the other,
// which can be once the corrected TPR alone is equal. The order matters: sharpest when the first
// group is the one whose rate is less wrong.
double violation_bound(const MisjudgedGroup& first, const MisjudgedGroup& second);

// ------------------------------------------------------------------------------------- constraints

enum class Constraint {
  equalized_odds,      // TPR and FPR are those of every group
  equal_opportunity,   // TPR
  demographic_parity,  // P(predicted positive)
  fpr_parity,          // FPR
  error_parity         // P(prediction is wrong)
};

// "equalized-odds", "equal-opportunity", "demographic-parity", "fpr-parity", "error-parity";
// nothing for other names; a value that is none has an empty name.
std::string_view to_string(Constraint constraint);
std::optional<Constraint> parse_constraint(std::string_view name);

// A rate of a group, and how far it may be from that of all such people by chance: grows like
// 1 / ((q - e) sqrt n) where noise is accounted for.
struct ConstrainedRate {
  std::string rate;  // "tpr", "fpr", "positive rate" or "error"
  std::size_t group = 0;
  double value = 0, spread = 0;  // spread: one standard error
};

// -------------------------------------------------------------------- judged by labels that are
// noisy

// What labels of known noise say of a model by clean ones.
struct CleanGroup {
  std::string group;
  LabelNoise noise;      // of the labels it is judged by
  double base_rate = 0;  // share of clean positives
  EstimateWithInterval tpr, fpr;
};

struct CleanFairness {
  std::vector<CleanGroup> groups;
  // Largest difference between two groups, as in Evaluation.
  EstimateWithInterval equalized_odds_violation;
  // At least so much is left where a constraint is met to the letter at the noise that training
  // accounted for, and the noise is another: violation_bound, the largest of all pairs of groups.
  // None unless each group has one rate for both classes, below one half, and a promise was made.
  std::optional<double> violation_bound;
};

// `noise` has an entry for each group of the evaluation, which is of two classes. Intervals are of
// sampling alone: the noise rates are taken as exact. Throws usage when the numbers do not fit, and
// impossible, naming the group, when its labels cannot have come about by its noise.
CleanFairness clean_fairness(const Evaluation& evaluation, std::span<const LabelNoise> noise,
                             const std::optional<FairnessMetadata>& promise = {});

// ---------------------------------------------------------------------------------------- training

struct FairOptions {
  // Changes the answer.
  Constraint constraint = Constraint::equalized_odds;
  // How far the rate of a group may be from that of all rows, on the training rows, counted as
  // `folds` says. Two groups may differ by up to twice as much.
  double tolerance = 0.01;
  // Noise of each group's labels: rates are those of clean labels. Empty: labels as they are given.
  std::vector<LabelNoise> noise;
  // For the loss ce: the label of a row counts as flipped with these probabilities, in expectation.
  // One 2 x 2 matrix per group, row = given label, each row adding up to 1; empty: no flips. The
  // constraint is counted on the labels as given, whose `noise` is that before the flips: drawing
  // the flips would add their chance to both.
  std::vector<double> expected_flips;
  std::size_t positive = 1;              // which class
  std::vector<std::string> group_names;  // for messages; one a group
  int max_rounds = 50;
  // From 2 on a model's rates are counted on rows it has not seen: by its like, trained on the
  // other folds. A model learns some of the noise of its own rows by heart, and a correction for
  // noise takes that for accuracy, the more the noisier the group. Takes folds + 1 times as long.
  // Below 2, or where a label of a group has fewer rows than folds: counted on the rows it was
  // trained on.
  std::size_t folds = 0;
};

struct FairTrainResult {
  Mixture mixture;
  double alpha = 0;                // of the peer losses
  std::vector<AlphaTrial> trials;  // when it was chosen
  int rounds = 0;
  int models_trained = 0;
  bool converged = true;  // the last models that the learner found did not improve the mixture
  // Of the training rows, counted as FairOptions::folds says.
  double violation = 0;  // largest difference between two groups
  double error = 0;      // expected share of rows whose given label is not the answer
  // The same of the model without the constraint.
  double free_error = 0, free_violation = 0;
  std::vector<ConstrainedRate> rates;
  std::vector<std::string> warnings;
};

// The most accurate mixture, by the loss of `train`, in which the rates of no group are further
// from those of all rows than the tolerance. Losses: ce, backward, peer and group-peer; row weights
// are not taken. Throws usage when options do not fit, and impossible, naming the group, when a
// rate it is to compare has no rows or its noise cannot be that of the labels, or when nothing that
// is better than one answer for all rows keeps within the tolerance.
FairTrainResult train_fair(RowsView rows, const GivenLabels& labels,
                           std::span<const std::int32_t> groups, const TrainOptions& train,
                           const FairOptions& fair, const Execution& execution = {});

}  // namespace noiseplus
