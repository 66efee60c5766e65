#include <algorithm>

#include "core/portable_math.h"
#include "noise/curve/curve_fits.h"
#include "noise/curve/curve_many_errors.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

// Of T, and of the logarithm of each weight. The second is for scores that are themselves as noisy
// as labels: a curve that follows them, with hardly any noise, is a minimum of its own.
constexpr struct { double diagonal, weight; } starts[] = {{.8, 0}, {.6, 1.5}};
constexpr double smallest_score = 1e-4;
constexpr double smallest_weight = -6, largest_weight = 4;  // logarithms
constexpr std::size_t rows_of_a_sample = 6000;
constexpr double relative_ridge = 1e-2;  // of curvature
const Execution silent;
constexpr double smallest_likelihood = 1e-100;  // of a label
constexpr double smallest_cell = 1e-9;          // of T that errors are worked out with

}  // namespace

ManyClassCurve::ManyClassCurve(std::span<const MatrixView> scores,
                               std::span<const std::int32_t> codes, const CurveOptions& options,
                               ThreadPool& pool, const Execution& execution)
    : codes_(codes),
      options_(options),
      classes_(scores.front().columns),
      pool_(pool),
      meter_(execution, "curve", steps_of(codes.size(), options.max_steps)),
      blocks_(pool, codes.size()) {
  for (const MatrixView& matrix : scores) logs_.push_back(logarithms(matrix, smallest_score));
  blocks_.report_to(meter_);
}

ManyClassCurve::ManyClassCurve(const ManyClassCurve& whole, const Sample& sample)
    : codes_(sample.codes),
      options_(whole.options_),
      classes_(whole.classes_),
      logs_(sample.logs),
      pool_(whole.pool_),
      meter_(silent, "", 1),
      blocks_(pool_, codes_.size()) {}

ManyClassCurve::Sample ManyClassCurve::every(std::size_t step) const {
  Sample sample;
  for (std::size_t n = 0; n < codes_.size(); n += step) sample.codes.push_back(codes_[n]);
  for (const Matrix& all : logs_) {
    Matrix& some = sample.logs.emplace_back(sample.codes.size(), classes_);
    for (std::size_t n = 0; n < some.rows(); ++n) {
      std::copy_n(all.row(n * step), classes_, some.row(n));
    }
  }
  return sample;
}

Eigen::Index ManyClassCurve::parameters() const {
  return static_cast<Eigen::Index>(logs_.size() + classes_ + classes_ * classes_);
}

Eigen::VectorXd ManyClassCurve::start(std::size_t which) const {
  const auto [diagonal, weight] = starts[which];
  Eigen::VectorXd x = Eigen::VectorXd::Zero(parameters());
  x.head(static_cast<Eigen::Index>(logs_.size())).setConstant(weight);
  const auto first = static_cast<Eigen::Index>(logs_.size() + classes_);
  const auto classes = static_cast<Eigen::Index>(classes_);
  x.tail(classes * classes)
      .setConstant(portable::log((1 - diagonal) / static_cast<double>(classes_ - 1)));
  for (Eigen::Index i = 0; i < classes; ++i) {
    x[first + i * (classes + 1)] = portable::log(diagonal);
  }
  return x;
}

ManyClassCurve::State ManyClassCurve::state_of(const Eigen::VectorXd& x) const {
  State state;
  const double* next = x.data();
  for (std::size_t f = 0; f < logs_.size(); ++f) {
    state.weights.push_back(portable::exp(std::clamp(*next++, smallest_weight, largest_weight)));
  }
  state.intercepts.assign(next, next + classes_);
  next += classes_;
  state.transition.resize(classes_ * classes_);
  std::vector<double> row(classes_);
  for (std::size_t i = 0; i < classes_; ++i, next += classes_) {
    std::copy(next, next + classes_, row.begin());
    softmax(row.data(), classes_);
    for (std::size_t j = 0; j < classes_; ++j) state.transition[j * classes_ + i] = row[j];
  }
  return state;
}

void ManyClassCurve::posterior(const State& state, std::size_t begin, std::size_t end,
                               double* h) const {
  for (std::size_t n = begin; n < end; ++n, h += classes_) {
    std::copy(state.intercepts.begin(), state.intercepts.end(), h);
    for (std::size_t f = 0; f < logs_.size(); ++f) {
      const float* log = logs_[f].row(n);
      const double weight = state.weights[f];
      for (std::size_t j = 0; j < classes_; ++j) h[j] += weight * static_cast<double>(log[j]);
    }
    softmax(h, classes_);
  }
}

// The sums: one a feature; K of intercepts; K x K of R, transposed; the log likelihood.
void ManyClassCurve::add_gradient(const State& state, std::size_t begin, std::size_t end,
                                  Eigen::VectorXd& sums) const {
  std::vector<double> h(classes_), clean(classes_);
  std::vector<double> by_feature(logs_.size() * classes_);
  double* intercepts = sums.data() + logs_.size();
  double* cells = intercepts + classes_;
  LogSum likelihood;
  for (std::size_t n = begin; n < end; ++n) {
    posterior(state, n, n + 1, h.data());
    const auto label = static_cast<std::size_t>(codes_[n]);
    const double* column = state.transition.data() + label * classes_;
    for (std::size_t i = 0; i < classes_; ++i) clean[i] = h[i] * column[i];
    double probability = 0;
    for (std::size_t i = 0; i < classes_; ++i) probability += clean[i];
    probability = std::max(probability, smallest_likelihood);
    likelihood.add(probability);
    double* cell = cells + label * classes_;
    for (std::size_t i = 0; i < classes_; ++i) {
      clean[i] /= probability;
      cell[i] += clean[i];
      h[i] = clean[i] - h[i];
      intercepts[i] += h[i];
    }
    for (std::size_t f = 0; f < logs_.size(); ++f) {
      const float* log = logs_[f].row(n);
      double* sum = by_feature.data() + f * classes_;
      for (std::size_t i = 0; i < classes_; ++i) sum[i] += h[i] * static_cast<double>(log[i]);
    }
  }
  for (std::size_t f = 0; f < logs_.size(); ++f) {
    for (std::size_t i = 0; i < classes_; ++i) {
      sums[static_cast<Eigen::Index>(f)] += by_feature[f * classes_ + i];
    }
  }
  sums[sums.size() - 1] += likelihood.sum();
}

double ManyClassCurve::value(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const {
  const State state = state_of(x);
  const Eigen::VectorXd sums = blocks_.sum(
      parameters() + 1, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        add_gradient(state, begin, end, total);
      });
  const auto rows = static_cast<double>(codes_.size());
  double likelihood = sums[sums.size() - 1];
  gradient.resize(parameters());
  for (std::size_t f = 0; f < logs_.size(); ++f) {
    const auto at = static_cast<Eigen::Index>(f);
    gradient[at] = -sums[at] * state.weights[f] / rows;
  }
  const std::size_t first = logs_.size() + classes_;
  const double* cells = sums.data() + first;
  for (std::size_t i = 0; i < classes_; ++i) {
    gradient[static_cast<Eigen::Index>(logs_.size() + i)] = -sums.data()[logs_.size() + i] / rows;
    double weight = pseudo_count * static_cast<double>(classes_);
    for (std::size_t j = 0; j < classes_; ++j) weight += cells[j * classes_ + i];
    for (std::size_t j = 0; j < classes_; ++j) {
      const double t = state.transition[j * classes_ + i];
      likelihood += pseudo_count * portable::log(t + 1e-300);
      gradient[static_cast<Eigen::Index>(first + i * classes_ + j)] =
          -(cells[j * classes_ + i] + pseudo_count - weight * t) / rows;
    }
  }
  return -likelihood / rows;
}

// What one row adds to the derivatives of the log likelihood.
void ManyClassCurve::slopes_of_row(const State& state, std::size_t n,
                                   Eigen::VectorXd& slopes) const {
  std::vector<double> h(classes_);
  posterior(state, n, n + 1, h.data());
  const auto label = static_cast<std::size_t>(codes_[n]);
  const double* column = state.transition.data() + label * classes_;
  double probability = smallest_likelihood;
  for (std::size_t i = 0; i < classes_; ++i) probability += h[i] * column[i];
  slopes.setZero(parameters());
  double* intercepts = slopes.data() + logs_.size();
  double* cells = intercepts + classes_;
  for (std::size_t i = 0; i < classes_; ++i) {
    const double clean = h[i] * column[i] / probability;
    intercepts[i] = clean - h[i];
    for (std::size_t f = 0; f < logs_.size(); ++f) {
      slopes.data()[f] +=
          state.weights[f] * intercepts[i] * static_cast<double>(logs_[f].row(n)[i]);
    }
    for (std::size_t j = 0; j < classes_; ++j) {
      cells[i * classes_ + j] = clean * ((j == label ? 1 : 0) - state.transition[j * classes_ + i]);
    }
  }
}

Eigen::LLT<Eigen::MatrixXd> ManyClassCurve::curvature(const Eigen::VectorXd& x) const {
  const State state = state_of(x);
  const Eigen::Index size = parameters();
  const Eigen::VectorXd sums =
      blocks_.sum(size * size, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        Eigen::Map<Eigen::MatrixXd> products(total.data(), size, size);
        Eigen::VectorXd slopes;
        for (std::size_t n = begin; n < end; ++n) {
          slopes_of_row(state, n, slopes);
          products.noalias() += slopes * slopes.transpose();
        }
      });
  const auto rows = static_cast<double>(codes_.size());
  Eigen::MatrixXd products = Eigen::Map<const Eigen::MatrixXd>(sums.data(), size, size) / rows;
  products.diagonal() *= 1 + relative_ridge;
  products.diagonal().array() += relative_ridge * relative_ridge;
  // Of a cell that hardly a row of the sample fills, the products say nothing.
  const double least = relative_ridge + pseudo_count * static_cast<double>(classes_) / rows;
  for (std::size_t i = 0; i < classes_; ++i) {
    for (std::size_t j = 0; j < classes_; ++j) {
      const auto at = static_cast<Eigen::Index>(logs_.size() + classes_ + i * classes_ + j);
      products(at, at) += least * state.transition[j * classes_ + i];
    }
  }
  return Eigen::LLT<Eigen::MatrixXd>(products);
}

Minimum ManyClassCurve::search(Eigen::VectorXd& x,
                               const Eigen::LLT<Eigen::MatrixXd>* curvature) const {
  LbfgsOptions search;
  search.max_steps = options_.max_steps;
  search.tolerance = options_.tolerance;
  if (curvature != nullptr) {
    search.precondition = [curvature](Eigen::VectorXd& gradient) {
      Eigen::MatrixXd column = gradient;
      curvature->solveInPlace(column);
      gradient = column;
    };
  }
  return minimize(
      [this](const Eigen::VectorXd& at, Eigen::VectorXd& gradient) { return value(at, gradient); },
      x, search);
}

Minimum ManyClassCurve::search_from_all_starts(Eigen::VectorXd& x) const {
  Minimum lowest;
  for (std::size_t which = 0; which < std::size(starts); ++which) {
    Eigen::VectorXd at = start(which);
    const Minimum minimum = search(at, nullptr);
    if (which > 0 && !(minimum.value < lowest.value)) continue;
    lowest = minimum;
    x = at;
  }
  return lowest;
}

// Of many rows a sample is searched first: from where it ends, with the curvature found there, few
// steps of all rows are left.
Minimum ManyClassCurve::search_in_two(Eigen::VectorXd& x) const {
  const std::size_t step = codes_.size() / rows_of_a_sample;
  const bool is_small = static_cast<std::size_t>(parameters()) <= options_.max_parameters;
  if (step < 2 || !is_small) return search_from_all_starts(x);
  const Sample sample = every(step);
  const ManyClassCurve some(*this, sample);
  some.search_from_all_starts(x);
  const Eigen::LLT<Eigen::MatrixXd> curvature = some.curvature(x);
  return search(x, curvature.info() == Eigen::Success ? &curvature : nullptr);
}

Eigen::MatrixXd ManyClassCurve::covariance(const State& state) {
  const auto classes = static_cast<Eigen::Index>(classes_);
  const Eigen::Map<const Eigen::MatrixXd> transition(state.transition.data(), classes, classes);
  const ManyClassFit fit{
      transition.cwiseMax(smallest_cell), pseudo_count, logs_, codes_,
      [&](std::size_t begin, std::size_t end, double* h) { posterior(state, begin, end, h); }};
  return covariance_of_rates(fit, options_.max_parameters, pool_, meter_);
}

CurveResult ManyClassCurve::fit() {
  Eigen::VectorXd x;
  const Minimum minimum = search_in_two(x);

  const State state = state_of(x);
  CurveResult result;
  result.converged = minimum.converged;
  result.log_likelihood = -minimum.value;
  for (std::size_t i = 0; i < classes_; ++i) {
    for (std::size_t j = 0; j < classes_; ++j) {
      result.transition.push_back(state.transition[j * classes_ + i]);
    }
  }
  result.covariance = covariance(state);
  result.posterior = Matrix(codes_.size(), classes_);
  blocks_.for_each([&](std::size_t begin, std::size_t end) {
    std::vector<double> h((end - begin) * classes_);
    posterior(state, begin, end, h.data());
    std::transform(h.begin(), h.end(), result.posterior.row(begin),
                   [](double value) { return static_cast<float>(value); });
  });
  meter_.finish();
  return result;
}

}  // namespace noiseplus
