#include <fmt/core.h>

#include <cmath>

#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

void check_share(const char* what, double share) {
  if (share >= 0 && share <= 1) return;
  throw Error(ErrorKind::usage, fmt::format("{} is {}; give a share from 0 to 1", what, share));
}

void check_noise(LabelNoise noise) {
  check_share("the noise of negatives, e-,", noise.negative);
  check_share("the noise of positives, e+,", noise.positive);
}

void check_below_half(const char* what, double rate) {
  check_share(what, rate);
  if (rate < .5) return;
  throw Error(
      ErrorKind::impossible,
      fmt::format("{} is {}: labels tell nothing of the class at one half, and its opposite "
                  "beyond; give a rate below 0.5",
                  what, rate));
}

void check_group(const MisjudgedGroup& group) {
  check_below_half("the noise of a group", group.noise);
  check_below_half("the noise assumed of a group", group.assumed);
}

}  // namespace

PositiveRates noisy_rates(PositiveRates clean, double prior, LabelNoise noise) {
  check_share("the share of clean positives", prior);
  check_noise(noise);
  const double kept_positives = prior * (1 - noise.positive);
  const double lost_positives = prior * noise.positive;
  const double kept_negatives = (1 - prior) * (1 - noise.negative);
  const double lost_negatives = (1 - prior) * noise.negative;
  const double labeled_positive = kept_positives + lost_negatives;
  const double labeled_negative = kept_negatives + lost_positives;
  if (labeled_positive == 0 || labeled_negative == 0) {
    throw Error(ErrorKind::impossible,
                fmt::format("with a share of clean positives of {}, e+ {} and e- {}, {} would be "
                            "labeled positive, and the other label has no rates; give a prior and "
                            "noise that leave rows of both labels",
                            prior, noise.positive, noise.negative,
                            labeled_positive == 0 ? "no row" : "every row"));
  }
  return {(kept_positives * clean.tpr + lost_negatives * clean.fpr) / labeled_positive,
          (kept_negatives * clean.fpr + lost_positives * clean.tpr) / labeled_negative};
}

double clean_share(double q, LabelNoise noise) {
  check_share("the share of positive labels", q);
  check_noise(noise);
  if (!(noise.negative + noise.positive < 1)) {
    throw Error(ErrorKind::impossible,
                fmt::format("e+ {} and e- {} add up to 1 or more: such labels tell nothing of the "
                            "class; give lower rates of noise",
                            noise.positive, noise.negative));
  }
  return (q - noise.negative) / (1 - noise.negative - noise.positive);
}

PositiveRates clean_rates(PositiveRates noisy, double q, LabelNoise noise) {
  check_share("the share of positive labels", q);
  check_noise(noise);
  const double clean_positives = q - noise.negative;  // both times 1 - e+ - e-
  const double clean_negatives = 1 - q - noise.positive;
  if (!(clean_positives > 0 && clean_negatives > 0)) {
    throw Error(ErrorKind::impossible,
                fmt::format("a share of positive labels of {} cannot have come about by noise of "
                            "e+ {} and e- {}: it would be above e- and below 1 - e+ = {}; give "
                            "lower rates of noise",
                            q, noise.positive, noise.negative, 1 - noise.positive));
  }
  const double positives_called = q * noisy.tpr;  // of all rows: labeled and called positive
  const double negatives_called = (1 - q) * noisy.fpr;
  return {((1 - noise.negative) * positives_called - noise.negative * negatives_called) /
              clean_positives,
          ((1 - noise.positive) * negatives_called - noise.positive * positives_called) /
              clean_negatives};
}

double correction_error(const MisjudgedGroup& group) {
  check_group(group);
  return (group.noisy.tpr - group.noisy.fpr) * (group.noise - group.assumed) /
         ((1 - 2 * group.noise) * (1 - 2 * group.assumed));
}

double residual_violation(const MisjudgedGroup& first, const MisjudgedGroup& second) {
  return correction_error(first) - correction_error(second);
}

double violation_bound(const MisjudgedGroup& first, const MisjudgedGroup& second) {
  const double left =
      std::abs(std::abs(correction_error(first)) - std::abs(correction_error(second)));
  const double first_misjudged = std::abs(first.assumed - first.noise);
  const double second_misjudged = std::abs(second.assumed - second.noise);
  if (first_misjudged <= second_misjudged) return left;
  return left * (second_misjudged / first_misjudged);
}

}  // namespace noiseplus
