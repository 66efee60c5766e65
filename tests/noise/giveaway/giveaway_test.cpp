#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "noiseplus/noise.h"
#include "support.h"

namespace noiseplus {
namespace {

using testing_support::with_noise;

constexpr std::size_t row_count = 2000;

Dataset dataset_with(Matrix rows, std::vector<std::int32_t> codes,
                     std::vector<std::string> classes = {"no", "yes"}) {
  Dataset dataset;
  dataset.recipe.columns = rows.columns();
  for (std::size_t c = 0; c < rows.columns(); ++c) {
    dataset.feature_names.push_back("c" + std::to_string(c));
  }
  dataset.features = Features(std::move(rows));
  dataset.labels.codes = std::move(codes);
  dataset.labels.classes = dataset.labels.spellings = std::move(classes);
  return dataset;
}

double drawn_uniform(std::size_t row, std::uint64_t draw, std::uint64_t seed = 1) {
  return uniform(seed, Stream::split, row, draw);
}

// Four columns that say something of the class, so that the others know less than a giveaway.
Matrix weak_features(const std::vector<std::int32_t>& clean, std::uint64_t seed = 1) {
  Matrix rows(clean.size(), 5);
  for (std::size_t n = 0; n < clean.size(); ++n) {
    for (std::uint64_t c = 0; c < 5; ++c) {
      rows.row(n)[c] = static_cast<float>(normal(seed, Stream::generate, n, c) + .7 * clean[n]);
    }
  }
  return rows;
}

std::vector<std::int32_t> drawn_classes(std::size_t rows = row_count, double positive = .4) {
  std::vector<std::int32_t> codes;
  for (std::size_t n = 0; n < rows; ++n) codes.push_back(drawn_uniform(n, 0) < positive ? 1 : 0);
  return codes;
}

std::string found_in(const Dataset& dataset) {
  const std::optional<Giveaway> found = find_giveaway(dataset, 0, {1, {}});
  if (!found) return "nothing";
  std::string text(to_string(found->kind));
  for (const std::string& column : found->columns) text += ' ' + column;
  return text;
}

TEST(Giveaway, IsARecodedCopyOfTheLabel) {
  const std::vector<std::int32_t> clean = drawn_classes();
  const std::vector<std::int32_t> labels = with_noise(clean, .05, .05, 3);
  Matrix rows = weak_features(clean);
  for (std::size_t n = 0; n < row_count; ++n) rows.row(n)[2] = labels[n] == 1 ? 7.F : 3.F;
  const Dataset dataset = dataset_with(std::move(rows), labels);
  const std::optional<Giveaway> found = find_giveaway(dataset);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, GiveawayKind::column);
  EXPECT_EQ(found->columns, std::vector<std::string>{"c2"});
  EXPECT_EQ(found->share, 1);
  EXPECT_EQ(found->rule, "'c2' <= 5: 'no'; 'c2' > 5: 'yes'");
}

TEST(Giveaway, IsACopyWithHalfAPercentOfDisagreements) {
  const std::vector<std::int32_t> clean = drawn_classes();
  const std::vector<std::int32_t> labels = with_noise(clean, .05, .05, 3);
  const std::vector<std::int32_t> copy = with_noise(labels, .005, .005, 4);
  Matrix rows = weak_features(clean);
  for (std::size_t n = 0; n < row_count; ++n) rows.row(n)[2] = static_cast<float>(copy[n]);
  EXPECT_EQ(found_in(dataset_with(std::move(rows), labels)), "column c2");
}

TEST(Giveaway, IsNotTheTruthBehindNoisyLabels) {
  const std::vector<std::int32_t> clean = drawn_classes();
  Matrix rows = weak_features(clean);
  for (std::size_t n = 0; n < row_count; ++n) rows.row(n)[2] = static_cast<float>(clean[n]);
  EXPECT_EQ(found_in(dataset_with(std::move(rows), with_noise(clean, .05, .05, 3))), "nothing");
}

TEST(Giveaway, AllCopiesAreNamedTheBestFirst) {
  const std::vector<std::int32_t> clean = drawn_classes();
  const std::vector<std::int32_t> labels = with_noise(clean, .3, .3, 3);
  const std::vector<std::int32_t> worse = with_noise(labels, .003, .003, 4);
  Matrix rows = weak_features(clean);
  for (std::size_t n = 0; n < row_count; ++n) {
    rows.row(n)[1] = static_cast<float>(worse[n]);
    rows.row(n)[3] = static_cast<float>(-labels[n]);
  }
  EXPECT_EQ(found_in(dataset_with(std::move(rows), labels)), "column c3 c1");
}

struct ThresholdCase {
  const char* name;
  double (*score)(double uniform, double normal);
  double threshold;
};

class GiveawayThreshold : public testing::TestWithParam<ThresholdCase> {};

TEST_P(GiveawayThreshold, OfAScoreIsFound) {
  const ThresholdCase& given = GetParam();
  Matrix rows = weak_features(std::vector<std::int32_t>(row_count));
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < row_count; ++n) {
    const double score = given.score(drawn_uniform(n, 5), normal(1, Stream::generate, n, 50));
    rows.row(n)[4] = static_cast<float>(score);
    labels.push_back(score > given.threshold ? 1 : 0);
  }
  EXPECT_EQ(found_in(dataset_with(std::move(rows), labels)), "column c4");
}

INSTANTIATE_TEST_SUITE_P(
    Scores, GiveawayThreshold,
    testing::Values(ThresholdCase{"uniform", [](double u, double) { return u; }, .7},
                    ThresholdCase{"normal", [](double, double z) { return z; }, .3},
                    ThresholdCase{"lognormal", [](double, double z) { return std::exp(z); }, 3},
                    // A confident model's probability: few rows are near one half.
                    ThresholdCase{"probability",
                                  [](double, double z) { return 1 / (1 + std::exp(-8 * z)); }, .5}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Giveaway, IsARuleOverKeywordCounts) {
  Matrix rows = weak_features(std::vector<std::int32_t>(row_count));
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < row_count; ++n) {
    for (std::uint64_t c = 0; c < 3; ++c) {
      rows.row(n)[c] =
          static_cast<float>(std::floor(3 * drawn_uniform(n, c) * drawn_uniform(n, 9)));
    }
    labels.push_back(rows.row(n)[0] > 0 || rows.row(n)[2] > 0 ? 1 : 0);
  }
  EXPECT_EQ(found_in(dataset_with(std::move(rows), labels)), "rule c0 c2");
}

// Rows in the order of their labels, with a counter in the first column.
Dataset sorted_rows(bool has_id, std::size_t blocks = 2) {
  std::vector<std::int32_t> labels, clean;
  for (std::size_t n = 0; n < row_count; ++n) {
    labels.push_back(static_cast<std::int32_t>(n * blocks / row_count % 2));
  }
  clean = with_noise(labels, .3, .3, 5);
  Matrix rows = weak_features(clean);
  for (std::size_t n = 0; has_id && n < row_count; ++n) {
    rows.row(n)[0] = static_cast<float>(1000 + n);
  }
  return dataset_with(std::move(rows), labels);
}

TEST(Giveaway, IsAnIdInAFileSortedByLabel) {
  EXPECT_EQ(found_in(sorted_rows(true)), "id c0");
}

TEST(Giveaway, IsAnIdWhereLabelsComeInBlocks) {
  EXPECT_EQ(found_in(sorted_rows(true, 9)), "id c0");
}

TEST(Giveaway, IsNotTheOrderOfRowsItself) {
  EXPECT_EQ(found_in(sorted_rows(false)), "nothing");
}

TEST(Giveaway, IsFoundInATableByItsOwnColumn) {
  const testing_support::TemporaryFolder folder;
  const std::vector<std::int32_t> clean = drawn_classes(600);
  const std::vector<std::int32_t> labels = with_noise(clean, .05, .05, 3);
  std::string csv = "age,code,city,y\n";
  for (std::size_t n = 0; n < clean.size(); ++n) {
    // Three codes for two labels: no single one of them is the label.
    const char* code = labels[n] == 0 ? "A" : drawn_uniform(n, 7) < .5 ? "B" : "C";
    csv += std::to_string(20 + n % 50 + static_cast<std::size_t>(clean[n]) * 5) + ',' + code +
           (n % 3 == 0 ? ",x," : ",z,") + (labels[n] == 1 ? "yes" : "no") + '\n';
  }
  DataRequest request;
  request.path = folder.write("data.csv", csv);
  request.label = "y";
  EXPECT_EQ(found_in(load(request)), "column code");
  request.drop = {"code"};
  EXPECT_EQ(found_in(load(request)), "nothing");
}

TEST(Giveaway, IsNoRareTextThatFitsByHeart) {
  const testing_support::TemporaryFolder folder;
  const std::vector<std::int32_t> labels = drawn_classes(600);
  std::string csv = "age,name,y\n";
  for (std::size_t n = 0; n < labels.size(); ++n) {
    csv +=
        std::to_string(n % 50) + ",p" + std::to_string(n) + (labels[n] == 1 ? ",yes\n" : ",no\n");
  }
  DataRequest request;
  request.path = folder.write("data.csv", csv);
  request.label = "y";
  EXPECT_EQ(found_in(load(request)), "nothing");
}

// Clusters of normal numbers, apart along the first columns.
Dataset clusters(std::size_t rows, std::size_t columns, std::size_t apart, double by,
                 std::uint64_t seed) {
  Matrix features(rows, columns);
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < rows; ++n) {
    labels.push_back(drawn_uniform(n, 0, seed) < .5 ? 1 : 0);
    for (std::size_t c = 0; c < columns; ++c) {
      features.row(n)[c] = static_cast<float>(normal(seed, Stream::generate, n, c) +
                                              (c < apart ? by * labels[n] : 0));
    }
  }
  return dataset_with(std::move(features), std::move(labels));
}

TEST(Giveaway, IsNotTheColumnThatKeepsCleanClustersApart) {
  for (const double by : {4.0, 5.0, 6.0, 8.0, 20.0}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      EXPECT_EQ(found_in(clusters(5000, 2, 1, by, seed)), "nothing") << by << ", seed " << seed;
      EXPECT_EQ(found_in(clusters(5000, 4, 4, by, seed)), "nothing") << by << ", seed " << seed;
    }
  }
}

TEST(Giveaway, IsNotTheRuleThatDividesFourCleanClusters) {
  Matrix rows(4000, 2);
  std::vector<std::int32_t> labels;
  for (std::size_t n = 0; n < 4000; ++n) {
    const bool right = drawn_uniform(n, 0) < .5, up = drawn_uniform(n, 1) < .5;
    rows.row(n)[0] = static_cast<float>(normal(1, Stream::generate, n, 0) + (right ? 8 : 0));
    rows.row(n)[1] = static_cast<float>(normal(1, Stream::generate, n, 1) + (up ? 8 : 0));
    labels.push_back((right ? 2 : 0) + (up ? 1 : 0));
  }
  EXPECT_EQ(found_in(dataset_with(std::move(rows), labels, {"a", "b", "c", "d"})), "nothing");
}

// An id says no more than the rest: the labels stand without it.
TEST(Giveaway, IsNothingThatTheOtherColumnsKnowToo) {
  Dataset dataset = clusters(row_count, 3, 3, 10, 1);
  Matrix rows(row_count, 4);
  std::size_t next = 0;
  std::vector<std::int32_t> labels;
  for (const std::int32_t label : {0, 1}) {
    for (std::size_t n = 0; n < row_count; ++n) {
      if (dataset.labels.codes[n] != label) continue;
      std::vector<float> buffer(3);
      const float* row = dataset.features.view().row(n, buffer.data());
      std::copy(row, row + 3, rows.row(next));
      rows.row(next)[3] = static_cast<float>(next);
      labels.push_back(label);
      ++next;
    }
  }
  EXPECT_EQ(found_in(dataset_with(std::move(rows), labels)), "nothing");
}

TEST(Giveaway, IsNothingInGeneratedClusters) {
  for (const double separation : {0.0, 2.0, 20.0}) {
    GeneratorOptions options;
    options.rows = 4000;
    options.separation = separation;
    Generated data = generate(options);
    EXPECT_EQ(found_in(dataset_with(std::move(data.features), data.codes)), "nothing")
        << separation;
  }
}

TEST(Giveaway, IsTheSameForAnyNumberOfThreads) {
  const Dataset dataset = sorted_rows(true, 5);
  const std::optional<Giveaway> one = find_giveaway(dataset, 0, {1, {}});
  const std::optional<Giveaway> four = find_giveaway(dataset, 0, {4, {}});
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->share, four->share);
  EXPECT_EQ(one->rule, four->rule);
}

TEST(Giveaway, NeedsFiftyRows) {
  const std::vector<std::int32_t> labels = drawn_classes(49);
  Matrix rows(49, 1);
  for (std::size_t n = 0; n < 49; ++n) rows.row(n)[0] = static_cast<float>(labels[n]);
  EXPECT_EQ(found_in(dataset_with(std::move(rows), labels)), "nothing");
}

}  // namespace
}  // namespace noiseplus
