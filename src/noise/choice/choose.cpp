// The choice and the decision rule of `auto`. Only the accused class needs a region where it is
// pure; of the other an upper bound of its rate is enough.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include "core/checks.h"
#include "core/intervals.h"
#include "core/portable_math.h"
#include "core/thread_pool.h"
#include "noise/scores.h"
#include "noise/wrong_share.h"

namespace noiseplus {
namespace {

// Rates by one method, with their errors. Two of them must agree before anything is claimed.
struct Opinion {
  std::vector<double> rates;
  const CurveFit* errors;
  WrongShare wrong;
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
      {rule.min_kept, "min_kept"},        {rule.min_prior * 2, "twice min_prior"},
      {rule.pure_from, "pure_from"},      {rule.min_pure, "min_pure"},
      {rule.min_lead, "min_lead"},        {rule.largest_impure_rate, "largest_impure_rate"},
      {rule.max_mixed, "max_mixed"},      {rule.max_mixed_two, "max_mixed_two"},
      {rule.min_distinct, "min_distinct"}};
  for (const auto& [value, name] : shares) check_number(value, 0, 1, name);
  const std::pair<double, const char*> numbers[] = {
      {rule.max_disagreement, "max_disagreement"},
      {rule.min_linear_gain, "min_linear_gain"},
      {rule.doubt_scale, "doubt_scale"},
      {rule.interval_errors, "interval_errors"},
      {rule.doubt_power_of_kept, "doubt_power_of_kept"},
      {rule.doubt_power_of_impurity, "doubt_power_of_impurity"},
      {rule.doubt_power_of_odds, "doubt_power_of_odds"},
      {rule.doubt_of_few_rows, "doubt_of_few_rows"},
      {rule.enough_rows_doubt, "enough_rows_doubt"},
      {rule.gap_doubt_scale, "gap_doubt_scale"},
      {rule.gap_doubt_power_of_odds, "gap_doubt_power_of_odds"},
      {rule.low_kept, "low_kept"},
      {rule.gap_low_kept, "gap_low_kept"},
      {rule.low_kept_slope, "low_kept_slope"},
      {rule.doubt_per_excess, "doubt_per_excess"},
      {rule.doubt_of_repeated_rows, "doubt_of_repeated_rows"},
      {rule.min_doubt_of_repeated_rows, "min_doubt_of_repeated_rows"},
      {rule.upper_bound_from, "upper_bound_from"},
      {rule.claim_errors_two, "claim_errors_two"},
      {rule.claim_errors_many, "claim_errors_many"}};
  for (const auto& [value, name] : numbers) check_number(value, 0, any, name);
  check_that(is_among(rule.assume, Assumption::table),
             "the assumption is none; say none, embedding or table");
}

class Chooser {
 public:
  Chooser(const CurveFits& fits, const LatentClasses& latent, const NeighborGraph& graph,
          double distinct, std::span<const std::string> class_names, const ChoiceRule& rule)
      : fits_(fits),
        latent_(latent),
        names_(class_names),
        rule_(rule),
        classes_(latent.prior.size()) {
    check();
    check_number(distinct, 0, 1, "the share of distinct rows");
    chosen_.distinct = distinct;
    linear_tells_ = gain(fits.linear) >= rule.min_linear_gain * gain(fits.votes);
    chosen_.disagreement =
        neighbor_disagreement(single_score().posterior.view(), graph, rule.nearest);
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
    std::vector<const CurveFit*> curves = {&fits_.linear, &fits_.votes, &fits_.both};
    if (fits_.without_trees) curves.push_back(&*fits_.without_trees);
    for (const CurveFit* curve : curves) {
      fit = fit && curve->upper_limits.size() == classes_ &&
            curve->estimate.transition.size() == cells &&
            curve->standard_errors.size() == classes_ && curve->covariance.size() == cells &&
            curve->estimate.prior.size() == classes_ && curve->posterior.columns() == classes_ &&
            curve->posterior.rows() == fits_.both.posterior.rows();
    }
    if (!fit)
      throw Error(ErrorKind::usage, "auto: all estimates must be of the same classes and rows");
    check_rule(rule_);
  }

  double max_mixed() const { return classes_ == 2 ? rule_.max_mixed_two : rule_.max_mixed; }

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

  const CurveFit& single_score() const { return linear_tells_ ? fits_.linear : fits_.votes; }
  const CurveFit& second_opinion() const {
    return fits_.without_trees ? *fits_.without_trees : single_score();
  }

  void choose_mode() {
    const PosteriorShape by_votes = shape_of(fits_.votes.posterior.view(), rule_.pure_from);
    chosen_.mixed = by_votes.mixed;
    const bool seems_dense = chosen_.disagreement <= rule_.max_disagreement &&
                             chosen_.mixed <= max_mixed() && chosen_.distinct >= rule_.min_distinct;
    const bool dense =
        rule_.assume == Assumption::embedding || (rule_.assume == Assumption::none && seems_dense);
    is_dense_ = dense;
    chosen_.mode = dense ? "dense" : "overlap";
    const auto curve = [&](const CurveFit& fit) {
      return Opinion{rates_of(fit.estimate.transition, classes_), &fit,
                     wrong_share_of(fit.estimate.transition, fit.estimate.prior)};
    };
    NoiseEstimate& estimate = chosen_.estimate;
    estimate.estimator = "auto";
    if (dense) {
      shape_ = by_votes;
      estimate.transition = latent_.transition;
      estimate.prior = latent_.prior;
      estimate.identified = fits_.votes.estimate.identified;
      // The latent classes have no errors of their own here; those of the votes stand in.
      opinions_ = {{rates_of(latent_.transition, classes_), &fits_.votes,
                    wrong_share_of(latent_.transition, latent_.prior)},
                   curve(fits_.votes)};
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
    const double kept = std::clamp((trace - 1) / others, rule_.min_kept, 1.0);
    const auto rows = static_cast<double>(fits_.both.posterior.rows());
    const double scale = portable::pow(kept, rule_.doubt_power_of_kept);
    for (std::size_t i = 0; i < classes_; ++i) {
      const double prior = std::clamp(shape_.prior[i], rule_.min_prior, 1 - rule_.min_prior);
      const double odds = (1 - prior) / prior / others;
      const double impure =
          portable::pow(std::max(1 - shape_.pure[i], 0.0), rule_.doubt_power_of_impurity);
      const double few = is_dense_ ? 0
                                   : std::max(rule_.doubt_of_few_rows / std::sqrt(rows * prior) -
                                                  rule_.enough_rows_doubt,
                                              0.0);
      const auto doubt = [&](double doubt_scale, double power, double low_kept) {
        const double overlap = doubt_scale * impure * portable::pow(odds, power);
        const double small = is_dense_ ? 0 : rule_.low_kept_slope * (low_kept - kept);
        return std::max(std::min(kept, scale * (overlap + few)), small);
      };
      double of_rate = doubt(rule_.doubt_scale, rule_.doubt_power_of_odds, rule_.low_kept);
      if (!is_dense_ && chosen_.distinct < rule_.min_distinct) {
        of_rate = std::max(
            {of_rate, rule_.doubt_of_repeated_rows * rates_[i], rule_.min_doubt_of_repeated_rows});
      }
      const double of_gap =
          doubt(rule_.gap_doubt_scale, rule_.gap_doubt_power_of_odds, rule_.gap_low_kept);
      const bool is_sure = rule_.assume == Assumption::embedding;
      chosen_.doubts.push_back(is_sure ? 0 : of_rate);
      chosen_.gap_doubts.push_back(is_sure ? 0 : of_gap);
      chosen_.upper_bound_only.push_back(chosen_.doubts[i] > rule_.upper_bound_from);
    }
  }

  void fill_rates() {
    for (std::size_t i = 0; i < classes_; ++i) {
      double low = 1, high = 0;
      for (const Opinion& opinion : opinions_) {
        const double half = rule_.interval_errors * opinion.errors->standard_errors[i];
        low = std::min(low, opinion.rates[i] - half);
        if (is_dense_ || &opinion == &opinions_.front())
          high = std::max(high, opinion.rates[i] + half);
      }
      // The shape of the curve is an assumption, and may put the edge too far out; the limit from
      // the labels beyond it needs none.
      double excess = 0;
      if (!is_dense_) {
        const double limit = opinions_.front().errors->upper_limits[i];
        excess = std::max(limit - high, 0.0);
        high = std::max(high, limit);
      }
      // Where even the least mixed rows carry more other labels than the rate and chance explain,
      // the curve has taken the excess for overlap already, and less of the rate is in doubt.
      const double doubt = std::max(chosen_.doubts[i] - rule_.doubt_per_excess * excess, 0.0);
      const double rate = std::clamp(rates_[i], 0.0, 1.0);
      const double lowest = std::clamp(low - chosen_.doubts[i], 0.0, rate);
      chance_below_.push_back(std::max(rate - lowest - chosen_.doubts[i], 0.0));
      chosen_.estimate.noise.push_back(
          {rate, std::clamp(low - doubt, 0.0, rate), std::clamp(high, rate, 1.0)});
    }
    fill_wrong_share();
  }

  void fill_wrong_share() {
    const Opinion& main = opinions_.front();
    const double value = std::clamp(main.wrong.value, 0.0, 1.0);
    double low = value, high = value;
    double& doubt = chosen_.wrong_share_doubt;
    for (std::size_t i = 0; i < classes_; ++i) doubt += main.wrong.gradient[i] * chosen_.doubts[i];
    if (is_dense_) {
      for (const Opinion& opinion : opinions_) {
        const double half = rule_.interval_errors * error_of_wrong_share(opinion);
        low = std::min(low, opinion.wrong.value - half);
        high = std::max(high, opinion.wrong.value + half);
      }
    } else {
      // What an imperfect curve adds to one rate it adds to the other too, so that the ends are
      // those of all rates together.
      for (std::size_t i = 0; i < classes_; ++i) {
        const EstimateWithInterval& rate = chosen_.estimate.noise[i];
        low -= main.wrong.gradient[i] * chance_below_[i];
        high += main.wrong.gradient[i] * (rate.high - rate.value);
      }
    }
    chosen_.wrong_share_error = std::max(high - value, value - low) / rule_.interval_errors;
    chosen_.wrong_share = {value, std::clamp(low - doubt, 0.0, value),
                           std::clamp(high, value, 1.0)};
  }

  double error_of_wrong_share(const Opinion& opinion) const {
    double variance = 0;
    for (std::size_t i = 0; i < classes_; ++i) {
      for (std::size_t j = 0; j < classes_; ++j) {
        variance += opinion.wrong.gradient[i] * opinion.wrong.gradient[j] *
                    opinion.errors->covariance[i * classes_ + j];
      }
    }
    return std::sqrt(std::max(variance, 0.0));
  }

  double pairs() const {
    return static_cast<double>(classes_) * static_cast<double>(classes_ - 1) / 2;
  }

  double claim_errors() const {
    if (classes_ == 2) return rule_.claim_errors_two;
    return std::max(rule_.claim_errors_many, two_sided_normal_quantile(.05 / pairs()));
  }

  // By how much, in the eyes of the more sceptical opinion, i is noisier than j beyond chance.
  double lead(std::size_t i, std::size_t j) const {
    const double errors = claim_errors();
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
          shape_.pure[i] < rule_.min_pure && rates_[i] > rule_.largest_impure_rate;
      for (std::size_t j = 0; j < classes_; ++j) {
        if (i == j) continue;
        const double by = lead(i, j);
        const ClassPair pair{static_cast<int>(i), static_cast<int>(j)};
        const double margin = std::max(rule_.min_lead, excess_of_limit(j));
        if (!incredible && by > chosen_.gap_doubts[i] + margin) {
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
    agree_on_gap(best_claim);
    fill_two_class_terms(estimate);
    widen_narrow_intervals(estimate, fits_.both.posterior.rows());
    widen_narrow_interval(chosen_.wrong_share, fits_.both.posterior.rows());
    if (!estimate.identified) withdraw();
  }

  // The gap's interval and p-value say no less than the clearest claim, and no more than that there
  // is none. `lead` is that of the claim.
  void agree_on_gap(double lead) {
    NoiseEstimate& estimate = chosen_.estimate;
    if (estimate.noisier < 0) {
      estimate.gap.low = std::min(estimate.gap.low, 0.0);
      return;
    }
    const auto noisier = static_cast<std::size_t>(estimate.noisier);
    const auto cleaner = static_cast<std::size_t>(estimate.cleaner);
    const double proved = lead - chosen_.gap_doubts[noisier] - excess_of_limit(cleaner);
    estimate.gap.low = std::clamp(proved, estimate.gap.low, estimate.gap.value);
    estimate.p_value = std::min(estimate.p_value, p_value_of(noisier, cleaner));
  }

  // Of the more skeptical opinion, corrected for all pairs.
  double p_value_of(std::size_t i, std::size_t j) const {
    double largest = 0;
    for (const Opinion& opinion : opinions_) {
      const double difference = opinion.rates[i] - opinion.rates[j];
      const double error = opinion.errors->error_of_gap(i, j);
      const double p = error > 0 ? portable::erfc(difference / error / std::numbers::sqrt2) : 1;
      largest = std::max(largest, std::min(pairs() * p, 1.0));
    }
    return largest;
  }

  // What is not identified proves nothing.
  void withdraw() {
    NoiseEstimate& estimate = chosen_.estimate;
    chosen_.claims.clear();
    chosen_.leans.clear();
    estimate.noisier = estimate.cleaner = estimate.leans = -1;
    for (EstimateWithInterval& rate : estimate.noise) rate = {rate.value, 0, 1};
    chosen_.wrong_share = {chosen_.wrong_share.value, 0, 1};
    estimate.gap = {estimate.gap.value, -1, 1};
    estimate.p_value = 1;
  }

  // How far the upper end of a rate is above what chance explains.
  double excess_of_limit(std::size_t i) const {
    const double by_chance =
        rates_[i] + rule_.interval_errors * opinions_.front().errors->standard_errors[i];
    return std::max(chosen_.estimate.noise[i].high - by_chance, 0.0);
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
    estimate.p_value = p_value_of(highest, lowest);
    // The pair with the largest gap is the one of many, so its interval holds for all of them.
    const double errors = std::max(rule_.interval_errors, two_sided_normal_quantile(.05 / pairs()));
    for (const Opinion& opinion : opinions_) {
      const double difference = opinion.rates[highest] - opinion.rates[lowest];
      const double half = errors * opinion.errors->error_of_gap(highest, lowest);
      estimate.gap.low = std::min(estimate.gap.low, difference - half);
      estimate.gap.high = std::max(estimate.gap.high, difference + half);
    }
    // Each rate may be lower than it seems by its doubt, and higher by what the limit adds.
    estimate.gap.low =
        std::max(estimate.gap.low - chosen_.gap_doubts[highest] - excess_of_limit(lowest), -1.0);
    estimate.gap.high =
        std::min(estimate.gap.high + chosen_.gap_doubts[lowest] + excess_of_limit(highest), 1.0);
  }

  void explain() {
    if (rule_.assume == Assumption::embedding) {
      chosen_.reason = "as assumed, neighboring rows share their clean label";
    } else if (rule_.assume == Assumption::table) {
      chosen_.reason = "as assumed, the classes overlap";
    } else if (chosen_.mode == "dense") {
      chosen_.reason = "neighboring rows are nearly always of one class (disagreement " +
                       number(chosen_.disagreement) + ", at most " +
                       number(rule_.max_disagreement) + "; mixed " + number(chosen_.mixed) +
                       ", at most " + number(max_mixed()) + "; distinct rows " +
                       number(chosen_.distinct) + ", at least " + number(rule_.min_distinct) +
                       "): their labels are looks at one clean label";
    } else {
      std::string why;
      const auto add = [&why](const std::string& text) { why += (why.empty() ? "" : "; ") + text; };
      if (!(chosen_.disagreement <= rule_.max_disagreement)) {
        add("neighboring rows are often of different classes (disagreement " +
            number(chosen_.disagreement) + ", above " + number(rule_.max_disagreement) + ")");
      }
      if (!(chosen_.mixed <= max_mixed())) {
        add("many rows are between the classes (mixed " + number(chosen_.mixed) + ", above " +
            number(max_mixed()) + ")");
      }
      if (!(chosen_.distinct >= rule_.min_distinct)) {
        add("many rows are repeated (distinct " + number(chosen_.distinct) + ", below " +
            number(rule_.min_distinct) + ")");
      }
      chosen_.reason = why + ": the rates are where the curve of labels over scores levels off";
    }
    for (std::size_t i = 0; i < classes_; ++i) {
      if (!chosen_.upper_bound_only[i]) continue;
      chosen_.estimate.warnings.push_back("class " + class_name(names_, i) +
                                          ": only an upper bound of its rate is known, because too "
                                          "few rows are surely of it to tell noise from overlap");
    }
    if (!chosen_.estimate.identified) {
      chosen_.estimate.warnings.emplace_back(
          "not identified: the scores and neighbors say too little of the labels; the rates are "
          "not to be relied on");
    }
  }

  const CurveFits& fits_;
  const LatentClasses& latent_;
  std::span<const std::string> names_;
  const ChoiceRule& rule_;
  std::size_t classes_;
  bool linear_tells_ = true;
  bool is_dense_ = false;
  PosteriorShape shape_;
  std::vector<Opinion> opinions_;
  std::vector<double> rates_;
  std::vector<double> chance_below_;  // of each rate: how far it may be too high by chance
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
                               const NeighborGraph& graph, double distinct,
                               std::span<const std::string> class_names, const ChoiceRule& rule) {
  return Chooser(fits, latent, graph, distinct, class_names, rule).run();
}

}  // namespace noiseplus
