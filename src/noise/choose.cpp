// The choice and the decision rule of `auto`. Only the accused class needs a region where it is
// pure; of the other an upper bound of its rate is enough.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <numbers>

#include "noise/scores.h"
#include "util/checks.h"
#include "util/portable_math.h"
#include "util/thread_pool.h"

namespace noiseplus {
namespace {

// Rates by one method, with their errors. Two of them must agree before anything is claimed.
struct Opinion {
  std::vector<double> rates;
  const CurveFit* errors;
};

std::vector<double> rates_of(std::span<const double> transition, std::size_t classes) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < classes; ++i) rates.push_back(1 - transition[i * classes + i]);
  return rates;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

void check_rule(const ChoiceRule& rule) {
  constexpr double any = std::numeric_limits<double>::max();
  const std::pair<double, const char*> shares[] = {
      {rule.least_kept, "least_kept"}, {rule.least_prior * 2, "twice least_prior"},
      {rule.pure_from, "pure_from"},   {rule.least_pure, "least_pure"},
      {rule.least_lead, "least_lead"}, {rule.largest_impure_rate, "largest_impure_rate"},
      {rule.most_mixed, "most_mixed"}, {rule.least_distinct, "least_distinct"}};
  for (const auto& [value, name] : shares) check_number(value, 0, 1, name);
  const std::pair<double, const char*> numbers[] = {
      {rule.most_disagreement, "most_disagreement"},
      {rule.least_linear_gain, "least_linear_gain"},
      {rule.doubt_scale, "doubt_scale"},
      {rule.interval_errors, "interval_errors"},
      {rule.doubt_power_of_odds, "doubt_power_of_odds"},
      {rule.upper_bound_from, "upper_bound_from"},
      {rule.claim_errors_two, "claim_errors_two"},
      {rule.claim_errors_many, "claim_errors_many"}};
  for (const auto& [value, name] : numbers) check_number(value, 0, any, name);
  check_that(is_among(rule.assume, Assumption::table),
             "the assumption is none; say none, embedding or table");
}

class Chooser {
 public:
  Chooser(const CurveFits& fits, const LatentClasses& latent, const NeighbourGraph& graph,
          double distinct, std::span<const std::string> class_names, const ChoiceRule& rule)
      : fits_(fits),
        latent_(latent),
        names_(class_names),
        rule_(rule),
        classes_(latent.prior.size()) {
    check();
    check_number(distinct, 0, 1, "the share of distinct rows");
    chosen_.distinct = distinct;
    linear_tells_ = gain(fits.linear) >= rule.least_linear_gain * gain(fits.votes);
    chosen_.disagreement =
        neighbour_disagreement(second_opinion().posterior.view(), graph, rule.nearest);
  }

  ChosenEstimate run() {
    choose_mode();
    weigh_doubts();
    fill_rates();
    decide();
    explain();
    return std::move(chosen_);
  }

 private:
  void check() const {
    const std::size_t cells = classes_ * classes_;
    check_class_count(classes_, 2);
    bool fit = latent_.transition.size() == cells;
    for (const CurveFit* curve : {&fits_.linear, &fits_.votes, &fits_.both}) {
      fit = fit && curve->estimate.transition.size() == cells &&
            curve->standard_errors.size() == classes_ && curve->covariance.size() == cells &&
            curve->estimate.prior.size() == classes_ && curve->posterior.columns() == classes_ &&
            curve->posterior.rows() == fits_.both.posterior.rows();
    }
    if (!fit)
      throw Error(ErrorKind::usage, "auto: all estimates must be of the same classes and rows");
    check_rule(rule_);
  }

  // What the scores tell of a label, beyond how frequent labels are.
  double gain(const CurveFit& fit) const {
    double without = 0;
    for (std::size_t j = 0; j < classes_; ++j) {
      double share = 0;
      for (std::size_t i = 0; i < classes_; ++i) {
        share += fit.estimate.prior[i] * fit.estimate.transition[i * classes_ + j];
      }
      if (share > 0) without += share * portable::log(share);
    }
    return fit.log_likelihood - without;
  }

  const CurveFit& second_opinion() const { return linear_tells_ ? fits_.linear : fits_.votes; }

  void choose_mode() {
    const PosteriorShape by_votes = shape_of(fits_.votes.posterior.view(), rule_.pure_from);
    chosen_.mixed = by_votes.mixed;
    const bool seems_dense = chosen_.disagreement <= rule_.most_disagreement &&
                             chosen_.mixed <= rule_.most_mixed &&
                             chosen_.distinct >= rule_.least_distinct;
    const bool dense =
        rule_.assume == Assumption::embedding || (rule_.assume == Assumption::none && seems_dense);
    chosen_.mode = dense ? "dense" : "overlap";
    const auto curve = [&](const CurveFit& fit) {
      return Opinion{rates_of(fit.estimate.transition, classes_), &fit};
    };
    NoiseEstimate& estimate = chosen_.estimate;
    estimate.estimator = "auto";
    if (dense) {
      shape_ = by_votes;
      estimate.transition = latent_.transition;
      estimate.prior = latent_.prior;
      estimate.identified = fits_.votes.estimate.identified;
      // The latent classes have no errors of their own here; those of the votes stand in.
      opinions_ = {{rates_of(latent_.transition, classes_), &fits_.votes}, curve(fits_.votes)};
    } else {
      shape_ = shape_of(fits_.both.posterior.view(), rule_.pure_from);
      estimate.transition = fits_.both.estimate.transition;
      estimate.prior = fits_.both.estimate.prior;
      estimate.identified = fits_.both.estimate.identified && second_opinion().estimate.identified;
      opinions_ = {curve(fits_.both), curve(second_opinion())};
    }
    rates_ = rates_of(estimate.transition, classes_);
    chosen_.covariance = opinions_.front().errors->covariance;
  }

  // How far the edge of each class may be from pure: bias, which no number of rows removes.
  void weigh_doubts() {
    const auto others = static_cast<double>(classes_ - 1);
    double trace = 0;
    for (const double rate : rates_) trace += 1 - rate;
    const double kept = std::clamp((trace - 1) / others, rule_.least_kept, 1.0);
    for (std::size_t i = 0; i < classes_; ++i) {
      const double prior = std::clamp(shape_.prior[i], rule_.least_prior, 1 - rule_.least_prior);
      const double odds = (1 - prior) / prior / others;
      const double impure = 1 - shape_.pure[i];
      const double doubt = kept * std::min(1.0, rule_.doubt_scale * impure * impure *
                                                    portable::pow(odds, rule_.doubt_power_of_odds));
      chosen_.doubts.push_back(rule_.assume == Assumption::embedding ? 0 : doubt);
      chosen_.upper_bound_only.push_back(chosen_.doubts[i] > rule_.upper_bound_from);
    }
  }

  void fill_rates() {
    for (std::size_t i = 0; i < classes_; ++i) {
      double low = 1, high = 0;
      for (const Opinion& opinion : opinions_) {
        const double half = rule_.interval_errors * opinion.errors->standard_errors[i];
        low = std::min(low, opinion.rates[i] - half);
        high = std::max(high, opinion.rates[i] + half);
      }
      const double rate = std::clamp(rates_[i], 0.0, 1.0);
      chosen_.estimate.noise.push_back(
          {rate, std::clamp(low - chosen_.doubts[i], 0.0, rate), std::clamp(high, rate, 1.0)});
    }
  }

  // By how much, in the eyes of the more sceptical opinion, i is noisier than j beyond chance.
  double lead(std::size_t i, std::size_t j) const {
    const double errors = classes_ == 2 ? rule_.claim_errors_two : rule_.claim_errors_many;
    double least = 1;
    for (const Opinion& opinion : opinions_) {
      const double error = opinion.errors->error_of_gap(i, j);
      least = std::min(least, opinion.rates[i] - opinion.rates[j] - errors * error);
    }
    return least;
  }

  void decide() {
    double best_claim = 0, best_lean = 0;
    NoiseEstimate& estimate = chosen_.estimate;
    int leans = -1;
    for (std::size_t i = 0; i < classes_; ++i) {
      const bool incredible =
          shape_.pure[i] < rule_.least_pure && rates_[i] > rule_.largest_impure_rate;
      for (std::size_t j = 0; j < classes_; ++j) {
        if (i == j) continue;
        const double by = lead(i, j);
        const ClassPair pair{static_cast<int>(i), static_cast<int>(j)};
        if (!incredible && by > chosen_.doubts[i] + rule_.least_lead) {
          chosen_.claims.push_back(pair);
          if (by > best_claim) {
            best_claim = by;
            estimate.noisier = pair.noisier;
            estimate.cleaner = pair.cleaner;
          }
        } else if (by > 0) {
          chosen_.leans.push_back(pair);
          if (by > best_lean) {
            best_lean = by;
            leans = pair.noisier;
          }
        }
      }
    }
    if (estimate.noisier < 0) estimate.leans = leans;
    fill_gap();
    fill_two_class_terms(estimate);
    if (!estimate.identified) withdraw();
  }

  // What is not identified proves nothing.
  void withdraw() {
    NoiseEstimate& estimate = chosen_.estimate;
    chosen_.claims.clear();
    chosen_.leans.clear();
    estimate.noisier = estimate.cleaner = estimate.leans = -1;
    for (Estimated& rate : estimate.noise) rate = {rate.value, 0, 1};
    estimate.gap = {estimate.gap.value, -1, 1};
    estimate.p_value = 1;
  }

  // Between the highest and the lowest rate.
  void fill_gap() {
    NoiseEstimate& estimate = chosen_.estimate;
    const auto highest =
        static_cast<std::size_t>(std::max_element(rates_.begin(), rates_.end()) - rates_.begin());
    const auto lowest =
        static_cast<std::size_t>(std::min_element(rates_.begin(), rates_.end()) - rates_.begin());
    const double gap = estimate.noise[highest].value - estimate.noise[lowest].value;
    estimate.gap = {gap, gap, gap};
    estimate.p_value = 0;
    for (const Opinion& opinion : opinions_) {
      const double difference = opinion.rates[highest] - opinion.rates[lowest];
      const double error = opinion.errors->error_of_gap(highest, lowest);
      const double half = rule_.interval_errors * error;
      estimate.gap.low = std::min(estimate.gap.low, difference - half);
      estimate.gap.high = std::max(estimate.gap.high, difference + half);
      const double p = error > 0 ? portable::erfc(difference / error / std::numbers::sqrt2) : 1;
      estimate.p_value = std::max(estimate.p_value, std::min(p, 1.0));
    }
    // Each rate may be lower than it seems by its doubt, never higher.
    estimate.gap.low = std::max(estimate.gap.low - chosen_.doubts[highest], -1.0);
    estimate.gap.high = std::min(estimate.gap.high + chosen_.doubts[lowest], 1.0);
  }

  void explain() {
    if (rule_.assume == Assumption::embedding) {
      chosen_.reason = "as assumed, neighbouring rows share their clean label";
    } else if (rule_.assume == Assumption::table) {
      chosen_.reason = "as assumed, the classes overlap";
    } else if (chosen_.mode == "dense") {
      chosen_.reason = "neighbouring rows are nearly always of one class (disagreement " +
                       number(chosen_.disagreement) + ", at most " +
                       number(rule_.most_disagreement) + "; mixed " + number(chosen_.mixed) +
                       ", at most " + number(rule_.most_mixed) + "; distinct rows " +
                       number(chosen_.distinct) + ", at least " + number(rule_.least_distinct) +
                       "): their labels are looks at one clean label";
    } else {
      std::string why;
      const auto add = [&why](const std::string& text) { why += (why.empty() ? "" : "; ") + text; };
      if (!(chosen_.disagreement <= rule_.most_disagreement)) {
        add("neighbouring rows are often of different classes (disagreement " +
            number(chosen_.disagreement) + ", above " + number(rule_.most_disagreement) + ")");
      }
      if (!(chosen_.mixed <= rule_.most_mixed)) {
        add("many rows are between the classes (mixed " + number(chosen_.mixed) + ", above " +
            number(rule_.most_mixed) + ")");
      }
      if (!(chosen_.distinct >= rule_.least_distinct)) {
        add("many rows are repeated (distinct " + number(chosen_.distinct) + ", below " +
            number(rule_.least_distinct) + ")");
      }
      chosen_.reason = why + ": the rates are where the curve of labels over scores levels off";
    }
    for (std::size_t i = 0; i < classes_; ++i) {
      if (!chosen_.upper_bound_only[i]) continue;
      chosen_.estimate.warnings.push_back("the rate of class " + class_name(names_, i) +
                                          " is an upper bound: too few rows are surely of it to "
                                          "tell noise from overlap");
    }
    if (!chosen_.estimate.identified) {
      chosen_.estimate.warnings.emplace_back(
          "not identified: the scores and neighbours say too little of the labels; the rates are "
          "not to be relied on");
    }
  }

  const CurveFits& fits_;
  const LatentClasses& latent_;
  std::span<const std::string> names_;
  const ChoiceRule& rule_;
  std::size_t classes_;
  bool linear_tells_ = true;
  PosteriorShape shape_;
  std::vector<Opinion> opinions_;
  std::vector<double> rates_;
  ChosenEstimate chosen_;
};

}  // namespace

CurveFits fit_curves(MatrixView linear, MatrixView votes, std::span<const std::int32_t> codes,
                     std::span<const std::string> class_names, const CurveOptions& options,
                     const Execution& execution) {
  const MatrixView both[] = {linear, votes};
  const auto fit = [&](std::span<const MatrixView> scores, double begin, double end) {
    return fit_curve(scores, codes, class_names, options, part_of(execution, "curve", begin, end));
  };
  return {fit({both, 1}, 0, .3), fit({both + 1, 1}, .3, .6), fit(both, .6, 1)};
}

ChosenEstimate choose_estimate(const CurveFits& fits, const LatentClasses& latent,
                               const NeighbourGraph& graph, double distinct,
                               std::span<const std::string> class_names, const ChoiceRule& rule) {
  return Chooser(fits, latent, graph, distinct, class_names, rule).run();
}

}  // namespace noiseplus
