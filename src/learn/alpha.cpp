#include <algorithm>
#include <cmath>

#include "learn/held_out.h"
#include "learn/layers.h"
#include "learn/loss_targets.h"
#include "learn/trainers.h"

namespace noiseplus {
namespace {

// The grid of the peer loss paper.
std::vector<double> usual_alphas() {
  std::vector<double> alphas;
  for (int step = -16; step <= 16; ++step) alphas.push_back(step / 20.0);
  return alphas;
}

// Models along the grid, each started from the one before. A new fold starts anew.
class AlphaPath {
 public:
  AlphaPath(RowsView rows, const TrainOptions& options, ThreadPool& pool)
      : options_(options), pool_(pool), trainer_(rows, pool) {}

  void restart() { model_ = Model(); }

  const Model& next(const Targets& targets, const Execution& execution) {
    const Model* const start = model_.layers.empty() ? nullptr : &model_;
    if (options_.model == ModelKind::linear) {
      LinearOptions linear = options_.linear;
      linear.stopping = {};
      linear.tolerance = std::max(linear.tolerance, 1e-4);  // ranks are all that is wanted
      model_ = trainer_.fit(targets, linear, start, execution).model;
    } else if (options_.model == ModelKind::trees) {
      const TreeTrainingOptions trees{options_.trees, options_.seed, {}};
      model_ = train_trees(trainer_.rows(), targets, trees, pool_, execution).model;
    } else {
      MlpOptions mlp = options_.mlp;
      mlp.stopping = {};
      mlp.epochs = options_.alpha_epochs;
      mlp.seed = options_.seed;
      model_ = train_mlp(trainer_.rows(), targets, mlp, start, pool_, execution).model;
    }
    return model_;
  }

  MatrixView rows() const { return trainer_.rows(); }

 private:
  const TrainOptions& options_;
  ThreadPool& pool_;
  LinearTrainer trainer_;
  Model model_;
};

std::size_t count_right(const Model& model, MatrixView rows, std::span<const std::uint32_t> which,
                        const GivenLabels& labels, ThreadPool& pool) {
  const std::vector<std::int32_t> likely =
      most_likely(probabilities_or_nan(model, rows, pool).view());
  std::size_t right = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    right += likely[i] == labels.codes[which[i]] ? 1 : 0;
  }
  return right;
}

std::vector<std::int32_t> folds_to_choose_by(const GivenLabels& labels, std::size_t folds,
                                             const TrainOptions& options) {
  try {
    return stratified_folds(labels, folds, options.seed, options.class_names);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    throw Error(ErrorKind::data, "--alpha cv with --alpha-folds " +
                                     std::to_string(options.alpha_folds) + ": " + error.what() +
                                     "; or give --alpha a number");
  }
}

}  // namespace

Targets peer_targets_of(const GivenLabels& labels, const TrainOptions& options, double alpha) {
  if (options.loss == LossKind::peer) {
    return options.sampled_peers ? sampled_peer_targets(labels, alpha, options.seed)
                                 : peer_targets(labels, alpha);
  }
  return group_peer_targets(labels,
                            {options.groups, options.deltas, alpha, options.peers_from_all_rows});
}

std::vector<AlphaTrial> try_alphas(RowsView rows, const GivenLabels& labels,
                                   const TrainOptions& options, ThreadPool& pool,
                                   const Execution& execution) {
  const std::vector<double> alphas = options.alphas.empty() ? usual_alphas() : options.alphas;
  constexpr std::size_t folds_of_a_split = 5;
  const std::size_t folds = options.alpha_folds;
  const std::vector<std::int32_t> fold_of =
      folds_to_choose_by(labels, folds == 1 ? folds_of_a_split : folds, options);
  std::vector<std::size_t> right(alphas.size());
  std::size_t held_rows = 0;
  AlphaPath path(rows, options, pool);
  const auto trials = static_cast<double>(folds * alphas.size());
  for (std::size_t f = 0; f < folds; ++f) {
    const std::vector<std::uint32_t> held = rows_of_fold(fold_of, static_cast<std::int32_t>(f));
    const Matrix held_values = gather(path.rows(), held);
    held_rows += held.size();
    path.restart();
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      const auto done = static_cast<double>(f * alphas.size() + a);
      const Execution part = part_of(execution, "alpha", done / trials, (done + 1) / trials);
      Targets targets = peer_targets_of(labels, options, alphas[a]);
      hold_out(targets, held, labels);
      right[a] += count_right(path.next(targets, part), held_values.view(), held, labels, pool);
    }
  }
  std::vector<AlphaTrial> result;
  for (std::size_t a = 0; a < alphas.size(); ++a) {
    result.push_back({alphas[a], static_cast<double>(right[a]) / static_cast<double>(held_rows)});
  }
  return result;
}

double best_alpha(std::span<const AlphaTrial> trials) {
  const auto best =
      std::max_element(trials.begin(), trials.end(), [](const AlphaTrial& a, const AlphaTrial& b) {
        if (a.accuracy != b.accuracy) return a.accuracy < b.accuracy;
        return std::abs(a.alpha) > std::abs(b.alpha);
      });
  return best->alpha;
}

}  // namespace noiseplus
