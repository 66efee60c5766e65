#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "rates.h"
#include "saved_model.h"

namespace noiseplus::cli {
namespace {

struct EvaluateFlags {
  std::string model, positive, json, html;
  bool thresholded = false;
  std::vector<std::string> group_rates;
  DataFlags data;
};

struct Judged {
  Evaluation evaluation;
  std::optional<CleanFairness> clean;
};

void add_flags(CLI::App& command, EvaluateFlags& flags) {
  command.add_option("MODEL", flags.model, "Model, as written by train")
      ->required()
      ->type_name("FILE");
  add_label_data(command, flags.data);
  command.get_option("--label")->default_str("the model's");
  add_missing(command, flags.data);
  add_group(command, flags.data);
  begin_group(command, "Evaluation");
  command
      .add_option("--positive", flags.positive, "Class whose true and false positives are counted")
      ->type_name("CLASS")
      ->default_str("the model's");
  add_thresholded(command, flags.thresholded);
  command
      .add_option("--group-rate", flags.group_rates,
                  "The labels of this data are noisy: GROUP=E, the share of wrong ones, or "
                  "GROUP=E-:E+ of negatives and positives; for each group. Rates by clean labels "
                  "are reckoned from them")
      ->type_name("GROUP=RATE")
      ->allow_extra_args(false);
  begin_group(command, "Output");
  command.add_option("--json", flags.json, "Write the result as JSON; - is standard output")
      ->type_name("FILE")
      ->check(not_empty());
  add_html(command, flags.html);
}

std::optional<CleanFairness> by_clean_labels(const EvaluateFlags& flags, const SavedModel& saved,
                                             const Labels& groups, const Evaluation& evaluation) {
  if (flags.group_rates.empty()) return std::nullopt;
  if (saved.classes.size() != 2) {
    throw Error(ErrorKind::usage, "--group-rate is for two classes, and the model has " +
                                      std::to_string(saved.classes.size()));
  }
  return clean_fairness(evaluation, noise_of_groups(flags.group_rates, groups), saved.fair);
}

DataRequest request_of(const EvaluateFlags& flags, const SavedModel& saved) {
  DataRequest request = flags.data.request();
  // Only a table's label has a name that must be known; arrays find theirs.
  if (request.label.empty() && request.labels_path.empty() && saved.recipe.encoder) {
    request.label = saved.label;
  }
  request.usual_label = saved.label;
  request.recipe = &saved.recipe;
  return request;
}

std::size_t positive_of(const EvaluateFlags& flags, const SavedModel& saved) {
  if (flags.positive.empty()) return saved.positive;
  return Labels{{}, saved.classes, saved.spellings}.positive(flags.positive);
}

// One figure of both: how far groups are apart where there are groups, else how many are positive.
std::string warning_of_threshold(const SavedModel& saved, const Evaluation& thresholded,
                                 const Evaluation& expected) {
  const bool is_parity = saved.fair && saved.fair->constraint == "demographic-parity";
  const auto violation =
      is_parity ? &Evaluation::demographic_parity_violation : &Evaluation::equalized_odds_violation;
  const auto percent = [](const std::optional<EstimateWithInterval>& rate) {
    return 100 * rate->value;
  };
  if (thresholded.*violation && expected.*violation) {
    return threshold_warning(
        saved, fmt::format("{} differ by {:.1f} points between groups, and by lot by {:.1f}",
                           is_parity ? "positive rates" : "true or false positive rates",
                           percent(thresholded.*violation), percent(expected.*violation)));
  }
  return threshold_warning(
      saved,
      fmt::format("{:.1f} % of the rows are predicted '{}', and by lot {:.1f} %",
                  percent(thresholded.all.positive_rate), thresholded.classes[thresholded.positive],
                  percent(expected.all.positive_rate)));
}

// What predict warns of too comes first: a column read amiss explains a bad accuracy.
Judged evaluate_file(const EvaluateFlags& flags, const SavedModel& saved,
                     const Execution& execution) {
  const std::size_t positive = positive_of(flags, saved);
  Dataset dataset = load(request_of(flags, saved), execution);
  const std::string& source = flags.data.labels.empty() ? dataset.source : flags.data.labels;
  const Labels labels =
      relabel(std::move(dataset.labels), saved.classes, saved.spellings, source, dataset.row_ids);
  warn_of_unknown_groups(saved, dataset,
                         flags.data.groups_file.empty() ? source : flags.data.groups_file);
  const Matrix shares = probabilities(saved, dataset.features.view(), execution);
  dataset.features.throw_if_changed();
  const auto judge = [&](const auto& answers) {
    return evaluate(answers, labels, positive, dataset.groups);
  };
  const bool by_lot = saved.mixture.is_one() && !flags.thresholded;
  Evaluation evaluation = by_lot ? judge(shares.view()) : judge(most_likely(shares.view()));
  if (flags.thresholded) {
    evaluation.warnings.push_back(warning_of_threshold(saved, evaluation, judge(shares.view())));
  }
  evaluation.warnings.insert(evaluation.warnings.begin(), dataset.warnings.begin(),
                             dataset.warnings.end());
  std::optional<CleanFairness> clean = by_clean_labels(flags, saved, dataset.groups, evaluation);
  return {std::move(evaluation), std::move(clean)};
}

}  // namespace

Run add_evaluate(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<EvaluateFlags>();
  CLI::App& command = *app.add_subcommand(
      "evaluate", "Say how good a model is, in all and for each group, with intervals");
  add_flags(command, *flags);
  command.footer("Example: noiseplus evaluate adult.model test.csv --group sex --json test.json");
  return [flags, &common] {
    const std::vector<std::string> inputs = {flags->model, flags->data.path, flags->data.labels,
                                             flags->data.groups_file};
    refuse_shared_input(inputs);
    Outputs outputs;
    OutputFile* json = outputs.add_beside(flags->json, inputs);
    OutputFile* html = outputs.add_beside(flags->html, inputs);
    const Execution execution = cli::execution(common, flags->data.path);
    const SavedModel saved =
        read_saved_model(flags->model, flags->thresholded, flags->data.max_unpacked, execution);
    const Judged judged = evaluate_file(*flags, saved, execution);
    clear_progress();
    const std::string result = to_json(judged.evaluation, judged.clean);
    if (json != nullptr) json->write(result);
    if (html != nullptr) html->write(page_of("evaluation.json", result, flags->data.path));
    outputs.commit(common.quiet ? "" : to_text(judged.evaluation, judged.clean, style_of_output()));
  };
}

}  // namespace noiseplus::cli
