#include <fmt/format.h>

#include <algorithm>

#include "noiseplus/report.h"
#include "report/fair_text.h"
#include "report/format.h"
#include "report/json.h"

namespace noiseplus {
namespace {

std::string matrix_text(const TrainReport& report) {
  constexpr std::size_t most_classes = 12;
  const std::size_t classes = report.classes.size();
  std::string text =
      fmt::format("transition matrix ({}), row = clean class\n", report.transition_from);
  if (classes > most_classes) {
    double lowest = 1;
    std::size_t which = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double right = report.transition[c * classes + c];
      if (right < lowest) which = c;
      lowest = std::min(lowest, right);
    }
    return text + fmt::format("  {} classes; the noisiest is '{}', with {} right\n", classes,
                              short_name(report.classes[which]), percent(lowest));
  }
  const std::size_t width = widest_short_name(report.classes, 6);
  for (std::size_t i = 0; i < classes; ++i) {
    text += fmt::format("  {:<{}}", short_name(report.classes[i]), width);
    for (std::size_t j = 0; j < classes; ++j) {
      text += fmt::format(" {:.3f}", report.transition[i * classes + j]);
    }
    text += '\n';
  }
  return text;
}

std::string alpha_text(const TrainReport& report) {
  if (report.trials.empty()) return fmt::format("alpha {:g}, as given\n", *report.alpha);
  const auto chosen = std::find_if(report.trials.begin(), report.trials.end(),
                                   [&](const AlphaTrial& t) { return t.alpha == *report.alpha; });
  return fmt::format("alpha {:g}, the best of {} by noisy labels held out ({})\n", *report.alpha,
                     report.trials.size(), percent(chosen->accuracy));
}

std::string training_text(const TrainReport& report) {
  std::string text = fmt::format("{} {}, {:.2f} s; agrees with {} of the labels it was given",
                                 report.steps, report.model == "linear" ? "steps" : "epochs",
                                 report.seconds, percent(report.noisy_accuracy));
  if (report.held_out_accuracy) {
    text += fmt::format(", with {} of those held out", percent(*report.held_out_accuracy));
  }
  return text + ".\n";
}

}  // namespace

std::string to_text(const TrainReport& report) {
  std::string text =
      fmt::format("{} model, loss {}: {} rows, {} feature{}, {} classes\n", report.model,
                  report.loss, with_thousands(report.rows), with_thousands(report.features),
                  report.features == 1 ? "" : "s", report.classes.size());
  if (!report.transition.empty()) text += matrix_text(report);
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    text += fmt::format("  group {}: {} = {:.3f}\n", short_name(report.groups[g]),
                        report.classes.size() == 2 ? "1 - e+ - e-" : "delta", report.deltas[g]);
  }
  if (report.balanced) text += balanced_text(*report.balanced);
  if (report.alpha) text += alpha_text(report);
  text += report.fair ? fair_text(*report.fair) : training_text(report);
  text += "These labels may be wrong: `noiseplus evaluate` with labels you trust says more.\n";
  for (const std::string& warning : report.warnings)
    text += "warning: " + printable(warning) + '\n';
  return text;
}

std::string to_json(const TrainReport& report) {
  Json json;
  json["version"] = version();
  json["label"] = report.label;
  json["rows"] = report.rows;
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
