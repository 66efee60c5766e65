#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "learn/elementwise.h"
#include "learn/layers.h"
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
  const TrainResult trained = train(task.train.rows.view(), task.train.labels(), options);
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
  const TrainResult trained = train(task.train.rows.view(), task.train.labels(), options);
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
  const TrainResult network = train(task.train.rows.view(), task.train.labels(), options);
  EXPECT_EQ(network.trials.size(), 3U);
  EXPECT_EQ(network.training.model.layers.size(), 2U);
}

TEST(Train, WarmStartsNeedFewSteps) {
  const LearnSample sample = blobs(4000, 4, 2, 30);
  const Targets targets = cross_entropy_targets(sample.labels());
  const FitResult cold = train_linear(sample.rows.view(), targets);
  const FitResult warm = train_linear(sample.rows.view(), targets, {}, &cold.model);
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
  const TrainResult trained = train(task.train.rows.view(), task.train.labels(), options);
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

// Labels that have nothing to do with the rows cannot be guessed from other rows, however wide.
TEST(OutOfSample, DoesNotRememberLabels) {
  LearnSample sample = blobs(300, 2, 0, 1200);
  for (std::size_t n = 0; n < 300; ++n) {
    sample.codes[n] = static_cast<std::int32_t>(hash(77, Stream::generate, n) % 2);
  }
  const Matrix found = out_of_sample_probabilities(sample.rows.view(), sample.labels());
  EXPECT_NEAR(accuracy(found.view(), sample.codes), .5, .1);
}

// Rows of weight zero may hold anything that is a number.
TEST(Train, RowsWithoutWeightTakeNoPart) {
  LearnSample sample = blobs(600, 2, 2);
  std::vector<float> weights(600, 1);
  weights[11] = 0;
  GivenLabels labels = sample.labels();
  labels.row_weights = weights;
  for (const float wild : {1.0F, 1e6F, 1e15F}) {
    for (std::size_t c = 0; c < 5; ++c) sample.rows.row(11)[c] = wild;
    const Targets targets = cross_entropy_targets(labels);
    EXPECT_GT(accuracy_of(train_linear(sample.rows.view(), targets).model, sample), .9) << wild;
    MlpOptions options;
    options.batch = 16;
    EXPECT_GT(accuracy_of(train_mlp(sample.rows.view(), targets, options).model, sample), .9)
        << wild;
  }
}

TEST(Train, WeightsOfAnySizeAreRelative) {
  const LearnSample sample = blobs(400, 3, 1);
  std::vector<float> weights(400);
  for (std::size_t n = 0; n < 400; ++n) weights[n] = static_cast<float>(1 + n % 5);
  GivenLabels labels = sample.labels();
  labels.row_weights = weights;
  const double loss = train_linear(sample.rows.view(), cross_entropy_targets(labels)).loss;
  for (const float size : {1e-30F, 1e30F}) {
    std::vector<float> scaled = weights;
    for (float& weight : scaled) weight *= size;
    labels.row_weights = scaled;
    EXPECT_NEAR(train_linear(sample.rows.view(), cross_entropy_targets(labels)).loss, loss, 1e-6);
  }
}

TEST(Train, ColumnsFarFromZeroAndOfOddSizesAreNoTrouble) {
  const LearnSample plain = blobs(3000, 2, 2);
  LinearOptions options;
  options.ridge = 1e-12;  // which would weigh on a column in other units
  const FitResult expected =
      train_linear(plain.rows.view(), cross_entropy_targets(plain.labels()), options);
  LearnSample odd = blobs(3000, 2, 2);
  for (std::size_t n = 0; n < 3000; ++n) {
    odd.rows.row(n)[1] = odd.rows.row(n)[1] * 128 + 131072;  // exact in floats, nearly
    odd.rows.row(n)[2] *= 1e9F;
    odd.rows.row(n)[3] *= 1e-6F;
  }
  const FitResult found =
      train_linear(odd.rows.view(), cross_entropy_targets(odd.labels()), options);
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.loss, expected.loss, 1e-4);
  EXPECT_NEAR(accuracy_of(found.model, odd), accuracy_of(expected.model, plain), .005);
}

TEST(Train, SameBytesAfterManySteps) {
  const LearnSample sample = blobs(5000, 17, 3, 40);
  LinearOptions options;
  options.tolerance = 1e-7;
  const Targets targets = cross_entropy_targets(sample.labels());
  const FitResult one = train_linear(sample.rows.view(), targets, options, nullptr, {1, {}});
  const FitResult three = train_linear(sample.rows.view(), targets, options, nullptr, {3, {}});
  EXPECT_GT(one.steps, 12);  // so that the curvature was looked at anew
  EXPECT_TRUE(one.model.layers == three.model.layers);
}

TEST(Train, RefusesAStartOfAnotherShape) {
  const LearnSample sample = blobs(50, 3, 1);
  const Targets targets = cross_entropy_targets(sample.labels());
  Model start = train_linear(sample.rows.view(), targets).model;
  EXPECT_NO_THROW(train_linear(sample.rows.view(), targets, {}, &start));
  start.layers[0].weights.pop_back();
  EXPECT_THROW(train_linear(sample.rows.view(), targets, {}, &start), Error);
  const Model one_output{3, {{5, 1, std::vector<float>(5), {0}}}};
  EXPECT_THROW(train_linear(sample.rows.view(), targets, {}, &one_output), Error);
}

TEST(Train, RefusesLabelsAndRowsOfDifferentNumbers) {
  const LearnSample sample = blobs(50, 2, 1);
  const std::vector<std::int32_t> codes(80, 1);
  TrainOptions options;
  options.loss = LossKind::peer;
  EXPECT_THROW(train(sample.rows.view(), {codes, 2}, options), Error);
}

// A value that is not a number spoils the probabilities of its own row, not those of others.
TEST(Probabilities, OfARowDependOnThatRowAlone) {
  ThreadPool pool(1);
  for (const std::size_t columns : {1U, 3U, 7U, 16U, 20U, 33U}) {
    LearnSample sample = blobs(12, 2, 1, columns);
    for (const std::size_t classes : {2U, 3U}) {
      const std::size_t outputs = classes == 2 ? 1 : 3;
      const Model model{classes,
                        {{columns, outputs, std::vector<float>(columns * outputs, .5F),
                          std::vector<float>(outputs)}}};
      sample.rows.row(5)[0] = NAN;
      const Matrix found = probabilities_or_nan(model, sample.rows.view(), pool);
      for (std::size_t n = 0; n < 12; ++n) EXPECT_EQ(std::isnan(found.row(n)[0]), n == 5) << n;
    }
  }
}

void expect_error(ErrorKind kind, const std::string& part, const std::function<void()>& act) {
  try {
    act();
    ADD_FAILURE() << "no error: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

// A NaN would be printed as -nan on one CPU and nan on another.
TEST(Probabilities, RefuseRowsWhoseLogitOverflows) {
  for (const std::size_t classes : {2U, 3U}) {
    const std::size_t outputs = classes == 2 ? 1 : 3;
    const Layer last{2, outputs, std::vector<float>(2 * outputs, 3), std::vector<float>(outputs)};
    const Model linear{classes, {last}};
    const Model mlp{classes, {{2, 2, {3, -3, -3, 3}, {0, 0}}, last}};
    for (const Model& model : {linear, mlp}) {
      for (const float value : {3e38F, -3e38F, static_cast<float>(INFINITY), std::nanf("")}) {
        Matrix rows(5, 2);
        rows.row(3)[1] = value;
        expect_error(ErrorKind::data, "row 4", [&] { probabilities(model, rows.view()); });
        expect_error(ErrorKind::data, "row 4", [&] {
          probabilities(Mixture{{1}, {model}}, rows.view());
        });
      }
      Model odd = model;
      odd.layers.back().weights[1] = std::nanf("");
      expect_error(ErrorKind::usage, "model", [&] { probabilities(odd, Matrix(5, 2).view()); });
    }
  }
}

// What prediction does with a hidden unit that is not a number, training does too.
TEST(Probabilities, RectifiersKeepNaN) {
  for (const ElementKernel& kernel : element_kernels()) {
    std::vector<float> values(40, std::nanf(""));
    values[3] = values[35] = -1;
    values[4] = values[36] = -0.0F;
    values[5] = values[37] = 2;
    kernel.rectify(values.data(), values.size());
    for (const std::size_t first : {0U, 32U}) {
      EXPECT_TRUE(std::isnan(values[first])) << kernel.name;
      EXPECT_EQ(values[first + 3], 0) << kernel.name;
      EXPECT_FALSE(std::signbit(values[first + 4])) << kernel.name;
      EXPECT_EQ(values[first + 5], 2) << kernel.name;
    }
  }
}

TEST(TrainLinear, BlamesWeightsForWhatTheyDo) {
  const LearnSample sample = blobs(60, 2, 1);
  const GivenLabels labels{sample.codes, 2};
  const Targets targets = cross_entropy_targets(labels);
  const std::size_t columns = sample.rows.columns();
  const Model large{2, {{columns, 1, std::vector<float>(columns, 3e38F), {0}}}};
  expect_error(ErrorKind::usage, "the model to start from",
               [&] { train_linear(sample.rows.view(), targets, {}, &large); });
  Targets heavy = targets;
  for (std::size_t n = 0; n < 60; ++n) heavy.weights.row(n)[0] = 3e38F;
  heavy.total = 1e-30;
  expect_error(ErrorKind::usage, "weights of the targets",
               [&] { train_linear(sample.rows.view(), heavy); });
  Matrix wide = sample.rows;
  for (std::size_t n = 0; n < 60; ++n) wide.row(n)[1] = n % 2 == 0 ? 3e38F : -3e38F;
  expect_error(ErrorKind::data, "column 2", [&] { train_linear(wide.view(), targets); });
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
