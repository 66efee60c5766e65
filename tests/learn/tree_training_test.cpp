#include <gtest/gtest.h>

#include <cmath>

#include "learn_support.h"

namespace noiseplus {
namespace {

bool have_same_trees(const Model& a, const Model& b) {
  return a.boosted.offsets == b.boosted.offsets && a.boosted.trees == b.boosted.trees;
}

// The class is a ring around the origin, which no linear model can tell apart; column 2 is noise.
LearnSample equal_rings(std::size_t n, std::size_t classes, std::uint64_t seed = 1) {
  LearnSample sample{Matrix(n, 3), std::vector<std::int32_t>(n), classes};
  for (std::size_t i = 0; i < n; ++i) {
    float* const row = sample.rows.row(i);
    for (std::size_t j = 0; j < 3; ++j) {
      row[j] = static_cast<float>(normal(seed, Stream::generate, i, j));
    }
    // The square of the radius is exponential: each ring gets as many rows.
    const double inside = 1 - std::exp(-(row[0] * row[0] + row[1] * row[1]) / 2);
    sample.codes[i] = static_cast<std::int32_t>(inside * static_cast<double>(classes));
  }
  return sample;
}

Model trees_of(const LearnSample& sample, const Targets& targets,
               const TreeTrainingOptions& options = tree_training({.learning_rate = .1})) {
  return train_trees(sample.rows.view(), targets, options, {2, {}}).model;
}

TEST(TreeTraining, LearnsRingsOfTwoAndOfManyClasses) {
  for (const std::size_t classes : {2U, 3U, 5U}) {
    const LearnSample sample = equal_rings(6000, classes), unseen = equal_rings(3000, classes, 2);
    const Model model = trees_of(sample, cross_entropy_targets(sample.labels()));
    EXPECT_EQ(model.boosted.trees.size(), 120 * (classes == 2 ? 1 : classes));
    EXPECT_GT(accuracy_of(model, unseen), classes == 5 ? .9 : .95) << classes;
  }
}

// Two thirds of one class are labeled as another: plain training follows the labels.
TEST(TreeTraining, CorrectedLossesSurviveNoise) {
  for (const std::size_t classes : {2U, 3U}) {
    const LearnSample sample = equal_rings(12000, classes), unseen = equal_rings(4000, classes, 2);
    std::vector<double> transition(classes * classes);
    for (std::size_t c = 0; c < classes; ++c) transition[c * classes + c] = .9;
    for (std::size_t c = 0; c < classes; ++c) transition[c * classes + (c + 1) % classes] += .1;
    transition[0] = .4;
    transition[1] = .6;
    const std::vector<std::int32_t> noisy = noisy_codes(sample, transition);
    const GivenLabels labels{noisy, classes};
    const double plain = accuracy_of(trees_of(sample, cross_entropy_targets(labels)), unseen);
    const double forward =
        accuracy_of(trees_of(sample, forward_targets(labels, transition)), unseen);
    const double backward =
        accuracy_of(trees_of(sample, backward_targets(labels, transition)), unseen);
    EXPECT_LT(plain, .8) << classes;
    EXPECT_GT(forward, .93) << classes;
    EXPECT_GT(backward, .9) << classes;
  }
}

TEST(TreeTraining, PeerLossFindsARareClassThatIsMostlyMislabeled) {
  const auto outermost = [](LearnSample sample) {
    for (std::int32_t& code : sample.codes) code = code == 4 ? 1 : 0;
    sample.classes = 2;
    return sample;
  };
  const LearnSample sample = outermost(equal_rings(15000, 5)),
                    unseen = outermost(equal_rings(4000, 5, 2));
  const std::vector<std::int32_t> noisy = noisy_codes(sample, {.9, .1, .6, .4});
  const GivenLabels labels{noisy, 2};
  EXPECT_LT(accuracy_of(trees_of(sample, cross_entropy_targets(labels)), unseen), .85);
  const double alpha = (.1 - .6) / (.16 - .84);  // docs/learning.md: (e- - e+) / (q+ - q-)
  EXPECT_GT(accuracy_of(trees_of(sample, peer_targets(labels, alpha)), unseen), .93);
}

TEST(TreeTraining, StartsFromTheBestConstant) {
  const LearnSample sample = equal_rings(3000, 3);
  const std::vector<double> transition = {.8, .2, 0, .1, .9, 0, 0, .3, .7};
  std::vector<std::int32_t> rare = sample.codes;
  for (std::size_t n = 0; n < rare.size(); ++n) rare[n] = n % 10 < 6 ? 0 : n % 10 < 9 ? 1 : 2;
  const TreeTrainingOptions stump = tree_training({.trees = 1, .min_rows_in_leaf = 100000});
  const std::vector<double> plain =
      trees_of(sample, cross_entropy_targets({rare, 3}), stump).boosted.offsets;
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(std::exp(plain[c]), c == 0 ? .6 : .5 - .2 * static_cast<double>(c), 1e-6);
  const std::vector<double> clean =
      trees_of(sample, forward_targets({rare, 3}, transition), stump).boosted.offsets;
  // T^t p must be the shares of the labels, and is solved by hand: p2 = .1 / .7, and so on.
  const double third = .1 / .7, first = (.6 - .1 * (1 - third)) / .7;
  EXPECT_NEAR(std::exp(clean[2]), third, 1e-3);
  EXPECT_NEAR(std::exp(clean[0]), first, 1e-3);
}

TEST(TreeTraining, GivesTheSameTreesWithAnyNumberOfThreads) {
  for (const std::size_t classes : {2U, 4U}) {
    const LearnSample sample = equal_rings(70000, classes);  // above the size of a part
    const Targets targets = cross_entropy_targets(sample.labels());
    const TreeTrainingOptions options = tree_training({.trees = 5}, 4);
    const Model one = train_trees(sample.rows.view(), targets, options, {1, {}}).model;
    const Model three = train_trees(sample.rows.view(), targets, options, {3, {}}).model;
    EXPECT_TRUE(have_same_trees(one, three));
    const Model other = trees_of(sample, targets, tree_training({.trees = 5}, 5));
    EXPECT_FALSE(have_same_trees(one, other));
  }
}

// Threads share out the columns too where there are many.
TEST(TreeTraining, GivesTheSameTreesOfManyColumns) {
  const LearnSample sample = blobs(2000, 3, 1, 90);
  const Targets targets = cross_entropy_targets(sample.labels());
  const TreeTrainingOptions options = tree_training({.trees = 4});
  EXPECT_TRUE(have_same_trees(train_trees(sample.rows.view(), targets, options, {1, {}}).model,
                              train_trees(sample.rows.view(), targets, options, {3, {}}).model));
}

TEST(TreeTraining, HeldOutRowsStopItAndAreNotLearned) {
  LearnSample sample = blobs(2000, 2, .7, 4);
  std::vector<std::uint32_t> held;
  for (std::uint32_t n = 0; n < 2000; n += 4) held.push_back(n);
  TrainOptions options;
  options.model = ModelKind::trees;
  options.trees = {.trees = 1000, .min_rows_in_leaf = 2, .learning_rate = .5, .ridge = 0};
  options.held_out = .25;
  options.patience = 2;
  const FitResult training = train(sample.rows.view(), sample.labels(), options, {2, {}}).training;
  EXPECT_LT(training.steps, 1000);
  EXPECT_LT(training.model.boosted.trees.size(), static_cast<std::size_t>(training.steps) + 1);
  EXPECT_EQ(training.model.boosted.trees.size() % 10, 0U);
  ASSERT_TRUE(training.held_out_accuracy);
  EXPECT_GT(*training.held_out_accuracy, .6);

  Targets targets = cross_entropy_targets(sample.labels());
  hold_out(targets, held, sample.labels());
  const TreeTrainingOptions with{{.trees = 30}, 0, {held, sample.codes, 50}};
  const FitResult found = train_trees(sample.rows.view(), targets, with);
  Matrix unseen(held.size(), 4);
  std::vector<std::int32_t> codes;
  for (std::size_t i = 0; i < held.size(); ++i) {
    std::copy_n(sample.rows.row(held[i]), 4, unseen.row(i));
    codes.push_back(sample.codes[held[i]]);
  }
  EXPECT_EQ(*found.held_out_accuracy,
            accuracy(probabilities(found.model, unseen.view()).view(), codes));
}

TEST(TreeTraining, AWeightIsAsGoodAsCopies) {
  const LearnSample sample = blobs(4000, 3, 1, 3);
  std::vector<float> weights(4000, 1);
  for (std::size_t n = 0; n < 4000; ++n) weights[n] = sample.codes[n] == 2 ? 4 : 1;
  const auto share_of_two = [&](const GivenLabels& labels) {
    const Matrix found =
        probabilities(trees_of(sample, cross_entropy_targets(labels)), sample.rows.view());
    double sum = 0;
    for (std::size_t n = 0; n < 4000; ++n) sum += found.row(n)[2];
    return sum / 4000;
  };
  EXPECT_NEAR(share_of_two(sample.labels()), 1. / 3, .02);
  EXPECT_NEAR(share_of_two({sample.codes, 3, weights}), .55, .06);
}

TEST(TreeTraining, RowsThatAreNoNumbersAreNamed) {
  const LearnSample sample = equal_rings(500, 2);
  const Model model = trees_of(sample, cross_entropy_targets(sample.labels()));
  Matrix odd(3, 3);
  odd.row(1)[2] = std::nanf("");
  try {
    probabilities(model, odd.view());
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("row 2"), std::string::npos) << error.what();
  }
  odd.row(1)[2] = 3e38F;
  EXPECT_NO_THROW(probabilities(model, odd.view()));
}

}  // namespace
}  // namespace noiseplus
