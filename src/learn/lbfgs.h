// Limited-memory BFGS (Nocedal 1980; Nocedal and Wright, Numerical Optimization, algorithms 7.4,
// 7.5). It knows nothing of what it minimizes.
#pragma once

#include <functional>

#include "core/eigen.h"

namespace noiseplus {

// Returns the value at `x` and writes the gradient.
using Objective = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)>;

struct LbfgsOptions {
  int max_steps = 200;
  int memory = 10;
  double tolerance = 1e-5;  // on the largest entry of the gradient

  // Multiplies a gradient, in place, by something near the inverse of the second derivatives, up to
  // a factor: few steps then do. Empty: the identity. Where it does not lead downhill, or not to
  // finite numbers, the step goes along the gradient instead.
  std::function<void(Eigen::VectorXd& gradient)> precondition = {};

  // Called after each step; false ends the search. May be empty.
  std::function<bool(const Eigen::VectorXd& x)> after_step = {};
};

struct Minimum {
  int steps = 0;
  double value = 0;
  // The gradient is below the tolerance, or the value can no longer be told from a lower one.
  bool converged = false;
  // False when the value or the gradient where it began was not: `x` is then what it was.
  bool is_finite = true;
};

// Moves `x` to a minimum.
Minimum minimize(const Objective& objective, Eigen::VectorXd& x, const LbfgsOptions& options);

}  // namespace noiseplus
