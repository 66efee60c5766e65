#include "data/row_id_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "data/dates.h"

namespace noiseplus {
namespace {

// In fewer rows texts differ by chance.
constexpr std::size_t min_rows = 10;

bool are_row_numbers(const std::vector<double>& numbers) {
  const double first = numbers.front();
  if (first != 0 && first != 1) return false;
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    if (numbers[row] != first + static_cast<double>(row)) return false;
  }
  return true;
}

bool are_different_integers(const std::vector<double>& numbers) {
  std::unordered_set<double> seen;
  return std::all_of(numbers.begin(), numbers.end(), [&](double number) {
    return std::trunc(number) == number && seen.insert(number).second;
  });
}

bool is_id_name(const std::string& name) {
  constexpr std::array<std::string_view, 10> usual = {
      "id", "ids", "uuid", "guid", "index", "row", "rowid", "row_number", "rownum", "key"};
  std::string lower;
  for (const char c : name) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::find(usual.begin(), usual.end(), lower) != usual.end()) return true;
  if (lower.starts_with("unnamed: ")) return true;
  for (const std::string_view end : {"_id", "-id", " id", ".id", "_uuid", "_guid"}) {
    if (lower.ends_with(end)) return true;
  }
  // PassengerId, customerID; but not "fluid" or "PAID".
  const std::size_t size = name.size();
  return size > 2 && (name.ends_with("Id") || name.ends_with("ID")) && name[size - 3] >= 'a' &&
         name[size - 3] <= 'z';
}

bool are_different_texts(const Column& column) {
  return column.categories.size() == column.codes.size() && column.missing() == 0;
}

}  // namespace

bool has_id_name(const Column& column) {
  return column.is_unnamed || is_id_name(column.name);
}

bool is_row_id(const Column& column) {
  const std::size_t rows = column.is_text ? column.codes.size() : column.numbers.size();
  if (rows < min_rows || column.is_date) return false;
  if (column.is_text) return are_different_texts(column) && !find_dates(column.categories);
  if (are_row_numbers(column.numbers)) return true;
  return has_id_name(column) && are_different_integers(column.numbers);
}

}  // namespace noiseplus
