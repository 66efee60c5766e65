#include <chrono>
#include <memory>

#include "commands.h"
#include "giveaway_hint.h"
#include "labels_output.h"

namespace noiseplus::cli {
namespace {

struct BalanceFlags {
  DataFlags data;
  BalanceOptions options;
  std::string output, json, html;
};

}  // namespace

Run add_balance(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<BalanceFlags>();
  CLI::App& command = *app.add_subcommand(
      "balance",
      "Flip a few labels of the cleaner classes or groups, so that all are equally noisy");
  add_data(command, flags->data);
  add_audit_options(command, flags->options.audit);
  add_group(command, flags->data);
  add_probabilities(command, flags->data, true);
  begin_group(command, "Balancing");
  takes_one_of(command.add_option("--scope", flags->options.scope, "What is made equally noisy"),
               option_values("scope"))
      ->default_str("class, or group with --group");
  takes_one_of(command.add_option("--method", flags->options.method, "How flips are found"),
               option_values("method"))
      ->capture_default_str();
  command.add_flag("--force", flags->options.force,
                   "Flip even where the difference is not significant");
  begin_group(command, "Output");
  command
      .add_option("--output", flags->output,
                  "csv: every column of DATA plus LABEL_balanced; arrays: labels only")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--json", flags->json,
                  "Write the audit and what was flipped; - is standard output")
      ->type_name("FILE")
      ->check(not_empty());
  add_html(command, flags->html);
  command.footer("Example: noiseplus balance adult.csv.gz --label income --output balanced.csv");
  return [flags, &common, &command] {
    check_data_is_there(command, flags->data);
    Outputs outputs;
    refuse_shared_input(flags->data.files());
    OutputFile* output = outputs.add_beside(flags->output, flags->data.files_to_keep());
    OutputFile* json = outputs.add_beside(flags->json, flags->data.files());
    OutputFile* html = outputs.add_beside(flags->html, flags->data.files());
    const Execution execution = cli::execution(common, flags->data.path);
    flags->options.audit.seed = common.seed;
    const auto start = std::chrono::steady_clock::now();
    const Dataset dataset = load(flags->data.request(), execution);
    const Matrix probabilities =
        read_probabilities(flags->data, dataset, execution, flags->options.audit);
    const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - start;
    check_output(dataset, "_balanced", flags->output);
    BalanceResult balanced = balance(dataset, flags->options, execution);
    balanced.report.seconds.read = reading.count();
    write_new_labels(dataset, "_balanced", balanced.codes, flags->output, *output, execution);
    clear_progress();
    if (json != nullptr) json->write(to_json(balanced.report));
    if (html != nullptr) {
      html->write(page_of("balance.json", to_json(balanced.report), flags->data.path));
    }
    outputs.commit(common.quiet ? ""
                                : to_text(balanced.report, style_of_output()) +
                                      giveaway_hint(balanced.report));
  };
}

}  // namespace noiseplus::cli
