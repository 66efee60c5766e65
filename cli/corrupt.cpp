#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "labels_output.h"
#include "rates.h"

namespace noiseplus::cli {
namespace {

struct Flags {
  DataFlags data;
  std::vector<std::string> rates;
  std::string transition, output, positive;
};

std::string summary(const Labels& labels, std::span<const std::int32_t> noisy) {
  std::vector<std::size_t> rows(labels.classes.size());
  std::vector<std::size_t> changed(labels.classes.size());
  for (std::size_t n = 0; n < noisy.size(); ++n) {
    const auto clean = static_cast<std::size_t>(labels.codes[n]);
    ++rows[clean];
    changed[clean] += noisy[n] != labels.codes[n] ? 1 : 0;
  }
  std::string text;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    text += fmt::format("{}: {} of {} labels changed ({:.2f} %)\n", printable(labels.classes[c]),
                        changed[c], rows[c],
                        100.0 * static_cast<double>(changed[c]) / static_cast<double>(rows[c]));
  }
  return text;
}

}  // namespace

Run add_corrupt(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("corrupt", "Make labels noisy at known rates, for experiments");
  add_label_data(command, flags->data);
  auto* rate = command.add_option(
      "--rate", flags->rates,
      "CLASS=RATE: share of a class's labels turned into another; may be repeated");
  rate->allow_extra_args(false);
  command
      .add_option("--transition", flags->transition,
                  "File with K lines of K numbers, row = clean class, in the order of the classes")
      ->excludes(rate);
  command
      .add_option("--output", flags->output,
                  "csv: every column of DATA plus LABEL_noisy; arrays: labels only")
      ->required()
      ->check(not_empty());
  command.footer(
      "Example: noiseplus corrupt adult.csv.gz --label income --rate '>50K=0.3' --output "
      "noisy.csv");
  command.add_option("--positive", flags->positive,
                     "As for the other commands; here all classes are alike");
  return [flags, &common] {
    if (flags->rates.empty() && flags->transition.empty()) {
      throw Error(ErrorKind::usage, "how noisy? Say --rate CLASS=RATE or --transition FILE");
    }
    Outputs outputs;
    OutputFile* output = outputs.add(flags->output);
    DataRequest request = flags->data.request();
    request.with_features = false;
    const Dataset dataset = load(request, execution(common));
    check_output(dataset, "_noisy", flags->output);
    const Labels& labels = dataset.labels;
    labels.positive(flags->positive);
    const std::vector<double> matrix =
        flags->transition.empty() ? transition_of_rates(flags->rates, labels)
                                  : read_transition(Bytes::read(flags->transition),
                                                    flags->transition, labels.classes.size());
    const std::vector<std::int32_t> noisy =
        draw_labels(labels.codes, labels.classes.size(), matrix, common.seed, Stream::corrupt);
    write_new_labels(dataset, "_noisy", noisy, flags->output, *output);
    outputs.commit();
    if (!common.quiet && flags->output != "-") print(summary(labels, noisy));
  };
}

}  // namespace noiseplus::cli
