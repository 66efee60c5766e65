#include <gtest/gtest.h>

#include "core/format.h"
#include "noiseplus/fair.h"
#include "noiseplus/report.h"

namespace noiseplus {
namespace {

// A model that is never wrong, and one that calls every row positive: no rate varies among the rows
// counted, which does not make it known exactly.
TEST(CleanFairness, HasNoIntervalWithoutWidth) {
  constexpr std::size_t rows = 400;
  std::vector<std::int32_t> codes(rows), groups(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    codes[n] = static_cast<std::int32_t>(n % 2);
    groups[n] = static_cast<std::int32_t>(n / 2 % 2);
  }
  const std::vector<LabelNoise> none = {{0, 0}, {0, 0}}, some = {{.1, .2}, {.2, .1}};
  for (const std::vector<std::int32_t>& said : {codes, std::vector<std::int32_t>(rows, 1)}) {
    const Evaluation evaluation =
        evaluate(said, {codes, {"a", "b"}, {"a", "b"}}, 1, {groups, {"g", "h"}, {"g", "h"}});
    for (const std::vector<LabelNoise>& noise : {none, some}) {
      const CleanFairness found = clean_fairness(evaluation, noise);
      for (const auto& group : found.groups) {
        for (const EstimateWithInterval& rate : {group.tpr, group.fpr}) {
          EXPECT_LT(rate.low, rate.high);
          EXPECT_LE(rate.low, rate.value);
          EXPECT_LE(rate.value, rate.high);
        }
      }
      EXPECT_LT(found.equalized_odds_violation.low, found.equalized_odds_violation.high);
    }
    ASSERT_TRUE(evaluation.equalized_odds_violation);
    EXPECT_LT(evaluation.equalized_odds_violation->low, evaluation.equalized_odds_violation->high);
    EXPECT_LT(evaluation.all.accuracy.low, evaluation.all.accuracy.high);
  }
}

}  // namespace
}  // namespace noiseplus
