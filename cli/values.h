// What the value of a flag is, said once: help, man page, completion and the check all read it.
//
// It is the type name of CLI11's option, spelled as in a synopsis. Words in capitals stand for
// something, others are to be typed: "FILE", "N|auto", "csv|tsv". FILE, FOLDER and COLUMN are
// completed; ",..." at the end is a list of them.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace noiseplus::cli {

// One of these, and nothing else: an error says what there is.
CLI::Option* takes_one_of(CLI::Option* option, const std::vector<std::string>& choices);

std::string joined_by(const std::string& separator, const std::vector<std::string>& words);
// "a, b and c"
std::string listed(const std::vector<std::string>& words);

// "; did you mean 'audit'?" where one of the words is nearly that; else empty.
std::string spelling_hint(const std::string& word, const std::vector<std::string>& words);
// The same of the first flag that was typed and the command does not have.
std::string flag_hint(const CLI::App& command);

struct ValueKind {
  bool is_file = false, is_folder = false, is_column = false, is_list = false;
  std::vector<std::string> choices;
};

ValueKind kind_of_value(const std::string& value);

}  // namespace noiseplus::cli
