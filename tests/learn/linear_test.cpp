#include <gtest/gtest.h>

#include <cmath>

#include "learn/lbfgs.h"
#include "noiseplus/data.h"
#include "noiseplus/two_class.h"

namespace noiseplus {
namespace {

struct Sample {
  Matrix rows;
  std::vector<std::int32_t> codes;
};

// Labels from the logistic model with weights (2, -1, 0) and bias 0.5.
Sample logistic_sample(std::size_t n) {
  Sample sample{Matrix(n, 3), std::vector<std::int32_t>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      sample.rows.row(i)[c] = static_cast<float>(normal(1, Stream::generate, i, c));
    }
    const double logit = 2 * sample.rows.row(i)[0] - sample.rows.row(i)[1] + .5;
    sample.codes[i] = uniform(2, Stream::generate, i) < 1 / (1 + std::exp(-logit)) ? 1 : 0;
  }
  return sample;
}

TEST(Linear, FindsTheWeightsOfALogisticModel) {
  const Sample sample = logistic_sample(40000);
  const LinearModel model = train_linear(sample.rows.view(), sample.codes);
  EXPECT_NEAR(model.weights[0], 2, .1);
  EXPECT_NEAR(model.weights[1], -1, .1);
  EXPECT_NEAR(model.weights[2], 0, .1);
  EXPECT_NEAR(model.bias, .5, .1);
  EXPECT_GT(accuracy(model, sample.rows.view(), sample.codes), .78);
}

TEST(Linear, GradientVanishesAtTheSolution) {
  const Sample sample = logistic_sample(3000);
  TwoClassOptions options;
  options.ridge = .01;
  options.tolerance = 1e-6;
  const LinearModel model = train_linear(sample.rows.view(), sample.codes, options);
  double gradient[4] = {};
  for (std::size_t i = 0; i < 3000; ++i) {
    const double residual = 1 / (1 + std::exp(-model.score(sample.rows.row(i)))) - sample.codes[i];
    for (std::size_t c = 0; c < 3; ++c) gradient[c] += residual * sample.rows.row(i)[c] / 3000;
    gradient[3] += residual / 3000;
  }
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(gradient[c] + .01 * model.weights[c], 0, 2e-6);
  EXPECT_NEAR(gradient[3], 0, 2e-6);
}

TEST(Linear, SameBytesAtAnyNumberOfThreads) {
  const Sample sample = logistic_sample(5000);
  const LinearModel one = train_linear(sample.rows.view(), sample.codes, {}, {1, {}});
  const LinearModel three = train_linear(sample.rows.view(), sample.codes, {}, {3, {}});
  EXPECT_EQ(one.weights, three.weights);
  EXPECT_EQ(one.bias, three.bias);
}

TEST(Linear, StaysFiniteOnSeparableData) {
  Matrix rows(4, 1);
  for (std::size_t i = 0; i < 4; ++i) rows.row(i)[0] = static_cast<float>(i) * 1000;
  const LinearModel model = train_linear(rows.view(), std::vector<std::int32_t>{0, 0, 1, 1});
  EXPECT_TRUE(std::isfinite(model.weights[0]));
  EXPECT_TRUE(std::isfinite(model.bias));
  EXPECT_THROW(train_linear(rows.view(), std::vector<std::int32_t>{0, 1}), Error);
}

TEST(Lbfgs, SolvesTheRosenbrockFunction) {
  const Objective rosenbrock = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    const double a = 1 - x[0];
    const double b = x[1] - x[0] * x[0];
    gradient[0] = -2 * a - 400 * x[0] * b;
    gradient[1] = 200 * b;
    return a * a + 100 * b * b;
  };
  Eigen::VectorXd x(2);
  x << -1.2, 1;
  minimise(rosenbrock, x, {500, 10, 1e-10});
  EXPECT_NEAR(x[0], 1, 1e-6);
  EXPECT_NEAR(x[1], 1, 1e-6);
}

}  // namespace
}  // namespace noiseplus
