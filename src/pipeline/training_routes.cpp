#include <chrono>

#include "core/format.h"
#include "core/thread_pool.h"
#include "pipeline/fair_route.h"
#include "pipeline/fair_training.h"
#include "pipeline/options.h"
#include "pipeline/training.h"

namespace noiseplus {
namespace {

void check_route(const TrainModelOptions& options) {
  const std::string& route = options.route;
  check_value("route", route);
  const auto refuse = [](bool is_wrong, const std::string& message) {
    if (is_wrong) throw Error(ErrorKind::usage, message);
  };
  refuse(!options.fair, "--route " + route + " does nothing here; it is for --fair");
  refuse(options.noise_aware && route != "noise-aware",
         "--noise-aware and --route " + route + ": give one of them");
  refuse(options.balance && route != "balance",
         "--balance and --route " + route + ": give one of them");
  refuse(!options.scope.empty() && route != "balance",
         "--scope is for --route balance, and the route is " + route);
  refuse(options.force && route != "balance",
         "--force is for --route balance, and the route is " + route);
}

TrainModelOptions options_of_route(const TrainModelOptions& options, const std::string& route) {
  TrainModelOptions result = options;
  result.route.clear();
  result.noise_aware = route == "noise-aware";
  result.balance = route == "balance";
  return result;
}

// Trains on each route that comes into question, and keeps the one that pays.
class RouteChoice {
 public:
  RouteChoice(const Dataset& dataset, const TrainModelOptions& options, const Execution& execution)
      : dataset_(dataset), options_(options), execution_(execution) {}

  TrainModelResult run() {
    const auto start = std::chrono::steady_clock::now();
    TrainModelResult chosen =
        train_as_told(dataset_, options_of_route(options_, "plain"), nullptr, part(0, .2));
    FairAdvice advice = choose(chosen);
    chosen.report.fair->advice = std::move(advice);
    chosen.report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return chosen;
  }

 private:
  Execution part(double begin, double end) const {
    return part_of(execution_, "training", begin, end);
  }

  FairAdvice choose(TrainModelResult& chosen) {
    if (!looks_at_labels(*options_.fair)) {
      return {"plain", "demographic parity does not look at labels", {}};
    }
    std::vector<UncertainNoise> noise;
    std::optional<AuditReport> audited;
    if (options_.group_noise.empty()) {
      audited = audit_of_given_labels();
      const std::string why = why_only_plain(*audited);
      if (!why.empty()) return {"plain", why, {}};
      noise = uncertain_noise(*audited);
    } else {
      noise = exact_noise(options_.group_noise);
    }
    const RouteProblem problem{dataset_, dataset_.labels.positive(options_.positive),
                               *options_.fair, std::move(noise), options_.seed};
    const std::vector<double> plain = answers_of(chosen, problem);
    std::vector<TrainModelResult> others;
    std::vector<RouteTrial> trials;
    for (const std::string route : {"noise-aware", "balance"}) {
      if (route == "balance" && !audited) continue;  // the rates it is to go by are given
      RouteTrial trial;
      trial.route = route;
      TrainModelResult other;
      try {
        other = train_as_told(dataset_, options_of_route(options_, route),
                              audited ? &*audited : nullptr,
                              route == "balance" ? part(.8, 1) : part(.6, .8));
        if (changes_nothing(other.report)) continue;
        trial = compare_with_plain(problem, route, plain, answers_of(other, problem));
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::impossible) throw;
        constexpr std::size_t max_size = 300;
        trial.why_not = "it cannot be taken: " + shorten_text(error.what(), max_size);
      }
      trials.push_back(std::move(trial));
      others.push_back(std::move(other));
    }
    FairAdvice advice = advise_route(std::move(trials));
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (advice.trials[i].route == advice.route) chosen = std::move(others[i]);
    }
    return advice;
  }

  AuditReport audit_of_given_labels() const {
    AuditOptions options = options_.audit;
    options.seed = options_.seed;
    options.positive = options_.positive;
    options.estimator = options_.transition == "given" ? "auto" : options_.transition;
    options.compare_routes = false;  // nobody reads the advice of this audit
    return audit(dataset_, options, part(.2, .6));
  }

  // No label was flipped, and the constraint is that of the labels as given.
  static bool changes_nothing(const TrainReport& report) {
    return report.balanced && report.balanced->plan.flips_nothing() && report.fair->noise.empty();
  }

  std::vector<double> answers_of(const TrainModelResult& trained,
                                 const RouteProblem& problem) const {
    return positive_answers(dataset_, problem.positive, trained.saved, execution_);
  }

  const Dataset& dataset_;
  const TrainModelOptions& options_;
  const Execution& execution_;
};

}  // namespace

TrainModelResult train_model(const Dataset& dataset, const TrainModelOptions& options,
                             const Execution& execution) {
  if (options.route.empty()) return train_as_told(dataset, options, nullptr, execution);
  check_route(options);
  if (options.route == "auto") return RouteChoice(dataset, options, execution).run();
  return train_as_told(dataset, options_of_route(options, options.route), nullptr, execution);
}

}  // namespace noiseplus
