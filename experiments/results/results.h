// From cells to tables: means and standard deviations over seeds, as JSON and as Markdown with the
// paper's numbers beside ours.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/methods/cells.h"
#include "experiments/results/spread.h"

namespace noiseplus {

// One setting of one data set.
struct SettingResult {
  std::string dataset, setting;
  std::map<std::pair<std::string, std::string>, Spread> measured;  // (method, metric)
  std::map<std::string, std::vector<double>> facts;
  std::size_t seeds = 0;  // cells

  const Spread* find(const std::string& method, const std::string& metric) const;
};

struct TableResult {
  std::string name;  // "table1"
  std::vector<SettingResult> settings;
  // Of each data set: "23,374 rows, 108 columns; ..."; and data sets that are not there.
  std::map<std::string, std::string> descriptions;
  std::vector<std::string> absent;

  // Adds what a cell has measured, in the order of the calls.
  void add(const Cell& cell, const CellResult& result);
};

// One column of a table: how a method is called there.
struct MethodColumn {
  std::string method, title;
  std::string published_as;  // the paper's method it stands beside; empty: none
  bool is_rival = true;      // whether it is told nothing true: others are never the best
};

// The columns of a table, in order; of those the paper does not have the last.
std::vector<MethodColumn> columns_of(const std::string& table);

// {"rows": [{"dataset", "setting", "method", "metric", "mean", "sd", "seeds"}]}, in per cent.
std::string results_json(const TableResult& table);

// The whole page.
std::string results_markdown(const TableResult& table, const std::string& command);

}  // namespace noiseplus
