#include "learn/mixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/checks.h"
#include "core/thread_pool.h"
#include "learn/layers.h"

namespace noiseplus {
namespace {

double sum_of(const std::vector<double>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0);
}

// Rounding may leave the sum a little below 1: what is beyond goes to the last class that is
// possible at all.
std::int32_t answer_at(std::span<const float> chances, double lot) {
  std::size_t last = 0;
  double sum = 0;
  for (std::size_t c = 0; c < chances.size(); ++c) {
    if (!(chances[c] > 0)) continue;
    last = c;
    sum += static_cast<double>(chances[c]);
    if (lot < sum) break;
  }
  return static_cast<std::int32_t>(last);
}

}  // namespace

std::string why_unfit(const Mixture& mixture) {
  if (!mixture.is_one()) return "there are no models";
  if (mixture.shares.size() != mixture.models.size()) return "there is not one share a model";
  const auto is_share = [](double share) { return std::isfinite(share) && share > 0; };
  if (!std::all_of(mixture.shares.begin(), mixture.shares.end(), is_share)) {
    return "a share is not above 0";
  }
  constexpr double rounding = 1e-9;
  if (!(std::abs(sum_of(mixture.shares) - 1) <= rounding)) return "the shares do not add up to 1";
  const Model& first = mixture.models.front();
  const auto is_like_first = [&](const Model& model) {
    return model.classes == first.classes && model.inputs() == first.inputs();
  };
  if (!std::all_of(mixture.models.begin(), mixture.models.end(), is_like_first)) {
    return "the models are not of the same classes and inputs";
  }
  return "";
}

std::span<const Model> models_of(const SavedModel& saved) {
  if (saved.mixture.is_one()) return saved.mixture.models;
  return {&saved.model, 1};
}

std::span<Model> models_of(SavedModel& saved) {
  if (saved.mixture.is_one()) return saved.mixture.models;
  return {&saved.model, 1};
}

Matrix probabilities(const Mixture& mixture, RowsView rows, const Execution& execution) {
  const std::string why = why_unfit(mixture);
  if (!why.empty()) throw Error(ErrorKind::usage, "the mixture cannot be used: " + why);
  check_view(rows);
  for (const Model& model : mixture.models) {
    check_that(is_sound(model), "the parts of a model of the mixture do not fit each other");
  }
  check_columns(mixture.models.front(), rows.columns);
  const std::size_t classes = mixture.models.front().classes;
  const std::size_t members = mixture.models.size();
  std::vector<double> sums(rows.rows * classes);
  ThreadPool pool(execution.threads);
  for (std::size_t t = 0; t < members; ++t) {
    const auto part = [&](std::size_t done) {
      return static_cast<double>(done) / static_cast<double>(members);
    };
    const Execution one = part_of(execution, "predicting", part(t), part(t + 1));
    const std::vector<std::int32_t> answers =
        most_likely(probabilities(mixture.models[t], rows, pool, one).view());
    for (std::size_t n = 0; n < rows.rows; ++n) {
      sums[n * classes + static_cast<std::size_t>(answers[n])] += mixture.shares[t];
    }
  }
  // Where all models agree both sums are the same, and the chance is 1 to the last digit.
  const double total = sum_of(mixture.shares);
  Matrix result(rows.rows, classes);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    result.row(0)[i] = static_cast<float>(sums[i] / total);
  }
  return result;
}

Matrix probabilities(const SavedModel& saved, RowsView rows, const Execution& execution) {
  return saved.mixture.is_one() ? probabilities(saved.mixture, rows, execution)
                                : probabilities(saved.model, rows, execution);
}

std::vector<std::int32_t> sample_labels(MatrixView probabilities, std::uint64_t seed) {
  check_probabilities(probabilities, "the probabilities");
  check_that(probabilities.columns > 0 || probabilities.rows == 0,
             "probabilities of no class have no answer to draw");
  std::vector<std::int32_t> answers(probabilities.rows);
  for (std::size_t n = 0; n < probabilities.rows; ++n) {
    answers[n] =
        answer_at({probabilities.row(n), probabilities.columns}, uniform(seed, Stream::answers, n));
  }
  return answers;
}

}  // namespace noiseplus
