#include <gtest/gtest.h>

#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

TEST(ConstraintNames, ThereAndBack) {
  const std::pair<Constraint, std::string_view> named[] = {
      {Constraint::equalized_odds, "equalized-odds"},
      {Constraint::equal_opportunity, "equal-opportunity"},
      {Constraint::demographic_parity, "demographic-parity"},
      {Constraint::fpr_parity, "fpr-parity"},
      {Constraint::error_parity, "error-parity"},
  };
  for (const auto& [constraint, name] : named) {
    EXPECT_EQ(to_string(constraint), name);
    EXPECT_EQ(parse_constraint(name), constraint);
  }
}

TEST(ConstraintNames, OtherNamesAreNone) {
  for (const std::string_view name : {"", "equalized", "equalized_odds", "Equalized-odds"}) {
    EXPECT_EQ(parse_constraint(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace noiseplus
