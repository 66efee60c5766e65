#include <fmt/format.h>

#include <memory>
#include <optional>

#include "commands.h"
#include "core/format.h"
#include "labels_output.h"
#include "rates.h"
#include "report/class_matrix.h"
#include "report/text_table.h"

namespace noiseplus::cli {
namespace {

struct CorruptFlags {
  DataFlags data;
  std::vector<std::string> rates, group_rates;
  std::optional<double> random_gap;
  std::string transition, output, transition_output, positive;
};

// How labels become noisy: one matrix, or one for each group.
struct Noise {
  bool by_group = false;
  std::vector<double> matrices;
};

Noise noise_of(const CorruptFlags& flags, const Dataset& dataset, std::uint64_t seed,
               const Execution& execution) {
  const Labels& labels = dataset.labels;
  const std::size_t classes = labels.classes.size();
  if (!flags.group_rates.empty()) {
    return {true, transitions_of_groups(flags.group_rates, dataset.groups, labels)};
  }
  if (flags.random_gap) {
    check_noise_classes(labels);
    return {false, random_gap_transition(classes, *flags.random_gap, seed)};
  }
  if (flags.transition.empty()) return {false, transition_of_rates(flags.rates, labels)};
  return {false, read_transition(Bytes::read(flags.transition, execution, flags.data.max_unpacked),
                                 flags.transition, classes)};
}

// Of each class, or group: how many of its labels were changed.
std::string summary(const std::string& kind, const Labels& kinds, const Labels& labels,
                    std::span<const std::int32_t> noisy) {
  std::vector<std::size_t> rows(kinds.classes.size());
  std::vector<std::size_t> changed(kinds.classes.size());
  for (std::size_t n = 0; n < noisy.size(); ++n) {
    const auto of = static_cast<std::size_t>(kinds.codes[n]);
    ++rows[of];
    changed[of] += noisy[n] != labels.codes[n] ? 1 : 0;
  }
  TextTable table({kind, "labels", "changed", "share"});
  for (std::size_t c = 0; c < rows.size(); ++c) {
    table.add({{short_name(kinds.classes[c])},
               {with_thousands(rows[c])},
               {with_thousands(changed[c])},
               {percent(static_cast<double>(changed[c]) / static_cast<double>(rows[c]))}});
  }
  return table.text(style_of_output());
}

// More classes than this do not fit in 80 columns.
constexpr std::size_t max_columns = 10;

std::string matrix_text(const std::vector<double>& matrix,
                        const std::vector<std::string>& classes) {
  if (classes.size() > max_columns) {
    return "\nThe matrix is too wide to show; see --transition-output\n";
  }
  std::vector<std::string> cells;
  cells.reserve(matrix.size());
  for (const double share : matrix) cells.push_back(fmt::format("{:.3f}", share));
  return "\nNoise put in, row = clean class, column = noisy label:\n" +
         class_matrix_text("class", classes, cells, 0, style_of_output());
}

// The matrix in the form that --transition reads; of groups one after the other, in their order.
std::string transition_file(const Noise& noise, std::size_t classes) {
  const std::size_t size = classes * classes;
  std::string text;
  for (std::size_t at = 0; at < noise.matrices.size(); at += size) {
    if (at > 0) text += '\n';
    text += write_transition(std::span(noise.matrices).subspan(at, size), classes);
  }
  return text;
}

void check_flags(const CorruptFlags& flags) {
  const int ways = (flags.rates.empty() ? 0 : 1) + (flags.group_rates.empty() ? 0 : 1) +
                   (flags.transition.empty() ? 0 : 1) + (flags.random_gap ? 1 : 0);
  if (ways != 1) {
    throw Error(ErrorKind::usage,
                "how noisy? Say one of --rate CLASS=RATE, --group COLUMN --group-rate GROUP=RATE, "
                "--transition FILE and --random-gap GAP");
  }
  const bool has_groups = !flags.data.groups.empty() || !flags.data.groups_file.empty();
  if (has_groups && flags.group_rates.empty()) {
    throw Error(ErrorKind::usage, "--group is for noise by group; say --group-rate GROUP=RATE too");
  }
}

void add_noise(CLI::App& command, CorruptFlags& flags) {
  begin_group(command, "Noise, by one of");
  command
      .add_option("--rate", flags.rates,
                  "Share of a class's labels turned into another; may be repeated")
      ->type_name("CLASS=RATE")
      ->allow_extra_args(false);
  command
      .add_option("--group-rate", flags.group_rates,
                  "With --group: share of a group's labels turned into another; may be repeated")
      ->type_name("GROUP=RATE")
      ->allow_extra_args(false);
  command
      .add_option("--transition", flags.transition,
                  "K lines of K numbers, row = clean class, in the order of the classes")
      ->type_name("FILE");
  command
      .add_option(
          "--random-gap", flags.random_gap,
          "A random matrix by --seed: two classes keep 0.4 + GAP of their labels, the others "
          "0.4")
      ->type_name("GAP");
  add_group(command, flags.data);
  begin_group(command, "Output");
  command
      .add_option("--transition-output", flags.transition_output,
                  "File for the matrix used, in the form that --transition reads")
      ->type_name("FILE")
      ->check(not_empty());
}

void run(const CorruptFlags& flags, const CommonFlags& common) {
  check_flags(flags);
  std::vector<std::string> inputs = flags.data.files();
  std::vector<std::string> inputs_to_keep = flags.data.files_to_keep();
  inputs.push_back(flags.transition);
  inputs_to_keep.push_back(flags.transition);
  refuse_shared_input(inputs);
  Outputs outputs;
  OutputFile* output = outputs.add_beside(flags.output, inputs_to_keep);
  OutputFile* matrix_output = outputs.add_beside(flags.transition_output, inputs);
  DataRequest request = flags.data.request();
  request.with_features = false;
  const Execution execution = cli::execution(common, flags.data.path);
  const Dataset dataset = load(request, execution);
  check_output(dataset, "_noisy", flags.output);
  const Labels& labels = dataset.labels;
  const std::size_t classes = labels.classes.size();
  labels.positive(flags.positive);
  const Noise noise = noise_of(flags, dataset, common.seed, execution);
  const std::vector<std::int32_t> noisy =
      noise.by_group
          ? draw_labels(labels.codes, dataset.groups.codes, classes, noise.matrices, common.seed,
                        Stream::corrupt)
          : draw_labels(labels.codes, classes, noise.matrices, common.seed, Stream::corrupt);
  write_new_labels(dataset, "_noisy", noisy, flags.output, *output, execution);
  clear_progress();
  if (matrix_output != nullptr) matrix_output->write(transition_file(noise, classes));
  if (common.quiet) return outputs.commit();
  outputs.commit(noise.by_group ? summary("group", dataset.groups, labels, noisy)
                                : summary("class", labels, labels, noisy) +
                                      matrix_text(noise.matrices, labels.classes));
}

}  // namespace

Run add_corrupt(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<CorruptFlags>();
  CLI::App& command =
      *app.add_subcommand("corrupt", "Make labels noisy at known rates, for experiments");
  add_label_data(command, flags->data);
  add_noise(command, *flags);
  command
      .add_option("--output", flags->output,
                  "csv: every column of DATA plus LABEL_noisy; arrays: labels only")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--positive", flags->positive,
                  "As for the other commands; here all classes are alike")
      ->type_name("CLASS");
  command.footer(
      "Example: noiseplus corrupt clean.csv --label y --rate yes=0.3 --output noisy.csv");
  return [flags, &common] { run(*flags, common); };
}

}  // namespace noiseplus::cli
