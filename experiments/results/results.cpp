#include "experiments/results/results.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace noiseplus {
namespace {

double rounded(double value) {
  constexpr double digits = 1e4;
  return std::round(value * digits) / digits;
}

using MethodAndMetric = std::pair<std::string, std::string>;

// As the columns of the table are; of the figure, which has none, as the map is.
std::vector<std::pair<MethodAndMetric, const Spread*>> in_order(const std::string& table,
                                                                const SettingResult& setting) {
  std::vector<std::pair<MethodAndMetric, const Spread*>> all;
  if (table == "figure-gap") {
    for (const auto& [what, spread] : setting.measured) all.emplace_back(what, &spread);
    return all;
  }
  for (const MethodColumn& column : columns_of(table)) {
    for (const char* const metric : {"accuracy", "violation"}) {
      if (const Spread* const spread = setting.find(column.method, metric)) {
        all.emplace_back(MethodAndMetric(column.method, metric), spread);
      }
    }
  }
  return all;
}

}  // namespace

const Spread* SettingResult::find(const std::string& method, const std::string& metric) const {
  const auto found = measured.find({method, metric});
  return found == measured.end() ? nullptr : &found->second;
}

void TableResult::add(const Cell& cell, const CellResult& result) {
  const auto is_its = [&](const SettingResult& known) {
    return known.dataset == cell.dataset && known.setting == cell.setting;
  };
  auto found = std::find_if(settings.begin(), settings.end(), is_its);
  if (found == settings.end()) {
    settings.push_back({cell.dataset, cell.setting, {}, {}, 0});
    found = settings.end() - 1;
  }
  for (const Measured& one : result.measured) {
    found->measured[{one.method, one.metric}].values.push_back(one.value);
  }
  for (const auto& [name, value] : result.facts) found->facts[name].push_back(value);
  ++found->seeds;
}

std::vector<MethodColumn> columns_of(const std::string& table) {
  if (table == "table3") {
    return {{"ce", "CE", "ce"},
            {"forward", "forward", "forward"},
            {"co-teaching", "co-teaching", "co-teaching"},
            {"balanced-ce", "CE + Noise+", "paper-ce"}};
  }
  if (table == "table4") {
    return {{"lr", "LR", "lr"},
            {"gpl", "GPL, true rates", "gpl", false},
            {"balanced-lr", "Noise+ LR", "balanced-lr"},
            {"balanced-peer", "Noise+ Peer", "balanced-peer"},
            {"noise-aware-lr", "noise-aware LR, true rates", "", false},
            {"noise-aware-lr-estimated", "noise-aware LR, auto's rates", ""},
            {"unconstrained", "no constraint", "", false},
            {"clean-lr", "clean labels", "", false}};
  }
  return {{"mis-sl", "Mis. SL", "mis-sl", false},
          {"est-sl", "Est. SL", "est-sl"},
          {"ce", "CE", "ce"},
          {"peer", "Peer", "peer"},
          {"paper-ce", "Noise+ (paper) CE", "paper-ce"},
          {"paper-peer", "Noise+ (paper) Peer", "paper-peer"},
          {"balanced-ce", "Noise+ CE", ""},
          {"balanced-peer", "Noise+ Peer", ""},
          {"oracle-ce", "oracle flip CE", "", false},
          {"clean-ce", "clean labels CE", "", false},
          {"rebalanced-ce", "paper, rebalanced CE", ""},
          {"auto-sl", "SL by auto", ""}};
}

std::string results_json(const TableResult& table) {
  const double unit = table.name == "figure-gap" ? 100 : 1;  // of a share; all else is per cent
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const SettingResult& setting : table.settings) {
    for (const auto& [what, spread] : in_order(table.name, setting)) {
      rows.push_back({{"dataset", setting.dataset},
                      {"setting", setting.setting},
                      {"method", what.first},
                      {"metric", what.second},
                      {"mean", rounded(unit * spread->mean())},
                      {"sd", rounded(unit * spread->deviation())},
                      {"seeds", spread->values.size()}});
    }
  }
  std::string text = "{\"rows\": [";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text += (row == 0 ? "\n  " : ",\n  ") + rows[row].dump();
  }
  return text + "\n]}\n";
}

}  // namespace noiseplus
