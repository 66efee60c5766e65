// What train_fair refuses, warns of, and how it is stopped.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "fair/fair_support.h"
#include "fair/group_sample.h"

namespace noiseplus {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

struct Call {
  GroupSample sample = group_sample(200, {.6, .4});
  FairOptions fair = fair_options(sample);
  TrainOptions train;
  std::vector<float> row_weights;
  std::size_t classes = 2;

  FairTrainResult run() const {
    return train_fair(sample.rows.view(), {sample.codes, classes, row_weights}, sample.groups,
                      train, fair);
  }
};

TEST(FairChecks, OptionsThatDoNotFit) {
  const std::vector<std::pair<std::string, std::function<void(Call&)>>> faults = {
      {"two classes", [](Call& call) { call.classes = 3; }},
      {"two classes", [](Call& call) { call.fair.positive = 2; }},
      {"row weights are not taken", [](Call& call) { call.row_weights.assign(200, 1); }},
      {"a label and a group for each row", [](Call& call) { call.sample.codes.pop_back(); }},
      {"a label and a group for each row", [](Call& call) { call.sample.groups.pop_back(); }},
      {"not 0 or 1", [](Call& call) { call.sample.codes[7] = 2; }},
      {"not 0 or 1", [](Call& call) { call.sample.codes[7] = -1; }},
      {"two groups at least", [](Call& call) { call.fair.group_names = {"a"}; }},
      {"two groups at least", [](Call& call) { call.fair.group_names.clear(); }},
      {"a group is out of range", [](Call& call) { call.sample.groups[3] = 2; }},
      {"a group is out of range", [](Call& call) { call.sample.groups[3] = -1; }},
      {"'c' has no rows", [](Call& call) { call.fair.group_names.emplace_back("c"); }},
      {"from 0 to 1", [](Call& call) { call.fair.tolerance = -.01; }},
      {"from 0 to 1", [](Call& call) { call.fair.tolerance = NAN; }},
      {"one round", [](Call& call) { call.fair.max_rounds = 0; }},
      {"noise for each group",
       [](Call& call) {
         call.fair.noise = {{.1, .1}};
       }},
      {"less than 1",
       [](Call& call) {
         call.fair.noise = {{.1, .1}, {.5, .5}};
       }},
      {"less than 1",
       [](Call& call) {
         call.fair.noise = {{.1, .1}, {-.1, .5}};
       }},
      {"less than 1",
       [](Call& call) {
         call.fair.noise = {{.1, NAN}, {.1, .1}};
       }},
      {"the loss must be", [](Call& call) { call.train.loss = LossKind::forward; }},
      {"the loss must be", [](Call& call) { call.train.loss = LossKind::co_teaching; }},
      {"in expectation", [](Call& call) { call.train.sampled_peers = true; }},
      {"held out", [](Call& call) { call.train.held_out = .1; }},
  };
  EXPECT_NO_THROW(Call().run());
  for (const auto& [message, spoil] : faults) {
    Call call;
    spoil(call);
    expect_error(ErrorKind::usage, message, [&call = call] { call.run(); });
  }
}

TEST(FairChecks, AGroupOfOneClass) {
  Call call;
  call.train.class_names = {"no", "yes"};
  for (std::size_t n = 0; n < 200; ++n) {
    if (call.sample.groups[n] == 1) call.sample.codes[n] = 0;
  }
  expect_error(ErrorKind::impossible, "group 'b' has no row labeled 'yes'", [&] { call.run(); });
  call.fair.constraint = Constraint::fpr_parity;
  EXPECT_NO_THROW(call.run());
  call.fair.constraint = Constraint::error_parity;
  const FairTrainResult training = call.run();
  EXPECT_LE(training.violation, 2 * call.fair.tolerance + 1e-6);
}

TEST(FairChecks, RowsOfOneClass) {
  Call call;
  call.fair.constraint = Constraint::demographic_parity;
  call.sample.codes.assign(200, 1);
  expect_error(ErrorKind::impossible, "only one class", [&] { call.run(); });
}

TEST(FairChecks, RowsThatAreNotNumbers) {
  Call call;
  call.sample.rows.row(3)[2] = NAN;
  expect_error(ErrorKind::data, "row 4, column 3", [&] { call.run(); });
}

TEST(FairChecks, SmallGroupsAreNamed) {
  Call call;
  call.fair.group_names = {"a", "b", "few"};
  for (const std::size_t n : {10U, 20U, 30U}) call.sample.groups[n] = 2;
  call.sample.codes[10] = 1;
  call.sample.codes[20] = 0;
  const FairTrainResult training = call.run();
  ASSERT_EQ(training.warnings.size(), 1U);
  EXPECT_NE(training.warnings[0].find("group 'few' has 3 rows"), std::string::npos);
}

// The only column says the opposite in the smaller group, so that no model of it treats both alike.
TEST(FairChecks, WhatNoModelCanKeep) {
  Call call;
  call.sample.rows = Matrix(200, 1);
  for (std::size_t n = 0; n < 200; ++n) {
    call.sample.groups[n] = n % 10 < 7 ? 0 : 1;
    call.sample.codes[n] = static_cast<std::int32_t>(n / 10 % 2);
    const bool is_high = (call.sample.codes[n] == 1) == (call.sample.groups[n] == 0);
    call.sample.rows.row(n)[0] = is_high ? 1 : -1;
  }
  call.fair.tolerance = 0;
  expect_error(ErrorKind::impossible, "raise --tolerance", [&] { call.run(); });
  call.fair.tolerance = 1;
  EXPECT_NO_THROW(call.run());
}

TEST(FairChecks, ACallbackStopsTheGame) {
  const GroupSample sample = group_sample(2000, {.63, .33});
  int calls = 0;
  Execution execution{.threads = 1, .progress = [&](const Progress& progress) {
                        EXPECT_EQ(progress.stage, "training");
                        return ++calls < 2;
                      }};
  expect_error(ErrorKind::cancelled, "",
               [&] { train_fairly(sample, fair_options(sample), {}, execution); });
  EXPECT_EQ(calls, 2);
}

TEST(FairChecks, ProgressGoesFromNoneToAll) {
  const GroupSample sample = group_sample(2000, {.63, .33});
  std::vector<double> done;
  Execution execution{.threads = 1, .progress = [&](const Progress& progress) {
                        done.push_back(progress.done);
                        return true;
                      }};
  train_fairly(sample, fair_options(sample), {}, execution);
  ASSERT_FALSE(done.empty());
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_GE(done.front(), 0);
  EXPECT_LE(done.back(), 1);
}

}  // namespace
}  // namespace noiseplus
