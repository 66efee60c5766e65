#include "experiments/paper/paper_tables.h"

#include <cmath>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

// "72.79±0.34" or "68.94".
PublishedNumber number_of(const std::string& text, const std::string& where) {
  constexpr std::string_view plus_minus = "±";
  const std::size_t at = text.find(plus_minus);
  const std::optional<double> mean = parse_number(text.substr(0, at));
  if (!mean) throw Error(ErrorKind::data, where + ": '" + text + "' is no number");
  if (at == std::string::npos) return {*mean, std::nullopt};
  const std::optional<double> deviation = parse_number(text.substr(at + plus_minus.size()));
  if (!deviation) throw Error(ErrorKind::data, where + ": '" + text + "' has no deviation");
  return {*mean, deviation};
}

std::vector<std::string> header_of(std::string_view csv) {
  std::vector<std::string> names;
  std::string_view line = csv.substr(0, csv.find('\n'));
  while (true) {
    const std::size_t comma = line.find(',');
    names.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    line.remove_prefix(comma + 1);
  }
}

std::string cell(const Column& column, std::size_t row) {
  const std::int32_t code = column.codes[row];
  return code < 0 ? "" : column.categories[static_cast<std::size_t>(code)];
}

std::vector<PaperSetting> read_settings(const std::string& name) {
  const std::string_view csv = paper_file(name);
  TableOptions options;
  options.text_columns = header_of(csv);
  const Table table = read_table(Bytes(std::string(csv)), name + ".csv", options);
  const Column* const metrics = table.find("metric");
  std::vector<PaperSetting> settings;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::string dataset = cell(table.column("dataset"), row);
    const std::string setting = cell(table.column("setting"), row);
    const bool continues = !settings.empty() && settings.back().dataset == dataset &&
                           settings.back().setting == setting;
    if (!continues) settings.push_back({dataset, setting});
    const std::string metric = metrics == nullptr ? "accuracy" : cell(*metrics, row);
    for (const Column& column : table.columns) {
      const bool is_method =
          column.name != "dataset" && column.name != "setting" && column.name != "metric";
      const std::string text = cell(column, row);
      if (!is_method || text.empty()) continue;
      settings.back().published[{column.name, metric}] = number_of(text, table.where(row, column));
    }
  }
  return settings;
}

}  // namespace

const std::vector<PaperSetting>& paper_table(const std::string& name) {
  static std::map<std::string, std::vector<PaperSetting>> tables;
  const auto found = tables.find(name);
  return found != tables.end() ? found->second
                               : tables.emplace(name, read_settings(name)).first->second;
}

std::optional<PublishedNumber> published_number(const std::string& table,
                                                const std::string& dataset,
                                                const std::string& setting,
                                                const std::string& method,
                                                const std::string& metric) {
  for (const PaperSetting& known : paper_table(table)) {
    if (known.dataset != dataset || known.setting != setting) continue;
    const auto found = known.published.find({method, metric});
    if (found != known.published.end()) return found->second;
  }
  return std::nullopt;
}

std::optional<std::pair<double, double>> rates_of_setting(std::string_view setting) {
  const std::size_t colon = setting.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::optional<double> first = parse_number(setting.substr(0, colon));
  const std::optional<double> second = parse_number(setting.substr(colon + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

std::optional<double> gap_of_setting(std::string_view setting) {
  constexpr std::string_view prefix = "gap";
  if (!setting.starts_with(prefix)) return std::nullopt;
  return parse_number(setting.substr(prefix.size()));
}

bool is_same_setting(std::string_view one, std::string_view other) {
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  const auto rates_one = rates_of_setting(one);
  const auto rates_other = rates_of_setting(other);
  if (rates_one && rates_other) {
    return near(rates_one->first, rates_other->first) &&
           near(rates_one->second, rates_other->second);
  }
  const std::optional<double> gap_one = gap_of_setting(one);
  const std::optional<double> gap_other = gap_of_setting(other);
  if (gap_one && gap_other) return near(*gap_one, *gap_other);
  return one == other;
}

}  // namespace noiseplus
