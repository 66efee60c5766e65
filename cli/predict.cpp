#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.h"
#include "row_writer.h"
#include "saved_model.h"

namespace noiseplus::cli {
namespace {

struct PredictFlags {
  std::string model, output;
  bool thresholded = false, escapes_formulas = false;
  DataFlags data;
};

char delimiter_of(const std::string& path) {
  const Format format = format_of(path);
  if (format == Format::tsv) return '\t';
  if (format == Format::csv || format == Format::txt) return ',';
  throw Error(ErrorKind::usage,
              path + ": predictions are written as a table; end the name in .csv, .tsv or .csv.gz");
}

// By lot where the model answers so, unless the most likely answers are wanted.
std::vector<std::int32_t> answers_of(const SavedModel& model, MatrixView probabilities,
                                     bool thresholded, std::uint64_t seed) {
  return model.mixture.is_one() && !thresholded ? sample_labels(probabilities, seed)
                                                : most_likely(probabilities);
}

// What --thresholded changes can be seen without labels too: how many get the positive answer.
std::string warning_of_threshold(const SavedModel& model, MatrixView probabilities,
                                 std::span<const std::int32_t> answers) {
  double expected = 0, thresholded = 0;
  for (std::size_t row = 0; row < probabilities.rows; ++row) {
    expected += static_cast<double>(probabilities.row(row)[model.positive]);
    thresholded += answers[row] == static_cast<std::int32_t>(model.positive) ? 1 : 0;
  }
  const double percent = 100 / static_cast<double>(std::max<std::size_t>(probabilities.rows, 1));
  return threshold_warning(
      model, fmt::format("{:.1f} % of the rows are predicted '{}', and by lot {:.1f} %",
                         percent * thresholded, model.classes[model.positive], percent * expected));
}

void write_predictions(const SavedModel& model, MatrixView probabilities,
                       std::span<const std::int32_t> predicted, char delimiter,
                       bool escapes_formulas, OutputFile& output, const Execution& execution) {
  RowWriter writer(output, probabilities.rows, execution);
  std::string line = "prediction";
  for (const std::string& name : model.classes)
    line += delimiter + csv_cell("p_" + name, delimiter);
  writer.add_heading(line + '\n');
  std::vector<std::string> cells;
  for (const std::string& spelling : model.spellings) {
    cells.push_back(csv_cell(escapes_formulas ? escape_formula(spelling) : spelling, delimiter));
  }
  for (std::size_t row = 0; row < probabilities.rows; ++row) {
    line = cells[static_cast<std::size_t>(predicted[row])];
    for (std::size_t c = 0; c < probabilities.columns; ++c) {
      fmt::format_to(std::back_inserter(line), "{}{:.6g}", delimiter, probabilities.row(row)[c]);
    }
    writer.add(line += '\n');
  }
  writer.flush();
}

}  // namespace

Run add_predict(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<PredictFlags>();
  CLI::App& command =
      *app.add_subcommand("predict", "Say the class of each row, by a model, with probabilities");
  command.add_option("MODEL", flags->model, "File that train has written")
      ->required()
      ->type_name("FILE");
  add_rows(command, flags->data);
  add_missing(command, flags->data);
  begin_group(command, "Output");
  command
      .add_option("--output", flags->output,
                  "csv or tsv: the prediction, then a column p_CLASS for each class; - is standard "
                  "output")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  add_escape_formulas(command, flags->escapes_formulas);
  add_thresholded(command, flags->thresholded);
  command.footer("Example: noiseplus predict income.model people.csv --output predictions.csv");
  return [flags, &common] {
    const std::vector<std::string> inputs = {flags->model, flags->data.path};
    refuse_shared_input(inputs);
    const char delimiter = delimiter_of(flags->output);
    Outputs outputs;
    OutputFile* output = outputs.add_beside(flags->output, inputs);
    const Execution execution = cli::execution(common, flags->data.path);
    const SavedModel model =
        read_saved_model(flags->model, flags->thresholded, flags->data.max_unpacked, execution);
    DataRequest request = flags->data.request();
    request.label = model.label;
    request.with_labels = false;
    request.recipe = &model.recipe;
    Dataset dataset = load(request, execution);
    warn_of_unknown_labels(model, dataset);
    warn_of_unknown_groups(model, dataset);
    const Matrix result = probabilities(model, dataset.features.view(), execution);
    dataset.features.throw_if_changed();
    const std::vector<std::int32_t> answers =
        answers_of(model, result.view(), flags->thresholded, common.seed);
    if (flags->thresholded) {
      dataset.warnings.push_back(warning_of_threshold(model, result.view(), answers));
    }
    write_predictions(model, result.view(), answers, delimiter, flags->escapes_formulas, *output,
                      execution);
    clear_progress();
    outputs.commit();
    if (!common.quiet) print_warnings(dataset.warnings);
  };
}

}  // namespace noiseplus::cli
