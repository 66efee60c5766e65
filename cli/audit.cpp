#include <chrono>
#include <memory>

#include "commands.h"

namespace noiseplus::cli {
namespace {

struct Flags {
  DataFlags data;
  AuditOptions audit;
  std::string json;
};

}  // namespace

Run add_audit(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("audit", "Say which class has the noisier labels, by how much");
  add_data(command, flags->data);
  add_audit_options(command, flags->audit);
  command.add_option("--json", flags->json, "Write the result as JSON; - is standard output")
      ->check(not_empty());
  command.footer("Example: noiseplus audit adult.csv.gz --label income --json audit.json");
  return [flags, &common] {
    Outputs outputs;
    OutputFile* json = outputs.add_beside(flags->json, {flags->data.path, flags->data.labels});
    const Execution execution = cli::execution(common);
    AuditOptions options = flags->audit;
    options.seed = common.seed;
    const auto start = std::chrono::steady_clock::now();
    const Dataset dataset = load(flags->data.request(), execution);
    const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - start;
    AuditReport report = audit(dataset, options, execution);
    report.seconds.read = reading.count();
    clear_progress();
    if (json != nullptr) json->write(to_json(report));
    outputs.commit();
    if (!common.quiet && flags->json != "-") print(to_text(report));
  };
}

}  // namespace noiseplus::cli
