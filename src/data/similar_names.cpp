#include <map>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// In lower case, without blanks at the ends and with one blank for several.
std::string folded(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (is_blank(c)) {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

}  // namespace

std::vector<std::string> find_similar_names(const std::vector<std::string>& classes,
                                            const std::string& what) {
  constexpr std::size_t max_sentences = 10, max_named = 5;
  std::map<std::string, std::vector<std::string>> spellings;
  for (const std::string& name : classes) spellings[folded(name)].push_back(name);
  std::vector<std::string> sentences;
  for (const auto& [name, similar] : spellings) {
    if (similar.size() < 2) continue;
    if (sentences.size() == max_sentences) break;
    std::string names;
    for (std::size_t i = 0; i < std::min(similar.size(), max_named); ++i) {
      names += (i == 0                    ? ""
                : i + 1 == similar.size() ? " and "
                                          : ", ") +
               ('\'' + similar[i] + '\'');
    }
    if (similar.size() > max_named) names += ", ...";
    sentences.push_back("the " + what + ' ' + names +
                        " differ only in case or blanks; if they mean the same, spell them alike");
  }
  return sentences;
}

}  // namespace noiseplus
