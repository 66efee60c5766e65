#include <gtest/gtest.h>

#include <cmath>

#include "learn/lbfgs.h"
#include "noiseplus/data.h"
#include "noiseplus/learn.h"

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

Targets targets_of(const Sample& sample) {
  return cross_entropy_targets({sample.codes, 2});
}

double logit(const Model& model, const float* row) {
  const Layer& layer = model.layers[0];
  double sum = static_cast<double>(layer.biases[0]);
  for (std::size_t c = 0; c < layer.inputs; ++c) {
    sum += static_cast<double>(layer.weights[c]) * static_cast<double>(row[c]);
  }
  return sum;
}

TEST(Linear, FindsTheWeightsOfALogisticModel) {
  const Sample sample = logistic_sample(40000);
  const Model model = train_linear(sample.rows.view(), targets_of(sample)).model;
  const Layer& layer = model.layers[0];
  EXPECT_NEAR(layer.weights[0], 2, .1);
  EXPECT_NEAR(layer.weights[1], -1, .1);
  EXPECT_NEAR(layer.weights[2], 0, .1);
  EXPECT_NEAR(layer.biases[0], .5, .1);
  EXPECT_GT(accuracy(probabilities(model, sample.rows.view()).view(), sample.codes), .78);
}

TEST(Linear, GradientVanishesAtTheSolution) {
  const Sample sample = logistic_sample(3000);
  LinearOptions options;
  options.ridge = .01;
  options.tolerance = 1e-6;
  const FitResult training = train_linear(sample.rows.view(), targets_of(sample), options);
  EXPECT_TRUE(training.converged);
  double gradient[4] = {};
  for (std::size_t i = 0; i < 3000; ++i) {
    const double z = logit(training.model, sample.rows.row(i));
    const double residual = 1 / (1 + std::exp(-z)) - sample.codes[i];
    for (std::size_t c = 0; c < 3; ++c) gradient[c] += residual * sample.rows.row(i)[c] / 3000;
    gradient[3] += residual / 3000;
  }
  const Layer& layer = training.model.layers[0];
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(gradient[c] + .01 * layer.weights[c], 0, 2e-6);
  EXPECT_NEAR(gradient[3], 0, 2e-6);
}

TEST(Linear, SameBytesAtAnyNumberOfThreads) {
  const Sample sample = logistic_sample(5000);
  const Targets targets = targets_of(sample);
  const FitResult one = train_linear(sample.rows.view(), targets, {}, nullptr, {1, {}});
  const FitResult three = train_linear(sample.rows.view(), targets, {}, nullptr, {3, {}});
  EXPECT_EQ(one.model.layers[0].weights, three.model.layers[0].weights);
  EXPECT_EQ(one.model.layers[0].biases, three.model.layers[0].biases);
  EXPECT_EQ(one.loss, three.loss);
}

TEST(Linear, StaysFiniteOnSeparableData) {
  Matrix rows(4, 1);
  for (std::size_t i = 0; i < 4; ++i) rows.row(i)[0] = static_cast<float>(i) * 1000;
  const std::vector<std::int32_t> codes{0, 0, 1, 1};
  const Model model = train_linear(rows.view(), cross_entropy_targets({codes, 2})).model;
  EXPECT_TRUE(std::isfinite(model.layers[0].weights[0]));
  EXPECT_TRUE(std::isfinite(model.layers[0].biases[0]));
  const std::vector<std::int32_t> too_few{0, 1};
  EXPECT_THROW(train_linear(rows.view(), cross_entropy_targets({too_few, 2})), Error);
}

Matrix with_columns_scaled(const Matrix& rows, const std::vector<float>& scales) {
  Matrix scaled(rows.rows(), rows.columns());
  for (std::size_t n = 0; n < rows.rows(); ++n) {
    for (std::size_t c = 0; c < rows.columns(); ++c) {
      scaled.row(n)[c] = rows.row(n)[c] * scales[c];
    }
  }
  return scaled;
}

// Squares of such values are beyond floats; the model is not.
TEST(Linear, HugeColumnsAreLearnedAsWellAsScaledOnes) {
  const Sample sample = logistic_sample(3000);
  const Targets targets = targets_of(sample);
  LinearOptions options;
  options.ridge = 0;
  const FitResult usual = train_linear(sample.rows.view(), targets, options);
  for (const float huge : {1e15F, 1e20F, 1e30F, 1e33F}) {
    for (const std::vector<float>& scales :
         {std::vector{huge, huge, huge}, std::vector{1.F, huge, 1.F},
          std::vector{1e-3F, 1.F, huge}}) {
      SCOPED_TRACE(testing::Message() << "huge " << huge << ", first column times " << scales[0]);
      const Matrix rows = with_columns_scaled(sample.rows, scales);
      const FitResult training = train_linear(rows.view(), targets, options);
      EXPECT_GT(training.steps, 0);
      EXPECT_NEAR(training.loss, usual.loss, 1e-4);
      const Layer& layer = training.model.layers[0];
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(layer.weights[c] * scales[c], usual.model.layers[0].weights[c], .02);
      }
    }
  }
}

TEST(Linear, ValuesWhoseSumsOverflowAreRefusedByName) {
  const Sample sample = logistic_sample(3000);
  Matrix rows = with_columns_scaled(sample.rows, {1, 5e37F, 1});
  rows.row(70)[1] = 3e38F;
  try {
    train_linear(rows.view(), targets_of(sample));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_TRUE(std::string(error.what()).starts_with("row 71, column 2 is ")) << error.what();
  }
}

// Minimizes a bowl, with a preconditioner that answers with no number, with zeros, or uphill.
TEST(Lbfgs, AUselessPreconditionerDoesNotEndTheSearch) {
  const Objective bowl = [](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    gradient[0] = x[0] - 3;
    gradient[1] = 10 * (x[1] + 2);
    return (x[0] - 3) * (x[0] - 3) / 2 + 5 * (x[1] + 2) * (x[1] + 2);
  };
  for (const double factor : {std::nan(""), 0.0, -1.0}) {
    SCOPED_TRACE(factor);
    LbfgsOptions options;
    options.tolerance = 1e-8;
    options.max_steps = 2000;
    options.precondition = [&](Eigen::VectorXd& gradient) { gradient *= factor; };
    Eigen::VectorXd x = Eigen::VectorXd::Zero(2);
    const Minimum minimum = minimize(bowl, x, options);
    EXPECT_TRUE(minimum.converged);
    EXPECT_NEAR(x[0], 3, 1e-6);
    EXPECT_NEAR(x[1], -2, 1e-6);
  }
}

TEST(Lbfgs, SaysWhereItBeganBeyondNumbers) {
  const Objective beyond = [](const Eigen::VectorXd&, Eigen::VectorXd& gradient) {
    gradient.setConstant(std::numeric_limits<double>::infinity());
    return 1.0;
  };
  Eigen::VectorXd x = Eigen::VectorXd::Ones(2);
  const Minimum minimum = minimize(beyond, x, {});
  EXPECT_FALSE(minimum.is_finite);
  EXPECT_FALSE(minimum.converged);
  EXPECT_EQ(x, Eigen::VectorXd::Ones(2));
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
  const Minimum minimum = minimize(rosenbrock, x, {500, 10, 1e-10});
  EXPECT_TRUE(minimum.converged);
  EXPECT_NEAR(x[0], 1, 1e-6);
  EXPECT_NEAR(x[1], 1, 1e-6);
}

}  // namespace
}  // namespace noiseplus
