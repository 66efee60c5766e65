#include "experiments/sets/known_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/array_test_support.h"

namespace noiseplus {
namespace {

using array_test::error_of;
using Codes = std::vector<std::int32_t>;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

// Each row's one feature is its number. Classes come 2:1, groups 1:2, all cells occur.
KnownRows numbered_rows(std::size_t count) {
  KnownRows set;
  set.name = "numbered";
  set.rows = Matrix(count, 1);
  set.classes = {"no", "yes"};
  set.group_names = {"a", "b"};
  for (std::size_t n = 0; n < count; ++n) {
    set.rows.row(n)[0] = static_cast<float>(n);
    set.clean.push_back(n % 3 == 0 ? 1 : 0);
    set.groups.push_back(n % 5 < 2 ? 0 : 1);
  }
  return set;
}

std::size_t rows_in(const KnownRows& set, std::int32_t clean, std::int32_t group) {
  std::size_t rows = 0;
  for (std::size_t n = 0; n < set.clean.size(); ++n) {
    rows += set.clean[n] == clean && set.groups[n] == group ? 1 : 0;
  }
  return rows;
}

// Whether features, labels and groups of each row are still those of one row.
void check_rows(const KnownRows& set, const KnownRows& all) {
  ASSERT_EQ(set.rows.rows(), set.clean.size());
  ASSERT_EQ(set.groups.size(), set.clean.size());
  EXPECT_EQ(set.name, all.name);
  EXPECT_EQ(set.classes, all.classes);
  EXPECT_EQ(set.group_names, all.group_names);
  for (std::size_t n = 0; n < set.clean.size(); ++n) {
    const auto before = static_cast<std::size_t>(set.rows.row(n)[0]);
    ASSERT_EQ(set.clean[n], all.clean[before]);
    ASSERT_EQ(set.groups[n], all.groups[before]);
  }
  EXPECT_TRUE(std::is_sorted(set.rows.row(0), set.rows.row(set.rows.rows())));
}

TEST(KnownRows, ComeFromADatasetAndGoBack) {
  const KnownRows set = numbered_rows(7);
  Codes codes = set.clean;
  codes[2] = 1;
  const Dataset dataset = make_dataset(set, codes);
  EXPECT_EQ(dataset.groups.classes, set.group_names);
  const KnownRows again = known_rows("again", dataset);
  EXPECT_EQ(again.name, "again");
  EXPECT_EQ(again.clean, codes);
  EXPECT_EQ(again.classes, set.classes);
  EXPECT_EQ(again.groups, set.groups);
  EXPECT_EQ(array_test::rows_of(dataset.features),
            (array_test::Rows{{0}, {1}, {2}, {3}, {4}, {5}, {6}}));
  EXPECT_TRUE(std::equal(again.rows.row(0), again.rows.row(7), set.rows.row(0)));
}

TEST(KnownRows, FindThirtyNeighborsByTheSeed) {
  KnownRows set = numbered_rows(100);
  find_graph(set);
  EXPECT_EQ(set.graph.k, 30U);
  EXPECT_EQ(set.graph.size(), 100U);
  KnownRows other = numbered_rows(100);
  find_graph(other, 1);
  EXPECT_NE(set.graph.ids, other.graph.ids);  // rows on both sides are equally far
}

TEST(KnownRows, AreChosenInTheOrderGiven) {
  KnownRows all = numbered_rows(40);
  find_graph(all);
  const std::uint32_t which[] = {5, 3, 30};
  const KnownRows set = chosen(all, which);
  EXPECT_EQ(set.clean, (Codes{0, 1, 1}));
  EXPECT_EQ(set.groups, (Codes{0, 1, 0}));
  EXPECT_EQ(set.rows.row(2)[0], 30);
  EXPECT_EQ(set.graph.size(), 0U);
  all.groups.clear();
  all.group_names.clear();
  EXPECT_TRUE(chosen(all, which).groups.empty());
}

TEST(KnownRows, WithEqualClasses) {
  const KnownRows all = numbered_rows(301);
  const KnownRows set = with_equal_classes(all);
  check_rows(set, all);
  EXPECT_EQ(set.clean.size(), 202U);
  EXPECT_EQ(std::count(set.clean.begin(), set.clean.end(), 1), 101);
  EXPECT_GT(set.rows.row(201)[0], 270);  // not the first ones of the larger class
}

TEST(KnownRows, WithEqualCells) {
  const KnownRows all = numbered_rows(300);
  const KnownRows set = with_equal_cells(all);
  check_rows(set, all);
  EXPECT_EQ(set.clean.size(), 160U);
  for (const std::int32_t clean : {0, 1}) {
    for (const std::int32_t group : {0, 1}) EXPECT_EQ(rows_in(set, clean, group), 40U);
  }
}

TEST(KnownRows, AnEmptyPartHasNoEqual) {
  KnownRows set = numbered_rows(30);
  for (std::size_t n = 0; n < 30; ++n) set.clean[n] &= set.groups[n];
  EXPECT_EQ(error_of([&] { with_equal_cells(set); }, ErrorKind::impossible),
            "numbered: no rows of yes in a, so that as many of each part would be none");
  set.classes.emplace_back("zero");
  EXPECT_EQ(error_of([&] { with_equal_classes(set); }, ErrorKind::impossible),
            "numbered: no rows of zero, so that as many of each part would be none");
}

TEST(KnownRows, OneGroupOrOtherByTheOrderOfNames) {
  KnownRows all = numbered_rows(6);
  all.group_names = {"Asian", "Black", "White"};
  all.groups = {0, 1, 2, 2, 1, 0};
  const KnownRows black = one_group_or_other(all, "Black");
  EXPECT_EQ(black.group_names, (Texts{"Black", "Other"}));
  EXPECT_EQ(black.groups, (Codes{1, 0, 1, 1, 0, 1}));
  const KnownRows white = one_group_or_other(all, "White");
  EXPECT_EQ(white.group_names, (Texts{"Other", "White"}));
  EXPECT_EQ(white.groups, (Codes{0, 0, 1, 1, 0, 0}));
  EXPECT_EQ(error_of([&] { one_group_or_other(all, "Green"); }),
            "numbered: no rows of the group 'Green'");
}

TEST(KnownRows, SplitAtRandomKeepsEveryRowOnce) {
  const KnownRows all = numbered_rows(2000);
  const Split split = split_at_random(all, 1);
  check_rows(split.training, all);
  check_rows(split.test, all);
  EXPECT_EQ(split.training.clean.size() + split.test.clean.size(), 2000U);
  EXPECT_NEAR(static_cast<double>(split.test.clean.size()), 400, 80);
  std::vector<char> seen(2000);
  for (const KnownRows* part : {&split.training, &split.test}) {
    for (std::size_t n = 0; n < part->clean.size(); ++n) {
      EXPECT_EQ(seen[static_cast<std::size_t>(part->rows.row(n)[0])]++, 0);
    }
  }
  const Split other = split_at_random(all, 2);
  EXPECT_NE(other.test.clean, split.test.clean);
}

TEST(KnownNoise, RatesAreThoseAskedFor) {
  const KnownRows set = numbered_rows(30000);
  EXPECT_EQ(transition_of({.1, .3}), (Numbers{.9, .1, .3, .7}));
  const Codes noisy = with_noise(set.clean, {.1, .3}, 5);
  const Numbers rates = true_rates(set.clean, noisy, 2);
  EXPECT_NEAR(rates[0], .1, .01);
  EXPECT_NEAR(rates[1], .3, .02);
  const Numbers matrix = true_transition(set.clean, noisy, 2);
  EXPECT_DOUBLE_EQ(matrix[1], rates[0]);
  EXPECT_DOUBLE_EQ(matrix[2], rates[1]);
  EXPECT_DOUBLE_EQ(matrix[0], 1 - rates[0]);
}

TEST(KnownNoise, EachGroupHasItsOwnRate) {
  const KnownRows set = numbered_rows(30000);
  const Codes noisy = with_group_noise(set, {0, .3}, 5);
  std::vector<double> wrong(2), rows(2);
  for (std::size_t n = 0; n < noisy.size(); ++n) {
    rows[static_cast<std::size_t>(set.groups[n])] += 1;
    wrong[static_cast<std::size_t>(set.groups[n])] += noisy[n] != set.clean[n] ? 1 : 0;
  }
  EXPECT_EQ(wrong[0], 0);
  EXPECT_NEAR(wrong[1] / rows[1], .3, .02);
}

TEST(KnownNoise, IsCounted) {
  const Codes clean = {0, 0, 0, 0, 2, 2};
  const Codes noisy = {0, 1, 2, 2, 2, 0};
  EXPECT_EQ(true_transition(clean, noisy, 3), (Numbers{.25, .25, .5, 0, 1, 0, .5, 0, .5}));
  EXPECT_EQ(true_rates(clean, noisy, 3), (Numbers{.75, 0, .5}));
}

}  // namespace
}  // namespace noiseplus
