// How often auto claims anything of any pair of classes that are equally noisy: at most 5 % of the
// data sets, however many pairs there are.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <ostream>
#include <string>

#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr double rate = .2;

// Normal clusters around random centers, one per class, in eight dimensions.
struct EquallyNoisy {
  Matrix rows;
  std::vector<std::int32_t> codes;
  std::vector<std::string> names;

  EquallyNoisy(std::size_t classes, std::size_t rows_per_class, std::uint64_t seed)
      : rows(classes * rows_per_class, dimensions), codes(classes * rows_per_class) {
    for (std::size_t c = 0; c < classes; ++c) names.push_back("c" + std::to_string(c));
    for (std::size_t n = 0; n < codes.size(); ++n) {
      const std::size_t clean = n % classes;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const double center = 3 * normal(seed, 1, clean * dimensions + d);
        rows.row(n)[d] = static_cast<float>(center + normal(seed, 2, n * dimensions + d));
      }
      std::size_t label = clean;
      if (uniform(seed, Stream::corrupt, n) < rate) {
        const double other =
            uniform(seed, Stream::corrupt, n, 1) * static_cast<double>(classes - 1);
        label = (clean + 1 + static_cast<std::size_t>(other)) % classes;
      }
      codes[n] = static_cast<std::int32_t>(label);
    }
  }

 private:
  static constexpr std::size_t dimensions = 8;

  // Box and Muller's; sines and cosines of any machine will do here.
  static double normal(std::uint64_t seed, std::uint64_t which, std::size_t n) {
    const double u = 1 - uniform(seed + 1000003 * which, Stream::generate, n, 0);
    const double v = uniform(seed + 1000003 * which, Stream::generate, n, 1);
    return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
  }
};

void expect_few_false_claims(std::size_t classes, int runs) {
  int claims = 0, significant = 0;
  for (int run = 0; run < runs; ++run) {
    const EquallyNoisy data(classes, 150, static_cast<std::uint64_t>(run) + 77 * classes);
    NoiseEstimatorOptions options;
    NoiseEstimator evidence(data.rows.view(), data.codes, data.names, options);
    const NoiseEstimate found = evidence.estimate(EstimatorKind::automatic);
    claims += found.noisier >= 0 ? 1 : 0;
    significant += found.p_value < .05 ? 1 : 0;
  }
  std::printf("| %zu | %d | %d | %d |\n", classes, runs, claims, significant);
  std::fflush(stdout);
  // 5 % and two standard deviations of a count of as many runs.
  const double expected = .05 * runs, limit = expected + 2 * std::sqrt(expected * .95) + 1;
  EXPECT_LE(claims, limit) << classes << " classes";
  EXPECT_LE(significant, limit) << classes << " classes";
}

TEST(EquallyNoisyClasses, AreSeldomClaimedToDiffer) {
  expect_few_false_claims(2, 20);
  expect_few_false_claims(6, 12);
  expect_few_false_claims(10, 6);
}

// The table of docs/estimators.md, a line each.
struct ManyRuns {
  std::size_t classes;
  int runs;
};

void PrintTo(const ManyRuns& many, std::ostream* out) {
  *out << many.runs << " runs of " << many.classes << " classes";
}

class EquallyNoisyClassesInManyRuns : public testing::TestWithParam<ManyRuns> {};

TEST_P(EquallyNoisyClassesInManyRuns, DISABLED_AreSeldomClaimedToDiffer) {
  expect_few_false_claims(GetParam().classes, GetParam().runs);
}

INSTANTIATE_TEST_SUITE_P(Classes, EquallyNoisyClassesInManyRuns,
                         testing::Values(ManyRuns{2, 400}, ManyRuns{6, 200}, ManyRuns{10, 100},
                                         ManyRuns{34, 20}, ManyRuns{100, 20}),
                         [](const auto& test) { return std::to_string(test.param.classes); });

}  // namespace
}  // namespace noiseplus
