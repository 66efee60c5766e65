#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/portable_math.h"
#include "core/row_count.h"
#include "learn/checks.h"
#include "learn/early_stop.h"
#include "learn/layers.h"
#include "learn/row_losses.h"
#include "learn/trainers.h"
#include "learn/tree_booster.h"

namespace noiseplus {
namespace {

// One tree changes little: looks at the rows held out are this many rounds apart.
constexpr int rounds_between_looks = 10;

void take_row(TargetsView targets, std::size_t row, std::vector<float>& room, TreeLabels& labels) {
  const float* const weights = targets.block(row, 1, room);
  const std::size_t classes = targets.classes();
  const double sum = targets.sum_of_row(row);
  const bool is_used = targets.counts(row);
  if (is_used && !(sum > 0)) {
    throw Error(ErrorKind::usage, "row " + std::to_string(row + 1) +
                                      ": trees take weights of classes that add up to more than "
                                      "zero, or are all zero");
  }
  labels.weights.push_back(static_cast<float>(sum));
  labels.labels.push_back(is_used ? static_cast<float>(double{weights[1]} / sum) : 0);
  labels.is_signed |= std::any_of(weights, weights + classes, [](float w) { return w < 0; });
  double largest = 0;  // no slope of the row's loss is larger
  for (std::size_t c = 0; c < classes; ++c) largest += std::abs(double{weights[c]});
  labels.max_weight = std::max(labels.max_weight, static_cast<float>(largest));
}

// Shares of the classes in the best model that says the same of every row.
std::vector<double> constant_model(TargetsView targets) {
  const std::size_t classes = targets.classes();
  const std::span<const double> transition = targets.transition();
  std::vector<double> given(classes);
  for (std::size_t n = 0; n < targets.rows(); ++n) {
    for (std::size_t c = 0; c < classes; ++c) given[c] += double{targets.weight(n, c)};
  }
  std::vector<double> shares = given;
  if (!transition.empty()) {
    // By expectation maximization: what part of each label each clean class accounts for.
    constexpr int rounds = 200;
    std::fill(shares.begin(), shares.end(), 1.0);
    for (int round = 0; round < rounds; ++round) {
      std::vector<double> next(classes);
      for (std::size_t c = 0; c < classes; ++c) {
        double noisy = 0;
        for (std::size_t k = 0; k < classes; ++k) {
          noisy += shares[k] * transition[k * classes + c];
        }
        for (std::size_t k = 0; k < classes && noisy > 0; ++k) {
          next[k] += given[c] * shares[k] * transition[k * classes + c] / noisy;
        }
      }
      shares = std::move(next);
    }
  }
  constexpr double min_share = 1e-3;
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) {
    share = total > 0 ? std::max(share / total, min_share / static_cast<double>(classes)) : 1;
  }
  return shares;
}

std::vector<double> offsets_of(TargetsView targets) {
  const std::vector<double> shares = constant_model(targets);
  if (shares.size() == 2) return {portable::log(shares[1] / shares[0])};
  std::vector<double> offsets;
  offsets.reserve(shares.size());
  for (const double share : shares) offsets.push_back(portable::log(share));
  return offsets;
}

TreeProblem problem_of(TargetsView targets, const TreeTrainingOptions& options) {
  const std::size_t rows = targets.rows();
  const std::span<const double> transition = targets.transition();
  TreeProblem problem;
  problem.options = options.trees;
  problem.seed = options.seed;
  problem.targets = targets;
  problem.offsets = offsets_of(targets);
  problem.row_ids.resize(rows);
  std::iota(problem.row_ids.begin(), problem.row_ids.end(), 0U);
  problem.max_weight = 0;
  std::vector<float> room;
  for (std::size_t n = 0; n < rows; ++n) take_row(targets, n, room, problem);
  if (!transition.empty() && targets.classes() == 2) {
    problem.negative_noise = transition[1];
    problem.signal = transition[3] - transition[1];
  }
  return problem;
}

// How many rounds are best, by the labels of the rows held out.
class BestRounds {
 public:
  BestRounds(const EarlyStopping& stopping, std::size_t rows, std::size_t outputs)
      : stopping_(stopping), rows_(rows), outputs_(outputs) {}

  bool is_on() const { return !stopping_.rows.empty(); }

  // False when it is time to stop.
  bool consider(int rounds, std::span<const double> scores) {
    const double accuracy = accuracy_of(scores);
    if (accuracy > accuracy_) {
      accuracy_ = accuracy;
      rounds_ = rounds;
      without_rise_ = 0;
      return true;
    }
    return ++without_rise_ < stopping_.patience;
  }

  int rounds() const { return rounds_; }
  double accuracy() const { return accuracy_; }

 private:
  std::size_t answer_for(std::span<const double> scores, std::size_t row) const {
    if (outputs_ == 1) return scores[row] > 0 ? 1 : 0;
    std::size_t best = 0;
    for (std::size_t o = 1; o < outputs_; ++o) {
      if (scores[o * rows_ + row] > scores[best * rows_ + row]) best = o;
    }
    return best;
  }

  double accuracy_of(std::span<const double> scores) const {
    std::size_t right = 0;
    for (const std::uint32_t row : stopping_.rows) {
      const auto code = static_cast<std::size_t>(stopping_.codes[row]);
      right += answer_for(scores, row) == code ? 1 : 0;
    }
    return static_cast<double>(right) / static_cast<double>(stopping_.rows.size());
  }

  EarlyStopping stopping_;
  std::size_t rows_, outputs_;
  int rounds_ = 0, without_rise_ = 0;
  double accuracy_ = -1;
};

double mean_loss(std::span<const double> scores, TargetsView targets) {
  const std::size_t rows = targets.rows(), classes = targets.classes();
  const std::size_t outputs = outputs_of(classes), stride = output_stride(outputs);
  constexpr std::size_t block = 1024;
  const LossKernel& kernel = chosen_loss_kernel();
  const auto limit = static_cast<float>(-portable::log(signed_weight_floor));
  double sum = 0;
  std::vector<float> logits(block * stride), room;
  for (std::size_t begin = 0; begin < rows; begin += block) {
    const std::size_t count = std::min(block, rows - begin);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t o = 0; o < outputs; ++o) {
        logits[i * stride + o] = static_cast<float>(scores[o * rows + begin + i]);
      }
    }
    const RowLosses losses{count, classes, logits.data(), stride, targets.block(begin, count, room),
                           limit};
    sum += !targets.transition().empty() ? forward_losses(losses, targets.transition())
           : classes == 2                ? kernel.logistic(losses)
                                         : kernel.softmax(losses);
  }
  return sum / targets.total();
}

}  // namespace

FitResult train_trees(RowsView rows, TargetsView targets, const TreeTrainingOptions& options,
                      ThreadPool& pool, const Execution& execution) {
  check_targets(rows, targets);
  check_tree_options(options.trees);
  check_row_count(rows.rows);
  check_stopping(options.stopping, rows.rows, targets.classes());
  TreeProblem problem = problem_of(targets, options);
  const std::size_t outputs = problem.offsets.size();
  ProgressMeter meter(execution, "training",
                      rows.columns + static_cast<std::size_t>(options.trees.trees) * outputs);
  problem.binned =
      bin_rows(rows, problem.row_ids, options.trees.max_bins, options.seed, pool, meter);

  TreeBooster booster(problem, 0, 0, 0, &pool);
  BestRounds best(options.stopping, rows.rows, outputs);
  FitResult training;
  training.model.classes = targets.classes();
  BoostedTrees& model = training.model.boosted;
  model.inputs = rows.columns;
  model.offsets = problem.offsets;
  while (training.steps < options.trees.trees) {
    for (Tree& tree : booster.add_trees(meter)) model.trees.push_back(std::move(tree));
    ++training.steps;
    const bool is_time =
        training.steps % rounds_between_looks == 0 || training.steps == options.trees.trees;
    if (best.is_on() && is_time && !best.consider(training.steps, booster.scores())) break;
  }
  meter.finish();
  training.loss = mean_loss(booster.scores(), targets);
  if (best.is_on()) {
    model.trees.resize(static_cast<std::size_t>(best.rounds()) * outputs);
    training.held_out_accuracy = best.accuracy();
  }
  return training;
}

FitResult train_trees(RowsView rows, const Targets& targets, const TreeTrainingOptions& options,
                      const Execution& execution) {
  ThreadPool pool(execution.threads);
  return train_trees(rows, targets, options, pool, execution);
}

}  // namespace noiseplus
