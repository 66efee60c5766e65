#include <algorithm>

#include "data/labels.h"

namespace noiseplus {
namespace {

constexpr std::size_t most_listed = 10;

std::string listed(const std::vector<std::string>& classes) {
  std::string text;
  for (std::size_t c = 0; c < std::min(classes.size(), most_listed); ++c) {
    text += (c == 0 ? "" : ", ") + classes[c];
  }
  if (classes.size() <= most_listed) return text;
  return text + " and " + std::to_string(classes.size() - most_listed) + " more";
}

Error unknown(const Labels& names, std::size_t code, const std::string& source,
              const std::string& what, const std::string& known) {
  const auto first =
      std::find(names.codes.begin(), names.codes.end(), static_cast<std::int32_t>(code));
  const auto row = static_cast<std::size_t>(first - names.codes.begin()) + 1;
  return {ErrorKind::data, source + ": row " + std::to_string(row) + ": the " + what + " '" +
                               names.spellings[code] + "' is none of " + known + "; correct the " +
                               what + " or leave out the row"};
}

}  // namespace

Labels rename_rows(Labels names, const std::vector<std::string>& classes,
                   const std::vector<std::string>& spellings, const std::string& source,
                   const std::string& what, const std::string& whose) {
  const Labels known{{}, classes, spellings};
  std::vector<std::int32_t> code_of(names.classes.size(), -1);
  for (std::size_t c = 0; c < names.classes.size(); ++c) {
    // As written first: where classes are texts, "1" and "1.0" are two of them, and labels that all
    // happen to be numbers have lost that in their names.
    std::optional<std::size_t> found = known.find(names.spellings[c]);
    if (!found) found = known.find(names.classes[c]);
    if (found) {
      code_of[c] = static_cast<std::int32_t>(*found);
    } else if (names.count(static_cast<std::int32_t>(c)) > 0) {
      throw unknown(names, c, source, what, whose + ' ' + listed(classes));
    }
  }
  for (std::int32_t& code : names.codes) code = code_of[static_cast<std::size_t>(code)];
  names.classes = classes;
  names.spellings = spellings;
  return names;
}

Labels relabel(Labels labels, const std::vector<std::string>& classes,
               const std::vector<std::string>& spellings, const std::string& source) {
  return rename_rows(std::move(labels), classes, spellings, source, "label", "the model's classes");
}

}  // namespace noiseplus
