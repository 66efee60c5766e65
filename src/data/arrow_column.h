// A column of a table that comes by the Arrow C stream interface. Internal to the data stage.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/arrow_values.h"

namespace noiseplus {

// The codes of texts, in order of first appearance; -1 for those that are empty or mean missing.
// Blanks at the ends of a text do not count.
class TextCodes {
 public:
  explicit TextCodes(const std::vector<std::string>& missing);

  std::int32_t code(std::string_view text);
  std::vector<std::string> take_categories() { return std::move(categories_); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> codes_;
  std::vector<std::string> categories_;
};

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

  static Places find_places(const ArrowValues& array, const ArrowValues* dictionary,
                            const BatchRows& rows);
  void append_numbers(const ArrowValues& values, const Places& places);
  void append_texts(const ArrowValues& values, const Places& places);

  std::size_t child_;
  ArrowColumnType type_;
  Column column_;
  TextCodes codes_;
};

}  // namespace noiseplus
