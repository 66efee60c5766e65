// The paper's search over classes and groups on rows in tight clusters, each of one clean class.
#include <gtest/gtest.h>

#include "balance/class_population.h"
#include "noiseplus/balance.h"
#include "support.h"

namespace noiseplus {
namespace {

using testing_support::ClassPopulation;

constexpr std::uint64_t seed = 5;
constexpr auto both_variants = {PaperVariant::original, PaperVariant::rebalanced};

struct Sample {
  Matrix features;
  std::vector<std::int32_t> clean, groups;  // groups are mixed in every cluster
  NeighborGraph graph;
  std::vector<std::string> class_names, group_names;
};

NeighborGraph graph_of(const Matrix& features, std::size_t k) {
  NeighborOptions options;
  options.k = k;
  options.seed = seed;
  return find_neighbors(features.view(), options);
}

Sample make_sample(std::size_t rows, std::size_t classes, std::size_t groups) {
  constexpr std::size_t rows_in_cluster = 30, dimensions = 4;
  Sample sample;
  sample.features = Matrix(rows, dimensions);
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t cluster = n / rows_in_cluster;
    sample.clean.push_back(static_cast<std::int32_t>(cluster % classes));
    sample.groups.push_back(static_cast<std::int32_t>(n % groups));
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double center = 20 * uniform(seed, Stream::generate, cluster, d);
      const double offset = normal(seed, Stream::generate, rows + n, d);
      sample.features.row(n)[d] = static_cast<float>(center + .01 * offset);
    }
  }
  sample.graph = graph_of(sample.features, 29);
  for (std::size_t c = 0; c < classes; ++c) sample.class_names.push_back("c" + std::to_string(c));
  for (std::size_t g = 0; g < groups; ++g) sample.group_names.push_back("g" + std::to_string(g));
  return sample;
}

std::vector<std::int32_t> with_group_noise(const Sample& sample, const std::vector<double>& rates) {
  std::vector<double> matrices;
  for (const double rate : rates) {
    const auto matrix = symmetric_transition(sample.class_names.size(), rate);
    matrices.insert(matrices.end(), matrix.begin(), matrix.end());
  }
  return draw_labels(sample.clean, sample.groups, sample.class_names.size(), matrices, seed,
                     Stream::corrupt);
}

std::vector<std::int32_t> with_class_noise(const Sample& sample, const std::vector<double>& rates) {
  return draw_labels(sample.clean, rates.size(), testing_support::uniform_diagonal(rates), seed,
                     Stream::corrupt);
}

PaperSearch by(PaperVariant variant) {
  PaperSearch search;
  search.variant = variant;
  search.seed = seed;
  return search;
}

PaperPlan plan_groups(const Sample& sample, const std::vector<std::int32_t>& labels,
                      const PaperSearch& search, std::optional<std::int32_t> positive = {},
                      unsigned threads = 1) {
  return paper_groups_plan(sample.features.view(), sample.graph, labels, sample.class_names,
                           sample.groups, sample.group_names, positive, search,
                           {.threads = threads});
}

PaperPlan plan_classes(const Sample& sample, const std::vector<std::int32_t>& labels,
                       const PaperSearch& search, unsigned threads = 1) {
  return paper_classes_plan(sample.features.view(), sample.graph, labels, sample.class_names,
                            search, {.threads = threads});
}

const Sample& two_groups() {
  static const Sample sample = make_sample(9000, 2, 2);
  return sample;
}

const Sample& three_classes_and_groups() {
  static const Sample sample = make_sample(12000, 3, 3);
  return sample;
}

TEST(PaperGroups, FindsTheFlipOfTwoGroups) {
  const auto labels = with_group_noise(two_groups(), {.1, .3});
  for (const PaperVariant variant : both_variants) {
    for (const std::optional<std::int32_t> positive : {std::optional<std::int32_t>(), {1}}) {
      const PaperPlan found = plan_groups(two_groups(), labels, by(variant), positive);
      ASSERT_TRUE(found.search.successful) << found.search.why;
      EXPECT_EQ(found.search.noisiest, 1);
      EXPECT_NEAR(found.search.parts[0].epsilon, .25, .05);
      EXPECT_NEAR(found.search.parts[0].agreement, .73, .04);
      EXPECT_NEAR(found.search.parts[1].agreement, .37, .04);
      EXPECT_EQ(found.plan.groups, 2);
      EXPECT_EQ(found.plan.of_group(0)[1], found.search.parts[0].epsilon);
      EXPECT_EQ(found.plan.of_group(1)[1], 0);
    }
  }
}

TEST(PaperGroups, FindsTheFlipsOfThreeGroupsOfThreeClasses) {
  const Sample& sample = three_classes_and_groups();
  const std::vector<double> rates = {.2, .1, .35};
  const auto labels = with_group_noise(sample, rates);
  const FlipPlan closed = equal_groups_plan(rates, 3);
  for (const PaperVariant variant : both_variants) {
    const PaperPlan found = plan_groups(sample, labels, by(variant));
    ASSERT_TRUE(found.search.successful) << found.search.why;
    EXPECT_EQ(found.search.noisiest, 2);
    for (std::size_t entry = 0; entry < closed.flip.size(); ++entry) {
      EXPECT_NEAR(found.plan.flip[entry], closed.flip[entry], .06) << entry;
    }
  }
}

TEST(PaperGroups, CountsNeighborsInsideTheBalancedGroup) {
  const Sample& sample = two_groups();
  auto labels = with_group_noise(sample, {.1, .3});
  for (std::size_t n = 0; n < 2000; n += 3) labels[n] = 1;  // so that there is something to balance
  auto inside = labels;
  for (std::size_t n = 0; n < inside.size(); ++n)
    inside[n] = sample.groups[n] == 0 ? labels[n] : -1;
  const std::vector<char> keep = balanced_sample(inside, seed);
  std::vector<std::uint32_t> kept;
  for (std::size_t n = 0; n < keep.size(); ++n) {
    if (keep[n]) kept.push_back(static_cast<std::uint32_t>(n));
  }
  ASSERT_LT(kept.size(), labels.size() / 2 - 300);
  Matrix gathered(kept.size(), sample.features.columns());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::copy_n(sample.features.row(kept[i]), gathered.columns(), gathered.row(i));
  }
  NeighborOptions options;
  options.k = 2;
  options.seed = seed;
  options.row_ids = kept;
  const NeighborGraph graph = find_neighbors(gathered.view(), options);
  int positives = 0, agreeing = 0, agreeing_positives = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const std::int32_t label = labels[kept[i]];
    const bool agree =
        labels[kept[graph.ids[2 * i]]] == label && labels[kept[graph.ids[2 * i + 1]]] == label;
    positives += label;
    agreeing += agree ? 1 : 0;
    agreeing_positives += agree ? label : 0;
  }
  const auto agreement = [&](std::optional<std::int32_t> positive) {
    return plan_groups(sample, labels, by(PaperVariant::original), positive)
        .search.parts[0]
        .agreement;
  };
  EXPECT_EQ(agreement({}), static_cast<double>(agreeing) / static_cast<double>(kept.size()));
  EXPECT_EQ(agreement(1), static_cast<double>(agreeing_positives) / positives);
}

TEST(PaperGroups, ThePlanGivesTheLabelsTheSearchSaw) {
  const Sample& sample = three_classes_and_groups();
  const auto labels = with_group_noise(sample, {.2, .1, .35});
  const PaperPlan found = plan_groups(sample, labels, by(PaperVariant::rebalanced));
  const auto flipped = apply(found.plan, labels, sample.groups, seed);
  const PaperParts after = plan_groups(sample, flipped, by(PaperVariant::rebalanced)).search;
  for (std::size_t g = 0; g < 3; ++g) {
    ASSERT_LT(found.search.parts[g].steps, 60);
    EXPECT_NEAR(after.parts[g].agreement, found.search.parts[2].agreement, .001) << g;
  }
}

TEST(PaperGroups, AGroupWithoutAClassIsUnsuccessfulByName) {
  Sample sample = two_groups();
  const auto labels = with_group_noise(sample, {.1, .3});
  sample.group_names.push_back("tiny");
  for (std::size_t n = 0, moved = 0; moved < 5; ++n) {
    if (labels[n] == 1) sample.groups[n] = 2, ++moved;
  }
  const PaperPlan found = plan_groups(sample, labels, by(PaperVariant::rebalanced));
  EXPECT_FALSE(found.search.successful);
  EXPECT_EQ(found.search.noisiest, 1);
  EXPECT_NE(found.search.why.find("group tiny"), std::string::npos) << found.search.why;
  EXPECT_NEAR(found.search.parts[0].epsilon, .25, .05);
  EXPECT_EQ(found.plan.groups, 3);
  EXPECT_EQ(found.plan.of_group(2)[0], 1);
}

TEST(PaperClasses, OfTwoClassesItIsTheSearchOfTwo) {
  const Sample& sample = two_groups();
  for (const std::vector<double>& rates : {std::vector{.1, .3}, std::vector{.3, .1}}) {
    const auto labels = with_class_noise(sample, rates);
    for (const PaperVariant variant : both_variants) {
      const PaperPlan found = plan_classes(sample, labels, by(variant));
      const PaperResult two = search_flip(
          agreement_gap(sample.features.view(), sample.graph, labels, 1, variant, seed));
      ASSERT_TRUE(two.successful) << two.why;
      ASSERT_TRUE(found.search.successful) << found.search.why;
      EXPECT_EQ(two.flipped, rates[0] < rates[1] ? 0 : 1);
      const auto flipped = static_cast<std::size_t>(two.flipped);
      EXPECT_EQ(found.plan.flip, FlipPlan::of_two(flipped, two.epsilon).flip);
    }
  }
}

TEST(PaperClasses, BringsTheRatesOfThreeClassesNearer) {
  const Sample& sample = three_classes_and_groups();
  const std::vector<double> rates = {.1, .3, .2};
  const PaperPlan found =
      plan_classes(sample, with_class_noise(sample, rates), by(PaperVariant::original));
  ASSERT_TRUE(found.search.successful) << found.search.why;
  EXPECT_EQ(found.search.noisiest, 1);
  // Exact agreements give .142 and .048.
  EXPECT_NEAR(found.search.parts[0].epsilon, .142, .04);
  EXPECT_NEAR(found.search.parts[2].epsilon, .048, .04);
  EXPECT_LT(ClassPopulation::of(rates).flipped(found.search.epsilons()).spread(), .1);
}

TEST(PaperClasses, ThePlanGivesTheLabelsTheSearchSaw) {
  const Sample& sample = three_classes_and_groups();
  const auto labels = with_class_noise(sample, {.05, .2, .15});
  const PaperPlan found = plan_classes(sample, labels, by(PaperVariant::rebalanced));
  ASSERT_TRUE(found.search.successful) << found.search.why;
  ASSERT_EQ(found.search.noisiest, 1);
  ASSERT_GT(found.search.parts[2].epsilon, 0);
  // Class 2 was the last to be searched, with the flips of class 0 in place.
  const auto flipped = apply(found.plan, labels, seed);
  const PaperParts after = plan_classes(sample, flipped, by(PaperVariant::rebalanced)).search;
  EXPECT_NEAR(after.parts[2].agreement, after.parts[1].agreement, .001);
}

TEST(PaperClasses, AFailureIsNamedAndLeavesTheClassAsItIs) {
  const Sample& sample = three_classes_and_groups();
  PaperSearch search = by(PaperVariant::original);
  search.options.first_right = .08;  // enough for class 2, not for class 0
  search.options.other_right = {};
  const PaperPlan found = plan_classes(sample, with_class_noise(sample, {.05, .3, .25}), search);
  EXPECT_FALSE(found.search.successful);
  EXPECT_NE(found.search.why.find("class c0"), std::string::npos) << found.search.why;
  EXPECT_EQ(found.search.why.find("class c2"), std::string::npos) << found.search.why;
  EXPECT_EQ(found.plan.flip[0], 1);
  EXPECT_LT(found.plan.flip[8], 1);
}

TEST(PaperClasses, ClassesTooRareForASampleAreNamed) {
  Sample sample = two_groups();
  sample.class_names.push_back("rare");
  auto labels = with_class_noise(two_groups(), {.1, .3});
  labels[0] = labels[1] = 2;
  try {
    plan_classes(sample, labels, by(PaperVariant::original));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::impossible);
    EXPECT_NE(std::string(error.what()).find("class rare has 2 rows"), std::string::npos);
  }
}

TEST(PaperPlans, AreTheSameForAnyNumberOfThreadsAndOfNeighborsInTheGraph) {
  const Sample& sample = three_classes_and_groups();
  Sample narrow = sample;
  narrow.graph = graph_of(sample.features, 5);  // so short that most rows have to be searched
  const auto of_groups = with_group_noise(sample, {.2, .1, .35});
  const auto of_classes = with_class_noise(sample, {.05, .2, .15});
  const PaperSearch search = by(PaperVariant::rebalanced);
  const PaperPlan groups = plan_groups(sample, of_groups, search, {}, 1);
  const PaperPlan classes = plan_classes(sample, of_classes, search, 1);
  EXPECT_EQ(groups.plan.flip, plan_groups(narrow, of_groups, search, {}, 3).plan.flip);
  EXPECT_EQ(classes.plan.flip, plan_classes(narrow, of_classes, search, 3).plan.flip);
  PaperSearch other = search;
  other.seed = seed + 1;
  EXPECT_NE(groups.plan.flip, plan_groups(sample, of_groups, other, {}, 1).plan.flip);
}

TEST(PaperPlans, WhatDoesNotFitIsRefused) {
  Sample sample = make_sample(60, 2, 2);
  const auto kind_of = [](const auto& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::cancelled;
  };
  const PaperSearch search = by(PaperVariant::original);
  auto labels = sample.clean;
  labels.pop_back();
  EXPECT_EQ(kind_of([&] { plan_classes(sample, labels, search); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { plan_groups(sample, labels, search); }), ErrorKind::usage);
  labels.push_back(2);
  EXPECT_EQ(kind_of([&] { plan_classes(sample, labels, search); }), ErrorKind::usage);
  EXPECT_EQ(kind_of([&] { plan_groups(sample, sample.clean, search, 2); }), ErrorKind::usage);
  sample.groups[7] = 2;
  EXPECT_EQ(kind_of([&] { plan_groups(sample, sample.clean, search); }), ErrorKind::usage);
  sample.groups.pop_back();
  EXPECT_EQ(kind_of([&] { plan_groups(sample, sample.clean, search); }), ErrorKind::usage);
  sample.class_names.resize(1);
  EXPECT_EQ(kind_of([&] { plan_classes(sample, sample.clean, search); }), ErrorKind::impossible);
}

}  // namespace
}  // namespace noiseplus
