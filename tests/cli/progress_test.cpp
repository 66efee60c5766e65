#include "../../cli/progress.h"

#include <gtest/gtest.h>

#include <cmath>

namespace noiseplus::cli {
namespace {

TEST(TimeLeft, SaysNothingAtFirst) {
  TimeLeft time;
  time.update(100, 0);
  time.update(100.9, .5);
  EXPECT_FALSE(time.seconds());  // not a second yet
  time.update(101.5, .5);
  EXPECT_TRUE(time.seconds());
  TimeLeft slow;
  slow.update(0, 0);
  slow.update(50, .019);
  EXPECT_FALSE(slow.seconds());  // not two per cent yet
}

TEST(TimeLeft, FollowsASteadyPace) {
  TimeLeft time;
  for (double now = 0; now <= 20; now += .1) time.update(now, now / 40);
  EXPECT_NEAR(*time.seconds(), 20, .1);
  EXPECT_NEAR(time.pace(), 1 / 40.0, 1e-9);
}

TEST(TimeLeft, DoesNotJump) {
  TimeLeft time;
  double before = -1;
  for (double now = 0; now <= 10; now += .1) {
    time.update(now, .1 * std::floor(now / 1.5) + .001);  // in leaps
    if (!time.seconds()) continue;
    const double left = *time.seconds();
    EXPECT_LT(before < 0 ? 0 : std::abs(left - before), 4) << now;
    before = left;
  }
  EXPECT_GE(before, 0);
}

TEST(TimeLeft, BeginsAnewWhereTheShareFalls) {
  TimeLeft time;
  for (double now = 0; now <= 3; now += .1) time.update(now, now / 3);
  EXPECT_TRUE(time.seconds());
  time.update(3.1, .1);
  EXPECT_FALSE(time.seconds());
  // What was there when it began took no time: 60 % in two seconds.
  for (double now = 3.1; now <= 5.1; now += .1) time.update(now, .1 + .3 * (now - 3.1));
  EXPECT_NEAR(*time.seconds(), 1, .1);
}

TEST(ProgressTexts, TimesAndSpeeds) {
  EXPECT_EQ(left_text(0.2), "1 s left");
  EXPECT_EQ(left_text(89), "89 s left");
  EXPECT_EQ(left_text(91), "2 min left");
  EXPECT_EQ(left_text(7500), "2 h 5 min left");
  EXPECT_EQ(speed_text(3.14e6), "3.1 MB/s");
  EXPECT_EQ(speed_text(310.4e6), "310 MB/s");
}

TEST(ProgressLine, GivesWayWhereTheTerminalIsNarrow) {
  const ProgressView view{"neighbors", .456, "310 MB/s", "12 s left"};
  EXPECT_EQ(progress_line(view, 79),
            "neighbors    [#############.................]  45 %  12 s left  310 MB/s");
  EXPECT_EQ(progress_line(view, 50), "neighbors    [###.....]  45 %  12 s left  310 MB/s");
  EXPECT_EQ(progress_line(view, 30), "neighbors  45 %  12 s left");
  EXPECT_EQ(progress_line(view, 19), "neighbors  45 %");
  for (std::size_t columns = 19; columns < 200; ++columns) {
    EXPECT_LE(progress_line(view, columns).size(), columns);
    const ProgressView named{std::string(60, 'x'), 1.2, "", "2 h 5 min left"};
    EXPECT_LE(progress_line(named, columns).size(), columns);
    EXPECT_NE(progress_line(named, columns).find("100 %"), std::string::npos);
  }
}

TEST(ProgressClock, AfterASecondTenTimesASecond) {
  ProgressClock clock;
  int drawn = 0;
  double first = 0;
  for (int ms = 0; ms <= 3000; ms += 7) {
    if (!clock.is_time(100 + ms / 1000.0)) continue;
    if (drawn++ == 0) first = ms;
  }
  EXPECT_GE(first, 1000);
  EXPECT_LT(first, 1010);
  EXPECT_GE(drawn, 18);
  EXPECT_LE(drawn, 21);
}

}  // namespace
}  // namespace noiseplus::cli
