#include <memory>

#include "commands.h"
#include "rates.h"
#include "train_flags.h"

namespace noiseplus::cli {
namespace {

void choose(const TrainFlags& flags, TrainModelOptions& options) {
  options.train.loss = parse_loss(flags.loss);
  if (!flags.fair.empty()) options.fair = parse_constraint(flags.fair);
  options.noise_aware = options.noise_aware || options.route == "noise-aware";
  options.balance = options.balance || options.route == "balance";
  const bool needs_network = options.train.loss == LossKind::co_teaching;
  const std::string model = flags.model.empty() ? (needs_network ? "mlp" : "linear") : flags.model;
  options.train.model = parse_model_kind(model);
  if (needs_network && model != "mlp") {
    throw Error(ErrorKind::usage, "co-teaching trains two networks; say --model mlp");
  }
  if (flags.alpha == "cv") return;
  const std::optional<double> alpha = parse_number(flags.alpha);
  if (!alpha || !(*alpha < 1)) {
    throw Error(ErrorKind::usage, "--alpha " + flags.alpha + ": write a number below 1, or cv");
  }
  options.train.alpha = *alpha;
}

void set_group_noise(const TrainFlags& flags, const Dataset& dataset, TrainModelOptions& options) {
  if (options.train.loss == LossKind::group_peer) {
    options.train.deltas =
        deltas_of_groups(flags.group_rates, dataset.groups, dataset.labels.classes.size());
    options.transition = "given";
  }
  const bool constrains_by_rates = options.noise_aware || options.route == "auto";
  if (constrains_by_rates && dataset.labels.classes.size() == 2) {
    options.group_noise = noise_of_groups(flags.group_rates, dataset.groups);
  }
}

void set_noise(const TrainFlags& flags, const Dataset& dataset, TrainModelOptions& options,
               const Execution& execution) {
  if (!flags.group_rates.empty()) {
    if (!flags.transition.empty()) {
      throw Error(ErrorKind::usage,
                  "--group-rate and --transition both say how noisy groups are; give one of them");
    }
    if (options.balance) {
      throw Error(ErrorKind::usage,
                  "--balance goes by the noise it finds, and --group-rate gives another; give one "
                  "of them");
    }
    set_group_noise(flags, dataset, options);
    return;
  }
  const std::string& from = flags.transition;
  if (from.empty() || parse_estimator(from)) {
    options.transition = from.empty() ? "auto" : from;
    return;
  }
  if (options.train.loss == LossKind::group_peer || options.noise_aware || options.balance ||
      options.route == "auto") {
    throw Error(ErrorKind::usage, "--transition " + from +
                                      ": one file cannot say how noisy several groups are; use "
                                      "--group-rate");
  }
  options.train.transition = read_transition(Bytes::read(from, execution, flags.data.max_unpacked),
                                             from, dataset.labels.classes.size());
  options.transition = "given";
}

// The column of weights is none of the features.
void drop_weights(const std::string& name, DataRequest& request) {
  if (name.empty()) return;
  const bool is_stdin = request.path == "-" && request.format == Format::automatic;
  const Format format =
      request.format == Format::automatic ? format_of(request.path) : request.format;
  if (!is_stdin && format != Format::csv && format != Format::tsv) {
    throw Error(ErrorKind::usage, "--weights " + name +
                                      ": names a column of a csv or tsv file, which " +
                                      request.path + " is not");
  }
  if (name == request.label) {
    throw Error(ErrorKind::usage,
                "--weights " + name + ": is the label; name the column of the row weights");
  }
  request.drop.push_back(name);
}

std::vector<float> weights_of(const Dataset& dataset, const std::string& name) {
  if (name.empty()) return {};
  const Column& column = dataset.table->column(name);
  std::vector<float> weights;
  for (std::size_t n = 0; n < dataset.labels.codes.size(); ++n) {
    const std::size_t row = dataset.row_id(n);
    const double weight = column.is_text ? -1 : column.numbers[row];
    if (!(weight >= 0 && weight <= 1e30)) {
      throw Error(ErrorKind::data, dataset.table->where(row, column) + ": column '" + name +
                                       "': a row weight must be a number from 0 on");
    }
    weights.push_back(static_cast<float>(weight));
  }
  return weights;
}

}  // namespace

Run add_train(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App& command =
      *app.add_subcommand("train", "Train a model on labels that may be wrong, and save it");
  add_data(command, flags->data);
  add_group(command, flags->data);
  add_probabilities(command, flags->data, false);
  command.add_option("--weights", flags->weights, "Column of row weights; it is not a feature")
      ->type_name("COLUMN");
  add_noise_flags(command, *flags);
  add_fair_flags(command, *flags);
  add_model_flags(command, *flags);
  begin_group(command, "Output");
  command.add_option("--output", flags->output, "File for the model")
      ->required()
      ->type_name("FILE")
      ->check(not_empty());
  command.add_option("--json", flags->json, "Write how it was trained; - is standard output")
      ->type_name("FILE")
      ->check(not_empty());
  add_html(command, flags->html);
  command.footer(
      "Example: noiseplus train a.csv --label y --loss backward --output a.model\n"
      "Example: noiseplus train a.csv --label y --group g --fair fpr-parity --output m");
  return [flags, &common, &command] {
    TrainModelOptions options = flags->options;
    choose(*flags, options);
    refuse_idle_flags(command, *flags, options);
    const std::vector<std::string> inputs = {flags->data.path, flags->data.labels,
                                             flags->data.groups_file, flags->data.probabilities,
                                             flags->transition};
    refuse_shared_input(inputs);
    Outputs outputs;
    OutputFile* output = outputs.add_beside(flags->output, inputs);
    OutputFile* json = outputs.add_beside(flags->json, inputs);
    OutputFile* html = outputs.add_beside(flags->html, inputs);
    const Execution execution = cli::execution(common, flags->data.path);
    options.seed = common.seed;
    DataRequest request = flags->data.request();
    drop_weights(flags->weights, request);
    const Dataset dataset = load(request, execution);
    options.row_weights = weights_of(dataset, flags->weights);
    const Matrix probabilities = read_probabilities(flags->data, dataset, execution, options.audit);
    set_noise(*flags, dataset, options, execution);
    const TrainModelResult trained = train_model(dataset, options, execution);
    clear_progress();
    write_model(trained.saved, *output);
    if (json != nullptr) json->write(to_json(trained.report));
    if (html != nullptr)
      html->write(page_of("training.json", to_json(trained.report), flags->data.path));
    outputs.commit(common.quiet ? "" : to_text(trained.report, style_of_output()));
  };
}

}  // namespace noiseplus::cli
