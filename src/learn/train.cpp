#include <algorithm>
#include <cmath>

#include "core/eigen_solvers.h"
#include "learn/checks.h"
#include "learn/labels.h"
#include "learn/loss_targets.h"
#include "learn/trainers.h"

namespace noiseplus {
namespace {

// P(label is wrong), when T holds and the labels are as frequent as they are.
double noise_rate(const GivenLabels& labels, std::span<const double> transition) {
  check_transition(transition, labels.classes);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Eigen::Index>(labels.classes);
  const Eigen::Map<const RowMajor> matrix(transition.data(), size, size);
  const std::vector<double> shares = label_shares(labels);
  const Eigen::Map<const Eigen::VectorXd> noisy(shares.data(), size);
  Eigen::VectorXd clean = Eigen::MatrixXd(matrix.transpose()).fullPivLu().solve(noisy);
  clean = clean.cwiseMax(0);
  clean /= std::max(clean.sum(), 1e-12);
  return std::clamp(1 - clean.dot(matrix.diagonal()), 0.0, 0.95);
}

double share_to_forget(const GivenLabels& labels, const TrainOptions& options) {
  if (options.forget >= 0) return options.forget;
  if (!options.transition.empty()) return noise_rate(labels, options.transition);
  throw Error(ErrorKind::usage,
              "co-teaching must know how many labels are wrong; give --forget or --transition");
}

std::vector<std::uint32_t> rows_to_hold_out(std::size_t rows, const TrainOptions& options) {
  if (!(options.held_out >= 0 && options.held_out <= 0.5)) {
    throw Error(ErrorKind::usage, "the share of rows held out must be from 0 to 0.5");
  }
  const auto count = static_cast<std::size_t>(static_cast<double>(rows) * options.held_out);
  if (count == 0 && options.held_out > 0) {
    throw Error(ErrorKind::usage, "--hold-out " + format_number(options.held_out) + " of " +
                                      std::to_string(rows) +
                                      " rows is less than one; hold out more");
  }
  if (count == 0) return {};
  return sample_rows(rows, count, options.seed, Stream::split);
}

}  // namespace

TrainResult train(RowsView rows, const GivenLabels& labels, const TrainOptions& options,
                  const Execution& execution) {
  ThreadPool pool(execution.threads);
  LossTargets of_loss = loss_targets(rows, labels, options, pool, execution);
  TrainResult trained{{}, of_loss.alpha, std::move(of_loss.trials)};
  const std::vector<std::uint32_t> held = rows_to_hold_out(rows.rows, options);
  const EarlyStopping stopping{held, labels.codes, options.patience};
  AnyTargets& targets = of_loss.targets;
  std::visit([&](auto& of_rows) { hold_out(of_rows, held, labels); }, targets);
  if (options.loss == LossKind::co_teaching) {
    if (options.model != ModelKind::mlp) {
      throw Error(ErrorKind::usage, "co-teaching trains two networks; say --model mlp");
    }
    CoTeachingOptions pair;
    pair.mlp = options.mlp;
    pair.mlp.seed = options.seed;
    pair.mlp.stopping = stopping;
    pair.forget = share_to_forget(labels, options);
    trained.training = train_co_teaching(rows, labels, pair, pool, execution);
  } else if (options.model == ModelKind::mlp) {
    MlpOptions mlp = options.mlp;
    mlp.seed = options.seed;
    mlp.stopping = stopping;
    trained.training = train_mlp(rows, targets, mlp, nullptr, pool, execution);
  } else if (options.model == ModelKind::trees) {
    const TreeTrainingOptions trees{options.trees, options.seed, stopping};
    trained.training = train_trees(rows, targets, trees, pool, execution);
  } else {
    LinearOptions linear = options.linear;
    linear.stopping = stopping;
    trained.training = train_linear(rows, targets, linear, nullptr, pool, execution);
  }
  refuse_what_diverged(trained.training.model, options.model);
  return trained;
}

}  // namespace noiseplus
