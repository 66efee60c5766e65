#include "learn/lbfgs.h"

#include <deque>
#include <vector>

namespace noiseplus {
namespace {

using Eigen::VectorXd;

struct Correction {
  VectorXd step, change;
  double curvature;  // step . change, positive
};

VectorXd descent_direction(const VectorXd& gradient, const std::deque<Correction>& memory) {
  VectorXd direction = -gradient;
  std::vector<double> alpha(memory.size());
  for (std::size_t i = memory.size(); i-- > 0;) {
    alpha[i] = memory[i].step.dot(direction) / memory[i].curvature;
    direction -= alpha[i] * memory[i].change;
  }
  if (!memory.empty()) {
    direction *= memory.back().curvature / memory.back().change.squaredNorm();
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const double beta = memory[i].change.dot(direction) / memory[i].curvature;
    direction += (alpha[i] - beta) * memory[i].step;
  }
  return direction;
}

}  // namespace

int minimise(const Objective& objective, VectorXd& x, const LbfgsOptions& options) {
  VectorXd gradient(x.size());
  double value = objective(x, gradient);
  std::deque<Correction> memory;
  int steps = 0;
  while (steps < options.most_steps && gradient.lpNorm<Eigen::Infinity>() > options.tolerance) {
    ++steps;
    VectorXd direction = descent_direction(gradient, memory);
    double slope = gradient.dot(direction);
    if (slope >= 0) {  // rounding has spoilt the memory
      memory.clear();
      direction = -gradient;
      slope = -gradient.squaredNorm();
    }
    double length = memory.empty() ? 1 / std::max(1.0, gradient.norm()) : 1;
    VectorXd next(x.size());
    VectorXd next_gradient(x.size());
    double next_value = 0;
    bool found = false;
    constexpr int most_halvings = 40;
    constexpr double sufficient_decrease = 1e-4;
    for (int halving = 0; halving < most_halvings && !found; ++halving) {
      next = x + length * direction;
      next_value = objective(next, next_gradient);
      found = next_value <= value + sufficient_decrease * length * slope;
      length /= 2;
    }
    if (!found) break;
    Correction correction{next - x, next_gradient - gradient, 0};
    correction.curvature = correction.step.dot(correction.change);
    x = next;
    gradient = next_gradient;
    value = next_value;
    if (correction.curvature > 1e-14 * correction.change.squaredNorm()) {
      memory.push_back(std::move(correction));
      if (memory.size() > static_cast<std::size_t>(options.memory)) memory.pop_front();
    }
  }
  return steps;
}

}  // namespace noiseplus
