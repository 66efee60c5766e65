#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/eigen_solvers.h"
#include "noiseplus/balance.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

double drawn(std::uint64_t seed, std::uint64_t i) {
  return uniform(seed, Stream::generate, i);
}

// Every class keeps more than chance would.
std::vector<double> random_transition(std::size_t classes, std::uint64_t seed) {
  std::vector<double> matrix(classes * classes);
  const double chance = 1 / static_cast<double>(classes);
  for (std::size_t i = 0; i < classes; ++i) {
    const double kept = chance + .01 + (.98 - chance) * drawn(seed, 1000 + i);
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      matrix[i * classes + j] = i == j ? 0 : .001 + drawn(seed, i * classes + j);
      sum += matrix[i * classes + j];
    }
    for (std::size_t j = 0; j < classes; ++j) matrix[i * classes + j] *= (1 - kept) / sum;
    matrix[i * classes + i] = kept;
  }
  return matrix;
}

void expect_stochastic(std::span<const double> matrix, std::size_t classes) {
  for (std::size_t i = 0; i < classes; ++i) {
    double sum = 0;
    for (const double p : matrix.subspan(i * classes, classes)) {
      EXPECT_GE(p, 0);
      EXPECT_LE(p, 1);
      sum += p;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

// The value that all diagonals have.
double common_diagonal(const std::vector<double>& matrix, std::size_t classes) {
  for (std::size_t c = 1; c < classes; ++c) {
    EXPECT_NEAR(matrix[c * (classes + 1)], matrix[0], 1e-10) << c;
  }
  return matrix[0];
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::impossible);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(EqualClasses, AllKeepTheSameShare) {
  for (const std::size_t classes : {2, 3, 5, 10, 40}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<double> t = random_transition(classes, seed);
      const FlipPlan plan = equal_classes_plan(t, classes);
      expect_stochastic(plan.flip, classes);
      const double kept = common_diagonal(plan.after(t), classes);
      EXPECT_GT(kept, 1 / static_cast<double>(classes));
      // One class at least is left as it is.
      double smallest = 1;
      for (std::size_t c = 0; c < classes; ++c) {
        smallest = std::min(smallest, 1 - plan.flip[c * (classes + 1)]);
      }
      EXPECT_NEAR(smallest, 0, 1e-12);
    }
  }
}

// Equal diagonals are three equations in three flips and the common value: a line of solutions.
// Every place of it is tried, by one flip held at every value of a grid, which has 0 in it.
TEST(EqualClasses, NoOtherFlipsOfThreeClassesKeepMore) {
  constexpr int grid = 50;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::vector<double> t = random_transition(3, 100 + seed);
    const double found = common_diagonal(equal_classes_plan(t, 3).after(t), 3);
    double best = 0;
    for (int held = 0; held < 3; ++held) {
      for (int step = 0; step <= grid; ++step) {
        Eigen::Matrix4d system = Eigen::Matrix4d::Zero();
        Eigen::Vector4d right = Eigen::Vector4d::Zero();
        for (int c = 0; c < 3; ++c) {
          const auto at = [&](int j) { return t[static_cast<std::size_t>(3 * c + j)]; };
          for (int j = 0; j < 3; ++j) system(c, j) = j == c ? -at(c) : at(j) / 2;
          system(c, 3) = -1;
          right[c] = -at(c);
        }
        system(3, held) = 1;
        right[3] = static_cast<double>(step) / grid;
        const Eigen::Vector4d solution = system.fullPivLu().solve(right);
        const auto flips = solution.head<3>();
        if (flips.minCoeff() < -1e-9 || flips.maxCoeff() > 1 + 1e-9) continue;
        best = std::max(best, solution[3]);
      }
    }
    EXPECT_NEAR(found, best, 1e-8) << seed;
  }
}

TEST(EqualClasses, OfTwoIsTheClosedFormOfTwo) {
  for (const double e0 : {0.0, .1, .25, .45}) {
    for (const double e1 : {0.0, .15, .3, .4}) {
      NoiseEstimate estimate;
      estimate.noise = {{e0, e0, e0}, {e1, e1, e1}};
      estimate.transition = {1 - e0, e0, e1, 1 - e1};
      estimate.s = 1 - e1 + e0;
      const FlipPlan of_two = closed_form_plan(estimate);
      const FlipPlan of_any = equal_classes_plan(estimate.transition, 2);
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(of_any.flip[i], of_two.flip[i], 1e-12);
    }
  }
}

TEST(EqualClasses, ClosedFormPlanIsForAnyNumberOfClasses) {
  NoiseEstimate estimate;
  estimate.noise.resize(3);
  estimate.transition = random_transition(3, 9);
  EXPECT_EQ(closed_form_plan(estimate).flip, equal_classes_plan(estimate.transition, 3).flip);
}

TEST(EqualClasses, RefusesAClassAtChanceByName) {
  const std::vector<double> t = {.8, .1, .1, .4, .3, .3, .1, .1, .8};
  const std::vector<std::string> names = {"cat", "dog", "eel"};
  EXPECT_NE(refusal([&] { equal_classes_plan(t, 3, names); }).find("class dog keeps"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              equal_classes_plan(std::vector<double>{.9, .1, .5, .5}, 2);
            }).find("class 1"),
            std::string::npos);
  EXPECT_THROW(equal_classes_plan(t, 2), Error);
}

TEST(EqualClasses, FlipsAreNested) {
  std::vector<std::int32_t> codes(3000);
  for (std::size_t n = 0; n < codes.size(); ++n) codes[n] = static_cast<std::int32_t>(n % 3);
  // The second plan flips each class at least as much as the first.
  const auto few = apply(
      equal_classes_plan(std::vector<double>{.8, .1, .1, .1, .8, .1, .15, .15, .7}, 3), codes, 3);
  const auto many = apply(
      equal_classes_plan(std::vector<double>{.8, .1, .1, .1, .8, .1, .25, .25, .5}, 3), codes, 3);
  std::size_t more = 0;
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (few[n] != codes[n]) {
      ASSERT_NE(many[n], codes[n]);
    }
    more += many[n] != codes[n] && few[n] == codes[n] ? 1 : 0;
  }
  EXPECT_GT(more, 100U);
}

TEST(EqualGroups, ReachTheRateOfTheNoisiest) {
  for (const std::size_t classes : {2, 3, 7}) {
    const std::vector<double> rates = {.1, .35, .2, .35};
    const FlipPlan plan = equal_groups_plan(rates, classes);
    EXPECT_EQ(plan.groups, 4U);
    for (std::size_t g = 0; g < rates.size(); ++g) {
      expect_stochastic(plan.of_group(g), classes);
      const std::vector<double> after = plan.after(symmetric_transition(classes, rates[g]), g);
      EXPECT_NEAR(common_diagonal(after, classes), .65, 1e-12);
    }
  }
  const FlipPlan two = equal_groups_plan(std::vector<double>{.2, .4}, 2);
  EXPECT_NEAR(two.of_group(0)[1], .2 / .6, 1e-12);  // (e_hi - e_lo) / (1 - 2 e_lo)
  EXPECT_EQ(two.of_group(1)[1], 0);
  EXPECT_FALSE(two.flips_nothing());
  EXPECT_TRUE(equal_groups_plan(std::vector<double>{.2, .2}, 2).flips_nothing());
}

TEST(EqualGroups, RefusesAGroupAtChanceByName) {
  const std::vector<std::string> names = {"a", "b"};
  EXPECT_NE(refusal([&] {
              equal_groups_plan(std::vector<double>{.1, .5}, 2, names);
            }).find("group b keeps"),
            std::string::npos);
}

TEST(EqualClassesInGroups, OneMatrixAGroupMakesAllAlike) {
  for (const std::size_t classes : {2, 3, 6}) {
    std::vector<double> transitions;
    for (std::uint64_t g = 0; g < 3; ++g) {
      const std::vector<double> t = random_transition(classes, 50 + g);
      transitions.insert(transitions.end(), t.begin(), t.end());
    }
    const FlipPlan plan = equal_classes_in_groups_plan(transitions, classes);
    ASSERT_EQ(plan.groups, 3U);
    double lowest = 1;
    std::vector<double> kept;
    for (std::size_t g = 0; g < 3; ++g) {
      const auto t = std::span(transitions).subspan(g * classes * classes, classes * classes);
      expect_stochastic(plan.of_group(g), classes);
      kept.push_back(common_diagonal(plan.after(t, g), classes));
      lowest = std::min(lowest, common_diagonal(equal_classes_plan(t, classes).after(t), classes));
    }
    for (const double share : kept) EXPECT_NEAR(share, lowest, 1e-10);
  }
}

TEST(EqualClassesInGroups, RefusalNamesClassAndGroup) {
  const std::vector<double> transitions = {.9, .1, .1, .9, .9, .1, .6, .4};
  const std::vector<std::string> classes = {"no", "yes"};
  const std::vector<std::string> groups = {"f", "m"};
  EXPECT_NE(refusal([&] {
              equal_classes_in_groups_plan(transitions, 2, classes, groups);
            }).find("class yes of group m keeps"),
            std::string::npos);
}

TEST(PlanOfGroups, IsAppliedToEachGroupsRows) {
  std::vector<std::int32_t> codes(40000), groups(40000);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    codes[n] = static_cast<std::int32_t>(n / 2 % 2);
    groups[n] = static_cast<std::int32_t>(n % 2);
  }
  const FlipPlan plan = equal_groups_plan(std::vector<double>{.1, .3}, 2);
  const auto flipped = apply(plan, codes, groups, 5);
  double changed[2] = {};
  for (std::size_t n = 0; n < codes.size(); ++n) {
    changed[groups[n]] += flipped[n] != codes[n] ? 1.0 / 20000 : 0;
  }
  EXPECT_NEAR(changed[0], .25, .015);
  EXPECT_EQ(changed[1], 0);
  // One group: the same rows as without groups.
  const FlipPlan one = equal_classes_plan(std::vector<double>{.9, .1, .3, .7}, 2);
  EXPECT_EQ(apply(one, codes, std::vector<std::int32_t>(40000), 5), apply(one, codes, 5));
  EXPECT_THROW(apply(plan, codes, 5), Error);
  EXPECT_THROW(apply(plan, codes, std::vector<std::int32_t>(40000, 2), 5), Error);
  EXPECT_THROW(apply(plan, codes, std::vector<std::int32_t>(3), 5), Error);
}

}  // namespace
}  // namespace noiseplus
