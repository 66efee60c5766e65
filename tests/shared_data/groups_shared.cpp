// Rates of groups of real rows, each group with noise of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "noiseplus/report.h"
#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

// Every group's estimate is within `error` of its rate, and the order of distinct rates is kept.
void check_groups(const RealSet& set, const std::vector<double>& rates, double error,
                  std::uint64_t seed) {
  AuditOptions options;
  options.seed = seed;
  options.compare_routes = false;
  const AuditReport report = audit(make_dataset(set, with_group_noise(set, rates, seed)), options);
  std::printf("%s:", set.name.c_str());
  for (std::size_t g = 0; g < rates.size(); ++g) {
    std::printf("  %s %.2f -> %.3f [%.3f, %.3f]", set.group_names[g].c_str(), rates[g],
                report.groups[g].rate.value, report.groups[g].rate.low, report.groups[g].rate.high);
    EXPECT_NEAR(report.groups[g].rate.value, rates[g], error) << set.group_names[g];
    for (std::size_t other = 0; other < g; ++other) {
      if (rates[g] == rates[other]) continue;
      EXPECT_EQ(rates[g] > rates[other],
                report.groups[g].rate.value > report.groups[other].rate.value)
          << set.group_names[g] << " and " << set.group_names[other];
    }
  }
  for (const ClassPair& pair : report.comparison.claims) {
    EXPECT_GT(rates[static_cast<std::size_t>(pair.noisier)],
              rates[static_cast<std::size_t>(pair.cleaner)]);
  }
  std::printf("  (%zu claims)\n", report.comparison.claims.size());
  std::fflush(stdout);
}

// e_a/e_b of the paper's table of fairness, and those of its appendix turned around. Truth.* has
// many more settings.
const std::vector<std::vector<double>> two_groups = {{.2, .4}, {.4, .2}, {.1, .3}, {.3, .1},
                                                     {0, .2},  {.2, 0},  {.1, .2}, {.3, .4}};

TEST(RealGroups, FairFaceWhiteAndOther) {
  const RealSet set = fair_face_white_or_not().training;
  std::uint64_t seed = 1;
  for (const auto& rates : {two_groups[2], two_groups[5]}) check_groups(set, rates, .04, seed++);
}

TEST(RealGroups, FairFaceSevenRaces) {
  const RealSet set = fair_face().training;
  ASSERT_EQ(set.group_names.size(), 7U);
  check_groups(set, {.05, .1, .15, .2, .25, .3, .35}, .07, 1);
  check_groups(set, {.3, .1, 0, .2, .4, .1, .3}, .07, 3);
}

TEST(RealGroups, AdultBySex) {
  const RealSet set = adult_by_sex();
  std::uint64_t seed = 1;
  for (const auto& rates : {two_groups[2], two_groups[7]}) check_groups(set, rates, .1, seed++);
}

}  // namespace
}  // namespace noiseplus
