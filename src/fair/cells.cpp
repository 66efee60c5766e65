#include "fair/cells.h"

#include <cmath>
#include <numeric>

#include "noise/scores.h"

namespace noiseplus {
namespace {

// Of one group: shares of its rows by label, and their noise.
struct Group {
  double rows = 0;
  double q = 0;  // share labeled positive
  LabelNoise noise;

  double informed() const { return 1 - noise.positive - noise.negative; }
};

Group group_of(const Cells& cells, const FairOptions& options, std::size_t z) {
  Group group;
  group.rows = static_cast<double>(cells.rows_of_group(z));
  group.q = static_cast<double>(cells.rows[2 * z + 1]) / group.rows;
  if (!options.noise.empty()) group.noise = options.noise[z];
  return group;
}

// The general form of the corrected rates; without noise that of the labels as they are.
RateForm tpr_form(const Group& group) {
  const double scale = 1 / (group.rows * (group.q - group.noise.negative));
  return {0, {-group.noise.negative * scale, (1 - group.noise.negative) * scale}};
}

RateForm fpr_form(const Group& group) {
  const double scale = 1 / (group.rows * (1 - group.q - group.noise.positive));
  return {0, {(1 - group.noise.positive) * scale, -group.noise.positive * scale}};
}

RateForm positive_form(const Group& group) {
  return {0, {1 / group.rows, 1 / group.rows}};
}

// Missed positives and false alarms: p (1 - TPR) + (1 - p) FPR with p the share of clean positives.
// Multiplied out, so that a group of one class has it too.
RateForm error_form(const Group& group) {
  const double lean = group.noise.negative - group.noise.positive;
  const double scale = 1 / (group.rows * group.informed());
  return {clean_share(group.q, group.noise), {(1 + lean) * scale, -(1 - lean) * scale}};
}

// How many rows the rate is a share of: clean positives, clean negatives, or all.
double mass_of(const std::string& rate, const Group& group) {
  if (rate == "tpr") return group.rows * (group.q - group.noise.negative) / group.informed();
  if (rate == "fpr") return group.rows * (1 - group.q - group.noise.positive) / group.informed();
  return group.rows;
}

RateForm form_of(const std::string& rate, const Group& group) {
  if (rate == "tpr") return tpr_form(group);
  if (rate == "fpr") return fpr_form(group);
  if (rate == "error") return error_form(group);
  return positive_form(group);
}

std::vector<std::string> rates_of(Constraint constraint) {
  switch (constraint) {
    case Constraint::equalized_odds:
      return {"tpr", "fpr"};
    case Constraint::equal_opportunity:
      return {"tpr"};
    case Constraint::demographic_parity:
      return {"positive rate"};
    case Constraint::fpr_parity:
      return {"fpr"};
    case Constraint::error_parity:
      return {"error"};
  }
  return {};
}

void refuse_empty_cell(const Cells& cells, const FairOptions& options, const std::string& rate,
                       std::size_t z, std::span<const std::string> class_names) {
  const bool is_tpr = rate == "tpr";
  const std::size_t cell = 2 * z + (is_tpr ? 1 : 0);
  if ((!is_tpr && rate != "fpr") || cells.rows[cell] > 0) return;
  const std::size_t code = is_tpr ? options.positive : 1 - options.positive;
  throw Error(ErrorKind::impossible,
              "group '" + options.group_names[z] + "' has no row labeled '" +
                  class_name(class_names, code) + "', so its " + (is_tpr ? "true" : "false") +
                  " positive rate cannot be made that of others; leave the group out, join it to "
                  "another, or use --fair demographic-parity");
}

// A share of errors divides by no class's share, so a class may be absent.
void refuse_impossible_noise(const Cells& cells, const FairOptions& options,
                             const std::string& rate, std::size_t z,
                             std::span<const std::string> class_names) {
  if (options.noise.empty() || rate == "positive rate") return;
  const Group group = group_of(cells, options, z);
  const bool may_be_absent = rate == "error";
  const auto is_possible = [&](double share, double noise) {
    return may_be_absent ? share >= noise : share > noise;
  };
  const bool has_positives = is_possible(group.q, group.noise.negative);
  if (has_positives && is_possible(1 - group.q, group.noise.positive)) return;
  const std::size_t positive = options.positive;
  const std::size_t lacking = has_positives ? 1 - positive : positive;
  const auto rounded = [](double share) { return format_number(std::round(1000 * share) / 1000); };
  throw Error(ErrorKind::impossible,
              "group '" + options.group_names[z] +
                  "': " + rounded(has_positives ? 1 - group.q : group.q) + " of its labels are '" +
                  class_name(class_names, lacking) + "', no more than noise of rate " +
                  rounded(has_positives ? group.noise.positive : group.noise.negative) +
                  " alone would give, so its rates by clean labels are not identified; give lower "
                  "noise rates, or judge by the given labels");
}

}  // namespace

Cells::Cells(std::span<const std::int32_t> codes, std::size_t positive,
             std::span<const std::int32_t> group_codes, std::size_t group_count)
    : groups(group_count), of_row(codes.size()), rows(2 * group_count) {
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const bool is_positive = static_cast<std::size_t>(codes[n]) == positive;
    of_row[n] = 2 * static_cast<std::uint32_t>(group_codes[n]) + (is_positive ? 1 : 0);
    ++rows[of_row[n]];
  }
}

double ComparedRate::of_all(std::span<const double> values) const {
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0);
}

std::vector<double> ComparedRate::prices_of_rows(std::span<const double> prices) const {
  const double sum = std::accumulate(prices.begin(), prices.end(), 0.0);
  std::vector<double> of_cells;
  of_cells.reserve(2 * prices.size());
  for (std::size_t z = 0; z < prices.size(); ++z) {
    for (const double slope : of_group[z].slopes) {
      of_cells.push_back((prices[z] - weights[z] * sum) * slope);
    }
  }
  return of_cells;
}

PositiveCounts count_positive(const Cells& cells, std::span<const std::int32_t> predicted,
                              std::size_t positive) {
  PositiveCounts counts(cells.size());
  for (std::size_t n = 0; n < predicted.size(); ++n) {
    counts[cells.of_row[n]] += static_cast<std::size_t>(predicted[n]) == positive ? 1 : 0;
  }
  return counts;
}

std::vector<ComparedRate> compared_rates(const Cells& cells, const FairOptions& options,
                                         std::span<const std::string> class_names) {
  std::vector<ComparedRate> rates;
  for (const std::string& name : rates_of(options.constraint)) {
    ComparedRate rate{name, {}, {}};
    double mass = 0;
    for (std::size_t z = 0; z < cells.groups; ++z) {
      refuse_empty_cell(cells, options, name, z, class_names);
      refuse_impossible_noise(cells, options, name, z, class_names);
      const Group group = group_of(cells, options, z);
      rate.of_group.push_back(form_of(name, group));
      rate.weights.push_back(mass_of(name, group));
      mass += rate.weights.back();
    }
    for (double& weight : rate.weights) weight /= mass;
    rates.push_back(std::move(rate));
  }
  return rates;
}

// Each rate is a ratio of means over the group's rows, sum of a_n / sum of b_n; a row's influence
// is (a_n - rate b_n) / mean b. Rows of a cell have the same a_n where they are called positive,
// and 0 or one other value where not.
double spread_of(const Cells& cells, const FairOptions& options, std::string_view rate,
                 std::size_t z, std::span<const double> expected_counts) {
  const Group group = group_of(cells, options, z);
  const RateForm form = form_of(std::string(rate), group);
  double value = form.constant;
  for (std::size_t c = 0; c < 2; ++c) value += form.slopes[c] * expected_counts[2 * z + c];
  // What a label of this cell adds to the denominator, as the rate's own share of it.
  const LabelNoise& noise = group.noise;
  double sum = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    double base = 0;  // influence of a row that is called negative, times rows
    if (rate == "tpr") {
      base = -value * ((c == 1 ? 1 : 0) - noise.negative) / (group.q - noise.negative);
    } else if (rate == "fpr") {
      base = -value * ((c == 0 ? 1 : 0) - noise.positive) / (1 - group.q - noise.positive);
    } else if (rate == "error") {
      base = ((c == 1 ? 1 : 0) - noise.negative) / group.informed() - value;
    } else {
      base = -value;
    }
    const double called = base + form.slopes[c] * group.rows;
    const double positives = expected_counts[2 * z + c];
    const double negatives = static_cast<double>(cells.rows[2 * z + c]) - positives;
    sum += positives * called * called + negatives * base * base;
  }
  return std::sqrt(sum) / group.rows;
}

}  // namespace noiseplus
