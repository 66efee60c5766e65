// A column of a table that comes by the Arrow C stream interface. Internal to the data stage.
#pragma once

#include <string>
#include <vector>

#include "data/arrow_values.h"
#include "data/columns.h"

namespace noiseplus {

// The rows of one batch: the struct's own nulls, and where in each of its children they begin.
struct BatchRows {
  ArrowValues values;
  std::size_t first = 0;
};

// Grows by a batch at a time, and is a Column in the end.
class ArrowColumn {
 public:
  // `child` is its position among the children of each batch. REQUIRES: the type is not refused.
  ArrowColumn(std::string name, std::size_t child, ArrowColumnType type,
              const TableOptions& options);

  const std::string& name() const { return column_.name; }

  // Throws ArrowFault. REQUIRES: the batch has that child, which may be null.
  void append(const ArrowArray& batch, const BatchRows& rows);

  // The whole column; numbers are spelled out when it is to be `in_text`. What has no value at all
  // is numbers in either case.
  Column finish(bool in_text);

 private:
  // Where the value of each row is, among the values of its array or of its dictionary.
  using Places = std::vector<std::int64_t>;
  static constexpr std::int64_t missing_place = -1;

  static Places find_places(const ArrowValues& array, const BatchRows& rows);
  // From places among indices to those in the dictionary.
  static void follow_indices(const ArrowValues& indices, const ArrowValues& dictionary,
                             Places& places);
  void append_values(const ArrowValues& values, const Places& places);
  void append_numbers(const ArrowValues& values, const Places& places);
  void append_texts(const ArrowValues& values, const Places& places);

  std::size_t child_;
  ArrowColumnType type_;
  Column column_;
  TextCodes codes_;
};

}  // namespace noiseplus
