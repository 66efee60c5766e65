// How well rows with wrong labels are found on real rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "noiseplus/report.h"
#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

// Chance that a wrong label gets a lower probability than a right one; ties count half.
double auroc(const std::vector<double>& right, const std::vector<char>& is_wrong) {
  std::vector<std::size_t> order(right.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return right[a] < right[b]; });
  double below = 0, wrong = 0, pairs = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    double tied_wrong = 0, tied_right = 0;
    for (; end < order.size() && right[order[end]] == right[order[begin]]; ++end) {
      ++(is_wrong[order[end]] != 0 ? tied_wrong : tied_right);
    }
    pairs += tied_right * (wrong + tied_wrong / 2);
    wrong += tied_wrong;
    below += tied_right;
    begin = end;
  }
  return pairs / (wrong * below);
}

// Noise by marital status: the group column is among the features unless it is dropped.
double auroc_of_bank(const std::vector<std::string>& dropped) {
  DataRequest request;
  request.path = "../shared/data/bank/bank-full.csv.gz";
  request.label = "y";
  request.groups = {"marital"};
  request.drop = dropped;
  Dataset dataset = load(request);
  const std::vector<std::int32_t> clean = dataset.labels.codes;
  std::vector<char> is_wrong(clean.size());
  for (std::size_t n = 0; n < clean.size(); ++n) {
    const std::string& group =
        dataset.groups.classes[static_cast<std::size_t>(dataset.groups.codes[n])];
    is_wrong[n] = uniform(7, Stream::generate, n) < (group == "single" ? .3 : .1) ? 1 : 0;
    if (is_wrong[n] != 0) dataset.labels.codes[n] = 1 - clean[n];
  }
  AuditOptions options;
  options.judge_rows = true;
  options.compare_routes = false;
  return auroc(audit(dataset, options).quality.right, is_wrong);
}

TEST(RealRows, AGroupColumnAmongTheFeaturesDoesNotHideWrongLabels) {
  const double kept = auroc_of_bank({}), dropped = auroc_of_bank({"marital"});
  std::printf("bank, noise by marital status: AUROC %.3f with the column, %.3f without\n", kept,
              dropped);
  EXPECT_GE(kept, .85);
  EXPECT_GE(kept, dropped - .01);
}

}  // namespace
}  // namespace noiseplus
