// The flags that several commands share, and what they mean to the library.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "noiseplus/data.h"
#include "noiseplus/report.h"
#include "outputs.h"
#include "page_origin.h"
#include "progress.h"
#include "terminal.h"
#include "values.h"

namespace noiseplus::cli {

// The headings of --help. What is added to a command from here on stands under this one.
void begin_group(CLI::App& command, const std::string& name);
inline const std::string common_group = "Common";

struct CommonFlags {
  std::uint64_t seed = 0;
  unsigned threads = 0;
  bool quiet = false;
};

void add_common(CLI::App& command, CommonFlags& flags);
// Part of add_common; for commands that compute nothing.
void add_help(CLI::App& command);

struct DataFlags {
  std::string path, format, label, labels, groups_file, probabilities, missing_label = "drop";
  std::optional<char> delimiter;
  std::vector<std::string> features, drop, missing, groups;
  bool no_header = false, scale = false, no_scale = false;
  std::optional<std::uint64_t> max_unpacked;

  DataRequest request() const;
  // Every file that is read.
  std::vector<std::string> files() const { return {path, labels, groups_file, probabilities}; }
  // The same without a table, which an output may replace because it has all that was in it.
  std::vector<std::string> files_to_keep() const;
};

void add_data(CLI::App& command, DataFlags& flags);
// Only what says where the labels are, for commands that look at nothing else.
void add_label_data(CLI::App& command, DataFlags& flags);
// Only where the rows are, for commands that know all else.
void add_rows(CLI::App& command, DataFlags& flags);
// Part of add_rows; for commands that read other files.
void add_max_unpacked(CLI::App& command, std::optional<std::uint64_t>& max_unpacked);
// For commands that treat groups of rows.
void add_group(CLI::App& command, DataFlags& flags);
// Part of add_data; for commands that do not take all of it.
void add_missing(CLI::App& command, DataFlags& flags);

// Out-of-fold probabilities of the user's own model. With `data_is_optional` DATA may be left out
// where they are given; call it after add_data.
void add_probabilities(CLI::App& command, DataFlags& flags, bool data_is_optional);
// Throws usage when DATA is left out and what is there cannot stand in for it.
void check_data_is_there(const CLI::App& command, const DataFlags& flags);
// The file of --probabilities, read and made the options'; empty where there is none. The result
// must outlive the options.
Matrix read_probabilities(const DataFlags& flags, const Dataset& dataset,
                          const Execution& execution, AuditOptions& options);

void add_audit_options(CLI::App& command, AuditOptions& options);

// For commands whose result can be looked at.
void add_html(CLI::App& command, std::string& path);
// For commands that write labels as csv for people to open.
void add_escape_formulas(CLI::App& command, bool& escapes_formulas);
// The page of one report, as JSON. `data` is the file that the command has read.
std::string page_of(const std::string& name, const std::string& json, const std::string& data);

// Execution with a progress line on a terminal, stopped by Ctrl-C. `data` is the file that is read,
// if it is one.
Execution execution(const CommonFlags& flags, const std::string& data = "");

// For options whose empty value would be a mistake.
CLI::Validator not_empty();

// From 0 on; CLI11's own reads -1 as a very large number and 010 as 8.
CLI::Validator whole_number();

// Finite ones; CLI11's own would list the digits of the largest double.
CLI::Validator number_from_zero();
CLI::Validator number_above_zero();

// Bytes: a number, with K, M, G or T for powers of 1000.
std::optional<std::uint64_t> parse_size(const std::string& text);

// Throws usage when two of them are "-": standard input can be read once.
void refuse_shared_input(const std::vector<std::string>& inputs);

}  // namespace noiseplus::cli
