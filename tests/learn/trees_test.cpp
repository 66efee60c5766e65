#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

#include "learn/binned_rows.h"
#include "learn/tree_booster.h"
#include "learn_support.h"

namespace noiseplus {
namespace {

// Class 1 with the probability `sure` where the first two columns have the same sign, else with
// 1 - sure; two more columns mean nothing.
LearnSample exclusive_or(std::size_t n, double sure = 1) {
  LearnSample sample{Matrix(n, 4), std::vector<std::int32_t>(n), 2};
  for (std::size_t i = 0; i < n; ++i) {
    float* const row = sample.rows.row(i);
    for (std::size_t j = 0; j < 4; ++j) {
      row[j] = static_cast<float>(normal(4, Stream::generate, i, j));
    }
    const bool is_same = (row[0] > 0) == (row[1] > 0);
    sample.codes[i] = (uniform(5, Stream::generate, i) < sure) == is_same ? 1 : 0;
  }
  return sample;
}

// P(class 1) in mixed_table: .15 or .7 by the category, and .15 more where the number is above 0.
double mixed_posterior(const float* row, std::size_t categories) {
  const float* const used = std::find(row + 1, row + 1 + categories, 1.0F);
  return ((used - row) % 2 == 1 ? .15 : .7) + (row[0] > 0 ? .15 : 0);
}

// A number and, one-hot, a category.
LearnSample mixed_table(std::size_t n, std::size_t categories) {
  LearnSample sample{Matrix(n, 1 + categories), std::vector<std::int32_t>(n), 2};
  for (std::size_t i = 0; i < n; ++i) {
    float* const row = sample.rows.row(i);
    row[0] = static_cast<float>(normal(7, Stream::generate, i, 0));
    row[1 + hash(6, Stream::generate, i) % categories] = 1;
    const double chance = mixed_posterior(row, categories);
    sample.codes[i] = uniform(8, Stream::generate, i) < chance ? 1 : 0;
  }
  return sample;
}

bool have_same_bytes(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.columns() == b.columns() &&
         std::memcmp(a.row(0), b.row(0), a.rows() * a.columns() * sizeof(float)) == 0;
}

BinnedRows binned(const Matrix& rows, std::size_t max_bins) {
  std::vector<std::uint32_t> place(rows.rows());
  for (std::size_t n = 0; n < place.size(); ++n) place[n] = static_cast<std::uint32_t>(n);
  ThreadPool pool(1);
  const Execution execution;
  ProgressMeter meter(execution, "binning", 1);
  return bin_rows(rows.view(), place, max_bins, 0, pool, meter);
}

std::size_t code_at(const BinnedRows& rows, std::size_t row, std::size_t bundle) {
  return rows.panel(bundle / 8)[row] >> 8 * (bundle % 8) & 255U;
}

TEST(Bins, EveryValueHasItsOwnWhereTheyAreFew) {
  std::vector<float> values = {3, 1, 2, 1, 1, 3};
  EXPECT_EQ(bin_ends(values, 3), (std::vector<float>{1, 2}));
  EXPECT_EQ(bin_ends(values, 64), (std::vector<float>{1, 2}));
  values = {5, 5, 5};
  EXPECT_TRUE(bin_ends(values, 64).empty());
  values.clear();
  EXPECT_TRUE(bin_ends(values, 64).empty());
}

TEST(Bins, HoldEquallyManyRowsButForFrequentValues) {
  std::vector<float> values(1000);
  for (std::size_t i = 0; i < 1000; ++i) values[i] = static_cast<float>(i * 7 % 1000);
  const std::vector<float> even = bin_ends(values, 10);
  ASSERT_EQ(even.size(), 9U);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(even[k], 99 + 100 * static_cast<float>(k), 2);
  // Half of the rows have one value: it is alone in its bin, and the others share the rest.
  for (std::size_t i = 0; i < 500; ++i) values[i] = 700.5F;
  for (std::size_t i = 500; i < 1000; ++i) values[i] = static_cast<float>(2 * i - 1000);
  const std::vector<float> ends = bin_ends(values, 10);
  ASSERT_EQ(ends.size(), 9U);
  const auto frequent = std::find(ends.begin(), ends.end(), 700.5F);
  ASSERT_NE(frequent, ends.end());
  ASSERT_NE(frequent, ends.begin());
  EXPECT_EQ(*(frequent - 1), 700);
}

TEST(Bins, ColumnsThatExcludeEachOtherShareABundle) {
  const LearnSample sample = mixed_table(500, 12);
  const BinnedRows rows = binned(sample.rows, 16);
  EXPECT_EQ(rows.columns.size(), 13U);
  ASSERT_EQ(rows.bundles(), 2U) << "the number, and the twelve one-hot columns";
  EXPECT_EQ(rows.codes[0], 16U);
  EXPECT_EQ(rows.codes[1], 13U) << "one for each, and one for none of them";
  for (std::size_t n = 0; n < 500; ++n) {
    for (std::size_t k = 1; k < 13; ++k) {
      const std::size_t used = 1 - rows.columns[k].common_bin;
      const bool has_it = code_at(rows, n, 1) == rows.columns[k].code_of(used);
      ASSERT_EQ(has_it, sample.rows.row(n)[k] == static_cast<float>(used));
    }
  }
}

TEST(Trees, LearnWhatNoLinearModelCan) {
  const LearnSample sample = exclusive_or(4000);
  const Matrix found =
      out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(), {}, {}, {2, {}});
  EXPECT_GT(accuracy(found.view(), sample.codes), .97);
  const Matrix linear = out_of_sample_probabilities(sample.rows.view(), sample.labels());
  EXPECT_LT(accuracy(linear.view(), sample.codes), .6);
  for (std::size_t n = 0; n < found.rows(); ++n) {
    ASSERT_EQ(found.row(n)[0] + found.row(n)[1], 1);
  }
}

// The same rows with a bundle for each column.
BinnedRows unbundled(const BinnedRows& rows) {
  BinnedRows apart;
  apart.rows = rows.rows;
  apart.words.resize(ceiling_of_quotient(rows.columns.size(), panel_width) * rows.rows);
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    const BinnedColumn& column = rows.columns[k];
    apart.columns.push_back({k, column.bins, BinnedColumn::no_bin, 0, column.origin, column.ends});
    apart.codes.push_back(column.bins);
    for (std::size_t n = 0; n < rows.rows; ++n) {
      std::size_t found = column.common_bin;
      for (std::size_t bin = 0; bin < column.bins; ++bin) {
        if (bin == column.common_bin) continue;
        if (code_at(rows, n, column.bundle) == column.code_of(bin)) found = bin;
      }
      apart.words[k / panel_width * rows.rows + n] |= std::uint64_t{found} << 8 * (k % panel_width);
    }
  }
  return apart;
}

TreeProblem problem_of(const LearnSample& sample) {
  TreeProblem problem;
  problem.binned = binned(sample.rows, 64);
  for (std::size_t n = 0; n < sample.codes.size(); ++n) {
    problem.row_ids.push_back(static_cast<std::uint32_t>(n));
    problem.labels.push_back(static_cast<float>(sample.codes[n]));
    problem.weights.push_back(1);
  }
  return problem;
}

std::vector<double> scores_of(const TreeProblem& problem) {
  TreeBooster booster(problem, 0, 100, 700);
  const Execution execution;
  ProgressMeter meter(execution, "training", 30);
  for (int tree = 0; tree < 30; ++tree) booster.add_trees(meter);
  return {booster.scores().begin(), booster.scores().end()};
}

TEST(Trees, BundlesDoNotChangeTheAnswer) {
  TreeProblem problem = problem_of(mixed_table(9000, 12));
  const std::vector<double> together = scores_of(problem);
  problem.binned = unbundled(problem.binned);
  ASSERT_EQ(problem.binned.bundles(), 13U);
  EXPECT_EQ(scores_of(problem), together);
}

TEST(Trees, NeitherHeldOutRowsNorThoseOfWeightZeroAreTrainedOn) {
  TreeProblem problem = problem_of(mixed_table(3000, 5));
  std::fill_n(problem.weights.begin() + 1000, 500, 0.0F);
  const std::vector<double> found = scores_of(problem);
  const auto turn = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) problem.labels[i] = 1 - problem.labels[i];
  };
  turn(100, 700);
  turn(1000, 1500);
  EXPECT_EQ(scores_of(problem), found);
  turn(1500, 1501);
  EXPECT_NE(scores_of(problem), found);
}

TEST(Trees, GiveTheSameBytesWithAnyNumberOfThreads) {
  const LearnSample sample = mixed_table(6000, 9);
  const FoldOptions folds{.seed = 3, .class_names = {}, .transition = {.9, .1, .2, .8}};
  const Matrix one =
      out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(), folds, {}, {1, {}});
  for (const unsigned threads : {2U, 3U}) {
    EXPECT_TRUE(
        have_same_bytes(one, out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(),
                                                            folds, {}, {threads, {}})))
        << threads;
  }
  FoldOptions other = folds;
  other.seed = 4;
  EXPECT_FALSE(have_same_bytes(
      one, out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(), other)));
}

// The number is what GCC and clang gave on x86-64 when this was written. Another one means that the
// method has changed, or that it depends on the machine.
TEST(Trees, GiveTheSameBytesOnEveryMachine) {
  const LearnSample sample = mixed_table(2000, 5);
  const FoldOptions folds{.class_names = {}, .transition = {.9, .1, .2, .8}};
  const Matrix found = out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(), folds);
  std::uint64_t sum = 0;
  for (std::size_t n = 0; n < 2000; ++n) {
    sum = sum * 31 + std::bit_cast<std::uint32_t>(found.row(n)[1]);
  }
  EXPECT_EQ(sum, 2694719508911990402U);
}

TEST(Trees, ForwardCorrectionFindsTheCleanPosterior) {
  constexpr std::size_t n_rows = 8000;
  const LearnSample clean = mixed_table(n_rows, 6);
  const std::vector<double> transition = {.7, .3, .2, .8};
  const std::vector<std::int32_t> noisy = noisy_codes(clean, transition);
  std::vector<std::int32_t> opposite = noisy;
  for (std::int32_t& code : opposite) code = 1 - code;
  const auto mean_error = [&](const std::vector<std::int32_t>& codes,
                              const std::vector<double>& matrix) {
    const FoldOptions folds{.class_names = {}, .transition = matrix};
    const Matrix found = out_of_fold_tree_probabilities(clean.rows.view(), {codes, 2}, folds);
    double sum = 0;
    for (std::size_t n = 0; n < n_rows; ++n) {
      sum += std::abs(found.row(n)[1] - mixed_posterior(clean.rows.row(n), 6));
    }
    return sum / n_rows;
  };
  // The noisy posterior .3 + .5 p is .1375 away from p on average over the four values of p.
  EXPECT_NEAR(mean_error(noisy, {}), .1375, .02);
  EXPECT_LT(mean_error(noisy, transition), .1375 / 2);
  // Where labels are wrong more often than right, the correction turns them round.
  EXPECT_LT(mean_error(opposite, {.3, .7, .8, .2}), .1375 / 2);
}

TEST(Trees, AWeightIsAsGoodAsCopies) {
  const LearnSample sample = exclusive_or(3000, .9);
  std::vector<float> weights(3000);
  for (std::size_t n = 0; n < 3000; ++n) {
    weights[n] = sample.codes[n] == 1 ? 3 : 1;
  }
  const Matrix found = out_of_fold_tree_probabilities(
      sample.rows.view(), {sample.codes, 2, weights}, {}, {.learning_rate = .2});
  double same = 0, different = 0, count = 0;
  for (std::size_t n = 0; n < 3000; ++n) {
    const bool is_same = (sample.rows.row(n)[0] > 0) == (sample.rows.row(n)[1] > 0);
    (is_same ? same : different) += found.row(n)[1];
    count += is_same ? 1 : 0;
  }
  EXPECT_NEAR(same / count, 2.7 / 2.8, .04);
  EXPECT_NEAR(different / (3000 - count), .3 / 1.2, .06);
}

TEST(Trees, DegenerateRowsHaveAnAnswer) {
  const auto mean_of = [](const Matrix& found) {
    double sum = 0;
    for (std::size_t n = 0; n < found.rows(); ++n) {
      EXPECT_TRUE(found.row(n)[1] > 0 && found.row(n)[1] < 1);
      sum += found.row(n)[1];
    }
    return sum / static_cast<double>(found.rows());
  };
  LearnSample sample = exclusive_or(400);
  const double share =
      static_cast<double>(std::count(sample.codes.begin(), sample.codes.end(), 1)) / 400;
  const Matrix constant(400, 3);
  EXPECT_NEAR(mean_of(out_of_fold_tree_probabilities(constant.view(), sample.labels())), share, .03)
      << "constant columns";
  EXPECT_NEAR(mean_of(out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(), {},
                                                     {.min_rows_in_leaf = 1000})),
              share, .03)
      << "leaves that would need more rows than there are";
  const std::vector<std::int32_t> ones(400, 1);
  EXPECT_GT(mean_of(out_of_fold_tree_probabilities(sample.rows.view(), {ones, 2})), .9)
      << "one class";
  const LearnSample small = exclusive_or(24);
  mean_of(out_of_fold_tree_probabilities(small.rows.view(), small.labels(),
                                         {.folds = 2, .class_names = {}},
                                         {.min_rows_in_leaf = 1, .learning_rate = 1, .ridge = 0}));
}

TEST(Trees, FindTheOneColumnThatCountsAmongMany) {
  LearnSample sample = blobs(800, 2, 0, 600);
  for (std::size_t n = 0; n < 800; ++n) {
    sample.codes[n] = sample.rows.row(n)[577] > 0 ? 1 : 0;
  }
  const Matrix found = out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(), {},
                                                      {.trees = 20, .learning_rate = .3});
  EXPECT_GT(accuracy(found.view(), sample.codes), .95);
}

TEST(Trees, HalvesAreReadAsTheyAreStored) {
  LearnSample sample = mixed_table(1000, 4);
  std::vector<std::uint16_t> halves(5000);
  for (std::size_t n = 0; n < 1000; ++n) {
    for (std::size_t j = 0; j < 5; ++j) {
      // 0, 1 and whole numbers that a half has: 0x3c00 is 1, and the exponents after it powers
      // of 2.
      const bool is_up = sample.rows.row(n)[j] > .5F;
      sample.rows.row(n)[j] = is_up ? 1 : 0;
      halves[n * 5 + j] = is_up ? 0x3c00 : 0;
    }
  }
  EXPECT_TRUE(have_same_bytes(
      out_of_fold_tree_probabilities(sample.rows.view(), sample.labels()),
      out_of_fold_tree_probabilities(RowsView(halves.data(), 1000, 5), sample.labels())));
}

TEST(Trees, CancelPromptly) {
  const LearnSample sample = blobs(20000, 2, 1, 100);
  using Clock = std::chrono::steady_clock;
  Clock::time_point asked{};
  const Execution execution{2, [&](const Progress& progress) {
                              if (progress.done < 3e-4) return true;
                              asked = Clock::now();
                              return false;
                            }};
  try {
    out_of_fold_tree_probabilities(sample.rows.view(), sample.labels(), {}, {.trees = 100000},
                                   execution);
    ADD_FAILURE() << "ran to its end";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - asked).count(), .5);
}

}  // namespace
}  // namespace noiseplus
