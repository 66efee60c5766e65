// Stage 3, learn: models trained on labels that may be wrong.
//
//   labels --loss--> Targets (n x K signed weights) --trainer--> Model --> n x K probabilities
//
// One idea serves every loss. With l_c(x) = -log P(c | x) a loss is the sum over rows and classes
// of w[n][c] l_c(x_n): cross entropy has w = 1 for the row's label and 0 else, corrections for
// noise have other weights, some of them below zero. A trainer sees the weights and nothing of
// where they came from.
//
// Labels are codes 0 .. K-1. Transition matrices are row-major K x K, T[i][j] = P(label j | clean
// i). The same seed gives the same model, bit for bit, at any number of threads, on every
// processor with fused multiply-add.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "noiseplus/core.h"
#include "noiseplus/data.h"

namespace noiseplus {

// ---------------------------------------------------------------------------------------- targets

// Labels as they were given. Not owned.
struct GivenLabels {
  std::span<const std::int32_t> codes;
  std::size_t classes = 2;                  // 2 to 65536; stratified_folds also takes 1
  std::span<const float> row_weights = {};  // empty: each row counts 1; none below 0
};

// What a trainer minimizes: (1 / total) sum over n, c of weights[n][c] * l_c(x_n). A row of zeros
// takes no part.
struct Targets {
  Matrix weights;    // n x K
  double total = 0;  // how many rows count; row weights are scaled to a mean of 1
  // Forward correction: when set, l_c = -log of entry c of T^t P( | x), which is what a model of
  // the clean label says of the noisy one.
  std::vector<double> transition;
};

// The label itself. All functions here throw usage when codes, weights or classes do not fit.
Targets cross_entropy_targets(const GivenLabels& labels);

// Row `label` of the inverse of T: in expectation over the noise, the loss with clean labels
// (Natarajan et al. 2013; Patrini et al. 2017). Throws impossible when T cannot be inverted.
Targets backward_targets(const GivenLabels& labels, std::span<const double> transition);

// Cross entropy of T^t P( | x) (Patrini et al. 2017). The one loss that is not a matter of weights.
// Throws impossible as backward_targets does: what T leaves alike, no model can tell apart.
Targets forward_targets(const GivenLabels& labels, std::span<const double> transition);

// The label minus alpha times the frequencies of all labels: peer loss (Liu and Guo 2020), with the
// expectation over the peers in place of a draw. Needs no noise rates. REQUIRES: alpha < 1.
Targets peer_targets(const GivenLabels& labels, double alpha);

// The same with one pair of peers drawn for each row, as published; `draw` numbers the draws.
Targets sampled_peer_targets(const GivenLabels& labels, double alpha, std::uint64_t seed,
                             std::uint64_t draw = 0);

// Group peer loss (Wang, Liu, Levy 2021): peer loss inside each group, divided by the group's
// delta = 1 - e+ - e-.
struct GroupPeer {
  std::span<const std::int32_t> groups;  // one a row, 0 .. deltas.size() - 1
  std::span<const double> deltas;        // above 0
  double alpha = 1;
  bool peers_from_all_rows = false;  // as the published script draws them
};
Targets group_peer_targets(const GivenLabels& labels, const GroupPeer& peer);

// A random transition matrix with the trace of `transition`: what a user would have who knows how
// much noise there is, but not where. Diagonals stay above 1 / K where the trace lets them.
std::vector<double> misspecified_transition(std::span<const double> transition, std::size_t classes,
                                            std::uint64_t seed);

// ---------------------------------------------------------------------------------------- models

// outputs = inputs * weights + biases.
struct Layer {
  std::size_t inputs = 0, outputs = 0;
  std::vector<float> weights;  // row-major inputs x outputs
  std::vector<float> biases;   // one an output
};

// A row goes left where its value in `column` is at most `threshold`, else right.
struct TreeSplit {
  std::uint32_t column = 0;
  float threshold = 0;
  // Another split, always a later one, or ~i for leaf i.
  std::int32_t left = -1, right = -2;
};

// A row starts at the first split. Without splits there is one leaf.
struct Tree {
  std::vector<TreeSplit> splits;
  std::vector<double> leaves;  // one more than splits; each is reached in exactly one way
};

// Each output is its offset plus the leaves that a row reaches in its trees.
struct BoostedTrees {
  std::size_t inputs = 0;       // columns of a row; 0: not a model
  std::vector<double> offsets;  // one per output
  std::vector<Tree> trees;      // tree t belongs to output t % offsets.size()
};

// One layer is a linear model; two are a perceptron with max(0, x) between them. A model has layers
// or trees, never both. Two classes have one output, the logit of class 1; K classes have K, and
// softmax makes them probabilities. A plain value: copy it, compare it, store it.
struct Model {
  std::size_t classes = 0;
  std::vector<Layer> layers;
  BoostedTrees boosted = {};

  bool has_trees() const { return boosted.inputs != 0; }
  std::size_t inputs() const { return layers.empty() ? boosted.inputs : layers.front().inputs; }
};

// n x K. Throws usage when the rows have another number of columns than the model, or the model is
// not as said above: a weight, threshold or leaf is not finite, a split leads nowhere. Throws data,
// naming the row, when a logit is not finite because a value of the row is NaN or too large; trees
// take any finite value. Trees take O(rows * trees * depth).
Matrix probabilities(const Model& model, RowsView rows, const Execution& execution = {});

// A classifier that answers by lot: as models[t] would, with probability shares[t]. Some promises
// of fairness no single model can keep, while such a mixture can. A plain value too.
struct Mixture {
  std::vector<double> shares;  // above 0, adding up to 1
  std::vector<Model> models;   // of the same classes and inputs; none: not a mixture

  bool is_one() const { return !models.empty(); }
};

// n x K: how likely each answer is, before the lot is drawn: the shares of the models whose most
// likely class it is. Public: whoever is judged by the mixture may know them. Throws usage when the
// shares or the models are not as said above, or the rows have another number of columns; data as
// the one above.
Matrix probabilities(const Mixture& mixture, RowsView rows, const Execution& execution = {});

// One answer a row, drawn with these probabilities by hash(seed, row): the same rows in the same
// order get the same answers. Throws usage when one is not from 0 to 1.
std::vector<std::int32_t> sample_labels(MatrixView probabilities, std::uint64_t seed);

// The class of each row with the highest probability; the first of equals. Throws usage when there
// are rows but no columns.
std::vector<std::int32_t> most_likely(MatrixView probabilities);

// Share of rows whose most likely class is the label. Throws usage when there is not one code from
// 0 to columns - 1 per row.
double accuracy(MatrixView probabilities, std::span<const std::int32_t> codes);

// ---------------------------------------------------------------------------------------- trainers

// Stop when the accuracy on rows held out, by their noisy labels, has not risen for a while; the
// best model so far is the result. The rows must have targets of zero: see hold_out.
struct EarlyStopping {
  std::span<const std::uint32_t> rows = {};  // empty: train to the end
  std::span<const std::int32_t> codes = {};  // of all rows; only those of `rows` are read
  int patience = 5;  // steps (linear), epochs (mlp) or tens of trees without a rise
};

// Sets the targets of these rows to zero; the total becomes that of the others. Throws usage when a
// row is not there, or targets and labels are not of the same rows.
void hold_out(Targets& targets, std::span<const std::uint32_t> rows, const GivenLabels& labels);

struct LinearOptions {
  // Changes the answer. Minimized is the loss + ridge / 2 * |weights|^2; biases are free. With
  // weights below zero the loss has no lower bound of its own, and ridge must be above 0.
  double ridge = 1e-4;
  int max_steps = 500;
  double tolerance = 3e-6;  // on the largest entry of the gradient
  EarlyStopping stopping;
};

struct FitResult {
  Model model;
  std::optional<double> held_out_accuracy;  // of that model, with early stopping
  int steps = 0;                            // of the optimizer, or epochs
  double loss = 0;                          // what was minimized, at the end; penalty included
  bool converged = true;  // linear: the gradient is below the tolerance, or as low as floats go
};

// Trainers throw usage when rows, targets, options or start do not fit, when there are no columns,
// or when a number of targets or start is not finite; data when a value is not finite or too large
// to train on, or no row counts.
//
// By L-BFGS, from zero or from `start`. Where no row's weights add up to less than zero, as those
// of cross entropy, backward and peer loss, the problem is convex and the start changes only the
// time.
FitResult train_linear(RowsView rows, const Targets& targets, const LinearOptions& options = {},
                       const Model* start = nullptr, const Execution& execution = {});

struct MlpOptions {
  // Changes the answer.
  std::size_t hidden = 128;
  int epochs = 20;
  std::size_t batch = 128;
  double rate = 1e-3;       // Adam's, falling to zero along a half cosine
  double weight_decay = 0;  // decoupled: weights shrink by rate * weight_decay each step
  double dropout = 0;       // share of hidden units left out of a row's step
  // A weight below zero stops pulling where its class is less likely than this: without a floor
  // such a loss has no lower bound.
  double floor = 1e-3;
  std::uint64_t seed = 0;
  EarlyStopping stopping;
};

// By mini-batches and Adam (Kingma and Ba 2015), from random weights or from `start`. Columns are
// centered and put on one common scale while training; the model is of the rows as they are.
FitResult train_mlp(RowsView rows, const Targets& targets, const MlpOptions& options = {},
                    const Model* start = nullptr, const Execution& execution = {});

struct CoTeachingOptions {
  MlpOptions mlp;
  double forget = 0.2;       // share of rows that is left out in the end: the noise rate
  int epochs_to_forget = 5;  // over which that share grows from 0
};

// Two networks that start differently; each picks the rows of a batch with the smallest loss for
// the other to learn from (Han et al. 2018). The result is the first, or with early stopping
// the better of both on the rows held out.
FitResult train_co_teaching(RowsView rows, const GivenLabels& labels,
                            const CoTeachingOptions& options = {}, const Execution& execution = {});

// Boosted trees: each tree is grown leaf by leaf, best gain first, on binned columns.
struct TreeOptions {
  // Changes the answer.
  int trees = 120;                    // per output, 1 to 100,000
  int max_depth = 4;                  // 1 to 64
  int max_leaves = 15;                // 2 to 65,536
  std::size_t min_rows_in_leaf = 50;  // at least 1; a row counts 1 whatever its weight
  double learning_rate = .05;         // above 0, at most 1
  double ridge = 5;                   // L2 on leaf values, 0 to 1e9
  double row_share = .8;              // of the rows, drawn anew for each tree; above 0, at most 1
  double column_share = .8;           // of the columns that vary, likewise
  std::size_t max_bins = 64;          // of a column, 2 to 256
};

struct TreeTrainingOptions {
  TreeOptions trees;
  std::uint64_t seed = 0;
  EarlyStopping stopping;
};

// By gradient boosting, second order (Friedman 2001; Ke et al. 2017): K > 2 classes get K trees per
// round. Scores start from those of the best constant model. Weights below zero are taken where
// those of the row add up to more than zero, as those of backward and peer loss do; such a weight
// stops pulling where its class is less likely than 1/1000. Time is
// O(rows * columns * trees), memory as for out_of_fold_tree_probabilities, with 16 bytes more per
// row and output. FitResult::steps counts rounds.
//
// Throws as the other trainers, and usage also when the weights of a row add up to less than zero,
// or to zero without all being zero.
FitResult train_trees(RowsView rows, const Targets& targets,
                      const TreeTrainingOptions& options = {}, const Execution& execution = {});

// ---------------------------------------------------------------------------------- out of sample

// The fold, 0 .. folds-1, of each row: shuffled, each class dealt evenly. Throws data, naming the
// class (by `class_names` where given), when a class that occurs has fewer rows than folds, and
// when there are 2^32 rows or more.
std::vector<std::int32_t> stratified_folds(const GivenLabels& labels, std::size_t folds,
                                           std::uint64_t seed,
                                           std::span<const std::string> class_names = {});

struct FoldOptions {
  // Changes the answer.
  std::size_t folds = 5;
  std::uint64_t seed = 0;
  // Probabilities to three digits do not need the last steps.
  LinearOptions linear = {.tolerance = 1e-4, .stopping = {}};
  std::vector<std::string> class_names;  // for messages
  // T, where the noise is known: the model is then trained by forward_targets, and what it says is
  // of clean labels. Empty: of the given ones.
  std::vector<double> transition = {};
};

// n x K: what a linear model says of each row that was trained on the other folds.
Matrix out_of_sample_probabilities(RowsView rows, const GivenLabels& labels,
                                   const FoldOptions& options = {},
                                   const Execution& execution = {});

// n x 2: P(clean class | row) by boosted trees trained on the other folds with the
// forward-corrected loss -log(T01 + (T11 - T01) sigmoid(f)) of label 1, from f = 0. f is clipped to
// [-8, 8] before it becomes a probability. Uses the folds, seed, class_names and transition of
// `folds`; an empty transition means labels without noise. Rows of weight 0 train nothing and are
// scored.
//
// Time is O(rows * columns * trees) per fold; folds run in parallel. Columns of which no row uses
// two, such as one-hot ones, are binned into one: they cost what the categorical column would.
// Memory beyond the input: up to 2 bytes per value while binning and 1 afterwards, 8 columns to a
// 64-bit word, panel by panel; some 30 bytes per row, 40 per row and thread, and 24 per bin, leaf
// and thread. Row weights are rounded to 1/8191 of the largest.
//
// Throws usage when rows, labels or options do not fit or there are not two classes; data when a
// value is not finite, no row has a weight or a class has fewer rows than folds; impossible when
// the transition matrix cannot be inverted.
Matrix out_of_fold_tree_probabilities(RowsView rows, const GivenLabels& labels,
                                      const FoldOptions& folds = {},
                                      const TreeOptions& options = {},
                                      const Execution& execution = {});

// ---------------------------------------------------------------------------------------- training

enum class LossKind { ce, backward, forward, peer, group_peer, co_teaching };
enum class ModelKind { linear, mlp, trees };

// As --loss spells them: "ce", "backward", "forward", "peer", "group-peer", "co-teaching". Throws
// usage, saying what there is, for other names. A value that is none has an empty name.
std::string_view to_string(LossKind loss);
LossKind parse_loss(std::string_view name);

// The same for --model: "linear", "mlp", "trees".
std::string_view to_string(ModelKind model);
ModelKind parse_model_kind(std::string_view name);

// Everything between labels and a model.
struct TrainOptions {
  // Changes the answer.
  LossKind loss = LossKind::ce;
  ModelKind model = ModelKind::linear;
  std::vector<double> transition;  // backward, forward; co-teaching: how much to forget
  std::optional<double> alpha;     // peer, group-peer; none: by accuracy on noisy labels held out
  std::vector<double> alphas;      // to choose from; empty: -0.8, -0.75, ..., 0.8
  std::size_t alpha_folds = 5;     // 1: one split, with a fifth held out
  bool sampled_peers = false;      // peer: one draw of peers in place of their expectation
  int alpha_epochs = 5;            // mlp: of each trial
  std::span<const std::int32_t> groups;  // group-peer: one a row
  std::vector<double> deltas;            // group-peer: one a group
  bool peers_from_all_rows = false;
  LinearOptions linear;
  MlpOptions mlp;
  TreeOptions trees;
  double forget = -1;   // co-teaching; below 0: from the transition matrix
  double held_out = 0;  // share of rows kept for early stopping
  int patience = 5;
  std::uint64_t seed = 0;
  std::vector<std::string> class_names;  // for messages
};

struct AlphaTrial {
  double alpha = 0;
  double accuracy = 0;  // on noisy labels held out
};

struct TrainResult {
  FitResult training;
  double alpha = 0;
  std::vector<AlphaTrial> trials;  // when alpha was chosen
};

// Trees take every loss but co-teaching. Throws impossible when there is one class only, or when
// training ends in weights that are no numbers.
TrainResult train(RowsView rows, const GivenLabels& labels, const TrainOptions& options = {},
                  const Execution& execution = {});

// ------------------------------------------------------------------------------------- evaluation

// Counts of one group of rows, or of all. counts[i * classes + j]: rows of class i predicted as j;
// of answers by lot as many as are expected, which need not be whole numbers.
struct Confusion {
  std::size_t classes = 0;
  std::vector<double> counts;
  std::vector<std::int64_t> class_rows;  // rows of each class

  std::int64_t rows() const;
  // These throw usage when a class is none of these, or shares are not one per class, from 0 to 1
  // and adding up to 1.
  std::int64_t rows_of(std::size_t class_code) const;
  void add(std::int32_t class_code, std::int32_t predicted);
  // A row that is predicted as class j with the probability shares[j].
  void add(std::int32_t class_code, std::span<const float> shares);
};

struct GroupQuality {
  std::string group;
  Confusion confusion;
  EstimateWithInterval accuracy;
  // Of the positive class: P(predicted positive | positive), P(predicted positive | not positive)
  // and P(predicted positive). No value where no row can tell: a group without positives has no
  // true positive rate.
  std::optional<EstimateWithInterval> tpr, fpr, positive_rate;
};

struct Evaluation {
  std::vector<std::string> classes;
  std::size_t positive = 1;
  GroupQuality all;
  std::vector<GroupQuality> groups;
  // Largest difference between two groups of P(predicted j | class i) over all i, j (two classes:
  // of tpr or fpr), of P(predicted j), and of the share that is predicted wrong. None with fewer
  // than two groups that can tell.
  std::optional<EstimateWithInterval> equalized_odds_violation, demographic_parity_violation,
      error_parity_violation;
  std::vector<std::string> warnings;
};

// Rates have Wilson's intervals; differences Newcombe's, widened for the number of comparisons
// (Bonferroni), so that the interval of a violation holds for the largest of many. With more than
// four million comparisons the violation's interval comes from those of the rates instead, and is
// wider. A violation of chance alone is above 0 too: where its interval starts at 0, nothing is
// proved. `groups` may be empty; groups without rows are left out; those that cannot be compared or
// have fewer than 30 rows are named in the warnings. Throws usage when lengths or codes do not fit,
// or when there are no rows.
Evaluation evaluate(std::span<const std::int32_t> predicted, const Labels& labels,
                    std::size_t positive, const Labels& groups = {});

// The same of answers by lot, in expectation: n x K, how likely each answer is. Counts and rates
// are means over all draws, violations differences of such rates; nothing is drawn. Wilson's
// intervals are conservative here: a mean of probabilities varies less than one of answers. Throws
// usage also when a row has shares below 0 or does not add up to 1.
Evaluation evaluate(MatrixView answer_shares, const Labels& labels, std::size_t positive,
                    const Labels& groups = {});

// ---------------------------------------------------------------------------------------- files

// To whom a fair model promises what. Rates are those of the rows it was trained on.
struct FairnessMetadata {
  std::string constraint;  // "equalized-odds", ...
  double tolerance = 0;
  std::string group_name;              // column of the groups; several are joined by '|'
  std::vector<std::string> groups;     // those that were there in training
  std::vector<double> negative_noise;  // e- of each group that the constraint accounted for ...
  std::vector<double> positive_noise;  // ... and e+; both empty where it took labels as given
};

// A model with all that is needed to use it on a file.
struct SavedModel {
  Model model;  // without layers where the mixture is one
  Mixture mixture;
  std::optional<FairnessMetadata> fair;
  std::vector<std::string> classes, spellings;  // as in Labels
  std::string label;                            // name of the label column
  std::size_t positive = 0;                     // two classes: which one is called positive
  FeatureRecipe recipe;
  // How it was trained, for people: "loss" -> "peer", "rows" -> "48842", ...
  std::vector<std::pair<std::string, std::string>> notes;
};

// n x K, of the mixture where there is one and else of the model.
Matrix probabilities(const SavedModel& saved, RowsView rows, const Execution& execution = {});

// The format is described in docs/models.md: the same bytes on every machine, with a version and a
// checksum. read_model throws data, saying why, for any bytes that write_model has not written, and
// for versions it does not know.
void write_model(const SavedModel& model, OutputFile& output);
std::string model_bytes(const SavedModel& model);
SavedModel read_model(Bytes bytes, const std::string& source);

}  // namespace noiseplus
