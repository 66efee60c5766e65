#include "noise/quality/row_posterior.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace noiseplus {
namespace {

constexpr std::size_t classes = 60;
constexpr std::size_t rows = 5000;
constexpr std::size_t votes = 10;
constexpr double tolerance = 1e-12;  // relative; the two sum in different orders

double draw(std::size_t n, std::size_t which) {
  return uniform(7, Stream::corrupt, n, which);
}

// Votes of ten neighbors, most for the class of the row, and given labels that are often wrong.
struct Votes {
  Matrix posterior{rows, classes};
  std::vector<std::int32_t> codes;
  std::vector<double> columns = std::vector<double>(classes * classes, 1e-4);

  Votes() {
    for (std::size_t n = 0; n < rows; ++n) {
      const auto other = [&](std::size_t which) {
        return std::min(static_cast<std::size_t>(draw(n, which) * classes), classes - 1);
      };
      float* row = posterior.row(n);
      for (std::size_t i = 0; i < classes; ++i) row[i] = .001F * static_cast<float>(1 + i);
      for (std::size_t vote = 0; vote < votes; ++vote) {
        row[draw(n, vote) < .6 ? n % classes : other(100 + vote)] += 1;
      }
      for (std::size_t i = 0; i < classes; ++i) row[i] /= votes + 2;
      codes.push_back(static_cast<std::int32_t>(draw(n, 200) < .7 ? n % classes : other(201)));
    }
    for (std::size_t i = 0; i < classes; ++i) {
      columns[i * classes + i] = .7;
      columns[(i + 1) % classes * classes + i] = .2;
    }
  }
  RowPosteriorInput input() const { return {posterior.view(), codes, columns}; }
};

PosteriorBend make_bend(double power) {
  PosteriorBend bend{power, std::vector<double>(classes)};
  for (std::size_t i = 0; i < classes; ++i) bend.log_weights[i] = 6 * draw(i, 300) - 3;
  return bend;
}

LabelQuality judge(const RowPosterior& posterior, const PosteriorBend& bend) {
  LabelQuality quality{std::vector<double>(rows), std::vector<std::int32_t>(rows)};
  posterior.judge(bend, quality);
  return quality;
}

TEST(SparsePosterior, AgreesWithTheDenseOne) {
  const Votes given;
  ThreadPool pool(2);
  const auto dense = make_dense_posterior(given.input(), pool);
  const auto sparse = make_sparse_posterior(given.input(), pool);
  ASSERT_TRUE(sparse);
  for (const double power : {.25, 1.0, 4.0}) {
    const PosteriorBend bend = make_bend(power);
    const PosteriorAverages expected = dense->averages(bend), found = sparse->averages(bend);
    for (std::size_t i = 0; i < classes; ++i) {
      EXPECT_NEAR(found.prior[i] / expected.prior[i], 1, tolerance) << power << ", class " << i;
      EXPECT_NEAR(found.spread[i] / expected.spread[i], 1, tolerance) << power << ", class " << i;
    }
    EXPECT_NEAR(sparse->right_share(bend) / dense->right_share(bend), 1, tolerance) << power;
    const LabelQuality all = judge(*dense, bend), some = judge(*sparse, bend);
    EXPECT_EQ(some.suggested, all.suggested) << power;
    EXPECT_NE(some.suggested, given.codes) << power;
    for (std::size_t n = 0; n < rows; ++n) {
      ASSERT_NEAR(some.right[n] / all.right[n], 1, tolerance) << power << ", row " << n;
    }
  }
}

TEST(SparsePosterior, HasTheSameBitsWithAnyNumberOfThreads) {
  const Votes given;
  const PosteriorBend bend = make_bend(1.5);
  ThreadPool one(1), three(3);
  const auto by_one = make_sparse_posterior(given.input(), one);
  const auto by_three = make_sparse_posterior(given.input(), three);
  EXPECT_EQ(by_one->averages(bend).prior, by_three->averages(bend).prior);
  EXPECT_EQ(by_one->averages(bend).spread, by_three->averages(bend).spread);
  EXPECT_EQ(by_one->right_share(bend), by_three->right_share(bend));
  EXPECT_EQ(judge(*by_one, bend).right, judge(*by_three, bend).right);
}

TEST(SparsePosterior, IsNotForRowsThatDifferInManyCells) {
  Votes given;
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t i = 0; i < classes; ++i) {
      given.posterior.row(n)[i] = static_cast<float>(draw(n, 400 + i));
    }
  }
  ThreadPool pool(1);
  EXPECT_FALSE(make_sparse_posterior(given.input(), pool));
}

}  // namespace
}  // namespace noiseplus
