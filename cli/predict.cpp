#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "noiseplus/learn.h"

namespace noiseplus::cli {
namespace {

struct Flags {
  std::string model, output;
  DataFlags data;
};

char delimiter_of(const std::string& path) {
  const Format format = format_of(path);
  if (format == Format::tsv) return '\t';
  if (format == Format::csv || format == Format::txt) return ',';
  throw Error(ErrorKind::usage,
              path + ": predictions are written as a table; end the name in .csv, .tsv or .csv.gz");
}

// Data that are labelled too may be of classes that the model cannot know; whoever compares must be
// told.
void warn_of_unknown_labels(const SavedModel& model, Dataset& dataset) {
  const Column* column = dataset.table ? dataset.table->find(model.label) : nullptr;
  if (column == nullptr || !column->is_text) return;
  const Labels known{{}, model.classes, model.spellings};
  std::vector<char> is_known;
  for (const std::string& text : column->categories) {
    is_known.push_back(known.find(text) ? 1 : 0);
  }
  std::size_t rows = 0;
  std::size_t first = 0;
  for (std::size_t row = 0; row < column->codes.size(); ++row) {
    const std::int32_t code = column->codes[row];
    if (code < 0 || is_known[static_cast<std::size_t>(code)] != 0) continue;
    if (rows++ == 0) first = row;
  }
  if (rows == 0) return;
  const auto example = static_cast<std::size_t>(column->codes[first]);
  dataset.warnings.push_back(fmt::format(
      "column '{}': {} a label that was not there in training, such as '{}' at {}; predictions do "
      "not depend on it",
      column->name, rows == 1 ? "1 row holds" : fmt::format("{} rows hold", rows),
      column->categories[example], dataset.table->where(first, *column)));
}

void write_predictions(const SavedModel& model, MatrixView probabilities, char delimiter,
                       OutputFile& output) {
  constexpr std::size_t flush_at = std::size_t{1} << 20;
  std::string text = "prediction";
  for (const std::string& name : model.classes)
    text += delimiter + csv_cell("p_" + name, delimiter);
  text += '\n';
  std::vector<std::string> cells;
  for (const std::string& spelling : model.spellings) {
    cells.push_back(csv_cell(spelling, delimiter));
  }
  const std::vector<std::int32_t> predicted = most_likely(probabilities);
  for (std::size_t row = 0; row < probabilities.rows; ++row) {
    text += cells[static_cast<std::size_t>(predicted[row])];
    for (std::size_t c = 0; c < probabilities.columns; ++c) {
      fmt::format_to(std::back_inserter(text), "{}{:.6g}", delimiter, probabilities.row(row)[c]);
    }
    text += '\n';
    if (text.size() < flush_at) continue;
    output.write(text);
    text.clear();
  }
  output.write(text);
}

}  // namespace

Run add_predict(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("predict", "Say the class of each row, by a model, with probabilities");
  command.add_option("MODEL", flags->model, "File that train has written")->required();
  add_rows(command, flags->data);
  add_missing(command, flags->data);
  command
      .add_option("--output", flags->output,
                  "csv or tsv: the prediction, then a column p_CLASS for each class; - is standard "
                  "output")
      ->required()
      ->check(not_empty());
  command.footer("Example: noiseplus predict income.model people.csv --output predictions.csv");
  return [flags, &common] {
    const std::vector<std::string> inputs = {flags->model, flags->data.path};
    refuse_shared_input(inputs);
    const char delimiter = delimiter_of(flags->output);
    Outputs outputs;
    OutputFile* output = outputs.add_beside(flags->output, inputs);
    const Execution execution = cli::execution(common);
    const SavedModel model = read_model(Bytes::read(flags->model), flags->model);
    DataRequest request = flags->data.request();
    request.label = model.label;
    request.with_labels = false;
    request.recipe = &model.recipe;
    Dataset dataset = load(request, execution);
    warn_of_unknown_labels(model, dataset);
    const Matrix result = probabilities(model.model, dataset.features.view(), execution);
    clear_progress();
    write_predictions(model, result.view(), delimiter, *output);
    outputs.commit();
    if (!common.quiet) print_warnings(dataset.warnings);
  };
}

}  // namespace noiseplus::cli
