// --anchors auto over settings and seeds: how many anchors it uses, and how many would have done.
#include "pipeline/anchors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "noiseplus/pipeline.h"
#include "pipeline/anchors_support.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

using namespace testing_support;

struct Setting {
  double prior, e_positive, e_negative, precision;
};

TEST(AnchorsAuto, ReachesThePrecisionWithFewRoundsAndFewAnchors) {
  const std::vector<Setting> settings = {
      {.5, .3, .1, .016}, {.3, .3, .1, .019}, {.5, .4, .4, .055}, {.5, .05, 0, .005}};
  int frugal = 0;
  for (const Setting& setting : settings) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      SCOPED_TRACE(std::to_string(setting.precision) + ", seed " + std::to_string(seed));
      const Dataset dataset =
          generated(setting.prior, setting.e_positive, setting.e_negative, 30000, seed);
      int rounds = 0;
      const auto count_rounds = [&](const Progress& progress) {
        rounds += progress.stage == "intervals" && progress.done == 0 ? 1 : 0;
        return true;
      };
      const AuditReport report = audit(dataset, within(setting.precision, seed), {0, count_rounds});
      ASSERT_TRUE(report.precision && report.precision->reached);
      EXPECT_LE(*report.precision->reached, setting.precision);
      EXPECT_FALSE(warns_of(report, "--precision"));
      EXPECT_GT(report.anchors, 2000U);  // else the rest says nothing
      EXPECT_LT(report.anchors, report.rows);
      EXPECT_GE(rounds, 2);
      EXPECT_LE(rounds, 5);
      const auto too_few = [&](double share) {
        const double anchors = share * static_cast<double>(report.anchors);
        return half_width_with(dataset, static_cast<std::size_t>(anchors), seed) >
               setting.precision;
      };
      EXPECT_TRUE(too_few(.6) && too_few(.5) && too_few(.4) && too_few(.3)) << report.anchors;
      frugal += too_few(.8) && too_few(.75) && too_few(.7) ? 1 : 0;
    }
  }
  // A width is itself an estimate, off by some per cent from 2,000 anchors, so not every run can
  // be.
  EXPECT_GE(frugal, 10) << "of 12";
}

}  // namespace
}  // namespace noiseplus
