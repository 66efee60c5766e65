// What is done to the columns of a table wherever they come from. Internal to the data stage.
#pragma once

#include <functional>
#include <unordered_map>

#include "noiseplus/data.h"

namespace noiseplus {

// Gives the table one empty column for each name, under names that differ: a second column of the
// same name gets ".1" appended, a third ".2", with a warning. Columns without a name, all of them
// unless `has_names`, are called 1, 2, ...
void name_columns(Table& table, const std::vector<std::string>& names, bool has_names);

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

// A column of texts that are all missing becomes one of numbers that are. REQUIRES: column.is_text.
void settle_texts(Column& column);

// The column as text, each number by number_text. REQUIRES: !column.is_text.
Column spell_numbers(const Column& column);

// A number of the column, or the date that it stands for.
std::string number_text(const Column& column, double number);

}  // namespace noiseplus
