// What a terminal shows: aligned, within 80 columns, in any script, with and without color.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/display_width.h"
#include "core/format.h"
#include "pipeline/generated.h"
#include "report/text_table.h"

namespace noiseplus {
namespace {

using testing_support::generated;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t widest(const std::string& text) {
  std::size_t columns = 0;
  for (const std::string& line : lines_of(text)) columns = std::max(columns, columns_of(line));
  return columns;
}

std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

TEST(TextTable, StaysAlignedInAnyScript) {
  TextTable table({"name", "rows", "rate"});
  for (const char* name : {"cat", "猫", "e\u0301cole", "😀😀"}) {
    table.add({{name}, {"1,234"}, {"5.0 %"}});
  }
  table.add({{"x"}, {"7"}, {"12.5 %"}});
  const std::vector<std::string> lines = lines_of(table.text());
  EXPECT_EQ(lines[0], "name    rows    rate");
  EXPECT_EQ(lines[1], "cat    1,234   5.0 %");
  EXPECT_EQ(lines[2], "猫     1,234   5.0 %");
  for (const std::string& line : lines) EXPECT_EQ(columns_of(line), 20U) << line;
}

TEST(TextTable, NamesGiveWayToNumbersAndNotesToBoth) {
  TextTable table({"name", std::string(50, 'h')});
  table.add({{std::string(60, 'n')}, {"1"}});
  table.add_note("note", {std::string(60, '-')});
  EXPECT_EQ(widest(table.text()), 80U) << table.text();
  EXPECT_NE(table.text().find("nnn..."), std::string::npos);
  EXPECT_EQ(table.room(), 0U);
}

TEST(TextTable, EscapesAreOutsideOfWidths) {
  TextTable table({"name", "rate"});
  table.add({{"a", Ink::strong}, {"1.0 %", Ink::caution}});
  table.add({{"longer"}, {"10.0 %"}});
  const std::string colored = table.text(TextStyle::ansi);
  EXPECT_NE(colored.find("\x1b[1ma     \x1b[0m"), std::string::npos) << colored;
  EXPECT_EQ(without_escapes(colored), table.text());
}

TEST(IntervalPictures, AreToScale) {
  const std::vector<EstimateWithInterval> rates = {{.1, .05, .2}, {.4, .4, .4}};
  const IntervalPictures pictures(rates, 21);
  EXPECT_EQ(pictures.heading(), "0                40 %");
  EXPECT_EQ(pictures.of({.1, .05, .2}), "   ├─●────┤");
  EXPECT_EQ(pictures.of({.4, .4, .4}), std::string(20, ' ') + "●");
  EXPECT_EQ(pictures.of({0, 0, 0}), "●");
  EXPECT_FALSE(IntervalPictures(rates, 11).are_there());
  EXPECT_FALSE(IntervalPictures({}, 40).are_there());
  EXPECT_EQ(IntervalPictures({{1, .9, 1}}, 15).heading(), "0         100 %");
}

TEST(Wrapped, NumbersStayWithTheirSigns) {
  const std::string start(75, 'x');
  EXPECT_EQ(wrapped(start + " 10 %."), start + "\n10 %.\n");
  EXPECT_EQ(wrapped(start + " p < 0.1)"), start + "\np < 0.1)\n");
  EXPECT_EQ(wrapped(start + " abcd e", 2), start + " abcd\n  e\n");
  EXPECT_EQ(wrapped(std::string(30, 'y') + ' ' + std::string(90, 'z')),
            std::string(30, 'y') + '\n' + std::string(90, 'z') + '\n');
}

TEST(Printable, NothingThatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[31mb\tc\x7f"), "a?[31mb?c?");
  EXPECT_EQ(printable("a\u009b31m"), "a?31m");                 // the other spelling of that escape
  EXPECT_EQ(printable("a\u202egnp.exe\u2066"), "a?gnp.exe?");  // turns what follows around
  EXPECT_EQ(printable("a\u2028b"), "a?b");
  EXPECT_EQ(printable("\xff\x9b"
                      "1m"),
            "??1m");
  EXPECT_EQ(printable("猫 ישראל e\u0301"), "猫 ישראל e\u0301");
}

TEST(ShortName, NumbersAfterAHebrewNameStayWhereTheyAre) {
  EXPECT_EQ(short_name("ישראל"), "ישראל\u200e");
  EXPECT_EQ(columns_of(short_name("ישראל")), 5U);
  EXPECT_EQ(short_name("猫 école 😀"), "猫 école 😀");
}

class AuditText : public testing::TestWithParam<std::size_t> {};

// Long, wide, combining, hostile.
AuditReport report_of(std::size_t classes) {
  AuditReport report = audit(generated(.4, .3, .1, 600), {});
  const std::vector<std::string> kinds = {"a very long name that goes on and on and on, and on",
                                          "猫が好き", "e\u0301cole", "\x1b[2J\u009b1m", "😀"};
  report.classes.clear();
  report.class_rows.clear();
  report.estimate.noise.clear();
  report.estimate.prior.clear();
  report.upper_bound_only.clear();
  for (std::size_t c = 0; c < classes; ++c) {
    report.classes.push_back(kinds[c % kinds.size()] + std::to_string(c));
    report.class_rows.push_back(123456 + c);
    report.estimate.noise.push_back({.01 * static_cast<double>(c % 90), 0, 1});
    report.estimate.prior.push_back(1.0 / static_cast<double>(classes));
    report.upper_bound_only.push_back(static_cast<char>(c % 2));
  }
  report.estimate.transition.assign(classes * classes, 1.0 / static_cast<double>(classes));
  report.estimate.identified = true;
  report.estimate.noisier = 1;
  report.estimate.cleaner = 0;
  report.plan = FlipPlan::nothing(classes);
  report.forced.reset();
  for (auto& [name, rates] : report.estimates) rates.assign(classes, .5);
  for (std::size_t g = 0; g < classes; ++g) {
    GroupNoise group;
    group.estimate = report.estimate;
    group.name = report.classes[g];
    group.rows = 1000000 + g;
    group.estimate.identified = g % 3 != 2;
    group.rate = {.2, .1, .3};
    report.groups.push_back(group);
  }
  report.comparison.noisier = 0;
  report.comparison.cleaner = 1;
  report.warnings = {"of a name " + report.classes[0] +
                     " and many words more, so that it does not fit one line"};
  return report;
}

TEST_P(AuditText, FitsATerminal) {
  const AuditReport report = report_of(GetParam());
  const std::string text = to_text(report);
  EXPECT_LE(widest(text), 80U) << text;
  EXPECT_LE(lines_of(text).size(), 80U);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\u009b"), std::string::npos);
}

TEST_P(AuditText, ColumnsAreAligned) {
  const std::string text = to_text(report_of(GetParam()));
  std::vector<std::size_t> ends;  // of the third column, true shares
  bool is_in_table = false;
  for (const std::string& line : lines_of(text)) {
    is_in_table = line.starts_with("class ") && line.find("true share") != line.npos ? true
                  : line.empty() || line.starts_with("Noise rate") || line.starts_with("and ")
                      ? false
                      : is_in_table;
    if (!is_in_table) continue;
    const bool is_heading = line.starts_with("class ");
    // Some rates are upper bounds, so that no share is known.
    const std::string cell = is_heading ? "true share" : "not known";
    const std::size_t at = line.find(cell);
    ASSERT_NE(at, line.npos) << line;
    ends.push_back(columns_of(line.substr(0, at)) + cell.size());
  }
  ASSERT_GE(ends.size(), 3U) << text;
  EXPECT_EQ(std::count(ends.begin(), ends.end(), ends[0]), static_cast<std::ptrdiff_t>(ends.size()))
      << text;
}

TEST_P(AuditText, ColorAddsNothingButColor) {
  const AuditReport report = report_of(GetParam());
  const std::string colored = to_text(report, TextStyle::ansi);
  EXPECT_TRUE(colored.starts_with("\x1b[1mAt most ")) << colored;
  EXPECT_NE(colored.find("\n\x1b[1mGroup "), std::string::npos) << colored;
  EXPECT_NE(colored.find("\x1b[1;33mwarning:\x1b[0m"), std::string::npos);
  EXPECT_EQ(without_escapes(colored), to_text(report));
  for (const std::string& line : lines_of(colored)) {
    const auto count = [&](const std::string& escape) {
      std::size_t found = 0;
      for (std::size_t at = line.find(escape); at != line.npos; at = line.find(escape, at + 1))
        ++found;
      return found;
    };
    EXPECT_EQ(count("\x1b["), 2 * count("\x1b[0m"))
        << line;  // whoever reads a line alone is not left in color
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, AuditText, testing::Values(2, 3, 12, 13, 100));

TEST(UnidentifiedAudit, RatesThatAreNotIdentifiedAreNotShown) {
  AuditReport report = report_of(100);
  report.groups.clear();
  report.comparison = {};
  report.estimate.identified = false;
  report.advice = {};  // that of the audit has what was gained, in points
  report.advice.action = "check";
  report.advice.why = "the rates are not identified";
  const std::string text = to_text(report);
  EXPECT_TRUE(text.starts_with("Not identified: ")) << text;
  EXPECT_EQ(text.find(" %"), std::string::npos) << text;
  EXPECT_NE(text.find("and 88 classes more; --json has all"), std::string::npos) << text;
}

}  // namespace
}  // namespace noiseplus
