#include "pipeline/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "noiseplus/pipeline.h"
#include "pipeline/truth_table.h"

namespace noiseplus {
namespace {

using namespace testing_support;

AuditOptions quick_options() {
  AuditOptions options;
  options.compare_routes = false;
  return options;
}

// K classes of unequal sizes in random order.
std::vector<std::int32_t> random_codes(std::size_t rows, std::size_t classes, double evenness,
                                       std::uint64_t seed) {
  std::vector<std::int32_t> codes(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    const double u = uniform(seed, Stream::generate, n, 0);
    const bool is_first = uniform(seed, Stream::generate, n, 1) > evenness;
    codes[n] = is_first ? 0 : static_cast<std::int32_t>(u * static_cast<double>(classes));
  }
  return codes;
}

TEST(RowOrder, AtRandomIsNoWarning) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const std::size_t classes : {2U, 3U, 20U}) {
      for (const std::size_t rows : {100U, 150U, 3000U}) {
        for (const double evenness : {.02, .3, 1.0}) {
          EXPECT_EQ(row_order_warning(random_codes(rows, classes, evenness, seed), classes), "")
              << seed << ' ' << classes << ' ' << rows << ' ' << evenness;
        }
      }
    }
  }
}

TEST(RowOrder, SortedByLabelIsAWarning) {
  for (const std::size_t classes : {2U, 3U, 20U}) {
    std::vector<std::int32_t> codes = random_codes(3000, classes, 1, 1);
    std::sort(codes.begin(), codes.end());
    const std::string warning = row_order_warning(codes, classes);
    EXPECT_NE(warning.find("labels come in blocks of rows"), warning.npos) << classes;
    EXPECT_NE(warning.find("is not used as a feature"), warning.npos) << classes;
  }
}

TEST(RowOrder, SharesAreCounted) {
  std::vector<std::int32_t> codes(1000);
  std::fill(codes.begin() + 600, codes.end(), 1);
  // Next to the border rows of both labels are as many, or the others more.
  EXPECT_NE(row_order_warning(codes, 2).find("reproduces 99.8 % of them (the most frequent label "
                                             "60.0 %)"),
            std::string::npos)
      << row_order_warning(codes, 2);
}

// Sorted by the true label, a fifth of the labels being wrong.
TEST(RowOrder, SortedByTheTrueLabelIsAWarning) {
  std::vector<std::int32_t> clean(4000);
  std::fill(clean.begin() + 2000, clean.end(), 1);
  EXPECT_NE(row_order_warning(with_noise(clean, .2, .2, 3), 2), "");
}

TEST(RowOrder, FewRowsAreNoWarning) {
  std::vector<std::int32_t> codes(99);
  std::fill(codes.begin() + 50, codes.end(), 1);
  EXPECT_EQ(row_order_warning(codes, 2), "");
  codes.assign(2000, 0);
  std::fill(codes.end() - 19, codes.end(), 1);
  EXPECT_EQ(row_order_warning(codes, 2), "");
  EXPECT_EQ(row_order_warning({}, 2), "");
}

TEST(RowOrder, IsWarnedOfByTheAudit) {
  const TruthTable table({.rows = 1000});
  const Dataset& dataset = table.dataset;
  const RowsView view = dataset.features.view();
  std::vector<std::size_t> order(view.rows);
  for (std::size_t n = 0; n < order.size(); ++n) order[n] = n;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return dataset.labels.codes[a] < dataset.labels.codes[b];
  });
  Dataset sorted;
  sorted.labels = dataset.labels;
  sorted.label_name = dataset.label_name;
  Matrix rows(view.rows, view.columns);
  std::vector<float> buffer(view.columns);
  for (std::size_t n = 0; n < order.size(); ++n) {
    const float* row = view.row(order[n], buffer.data());
    std::copy(row, row + view.columns, rows.row(n));
    sorted.labels.codes[n] = dataset.labels.codes[order[n]];
  }
  sorted.features = Features(std::move(rows));
  const auto is_warned = [](const AuditReport& report) {
    return std::ranges::any_of(report.warnings, [](const std::string& warning) {
      return warning.starts_with("labels come in blocks of rows");
    });
  };
  const AuditOptions options = quick_options();
  EXPECT_FALSE(is_warned(audit(dataset, options)));
  const AuditReport report = audit(sorted, options);
  EXPECT_TRUE(is_warned(report));
  EXPECT_FALSE(report.giveaway);
}

}  // namespace
}  // namespace noiseplus
