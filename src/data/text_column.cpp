#include <algorithm>
#include <unordered_map>

#include "data/csv.h"

namespace noiseplus {
namespace {

constexpr std::int32_t is_missing = -1;
constexpr std::int32_t not_seen = -2;

// The texts that differ once blanks are taken off, and of each text which of them it is.
struct TrimmedTexts {
  std::vector<std::string_view> distinct;
  std::vector<std::int32_t> place;  // in distinct, or is_missing
};

TrimmedTexts trimmed(std::span<const std::string> texts, const std::vector<std::string>& missing) {
  TrimmedTexts result;
  std::unordered_map<std::string_view, std::int32_t> places;
  for (const std::string& text : texts) {
    const std::string_view trimmed = trim_blanks(text);
    if (trimmed.empty() || std::find(missing.begin(), missing.end(), trimmed) != missing.end()) {
      result.place.push_back(is_missing);
      continue;
    }
    const auto [entry, is_new] =
        places.emplace(trimmed, static_cast<std::int32_t>(result.distinct.size()));
    if (is_new) result.distinct.push_back(trimmed);
    result.place.push_back(entry->second);
  }
  return result;
}

}  // namespace

Column make_text_column(const std::string& name, std::span<const std::int32_t> codes,
                        std::span<const std::string> texts,
                        const std::vector<std::string>& missing) {
  Column column;
  column.name = name;
  column.is_text = true;
  column.codes.reserve(codes.size());
  const TrimmedTexts known = trimmed(texts, missing);
  std::vector<std::int32_t> category(known.distinct.size(), not_seen);
  for (const std::int32_t code : codes) {
    if (code >= 0 && static_cast<std::size_t>(code) >= texts.size()) {
      throw Error(ErrorKind::usage, "column '" + name + "': row " +
                                        std::to_string(column.codes.size() + 1) +
                                        " has a code for which there is no text");
    }
    const std::int32_t place = code < 0 ? is_missing : known.place[static_cast<std::size_t>(code)];
    if (place == is_missing) {
      column.codes.push_back(is_missing);
      continue;
    }
    std::int32_t& number = category[static_cast<std::size_t>(place)];
    if (number == not_seen) {
      number = static_cast<std::int32_t>(column.categories.size());
      column.categories.emplace_back(known.distinct[static_cast<std::size_t>(place)]);
    }
    column.codes.push_back(number);
  }
  if (!column.categories.empty()) return column;
  column.is_text = false;
  column.codes.clear();
  column.numbers.assign(codes.size(), std::numeric_limits<double>::quiet_NaN());
  return column;
}

}  // namespace noiseplus
