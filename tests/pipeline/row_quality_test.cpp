// Rows judged inside their group, and what is said of their probabilities.
#include <gtest/gtest.h>

#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/truth_table.h"

namespace noiseplus {
namespace {

using namespace testing_support;

AuditOptions quick_options() {
  AuditOptions options;
  options.compare_routes = false;
  return options;
}

// P(label | row) by a perfect model that knows the group.
Matrix probabilities_of(const TruthTable& table, const std::vector<double>& rates) {
  Matrix probabilities(table.clean.size(), 2);
  for (std::size_t n = 0; n < table.clean.size(); ++n) {
    const double clean = 1 / (1 + std::exp(-table.logits[n]));
    const double rate = rates[static_cast<std::size_t>(table.group[n])];
    const double positive = clean * (1 - rate) + (1 - clean) * rate;
    probabilities.row(n)[1] = static_cast<float>(positive);
    probabilities.row(n)[0] = static_cast<float>(1 - positive);
  }
  return probabilities;
}

void remove_groups(Dataset& dataset) {
  dataset.groups = {};
  dataset.group_name.clear();
}

// The model knows the group and its noise: judging the rows by an estimate inside the group, from
// fewer rows, lost up to .10 of the area.
TEST(RowQuality, WithGivenProbabilitiesIsNoWorseForGroups) {
  const std::vector<double> rates = {.3, .1};
  for (const bool has_features : {true, false}) {
    for (const std::uint64_t seed : {4, 5}) {
      TruthTable table(
          {.rows = 5000, .steepness = 6, .biases = {-6, -6}, .first_group = .3, .seed = seed});
      table.flip(wrong_by(table, seed + 2, [&](std::size_t n) {
        return rates[static_cast<std::size_t>(table.group[n])];
      }));
      const Matrix probabilities = probabilities_of(table, rates);
      if (!has_features) table.dataset.features = {};
      AuditOptions options = quick_options();
      options.judge_rows = true;
      options.probabilities = probabilities.view();
      const auto found = [&](const Dataset& dataset) {
        return auroc(audit(dataset, options).quality.right, table.is_wrong());
      };
      const double by_group = found(table.dataset);
      remove_groups(table.dataset);
      const double pooled = found(table.dataset);
      EXPECT_GT(by_group, .97) << has_features << ' ' << seed;
      EXPECT_GE(by_group, pooled) << has_features << ' ' << seed;
    }
  }
}

// Nine tenths of the rows are of classes far apart, and one tenth, a group, of classes that
// overlap.
Dataset apart_but_for_one_group() {
  constexpr std::size_t rows = 6000;
  Matrix features(rows, 2);
  std::vector<std::int32_t> clean, groups;
  for (std::size_t n = 0; n < rows; ++n) {
    const bool overlaps = n % 10 == 0;
    clean.push_back(uniform(3, Stream::generate, n, 0) < .5 ? 1 : 0);
    groups.push_back(overlaps ? 1 : 0);
    const double center = (clean[n] == 1 ? 1 : -1) * (overlaps ? .7 : 5);
    features.row(n)[0] = static_cast<float>(center + normal(3, Stream::generate, n, 1));
    features.row(n)[1] = static_cast<float>(normal(3, Stream::generate, n, 3));
  }
  Dataset dataset;
  dataset.labels.codes = with_noise(clean, .2, .1, 9);
  dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
  dataset.label_name = "y";
  dataset.groups = {groups, {"apart", "overlapping"}, {"apart", "overlapping"}};
  dataset.group_name = "z";
  dataset.features = Features(std::move(features));
  return dataset;
}

TEST(RowQuality, IsCalibratedOnlyWhereItIsInEveryGroup) {
  Dataset dataset = apart_but_for_one_group();
  AuditOptions options = quick_options();
  options.judge_rows = true;
  EXPECT_FALSE(audit(dataset, options).rows_are_calibrated);
  // The same groups, but of rows that are all alike.
  std::vector<std::int32_t>& groups = dataset.groups.codes;
  for (std::size_t n = 0; n < groups.size(); ++n) groups[n] = n % 3 == 0 ? 1 : 0;
  EXPECT_TRUE(audit(dataset, options).rows_are_calibrated);
  remove_groups(dataset);
  EXPECT_TRUE(audit(dataset, options).rows_are_calibrated);
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

TEST(RowQuality, TheTextSaysWhetherRowsAreProbabilities) {
  AuditReport report = audit(apart_but_for_one_group(), quick_options());
  EXPECT_EQ(to_text(report).find("Row probabilities"), std::string::npos);
  report.quality.right.assign(report.rows, .5);
  report.quality.suggested.assign(report.rows, 0);
  report.rows_are_calibrated = true;
  EXPECT_NE(in_one_line(to_text(report)).find("Row probabilities are calibrated, if noise"),
            std::string::npos);
  report.rows_are_calibrated = false;
  EXPECT_NE(in_one_line(to_text(report)).find("Row probabilities are a ranking: they order"),
            std::string::npos);
}

}  // namespace
}  // namespace noiseplus
