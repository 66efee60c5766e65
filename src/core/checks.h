// What public calls ask of their arguments: one place, one wording. Each check is one linear pass
// at most and throws Error(usage) unless it says otherwise. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "noiseplus/core.h"

namespace noiseplus {

// K x K matrices of more classes do not fit into memory; K * K cannot overflow below this.
inline constexpr std::size_t max_square_classes = std::size_t{1} << 16;

void check_that(bool holds, const char* message);

// rows * columns, where that many floats could fit into memory. `what` is the subject of the
// message: "the rows".
std::size_t count_values(std::size_t rows, std::size_t columns, const char* what);

// Rows without data, more values than memory can hold, or a type that is none.
void check_view(RowsView rows, const char* what = "the rows");

// "3 labels for 5 rows; give one per row".
void check_one_per_row(std::size_t count, std::size_t rows, const char* what = "labels");

// Codes that are not from 0 to classes - 1; names the first row. `what` is "label" or "group".
void check_codes(std::span<const std::int32_t> codes, std::size_t classes,
                 const char* what = "label");

// A class that is not from 0 to classes - 1.
void check_class(std::int64_t code, std::size_t classes, const char* what = "the positive class");

// A number that is NaN or outside [low, high].
void check_number(double value, double low, double high, const char* name);

// An entry that is NaN or outside [0, 1]; rounding aside.
void check_probabilities(std::span<const double> values, const char* what);
void check_probabilities(MatrixView values, const char* what);

// Not `min` to max_square_classes classes.
void check_class_count(std::size_t classes, std::size_t min = 1);

// The wrong number of entries for matrices of classes x classes, one after the other. Checks the
// number of classes too.
void check_square(std::size_t entries, std::size_t classes, std::size_t matrices = 1,
                  const char* what = "the matrix");

// The sum of counts. Throws where one is negative or the sum is beyond 64 bits.
std::int64_t sum_of_counts(std::span<const std::int64_t> counts, const char* what);

// Values of enumerations that begin at 0, cast from any integer.
template <typename Enumeration>
bool is_among(Enumeration value, Enumeration last) {
  return static_cast<std::int64_t>(value) >= 0 && value <= last;
}

}  // namespace noiseplus
