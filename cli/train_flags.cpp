#include "train_flags.h"

namespace noiseplus::cli {
namespace {

void add_tree_flags(CLI::App& command, TreeOptions& trees) {
  command
      .add_option("--trees", trees.trees,
                  "trees: how many, of more than two classes for each of them")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--learning-rate", trees.learning_rate, "trees: part of each tree that counts")
      ->capture_default_str()
      ->check(CLI::Range(1e-9, 1.0));
  command.add_option("--leaves", trees.max_leaves, "trees: at most so many leaves of a tree")
      ->capture_default_str()
      ->check(CLI::Range(2, 65536));
  command.add_option("--depth", trees.max_depth, "trees: at most so many splits above a leaf")
      ->capture_default_str()
      ->check(CLI::Range(1, 64));
  command
      .add_option("--min-leaf-rows", trees.min_rows_in_leaf, "trees: at least so many in a leaf")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 30));
  command.add_option("--leaf-ridge", trees.ridge, "trees: penalty on the squares of leaf values")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1e9));
  command
      .add_option("--bins", trees.max_bins, "trees: at most so many different values of a column")
      ->capture_default_str()
      ->check(CLI::Range(2, 256));
  command.add_option("--row-share", trees.row_share, "trees: share of the rows that a tree sees")
      ->capture_default_str()
      ->check(CLI::Range(1e-4, 1.0));
  command
      .add_option("--column-share", trees.column_share,
                  "trees: share of the columns that a tree sees")
      ->capture_default_str()
      ->check(CLI::Range(1e-9, 1.0));
}

}  // namespace

void add_model_flags(CLI::App& command, TrainFlags& flags) {
  begin_group(command, "Model");
  TrainOptions& train = flags.options.train;
  takes_one_of(
      command.add_option("--model", flags.model,
                         "mlp: a perceptron with one hidden layer; trees: boosted decision trees"),
      option_values("model"))
      ->default_str("linear; mlp for co-teaching");
  command
      .add_option("--ridge", train.linear.ridge, "linear: half of this times |weights|^2 is added")
      ->capture_default_str()
      ->check(number_from_zero());
  command.add_option("--steps", train.linear.max_steps, "linear: at most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  command
      .add_option("--tolerance-gradient", train.linear.tolerance,
                  "linear: done when no entry of the gradient is larger")
      ->capture_default_str()
      ->check(number_from_zero());
  command.add_option("--hidden", train.mlp.hidden, "mlp: hidden units")
      ->capture_default_str()
      ->check(CLI::Range(2, 65536));
  command.add_option("--epochs", train.mlp.epochs, "mlp: passes over the rows")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command.add_option("--batch", train.mlp.batch, "mlp: rows of a step")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--rate", train.mlp.rate, "mlp: Adam's rate at the start")
      ->capture_default_str()
      ->check(number_above_zero());
  command
      .add_option("--dropout", train.mlp.dropout, "mlp: share of hidden units left out of a step")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.99));
  command.add_option("--weight-decay", train.mlp.weight_decay, "mlp: decoupled, as in AdamW")
      ->capture_default_str()
      ->check(number_from_zero());
  add_tree_flags(command, train.trees);
  command
      .add_option("--hold-out", train.held_out,
                  "Share of rows kept aside; training stops when their noisy accuracy no longer "
                  "rises")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
  command
      .add_option("--patience", train.patience,
                  "With --hold-out: steps, epochs or tens of trees without a rise")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
}

void add_noise_flags(CLI::App& command, TrainFlags& flags) {
  begin_group(command, "Loss and noise");
  takes_one_of(command.add_option("--loss", flags.loss,
                                  "ce is plain training; the others account for noise"),
               option_values("loss"))
      ->capture_default_str();
  command
      .add_option("--transition", flags.transition,
                  "Noise, for the losses that need it: a file of K lines of K numbers (row = clean "
                  "class), or an estimator of audit")
      ->type_name("FILE|" + joined_by("|", option_values("transition")))
      ->default_str("auto")
      ->check(not_empty());
  command.add_flag("--misspecify", flags.options.misspecify,
                   "Replace the transition matrix by a random one of the same trace");
  command.add_option("--alpha", flags.alpha, "Of the peer losses: below 1, or cv: cross-validated")
      ->type_name("NUMBER|cv")
      ->capture_default_str();
  command
      .add_option("--alpha-folds", flags.options.train.alpha_folds,
                  "With --alpha cv: folds; 1 is one split")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command.add_flag("--sampled-peers", flags.options.train.sampled_peers,
                   "peer: draw one pair of peers a row, as published, in place of the expectation");
  command
      .add_option("--group-rate", flags.group_rates,
                  "group-peer, --noise-aware: GROUP=E, the share of wrong labels in a group, or "
                  "GROUP=E-:E+ of its negatives and positives; may be repeated")
      ->type_name("GROUP=RATE")
      ->allow_extra_args(false);
  command.add_flag("--peers-from-all-rows", flags.options.train.peers_from_all_rows,
                   "group-peer: draw peers from all rows, as the published script does");
  command.add_option("--forget", flags.options.train.forget, "co-teaching: share of rows left out")
      ->default_str("by the transition matrix")
      ->check(CLI::Range(0.0, 0.99));
  command.add_option("--positive", flags.options.positive, "Class that is called positive")
      ->type_name("CLASS")
      ->default_str("the last");
  command
      .add_option("--k", flags.options.audit.k,
                  "Of the estimators that look at neighbors: how many")
      ->capture_default_str()
      ->check(CLI::Range(2, 255));
  command
      .add_option("--folds", flags.options.folds, "Of the estimators that look at a linear model")
      ->capture_default_str()
      ->check(CLI::Range(2, 100));
}

void add_fair_flags(CLI::App& command, TrainFlags& flags) {
  TrainModelOptions& options = flags.options;
  begin_group(command, "Fairness and balancing");
  takes_one_of(command.add_option("--fair", flags.fair, "What is to be alike in all groups"),
               option_values("fair"));
  command
      .add_option("--tolerance", options.tolerance,
                  "--fair: how far the rate of a group may be from that of all rows")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command.add_flag("--noise-aware", options.noise_aware,
                   "--fair: rates by clean labels, by way of the noise that --group-rate gives or "
                   "--transition estimates");
  takes_one_of(command.add_option("--route", options.route,
                                  "--fair: how noise is accounted for; auto: whichever is shown "
                                  "to pay, and why"),
               option_values("route"))
      ->default_str("as the other flags say");
  command
      .add_option("--fair-folds", options.fair_folds,
                  "--fair: rates are counted on rows unseen, by so many folds; 1: on the rows "
                  "trained on")
      ->default_str("5 where the noise is known, else 1")
      ->check(CLI::Range(1, 100));
  command.add_flag("--balance", options.balance,
                   "Balance the labels first, as the command balance does");
  takes_one_of(
      command.add_option("--scope", options.scope, "--balance: what is made equally noisy"),
      option_values("scope"))
      ->default_str("class, or group with --group");
  command.add_flag("--force", options.force,
                   "--balance: flip even where the difference is not significant");
}

}  // namespace noiseplus::cli
