// The figure as a file: that it is well-formed, and that everything asked for is in it.
#include "experiments/results/gap_figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "experiments/results/svg.h"

namespace noiseplus {
namespace {

// Measurements that are what is expected.
GapPanel panel_of(const std::string& title) {
  GapPanel panel{title, {.3, .1}, .5, {}, {}, {}};
  for (int i = 0; i <= 12; ++i) {
    const double epsilon = i * .05;
    panel.epsilons.push_back(epsilon);
    panel.original.push_back({expected_gap(.5, panel.rates, epsilon, PaperVariant::original), .01});
    panel.rebalanced.push_back(
        {expected_gap(.5, panel.rates, epsilon, PaperVariant::rebalanced), .005});
  }
  return panel;
}

std::string figure_of(const std::vector<GapPanel>& panels) {
  return gap_figure_svg(panels);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Empty when tags are closed in order, attributes are quoted and no markup is in the text.
std::string fault_of(const std::string& xml) {
  const std::regex tag(R"(<(/?)([a-z]+)((?: [a-zA-Z][a-zA-Z0-9:-]*="[^"<]*")*)(/?)>\n?)");
  const std::regex reference("&(amp|lt|gt|quot);");
  std::vector<std::string> open;
  std::string texts;
  auto from = xml.cbegin();
  for (std::smatch match; std::regex_search(from, xml.cend(), match, tag);) {
    texts += match.prefix().str() + match[3].str();
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != match[2].str()) return "closed: " + match[2].str();
      open.pop_back();
      if (open.empty()) texts += std::string(match.suffix());
    } else if (match[4].length() == 0) {
      open.push_back(match[2]);
    }
    from = match.suffix().first;
  }
  if (!open.empty()) return "open: " + open.back();
  const std::string rest = std::regex_replace(texts, reference, "");
  return rest.find_first_of("<&") == rest.npos ? "" : "markup in the text: " + rest;
}

// What is at a tag's attributes, of all tags that match.
std::vector<double> numbers_at(const std::string& svg, const std::string& pattern) {
  const std::regex wanted(pattern);
  std::vector<double> numbers;
  for (std::sregex_iterator i(svg.begin(), svg.end(), wanted); i != std::sregex_iterator(); ++i) {
    numbers.push_back(std::stod((*i)[1]));
  }
  return numbers;
}

TEST(GapFigure, IsWellFormedAndTheSameTwice) {
  for (const auto& panels : {std::vector{panel_of("one")}, {panel_of("one"), panel_of("two")}}) {
    const std::string svg = figure_of(panels);
    EXPECT_EQ(fault_of(svg), "");
    EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(svg, figure_of(panels));
  }
  EXPECT_NE(fault_of("<a><b></a></b>"), "");
  EXPECT_NE(fault_of("<a>"), "");
  EXPECT_NE(fault_of("<a>x & y</a>"), "");
  EXPECT_NE(fault_of("<a b=c></a>"), "");
}

TEST(GapFigure, TextFromDataIsNoMarkup) {
  const std::string svg = figure_of({panel_of("<script>alert(\"a\")</script> & \x01\xff")});
  EXPECT_EQ(fault_of(svg), "");
  EXPECT_EQ(count(svg, "<script"), 0U);
  const std::string shown = "&lt;script&gt;alert(&quot;a&quot;)&lt;/script&gt; &amp; ?\xef\xbf\xbd";
  EXPECT_EQ(svg::escaped("<script>alert(\"a\")</script> & \x01\xff"), shown);
  EXPECT_EQ(count(svg, shown), 2U);  // in the picture and in the description
}

TEST(GapFigure, CarriesAllSeries) {
  const std::vector<GapPanel> panels = {panel_of("one"), panel_of("two")};
  const std::string svg = figure_of(panels);
  constexpr std::size_t in_legend = 1;
  EXPECT_EQ(count(svg, "<circle"), 2 * 13 + in_legend);
  // Those of Algorithm 1 that are in the picture: at 0, .05 and .1.
  EXPECT_EQ(count(svg, "width=\"5.2\""), 2 * 3 + in_legend);
  EXPECT_EQ(count(svg, "↓ -0.60 at ε = 0.60"), 2U);
  EXPECT_EQ(count(svg, "<polyline"), 2 * 3U);
  EXPECT_EQ(count(svg, "stroke-dasharray=\"6 4\""), 2 + in_legend);
  for (const char* words : {"ε₂ = 0.167, rates equal", "ε₃ = 0.444, root of the formula only",
                            "share of labels + flipped, ε", "PA − NA"}) {
    EXPECT_EQ(count(svg, words), 2U) << words;
  }
  EXPECT_EQ(count(svg, "<title>"), 1U);
  EXPECT_EQ(count(svg, "<desc>one: e+ 0.10, e- 0.30."), 1U);
  EXPECT_EQ(count(svg, "falls to zero at 0.1"), 2U);
  EXPECT_EQ(count(svg, "it falls to zero at 0.0"), 2U);
}

TEST(GapFigure, PointsAreWhereTheAxesSay) {
  GapPanel panel = panel_of("one");
  panel.rebalanced[4] = {0, 0};  // epsilon .2, on the zero line, without a bar
  const std::string svg = figure_of({panel});
  const std::vector<double> zero = numbers_at(
      svg, R"re(<line x1="[^"]*" y1="([^"]*)"[^>]*stroke="#24292f" stroke-width="1.0"/>)re");
  ASSERT_EQ(zero.size(), 1U);
  const std::vector<double> x = numbers_at(svg, R"re(<circle cx="([^"]*)")re");
  const std::vector<double> y = numbers_at(svg, R"re(<circle cx="[^"]*" cy="([^"]*)")re");
  ASSERT_EQ(x.size(), 14U);
  EXPECT_EQ(y[4], zero[0]);
  EXPECT_LT(y[0], zero[0]);
  EXPECT_GT(y[12], zero[0]);
  EXPECT_NEAR(x[4] - x[0], (x[12] - x[0]) / 3, .02);
  const std::vector<double> bars =
      numbers_at(svg, R"re(<line x1="([^"]*)"[^>]*stroke="#0072b2" stroke-width="1.0"/>)re");
  EXPECT_EQ(bars.size(), 12 + 1U);
  EXPECT_EQ(std::count(bars.begin(), bars.end(), x[4]), 0);
  // The root is between .15 and .2.
  const std::vector<double> root =
      numbers_at(svg, R"re(<line x1="([^"]*)"[^>]*stroke="#009e73")re");
  ASSERT_EQ(root.size(), 1U);
  EXPECT_NEAR(root[0], x[0] + (x[12] - x[0]) / 3.6, .02);
}

TEST(GapFigure, NothingIsOutsideThePicture) {
  GapPanel panel = panel_of("one");
  panel.rates = {.49, 0};  // roots at the right end
  panel.original[1] = {.9, .5};
  panel.original[2] = {0, 5};
  panel.rebalanced[2] = {-.05, .3};
  for (const auto& panels : {std::vector{panel}, {panel_of("a"), panel}}) {
    const std::string svg = figure_of(panels);
    for (const double x : numbers_at(svg, R"re( (?:x|x1|x2|cx)="([^"]*)")re")) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 900);
    }
    for (const double y : numbers_at(svg, R"re( (?:y|y1|y2|cy)="([^"]*)")re")) {
      EXPECT_GE(y, 0);
      EXPECT_LE(y, 500);
    }
  }
}

TEST(GapFigure, SaysWhenACurveHasNoZero) {
  GapPanel panel = panel_of("one");
  for (MeanGap& gap : panel.rebalanced) gap.mean = .01;
  for (MeanGap& gap : panel.original) gap.mean = -.01;
  const std::string svg = figure_of({panel});
  EXPECT_EQ(count(svg, "PA - NA stays above zero"), 1U);
  EXPECT_EQ(count(svg, "it is not above zero even without a flip"), 1U);
}

void expect_refused(const std::vector<GapPanel>& panels, const std::string& why) {
  try {
    gap_figure_svg(panels);
    ADD_FAILURE() << why;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(GapFigure, RefusesPanelsThatAreNone) {
  const GapPanel good = panel_of("good");
  expect_refused({}, "0 panels");
  expect_refused({good, good, good}, "3 panels");
  GapPanel bad = panel_of("bad");
  bad.original.pop_back();
  expect_refused({good, bad}, "panel 'bad': 13 epsilons, but measurements of 12");
  bad = panel_of("bad");
  bad.rebalanced[3].mean = std::numeric_limits<double>::quiet_NaN();
  expect_refused({bad}, "a gap is no number");
  bad = panel_of("bad");
  std::swap(bad.epsilons[1], bad.epsilons[2]);
  expect_refused({bad}, "rising");
  bad = panel_of("bad");
  bad.epsilons.back() = 1;
  expect_refused({bad}, "rising");
  bad = panel_of("bad");
  bad.rates = {.1, .3};
  expect_refused({bad}, "exchange the classes");
}

}  // namespace
}  // namespace noiseplus
