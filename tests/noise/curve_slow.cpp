// Simulations: intervals of edges, curve and overlap that cover, where their assumptions hold.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "noise/neighbourhoods.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr int runs = 500;

const std::vector<std::string> names = {"c0", "c1"};

struct Rates {
  double e_negative, e_positive;
};

class Coverage {
 public:
  explicit Coverage(std::vector<double> truth)
      : truth_(std::move(truth)), covered_(truth_.size()) {}

  void add(const NoiseEstimate& estimate) {
    for (std::size_t i = 0; i < truth_.size(); ++i) {
      const Estimated& rate = estimate.noise[i];
      covered_[i] += rate.low <= truth_[i] && truth_[i] <= rate.high ? 1 : 0;
    }
  }
  void expect(const char* name, double least, double most) const {
    for (std::size_t i = 0; i < covered_.size(); ++i) {
      const double share = static_cast<double>(covered_[i]) / runs;
      std::printf("%s: coverage of the rate of class %zu: %.3f\n", name, i, share);
      EXPECT_GE(share, least) << name << " class " << i;
      EXPECT_LE(share, most) << name << " class " << i;
    }
  }

 private:
  std::vector<double> truth_;
  std::vector<int> covered_;
};

struct Sample {
  std::vector<std::int32_t> codes;
  std::vector<Matrix> scores;
  std::vector<MatrixView> views() const {
    std::vector<MatrixView> all;
    for (const Matrix& matrix : scores) all.push_back(matrix.view());
    return all;
  }
};

// The logit of the clean posterior is normal with this spread, and a sum of `features` scores'
// logits.
Sample make_two(std::size_t rows, double spread, std::size_t features, const Rates& rates,
                std::uint64_t seed) {
  Sample sample;
  sample.scores.assign(features, Matrix(rows, 2));
  for (std::size_t n = 0; n < rows; ++n) {
    double logit = 0;
    for (std::size_t f = 0; f < features; ++f) {
      const double part =
          spread * normal(seed, Stream::generate, n, f) / std::sqrt(static_cast<double>(features));
      const double score = 1 / (1 + std::exp(-part / 2));  // half: no score is clipped
      sample.scores[f].row(n)[0] = static_cast<float>(1 - score);
      sample.scores[f].row(n)[1] = static_cast<float>(score);
      logit += part;
    }
    const bool is_one = uniform(seed, Stream::split, n) < 1 / (1 + std::exp(-logit));
    const double one = is_one ? 1 - rates.e_positive : rates.e_negative;
    sample.codes.push_back(uniform(seed, Stream::corrupt, n) < one ? 1 : 0);
  }
  return sample;
}

class TwoClasses : public testing::TestWithParam<Rates> {};

// What the intervals would be without the factor that fit_curve widens errors by.
NoiseEstimate unwidened(const CurveFit& fit) {
  NoiseEstimate estimate = fit.estimate;
  for (std::size_t i = 0; i < estimate.noise.size(); ++i) {
    const double half = 1.96 * fit.standard_errors[i] / 1.2;
    estimate.noise[i].low = estimate.noise[i].value - half;
    estimate.noise[i].high = estimate.noise[i].value + half;
  }
  return estimate;
}

// Scores that are what the curve assumes need no wider errors: the factor is for others.
TEST_P(TwoClasses, CurveCovers) {
  const Rates rates = GetParam();
  for (const std::size_t features : {1U, 2U}) {
    Coverage plain({rates.e_negative, rates.e_positive}), widened = plain;
    for (int run = 0; run < runs; ++run) {
      const Sample sample = make_two(4000, 4, features, rates, static_cast<std::uint64_t>(run));
      const CurveFit fit = fit_curve(sample.views(), sample.codes, names);
      plain.add(unwidened(fit));
      widened.add(fit.estimate);
    }
    std::printf("curve, %zu features\n", features);
    plain.expect("without the factor", .92, .98);
    widened.expect("with the factor", .95, 1);
  }
}

// Scores as users have them, learnt from the labels, while a logistic curve is still right.
TEST_P(TwoClasses, CurveCoversWithLearntScores) {
  const Rates rates = GetParam();
  constexpr std::size_t rows = 4000, columns = 3;
  Coverage linear({rates.e_negative, rates.e_positive}), votes = linear, both = linear,
                                                         plain = linear;
  for (int run = 0; run < runs; ++run) {
    const auto seed = static_cast<std::uint64_t>(run);
    Matrix features(rows, columns);
    std::vector<std::int32_t> codes;
    for (std::size_t n = 0; n < rows; ++n) {
      for (std::size_t j = 0; j < columns; ++j) {
        features.row(n)[j] = static_cast<float>(normal(seed, Stream::generate, n, j));
      }
      const double logit = 5 * static_cast<double>(features.row(n)[0]);
      const bool is_one = uniform(seed, Stream::split, n) < 1 / (1 + std::exp(-logit));
      const double one = is_one ? 1 - rates.e_positive : rates.e_negative;
      codes.push_back(uniform(seed, Stream::corrupt, n) < one ? 1 : 0);
    }
    const Matrix scores = out_of_sample_probabilities(features.view(), {codes, 2, {}});
    NeighbourOptions search;
    search.k = 30;
    const Matrix voted = vote_scores(find_neighbours(features.view(), search), codes, 2);
    const CurveFits fits = fit_curves(scores.view(), voted.view(), codes, names);
    linear.add(fits.linear.estimate);
    votes.add(fits.votes.estimate);
    both.add(fits.both.estimate);
    plain.add(unwidened(fits.both));
  }
  linear.expect("curve, linear model", .95, 1);
  votes.expect("curve, votes", .92, 1);
  plain.expect("curve, both, without the factor", .92, .98);
  both.expect("curve, both", .95, 1);
}

// A logit of spread 12 leaves a tail of 2 % that is pure.
TEST_P(TwoClasses, EdgesCover) {
  const Rates rates = GetParam();
  Coverage coverage({rates.e_negative, rates.e_positive});
  for (int run = 0; run < runs; ++run) {
    const Sample sample = make_two(10000, 12, 1, rates, static_cast<std::uint64_t>(run));
    coverage.add(estimate_by_edges(sample.scores[0].view(), sample.codes, names));
  }
  coverage.expect("edges", .92, .98);
}

TEST_P(TwoClasses, OverlapCovers) {
  const Rates rates = GetParam();
  Coverage coverage({rates.e_negative, rates.e_positive});
  for (int run = 0; run < runs; ++run) {
    const testing_support::Neighbourhoods data = testing_support::make_neighbourhoods(
        10000, rates.e_negative, rates.e_positive, static_cast<std::uint64_t>(run));
    coverage.add(estimate_by_overlap(data.graph, data.codes, names));
  }
  coverage.expect("overlap", .92, .98);
}

// More than two classes: errors hold the posterior fixed, and are known to be too small where
// classes overlap.
TEST(FourClasses, CurveCoversLess) {
  constexpr std::size_t rows = 4000, classes = 4;
  const std::vector<double> rates = {.1, .2, .3, .2};
  for (const double spread : {3., 12.}) {
    Coverage coverage(rates);
    for (int run = 0; run < runs; ++run) {
      const auto seed = static_cast<std::uint64_t>(run);
      Sample sample;
      sample.scores.assign(1, Matrix(rows, classes));
      for (std::size_t n = 0; n < rows; ++n) {
        double weights[classes], scores[classes], sum = 0, half_sum = 0;
        for (std::size_t i = 0; i < classes; ++i) {
          const double logit = spread * normal(seed, Stream::generate, n, i);
          sum += weights[i] = std::exp(logit);
          half_sum += scores[i] = std::exp(logit / 4);  // so that no score is clipped
        }
        std::size_t clean = 0;
        double left = uniform(seed, Stream::split, n) * sum;
        while (clean + 1 < classes && (left -= weights[clean]) >= 0) ++clean;
        for (std::size_t i = 0; i < classes; ++i) {
          sample.scores[0].row(n)[i] = static_cast<float>(scores[i] / half_sum);
        }
        const double draw = uniform(seed, Stream::corrupt, n) / rates[clean];
        const auto other = static_cast<std::size_t>(3 * draw);  // 0 .. 2 of a wrong label
        const std::size_t label = draw < 1 ? other + (other >= clean ? 1 : 0) : clean;
        sample.codes.push_back(static_cast<std::int32_t>(label));
      }
      coverage.add(fit_curve(sample.views(), sample.codes, {}).estimate);
    }
    const bool overlap = spread < 5;
    coverage.expect(overlap ? "curve, four classes that overlap" : "curve, four classes",
                    overlap ? .82 : .89, .98);
  }
}

INSTANTIATE_TEST_SUITE_P(Simulation, TwoClasses,
                         testing::Values(Rates{.1, .2}, Rates{.1, .3}, Rates{.2, .2},
                                         Rates{.3, .1}));

}  // namespace
}  // namespace noiseplus
