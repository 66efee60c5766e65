#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "core/thread_pool.h"
#include "fair/group_sample.h"
#include "learn_support.h"
#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

const Execution two_threads{2, {}};

template <typename Call>
std::uint64_t pools_of(const Call& call) {
  const std::uint64_t before = ThreadPool::made();
  call();
  return ThreadPool::made() - before;
}

class PoolsOfLosses : public testing::TestWithParam<std::tuple<ModelKind, LossKind>> {};

// Stops early, so that each step asks for probabilities, and chooses alpha where there is one.
TEST_P(PoolsOfLosses, ATrainingMakesOne) {
  const LearnSample sample = blobs(200, 2, 1);
  const std::vector<std::int32_t> groups(200);
  TrainOptions options;
  std::tie(options.model, options.loss) = GetParam();
  options.transition = {.8, .2, .3, .7};
  options.alphas = {-.2, .2};
  options.alpha_folds = 2;
  options.alpha_epochs = 2;
  options.groups = groups;
  options.deltas = {.5};
  options.mlp = {.hidden = 4, .epochs = 3, .stopping = {}};
  options.trees.trees = 20;
  options.held_out = .2;
  EXPECT_EQ(pools_of([&] { train(sample.rows.view(), sample.labels(), options, two_threads); }), 1);
}

std::string name_of(const testing::TestParamInfo<PoolsOfLosses::ParamType>& info) {
  const auto [model, loss] = info.param;
  std::string name = std::string(to_string(model)) + '_' + std::string(to_string(loss));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    EveryLoss, PoolsOfLosses,
    testing::Combine(testing::Values(ModelKind::linear, ModelKind::mlp, ModelKind::trees),
                     testing::Values(LossKind::ce, LossKind::backward, LossKind::forward,
                                     LossKind::peer, LossKind::group_peer)),
    name_of);
INSTANTIATE_TEST_SUITE_P(TwoNetworks, PoolsOfLosses,
                         testing::Values(std::tuple(ModelKind::mlp, LossKind::co_teaching)),
                         name_of);

TEST(Pools, FoldsShareOne) {
  const LearnSample sample = blobs(200, 3, 1), two = blobs(200, 2, 1);
  EXPECT_EQ(pools_of([&] {
              out_of_sample_probabilities(sample.rows.view(), sample.labels(), {}, two_threads);
            }),
            1);
  EXPECT_EQ(pools_of([&] {
              out_of_fold_tree_probabilities(two.rows.view(), two.labels(), {}, {.trees = 3},
                                             two_threads);
            }),
            1);
}

TEST(Pools, ModelsOfAMixtureShareOne) {
  const LearnSample sample = blobs(50, 2, 1);
  const Model model = train(sample.rows.view(), sample.labels()).training.model;
  const Mixture mixture{{.5, .25, .25}, {model, model, model}};
  EXPECT_EQ(pools_of([&] { probabilities(mixture, sample.rows.view(), two_threads); }), 1);
}

TEST(Pools, RoundsOfAFairTrainingShareOne) {
  using namespace testing_support;  // NOLINT(google-build-using-namespace)
  const GroupSample sample = group_sample(300, {.63, .33});
  for (const ModelKind kind : {ModelKind::linear, ModelKind::mlp}) {
    FairOptions options = fair_options(sample);
    options.max_rounds = 3;
    options.folds = 2;
    TrainOptions training;
    training.model = kind;
    training.mlp = {.hidden = 4, .epochs = 2, .stopping = {}};
    EXPECT_EQ(pools_of([&] { train_fairly(sample, options, training, two_threads); }), 1)
        << to_string(kind);
  }
}

}  // namespace
}  // namespace noiseplus
