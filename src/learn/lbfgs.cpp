#include "learn/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

namespace noiseplus {
namespace {

using Eigen::VectorXd;

struct Correction {
  VectorXd step, change;
  double curvature;  // step . change, positive
};

class Search {
 public:
  Search(const Objective& objective, VectorXd& x, const LbfgsOptions& options)
      : objective_(objective), x_(x), options_(options), gradient_(x.size()) {
    value_ = objective_(x_, gradient_);
    size_of_values_ = std::abs(value_);
    is_finite_ = std::isfinite(value_) && gradient_.allFinite();
  }

  Minimum run() {
    Minimum minimum;
    minimum.is_finite = is_finite_;
    while (is_finite_ && minimum.steps < options_.max_steps && !is_flat() && step()) {
      ++minimum.steps;
      if (options_.after_step && !options_.after_step(x_)) break;
    }
    minimum.value = value_;
    minimum.converged = is_finite_ && (is_flat() || is_all_rounding_);
    return minimum;
  }

 private:
  bool is_flat() const { return gradient_.lpNorm<Eigen::Infinity>() <= options_.tolerance; }

  VectorXd direction_of_descent() const {
    VectorXd direction = -gradient_;
    std::vector<double> alpha(memory_.size());
    for (std::size_t i = memory_.size(); i-- > 0;) {
      alpha[i] = memory_[i].step.dot(direction) / memory_[i].curvature;
      direction -= alpha[i] * memory_[i].change;
    }
    if (options_.precondition) options_.precondition(direction);
    if (!memory_.empty()) direction *= scale_;
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const double beta = memory_[i].change.dot(direction) / memory_[i].curvature;
      direction += (alpha[i] - beta) * memory_[i].step;
    }
    return direction;
  }

  // False when no step along any direction helps.
  bool step() {
    VectorXd direction = direction_of_descent();
    double slope = gradient_.dot(direction);
    bool is_scaled = !memory_.empty() || options_.precondition;
    if (!(slope < 0) || !direction.allFinite()) {  // rounding has spoilt the memory
      if (!memory_.empty()) {
        memory_.clear();
        return step();
      }
      if (!options_.precondition) return false;
      // Or the preconditioner is of no use here: downhill leads there too.
      direction = -gradient_;
      slope = -gradient_.squaredNorm();
      is_scaled = false;
    }
    const double length = is_scaled ? 1 : 1 / std::max(1.0, gradient_.norm());
    if (walk(direction, slope, length)) return true;
    if (memory_.empty() || is_all_rounding_) return false;
    memory_.clear();
    return step();
  }

  // Shortens the step until it lowers the value enough. Near the minimum the value is all rounding,
  // while the gradient still tells: there a step that flattens the slope is taken too (Hager and
  // Zhang 2005).
  bool walk(const VectorXd& direction, double slope, double length) {
    constexpr int max_trials = 30;
    constexpr double sufficient_decrease = 1e-4;
    constexpr int max_trials_in_rounding = 4;
    constexpr double rounding = 3e-8;  // of sums of floats
    const double invisible = rounding * std::max(std::abs(value_), size_of_values_);
    is_all_rounding_ = -slope * length <= invisible;
    for (int trial = 0; trial < max_trials; ++trial) {
      VectorXd next = x_ + length * direction;
      VectorXd next_gradient(x_.size());
      const double next_value = objective_(next, next_gradient);
      const double decrease = value_ - next_value;
      is_all_rounding_ = is_all_rounding_ && std::abs(decrease) <= invisible;
      const bool falls =
          decrease >= -sufficient_decrease * length * slope && next_gradient.allFinite();
      const bool flattens =
          decrease >= -invisible && std::abs(next_gradient.dot(direction)) <= 0.9 * std::abs(slope);
      if (falls || flattens) {
        accept(std::move(next), std::move(next_gradient), next_value);
        is_all_rounding_ = false;
        return true;
      }
      if (is_all_rounding_ && trial + 1 == max_trials_in_rounding) return false;
      // The lowest point of the parabola through what is known.
      const double lowest = -slope * length * length / 2 / (-decrease - slope * length);
      length = std::isfinite(lowest) ? std::clamp(lowest, length / 10, length / 2) : length / 10;
    }
    return false;
  }

  void accept(VectorXd&& next, VectorXd&& next_gradient, double next_value) {
    Correction correction{next - x_, next_gradient - gradient_, 0};
    correction.curvature = correction.step.dot(correction.change);
    x_ = std::move(next);
    gradient_ = std::move(next_gradient);
    value_ = next_value;
    if (!(correction.curvature > 1e-14 * correction.change.squaredNorm())) return;
    VectorXd scaled = correction.change;
    if (options_.precondition) options_.precondition(scaled);
    const double scale = correction.curvature / correction.change.dot(scaled);
    if (!(scale > 0) || !std::isfinite(scale)) return;  // the preconditioner is of no use here
    scale_ = scale;
    memory_.push_back(std::move(correction));
    if (memory_.size() > static_cast<std::size_t>(options_.memory)) memory_.pop_front();
  }

  const Objective& objective_;
  VectorXd& x_;
  const LbfgsOptions& options_;
  VectorXd gradient_;
  double value_ = 0;
  double scale_ = 1;
  double size_of_values_ = 0;     // where it began; a value near zero is no more exact than others
  bool is_all_rounding_ = false;  // the last walk could not tell up from down
  bool is_finite_ = true;         // value and gradient where it began
  std::deque<Correction> memory_;
};

}  // namespace

Minimum minimize(const Objective& objective, VectorXd& x, const LbfgsOptions& options) {
  return Search(objective, x, options).run();
}

}  // namespace noiseplus
