#include "experiments/measure.h"

#include <fmt/format.h>

#include <map>

#include "experiments/methods/class_noise.h"
#include "experiments/methods/gap_curve.h"
#include "experiments/methods/group_noise.h"
#include "experiments/methods/human_noise.h"
#include "experiments/paper/paper_tables.h"

namespace noiseplus {
namespace {

TrainOptions linear_model() {
  TrainOptions options;
  options.alpha_folds = 1;
  return options;
}

TrainOptions network() {
  TrainOptions options;
  options.model = ModelKind::mlp;
  options.mlp.epochs = 10;
  options.alpha_folds = 1;
  options.alphas = {-0.8, -0.4, 0, 0.4, 0.8};
  options.alpha_epochs = 3;
  return options;
}

// What the paper allowed PA - NA to be off: more on the smallest set.
double gamma_of(const std::string& dataset) {
  return dataset == "compas" ? 0.01 : 0.001;
}

// The noise of the setting, put into clean labels; people's labels are what they are.
ClassNoiseCase class_noise_case(const Cell& cell, const DrawnSet& set) {
  const KnownRows& training = set.rows->training;
  const std::size_t classes = training.classes.size();
  ClassNoiseCase one{training, set.rows->test, {}, {}, {}, gamma_of(cell.dataset), cell.seed};
  one.train = cell.dataset == "mnist" ? network() : linear_model();
  if (const auto rates = rates_of_setting(cell.setting)) {
    one.transition = transition_of({rates->first, rates->second});
  } else if (const auto gap = gap_of_setting(cell.setting)) {
    one.transition = random_gap_transition(classes, *gap, cell.seed);
  } else {
    one.given = set.given.at(cell.setting);
    one.transition = true_transition(training.clean, one.given, classes);
    return one;
  }
  one.given = draw_labels(training.clean, classes, one.transition, cell.seed, Stream::corrupt);
  return one;
}

// ----------------------------------------------------------------------------------------- figure

std::vector<double> figure_epsilons() {
  std::vector<double> epsilons;
  for (int step = 0; step <= 24; ++step) epsilons.push_back(step / 40.0);
  return epsilons;
}

std::string point_name(PaperVariant variant, double epsilon) {
  return fmt::format("{} {:.3f}", variant == PaperVariant::original ? "original" : "rebalanced",
                     epsilon);
}

CellResult gap_cell(const Cell& cell, const DrawnSet& set, const Execution& execution) {
  const KnownRows& rows = set.rows->training;
  const auto rates = rates_of_setting(cell.setting);
  const std::vector<std::int32_t> noisy =
      with_noise(rows.clean, {rates->first, rates->second}, cell.seed);
  const std::vector<double> epsilons = figure_epsilons();
  CellResult result;
  for (const PaperVariant variant : {PaperVariant::original, PaperVariant::rebalanced}) {
    const std::vector<double> gaps =
        measured_gaps(rows, noisy, epsilons, variant, cell.seed, execution);
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
      result.add(point_name(variant, epsilons[i]), "gap", gaps[i]);
    }
  }
  double positives = 0;
  for (const std::int32_t code : rows.clean) positives += code;
  result.facts["prior"] = positives / static_cast<double>(rows.clean.size());
  return result;
}

}  // namespace

CellResult measure(const Cell& cell, const DrawnSet& set, const Execution& execution) {
  if (cell.table == "figure-gap") return gap_cell(cell, set, execution);
  if (cell.table == "table4") {
    return group_noise_cell(*set.groups, *rates_of_setting(cell.setting), cell.seed, execution);
  }
  if (cell.table == "table3") {
    const KnownRows& training = set.rows->training;
    HumanNoiseCase one{training, set.rows->test, set.given.at(cell.setting), network(),
                       {},       cell.seed};
    if (cell.dataset == "cifar10n") one.clean = training.clean;
    return human_noise_cell(one, execution);
  }
  return class_noise_cell(class_noise_case(cell, set), execution);
}

double cost_of_cell(const std::string& table, const std::string& dataset) {
  static const std::map<std::string, double> costs = {
      {"table1 adult", 0.9},   {"table1 compas", 0.2},  {"table1 fairface", 1.6},
      {"table2 mnist", 31},    {"table2 cifar10", 9},   {"table2 cifar10n", 9},
      {"table3 cifar10n", 10}, {"table4 adult", 1.5},   {"table4 compas", 1},
      {"table4 fairface", 4},  {"figure-gap mnist", 2}, {"figure-gap fairface", 3}};
  const auto found = costs.find(table + ' ' + dataset);
  return found == costs.end() ? 60 : found->second;
}

std::vector<GapPanel> gap_panels(const TableResult& figure) {
  std::vector<GapPanel> panels;
  const std::vector<double> epsilons = figure_epsilons();
  for (const SettingResult& setting : figure.settings) {
    const auto rates = rates_of_setting(setting.setting);
    GapPanel panel;
    panel.title = setting.dataset == "mnist" ? "MNIST, 3 or 8" : "FairFace, gender";
    panel.rates = {rates->first, rates->second};
    panel.prior = setting.facts.at("prior").front();
    panel.epsilons = epsilons;
    for (const double epsilon : epsilons) {
      const auto point = [&](PaperVariant variant) {
        const Spread& spread = *setting.find(point_name(variant, epsilon), "gap");
        return MeanGap{spread.mean(), spread.deviation()};
      };
      panel.original.push_back(point(PaperVariant::original));
      panel.rebalanced.push_back(point(PaperVariant::rebalanced));
    }
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace noiseplus
