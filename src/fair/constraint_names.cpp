#include <array>
#include <utility>

#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

constexpr std::array<std::pair<Constraint, std::string_view>, 5> constraint_names = {{
    {Constraint::equalized_odds, "equalized-odds"},
    {Constraint::equal_opportunity, "equal-opportunity"},
    {Constraint::demographic_parity, "demographic-parity"},
    {Constraint::fpr_parity, "fpr-parity"},
    {Constraint::error_parity, "error-parity"},
}};

}  // namespace

std::string_view to_string(Constraint constraint) {
  for (const auto& [known, name] : constraint_names) {
    if (known == constraint) return name;
  }
  return "";
}

std::optional<Constraint> parse_constraint(std::string_view name) {
  for (const auto& [constraint, known] : constraint_names) {
    if (known == name) return constraint;
  }
  return std::nullopt;
}

}  // namespace noiseplus
