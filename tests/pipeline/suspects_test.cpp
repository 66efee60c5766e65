#include <gtest/gtest.h>

#include "noiseplus/pipeline.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

using testing_support::generated;

AuditOptions wanting(std::size_t suspects) {
  AuditOptions options;
  options.suspects = suspects;
  return options;
}

TEST(Suspects, AreTheLeastLikelyLabels) {
  const Dataset dataset = generated(.3, .3, .1);
  AuditOptions options = wanting(200);
  options.judge_rows = true;
  const AuditReport report = audit(dataset, options);
  ASSERT_TRUE(report.suspects);
  ASSERT_EQ(report.suspects->rows.size(), 200U);
  double last = 0;
  for (const Suspect& suspect : report.suspects->rows) {
    EXPECT_EQ(suspect.right, report.quality.right[suspect.row]);
    EXPECT_GE(suspect.right, last);
    last = suspect.right;
    EXPECT_EQ(suspect.given, dataset.labels.codes[suspect.row]);
    EXPECT_EQ(suspect.suggested, report.quality.suggested[suspect.row]);
    EXPECT_EQ(suspect.neighbors.size(), report.k);
    EXPECT_EQ(suspect.values.size(), report.suspects->columns.size());
  }
  const auto likelier = std::count_if(report.quality.right.begin(), report.quality.right.end(),
                                      [&](double right) { return right < last; });
  EXPECT_LE(likelier, 200);
  std::size_t unlikely = 0;
  for (std::size_t n = 0; n < dataset.labels.codes.size(); ++n) {
    unlikely += report.quality.suggested[n] != dataset.labels.codes[n] ? 1 : 0;
  }
  EXPECT_EQ(report.suspects->unlikely, unlikely);
}

TEST(Suspects, NeighborsOfACleanClusterSayTheOther) {
  const AuditReport report = audit(generated(.5, .2, .2), wanting(50));
  for (const Suspect& suspect : report.suspects->rows) {
    const auto others = std::count_if(suspect.neighbors.begin(), suspect.neighbors.end(),
                                      [&](std::int32_t label) { return label != suspect.given; });
    EXPECT_GT(others, static_cast<std::ptrdiff_t>(report.k / 2));
  }
}

TEST(Suspects, AreNotMoreThanAskedForNorOfSomeRows) {
  const Dataset dataset = generated(.5, .3, .1, 500);
  EXPECT_FALSE(audit(dataset, wanting(0)).suspects);
  EXPECT_EQ(audit(dataset, wanting(1000)).suspects->rows.size(), 500U);
  EXPECT_THROW(audit(dataset, wanting(1001)), Error);
  AuditOptions sampled = wanting(10);
  sampled.anchors = 100;
  EXPECT_THROW(audit(dataset, sampled), Error);
}

// A matrix whose rows are pictures, dark but for one bright pixel.
Dataset pictures(std::size_t height, std::size_t width) {
  Dataset dataset = generated(.5, .2, .2, 300);
  Matrix pixels(300, height * width);
  for (std::size_t n = 0; n < 300; ++n) {
    for (std::size_t j = 0; j < height * width; ++j) pixels.row(n)[j] = 0;
    pixels.row(n)[n % (height * width)] = 255;
  }
  dataset.features = Features(std::move(pixels));
  dataset.row_shape = {height, width};
  return dataset;
}

AuditReport audit_of_pictures(std::size_t height, std::size_t width) {
  AuditOptions options = wanting(10);
  options.estimator = "moments";
  return audit(pictures(height, width), options);
}

TEST(Suspects, PicturesAreShownAsSuch) {
  const AuditReport report = audit_of_pictures(6, 5);
  EXPECT_EQ(report.suspects->height, 6U);
  EXPECT_EQ(report.suspects->width, 5U);
  EXPECT_TRUE(report.suspects->columns.empty());
  for (const Suspect& suspect : report.suspects->rows) {
    ASSERT_EQ(suspect.pixels.size(), 30U);
    for (std::size_t j = 0; j < 30; ++j) {
      EXPECT_EQ(suspect.pixels[j], j == suspect.row % 30 ? 255 : 0);
    }
  }
}

TEST(Suspects, LargePicturesAreMadeSmaller) {
  const AuditReport report = audit_of_pictures(50, 70);
  EXPECT_EQ(report.suspects->height, 17U);
  EXPECT_EQ(report.suspects->width, 24U);
  EXPECT_EQ(report.suspects->rows[0].pixels.size(), 17U * 24U);
}

TEST(Agreements, VanishWhereTheRatesAreEqual) {
  AuditOptions options;
  options.agreements = true;
  const AuditReport report = audit(generated(.5, .1, .3, 20000), options);
  ASSERT_TRUE(report.agreements);
  const AgreementCurve& curve = *report.agreements;
  EXPECT_EQ(curve.flipped, 1);
  ASSERT_EQ(curve.epsilons.size(), curve.gaps.size());
  // In a sample with equally many of both labels the rates are 1/7 and 2/9, so that PA - NA is
  // .0315 (math.md, section 2); flipping 1/6 of the labels 1 makes the rates equal.
  EXPECT_NEAR(curve.gaps.front(), .0315, .012);
  ASSERT_NEAR(curve.epsilons[3], .15, 1e-12);
  EXPECT_NEAR(curve.gaps[3], 0, .012);
}

TEST(Forced, IsThereWhereNothingIsProved) {
  const AuditReport same = audit(generated(.5, .2, .2), {});
  ASSERT_LT(same.estimate.noisier, 0);
  ASSERT_TRUE(same.forced);
  EXPECT_FALSE(same.forced->flips_nothing());
  EXPECT_FALSE(audit(generated(.5, .1, .3), {}).forced);
}

}  // namespace
}  // namespace noiseplus
