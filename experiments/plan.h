// Which cells a run asks for.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/methods/cells.h"

namespace noiseplus {

// "table1", ..., "table4", "figure-gap"; of "all" every one of them. Throws usage for other names.
std::vector<std::string> parts_called(const std::string& name);
// All that parts_called takes.
std::vector<std::string> part_names();

// Data sets and settings of a part, in the order they are shown. Those of the figure: the two
// classes' rates as e-:e+.
struct PartSetting {
  std::string dataset, setting;
};
std::vector<PartSetting> settings_of(const std::string& part);

// "adult" or "adult:0.2:0.4" or "mnist:gap0.2".
struct Only {
  std::string dataset, setting;  // no setting: all of them

  bool holds(const PartSetting& one) const;
};

// Throws usage, saying what there is, when no setting of any of the parts is meant by it.
Only parse_only(const std::string& text, std::span<const std::string> parts);

// All settings of a part that are wanted; all where `only` is empty.
std::vector<PartSetting> wanted_settings(const std::string& part, std::span<const Only> only);

}  // namespace noiseplus
