// The tables and figures of the paper, computed again.
#include "experiments/reproduce.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands.h"
#include "exit_code.h"
#include "experiments/plan.h"
#include "report/text_table.h"
#include "standard_streams.h"

namespace noiseplus::cli {
namespace {

struct ReproduceFlags {
  ReproduceOptions options;
  std::vector<std::string> features;
};

// "cifar10=FILE"
void read_features(const std::vector<std::string>& texts, SetFolders& folders) {
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string dataset = text.substr(0, equals);
    const bool is_known = dataset == "cifar10" || dataset == "cifar10n" || dataset == "clothing1m";
    if (equals == std::string::npos || equals + 1 == text.size() || !is_known) {
      throw Error(
          ErrorKind::usage,
          "--features " + text + ": give cifar10=FILE.npy, cifar10n=FILE.npy or clothing1m=FOLDER");
    }
    folders.features[dataset] = text.substr(equals + 1);
  }
}

bool is_shown(const std::string& method) {
  return method == "ce" || method == "lr" || method == "paper-ce" ||
         method.starts_with("balanced") || method.starts_with("clean");
}

// The mean over the settings of a data set, or nothing.
std::string mean_text(const std::vector<const SettingResult*>& settings, const std::string& method,
                      const std::string& metric) {
  Spread means;
  for (const SettingResult* setting : settings) {
    const Spread* const spread = setting->find(method, metric);
    if (spread != nullptr) means.values.push_back(spread->mean());
  }
  return means.values.empty() ? "" : fmt::format("{:.1f}", means.mean());
}

// A line a data set, a column a method.
std::string summary(const TableResult& table, const std::string& metric) {
  std::map<std::string, std::vector<const SettingResult*>> of_dataset;
  for (const SettingResult& setting : table.settings) {
    of_dataset[setting.dataset].push_back(&setting);
  }
  std::vector<std::string> headings = {"data set", "settings"};
  std::vector<std::string> methods;
  for (const MethodColumn& column : columns_of(table.name)) {
    const bool is_there =
        std::any_of(of_dataset.begin(), of_dataset.end(), [&](const auto& dataset) {
          return !mean_text(dataset.second, column.method, metric).empty();
        });
    if (!is_there || !is_shown(column.method)) continue;
    headings.push_back(column.title);
    methods.push_back(column.method);
  }
  TextTable text(headings);
  for (const auto& [dataset, settings] : of_dataset) {
    std::vector<TextCell> cells = {{dataset}, {std::to_string(settings.size())}};
    for (const std::string& method : methods)
      cells.push_back({mean_text(settings, method, metric)});
    text.add(std::move(cells));
  }
  return text.text(style_of_output());
}

std::string text_of(const Reproduced& done) {
  std::string text;
  for (const TableResult& table : done.tables) {
    if (table.settings.empty() || table.name == "figure-gap") continue;
    const std::string metric = table.name == "table4" ? "violation" : "accuracy";
    text += inked(fmt::format("{}, mean {} over settings, per cent", table.name, metric),
                  Ink::strong, style_of_output()) +
            '\n' + summary(table, metric) + '\n';
  }
  text +=
      fmt::format("{} cells computed, {} found finished. Written:\n", done.computed, done.reused);
  for (const std::string& file : done.files) text += "  " + printable(file) + '\n';
  return text;
}

}  // namespace

Run add_reproduce(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<ReproduceFlags>();
  ReproduceOptions& options = flags->options;
  options.folders.data = "data";
  CLI::App& command =
      *app.add_subcommand("reproduce", "Compute the tables and figures of the Noise+ paper again");
  takes_one_of(
      command.add_option("WHAT", options.what, "One of " + listed(part_names()))->required(),
      part_names());
  command
      .add_option("--data", options.folders.data,
                  "Folder that holds adult, compas, fairface, mnist, cifar10n, clothing1m")
      ->type_name("FOLDER")
      ->capture_default_str();
  command.add_option("--seeds", options.seeds, "How many draws of each setting")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command
      .add_option(
          "--only", options.only,
          "Some settings only, such as adult, adult:0.2:0.4 or mnist:gap0.2; may be repeated")
      ->type_name("DATASET[:SETTING]")
      ->allow_extra_args(false);
  command
      .add_option("--features", flags->features,
                  "Other features: cifar10=FILE.npy, cifar10n=FILE.npy or clothing1m=FOLDER")
      ->type_name("NAME=PATH")
      ->allow_extra_args(false);
  command
      .add_option("--output", options.output,
                  "Folder for tables, figure and finished cells, which are not computed again")
      ->type_name("FOLDER")
      ->check(not_empty())
      ->capture_default_str();
  command.footer("Example: noiseplus reproduce table1 --data data --only adult --output results");
  return [flags, &common] {
    ReproduceOptions asked = flags->options;
    asked.seed = common.seed;
    read_features(flags->features, asked.folders);
    reproduce(asked, execution(common), [&common](const Reproduced& done) {
      throw_if_mapped_file_was_cut();
      print_warnings(done.warnings);
      if (!common.quiet && !is_standard_output_closed()) print(text_of(done));
    });
  };
}

}  // namespace noiseplus::cli
