#include "experiments/methods/gap_curve.h"

#include <fmt/format.h>

#include <cmath>

namespace noiseplus {
namespace {

double cube(double x) {
  return x * x * x;
}

// Views of rows that share their clean label: how often each is labeled +.
struct TwoClasses {
  double prior;                     // share of clean +
  double of_positive, of_negative;  // P(label + | clean +), P(label + | clean -)

  double labeled() const { return prior * of_positive + (1 - prior) * of_negative; }

  TwoClasses flipped(double epsilon) const {
    return {prior, of_positive * (1 - epsilon), of_negative * (1 - epsilon)};
  }

  // Drawn by the label so that both are equally frequent.
  TwoClasses sampled() const {
    const double weight = .5 / labeled();
    const double other_weight = .5 / (1 - labeled());
    const double positive_kept = prior * of_positive * weight;
    const double positive_lost = prior * (1 - of_positive) * other_weight;
    const double negative_wrong = (1 - prior) * of_negative * weight;
    const double share = positive_kept + positive_lost;
    return {share, positive_kept / share, negative_wrong / (1 - share)};
  }

  double gap() const {
    const double all_positive = prior * cube(of_positive) + (1 - prior) * cube(of_negative);
    const double all_negative = prior * cube(1 - of_positive) + (1 - prior) * cube(1 - of_negative);
    return all_positive / labeled() - all_negative / (1 - labeled());
  }
};

bool is_below_one(double share) {
  return share >= 0 && share < 1;
}

void check_two_classes(const KnownRows& set, std::span<const std::int32_t> noisy) {
  if (set.classes.size() != 2) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has {} classes; PA - NA is of two", set.name, set.classes.size()));
  }
  if (set.graph.size() == 0) {
    throw Error(ErrorKind::usage, set.name + " has no neighbors yet; call find_graph first");
  }
  if (noisy.size() != set.rows.rows()) {
    throw Error(ErrorKind::usage, fmt::format("{} has {} rows, but there are labels of {}",
                                              set.name, set.rows.rows(), noisy.size()));
  }
}

}  // namespace

double theorem_gap(TwoRates rates, double epsilon) {
  const double positive = rates.positive + (1 - rates.positive) * epsilon;
  const double negative = (1 - epsilon) * rates.negative;
  return 4 * (.5 - positive) * (.5 - negative) * (negative - positive);
}

GapRoots theorem_roots(TwoRates rates) {
  const auto [negative, positive] = rates;
  if (!(positive >= 0 && positive < negative && negative < .5)) {
    throw Error(ErrorKind::usage,
                fmt::format("e+ = {}, e- = {}: the roots are of 0 <= e+ < e- < 1/2; exchange the "
                            "classes when the other is the noisier one",
                            positive, negative));
  }
  return {(negative - positive) / (1 - positive + negative), (.5 - positive) / (1 - positive)};
}

double expected_gap(double prior, TwoRates rates, double epsilon, PaperVariant variant) {
  if (!(prior > 0 && prior < 1 && is_below_one(rates.positive) && is_below_one(rates.negative) &&
        is_below_one(epsilon))) {
    throw Error(ErrorKind::usage,
                fmt::format("prior {}, e+ {}, e- {}, epsilon {}: the first is above 0, and all are "
                            "from 0 to below 1",
                            prior, rates.positive, rates.negative, epsilon));
  }
  const TwoClasses given{prior, 1 - rates.positive, rates.negative};
  return variant == PaperVariant::original ? given.sampled().flipped(epsilon).gap()
                                           : given.flipped(epsilon).sampled().gap();
}

std::vector<double> measured_gaps(const KnownRows& set, std::span<const std::int32_t> noisy,
                                  std::span<const double> epsilons, PaperVariant variant,
                                  std::uint64_t seed, const Execution& execution) {
  check_two_classes(set, noisy);
  const AgreementGap gap = agreement_gap(set.rows.view(), set.graph, noisy, 1, variant, seed,
                                         Metric::euclidean, execution);
  std::vector<double> gaps;
  for (const double epsilon : epsilons) gaps.push_back(gap(1, epsilon));
  return gaps;
}

std::optional<double> first_zero(std::span<const double> epsilons, std::span<const double> gaps) {
  for (std::size_t i = 1; i < gaps.size(); ++i) {
    if (gaps[i - 1] <= 0 || gaps[i] > 0) continue;
    const double share = gaps[i - 1] / (gaps[i - 1] - gaps[i]);
    return epsilons[i - 1] + share * (epsilons[i] - epsilons[i - 1]);
  }
  return std::nullopt;
}

}  // namespace noiseplus
