#include <memory>
#include <optional>

#include "commands.h"

namespace noiseplus::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> files;
  std::string output, title;
  std::optional<std::uint64_t> max_unpacked;
};

}  // namespace

Run add_report(CLI::App& app, const CommonFlags&) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App& command =
      *app.add_subcommand("report", "Make a page to look at from results that were saved as JSON");
  command
      .add_option("FILE", flags->files,
                  "What audit, balance, train or evaluate wrote with --json: one audit or "
                  "balancing, one training, one evaluation or two (before and after)")
      ->required()
      ->type_name("FILE");
  add_max_unpacked(command, flags->max_unpacked);
  begin_group(command, "Output");
  command.add_option("-o,--output", flags->output, "File for the page; - is standard output")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--title", flags->title, "Title of the page")
      ->type_name("TEXT")
      ->default_str("what it is about");
  command.footer("Example: noiseplus report audit.json before.json after.json -o report.html");
  return [flags] {
    refuse_shared_input(flags->files);
    Outputs outputs;
    OutputFile* output = outputs.add_beside(flags->output, flags->files);
    std::vector<PageDocument> documents;
    for (const std::string& file : flags->files) {
      const Bytes bytes = Bytes::read(file, {}, flags->max_unpacked);
      documents.push_back({file, std::string(bytes.view())});
    }
    output->write(to_html(documents, flags->title, page_origin()));
    outputs.commit();
  };
}

}  // namespace noiseplus::cli
