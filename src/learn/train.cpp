#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "learn/alpha.h"
#include "learn/checks.h"
#include "learn/labels.h"

namespace noiseplus {
namespace {

std::string class_name(const TrainOptions& options, std::size_t code) {
  return code < options.class_names.size() ? options.class_names[code] : std::to_string(code);
}

void refuse_one_class(const GivenLabels& labels, const TrainOptions& options) {
  const std::vector<double> shares = label_shares(labels);
  const auto present = std::count_if(shares.begin(), shares.end(), [](double s) { return s > 0; });
  if (present >= 2) return;
  const auto only = std::find_if(shares.begin(), shares.end(), [](double s) { return s > 0; });
  const std::string name =
      only == shares.end() ? "none"
                           : class_name(options, static_cast<std::size_t>(only - shares.begin()));
  throw Error(ErrorKind::impossible, "only one class is there to learn ('" + name +
                                         "'); give rows of two classes at least");
}

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

Targets targets_of(const GivenLabels& labels, const TrainOptions& options, double alpha) {
  switch (options.loss) {
    case LossKind::ce:
    case LossKind::co_teaching:
      return cross_entropy_targets(labels);
    case LossKind::backward:
      return backward_targets(labels, options.transition);
    case LossKind::forward:
      return forward_targets(labels, options.transition);
    case LossKind::peer:
    case LossKind::group_peer:
      break;
  }
  return peer_targets_of(labels, options, alpha);
}

void refuse_what_diverged(const Model& model, ModelKind kind) {
  const auto is_finite = [](float weight) { return std::isfinite(weight); };
  for (const Layer& layer : model.layers) {
    if (std::all_of(layer.weights.begin(), layer.weights.end(), is_finite) &&
        std::all_of(layer.biases.begin(), layer.biases.end(), is_finite)) {
      continue;
    }
    throw Error(ErrorKind::impossible,
                std::string("training diverged: a weight is no longer a number; ") +
                    (kind == ModelKind::mlp ? "lower --rate" : "scale the columns (--scale)"));
  }
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

Trained train(RowsView rows, const GivenLabels& labels, const TrainOptions& options,
              const Execution& execution) {
  check_targets(rows, cross_entropy_targets(labels));
  refuse_one_class(labels, options);
  Trained trained;
  const bool has_alpha = options.loss == LossKind::peer || options.loss == LossKind::group_peer;
  if (has_alpha && !options.alpha) {
    trained.trials = try_alphas(rows, labels, options, execution);
    trained.alpha = best_alpha(trained.trials);
  } else if (has_alpha) {
    trained.alpha = *options.alpha;
  }
  const std::vector<std::uint32_t> held = rows_to_hold_out(rows.rows, options);
  const EarlyStopping stopping{held, labels.codes, options.patience};
  Targets targets = targets_of(labels, options, trained.alpha);
  hold_out(targets, held, labels);
  if (options.loss == LossKind::co_teaching) {
    if (options.model != ModelKind::mlp) {
      throw Error(ErrorKind::usage, "co-teaching trains two networks; say --model mlp");
    }
    CoTeachingOptions pair;
    pair.mlp = options.mlp;
    pair.mlp.seed = options.seed;
    pair.mlp.stopping = stopping;
    pair.forget = share_to_forget(labels, options);
    trained.training = train_co_teaching(rows, labels, pair, execution);
  } else if (options.model == ModelKind::mlp) {
    MlpOptions mlp = options.mlp;
    mlp.seed = options.seed;
    mlp.stopping = stopping;
    trained.training = train_mlp(rows, targets, mlp, nullptr, execution);
  } else {
    LinearOptions linear = options.linear;
    linear.stopping = stopping;
    trained.training = train_linear(rows, targets, linear, nullptr, execution);
  }
  refuse_what_diverged(trained.training.model, options.model);
  return trained;
}

}  // namespace noiseplus
