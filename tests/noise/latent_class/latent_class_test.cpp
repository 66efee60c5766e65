#include <gtest/gtest.h>

#include <cmath>

#include "noise/latent_class/class_clusters.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using testing_support::Clusters;
using testing_support::numbered_names;
using testing_support::random_clusters;
using testing_support::ring_clusters;

// The generator of the numpy program that made the golden numbers below.
std::vector<std::int32_t> drawn(const std::vector<std::int32_t>& clean, std::size_t classes,
                                const std::vector<double>& transition, std::uint64_t state) {
  std::vector<std::int32_t> codes;
  for (const std::int32_t c : clean) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const double u = static_cast<double>(state >> 33) / 2147483648.0;
    double sum = 0;
    std::size_t label = 0;
    while (label + 1 < classes &&
           u >= (sum += transition[static_cast<std::size_t>(c) * classes + label])) {
      ++label;
    }
    codes.push_back(static_cast<std::int32_t>(label));
  }
  return codes;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

const std::vector<double> three = {.7, .2, .1, .1, .6, .3, .25, .05, .7};

LatentClassOptions to_the_end() {
  LatentClassOptions options;
  options.tolerance = 1e-15;
  options.max_steps = 20000;
  return options;
}

// Golden numbers: latent_class of the numpy prototype, stopped as it stops.
TEST(LatentClass, PlainStepsGiveThePrototypesNumbers) {
  const Clusters clusters = ring_clusters(600, 3, 4, 12);
  LatentClassOptions options;
  options.accelerated = false;
  options.tolerance = 1e-8;
  const LatentClassFit fit =
      fit_latent_classes(clusters.graph, drawn(clusters.clean, 3, three, 7), 3, options);
  EXPECT_TRUE(fit.converged);
  expect_near(
      fit.transition,
      {0.759821320537482, 0.147055594716808, 0.09312308474571, 0.080356067662913, 0.658956322795285,
       0.260687609541802, 0.292712822240876, 0.059235025866894, 0.64805215189223},
      1e-9);
  expect_near(fit.prior, {0.32228127504167, 0.329256356645356, 0.348462368312974}, 1e-9);
}

// The same prototype after 20,000 steps.
TEST(LatentClass, JumpsEndAtTheSamePoint) {
  const Clusters clusters = ring_clusters(600, 3, 4, 12);
  const std::vector<std::int32_t> codes = drawn(clusters.clean, 3, three, 7);
  LatentClassOptions plain = to_the_end();
  plain.accelerated = false;
  const LatentClassFit slow = fit_latent_classes(clusters.graph, codes, 3, plain);
  const LatentClassFit fast = fit_latent_classes(clusters.graph, codes, 3, to_the_end());
  const std::vector<double> expected = {0.759854203531655, 0.147061084177542, 0.093084712290803,
                                        0.080358639056173, 0.658954095638305, 0.260687265305522,
                                        0.292755674467296, 0.05924033900767,  0.648003986525033};
  expect_near(slow.transition, expected, 1e-6);
  expect_near(fast.transition, expected, 1e-6);
  EXPECT_LT(fast.steps, slow.steps);
  // And where it usually stops, well within what 600 rows can tell.
  expect_near(fit_latent_classes(clusters.graph, codes, 3).transition, expected, 1e-4);
}

TEST(LatentClass, TwoClassesAndThreeViewsAreTheMoments) {
  const Clusters clusters = ring_clusters(900, 2, 2, 9);
  const std::vector<std::int32_t> codes = drawn(clusters.clean, 2, {.85, .15, .3, .7}, 11);
  const LatentClassFit fit = fit_latent_classes(clusters.graph, codes, 2, to_the_end());
  const ViewCounts views = count_views(clusters.graph, codes, 1);
  const MomentSolution moments = solve(moments_of(views.shares(), 2, Views::all));
  ASSERT_TRUE(moments.solvable);
  EXPECT_NEAR(fit.transition[1], moments.e_negative, 1e-6);
  EXPECT_NEAR(fit.transition[2], moments.e_positive, 1e-6);
  EXPECT_NEAR(fit.prior[1], moments.prior, 1e-6);
  EXPECT_NEAR(fit.transition[1], 0.13320979264936328, 1e-6);  // the numpy prototype's
}

// Few classes have errors by one method, many by another.
TEST(LatentClass, SameAtAnyNumberOfThreads) {
  for (const std::size_t classes : {5, 20}) {
    const std::vector<double> prior(classes, 1 / static_cast<double>(classes));
    const Clusters clusters = random_clusters(3000, prior, 6, 15, 3);
    const std::vector<double> noise = symmetric_transition(classes, .3);
    const auto codes = draw_labels(clusters.clean, classes, noise, 3, Stream::corrupt);
    const auto names = numbered_names(classes);
    const NoiseEstimate one = estimate_by_latent_class(clusters.graph, codes, names, {}, {1, {}});
    const NoiseEstimate many = estimate_by_latent_class(clusters.graph, codes, names, {}, {3, {}});
    EXPECT_EQ(one.transition, many.transition);
    EXPECT_EQ(one.p_value, many.p_value);
    for (std::size_t c = 0; c < classes; ++c) {
      EXPECT_EQ(one.noise[c].low, many.noise[c].low);
      EXPECT_EQ(one.noise[c].high, many.noise[c].high);
    }
  }
}

TEST(LatentClass, FindsAndNamesTheNoisiestClass) {
  const std::vector<double> prior = {.4, .35, .25};
  const Clusters clusters = random_clusters(9000, prior, 10, 30, 1);
  const std::vector<double> truth = {.9, .05, .05, .1, .8, .1, .3, .1, .6};
  const auto codes = draw_labels(clusters.clean, 3, truth, 2, Stream::corrupt);
  const auto names = numbered_names(3);
  const NoiseEstimate e = estimate_by_latent_class(clusters.graph, codes, names);
  EXPECT_TRUE(e.identified);
  expect_near(e.transition, truth, .04);
  EXPECT_EQ(e.noisier, 2);
  EXPECT_EQ(e.cleaner, 0);
  EXPECT_EQ(e.leans, -1);
  EXPECT_LT(e.p_value, 1e-6);
  EXPECT_NEAR(e.gap.value, .3, .05);
  EXPECT_LT(e.gap.low, .3);
  EXPECT_GT(e.gap.high, .3);
  EXPECT_GT(e.gap.low, .2);
}

TEST(LatentClass, ClaimsNothingWhereRatesAreEqual) {
  const Clusters clusters = random_clusters(3000, std::vector<double>(4, .25), 5, 20, 5);
  const auto codes =
      draw_labels(clusters.clean, 4, symmetric_transition(4, .3), 6, Stream::corrupt);
  const NoiseEstimate e = estimate_by_latent_class(clusters.graph, codes, numbered_names(4));
  EXPECT_TRUE(e.identified);
  EXPECT_EQ(e.noisier, -1);
  EXPECT_EQ(e.cleaner, -1);
  EXPECT_GE(e.p_value, .05);
}

TEST(LatentClass, AgreesWithTheMomentsAboutTwoClasses) {
  const Clusters clusters = random_clusters(6000, std::vector<double>{.7, .3}, 10, 40, 8);
  const auto codes =
      draw_labels(clusters.clean, 2, std::vector<double>{.9, .1, .3, .7}, 9, Stream::corrupt);
  const auto names = numbered_names(2);
  const NoiseEstimate a = estimate_by_latent_class(clusters.graph, codes, names);
  const NoiseEstimate b = estimate_by_moments(clusters.graph, codes, names);
  EXPECT_EQ(a.noisier, 1);
  EXPECT_NEAR(a.s, b.s, .02);
  EXPECT_NEAR(a.conditioning, b.conditioning, 1e-9);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(a.noise[c].value, b.noise[c].value, .01);
    // The likelihood uses more than three moments.
    EXPECT_LT(a.noise[c].high - a.noise[c].low, 1.1 * (b.noise[c].high - b.noise[c].low));
  }
}

TEST(LatentClass, RatesOfZeroHaveIntervals) {
  const Clusters clusters = random_clusters(3000, std::vector<double>{.5, .3, .2}, 5, 20, 5);
  const NoiseEstimate e =
      estimate_by_latent_class(clusters.graph, clusters.clean, numbered_names(3));
  EXPECT_TRUE(e.identified);
  EXPECT_EQ(e.noisier, -1);
  for (const EstimateWithInterval& rate : e.noise) {
    EXPECT_NEAR(rate.value, 0, 1e-6);
    EXPECT_NEAR(rate.low, 0, 1e-9);
    EXPECT_GT(rate.high, .001);
    EXPECT_LT(rate.high, .02);
  }
}

bool names_class(const NoiseEstimate& estimate, const std::string& name) {
  for (const std::string& warning : estimate.warnings) {
    if (warning.find("not identified: class " + name) != warning.npos) return true;
  }
  return false;
}

TEST(LatentClass, SaysWhichClassIsNotIdentified) {
  const auto names = numbered_names(3);
  const Clusters clusters = random_clusters(6000, std::vector<double>{.4, .3, .3}, 8, 20, 4);
  // Class 2 has another's label more often than its own.
  const std::vector<double> swapped = {.9, .05, .05, .05, .9, .05, .55, .05, .4};
  const NoiseEstimate a = estimate_by_latent_class(
      clusters.graph, draw_labels(clusters.clean, 3, swapped, 1, Stream::corrupt), names);
  EXPECT_FALSE(a.identified);
  EXPECT_TRUE(names_class(a, "c2"));
  EXPECT_EQ(a.noisier, -1);
  EXPECT_EQ(a.p_value, 1);
  // A class without rows.
  std::vector<std::int32_t> two = clusters.clean;
  for (std::int32_t& code : two) code = code == 2 ? 1 : code;
  const NoiseEstimate b = estimate_by_latent_class(clusters.graph, two, names);
  EXPECT_FALSE(b.identified);
  EXPECT_TRUE(names_class(b, "c2"));
  for (const double t : b.transition) EXPECT_TRUE(std::isfinite(t) && t >= 0 && t <= 1);
  // Labels drawn without regard to the rows.
  const NoiseEstimate c = estimate_by_latent_class(
      clusters.graph,
      draw_labels(clusters.clean, 3, std::vector<double>(9, 1.0 / 3), 2, Stream::corrupt), names);
  EXPECT_FALSE(c.identified);
}

TEST(LatentClass, RefusesWhatItCannotDo) {
  const Clusters clusters = ring_clusters(60, 3, 2, 6);
  const auto kind_of = [&](const NeighborGraph& graph, const std::vector<std::int32_t>& codes,
                           std::size_t classes) {
    try {
      fit_latent_classes(graph, codes, classes);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::io;
  };
  EXPECT_EQ(kind_of(ring_clusters(60, 3, 1, 6).graph, clusters.clean, 3), ErrorKind::usage);
  EXPECT_EQ(kind_of(clusters.graph, clusters.clean, 2), ErrorKind::usage);
  EXPECT_EQ(kind_of(clusters.graph, clusters.clean, 1), ErrorKind::data);
  EXPECT_EQ(kind_of(clusters.graph, clusters.clean, std::size_t{1} << 22), ErrorKind::data);
}

}  // namespace
}  // namespace noiseplus
