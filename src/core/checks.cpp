#include "core/checks.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "core/rows.h"

namespace noiseplus {
namespace {

// Estimates that were clamped or normalized may miss 0 or 1 by their last digits.
constexpr double rounding = 1e-6;

[[noreturn]] void refuse_argument(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

bool is_probability(double value) {
  return value >= -rounding && value <= 1 + rounding;
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

void check_that(bool holds, const char* message) {
  if (!holds) refuse_argument(message);
}

std::size_t count_values(std::size_t rows, std::size_t columns, const char* what) {
  constexpr std::size_t max_values = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(float);
  if (columns == 0 || rows <= max_values / columns) return rows * columns;
  refuse_argument(std::string(what) + " would be " + std::to_string(rows) + " x " +
                  std::to_string(columns) +
                  ", more values than memory can hold; check both numbers");
}

void check_view(RowsView rows, const char* what) {
  const bool is_known = rows.type == ValueType::float32 || rows.type == ValueType::float16;
  if (!is_known) {
    refuse_argument(std::string(what) + " are of no known type; give float32 or float16");
  }
  if (count_values(rows.rows, rows.columns, what) != 0 && rows.data == nullptr) {
    refuse_argument(std::string(what) + " are " + std::to_string(rows.rows) + " x " +
                    std::to_string(rows.columns) + " but have no data; give their address");
  }
}

void check_one_per_row(std::size_t count, std::size_t rows, const char* what) {
  if (count == rows) return;
  refuse_argument(std::to_string(count) + ' ' + what + " for " + std::to_string(rows) +
                  " rows; give one per row");
}

void check_codes(std::span<const std::int32_t> codes, std::size_t classes, const char* what) {
  // Compared as unsigned numbers, negative codes are the largest.
  const std::uint64_t limit = std::min<std::uint64_t>(classes, std::uint64_t{1} << 31);
  const std::size_t found = find_value_at(
      codes.size(), [codes](std::size_t n) { return static_cast<std::uint32_t>(codes[n]); },
      [limit](std::uint32_t code) { return code >= limit; });
  if (found == codes.size()) return;
  const std::string row =
      "row " + std::to_string(found + 1) + " has " + what + ' ' + std::to_string(codes[found]);
  if (classes == 0) refuse_argument(row + ", but there is none to choose from; name them all");
  refuse_argument(row + "; give codes from 0 to " + std::to_string(classes - 1));
}

void check_class(std::int64_t code, std::size_t classes, const char* what) {
  if (code >= 0 && static_cast<std::uint64_t>(code) < classes) return;
  refuse_argument(std::string(what) + " is " + std::to_string(code) + ", but there are " +
                  std::to_string(classes) + " classes, counted from 0");
}

void check_number(double value, double low, double high, const char* name) {
  if (value >= low && value <= high) return;
  refuse_argument(std::string(name) + " is " + number_text(value) + "; give a number from " +
                  number_text(low) +
                  (high < std::numeric_limits<double>::max() ? " to " + number_text(high) : " on"));
}

void check_probabilities(std::span<const double> values, const char* what) {
  const auto wrong = std::find_if_not(values.begin(), values.end(), is_probability);
  if (wrong == values.end()) return;
  refuse_argument("entry " + std::to_string(wrong - values.begin()) + " (from 0) of " + what +
                  " is " + number_text(*wrong) + "; give probabilities from 0 to 1");
}

void check_probabilities(MatrixView values, const char* what) {
  check_view(values, what);
  const std::size_t wrong =
      find_value(values, [](float value) { return !is_probability(static_cast<double>(value)); });
  if (wrong == values.rows * values.columns) return;
  refuse_argument(std::string(what) + ": row " + std::to_string(wrong / values.columns + 1) +
                  ", column " + std::to_string(wrong % values.columns + 1) + " is not from 0 to 1");
}

void check_class_count(std::size_t classes, std::size_t min) {
  if (classes >= min && classes <= max_square_classes) return;
  refuse_argument("there are " + std::to_string(classes) + " classes; give " + std::to_string(min) +
                  " to " + std::to_string(max_square_classes));
}

void check_square(std::size_t entries, std::size_t classes, std::size_t matrices,
                  const char* what) {
  check_class_count(classes);
  const std::size_t one = classes * classes;
  if (matrices == 1 ? entries == one : entries % one == 0 && entries / one == matrices) return;
  refuse_argument(std::string(what) + " for " + std::to_string(classes) + " classes has " +
                  std::to_string(one) + " entries" +
                  (matrices == 1 ? "" : " for each of " + std::to_string(matrices) + " groups") +
                  "; there are " + std::to_string(entries));
}

std::int64_t sum_of_counts(std::span<const std::int64_t> counts, const char* what) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) {
    if (count < 0 || sum > std::numeric_limits<std::int64_t>::max() - count) {
      refuse_argument(std::string(what) + " hold a count of " + std::to_string(count) +
                      "; give counts from 0 on whose sum fits 64 bits");
    }
    sum += count;
  }
  return sum;
}

}  // namespace noiseplus
