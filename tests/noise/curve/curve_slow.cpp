// Simulations: intervals of edges, curve and overlap that cover, where their assumptions hold. With
// 400 runs a share of .95 is known to .011.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "noise/overlap/neighborhoods.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr int runs = 400;

const std::vector<std::string> names = {"c0", "c1"};

struct Rates {
  double e_negative, e_positive;
};

class Coverage {
 public:
  explicit Coverage(std::vector<double> truth)
      : truth_(std::move(truth)),
        gap_(*std::max_element(truth_.begin(), truth_.end()) -
             *std::min_element(truth_.begin(), truth_.end())),
        covered_(truth_.size()) {}

  void add(const NoiseEstimate& estimate) {
    for (std::size_t i = 0; i < truth_.size(); ++i) {
      const EstimateWithInterval& rate = estimate.noise[i];
      covered_[i] += rate.low <= truth_[i] && truth_[i] <= rate.high ? 1 : 0;
    }
    gap_covered_ += estimate.gap.low <= gap_ && gap_ <= estimate.gap.high ? 1 : 0;
  }
  void expect(const char* name, double least, double most) const {
    for (std::size_t i = 0; i < covered_.size(); ++i) {
      const double share = static_cast<double>(covered_[i]) / runs;
      std::printf("%s: coverage of the rate of class %zu: %.3f\n", name, i, share);
      EXPECT_GE(share, least) << name << " class " << i;
      EXPECT_LE(share, most) << name << " class " << i;
    }
  }
  void expect_gap(const char* name, double least, double most) const {
    const double share = static_cast<double>(gap_covered_) / runs;
    std::printf("%s: coverage of the gap: %.3f\n", name, share);
    EXPECT_GE(share, least) << name;
    EXPECT_LE(share, most) << name;
  }

 private:
  std::vector<double> truth_;
  double gap_;
  std::vector<int> covered_;
  int gap_covered_ = 0;
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

class TwoClassRates : public testing::TestWithParam<Rates> {};

TEST_P(TwoClassRates, CurveCovers) {
  const Rates rates = GetParam();
  for (const std::size_t features : {1U, 2U}) {
    Coverage coverage({rates.e_negative, rates.e_positive});
    for (int run = 0; run < runs; ++run) {
      const Sample sample = make_two(2000, 4, features, rates, static_cast<std::uint64_t>(run));
      coverage.add(fit_curve(sample.views(), sample.codes, names).estimate);
    }
    const char* name = features == 1 ? "curve" : "curve, two scores";
    coverage.expect(name, .92, .985);
    coverage.expect_gap(name, .92, .985);
  }
}

// A logit of spread 12 leaves a tail of 2 % that is pure.
TEST_P(TwoClassRates, EdgesCover) {
  const Rates rates = GetParam();
  Coverage coverage({rates.e_negative, rates.e_positive});
  for (int run = 0; run < runs; ++run) {
    const Sample sample = make_two(10000, 12, 1, rates, static_cast<std::uint64_t>(run));
    coverage.add(estimate_by_edges(sample.scores[0].view(), sample.codes, names));
  }
  coverage.expect("edges", .92, .98);
}

TEST(TwoClasses, OverlapCovers) {
  const Rates rates{.1, .3};
  Coverage coverage({rates.e_negative, rates.e_positive});
  for (int run = 0; run < runs; ++run) {
    const testing_support::Neighborhoods data = testing_support::make_neighborhoods(
        10000, rates.e_negative, rates.e_positive, static_cast<std::uint64_t>(run));
    coverage.add(estimate_by_overlap(data.graph, data.codes, names));
  }
  coverage.expect("overlap", .92, .98);
}

// ------------------------------------------------------------------------------ curve, any classes

// Normal features; the logit of class i is `spread` times feature i, of two classes that of class 1
// times feature 0 against none. Noise goes to all other classes alike.
struct Logistic {
  std::vector<double> rates;
  double spread;
  std::size_t rows, columns;
};

struct LogisticSample {
  Matrix features;
  std::vector<std::int32_t> codes;
};

LogisticSample make_logistic(const Logistic& design, std::uint64_t seed) {
  const std::size_t classes = design.rates.size();
  LogisticSample sample{Matrix(design.rows, design.columns), {}};
  std::vector<double> weights(classes);
  for (std::size_t n = 0; n < design.rows; ++n) {
    float* row = sample.features.row(n);
    for (std::size_t j = 0; j < design.columns; ++j) {
      row[j] = static_cast<float>(normal(seed, Stream::generate, n, j));
    }
    double sum = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      const double value = classes > 2 ? row[i] : i == 1 ? row[0] : 0;
      sum += weights[i] = std::exp(design.spread * value);
    }
    std::size_t clean = 0;
    double left = uniform(seed, Stream::split, n) * sum;
    while (clean + 1 < classes && (left -= weights[clean]) >= 0) ++clean;
    const double draw = uniform(seed, Stream::corrupt, n) / design.rates[clean];
    const auto other = static_cast<std::size_t>(static_cast<double>(classes - 1) * draw);
    const std::size_t label = draw < 1 ? other + (other >= clean ? 1 : 0) : clean;
    sample.codes.push_back(static_cast<std::int32_t>(label));
  }
  return sample;
}

// Scores whose logarithms are those of the clean posterior, times a quarter so that none is
// clipped.
Matrix ideal_scores(const Matrix& features, std::size_t classes, double spread) {
  Matrix scores(features.rows(), classes);
  for (std::size_t n = 0; n < features.rows(); ++n) {
    double sum = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      sum += std::exp(spread / 4 * static_cast<double>(features.row(n)[i]));
    }
    for (std::size_t i = 0; i < classes; ++i) {
      scores.row(n)[i] =
          static_cast<float>(std::exp(spread / 4 * static_cast<double>(features.row(n)[i])) / sum);
    }
  }
  return scores;
}

void expect_ideal_covers(const Logistic& design, const char* name) {
  Coverage coverage(design.rates);
  for (int run = 0; run < runs; ++run) {
    const LogisticSample sample = make_logistic(design, static_cast<std::uint64_t>(run));
    const Matrix scores = ideal_scores(sample.features, design.rates.size(), design.spread);
    const MatrixView all[] = {scores.view()};
    coverage.add(fit_curve(all, sample.codes, {}).estimate);
  }
  coverage.expect(name, .92, .985);
  coverage.expect_gap(name, .92, .99);
}

TEST(ThreeClasses, CurveCovers) {
  expect_ideal_covers({{.1, .3, .2}, 4, 2000, 3}, "curve, three classes");
}

TEST(FourClasses, CurveCovers) {
  expect_ideal_covers({{.1, .2, .3, .2}, 3, 3000, 4}, "curve, four classes that overlap");
  expect_ideal_covers({{.1, .2, .3, .2}, 12, 2000, 4}, "curve, four classes");
}

Matrix linear_scores(const LogisticSample& sample, std::size_t classes) {
  return out_of_sample_probabilities(sample.features.view(), {sample.codes, classes, {}});
}

// Scores as users have them, learnt from the labels. Votes level off where the labels do, so that a
// logistic curve is not quite right for them.
TEST(LearntScores, CurveOfTwoClassesCovers) {
  const Logistic design{{.1, .3}, 5, 2000, 3};
  Coverage linear(design.rates), votes = linear, both = linear;
  for (int run = 0; run < runs; ++run) {
    const LogisticSample sample = make_logistic(design, static_cast<std::uint64_t>(run));
    NeighborOptions search;
    search.k = 30;
    const NeighborGraph graph = find_neighbors(sample.features.view(), search);
    const CurveFits fits =
        fit_curves(linear_scores(sample, 2).view(), vote_scores(graph, sample.codes, 2).view(),  //
                   sample.codes, names);
    linear.add(fits.linear.estimate);
    votes.add(fits.votes.estimate);
    both.add(fits.both.estimate);
  }
  linear.expect("curve, linear model", .91, .98);
  linear.expect_gap("curve, linear model", .91, .98);
  votes.expect("curve, votes", .9, .98);
  votes.expect_gap("curve, votes", .9, .98);
  both.expect("curve, both", .91, .98);
  both.expect_gap("curve, both", .91, .98);
}

TEST(LearntScores, CurveOfThreeClassesCovers) {
  const Logistic design{{.1, .3, .2}, 5, 2000, 3};
  Coverage linear(design.rates);
  for (int run = 0; run < runs; ++run) {
    const LogisticSample sample = make_logistic(design, static_cast<std::uint64_t>(run));
    const Matrix scores = linear_scores(sample, 3);
    const MatrixView all[] = {scores.view()};
    linear.add(fit_curve(all, sample.codes, {}).estimate);
  }
  linear.expect("curve, linear model, three classes", .91, .985);
  linear.expect_gap("curve, linear model, three classes", .92, .99);
}

INSTANTIATE_TEST_SUITE_P(Simulation, TwoClassRates, testing::Values(Rates{.1, .3}, Rates{.2, .2}));

}  // namespace
}  // namespace noiseplus
