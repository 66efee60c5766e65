// A cell: one draw of the noise in one setting of one data set, with all methods that are compared
// on it. Cells are what is computed, stored and not computed again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/sets/known_rows.h"

namespace noiseplus {

struct Cell {
  std::string table, dataset, setting;
  std::uint64_t seed = 0;

  // "table1-adult-0.2-0.4-seed3"
  std::string name() const;
};

struct Measured {
  std::string method;
  std::string metric;  // "accuracy", "violation": in per cent; "gap": PA - NA
  double value = 0;
};

struct CellResult {
  std::vector<Measured> measured;
  // What else is to be told: "claim" is 1 where auto claimed the right class, -1 the wrong one, 0
  // none; "paper unsuccessful", "not identified" are 1 where it was so; "gap left": highest minus
  // lowest share of wrong labels of a class after balancing.
  std::map<std::string, double> facts = {};

  void add(std::string method, std::string metric, double value) {
    measured.push_back({std::move(method), std::move(metric), value});
  }
};

// A number that changes when the rows, the labels or the groups do.
std::uint64_t fingerprint(const KnownRows& set);
// ... and when any of these texts and numbers do.
std::uint64_t fingerprint(std::uint64_t so_far, std::string_view text);
std::uint64_t fingerprint(std::uint64_t so_far, std::span<const std::int32_t> codes);

// As stored. parse_cell gives nothing for any text that is not a cell stored with this fingerprint,
// whatever it is.
std::string cell_text(const CellResult& result, std::uint64_t fingerprint);
std::optional<CellResult> parse_cell(std::string_view text, std::uint64_t fingerprint);

// A folder of finished cells, one file each.
class CellStore {
 public:
  // Makes the folder where it is missing; throws io when it cannot.
  explicit CellStore(std::string folder);

  // Nothing where the cell is not there, was of other data, or its file is damaged.
  std::optional<CellResult> find(const Cell& cell, std::uint64_t fingerprint) const;
  void keep(const Cell& cell, std::uint64_t fingerprint, const CellResult& result) const;

 private:
  std::string folder_;
};

}  // namespace noiseplus
