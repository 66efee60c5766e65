#include "experiments/plan.h"

#include <algorithm>

#include "experiments/paper/paper_tables.h"

namespace noiseplus {
namespace {

const std::vector<std::string> all_parts = {"table1", "table2", "table3", "table4", "figure-gap"};

}  // namespace

std::vector<std::string> parts_called(const std::string& name) {
  if (name == "all") return all_parts;
  if (std::find(all_parts.begin(), all_parts.end(), name) != all_parts.end()) return {name};
  throw Error(ErrorKind::usage, "cannot reproduce '" + name +
                                    "'; there are table1, table2, table3, table4, figure-gap and "
                                    "all");
}

std::vector<std::string> part_names() {
  std::vector<std::string> names = all_parts;
  names.emplace_back("all");
  return names;
}

std::vector<PartSetting> settings_of(const std::string& part) {
  if (part == "figure-gap") return {{"mnist", "0.3:0.1"}, {"fairface", "0.3:0.1"}};
  std::vector<PartSetting> settings;
  for (const PaperSetting& known : paper_table(part)) {
    settings.push_back({known.dataset, known.setting});
  }
  return settings;
}

bool Only::holds(const PartSetting& one) const {
  return one.dataset == dataset && (setting.empty() || is_same_setting(one.setting, setting));
}

Only parse_only(const std::string& text, std::span<const std::string> parts) {
  const std::size_t colon = text.find(':');
  Only only{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
  std::vector<std::string> datasets, settings;
  for (const std::string& part : parts) {
    for (const PartSetting& one : settings_of(part)) {
      if (only.holds(one)) return only;
      datasets.push_back(one.dataset);
      if (one.dataset == only.dataset) settings.push_back(one.setting);
    }
  }
  std::vector<std::string>& known = settings.empty() ? datasets : settings;
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::usage, "--only " + text + ": no such " +
                                    (settings.empty() ? "data set" : "setting") +
                                    " here; there are " + list);
}

std::vector<PartSetting> wanted_settings(const std::string& part, std::span<const Only> only) {
  std::vector<PartSetting> wanted = settings_of(part);
  if (only.empty()) return wanted;
  std::erase_if(wanted, [&](const PartSetting& one) {
    return std::none_of(only.begin(), only.end(),
                        [&](const Only& what) { return what.holds(one); });
  });
  return wanted;
}

}  // namespace noiseplus
