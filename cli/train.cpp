#include <map>
#include <memory>

#include "commands.h"
#include "rates.h"

namespace noiseplus::cli {
namespace {

const std::map<std::string, LossKind> losses = {{"ce", LossKind::ce},
                                                {"backward", LossKind::backward},
                                                {"forward", LossKind::forward},
                                                {"peer", LossKind::peer},
                                                {"group-peer", LossKind::group_peer},
                                                {"co-teaching", LossKind::co_teaching}};

struct Flags {
  DataFlags data;
  ModelOptions options;
  std::string loss = "ce", model, transition, alpha = "cv", weights;
  std::vector<std::string> group_rates;
  std::string output, json;
};

void add_model_flags(CLI::App& command, Flags& flags) {
  TrainOptions& train = flags.options.train;
  command
      .add_option("--model", flags.model,
                  "linear, or mlp: a perceptron with one hidden layer (default: linear; mlp for "
                  "co-teaching)")
      ->check(CLI::IsMember({"linear", "mlp"}));
  command
      .add_option("--ridge", train.linear.ridge, "linear: half of this times |weights|^2 is added")
      ->capture_default_str()
      ->check(number_from_zero());
  command.add_option("--steps", train.linear.most_steps, "linear: at most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  command
      .add_option("--tolerance-gradient", train.linear.tolerance,
                  "linear: done when no entry of the gradient is larger")
      ->capture_default_str()
      ->check(number_from_zero());
  command.add_option("--hidden", train.mlp.hidden, "mlp: hidden units")
      ->capture_default_str()
      ->check(CLI::Range(2, 65536));
  command.add_option("--epochs", train.mlp.epochs, "mlp: passes over the rows")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command.add_option("--batch", train.mlp.batch, "mlp: rows of a step")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 20));
  command.add_option("--rate", train.mlp.rate, "mlp: Adam's rate at the start")
      ->capture_default_str()
      ->check(number_above_zero());
  command
      .add_option("--dropout", train.mlp.dropout, "mlp: share of hidden units left out of a step")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.99));
  command.add_option("--weight-decay", train.mlp.weight_decay, "mlp: decoupled, as in AdamW")
      ->capture_default_str()
      ->check(number_from_zero());
  command
      .add_option("--hold-out", train.held_out,
                  "Share of rows kept aside; training stops when their noisy accuracy no longer "
                  "rises")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.5));
  command
      .add_option("--patience", train.patience, "With --hold-out: steps or epochs without a rise")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
}

void add_noise_flags(CLI::App& command, Flags& flags) {
  std::vector<std::string> names;
  names.reserve(losses.size());
  for (const auto& [name, kind] : losses) names.push_back(name);
  command
      .add_option("--loss", flags.loss, "ce, backward, forward, peer, group-peer or co-teaching")
      ->capture_default_str()
      ->check(CLI::IsMember(names));
  command
      .add_option("--transition", flags.transition,
                  "Noise, for the losses that need it: a file of K lines of K numbers (row = clean "
                  "class), or an estimator of audit: auto, curve, moments, latent-class, edges, "
                  "overlap, confident")
      ->default_str("auto")
      ->check(not_empty());
  command.add_flag("--misspecify", flags.options.misspecify,
                   "Replace the transition matrix by a random one of the same trace");
  command.add_option("--alpha", flags.alpha, "Of the peer losses: a number below 1, or cv")
      ->capture_default_str();
  command
      .add_option("--alpha-folds", flags.options.train.alpha_folds,
                  "With --alpha cv: folds; 1 is one split")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  command.add_flag("--sampled-peers", flags.options.train.sampled_peers,
                   "peer: draw one pair of peers a row, as published, in place of the expectation");
  command
      .add_option("--group-rate", flags.group_rates,
                  "group-peer: GROUP=E, the share of wrong labels in a group; may be repeated")
      ->allow_extra_args(false);
  command.add_flag("--peers-from-all-rows", flags.options.train.peers_from_all_rows,
                   "group-peer: draw peers from all rows, as the published script does");
  command
      .add_option("--forget", flags.options.train.forget,
                  "co-teaching: share of rows left out (default: by the transition matrix)")
      ->check(CLI::Range(0.0, 0.99));
  command.add_option("--positive", flags.options.positive,
                     "Class that is called positive (default: the last)");
  command
      .add_option("--k", flags.options.audit.k,
                  "Of the estimators that look at neighbours: how many")
      ->capture_default_str()
      ->check(CLI::Range(2, 255));
  command
      .add_option("--folds", flags.options.folds, "Of the estimators that look at a linear model")
      ->capture_default_str()
      ->check(CLI::Range(2, 100));
}

void choose(const Flags& flags, ModelOptions& options) {
  options.train.loss = losses.at(flags.loss);
  const bool needs_network = options.train.loss == LossKind::co_teaching;
  const std::string model = flags.model.empty() ? (needs_network ? "mlp" : "linear") : flags.model;
  options.train.model = model == "mlp" ? ModelKind::mlp : ModelKind::linear;
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

// Refuses flags that would do nothing, because whoever gave them meant something.
class IdleFlags {
 public:
  IdleFlags(const CLI::App& command, std::string chosen)
      : command_(command), chosen_(std::move(chosen)) {}

  void refuse(bool are_used, const std::vector<std::string>& flags, const std::string& use) const {
    if (are_used) return;
    for (const std::string& flag : flags) {
      if (command_.count(flag) == 0) continue;
      throw Error(ErrorKind::usage, flag + " does nothing " + chosen_ + "; it is for " + use);
    }
  }

 private:
  const CLI::App& command_;
  std::string chosen_;
};

void refuse_idle_flags(const CLI::App& command, const Flags& flags, const ModelOptions& options) {
  const LossKind loss = options.train.loss;
  const bool is_corrected = loss == LossKind::backward || loss == LossKind::forward;
  const bool is_peer = loss == LossKind::peer || loss == LossKind::group_peer;
  const bool has_noise =
      is_corrected || loss == LossKind::co_teaching || loss == LossKind::group_peer;
  const IdleFlags of_loss(command, "for --loss " + flags.loss);
  of_loss.refuse(has_noise, {"--transition"}, "backward, forward, co-teaching and group-peer");
  of_loss.refuse(is_corrected, {"--misspecify"}, "backward and forward");
  of_loss.refuse(is_peer, {"--alpha", "--alpha-folds"}, "peer and group-peer");
  of_loss.refuse(loss == LossKind::group_peer, {"--group-rate", "--peers-from-all-rows"},
                 "group-peer");
  of_loss.refuse(loss == LossKind::peer, {"--sampled-peers"}, "peer");
  of_loss.refuse(loss == LossKind::co_teaching, {"--forget"}, "co-teaching");

  const std::string& from = flags.transition;
  const std::optional<EstimatorKind> estimator =
      has_noise ? estimator_called(from.empty() ? "auto" : from) : std::nullopt;
  const bool asks_neighbours =
      estimator && *estimator != EstimatorKind::edges && *estimator != EstimatorKind::confident;
  const bool asks_model =
      estimator && !needs_views_only(*estimator) && *estimator != EstimatorKind::overlap;
  const IdleFlags here(command, "here");
  here.refuse(asks_neighbours, {"--k"}, "a --transition that looks at neighbours");
  here.refuse(asks_model, {"--folds"}, "a --transition that looks at a linear model");
  here.refuse(flags.alpha == "cv", {"--alpha-folds"}, "--alpha cv");
  here.refuse(options.train.held_out > 0, {"--patience"}, "--hold-out");

  const bool is_linear = options.train.model == ModelKind::linear;
  const IdleFlags of_model(command, is_linear ? "for --model linear" : "for --model mlp");
  of_model.refuse(is_linear, {"--ridge", "--steps", "--tolerance-gradient"}, "--model linear");
  of_model.refuse(!is_linear,
                  {"--hidden", "--epochs", "--batch", "--rate", "--dropout", "--weight-decay"},
                  "--model mlp");
}

void set_noise(const Flags& flags, const Dataset& dataset, ModelOptions& options) {
  if (!flags.group_rates.empty()) {
    if (!flags.transition.empty()) {
      throw Error(ErrorKind::usage,
                  "--group-rate and --transition both say how noisy groups are; give one of them");
    }
    options.train.deltas =
        deltas_of_groups(flags.group_rates, dataset.groups, dataset.labels.classes.size());
    options.transition = "given";
    return;
  }
  const std::string& from = flags.transition;
  if (from.empty() || estimator_called(from)) {
    options.transition = from.empty() ? "auto" : from;
    return;
  }
  if (options.train.loss == LossKind::group_peer) {
    throw Error(ErrorKind::usage, "--transition " + from +
                                      ": one file cannot say how noisy several groups are; use "
                                      "--group-rate");
  }
  options.train.transition =
      read_transition(Bytes::read(from), from, dataset.labels.classes.size());
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
  for (std::size_t n = 0; n < dataset.table->rows; ++n) {
    const double weight = column.is_text ? -1 : column.numbers[n];
    if (!(weight >= 0 && weight <= 1e30)) {
      throw Error(ErrorKind::data, dataset.table->where(n, column) + ": column '" + name +
                                       "': a row weight must be a number from 0 on");
    }
    weights.push_back(static_cast<float>(weight));
  }
  return weights;
}

}  // namespace

Run add_train(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("train", "Train a model on labels that may be wrong, and save it");
  add_data(command, flags->data);
  add_group(command, flags->data);
  command.add_option("--weights", flags->weights, "Column of row weights; it is not a feature");
  add_noise_flags(command, *flags);
  add_model_flags(command, *flags);
  command.add_option("--output", flags->output, "File for the model")
      ->required()
      ->check(not_empty());
  command.add_option("--json", flags->json, "Write how it was trained; - is standard output")
      ->check(not_empty());
  command.footer(
      "Example: noiseplus train adult.csv.gz --label income --loss backward --transition confident "
      "--output income.model");
  return [flags, &common, &command] {
    ModelOptions options = flags->options;
    choose(*flags, options);
    refuse_idle_flags(command, *flags, options);
    const std::vector<std::string> inputs = {flags->data.path, flags->data.labels,
                                             flags->data.groups_file, flags->transition};
    refuse_shared_input(inputs);
    Outputs outputs;
    OutputFile* output = outputs.add_beside(flags->output, inputs);
    OutputFile* json = outputs.add_beside(flags->json, inputs);
    const Execution execution = cli::execution(common);
    options.seed = common.seed;
    DataRequest request = flags->data.request();
    drop_weights(flags->weights, request);
    const Dataset dataset = load(request, execution);
    options.row_weights = weights_of(dataset, flags->weights);
    set_noise(*flags, dataset, options);
    const TrainedModel trained = train_model(dataset, options, execution);
    clear_progress();
    write_model(trained.saved, *output);
    if (json != nullptr) json->write(to_json(trained.report));
    outputs.commit();
    if (!common.quiet && flags->output != "-" && flags->json != "-") {
      print(to_text(trained.report));
    }
  };
}

}  // namespace noiseplus::cli
