#include <gtest/gtest.h>

#include <chrono>

#include "core/portable_math.h"
#include "noise/curve/curve_fits.h"
#include "noise/ring.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using testing_support::make_ring;
using testing_support::Ring;
using testing_support::RingOptions;

const RingOptions two_classes = {.sharpness = 3, .step = .15};
const RingOptions four_classes = {
    .rows = 3000, .classes = 4, .sharpness = 6, .base = .1, .step = .08, .cycles = 2};

// What errors are multiplied by because scores are learnt.
constexpr double widening = 1.05;

// Errors are without that factor.
struct Golden {
  std::vector<double> transition, standard_errors, prior;
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

void expect_golden(const CurveFit& fit, const Golden& golden) {
  expect_near(fit.estimate.transition, golden.transition, 2e-5);
  std::vector<double> errors = fit.standard_errors;
  for (double& error : errors) error /= widening;
  expect_near(errors, golden.standard_errors, 2e-5);
  expect_near(fit.estimate.prior, golden.prior, 2e-5);
}

// The numbers are of a numpy prototype on the same rows, its optimizer run until nothing changes.
TEST(Curve, TwoClassesEqualThePrototype) {
  const Ring ring = make_ring(two_classes);
  const Matrix votes = vote_scores(ring.graph, ring.codes, 2);
  const MatrixView both[] = {ring.scores.view(), votes.view()};
  const auto fit = [&](std::span<const MatrixView> scores) {
    return fit_curve(scores, ring.codes, ring.names);
  };
  expect_golden(fit({both, 1}),
                {{.882775, .117225, .236737, .763263}, {.017876, .026829}, {.506569, .493431}});
  expect_golden(fit({both + 1, 1}),
                {{.877255, .122745, .247527, .752473}, {.017039, .022586}, {.502555, .497445}});
  expect_golden(fit(both),
                {{.879776, .120224, .236864, .763136}, {.01825, .029364}, {.508835, .491165}});
}

TEST(Curve, FourClassesEqualThePrototype) {
  const Ring ring = make_ring(four_classes);
  const Matrix votes = vote_scores(ring.graph, ring.codes, 4);
  const MatrixView both[] = {ring.scores.view(), votes.view()};
  const CurveFit linear = fit_curve({both, 1}, ring.codes, ring.names);
  EXPECT_NEAR(linear.error_of_gap(0, 3) / widening, .029515, 2e-5);
  EXPECT_NEAR(linear.covariance[2 * 4 + 3] / widening / widening, .000552879, 2e-6);
  expect_golden(linear,
                {{.910003, .034476, .028716, .026805, .057747, .830895, .069725, .041633,  //
                  .06517, .067039, .83165, .036141, .108068, .107997, .119555, .664379},
                 {.024173, .032557, .04178, .031228},
                 {.247653, .246465, .228186, .277696}});
  expect_golden(fit_curve(both, ring.codes, ring.names),
                {{.909091, .034238, .029285, .027386, .057391, .829724, .068954, .043931,  //
                  .065495, .069002, .823836, .041667, .107752, .106542, .117391, .668315},
                 {.023303, .032919, .041011, .033207},
                 {.248295, .247138, .231775, .272792}});
}

TEST(Curve, WhatTheFitSays) {
  const Ring ring = make_ring(two_classes);
  const MatrixView scores[] = {ring.scores.view()};
  const CurveFit fit = fit_curve(scores, ring.codes, ring.names);
  EXPECT_EQ(fit.estimate.estimator, "curve");
  EXPECT_TRUE(fit.estimate.identified);
  EXPECT_EQ(fit.estimate.leans, 1);
  EXPECT_EQ(fit.estimate.noisier, -1);
  EXPECT_NEAR(fit.estimate.gap.value, .236737 - .117225, 1e-4);
  EXPECT_LT(fit.estimate.p_value, .01);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(fit.estimate.noise[i].low, ring.transition[i * 2 + 1 - i]);
    EXPECT_GT(fit.estimate.noise[i].high, ring.transition[i * 2 + 1 - i]);
  }
  EXPECT_EQ(fit.posterior.rows(), ring.codes.size());
  EXPECT_NEAR(fit.posterior.row(5)[0] + fit.posterior.row(5)[1], 1, 1e-6);
}

// Labels that have nothing to do with the scores: no rate, and above all no claim.
TEST(Curve, SaysWhenNothingCanBeKnown) {
  Ring ring = make_ring(two_classes);
  testing_support::RingNumbers numbers(7);
  for (std::int32_t& code : ring.codes) code = numbers.next() < .5 ? 1 : 0;
  const MatrixView scores[] = {ring.scores.view()};
  const CurveFit fit = fit_curve(scores, ring.codes, ring.names);
  EXPECT_FALSE(fit.estimate.identified);
  EXPECT_EQ(fit.estimate.leans, -1);
}

TEST(Curve, OneClassOnlyAndConstantScoresStayFinite) {
  for (const std::size_t classes : {2U, 3U}) {
    Matrix scores(50, classes);
    std::fill(scores.row(0), scores.row(0) + 50 * classes, .5F);
    const MatrixView all[] = {scores.view()};
    const CurveFit fit = fit_curve(all, std::vector<std::int32_t>(50, 1), {});
    for (const double t : fit.estimate.transition) EXPECT_TRUE(t >= 0 && t <= 1) << classes;
    for (const double error : fit.standard_errors) EXPECT_TRUE(std::isfinite(error)) << classes;
  }
}

// A class that no row is of: its rate is of the pseudo-counts' making, however sure they are.
TEST(Curve, AClassWithoutRowsIsNotIdentified) {
  Ring ring = make_ring(four_classes);
  Matrix scores(ring.codes.size(), 12);
  for (std::size_t n = 0; n < ring.codes.size(); ++n) {
    std::copy_n(ring.scores.row(n), 4, scores.row(n));
  }
  const MatrixView all[] = {scores.view()};
  const CurveFit fit = fit_curve(all, ring.codes, {});
  EXPECT_FALSE(fit.estimate.identified);
  EXPECT_GT(fit.standard_errors[11], .05);
  EXPECT_LT(fit.standard_errors[0], .05);
}

// With the other classes held fixed errors are smaller, but not by much.
TEST(Curve, FewerUncertainParameters) {
  const Ring ring = make_ring({.rows = 6000, .classes = 6, .sharpness = 30, .step = .05});
  const MatrixView scores[] = {ring.scores.view()};
  const CurveFit all = fit_curve(scores, ring.codes, ring.names);
  const CurveFit each = fit_curve(scores, ring.codes, ring.names, {.max_parameters = 42});
  EXPECT_EQ(all.estimate.transition, each.estimate.transition);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_LE(each.standard_errors[i], all.standard_errors[i] * 1.1) << i;
    EXPECT_GE(each.standard_errors[i], all.standard_errors[i] * .85) << i;
  }
  EXPECT_NE(each.standard_errors, all.standard_errors);
}

TEST(Curve, CancelsPromptly) {
  using Clock = std::chrono::steady_clock;
  for (RingOptions options : {two_classes, four_classes}) {
    options.rows = 50000;
    const Ring ring = make_ring(options);
    for (const double stop_at : {0., 1e-9, .5}) {
      Clock::time_point asked{};
      double last = -1;
      const Execution execution{2, [&](const Progress& progress) {
                                  EXPECT_EQ(progress.stage, "curve");
                                  EXPECT_GE(progress.done, last);
                                  last = progress.done;
                                  if (progress.done < stop_at) return true;
                                  asked = Clock::now();
                                  return false;
                                }};
      try {
        fit_curves(ring.scores.view(), ring.scores.view(), ring.codes, ring.names, {}, execution);
        ADD_FAILURE() << "ran to its end";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
      }
      EXPECT_LT(std::chrono::duration<double>(Clock::now() - asked).count(), .5);
    }
  }
}

TEST(Curve, WrongInput) {
  const Ring ring = make_ring({.rows = 100});
  const Matrix other(100, 3);
  const MatrixView mixed[] = {ring.scores.view(), other.view()};
  EXPECT_THROW(fit_curve(mixed, ring.codes, ring.names), Error);
  EXPECT_THROW(fit_curve({}, ring.codes, ring.names), Error);
  EXPECT_THROW(fit_curve({mixed, 1}, std::vector<std::int32_t>(99), ring.names), Error);
  EXPECT_THROW(fit_curve({mixed, 1}, std::vector<std::int32_t>(100, 2), ring.names), Error);
}

TEST(Curve, ThreadsDoNotChangeADigit) {
  for (RingOptions options : {two_classes, four_classes}) {
    options.rows = 5000;  // more than one block
    const Ring ring = make_ring(options);
    const MatrixView scores[] = {ring.scores.view()};
    const CurveFit one = fit_curve(scores, ring.codes, ring.names, {}, {.threads = 1});
    const CurveFit three = fit_curve(scores, ring.codes, ring.names, {}, {.threads = 3});
    EXPECT_EQ(one.estimate.transition, three.estimate.transition);
    EXPECT_EQ(one.covariance, three.covariance);
    EXPECT_TRUE(std::equal(one.posterior.row(0), one.posterior.row(0) + 5000 * options.classes,
                           three.posterior.row(0)));
  }
}

// -------------------------------------------------------------------------------------- gradients

template <typename Curve>
void expect_gradient(const Curve& curve, Eigen::VectorXd x) {
  testing_support::RingNumbers numbers(3);
  for (double& value : x) value += numbers.next() - .5;
  Eigen::VectorXd gradient, ignored;
  curve.value(x, gradient);
  constexpr double step = 1e-5;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    Eigen::VectorXd up = x, down = x;
    up[i] += step;
    down[i] -= step;
    const double slope = (curve.value(up, ignored) - curve.value(down, ignored)) / (2 * step);
    EXPECT_NEAR(gradient[i], slope, 1e-8) << i;
  }
}

TEST(CurveGradient, TwoClasses) {
  const Ring ring = make_ring({.rows = 300});
  const Matrix votes = vote_scores(ring.graph, ring.codes, 2);
  const MatrixView scores[] = {ring.scores.view(), votes.view()};
  ThreadPool pool(1);
  const Execution execution;
  const TwoClassCurve curve(scores, ring.codes, {.ridge = 30}, pool, execution);
  expect_gradient(curve, Eigen::VectorXd::Zero(curve.parameters()));
}

TEST(CurveGradient, ManyClasses) {
  const Ring ring = make_ring({.rows = 300, .classes = 5, .step = .05});
  const Matrix votes = vote_scores(ring.graph, ring.codes, 5);
  const MatrixView scores[] = {ring.scores.view(), votes.view()};
  ThreadPool pool(1);
  const Execution execution;
  const ManyClassCurve curve(scores, ring.codes, {}, pool, execution);
  expect_gradient(curve, curve.start());
}

TEST(Elementary, ExponentialAndLogarithms) {
  LogSum logs;
  double expected = 0;
  for (double x = -690; x < 690; x += 1.37) {
    EXPECT_NEAR(vector_exp(x) / std::exp(x), 1, 1e-14) << x;
    logs.add(std::exp(x / 10));
    expected += x / 10;
  }
  EXPECT_NEAR(logs.sum(), expected, 1e-10);
  EXPECT_EQ(vector_exp(0), 1);
  EXPECT_NEAR(sigmoid(2), 1 / (1 + std::exp(-2.)), 1e-15);
  EXPECT_GT(sigmoid(-1e9), 0);
}

}  // namespace
}  // namespace noiseplus
