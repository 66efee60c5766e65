#include <chrono>
#include <memory>
#include <optional>

#include "commands.h"
#include "giveaway_hint.h"
#include "quality_output.h"

namespace noiseplus::cli {
namespace {

struct AuditFlags {
  DataFlags data;
  AuditOptions audit;
  std::string json, rows, suspects_file, html;
  bool escapes_formulas = false;
  std::optional<std::size_t> suspects;
};

// Who wants a page wants to see rows, unless these are not all looked at.
void choose_details(const AuditFlags& flags, AuditOptions& options) {
  constexpr std::size_t usual_suspects = 1000;
  const bool sampled = options.anchors != 0 || options.precision;
  const bool has_page = !flags.html.empty();
  if (flags.suspects && flags.json.empty() && !has_page) {
    throw Error(ErrorKind::usage, "--suspects goes into --json or --html; give one of them");
  }
  options.suspects = flags.suspects.value_or(has_page && !sampled ? usual_suspects : 0);
  options.agreements = !sampled && (has_page || options.suspects > 0);
}

}  // namespace

Run add_audit(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<AuditFlags>();
  CLI::App& command =
      *app.add_subcommand("audit", "Say which class or group has the noisier labels, by how much");
  add_data(command, flags->data);
  add_group(command, flags->data);
  add_probabilities(command, flags->data, true);
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
  command
      .add_option("--suspects-file", flags->suspects_file,
                  "Write csv: the rows of which another label is likelier, most suspicious first, "
                  "with all columns of DATA; - is standard output")
      ->type_name("FILE")
      ->check(not_empty());
  add_escape_formulas(command, flags->escapes_formulas);
  add_html(command, flags->html);
  command
      .add_option("--suspects", flags->suspects,
                  "Put so many of the rows most likely mislabeled, up to 1000, into JSON and page")
      ->type_name("N")
      ->default_str("1000 with --html, else 0")
      ->check(whole_number());
  command.footer("Example: noiseplus audit adult.csv.gz --label income --json audit.json");
  return [flags, &common, &command] {
    check_data_is_there(command, flags->data);
    Outputs outputs;
    refuse_shared_input(flags->data.files());
    OutputFile* json = outputs.add_beside(flags->json, flags->data.files());
    OutputFile* rows = outputs.add_beside(flags->rows, flags->data.files());
    OutputFile* suspects = outputs.add_beside(flags->suspects_file, flags->data.files());
    OutputFile* html = outputs.add_beside(flags->html, flags->data.files());
    const Execution execution = cli::execution(common, flags->data.path);
    AuditOptions options = flags->audit;
    options.seed = common.seed;
    options.judge_rows = rows != nullptr || suspects != nullptr;
    choose_details(*flags, options);
    const auto start = std::chrono::steady_clock::now();
    const Dataset dataset = load(flags->data.request(), execution);
    if (suspects != nullptr) check_suspects_file(dataset, flags->suspects_file);
    const Matrix probabilities = read_probabilities(flags->data, dataset, execution, options);
    const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - start;
    AuditReport report = audit(dataset, options, execution);
    report.seconds.read = reading.count();
    if (rows != nullptr) {
      write_rows(dataset, report.quality, flags->escapes_formulas, *rows, execution);
    }
    if (suspects != nullptr) {
      write_suspects(dataset, report.quality, flags->escapes_formulas, *suspects, execution);
    }
    clear_progress();
    if (json != nullptr) json->write(to_json(report));
    if (html != nullptr) html->write(page_of("audit.json", to_json(report), flags->data.path));
    outputs.commit(common.quiet ? "" : to_text(report, style_of_output()) + giveaway_hint(report));
  };
}

}  // namespace noiseplus::cli
