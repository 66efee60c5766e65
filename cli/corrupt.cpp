#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "labels_output.h"

namespace noiseplus::cli {
namespace {

struct Flags {
  DataFlags data;
  std::vector<std::string> rates;
  std::string transition, output;
};

// "VALUE=E": the class may itself hold an equals sign.
std::pair<std::string, double> parse_rate(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto rate = equals == text.npos ? std::nullopt : parse_number(text.substr(equals + 1));
  if (!rate || !(*rate >= 0 && *rate <= 1)) {
    throw Error(ErrorKind::usage, "--rate " + text + ": write CLASS=RATE with a rate from 0 to 1");
  }
  return {text.substr(0, equals), *rate};
}

std::vector<double> matrix_of_rates(const std::vector<std::string>& rates, const Labels& labels) {
  const std::size_t classes = labels.classes.size();
  if (classes < 2)
    throw Error(ErrorKind::impossible, "one class only; there is no other to turn it into");
  FlipPlan plan = FlipPlan::nothing(classes);
  std::vector<char> is_set(classes);
  for (const std::string& text : rates) {
    const auto [name, rate] = parse_rate(text);
    const auto found = labels.find(name);
    if (!found)
      throw Error(ErrorKind::usage, "--rate " + text + ": there is no class '" + name + "'");
    if (is_set[*found]++ != 0) throw Error(ErrorKind::usage, "--rate " + text + ": given twice");
    for (std::size_t to = 0; to < classes; ++to) {
      plan.flip[*found * classes + to] =
          to == *found ? 1 - rate : rate / static_cast<double>(classes - 1);
    }
  }
  return plan.flip;
}

std::string summary(const Labels& labels, std::span<const std::int32_t> noisy) {
  std::string text;
  for (std::size_t c = 0; c < labels.classes.size(); ++c) {
    std::size_t rows = 0;
    std::size_t changed = 0;
    for (std::size_t n = 0; n < noisy.size(); ++n) {
      if (labels.codes[n] != static_cast<std::int32_t>(c)) continue;
      ++rows;
      changed += noisy[n] != labels.codes[n] ? 1 : 0;
    }
    text += fmt::format("{}: {} of {} labels changed ({:.2f} %)\n", labels.classes[c], changed,
                        rows, 100.0 * static_cast<double>(changed) / static_cast<double>(rows));
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
  command
      .add_option("--transition", flags->transition,
                  "File with K lines of K numbers, row = clean class, in the order of the classes")
      ->excludes(rate);
  command
      .add_option("--output", flags->output,
                  "csv: every column of DATA plus LABEL_noisy; arrays: labels only")
      ->required();
  command.footer(
      "Example: noiseplus corrupt adult.csv.gz --label income --rate '>50K=0.3' --output "
      "noisy.csv");
  return [flags, &common] {
    if (flags->rates.empty() && flags->transition.empty()) {
      throw Error(ErrorKind::usage, "how noisy? Say --rate CLASS=RATE or --transition FILE");
    }
    Outputs outputs;
    OutputFile* output = outputs.add(flags->output);
    DataRequest request = flags->data.request();
    request.with_features = false;
    const Dataset dataset = load(request, execution(common));
    check_output_format(dataset, flags->output);
    const Labels& labels = dataset.labels;
    const std::vector<double> matrix =
        flags->transition.empty() ? matrix_of_rates(flags->rates, labels)
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
