// Rows by label and group, and what a classifier and a constraint are to them. Internal to the fair
// stage.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "noiseplus/fair.h"

namespace noiseplus {

// A cell is the rows of one label and one group: cell 2 z holds the negatives of group z, cell
// 2 z + 1 its positives.
struct Cells {
  std::size_t groups = 0;
  std::vector<std::uint32_t> of_row;
  std::vector<std::int64_t> rows;  // of each cell

  // Of cells whose rows are counted already.
  explicit Cells(std::vector<std::int64_t> rows_of_cells)
      : groups(rows_of_cells.size() / 2), rows(std::move(rows_of_cells)) {}
  Cells(std::span<const std::int32_t> codes, std::size_t positive,
        std::span<const std::int32_t> group_codes, std::size_t group_count);

  std::size_t size() const { return rows.size(); }
  std::int64_t rows_of_group(std::size_t group) const {
    return rows[2 * group] + rows[2 * group + 1];
  }
};

// How many rows of each cell a classifier calls positive.
using PositiveCounts = std::vector<std::int64_t>;

PositiveCounts count_positive(const Cells& cells, std::span<const std::int32_t> predicted,
                              std::size_t positive);

// A rate of one group, linear in the counts of its two cells:
// rate = constant + slopes[0] * counts[2 z] + slopes[1] * counts[2 z + 1].
struct RateForm {
  double constant = 0;
  std::array<double, 2> slopes = {};
};

// A rate that is to be alike in all groups.
struct ComparedRate {
  std::string name;
  std::vector<RateForm> of_group;
  std::vector<double> weights;  // of the groups in the rate of all rows; they add up to 1

  // Of each group. Counts may be expected ones.
  template <typename Counts>
  std::vector<double> values(const Counts& counts) const {
    std::vector<double> values;
    values.reserve(of_group.size());
    for (std::size_t z = 0; z < of_group.size(); ++z) {
      const RateForm& form = of_group[z];
      values.push_back(form.constant + form.slopes[0] * static_cast<double>(counts[2 * z]) +
                       form.slopes[1] * static_cast<double>(counts[2 * z + 1]));
    }
    return values;
  }

  double of_all(std::span<const double> values) const;

  // What one more row of each cell costs, when it is called positive and each group's excess over
  // the rate of all rows has its price.
  std::vector<double> prices_of_rows(std::span<const double> prices) const;
};

// What the constraint compares. `noise` as in FairOptions. Throws impossible when a group has no
// such rate.
std::vector<ComparedRate> compared_rates(const Cells& cells, const FairOptions& options,
                                         std::span<const std::string> class_names);

// One standard error of that rate by the chance of sampling, the noise rates taken as they are.
double spread_of(const Cells& cells, const FairOptions& options, std::string_view rate,
                 std::size_t group, std::span<const double> expected_counts);

}  // namespace noiseplus
