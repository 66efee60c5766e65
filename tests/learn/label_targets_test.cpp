// Targets stored as labels give the bytes of the same targets stored in full.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "learn/held_out.h"
#include "learn/targets_view.h"
#include "learn/trainers.h"
#include "learn_support.h"

namespace noiseplus {
namespace {

struct Case {
  std::size_t classes;
  bool is_forward;
  LearnSample sample;
  std::vector<float> weights;
  std::vector<double> transition;

  GivenLabels labels() const { return {sample.codes, classes, weights}; }
  LabelTargets short_form() const {
    return is_forward ? forward_label_targets(labels(), transition) : label_targets(labels());
  }
  Targets in_full() const {
    return is_forward ? forward_targets(labels(), transition) : cross_entropy_targets(labels());
  }
};

// Some rows weigh nothing.
Case make_case(std::size_t classes, bool is_forward, std::size_t rows = 300) {
  Case made{classes, is_forward, blobs(rows, classes, 1), std::vector<float>(rows), {}};
  for (std::size_t n = 0; n < rows; ++n) made.weights[n] = static_cast<float>(n % 4) * .7F;
  const auto others = static_cast<double>(classes - 1);
  for (std::size_t i = 0; i < classes * classes; ++i) {
    made.transition.push_back(i % (classes + 1) == 0 ? .7 : .3 / others);
  }
  return made;
}

class LabelTargetsTest : public testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  const Case case_ = make_case(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const std::vector<std::uint32_t> held_ = {0, 7, 8, 9, 200, 299};
};

bool same_bytes(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void expect_same(const FitResult& found, const FitResult& expected) {
  EXPECT_EQ(found.loss, expected.loss);
  EXPECT_EQ(found.steps, expected.steps);
  EXPECT_EQ(found.held_out_accuracy, expected.held_out_accuracy);
  ASSERT_EQ(found.model.layers.size(), expected.model.layers.size());
  for (std::size_t l = 0; l < found.model.layers.size(); ++l) {
    EXPECT_TRUE(same_bytes(found.model.layers[l].weights, expected.model.layers[l].weights));
    EXPECT_TRUE(same_bytes(found.model.layers[l].biases, expected.model.layers[l].biases));
  }
  EXPECT_EQ(found.model.boosted.offsets, expected.model.boosted.offsets);
  EXPECT_EQ(found.model.boosted.trees, expected.model.boosted.trees);
}

TEST_P(LabelTargetsTest, AreReadAsThoseInFull) {
  LabelTargets labels = case_.short_form();
  Targets in_full = case_.in_full();
  hold_out(labels, held_, case_.labels());
  hold_out(in_full, held_, case_.labels());
  const TargetsView found(labels), expected(in_full);
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.classes(), expected.classes());
  EXPECT_EQ(found.total(), expected.total());
  EXPECT_EQ(rows_that_count(found), rows_that_count(expected));
  std::vector<float> room, no_room, row(case_.classes);
  EXPECT_TRUE(same_bytes({found.block(5, 290, room), 290 * case_.classes},
                         {expected.block(5, 290, no_room), 290 * case_.classes}));
  for (std::size_t n = 0; n < found.rows(); ++n) {
    EXPECT_EQ(found.counts(n), expected.counts(n)) << n;
    EXPECT_EQ(found.sum_of_row(n), expected.sum_of_row(n)) << n;
    found.copy_row(n, row.data());
    EXPECT_TRUE(same_bytes(row, {expected.block(n, 1, no_room), case_.classes})) << n;
    for (std::size_t c = 0; c < case_.classes; ++c) {
      EXPECT_EQ(found.weight(n, c), expected.weight(n, c)) << n;
    }
  }
}

TEST_P(LabelTargetsTest, TrainTheModelsOfThoseInFull) {
  LabelTargets labels = case_.short_form();
  Targets in_full = case_.in_full();
  hold_out(labels, held_, case_.labels());
  hold_out(in_full, held_, case_.labels());
  const RowsView rows = case_.sample.rows.view();
  const EarlyStopping stopping{held_, case_.sample.codes, 3};
  ThreadPool pool(2);
  LinearOptions linear;
  linear.stopping = stopping;
  expect_same(train_linear(rows, labels, linear, nullptr, pool, {}),
              train_linear(rows, in_full, linear));
  MlpOptions mlp;
  mlp.hidden = 5;
  mlp.epochs = 3;
  mlp.stopping = stopping;
  expect_same(train_mlp(rows, labels, mlp, nullptr, pool, {}), train_mlp(rows, in_full, mlp));
  TreeTrainingOptions trees;
  trees.trees.trees = 20;
  trees.stopping = stopping;
  expect_same(train_trees(rows, labels, trees, pool, {}), train_trees(rows, in_full, trees));
}

TEST_P(LabelTargetsTest, FoldsAnswerAsModelsOfTargetsInFull) {
  FoldOptions options;
  options.folds = 3;
  if (case_.is_forward) options.transition = case_.transition;
  const RowsView rows = case_.sample.rows.view();
  const Matrix found = out_of_sample_probabilities(rows, case_.labels(), options);
  const std::vector<std::int32_t> folds = stratified_folds(case_.labels(), 3, options.seed);
  ThreadPool pool(2);
  LinearTrainer trainer(rows, pool);  // keeps what it finds in the first fold, as the call does
  for (std::int32_t f = 0; f < 3; ++f) {
    const std::vector<std::uint32_t> held = rows_of_fold(folds, f);
    Targets in_full = case_.in_full();
    hold_out(in_full, held, case_.labels());
    const Model model = trainer.fit(in_full, options.linear, nullptr, {}).model;
    const Matrix expected = probabilities(model, rows);
    for (const std::uint32_t n : held) {
      EXPECT_TRUE(same_bytes({found.row(n), case_.classes}, {expected.row(n), case_.classes})) << n;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LabelTargetsTest,
                         testing::Combine(testing::Values(2, 3, 16, 17), testing::Bool()),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) + "classes" +
                                  (std::get<1>(info.param) ? "Forward" : "CrossEntropy");
                         });

TEST(LabelTargets, RefuseWhatTargetsRefuse) {
  const std::vector<std::int32_t> beyond = {0, 3}, codes = {0, 1};
  EXPECT_THROW(label_targets({beyond, 3}), Error);
  EXPECT_THROW(forward_label_targets({codes, 2}, std::vector<double>{.5, .5, .5, .5}), Error);
  LabelTargets targets = label_targets({codes, 2});
  EXPECT_THROW(hold_out(targets, std::vector<std::uint32_t>{2}, {codes, 2}), Error);
}

}  // namespace
}  // namespace noiseplus
