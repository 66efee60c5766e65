#include <algorithm>

#include "noiseplus/data.h"

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

[[noreturn]] void throw_unknown(const Labels& labels, std::size_t code, const Labels& known,
                                const std::string& source) {
  const auto first =
      std::find(labels.codes.begin(), labels.codes.end(), static_cast<std::int32_t>(code));
  const auto row = static_cast<std::size_t>(first - labels.codes.begin()) + 1;
  throw Error(ErrorKind::data, source + ": row " + std::to_string(row) + ": the label '" +
                                   labels.spellings[code] + "' is none of the model's classes " +
                                   listed(known.classes) +
                                   "; correct the label or leave out the row");
}

}  // namespace

Labels relabel(Labels labels, const std::vector<std::string>& classes,
               const std::vector<std::string>& spellings, const std::string& source) {
  const Labels known{{}, classes, spellings};
  std::vector<std::int32_t> code_of(labels.classes.size(), -1);
  for (std::size_t c = 0; c < labels.classes.size(); ++c) {
    // As written first: where classes are texts, "1" and "1.0" are two of them, and labels that all
    // happen to be numbers have lost that in their names.
    std::optional<std::size_t> found = known.find(labels.spellings[c]);
    if (!found) found = known.find(labels.classes[c]);
    if (found) {
      code_of[c] = static_cast<std::int32_t>(*found);
    } else if (labels.count(static_cast<std::int32_t>(c)) > 0) {
      throw_unknown(labels, c, known, source);
    }
  }
  for (std::int32_t& code : labels.codes) code = code_of[static_cast<std::size_t>(code)];
  labels.classes = classes;
  labels.spellings = spellings;
  return labels;
}

}  // namespace noiseplus
