#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "commands.h"

namespace noiseplus::cli {
namespace {

struct AuditFlags {
  DataFlags data;
  AuditOptions audit;
  std::string json, rows;
};

// A line for each row of the data: its label, a better one, and how likely the label is right.
std::string rows_csv(const Dataset& dataset, const LabelQuality& quality) {
  std::string text = "row,given,suggested,probability\n";
  const Labels& labels = dataset.labels;
  const auto cell = [&](std::int32_t code) {
    return csv_cell(labels.spellings[static_cast<std::size_t>(code)], ',');
  };
  for (std::size_t n = 0; n < quality.right.size(); ++n) {
    text += fmt::format("{},{},{},{:.6f}\n", n + 1, cell(labels.codes[n]),
                        cell(quality.suggested[n]), quality.right[n]);
  }
  return text;
}

}  // namespace

Run add_audit(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<AuditFlags>();
  CLI::App& command =
      *app.add_subcommand("audit", "Say which class or group has the noisier labels, by how much");
  add_data(command, flags->data);
  add_group(command, flags->data);
  add_audit_options(command, flags->audit);
  begin_group(command, "Output");
  command.add_option("--json", flags->json, "Write the result as JSON; - is standard output")
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--rows", flags->rows,
                  "Write csv: each row's label, the likeliest one, and the probability that the "
                  "given one is right; - is standard output")
      ->type_name("FILE")
      ->check(not_empty());
  command.footer("Example: noiseplus audit adult.csv.gz --label income --json audit.json");
  return [flags, &common] {
    Outputs outputs;
    refuse_shared_input(flags->data.files());
    OutputFile* json = outputs.add_beside(flags->json, flags->data.files());
    OutputFile* rows = outputs.add_beside(flags->rows, flags->data.files());
    const Execution execution = cli::execution(common, flags->data.path);
    AuditOptions options = flags->audit;
    options.seed = common.seed;
    options.judge_rows = rows != nullptr;
    const auto start = std::chrono::steady_clock::now();
    const Dataset dataset = load(flags->data.request(), execution);
    const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - start;
    AuditReport report = audit(dataset, options, execution);
    report.seconds.read = reading.count();
    clear_progress();
    if (json != nullptr) json->write(to_json(report));
    if (rows != nullptr) rows->write(rows_csv(dataset, report.quality));
    outputs.commit();
    if (!common.quiet && flags->json != "-" && flags->rows != "-")
      print(to_text(report, style_of_output()));
  };
}

}  // namespace noiseplus::cli
