#include <algorithm>

#include "balance/even_flips.h"
#include "core/checks.h"
#include "core/eigen_solvers.h"
#include "noiseplus/balance.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

struct EqualClasses {
  std::vector<double> flip;
  double kept = 0;  // share of its labels that every class keeps
};

// `where` is what follows a class's name in messages.
EqualClasses equalize(std::span<const double> transition, std::size_t classes,
                      std::span<const std::string> class_names, const std::string& where) {
  const auto size = static_cast<double>(classes);
  Eigen::MatrixXd system(static_cast<Eigen::Index>(classes), static_cast<Eigen::Index>(classes));
  for (std::size_t c = 0; c < classes; ++c) {
    const double* row = transition.data() + c * classes;
    if (!(row[c] * size > 1)) {
      throw Error(ErrorKind::impossible,
                  name_of("class", class_names, c) + where + " keeps no more of its labels than " +
                      "chance would; no flip fixes that. Leave it out, or use better labels");
    }
    for (std::size_t j = 0; j < classes; ++j) {
      system(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(j)) =
          j == c ? row[j] : -row[j] / (size - 1);
    }
  }
  // Each diagonal exceeds the sum of its row's others, (1 - T[c][c]) / (K - 1): never singular,
  // unless by rounding.
  const Eigen::VectorXd w =
      system.partialPivLu().solve(Eigen::VectorXd::Ones(static_cast<Eigen::Index>(classes)));
  if (!w.allFinite() || !(w.minCoeff() > 0)) {
    throw Error(ErrorKind::impossible,
                "the classes" + where +
                    " keep no more of their labels than chance would; no flip " +
                    "fixes that. Leave some out, or use better labels");
  }
  const double highest = w.maxCoeff();
  std::vector<double> epsilons(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    const double ratio = w[static_cast<Eigen::Index>(c)] / highest;
    epsilons[c] = std::clamp((size - 1) / size * (1 - ratio), 0.0, 1.0);
  }
  return {evenly(epsilons), 1 / size + (size - 1) / (size * highest)};
}

// How much each group must be flipped for all to keep the same share of their labels.
std::vector<double> epsilons_of_groups(std::span<const double> kept, std::size_t classes,
                                       std::span<const std::string> group_names) {
  const auto size = static_cast<double>(classes);
  std::vector<double> epsilons(kept.size());
  if (kept.empty()) return epsilons;
  const double lowest = *std::min_element(kept.begin(), kept.end());
  if (lowest == *std::max_element(kept.begin(), kept.end())) return epsilons;
  for (std::size_t g = 0; g < kept.size(); ++g) {
    if (!(kept[g] * size > 1)) {
      throw Error(ErrorKind::impossible,
                  name_of("group", group_names, g) + " keeps no more of its labels than chance " +
                      "would; no flip fixes that. Leave it out, or use better labels");
    }
    epsilons[g] = std::clamp((size - 1) * (kept[g] - lowest) / (size * kept[g] - 1), 0.0, 1.0);
  }
  return epsilons;
}

void check_transitions(std::span<const double> transitions, std::size_t classes,
                       std::size_t matrices) {
  check_classes(classes);
  check_square(transitions.size(), classes, std::max<std::size_t>(matrices, 1));
  // No labels: it only checks that the rows of the matrices add up to 1.
  draw_labels({}, {}, classes, transitions, 0, Stream::flip);
}

}  // namespace

FlipPlan equal_classes_plan(std::span<const double> transition, std::size_t classes,
                            std::span<const std::string> class_names) {
  check_transitions(transition, classes, 1);
  return {classes, equalize(transition, classes, class_names, "").flip};
}

FlipPlan equal_groups_plan(std::span<const double> rates, std::size_t classes,
                           std::span<const std::string> group_names) {
  check_classes(classes);
  check_that(!rates.empty(), "there are no groups to make equally noisy");
  check_probabilities(rates, "the rates");
  std::vector<double> kept;
  for (const double rate : rates) kept.push_back(1 - rate);
  return even_groups(epsilons_of_groups(kept, classes, group_names), classes);
}

FlipPlan equal_classes_in_groups_plan(std::span<const double> transitions, std::size_t classes,
                                      std::span<const std::string> class_names,
                                      std::span<const std::string> group_names) {
  check_classes(classes);
  const std::size_t size = classes * classes;
  const std::size_t groups = transitions.size() / size;
  check_transitions(transitions, classes, groups);
  std::vector<std::vector<double>> first;
  std::vector<double> kept;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::string where = " of " + name_of("group", group_names, g);
    EqualClasses equal = equalize(transitions.subspan(g * size, size), classes, class_names, where);
    first.push_back(std::move(equal.flip));
    kept.push_back(equal.kept);
  }
  FlipPlan plan{classes, {}, groups};
  const std::vector<double> epsilons = epsilons_of_groups(kept, classes, group_names);
  for (std::size_t g = 0; g < groups; ++g) {
    const FlipPlan second{classes, evenly(std::vector<double>(classes, epsilons[g]))};
    const std::vector<double> both = second.after(first[g]);
    plan.flip.insert(plan.flip.end(), both.begin(), both.end());
  }
  return plan;
}

}  // namespace noiseplus
