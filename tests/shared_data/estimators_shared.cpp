// Every estimator of two classes, and auto's claims, on real rows with noise put in. The tables it
// prints are those of docs/estimators.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

constexpr EstimatorKind single_estimators[] = {
    EstimatorKind::curve, EstimatorKind::moments, EstimatorKind::latent_class,
    EstimatorKind::edges, EstimatorKind::overlap, EstimatorKind::confident};

// What the estimators made of one set of noisy labels.
struct Case {
  double gap = 0;                      // e- minus e+, of these labels
  std::map<std::string, double> gaps;  // the same, by each estimator
  NoiseEstimate chosen;
  std::vector<double> rates;  // true
};

Case examine(const RealSet& set, TwoRates rates, std::uint64_t seed, bool all_estimators) {
  const std::vector<std::int32_t> noisy = with_noise(set.clean, rates, seed);
  NoiseEstimatorOptions options;
  options.seed = seed;
  NoiseEstimator evidence(set.rows.view(), noisy, set.classes, options);
  evidence.use(set.graph);
  Case found;
  found.rates = true_rates(set.clean, noisy, 2);
  found.gap = found.rates[0] - found.rates[1];
  found.chosen = evidence.estimate(EstimatorKind::automatic);
  const auto gap_of = [](const NoiseEstimate& e) { return e.noise[0].value - e.noise[1].value; };
  found.gaps["auto"] = gap_of(found.chosen);
  for (const EstimatorKind kind : single_estimators) {
    if (all_estimators) found.gaps[std::string(to_string(kind))] = gap_of(evidence.estimate(kind));
  }
  return found;
}

// What a table has of one set.
struct Line {
  std::map<std::string, double> errors;  // mean |gap error|
  std::map<std::string, int> right_signs;
  int right = 0, wrong = 0, cases = 0;  // auto's claims
  int intervals = 0, holding = 0;       // auto's intervals of rates

  void add(const Case& found) {
    ++cases;
    for (const auto& [name, gap] : found.gaps) {
      errors[name] += std::abs(gap - found.gap);
      right_signs[name] += (gap > 0) == (found.gap > 0) ? 1 : 0;
    }
    const int truly = found.gap > 0 ? 0 : 1;
    if (found.chosen.noisier >= 0) ++(found.chosen.noisier == truly ? right : wrong);
    for (std::size_t c = 0; c < 2; ++c) {
      const EstimateWithInterval& rate = found.chosen.noise[c];
      ++intervals;
      holding += rate.low <= found.rates[c] && found.rates[c] <= rate.high ? 1 : 0;
    }
  }

  double error(const std::string& name) const { return errors.at(name) / cases; }

  double best_single() const {
    double best = 1;
    for (const auto& [name, sum] : errors) {
      if (name != "auto") best = std::min(best, sum / cases);
    }
    return best;
  }

  void print(const std::string& name) const {
    std::printf("| %s |", name.c_str());
    for (const char* estimator :
         {"confident", "moments", "latent-class", "edges", "overlap", "curve", "auto"}) {
      std::printf(" %.3f |", error(estimator));
    }
    std::printf(" %d / %d / %d | %d of %d |\n", right, wrong, cases - right - wrong, holding,
                intervals);
    std::fflush(stdout);
  }
};

Line eight(const RealSet& set) {
  Line line;
  std::uint64_t seed = 100;
  for (const TwoRates rates : eight_settings) line.add(examine(set, rates, seed++, true));
  line.print(set.name);
  return line;
}

RealSet with_graph(RealSet set) {
  find_graph(set);
  return set;
}

// How far auto may be from the best single estimator, and how often it must claim.
struct Demand {
  RealSet set;
  double margin;
  int min_right;
};

TEST(RealSets, EightSettingsEach) {
  int holding = 0, intervals = 0;
  const auto check = [&](const Demand& demand) {
    SCOPED_TRACE(demand.set.name);
    const Line line = eight(demand.set);
    EXPECT_LE(line.error("auto"), line.best_single() + demand.margin);
    EXPECT_GE(line.right, demand.min_right);
    EXPECT_EQ(line.wrong, 0);
    holding += line.holding;
    intervals += line.intervals;
    return line;
  };
  const Line of_adult = check({with_graph(adult()), .03, 5});
  EXPECT_EQ(of_adult.right_signs.at("edges"), 8);
  EXPECT_LE(of_adult.error("edges"), .035);
  check({with_graph(adult_balanced()), .01, 6});
  check({with_graph(compas()), .03, 4});
  check({with_graph(german()), .03, 0});
  check({with_graph(fair_face().training), .01, 7});
  check({with_graph(mnist_pair(4, 9)), .01, 8});
  std::printf("intervals of auto that hold the true rate: %d of %d\n", holding, intervals);
  EXPECT_GE(holding, .93 * intervals);
}

}  // namespace
}  // namespace noiseplus
