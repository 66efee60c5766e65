// --anchors auto: the rule by itself, and audits that follow it.
#include "pipeline/anchors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/anchors_support.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

using namespace testing_support;

NoiseEstimate estimate_of(double half_width, double shared = 0) {
  NoiseEstimate estimate;
  estimate.identified = true;
  estimate.gap = {.2, .2 - half_width, .2 + half_width};
  estimate.gap_shared = shared;
  return estimate;
}

// How a report reads, but for the time it took.
std::string timeless(AuditReport report) {
  report.seconds = {};
  return to_json(report) + to_text(report);
}

TEST(NextAnchors, FirstRoundByThePrecision) {
  EXPECT_EQ(first_anchors(.1, 1000000), 2000U);
  EXPECT_EQ(first_anchors(.002, 1000000), 12500U);
  EXPECT_EQ(first_anchors(1e-9, 1000000), unidentified_ceiling);
  EXPECT_EQ(first_anchors(.1, 500), 500U);
}

TEST(NextAnchors, StopsOnceThePrecisionIsReached) {
  EXPECT_EQ(next_anchors(estimate_of(.0099), 2000, .01, 100000), 2000U);
  EXPECT_GT(next_anchors(estimate_of(.0101), 2000, .01, 100000), 2000U);
}

TEST(NextAnchors, GrowsAsTheSquareOfWhatIsMissing) {
  const std::size_t next = next_anchors(estimate_of(.013), 10000, .01, 1000000);
  EXPECT_GT(next, 16900U);
  EXPECT_LT(next, 16900U * 115 / 100);
  // Far off it stops short and measures again.
  const std::size_t part = next_anchors(estimate_of(.02), 10000, .01, 1000000);
  EXPECT_GT(part, 40000U * 7 / 10);
  EXPECT_LT(part, 40000U);
}

TEST(NextAnchors, SharedRowsAskForMore) {
  // .013^2 = .0169: of it .3 stay, .7 must shrink to .01 - .3 * .0169 in the same unit.
  const double needed = 10000 * .7 * 1.69 / (1 - .3 * 1.69);
  const double part_or_more =
      static_cast<double>(next_anchors(estimate_of(.013, .3), 10000, .01, 1000000));
  EXPECT_GT(part_or_more, .75 * needed);
  EXPECT_LT(part_or_more, 1.15 * needed);
  EXPECT_GT(next_anchors(estimate_of(.013, .3), 10000, .01, 1000000),
            next_anchors(estimate_of(.013, 0), 10000, .01, 1000000));
  // Out of reach by this reckoning, which may be off: on, but not to all rows at once.
  EXPECT_LT(next_anchors(estimate_of(.013, .9), 10000, .01, 1000000), 40000U);
}

TEST(NextAnchors, NeverBeyondTheRowsAndNotAllButAFew) {
  EXPECT_EQ(next_anchors(estimate_of(.4), 2000, .01, 3000), 3000U);
  EXPECT_EQ(next_anchors(estimate_of(.0105), 2600, .01, 3000), 3000U);
  EXPECT_EQ(next_anchors(estimate_of(.4), 3000, .01, 3000), 3000U);
}

TEST(NextAnchors, UnidentifiedRatesEndAtTheCeiling) {
  const NoiseEstimate nothing;
  EXPECT_EQ(next_anchors(nothing, 2000, .01, 1000000), 10000U);
  EXPECT_EQ(next_anchors(nothing, 10000, .01, 1000000), unidentified_ceiling);
  EXPECT_EQ(next_anchors(nothing, unidentified_ceiling, .01, 1000000), unidentified_ceiling);
  EXPECT_EQ(next_anchors(nothing, 2000, .01, 5000), 5000U);
  // Identified beyond it once, and then no more: no way back.
  EXPECT_EQ(next_anchors(nothing, 40000, .01, 1000000), 40000U);
}

TEST(GrowingGraph, IsTheGraphOfOneSearch) {
  const Dataset dataset = generated(.5, .3, .1, 1500);
  NeighborOptions options;
  options.seed = 3;
  const Execution execution;
  GrowingGraph growing(dataset.features.view(), options, execution);
  for (const std::size_t anchors : {200, 201, 900, 1500}) {
    const NeighborGraph& grown = growing.grow_to(anchors);
    const auto sample = sample_rows(1500, anchors, options.seed, Stream::anchors);
    options.anchors = sample;
    const NeighborGraph at_once = find_neighbors(dataset.features.view(), options);
    EXPECT_EQ(grown.k, at_once.k);
    EXPECT_EQ(grown.anchors, at_once.anchors);
    EXPECT_EQ(grown.ids, at_once.ids);
    EXPECT_EQ(grown.distances, at_once.distances);
  }
}

TEST(GapShared, SaysHowTheIntervalNarrows) {
  const Dataset dataset = generated(.5, .3, .1, 16000);
  AuditOptions options;
  options.anchors = 4000;
  const NoiseEstimate some = audit(dataset, options).estimate;
  const double narrowed = half_width_with(dataset, 16000, 0) / *half_width(some);
  EXPECT_NEAR(narrowed, std::sqrt((1 - some.gap_shared) / 4 + some.gap_shared), .08);
  EXPECT_GT(narrowed, .7);  // independent anchors would give a half
}

TEST(AnchorsAuto, SameAsThatNumberOfAnchors) {
  const Dataset dataset = generated(.4, .3, .1, 12000);
  const AuditReport automatic = audit(dataset, within(.022, 5));
  ASSERT_GT(automatic.anchors, 2000U);
  ASSERT_LT(automatic.anchors, automatic.rows);
  AuditOptions options;
  options.anchors = automatic.anchors;
  options.seed = 5;
  AuditReport without_precision = automatic;
  without_precision.precision.reset();
  EXPECT_EQ(timeless(without_precision), timeless(audit(dataset, options)));
}

TEST(AnchorsAuto, AllRowsAndAWarningWhereThePrecisionIsOutOfReach) {
  const Dataset dataset = generated(.4, .3, .1, 6000);
  const AuditReport report = audit(dataset, within(.001));
  EXPECT_EQ(report.anchors, report.rows);
  EXPECT_TRUE(warns_of(report, "--precision 0.001 is not reached: all 6000 rows"))
      << to_text(report);
  ASSERT_TRUE(report.precision->reached);
  EXPECT_DOUBLE_EQ(*report.precision->reached, half_width_with(dataset, 0, 0));
  EXPECT_EQ(to_text(report).find("were enough"), std::string::npos);
}

TEST(AnchorsAuto, UnidentifiedRatesStopAtTheCeiling) {
  const AuditReport report = audit(generated(.5, .5, .5, 28000), within(.05));
  EXPECT_FALSE(report.estimate.identified);
  EXPECT_EQ(report.anchors, unidentified_ceiling);
  EXPECT_TRUE(warns_of(report, "25000 rows do not identify")) << to_text(report);
  EXPECT_FALSE(report.precision->reached);
  EXPECT_TRUE(nlohmann::json::parse(to_json(report))["precision"]["reached"].is_null());
  const AuditReport few = audit(generated(.5, .5, .5, 3000), within(.05));
  EXPECT_EQ(few.anchors, few.rows);
  EXPECT_TRUE(warns_of(few, "all 3000 rows do not identify")) << to_text(few);
}

TEST(AnchorsAuto, SameBytesAtAnyNumberOfThreads) {
  const Dataset dataset = generated(.4, .3, .1, 12000);
  const std::string one = timeless(audit(dataset, within(.022), {1, {}}));
  EXPECT_EQ(one, timeless(audit(dataset, within(.022), {3, {}})));
  EXPECT_NE(one.find("rows were enough to know the difference to"), one.npos) << one;
}

TEST(AnchorsAuto, ProgressGoesOnAndCanBeStoppedInALaterRound) {
  const Dataset dataset = generated(.4, .3, .1, 8000);
  int rounds = 0;
  double second_begins = -1;
  const auto stop_in_second = [&](const Progress& progress) {
    rounds += progress.stage == "intervals" && progress.done == 0 ? 1 : 0;
    if (rounds == 0 || progress.stage != "neighbors") return true;
    second_begins = progress.done;
    return false;
  };
  try {
    audit(dataset, within(.01), {2, stop_in_second});
    FAIL() << "was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_EQ(rounds, 1);
  EXPECT_NEAR(second_begins, .25, .1);  // 2000 or so of 8000 are done
}

TEST(AnchorsAuto, OptionsThatAreWrong) {
  const Dataset dataset = generated(.4, .3, .1, 500);
  const auto refused = [&](const AuditOptions& options) {
    try {
      audit(dataset, options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage;
    }
    return false;
  };
  for (const double precision : {0., -.1, .51, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(refused(within(precision))) << precision;
  }
  EXPECT_FALSE(refused(within(.5)));
  AuditOptions both = within(.1);
  both.anchors = 100;
  EXPECT_TRUE(refused(both));
  AuditOptions paper = within(.1);
  paper.estimator = "paper";
  EXPECT_TRUE(refused(paper));
  BalanceOptions by_paper{within(.1), "", "paper"};
  EXPECT_THROW(balance(dataset, by_paper), Error);
}

}  // namespace
}  // namespace noiseplus
