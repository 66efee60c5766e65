// What training on many classes adds to the process at most. Weights for every row and class would
// be 80 MB, and so are the probabilities that are asked for.
#include <gtest/gtest.h>

#include <fstream>

#include "learn_support.h"

namespace noiseplus {
namespace {

constexpr std::size_t n_rows = 20000, n_classes = 1000, n_columns = 32;

// In MB, of /proc/self/status.
double megabytes(const std::string& field) {
  std::ifstream lines("/proc/self/status");
  for (std::string word; lines >> word;) {
    double kilobytes = 0;
    if (word == field + ':' && lines >> kilobytes) return kilobytes / 1024;
  }
  return -1;
}

// None where the system cannot measure the peak anew.
template <typename Call>
std::optional<double> added_megabytes(const Call& call) {
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) return {};
  const double before = megabytes("VmRSS");
  call();
  return megabytes("VmHWM") - before;
}

class ManyClasses : public testing::Test {
 protected:
  const LearnSample sample_ = blobs(n_rows, n_classes, 3, n_columns);
};

TEST_F(ManyClasses, AreTrainedInLessMemoryThanTheirWeightsWouldTake) {
  TrainOptions options;
  options.linear.max_steps = 2;
  const auto added = added_megabytes([&] {
    train(sample_.rows.view(), sample_.labels(), options, {2, {}});
  });
  if (!added) GTEST_SKIP() << "this system cannot measure the peak anew";
  RecordProperty("megabytes", std::to_string(*added));
  EXPECT_GT(*added, 0);
  EXPECT_LT(*added, 80);
}

TEST_F(ManyClasses, AreScoredInLittleMoreMemoryThanTheScores) {
  FoldOptions options;
  options.folds = 5;
  options.linear.max_steps = 1;
  const auto added = added_megabytes([&] {
    out_of_sample_probabilities(sample_.rows.view(), sample_.labels(), options, {2, {}});
  });
  if (!added) GTEST_SKIP() << "this system cannot measure the peak anew";
  RecordProperty("megabytes", std::to_string(*added));
  EXPECT_GT(*added, 80);
  EXPECT_LT(*added, 160);
}

}  // namespace
}  // namespace noiseplus
