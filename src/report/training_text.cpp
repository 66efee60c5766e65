#include <fmt/format.h>

#include <algorithm>

#include "core/format.h"
#include "noiseplus/report.h"
#include "noiseplus/version.h"
#include "pipeline/report_check.h"
#include "report/class_matrix.h"
#include "report/fair_text.h"
#include "report/json.h"
#include "report/text_table.h"

namespace noiseplus {
namespace {

std::string noisiest_text(const TrainReport& report) {
  const std::size_t classes = report.classes.size();
  std::size_t noisiest = 0;
  const auto right = [&](std::size_t c) { return report.transition[c * (classes + 1)]; };
  for (std::size_t c = 1; c < classes; ++c) {
    if (right(c) < right(noisiest)) noisiest = c;
  }
  return wrapped(fmt::format("  {} classes; the noisiest is {}, with {} right", classes,
                             quoted_name(report.classes[noisiest]), percent(right(noisiest))));
}

std::string matrix_text(const TrainReport& report, TextStyle style) {
  constexpr std::size_t max_classes = 12;
  const std::string title = fmt::format(
      "Transition matrix ({}), row = clean class, column = label:\n", report.transition_from);
  if (report.classes.size() > max_classes) return title + noisiest_text(report);
  std::vector<std::string> cells;
  for (const double share : report.transition) cells.push_back(fmt::format("{:.3f}", share));
  return title + class_matrix_text("class", report.classes, cells, 2, style);
}

std::string deltas_text(const TrainReport& report, TextStyle style) {
  if (report.groups.empty()) return "";
  TextTable table({"group", report.classes.size() == 2 ? "1 - e+ - e-" : "delta"}, 2);
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    table.add({{short_name(report.groups[g])}, {fmt::format("{:.3f}", report.deltas[g])}});
  }
  return table.text(style);
}

std::string alpha_text(const TrainReport& report) {
  if (report.trials.empty()) return fmt::format("alpha {:g}, as given\n", *report.alpha);
  const auto chosen = std::find_if(report.trials.begin(), report.trials.end(),
                                   [&](const AlphaTrial& t) { return t.alpha == *report.alpha; });
  return fmt::format("alpha {:g}, the best of {} by noisy labels held out ({})\n", *report.alpha,
                     report.trials.size(), percent(chosen->accuracy));
}

std::string training_text(const TrainReport& report, TextStyle style) {
  std::string agreement =
      fmt::format("Agrees with {} of the labels it was given", percent(report.noisy_accuracy));
  if (report.held_out_accuracy) {
    agreement += fmt::format(", with {} of those held out", percent(*report.held_out_accuracy));
  }
  const std::string step = report.model == "linear"  ? "step"
                           : report.model == "trees" ? "round"
                                                     : "epoch";
  const std::string steps = counted(static_cast<std::size_t>(report.steps), step);
  return inked(wrapped(agreement + '.'), Ink::strong, style) +
         fmt::format("{}, {:.2f} s\n", steps, report.seconds);
}

}  // namespace

std::string to_text(const TrainReport& report, TextStyle style) {
  check_report(report);
  std::string text = wrapped(fmt::format(
      "{} model, loss {}: {}, {}, {}", report.model, report.loss, counted(report.rows, "row"),
      counted(report.features, "feature"), counted(report.classes.size(), "class", "classes")));
  if (!report.transition.empty()) text += matrix_text(report, style);
  text += deltas_text(report, style);
  if (report.balanced) text += balanced_text(*report.balanced, style);
  if (report.alpha) text += alpha_text(report);
  text += report.fair ? fair_text(*report.fair, style) : training_text(report, style);
  text += inked(wrapped("These labels may be wrong: `noiseplus evaluate` with labels you trust "
                        "says more."),
                Ink::faint, style);
  return text + warnings_text(report.warnings, style);
}

std::string to_json(const TrainReport& report) {
  check_report(report);
  Json json;
  json["version"] = version();
  json["label"] = report.label;
  json["rows"] = report.rows;
  json["missing_labels"] = report.missing_labels;
  json["features"] = report.features;
  json["classes"] = report.classes;
  json["model"] = report.model;
  json["loss"] = report.loss;
  if (!report.transition.empty()) {
    json["transition"] = matrix_json(report.transition, report.classes.size());
  }
  if (!report.transition_from.empty()) json["transition_from"] = report.transition_from;
  if (report.alpha) json["alpha"] = *report.alpha;
  if (!report.trials.empty()) {
    json["alphas"] = Json::array();
    for (const AlphaTrial& trial : report.trials) {
      json["alphas"].push_back({{"alpha", trial.alpha}, {"accuracy", trial.accuracy}});
    }
  }
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    json["groups"].push_back({{"group", report.groups[g]}, {"delta", report.deltas[g]}});
  }
  if (report.balanced) json["balanced"] = balanced_json(*report.balanced);
  if (report.fair) json["fair"] = fair_json(*report.fair);
  if (!report.fair) json["steps"] = report.steps;
  json["converged"] = report.converged;
  if (!report.fair) json["objective"] = report.objective;
  json["noisy_accuracy"] = report.noisy_accuracy;
  json["held_out_accuracy"] =
      report.held_out_accuracy ? Json(*report.held_out_accuracy) : Json(nullptr);
  json["warnings"] = report.warnings;
  json["seconds"] = report.seconds;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace noiseplus
