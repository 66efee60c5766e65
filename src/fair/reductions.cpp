// The game of the reductions approach (Agarwal et al. 2018). One player prices the excess of each
// group over all rows, by exponentiated gradient; the other answers with the best classifier at
// these prices. The linear program mixes the classifiers found so far into the best randomized
// one; its own prices say which classifier would improve that most, and the game is over when none
// does.
#include <algorithm>
#include <cmath>

#include "core/thread_pool.h"
#include "fair/checks.h"
#include "fair/learner.h"
#include "fair/mixture_lp.h"
#include "fair/multipliers.h"
#include "learn/loss_targets.h"
#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

// Rounds in a row that do not improve the mixture noticeably. Few rows make for cheap rounds.
int max_idle_rounds(double rows) {
  return rows < 20000 ? 8 : 4;
}

// Half a standard error of an error rate.
double noticeable(double rows) {
  return 0.25 / std::sqrt(rows);
}

class Game {
 public:
  Game(RowsView rows, const Cells& cells, const TrainOptions& train, const FairOptions& options,
       ThreadPool& pool, const Execution& execution)
      : rows_(static_cast<double>(rows.rows)),
        cells_(cells),
        rates_(compared_rates(cells, options, train.class_names)),
        options_(options),
        execution_(execution),
        learner_(rows, cells, options, train, pool) {}

  // `base`: what the loss alone says of each cell.
  void play(const CellWeights& base) {
    base_ = base;
    for (const bool is_positive : {false, true}) add(learner_.constant(is_positive));
    mix();
    constant_cost_ = best_.cost;
    ask(std::vector<double>(best_.prices.size()));
    Multipliers multipliers(best_.prices.size());
    const int patience = max_idle_rounds(rows_);
    int idle = 0;
    while (rounds_ < options_.max_rounds && idle < patience) {
      ++rounds_;
      const double last = best_.cost;
      mix();
      idle = rounds_ > 1 && best_.cost > last - noticeable(rows_) ? idle + 1 : 0;
      multipliers.answer(candidates_.back().excess, options_.tolerance);
      ask(idle % 2 == 0 ? halfway(multipliers.prices(), best_.prices) : best_.prices);
    }
    mix();
    converged_ = idle >= patience;
  }

  FairTrainResult result() const;

 private:
  // The linear program's prices jump, those of the gradient creep: between them both are tamed.
  static std::vector<double> halfway(std::vector<double> prices,
                                     const std::vector<double>& others) {
    for (std::size_t i = 0; i < prices.size(); ++i) prices[i] = (prices[i] + others[i]) / 2;
    return prices;
  }

  void mix() {
    const std::optional<BestMixture> best = best_mixture(candidates_, options_.tolerance);
    if (best) {
      best_ = *best;
    } else if (best_.prices.empty()) {
      throw Error(ErrorKind::impossible, "no mixture of answers keeps within a tolerance of " +
                                             format_number(options_.tolerance) +
                                             "; raise --tolerance");
    } else {
      best_.shares.resize(candidates_.size());
    }
  }

  void ask(const std::vector<double>& prices) {
    const double limit = options_.max_rounds + 1;
    const Execution part = part_of(execution_, "training", asked_ / limit, (asked_ + 1) / limit);
    add(learner_.fit(weights_at(prices), part));
    ++asked_;
  }

  void add(Classifier classifier) {
    MixtureCandidate candidate;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const auto called = static_cast<double>(classifier.counts[cell]);
      const double rest = static_cast<double>(cells_.rows[cell]) - called;
      candidate.cost += (called * base_[cell][0] + rest * base_[cell][1]) / rows_;
    }
    for (const ComparedRate& rate : rates_) {
      const std::vector<double> values = rate.values(classifier.counts);
      const double of_all = rate.of_all(values);
      for (const double value : values) candidate.excess.push_back(value - of_all);
    }
    candidates_.push_back(std::move(candidate));
    found_.push_back(std::move(classifier));
  }

  // Cost-sensitive relabeling: a row pulls towards the cheaper answer by the difference of costs.
  CellWeights weights_at(const std::vector<double>& prices) const {
    std::vector<std::vector<double>> of_rates;
    for (std::size_t r = 0; r < rates_.size(); ++r) {
      of_rates.push_back(
          rates_[r].prices_of_rows({prices.data() + r * cells_.groups, cells_.groups}));
    }
    CellWeights weights(cells_.size());
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      double cost = base_[cell][0] - base_[cell][1];
      for (const std::vector<double>& of_cells : of_rates) cost += rows_ * of_cells[cell];
      weights[cell] = {std::max(cost, 0.0), std::max(-cost, 0.0)};
    }
    return weights;
  }

  double rows_;
  const Cells& cells_;
  std::vector<ComparedRate> rates_;
  const FairOptions& options_;
  const Execution& execution_;
  WeightedLearner learner_;
  CellWeights base_;
  std::vector<MixtureCandidate> candidates_;  // first the two constants, then the free classifier
  std::vector<Classifier> found_;
  BestMixture best_;
  double constant_cost_ = 0;
  int rounds_ = 0, asked_ = 0;
  bool converged_ = false;
};

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

double error_of(const Cells& cells, std::span<const double> counts) {
  double wrong = 0, rows = 0;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const auto all = static_cast<double>(cells.rows[cell]);
    wrong += cell % 2 == 0 ? counts[cell] : all - counts[cell];
    rows += all;
  }
  return wrong / rows;
}

FairTrainResult Game::result() const {
  constexpr std::size_t constants = 2;
  const double free_cost = candidates_[constants].cost;
  const bool is_no_better = best_.cost > constant_cost_ - 1e-9;
  if (is_no_better && free_cost < constant_cost_ - noticeable(rows_)) {
    throw Error(ErrorKind::impossible,
                "nothing better than one answer for all rows keeps " +
                    std::string(to_string(options_.constraint)) + " within a tolerance of " +
                    format_number(options_.tolerance) + "; raise --tolerance");
  }
  FairTrainResult training;
  std::vector<double> counts(cells_.size());
  for (std::size_t t = 0; t < found_.size(); ++t) {
    const double share = best_.shares[t];
    if (share == 0) continue;
    training.mixture.shares.push_back(share);
    training.mixture.models.push_back(found_[t].model);
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      counts[cell] += share * static_cast<double>(found_[t].counts[cell]);
    }
  }
  const std::vector<double> free(found_[constants].counts.begin(), found_[constants].counts.end());
  for (const ComparedRate& rate : rates_) {
    const std::vector<double> values = rate.values(counts);
    training.violation = std::max(training.violation, range_of(values));
    training.free_violation = std::max(training.free_violation, range_of(rate.values(free)));
    for (std::size_t z = 0; z < values.size(); ++z) {
      training.rates.push_back(
          {rate.name, z, values[z], spread_of(cells_, options_, rate.name, z, counts)});
    }
  }
  training.error = error_of(cells_, counts);
  training.free_error = error_of(cells_, free);
  training.rounds = rounds_;
  training.models_trained = asked_;
  training.converged = converged_;
  return training;
}

// The losses that are a matter of weights have the same ones for all rows of a cell.
CellWeights weights_of_cells(const Cells& cells, TargetsView targets, std::size_t positive) {
  CellWeights weights(cells.size());
  std::vector<char> is_known(cells.size());
  for (std::size_t n = 0; n < cells.of_row.size(); ++n) {
    const std::uint32_t cell = cells.of_row[n];
    if (is_known[cell]++ != 0) continue;
    weights[cell] = {targets.weight(n, 1 - positive), targets.weight(n, positive)};
  }
  return weights;
}

// The weights of labels that are flipped with these probabilities, in expectation.
CellWeights after_flips(const CellWeights& weights, std::span<const double> flips,
                        std::size_t positive) {
  if (flips.empty()) return weights;
  CellWeights mixed(weights.size());
  for (std::size_t cell = 0; cell < weights.size(); ++cell) {
    // Cells are negative before positive; flips are by class.
    const auto class_of = [&](std::size_t side) { return positive == 1 ? side : 1 - side; };
    const double* row = flips.data() + cell / 2 * 4 + class_of(cell % 2) * 2;
    for (std::size_t to = 0; to < 2; ++to) {
      const std::array<double, 2>& own = weights[cell - cell % 2 + to];
      for (std::size_t side = 0; side < 2; ++side)
        mixed[cell][side] += row[class_of(to)] * own[side];
    }
  }
  return mixed;
}

void warn_of_small_groups(const Cells& cells, const FairOptions& options,
                          FairTrainResult& training) {
  constexpr std::int64_t few = 30;
  for (std::size_t z = 0; z < cells.groups; ++z) {
    const std::int64_t rows = cells.rows_of_group(z);
    if (rows >= few) continue;
    training.warnings.push_back("group '" + options.group_names[z] + "' has " +
                                std::to_string(rows) + (rows == 1 ? " row" : " rows") +
                                ": the constraint holds for these, and says little of others; "
                                "join it to another group or leave it out");
  }
}

}  // namespace

FairTrainResult train_fair(RowsView rows, const GivenLabels& labels,
                           std::span<const std::int32_t> groups, const TrainOptions& train,
                           const FairOptions& fair, const Execution& execution) {
  check_fair_options(rows, labels, groups, train, fair);
  const Cells cells(labels.codes, fair.positive, groups, fair.group_names.size());
  ThreadPool pool(execution.threads);
  Game game(rows, cells, train, fair, pool, execution);
  LossTargets loss = loss_targets(rows, labels, train, pool, execution);
  game.play(after_flips(weights_of_cells(cells, loss.targets, fair.positive), fair.expected_flips,
                        fair.positive));
  FairTrainResult training = game.result();
  if (!training.converged) {
    training.warnings.push_back("the search for a better mixture was given up after " +
                                std::to_string(training.rounds) + " rounds");
  }
  training.alpha = loss.alpha;
  training.trials = std::move(loss.trials);
  warn_of_small_groups(cells, fair, training);
  return training;
}

}  // namespace noiseplus
