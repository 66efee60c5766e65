#include "values.h"

#include <algorithm>

#include "core/messages.h"

namespace noiseplus::cli {

CLI::Option* takes_one_of(CLI::Option* option, const std::vector<std::string>& choices) {
  const auto check = [choices](const std::string& text) {
    const bool is_known = std::find(choices.begin(), choices.end(), text) != choices.end();
    return is_known ? std::string() : "there is no '" + text + "'; there are " + listed(choices);
  };
  return option->type_name(joined_by("|", choices))->check(CLI::Validator(check, ""));
}

std::string joined_by(const std::string& separator, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

std::string spelling_hint(const std::string& word, const std::vector<std::string>& words) {
  return did_you_mean(word, {words.begin(), words.end()});
}

std::string flag_hint(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& word : command.remaining()) {
    if (word.starts_with("--")) return spelling_hint(word.substr(0, word.find('=')), names);
  }
  return "";
}

ValueKind kind_of_value(const std::string& value) {
  const std::string list_mark = ",...";
  ValueKind kind;
  kind.is_list = value.ends_with(list_mark);
  const std::string one = kind.is_list ? value.substr(0, value.size() - list_mark.size()) : value;
  for (std::size_t begin = 0; begin <= one.size();) {
    const std::size_t end = std::min(one.find('|', begin), one.size());
    const std::string word = one.substr(begin, end - begin);
    kind.is_file |= word == "FILE";
    kind.is_folder |= word == "FOLDER";
    kind.is_column |= word == "COLUMN";
    const bool is_typed =
        !word.empty() && word.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == word.npos;
    if (is_typed) kind.choices.push_back(word);
    begin = end + 1;
  }
  return kind;
}

}  // namespace noiseplus::cli
