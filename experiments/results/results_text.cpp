#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/paper/paper_tables.h"
#include "experiments/results/results.h"

namespace noiseplus {
namespace {

std::string title_of(const std::string& table) {
  if (table == "table1") return "Table 1: two classes, one noisier than the other";
  if (table == "table2") return "Table 2: ten classes, two of them less noisy than the others";
  if (table == "table3") return "Table 3: labels that people got wrong";
  return "Table 4: equalized odds, one group noisier than the other";
}

std::string called(const std::string& dataset) {
  if (dataset == "adult") return "Adult";
  if (dataset == "compas") return "COMPAS";
  if (dataset == "fairface") return "FairFace";
  if (dataset == "mnist") return "MNIST";
  if (dataset == "cifar10") return "CIFAR-10";
  if (dataset == "cifar10n") return "CIFAR-10N";
  if (dataset == "clothing1m") return "Clothing1M";
  return dataset;
}

bool is_better(double value, double than, const std::string& metric) {
  return metric == "violation" ? value < than : value > than;
}

// The best mean, as shown, of the methods that are in the contest and have a value for every seed.
std::string best_text(const std::vector<MethodColumn>& columns, const SettingResult& setting,
                      const std::string& metric) {
  const Spread* best = nullptr;
  for (const MethodColumn& column : columns) {
    const Spread* const spread = setting.find(column.method, metric);
    if (!column.is_rival || spread == nullptr || spread->values.size() < setting.seeds) continue;
    if (best == nullptr || is_better(spread->mean(), best->mean(), metric)) best = spread;
  }
  return best == nullptr ? "" : fmt::format("{:.2f}", best->mean());
}

std::string number_text(const std::string& table, const SettingResult& setting,
                        const MethodColumn& column, const std::string& metric,
                        const std::string& best) {
  const Spread* const spread = setting.find(column.method, metric);
  std::string text = "-";
  if (spread != nullptr) {
    const std::string mean = fmt::format("{:.2f}", spread->mean());
    const bool is_complete = spread->values.size() == setting.seeds;
    text = column.is_rival && is_complete && mean == best ? "**" + mean + "**" : mean;
    if (spread->values.size() > 1) text += fmt::format(" ± {:.2f}", spread->deviation());
    if (!is_complete) text += fmt::format(", {} of {} seeds", spread->values.size(), setting.seeds);
  }
  const std::optional<PublishedNumber> published =
      published_number(table, setting.dataset, setting.setting, column.published_as, metric);
  return published ? text + fmt::format(" ({:.2f})", published->mean) : text;
}

std::size_t how_many(const SettingResult& setting, const std::string& fact, double value) {
  const auto found = setting.facts.find(fact);
  if (found == setting.facts.end()) return 0;
  return static_cast<std::size_t>(std::count(found->second.begin(), found->second.end(), value));
}

// "3 right, 2 silent (1 not identified)"
std::string claims_text(const SettingResult& setting) {
  if (!setting.facts.contains("claim")) return "-";
  std::string text;
  const auto add = [&](double value, const char* word) {
    const std::size_t count = how_many(setting, "claim", value);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  };
  add(1, "right");
  add(-1, "wrong");
  add(0, "silent");
  const std::size_t unknown = how_many(setting, "not identified", 1);
  if (unknown > 0) text += fmt::format(" ({} not identified)", unknown);
  return text;
}

std::string search_text(const SettingResult& setting) {
  if (setting.seeds == 0) return "-";
  const std::size_t failed = how_many(setting, "paper unsuccessful", 1);
  return failed == 0 ? "found" : fmt::format("unsuccessful in {} of {}", failed, setting.seeds);
}

std::string setting_cells(const SettingResult& setting) {
  const auto rates = rates_of_setting(setting.setting);
  if (!rates) return "| " + setting.setting + " ";
  return fmt::format("| {:.1f} | {:.1f} ", rates->first, rates->second);
}

std::string heading(const TableResult& table, const SettingResult& first) {
  const bool has_rates = rates_of_setting(first.setting).has_value();
  std::string names = !has_rates               ? "| setting "
                      : table.name == "table4" ? "| e_a | e_b "
                                               : "| e- | e+ ";
  std::string rule = has_rates ? "|---|---" : "|---";
  if (table.name == "table4") {
    names += "| metric ";
    rule += "|---";
  }
  for (const MethodColumn& column : columns_of(table.name)) {
    names += "| " + column.title + " ";
    rule += "|---";
  }
  names += "| auto says ";
  rule += "|---";
  if (table.name == "table1" || table.name == "table2") {
    names += "| paper's search ";
    rule += "|---";
  }
  return names + "|\n" + rule + "|\n";
}

std::string rows_text(const TableResult& table, const SettingResult& setting) {
  const std::vector<MethodColumn> columns = columns_of(table.name);
  const bool is_fair = table.name == "table4";
  std::string text;
  for (const std::string metric : {"accuracy", "violation"}) {
    if (metric == "violation" && !is_fair) break;
    const std::string best = best_text(columns, setting, metric);
    text += setting_cells(setting);
    if (is_fair) text += "| " + metric + " ";
    for (const MethodColumn& column : columns) {
      text += "| " + number_text(table.name, setting, column, metric, best) + " ";
    }
    text += "| " + (metric == "accuracy" ? claims_text(setting) : "") + " ";
    if (table.name == "table1" || table.name == "table2") {
      text += "| " + search_text(setting) + " ";
    }
    text += "|\n";
  }
  return text;
}

}  // namespace

std::string results_markdown(const TableResult& table, const std::string& command) {
  std::string text =
      "# " + title_of(table.name) + "\n\n    " + command +
      "\n\nPer cent on clean test rows, mean ± standard deviation over seeds; in "
      "brackets what the paper printed; bold is the best of the methods that are told "
      "nothing true";
  text += table.name == "table4" ? " and are constrained.\n" : ".\n";
  std::string dataset;
  for (const SettingResult& setting : table.settings) {
    if (setting.dataset != dataset) {
      dataset = setting.dataset;
      text += "\n## " + called(dataset) + "\n\n";
      const auto described = table.descriptions.find(dataset);
      if (described != table.descriptions.end()) text += described->second + "\n\n";
      text += heading(table, setting);
    }
    text += rows_text(table, setting);
  }
  for (const std::string& absent : table.absent) {
    text += "\n## " + called(absent) + "\n\nNot at hand: the paper's numbers only.\n\n";
    bool has_heading = false;
    for (const PaperSetting& known : paper_table(table.name)) {
      if (known.dataset != absent) continue;
      const SettingResult nothing{known.dataset, known.setting, {}, {}, 0};
      if (!has_heading) text += heading(table, nothing);
      has_heading = true;
      text += rows_text(table, nothing);
    }
  }
  return text;
}

}  // namespace noiseplus
