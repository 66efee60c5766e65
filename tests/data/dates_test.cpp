#include <gtest/gtest.h>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

constexpr auto iso = DateOrder::year_month_day;
constexpr auto european = DateOrder::day_month_year;
constexpr auto american = DateOrder::month_day_year;

TEST(Dates, CountDaysOfTheGregorianCalendar) {
  EXPECT_EQ(parse_date("1970-01-01", iso), 0);
  EXPECT_EQ(parse_date("1969-12-31", iso), -1);
  // date +%s -d DATE, divided by 86400.
  EXPECT_EQ(parse_date("2000-02-29", iso), 11016);
  EXPECT_EQ(parse_date("2026-03-04", iso), 20516);
  EXPECT_EQ(parse_date("9999-12-31", iso), 2932896);
  EXPECT_EQ(parse_date("0001-01-01", iso), -719162);
}

TEST(Dates, HaveTimesAndOffsets) {
  EXPECT_EQ(parse_date("1970-01-02T06:00", iso), 1.25);
  EXPECT_EQ(parse_date("1970-01-02 18:00:00", iso), 1.75);
  EXPECT_EQ(parse_date("1970-01-02T06:00:00.000Z", iso), 1.25);
  EXPECT_EQ(parse_date("1970-01-02T06:00:00+06:00", iso), 1);
  EXPECT_EQ(parse_date("1970-01-02T06:00:00-0600", iso), 1.5);
  EXPECT_EQ(parse_date(" 02.01.1970 12:00 ", european), 1.5);
}

TEST(Dates, AreWrittenInThreeOrders) {
  for (const char* text : {"2026-03-04", "2026/3/4", "2026.03.04"}) {
    EXPECT_EQ(parse_date(text, iso), 20516) << text;
  }
  EXPECT_EQ(parse_date("04.03.2026", european), 20516);
  EXPECT_EQ(parse_date("4/3/2026", european), 20516);
  EXPECT_EQ(parse_date("3/4/2026", american), 20516);
}

TEST(Dates, AreNothingElse) {
  for (const char* text : {"",
                           "2026",
                           "20260304",
                           "2026-13-01",
                           "2026-02-29",
                           "1900-02-29",
                           "2026-00-10",
                           "2026-01-00",
                           "2026-03/04",
                           "26-03-04",
                           "2026-03-04T",
                           "2026-03-04T24:00",
                           "2026-03-04T05:60",
                           "2026-03-04T05:06:07.",
                           "2026-03-04x",
                           "2026-03-04 05:06 CET",
                           "2026-03-04T05:06+1",
                           "2026-03-04T05:06+99:00",
                           "1.5",
                           "2026--4",
                           "12026-03-04"}) {
    EXPECT_FALSE(parse_date(text, iso)) << text;
    EXPECT_FALSE(parse_date(text, european)) << text;
  }
  EXPECT_FALSE(parse_date("13/31/2026", american));
  EXPECT_FALSE(parse_date("12/31/2026", european));
}

TEST(Dates, AreWrittenAsTheyAreRead) {
  for (const char* text : {"1970-01-01", "2026-03-04", "1969-12-31 23:59:59", "2000-02-29 12:00:01",
                           "0001-01-01", "9999-12-31"}) {
    EXPECT_EQ(format_date(*parse_date(text, iso)), text);
  }
}

Encoder learned(const std::string& text, std::vector<std::string>& warnings, Matrix* encoded) {
  const Table table = read_table(Bytes("d,x\n" + text), "t.csv", {});
  EncoderOptions options;
  options.scale = false;
  Encoder encoder = Encoder::learn(table, {"d"}, options, warnings);
  if (encoded != nullptr) *encoded = encoder.encode(table);
  return encoder;
}

TEST(Dates, InAColumnAreANumberOfDays) {
  std::vector<std::string> warnings;
  Matrix encoded;
  const Encoder encoder =
      learned("1970-01-03,1\n1970-01-01 12:00,2\n,3\n1970-01-03,4\n", warnings, &encoded);
  ASSERT_EQ(encoder.parts.size(), 1U);
  EXPECT_EQ(encoder.parts[0].date, iso);
  EXPECT_FALSE(encoder.parts[0].is_text);
  EXPECT_EQ(encoder.names(), (std::vector<std::string>{"d", "d is missing"}));
  EXPECT_EQ(encoded.row(0)[0], 2.F);
  EXPECT_EQ(encoded.row(1)[0], .5F);
  EXPECT_EQ(encoded.row(2)[0], 1.5F);  // the mean of the others
  EXPECT_EQ(encoded.row(2)[1], 1.F);
  EXPECT_TRUE(warnings.empty());
}

TEST(Dates, OneDayAfterTheTwelfthTellsTheOrder) {
  std::vector<std::string> warnings;
  EXPECT_EQ(learned("13/01/2026,1\n02/03/2026,2\n", warnings, nullptr).parts[0].date, european);
  EXPECT_EQ(learned("01/13/2026,1\n02/03/2026,2\n", warnings, nullptr).parts[0].date, american);
  EXPECT_EQ(learned("02/02/2026,1\n03/03/2026,2\n", warnings, nullptr).parts[0].date, american);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(learned("01/02/2026,1\n02/03/2026,2\n", warnings, nullptr).parts[0].date, american);
  EXPECT_EQ(learned("01.02.2026,1\n02.03.2026,2\n", warnings, nullptr).parts[0].date, european);
  EXPECT_EQ(warnings.size(), 2U);
  // A text among them: no dates.
  EXPECT_TRUE(
      learned("13/01/2026,1\nsoon,2\n13/01/2026,1\nsoon,2\n", warnings, nullptr).parts[0].is_text);
}

}  // namespace
}  // namespace noiseplus
