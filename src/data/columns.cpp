#include "data/columns.h"

#include <cmath>
#include <unordered_set>

#include "data/csv.h"

namespace noiseplus {

void name_columns(Table& table, const std::vector<std::string>& names, bool has_names) {
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, int> repeats;
  table.columns.resize(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::string wanted = has_names && !names[c].empty() ? names[c] : std::to_string(c + 1);
    std::string name = wanted;
    while (!taken.insert(name).second) name = wanted + '.' + std::to_string(++repeats[wanted]);
    constexpr std::size_t max_warnings = 10;
    if (name != wanted && table.warnings.size() < max_warnings) {
      table.warnings.push_back("the column name '" + wanted + "' occurs again; column " +
                               std::to_string(c + 1) + " is called '" + name + "'");
    }
    table.columns[c].name = std::move(name);
    table.columns[c].is_unnamed = has_names && names[c].empty();
  }
}

TextCodes::TextCodes(const std::vector<std::string>& missing) {
  codes_.emplace("", -1);
  for (const std::string& text : missing) codes_.emplace(text, -1);
}

std::int32_t TextCodes::code(std::string_view text) {
  text = trim_blanks(text);
  if (const auto known = codes_.find(text); known != codes_.end()) return known->second;
  const auto code = static_cast<std::int32_t>(categories_.size());
  codes_.emplace(text, code);
  categories_.emplace_back(text);
  return code;
}

void settle_texts(Column& column) {
  if (!column.categories.empty()) return;
  column.is_text = false;
  column.numbers.assign(column.codes.size(), std::numeric_limits<double>::quiet_NaN());
  column.codes.clear();
}

std::string number_text(const Column& column, double number) {
  constexpr double first = -719162, end = 2932897;  // 0001-01-01 and after 9999-12-31
  const bool has_date = column.is_date && number >= first && number < end;
  return has_date ? format_date(number) : format_number(number);
}

Column spell_numbers(const Column& column) {
  Column spelled;
  spelled.name = column.name;
  spelled.is_text = true;
  std::unordered_map<double, std::int32_t> codes;
  std::unordered_map<std::string, std::int32_t> texts;  // dates within a second look alike
  for (const double x : column.numbers) {
    if (std::isnan(x)) {
      spelled.codes.push_back(-1);
      continue;
    }
    const auto [entry, is_new] = codes.emplace(x, 0);
    if (is_new) {
      const auto next = static_cast<std::int32_t>(texts.size());
      const auto [text, is_new_text] = texts.emplace(number_text(column, x), next);
      if (is_new_text) spelled.categories.push_back(text->first);
      entry->second = text->second;
    }
    spelled.codes.push_back(entry->second);
  }
  return spelled;
}

}  // namespace noiseplus
