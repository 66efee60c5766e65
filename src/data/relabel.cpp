#include <algorithm>
#include <unordered_map>

#include "core/checks.h"
#include "data/labels.h"

namespace noiseplus {
namespace {

constexpr std::size_t max_listed = 10;

std::string listed(const std::vector<std::string>& classes) {
  std::string text;
  for (std::size_t c = 0; c < std::min(classes.size(), max_listed); ++c) {
    text += (c == 0 ? "" : ", ") + classes[c];
  }
  if (classes.size() <= max_listed) return text;
  return text + " and " + std::to_string(classes.size() - max_listed) + " more";
}

Error unknown(const Labels& names, std::size_t code, std::span<const std::size_t> row_ids,
              const std::string& source, const std::string& what, const std::string& known) {
  const auto first =
      std::find(names.codes.begin(), names.codes.end(), static_cast<std::int32_t>(code));
  const auto row = static_cast<std::size_t>(first - names.codes.begin());
  const std::size_t row_id = row_ids.empty() ? row : row_ids[row];
  return {ErrorKind::data, source + ": row " + std::to_string(row_id + 1) + ": the " + what + " '" +
                               names.spellings[code] + "' is none of " + known + "; correct the " +
                               what + " or leave out the row"};
}

}  // namespace

Labels rename_rows(Labels names, const std::vector<std::string>& classes,
                   const std::vector<std::string>& spellings, const std::string& source,
                   const std::string& what, const std::string& whose,
                   std::span<const std::size_t> row_ids) {
  check_codes(names.codes, names.classes.size(), what.c_str());
  check_that(names.spellings.size() == names.classes.size() && spellings.size() == classes.size(),
             "there is not one spelling for each class");
  if (!row_ids.empty()) check_one_per_row(row_ids.size(), names.codes.size(), "row ids");
  const Labels known{{}, classes, spellings};
  // Thousands of groups, each looked for among thousands: nearly all are found here.
  std::unordered_map<std::string_view, std::size_t> place_of;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    place_of.emplace(classes[c], c);
    place_of.emplace(spellings[c], c);
  }
  const auto find = [&](const std::string& name) {
    const auto place = place_of.find(name);
    return place != place_of.end() ? std::optional(place->second) : known.find(name);
  };
  std::vector<std::int32_t> code_of(names.classes.size(), -1);
  for (std::size_t c = 0; c < names.classes.size(); ++c) {
    // As written first: where classes are texts, "1" and "1.0" are two of them, and labels that all
    // happen to be numbers have lost that in their names.
    std::optional<std::size_t> found = find(names.spellings[c]);
    if (!found) found = find(names.classes[c]);
    if (found) {
      code_of[c] = static_cast<std::int32_t>(*found);
    } else if (names.count(static_cast<std::int32_t>(c)) > 0) {
      throw unknown(names, c, row_ids, source, what, whose + ' ' + listed(classes));
    }
  }
  for (std::int32_t& code : names.codes) code = code_of[static_cast<std::size_t>(code)];
  names.classes = classes;
  names.spellings = spellings;
  return names;
}

Labels relabel(Labels labels, const std::vector<std::string>& classes,
               const std::vector<std::string>& spellings, const std::string& source,
               std::span<const std::size_t> row_ids) {
  return rename_rows(std::move(labels), classes, spellings, source, "label", "the model's classes",
                     row_ids);
}

}  // namespace noiseplus
