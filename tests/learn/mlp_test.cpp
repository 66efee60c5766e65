#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "learn/mlp_network.h"
#include "learn_support.h"

namespace noiseplus {
namespace {

// Two classes that no line can tell apart.
LearnSample rings(std::size_t n, float offset = 0) {
  LearnSample sample{Matrix(n, 2), std::vector<std::int32_t>(n), 2};
  for (std::size_t i = 0; i < n; ++i) {
    const int inside = static_cast<int>(i % 2);
    const double radius = inside + 1 + .2 * normal(1, Stream::generate, i, 0);
    const double angle = 6.283 * uniform(2, Stream::generate, i);
    sample.rows.row(i)[0] = offset + static_cast<float>(radius * std::cos(angle));
    sample.rows.row(i)[1] = static_cast<float>(radius * std::sin(angle));
    sample.codes[i] = inside;
  }
  return sample;
}

MlpOptions small_network() {
  MlpOptions options;
  options.hidden = 16;
  options.epochs = 30;
  options.batch = 32;
  options.rate = 1e-2;
  return options;
}

TEST(Mlp, LearnsWhatNoLineCan) {
  const LearnSample sample = rings(1000);
  const Targets targets = cross_entropy_targets(sample.labels());
  EXPECT_LT(accuracy_of(train_linear(sample.rows.view(), targets).model, sample), .7);
  const FitResult training = train_mlp(sample.rows.view(), targets, small_network());
  EXPECT_GT(accuracy_of(training.model, sample), .97);
  EXPECT_EQ(training.steps, 30);
  EXPECT_LT(training.loss, .1);
}

TEST(Mlp, IsOfTheRowsAsTheyAre) {
  // Far from the origin and in other units: training scales, the model need not know.
  LearnSample sample = rings(1000, 30);
  for (std::size_t i = 0; i < 2000; ++i) sample.rows.row(0)[i] *= 100;
  const FitResult training =
      train_mlp(sample.rows.view(), cross_entropy_targets(sample.labels()), small_network());
  EXPECT_GT(accuracy_of(training.model, sample), .97);
}

TEST(Mlp, SameBytesAtAnyNumberOfThreadsAndOtherForOtherSeeds) {
  const LearnSample sample = blobs(300, 3, 2, 70);
  const Targets targets = cross_entropy_targets(sample.labels());
  MlpOptions options = small_network();
  options.epochs = 3;
  options.dropout = .3;
  options.weight_decay = .01;
  const FitResult one = train_mlp(sample.rows.view(), targets, options, nullptr, {1, {}});
  const FitResult three = train_mlp(sample.rows.view(), targets, options, nullptr, {3, {}});
  EXPECT_TRUE(one.model.layers == three.model.layers);
  EXPECT_EQ(one.loss, three.loss);
  options.seed = 1;
  const FitResult other = train_mlp(sample.rows.view(), targets, options, nullptr, {1, {}});
  EXPECT_FALSE(one.model.layers == other.model.layers);
}

TEST(Mlp, DropoutAndDecayChangeWhatIsLearned) {
  const LearnSample sample = rings(400);
  const Targets targets = cross_entropy_targets(sample.labels());
  const auto size = [&](const MlpOptions& options) {
    const Model model = train_mlp(sample.rows.view(), targets, options).model;
    double sum = 0;
    for (const float weight : model.layers[1].weights) sum += std::abs(static_cast<double>(weight));
    return sum;
  };
  MlpOptions options = small_network();
  const double plain = size(options);
  options.weight_decay = 1;
  EXPECT_LT(size(options), .9 * plain);
  options.weight_decay = 0;
  options.dropout = .5;
  EXPECT_GT(std::abs(size(options) - plain), 1e-3);
}

TEST(Mlp, GoesOnWhereAnotherHasStopped) {
  const LearnSample sample = rings(500);
  const Targets targets = cross_entropy_targets(sample.labels());
  MlpOptions options = small_network();
  const FitResult first = train_mlp(sample.rows.view(), targets, options);
  options.epochs = 1;
  options.rate = 1e-4;
  const FitResult cold = train_mlp(sample.rows.view(), targets, options);
  const FitResult warm = train_mlp(sample.rows.view(), targets, options, &first.model);
  EXPECT_LT(warm.loss, .5 * cold.loss);
  EXPECT_THROW(train_linear(sample.rows.view(), targets, {}, &first.model), Error);
}

TEST(Mlp, StopsEarlyAndKeepsTheBest) {
  LearnSample sample = rings(600);
  const std::vector<std::int32_t> clean = sample.codes;
  sample.codes = noisy_codes(sample, {.7, .3, .3, .7});
  const std::vector<std::uint32_t> held = sample_rows(600, 200, 3, Stream::split);
  Targets targets = cross_entropy_targets(sample.labels());
  hold_out(targets, held, sample.labels());
  MlpOptions options = small_network();
  options.hidden = 128;
  options.epochs = 200;
  options.stopping = {held, sample.codes, 4};
  const FitResult training = train_mlp(sample.rows.view(), targets, options);
  EXPECT_LT(training.steps, 100);
  ASSERT_TRUE(training.held_out_accuracy);
  const std::vector<std::int32_t> likely =
      most_likely(probabilities(training.model, sample.rows.view()).view());
  int right = 0;
  for (const std::uint32_t n : held) right += likely[n] == sample.codes[n] ? 1 : 0;
  EXPECT_DOUBLE_EQ(*training.held_out_accuracy, right / 200.0);
}

TEST(Mlp, LossesWithNegativeWeightsStayFiniteOnSeparableData) {
  const LearnSample sample = blobs(2000, 2, 12);
  const std::vector<double> noise = {.8, .2, .4, .6};
  const std::vector<std::int32_t> codes = noisy_codes(sample, noise);
  for (const Targets& targets :
       {backward_targets({codes, 2}, noise), peer_targets({codes, 2}, .8)}) {
    MlpOptions options = small_network();
    options.epochs = 150;
    const FitResult network = train_mlp(sample.rows.view(), targets, options);
    EXPECT_TRUE(is_finite(network.model));
    EXPECT_TRUE(std::isfinite(network.loss));
    // No loss is below what the floor allows.
    EXPECT_GT(network.loss, 1.5 * std::log(options.floor));
    EXPECT_GT(accuracy_of(network.model, sample), .9);
    const FitResult linear = train_linear(sample.rows.view(), targets);
    EXPECT_TRUE(is_finite(linear.model));
    EXPECT_TRUE(std::isfinite(linear.loss));
    EXPECT_GT(accuracy_of(linear.model, sample), .9);
    LinearOptions free;
    free.ridge = 0;
    EXPECT_THROW(train_linear(sample.rows.view(), targets, free), Error);
  }
}

TEST(Mlp, CoTeachingForgetsWrongLabels) {
  LearnSample sample = blobs(1500, 2, 2.5, 20);
  LearnSample test = blobs(1500, 2, 2.5, 20, 50);
  sample.codes = noisy_codes(sample, {.6, .4, .4, .6});
  CoTeachingOptions options;
  options.mlp = small_network();
  options.mlp.hidden = 64;
  options.mlp.epochs = 40;
  const FitResult plain =
      train_mlp(sample.rows.view(), cross_entropy_targets(sample.labels()), options.mlp);
  options.forget = .4;
  const FitResult pair = train_co_teaching(sample.rows.view(), sample.labels(), options);
  EXPECT_GT(accuracy_of(pair.model, test), accuracy_of(plain.model, test) + .05);
  const FitResult again = train_co_teaching(sample.rows.view(), sample.labels(), options, {1, {}});
  EXPECT_TRUE(pair.model.layers == again.model.layers);
  options.forget = 1;
  EXPECT_THROW(train_co_teaching(sample.rows.view(), sample.labels(), options), Error);
}

TEST(Mlp, PatienceOfTwoNetworksIsThatOfOne) {
  const LearnSample sample = blobs(300, 2, 1);
  const std::vector<std::uint32_t> held = sample_rows(300, 100, 3, Stream::split);
  Targets targets = cross_entropy_targets(sample.labels());
  hold_out(targets, held, sample.labels());
  CoTeachingOptions options;
  options.mlp.rate = 1e-12;  // nothing ever rises
  options.mlp.epochs = 50;
  options.mlp.stopping = {held, sample.codes, 7};
  EXPECT_EQ(train_mlp(sample.rows.view(), targets, options.mlp).steps, 8);
  EXPECT_EQ(train_co_teaching(sample.rows.view(), sample.labels(), options).steps, 8);
  const std::vector<std::uint32_t> beyond = {1000};
  options.mlp.stopping.rows = beyond;
  EXPECT_THROW(train_co_teaching(sample.rows.view(), sample.labels(), options), Error);
}

// Units that are kept count for those that are dropped: the mean output stays.
TEST(Mlp, DropoutKeepsTheMean) {
  const LearnSample sample = blobs(200, 2, 1, 4);
  const Targets targets = cross_entropy_targets(sample.labels());
  const Scaling scaling{std::vector<float>(4), 1};
  Model start{2,
              {{4, 64, std::vector<float>(256, .1F), std::vector<float>(64, 1)},
               {64, 1, std::vector<float>(64, .001F), {0}}}};
  ThreadPool pool(1);
  MlpOptions options;
  options.dropout = .5;
  MlpNetwork network(sample.rows.view(), targets, scaling, options, &start, pool);
  std::vector<std::uint32_t> rows(200);
  for (std::uint32_t n = 0; n < 200; ++n) rows[n] = n;
  const double plain = network.find_gradient({rows, 0});
  double sum = 0;
  constexpr int draws = 200;
  for (int draw = 0; draw < draws; ++draw) {
    sum += network.learn({rows, static_cast<std::uint64_t>(draw)}, {1e-30, 0, 1});
  }
  EXPECT_NEAR(sum / draws, plain, 1e-4);
  EXPECT_NE(sum / draws, plain);
}

TEST(Mlp, CancelsPromptly) {
  const LearnSample sample = blobs(20000, 2, 1, 200);
  const Targets targets = cross_entropy_targets(sample.labels());
  MlpOptions options;
  options.epochs = 1000;
  LinearOptions endless;
  endless.tolerance = 0;
  endless.ridge = 1e-9;
  const auto cancelled_after = [](const auto& run) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point asked{};
    const Execution execution{2, [&](const Progress& progress) {
                                if (progress.done == 0) return true;
                                asked = Clock::now();
                                return false;
                              }};
    try {
      run(execution);
      ADD_FAILURE() << "ran to its end";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
    return std::chrono::duration<double>(Clock::now() - asked).count();
  };
  EXPECT_LT(cancelled_after([&](const Execution& execution) {
              train_mlp(sample.rows.view(), targets, options, nullptr, execution);
            }),
            .5);
  EXPECT_LT(cancelled_after([&](const Execution& execution) {
              CoTeachingOptions pair;
              pair.mlp = options;
              train_co_teaching(sample.rows.view(), sample.labels(), pair, execution);
            }),
            .5);
  EXPECT_LT(cancelled_after([&](const Execution& execution) {
              for (int i = 0; i < 1000; ++i) {
                train_linear(sample.rows.view(), targets, endless, nullptr, execution);
              }
            }),
            .5);
}

TEST(Mlp, RefusesOptionsThatMakeNoSense) {
  const LearnSample sample = rings(50);
  const Targets targets = cross_entropy_targets(sample.labels());
  const auto refused = [&](auto change) {
    MlpOptions options;
    change(options);
    EXPECT_THROW(train_mlp(sample.rows.view(), targets, options), Error);
  };
  refused([](MlpOptions& o) { o.hidden = 1; });
  refused([](MlpOptions& o) { o.batch = 0; });
  refused([](MlpOptions& o) { o.dropout = 1; });
  refused([](MlpOptions& o) { o.rate = 0; });
  refused([](MlpOptions& o) { o.floor = 0; });
  refused([](MlpOptions& o) { o.epochs = -1; });
}

}  // namespace
}  // namespace noiseplus
