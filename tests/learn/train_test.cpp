#include <gtest/gtest.h>

#include <cmath>

#include "learn_support.h"

namespace noiseplus {
namespace {

const std::vector<double> noise = {.8, .2, .4, .6};

// Overlapping classes of unequal size, with labels far noisier in one: where a line is to be drawn
// depends on the noise.
struct NoisyTask {
  LearnSample train = blobs(6000, 2, 2);
  LearnSample test = blobs(6000, 2, 2, 5, 90);
  NoisyTask() { train.codes = noisy_codes(train, noise); }
};

double accuracy_with(const NoisyTask& task, LossKind loss, ModelKind model = ModelKind::linear) {
  TrainOptions options;
  options.loss = loss;
  options.model = model;
  options.transition = noise;
  options.mlp.epochs = 10;
  options.mlp.hidden = 16;
  const Trained trained = train(task.train.rows.view(), task.train.labels(), options);
  return accuracy_of(trained.training.model, task.test);
}

TEST(Train, CorrectedLossesSeeThroughTheNoise) {
  const NoisyTask task;
  LearnSample clean = blobs(6000, 2, 2);
  const double best =
      accuracy_of(train(clean.rows.view(), clean.labels()).training.model, task.test);
  const double plain = accuracy_with(task, LossKind::ce);
  EXPECT_LT(plain, best - .05);
  EXPECT_NEAR(accuracy_with(task, LossKind::backward), best, .01);
  EXPECT_NEAR(accuracy_with(task, LossKind::forward), best, .01);
  const double plain_network = accuracy_with(task, LossKind::ce, ModelKind::mlp);
  EXPECT_GT(accuracy_with(task, LossKind::backward, ModelKind::mlp), plain_network + .05);
  EXPECT_GT(accuracy_with(task, LossKind::forward, ModelKind::mlp), plain_network + .05);
}

TEST(Train, AlphaIsChosenByNoisyLabelsHeldOut) {
  const NoisyTask task;
  TrainOptions options;
  options.loss = LossKind::peer;
  const Trained trained = train(task.train.rows.view(), task.train.labels(), options);
  ASSERT_EQ(trained.trials.size(), 33U);
  EXPECT_DOUBLE_EQ(trained.trials.front().alpha, -.8);
  EXPECT_DOUBLE_EQ(trained.trials.back().alpha, .8);
  for (const AlphaTrial& trial : trained.trials) {
    const bool is_chosen = trial.alpha == trained.alpha;
    const double chosen =
        trained.trials[static_cast<std::size_t>(std::lround(trained.alpha * 20) + 16)].accuracy;
    EXPECT_LE(trial.accuracy, chosen) << trial.alpha;
    if (!is_chosen && trial.accuracy == chosen) {
      EXPECT_GE(std::abs(trial.alpha), std::abs(trained.alpha));
    }
  }
  options.alpha_folds = 1;
  options.alphas = {0, .5};
  EXPECT_EQ(train(task.train.rows.view(), task.train.labels(), options).trials.size(), 2U);
}

TEST(Train, AlphaOfGroupsAndNetworks) {
  const NoisyTask task;
  std::vector<std::int32_t> groups(task.train.codes.size());
  for (std::size_t n = 0; n < groups.size(); ++n) groups[n] = static_cast<std::int32_t>(n % 2);
  TrainOptions options;
  options.loss = LossKind::group_peer;
  options.groups = groups;
  options.deltas = {.5, .9};
  options.alphas = {-.2, 0, .2};
  options.alpha_folds = 2;
  EXPECT_EQ(train(task.train.rows.view(), task.train.labels(), options).trials.size(), 3U);
  options.loss = LossKind::peer;
  options.model = ModelKind::mlp;
  options.mlp.hidden = 8;
  options.mlp.epochs = 2;
  options.alpha_epochs = 1;
  const Trained network = train(task.train.rows.view(), task.train.labels(), options);
  EXPECT_EQ(network.trials.size(), 3U);
  EXPECT_EQ(network.training.model.layers.size(), 2U);
}

TEST(Train, WarmStartsNeedFewSteps) {
  const LearnSample sample = blobs(4000, 4, 2, 30);
  const Targets targets = cross_entropy_targets(sample.labels());
  const Training cold = train_linear(sample.rows.view(), targets);
  const Training warm = train_linear(sample.rows.view(), targets, {}, &cold.model);
  EXPECT_GE(cold.steps, 4);
  EXPECT_LE(warm.steps, 1);
  EXPECT_NEAR(cold.loss, warm.loss, 1e-6);
}

TEST(Train, LinearModelsStopEarlyToo) {
  const NoisyTask task;
  TrainOptions options;
  options.held_out = .3;
  options.patience = 1;
  options.linear.tolerance = 0;
  const Trained trained = train(task.train.rows.view(), task.train.labels(), options);
  ASSERT_TRUE(trained.training.held_out_accuracy);
  EXPECT_GT(*trained.training.held_out_accuracy, .55);
  EXPECT_LT(trained.training.steps, 20);
}

TEST(Train, CoTeachingForgetsWhatTheMatrixSays) {
  const NoisyTask task;
  TrainOptions options;
  options.loss = LossKind::co_teaching;
  options.mlp.epochs = 2;
  options.mlp.hidden = 8;
  EXPECT_THROW(train(task.train.rows.view(), task.train.labels(), options), Error);  // linear
  options.model = ModelKind::mlp;
  EXPECT_THROW(train(task.train.rows.view(), task.train.labels(), options), Error);  // how much?
  options.transition = noise;
  const Model by_matrix =
      train(task.train.rows.view(), task.train.labels(), options).training.model;
  options.forget = .6;
  const Model more = train(task.train.rows.view(), task.train.labels(), options).training.model;
  EXPECT_FALSE(by_matrix.layers == more.layers);
}

TEST(Train, RefusesOneClass) {
  const LearnSample sample = blobs(20, 2, 1);
  const std::vector<std::int32_t> codes(20, 1);
  TrainOptions options;
  options.class_names = {"no", "yes"};
  try {
    train(sample.rows.view(), {codes, 2}, options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::impossible);
    EXPECT_NE(std::string(error.what()).find("'yes'"), std::string::npos);
  }
}

TEST(Train, RefusesRowsThatAreNotNumbers) {
  LearnSample sample = blobs(20, 2, 1);
  sample.rows.row(3)[2] = NAN;
  try {
    train(sample.rows.view(), sample.labels());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("row 4, column 3"), std::string::npos);
  }
}

// Each row by a model that has not seen it.
TEST(OutOfSample, EqualsTrainingOnTheOtherFolds) {
  const LearnSample sample = blobs(500, 3, 1);
  FoldOptions options;
  options.folds = 4;
  options.linear.tolerance = 1e-7;
  const Matrix found = out_of_sample_probabilities(sample.rows.view(), sample.labels(), options);
  const std::vector<std::int32_t> folds = stratified_folds(sample.labels(), 4, 0);
  for (std::int32_t f = 0; f < 4; ++f) {
    std::vector<std::uint32_t> held;
    for (std::size_t n = 0; n < 500; ++n) {
      if (folds[n] == f) held.push_back(static_cast<std::uint32_t>(n));
    }
    Targets targets = cross_entropy_targets(sample.labels());
    hold_out(targets, held, sample.labels());
    const Model model = train_linear(sample.rows.view(), targets, options.linear).model;
    const Matrix expected = probabilities(model, sample.rows.view());
    for (const std::uint32_t n : held) {
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(found.row(n)[c], expected.row(n)[c], 1e-4);
    }
  }
  const Matrix again =
      out_of_sample_probabilities(sample.rows.view(), sample.labels(), options, {1, {}});
  for (std::size_t i = 0; i < 1500; ++i) EXPECT_EQ(again.row(0)[i], found.row(0)[i]);
}

TEST(Probabilities, OfHalvesAreThoseOfTheirFloats) {
  const std::vector<std::uint16_t> halves = {0x3c00, 0xc000, 0x3800, 0x0000};  // 1, -2, .5, 0
  Matrix floats(2, 2);
  const float values[] = {1, -2, .5F, 0};
  std::copy_n(values, 4, floats.row(0));
  const Model model{2, {{2, 1, {1.5F, -.25F}, {.125F}}}};
  const Matrix of_floats = probabilities(model, floats.view());
  const Matrix of_halves = probabilities(model, RowsView(halves.data(), 2, 2));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(of_floats.row(0)[i], of_halves.row(0)[i]);
  EXPECT_NEAR(of_floats.row(0)[1], 1 / (1 + std::exp(-2.125)), 1e-6);
  EXPECT_THROW(probabilities(model, Matrix(1, 3).view()), Error);
}

}  // namespace
}  // namespace noiseplus
