// Limited-memory BFGS (Nocedal 1980; Nocedal and Wright, Numerical Optimization,
// algorithms 7.4, 7.5) with a backtracking line search. It knows nothing of what it minimises.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace noiseplus {

// Returns the value at `x` and writes the gradient.
using Objective = std::function<double(const Eigen::VectorXd& x, Eigen::VectorXd& gradient)>;

struct LbfgsOptions {
  int most_steps = 200;
  int memory = 10;
  double tolerance = 1e-5;  // on the largest entry of the gradient
};

// Moves `x` to a minimum; returns the number of steps taken.
int minimise(const Objective& objective, Eigen::VectorXd& x, const LbfgsOptions& options);

}  // namespace noiseplus
