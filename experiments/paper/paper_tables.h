// What the paper published: the settings of its tables and the numbers in them. The files are in
// experiments/paper/ and part of the program.
//
// Settings are spelled "0.2:0.4", which is e-:e+ of two classes or e_a:e_b of two groups; "gap0.2"
// of the paper's random matrices; or the name of somebody's labels. Every number is in per cent.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace noiseplus {

struct PublishedNumber {
  double mean = 0;
  std::optional<double> deviation;
};

struct PaperSetting {
  std::string dataset, setting;
  // (method, metric) -> number; empty where the paper has no such row.
  std::map<std::pair<std::string, std::string>, PublishedNumber> published = {};
};

// "table1" .. "table4", in the order of the paper. Throws usage for other names.
const std::vector<PaperSetting>& paper_table(const std::string& name);

// What the paper says; nothing where it is silent.
std::optional<PublishedNumber> published_number(const std::string& table,
                                                const std::string& dataset,
                                                const std::string& setting,
                                                const std::string& method,
                                                const std::string& metric);

// The two rates of "0.2:0.4" and the gap of "gap0.2"; nothing for settings of another form.
std::optional<std::pair<double, double>> rates_of_setting(std::string_view setting);
std::optional<double> gap_of_setting(std::string_view setting);

// Whether two spellings mean one setting: "0:.1" is "0.0:0.1".
bool is_same_setting(std::string_view one, std::string_view other);

// One of the files, as csv.
std::string_view paper_file(const std::string& table);

}  // namespace noiseplus
