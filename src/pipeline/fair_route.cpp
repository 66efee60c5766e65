#include "pipeline/fair_route.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/format.h"
#include "fair/cells.h"
#include "pipeline/fair_noise.h"

namespace noiseplus {
namespace {

// One standard error, one-sided: a route must be better at so many of the possible noise rates.
constexpr double min_share_of_draws = .84;
constexpr std::size_t draws = 500;

// Labels of more noise than this share of those that could be noise have no rates.
constexpr double max_share_of_labels = .98;

UncertainRate uncertain_rate(double value, const EstimateWithInterval& interval,
                             bool is_upper_bound) {
  constexpr double quantile = 1.96;
  constexpr double min_error = .0015;
  UncertainRate rate;
  rate.value = value;
  rate.error = std::max((interval.high - value) / quantile, min_error);
  // What chance does not explain of the lower half of the interval.
  rate.doubt = is_upper_bound && interval.low < 1e-9
                   ? value
                   : std::max(value - interval.low - quantile * rate.error, 0.0);
  return rate;
}

double drawn_rate(const UncertainRate& rate, double max_rate, std::uint64_t seed, std::size_t draw,
                  std::size_t place) {
  const double doubt = rate.doubt * uniform(seed, Stream::noise_rates, draw, 2 * place);
  const double chance = rate.error * normal(seed, Stream::noise_rates, draw, 2 * place + 1);
  return std::clamp(rate.value - doubt + chance, 0.0, max_rate);
}

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

struct Outcome {
  double violation = 0, accuracy = 0;
};

// What given labels say of answers by clean labels, at any noise.
class RouteJudge {
 public:
  explicit RouteJudge(const RouteProblem& problem)
      : problem_(problem),
        cells_(problem.dataset.labels.codes, problem.positive, problem.dataset.groups.codes,
               problem.noise.size()) {
    options_.constraint = problem.constraint;
    options_.positive = problem.positive;
    options_.group_names = problem.dataset.groups.classes;
    accuracy_ = options_;
    accuracy_.constraint = Constraint::error_parity;
  }

  // Of both, at the same noise.
  std::array<Outcome, 2> at(const std::vector<LabelNoise>& noise, const std::vector<double>& first,
                            const std::vector<double>& second) {
    options_.noise = accuracy_.noise = noise;
    const std::vector<std::string>& names = problem_.dataset.labels.classes;
    std::array<Outcome, 2> outcomes;
    for (const ComparedRate& rate : compared_rates(cells_, options_, names)) {
      const auto raise = [&](double& violation, const std::vector<double>& counts) {
        violation = std::max(violation, range_of(rate.values(counts)));
      };
      raise(outcomes[0].violation, first);
      raise(outcomes[1].violation, second);
    }
    const ComparedRate error = compared_rates(cells_, accuracy_, names).front();
    outcomes[0].accuracy = 1 - error.of_all(error.values(first));
    outcomes[1].accuracy = 1 - error.of_all(error.values(second));
    return outcomes;
  }

  std::vector<LabelNoise> noise_of_draw(std::size_t draw) const {
    std::vector<LabelNoise> noise;
    for (std::size_t z = 0; z < problem_.noise.size(); ++z) {
      const double q = share_of_positives(z);
      const UncertainNoise& group = problem_.noise[z];
      noise.push_back(
          {drawn_rate(group.negative, max_share_of_labels * q, problem_.seed, draw, 2 * z),
           drawn_rate(group.positive, max_share_of_labels * (1 - q), problem_.seed, draw,
                      2 * z + 1)});
    }
    return noise;
  }

  // One standard error of a difference between two groups, by the chance of sampling: the largest
  // of all rates that are compared, at the estimated noise.
  double spread(const std::vector<double>& counts) {
    options_.noise.clear();
    for (std::size_t z = 0; z < problem_.noise.size(); ++z) {
      const double q = share_of_positives(z);
      options_.noise.push_back(
          {std::min(problem_.noise[z].negative.value, max_share_of_labels * q),
           std::min(problem_.noise[z].positive.value, max_share_of_labels * (1 - q))});
    }
    double largest = 0;
    for (const ComparedRate& rate :
         compared_rates(cells_, options_, problem_.dataset.labels.classes)) {
      std::vector<double> spreads;
      for (std::size_t z = 0; z < problem_.noise.size(); ++z) {
        spreads.push_back(spread_of(cells_, options_, rate.name, z, counts));
      }
      std::sort(spreads.rbegin(), spreads.rend());
      largest = std::max(largest, std::sqrt(spreads[0] * spreads[0] + spreads[1] * spreads[1]));
    }
    return largest;
  }

 private:
  double share_of_positives(std::size_t z) const {
    return static_cast<double>(cells_.rows[2 * z + 1]) /
           static_cast<double>(cells_.rows_of_group(z));
  }

  const RouteProblem& problem_;
  Cells cells_;
  FairOptions options_, accuracy_;
};

// The mean, and what leaves as many draws on either side as a standard error does.
EstimateWithInterval summary_of(std::vector<double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * (count - 1))];
  };
  return {sum / count, at(1 - min_share_of_draws), at(min_share_of_draws)};
}

std::string range_text(const EstimateWithInterval& range) {
  return fmt::format("{} to {}", points(range.low), points(range.high));
}

std::string accuracy_text(double gained) {
  constexpr double min_shown = .0005;
  return gained < min_shown ? "at the same accuracy"
                            : fmt::format("and gains {} points of accuracy", points(gained));
}

// Why it does not pay; empty where it does.
std::string reason_against(const RouteTrial& trial) {
  if (trial.lower_in < min_share_of_draws) {
    return fmt::format(
        "the violation by clean labels is lower at {} of the possible noise rates, and at least {} "
        "are asked for",
        percent(trial.lower_in), percent(min_share_of_draws));
  }
  if (trial.removed.value <= trial.spread) {
    return fmt::format("it removes {} points of violation, and chance alone makes {}",
                       points(trial.removed.value), points(trial.spread));
  }
  if (trial.gained.value < 0) {
    return fmt::format("it removes {} points of violation ({}) but costs {:.2f} points of accuracy",
                       points(trial.removed.value), range_text(trial.removed),
                       -100 * trial.gained.value);
  }
  return "";
}

}  // namespace

std::vector<UncertainNoise> uncertain_noise(const AuditReport& audit) {
  const std::vector<LabelNoise> values = estimated_noise(audit).noise;
  std::vector<UncertainNoise> all;
  for (std::size_t z = 0; z < values.size(); ++z) {
    const GroupNoise& group = audit.groups[z];
    const auto rate_of = [&](double value, std::size_t c) {
      const bool is_upper_bound =
          c < group.class_upper_bound_only.size() && group.class_upper_bound_only[c] != 0;
      return uncertain_rate(value, group.estimate.noise[c], is_upper_bound);
    };
    all.push_back({rate_of(values[z].negative, 1 - audit.positive),
                   rate_of(values[z].positive, audit.positive)});
  }
  return all;
}

std::vector<UncertainNoise> exact_noise(const std::vector<LabelNoise>& noise) {
  std::vector<UncertainNoise> all;
  all.reserve(noise.size());
  for (const LabelNoise& group : noise) {
    all.push_back({{group.negative, 0, 0}, {group.positive, 0, 0}});
  }
  return all;
}

std::string why_only_plain(const AuditReport& audit) {
  bool is_noisy = false;
  for (const GroupNoise& group : audit.groups) {
    if (!group.known()) {
      return fmt::format(
          "the noise of group '{}' is not known ({}), so that no other route can be shown to be "
          "better",
          group.name, group.too_small.empty() ? "not identified" : group.too_small);
    }
    is_noisy = is_noisy || group.rate.low > 0 ||
               std::ranges::any_of(group.estimate.noise,
                                   [](const EstimateWithInterval& rate) { return rate.low > 0; });
  }
  return is_noisy ? "" : "no noise is proved in any group";
}

std::vector<double> positive_answers(const Dataset& dataset, std::size_t positive,
                                     const SavedModel& saved, const Execution& execution) {
  const Matrix answers = probabilities(saved, dataset.features.view(), {execution.threads, {}});
  std::vector<double> counts(2 * dataset.groups.classes.size());
  for (std::size_t n = 0; n < answers.rows(); ++n) {
    const bool is_positive = static_cast<std::size_t>(dataset.labels.codes[n]) == positive;
    const auto group = static_cast<std::size_t>(dataset.groups.codes[n]);
    counts[2 * group + (is_positive ? 1 : 0)] += static_cast<double>(answers.row(n)[positive]);
  }
  return counts;
}

RouteTrial compare_with_plain(const RouteProblem& problem, const std::string& route,
                              const std::vector<double>& plain, const std::vector<double>& other) {
  RouteJudge judge(problem);
  std::vector<double> removed, gained;
  std::size_t lower = 0;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const auto [before, after] = judge.at(judge.noise_of_draw(draw), plain, other);
    removed.push_back(before.violation - after.violation);
    gained.push_back(after.accuracy - before.accuracy);
    lower += removed.back() > 0 ? 1 : 0;
  }
  RouteTrial trial;
  trial.route = route;
  trial.removed = summary_of(std::move(removed));
  trial.gained = summary_of(std::move(gained));
  trial.lower_in = static_cast<double>(lower) / static_cast<double>(draws);
  trial.spread = judge.spread(other);
  trial.why_not = reason_against(trial);
  return trial;
}

FairAdvice advise_route(std::vector<RouteTrial> trials) {
  const RouteTrial* best = nullptr;
  for (const RouteTrial& trial : trials) {
    const bool pays = trial.why_not.empty();
    if (pays && (best == nullptr || trial.removed.value > best->removed.value)) best = &trial;
  }
  FairAdvice advice;
  if (best != nullptr) {
    advice.route = best->route;
    advice.why = fmt::format(
        "it removes {} points ({}) of the violation by clean labels that the plain constraint "
        "leaves, {}",
        points(best->removed.value), range_text(best->removed), accuracy_text(best->gained.value));
    for (RouteTrial& trial : trials) {
      if (trial.why_not.empty() && trial.route != advice.route) {
        trial.why_not =
            fmt::format("it pays too, but removes {} points only", points(trial.removed.value));
      }
    }
  } else {
    advice.route = "plain";
    for (const RouteTrial& trial : trials) {
      advice.why +=
          fmt::format("{}{}: {}", advice.why.empty() ? "" : "; ", trial.route, trial.why_not);
    }
  }
  advice.trials = std::move(trials);
  return advice;
}

}  // namespace noiseplus
