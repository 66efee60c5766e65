#include <gtest/gtest.h>

#include <algorithm>

#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

using Codes = std::vector<std::int32_t>;

// `sizes[c]` rows of class c, in an order that no class owns.
Codes mixed_codes(const std::vector<std::size_t>& sizes) {
  Codes codes;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    codes.insert(codes.end(), sizes[c], static_cast<std::int32_t>(c));
  }
  for (std::size_t i = codes.size(); i > 1; --i) {
    std::swap(codes[i - 1], codes[hash(3, Stream::generate, i) % i]);
  }
  return codes;
}

std::pair<std::size_t, std::size_t> smallest_and_largest(const std::vector<std::size_t>& counts) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  return {*low, *high};
}

TEST(Folds, SizesDifferByAtMostOneInAllAndInEachClass) {
  const std::vector<std::size_t> sizes = {101, 7, 0, 58, 13};  // the third class is absent
  const Codes codes = mixed_codes(sizes);
  for (const std::size_t folds : {2, 3, 5, 7}) {
    const Codes fold_of = stratified_folds({codes, sizes.size()}, folds, 11);
    ASSERT_EQ(fold_of.size(), codes.size());
    std::vector<std::size_t> all(folds);
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      std::vector<std::size_t> of_class(folds);
      for (std::size_t n = 0; n < codes.size(); ++n) {
        if (codes[n] != static_cast<std::int32_t>(c)) continue;
        ++of_class.at(static_cast<std::size_t>(fold_of[n]));
        ++all[static_cast<std::size_t>(fold_of[n])];
      }
      const auto [low, high] = smallest_and_largest(of_class);
      EXPECT_LE(high - low, 1U) << "class " << c << " in " << folds << " folds";
    }
    const auto [low, high] = smallest_and_largest(all);
    EXPECT_LE(high - low, 1U) << folds;
  }
}

TEST(Folds, TheSeedDecides) {
  const Codes codes = mixed_codes({200, 100});
  EXPECT_EQ(stratified_folds({codes, 2}, 5, 1), stratified_folds({codes, 2}, 5, 1));
  EXPECT_NE(stratified_folds({codes, 2}, 5, 1), stratified_folds({codes, 2}, 5, 2));
}

// A fold of a random half must not be the first rows, nor every second one.
TEST(Folds, RowsAreShuffled) {
  const Codes fold_of = stratified_folds({Codes(1000), 2}, 2, 0);
  const auto first_half = std::count(fold_of.begin(), fold_of.begin() + 500, 0);
  EXPECT_NEAR(static_cast<double>(first_half), 250, 50);
  std::size_t changes = 0;
  for (std::size_t n = 1; n < fold_of.size(); ++n) changes += fold_of[n] != fold_of[n - 1] ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(changes), 500, 70);
}

std::string message_of(const std::vector<std::size_t>& sizes, std::size_t folds,
                       ErrorKind expected) {
  const Codes codes = mixed_codes(sizes);
  const std::vector<std::string> names = {"no", "yes", "maybe"};
  try {
    stratified_folds({codes, sizes.size()}, folds, 0, names);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), expected);
    return error.what();
  }
  return "";
}

TEST(Folds, AClassWithFewerRowsThanFoldsIsNamed) {
  EXPECT_EQ(message_of({100, 4, 3}, 5, ErrorKind::data),
            "class 'maybe' has 3 rows, fewer than the 5 folds; use 3 folds or fewer, leave out the "
            "class or find more rows of it");
  EXPECT_EQ(message_of({100, 1}, 2, ErrorKind::data),
            "class 'yes' has 1 row, fewer than the 2 folds; leave out the class or find more rows "
            "of it");
  EXPECT_EQ(message_of({100, 0, 5}, 5, ErrorKind::data), "");
  const Codes codes = mixed_codes({9, 2});
  EXPECT_THROW(stratified_folds({codes, 2}, 5, 0), Error) << "without names";
}

TEST(Folds, WrongUsage) {
  EXPECT_NE(message_of({100, 100}, 1, ErrorKind::usage), "");
  EXPECT_NE(message_of({100, 100}, 0, ErrorKind::usage), "");
  EXPECT_THROW(stratified_folds({Codes{0, 2}, 2}, 2, 0), Error);
  EXPECT_THROW(stratified_folds({Codes{0, -1}, 2}, 2, 0), Error);
}

}  // namespace
}  // namespace noiseplus
