#include "pipeline/giveaway.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/format.h"

namespace noiseplus {
namespace {

std::string listed_columns(const std::vector<std::string>& names) {
  constexpr std::size_t max_named = 5, max_size = 100;
  std::string text;
  const std::size_t named = std::min(names.size(), max_named);
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += '\'' + shorten_text(names[i], max_size) + '\'';
  }
  if (names.size() > named) text += fmt::format(" and {} more", names.size() - named);
  return text;
}

std::string share_text(double share) {
  // Never "100.0 %" for labels of which some are missed.
  return share >= 1 ? "100 %" : fmt::format("{:.1f} %", std::min(100 * share, 99.9));
}

void withdraw_rates(NoiseEstimate& estimate) {
  estimate.identified = false;
  estimate.noisier = estimate.cleaner = estimate.leans = -1;
  for (EstimateWithInterval& rate : estimate.noise) rate = {rate.value, 0, 1};
  estimate.gap = {estimate.gap.value, -1, 1};
  estimate.p_value = 1;
}

}  // namespace

std::string giveaway_text(const Giveaway& giveaway) {
  const bool are_several = giveaway.columns.size() > 1;
  const std::string columns =
      (are_several ? "columns " : "column ") + listed_columns(giveaway.columns);
  const std::string them = are_several ? "them" : "it";
  std::string what;
  if (giveaway.kind == GiveawayKind::rule) {
    what = fmt::format("a short rule over {} reproduces {} of the labels", columns,
                       share_text(giveaway.share));
  } else if (are_several) {
    what = fmt::format("{} each reproduce the labels, the first {} of them", columns,
                       share_text(giveaway.share));
  } else if (giveaway.kind == GiveawayKind::id) {
    what = fmt::format(
        "{} grows from row to row and labels come in blocks of rows, so that it alone reproduces "
        "{} of the labels",
        columns, share_text(giveaway.share));
  } else {
    what = fmt::format("{} alone reproduces {} of the labels", columns, share_text(giveaway.share));
  }
  return fmt::format(
      "cannot be judged from these features: {}. The labels are clean, or follow {} without being "
      "right. Leave {} out of the features, or check some rows by hand",
      what, them, them);
}

void withdraw_claims(AuditReport& report) {
  withdraw_rates(report.estimate);
  report.claims.clear();
  for (GroupNoise& group : report.groups) {
    withdraw_rates(group.estimate);
    group.rate = {group.rate.value, 0, 1};
    group.symmetric_rate.reset();
    group.class_upper_bound_only.assign(group.class_upper_bound_only.size(), 0);
  }
  report.upper_bound_only.assign(report.upper_bound_only.size(), 0);
  if (report.wrong_share)
    report.wrong_share = EstimateWithInterval{report.wrong_share->value, 0, 1};
  report.comparison = {};
  report.comparison.gap = {0, -1, 1};
  if (report.precision) report.precision->reached.reset();
  report.warnings.push_back(giveaway_text(*report.giveaway));
}

}  // namespace noiseplus
