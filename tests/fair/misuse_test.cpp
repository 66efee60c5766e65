#include "misuse.h"

#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

using namespace testing_support;

const Execution one_thread{1, {}};

TEST(FairMisuse, OfRatesIsRefused) {
  for (const double value : {-.1, 1.1, not_a_number, infinite}) {
    const std::string how = "a rate of " + std::to_string(value);
    refused("noisy_rates", how, [=] { noisy_rates({.5, .5}, value, {}); });
    refused("noisy_rates", "noise, " + how, [=] { noisy_rates({.5, .5}, .5, {value, 0}); });
    refused("clean_rates", how, [=] { clean_rates({.5, .5}, value, {}); });
    refused("clean_rates", "noise, " + how, [=] { clean_rates({.5, .5}, .5, {0, value}); });
    refused("clean_share", how, [=] { clean_share(value, {}); });
    refused("clean_share", "noise, " + how, [=] { clean_share(.5, {value, 0}); });
    const MisjudgedGroup good{{.8, .2}, .1, .2}, wrong{{.8, .2}, value, .2},
        other{{.8, .2}, .1, value};
    refused("correction_error", how, [=] { correction_error(wrong); });
    refused("residual_violation", how, [=] { residual_violation(good, wrong); });
    refused("violation_bound", how, [=] { violation_bound(other, good); });
  }
  const ErrorKind impossible = ErrorKind::impossible;
  refused(
      "clean_share", "noise that adds up to 1",
      [] {
        clean_share(.5, {.5, .5});
      },
      impossible);
  refused(
      "noisy_rates", "no positive labels",
      [] {
        noisy_rates({.5, .5}, 0, {});
      },
      impossible);
  refused(
      "clean_rates", "noise that cannot be",
      [] {
        clean_rates({.5, .5}, .1, {.3, .3});
      },
      impossible);
  refused(
      "correction_error", "noise of one half",
      [] {
        correction_error({{.8, .2}, .5, .2});
      },
      impossible);
  answered("to_string", "a constraint that is none",
           [] { EXPECT_EQ(to_string(static_cast<Constraint>(31)), ""); });
  answered("parse_constraint", "no such name", [] { EXPECT_FALSE(parse_constraint("justice")); });
}

Evaluation some_evaluation() {
  const std::vector<std::int32_t> codes = {0, 0, 1, 1, 0, 0, 1, 1},
                                  groups = {0, 0, 0, 0, 1, 1, 1, 1},
                                  said = {0, 1, 1, 0, 0, 1, 1, 1};
  return evaluate(said, {codes, {"a", "b"}, {"a", "b"}}, 1, {groups, {"g", "h"}, {"g", "h"}});
}

TEST(FairMisuse, OfEvaluationsIsRefused) {
  const std::vector<LabelNoise> noise(2, {.1, .1});
  answered("clean_fairness", "what fits",
           [&] { EXPECT_EQ(clean_fairness(some_evaluation(), noise).groups.size(), 2U); });
  refused("clean_fairness", "an evaluation that nobody filled", [&] { clean_fairness({}, {}); });
  refused("clean_fairness", "noise of one group",
          [&] { clean_fairness(some_evaluation(), std::span(noise).first(1)); });
  const std::vector<std::function<void(Evaluation&)>> changes = {
      [](Evaluation& e) { e.positive = 7; },
      [](Evaluation& e) { e.positive = huge; },
      [](Evaluation& e) { e.groups[1].confusion = {}; },
      [](Evaluation& e) { e.groups[1].confusion.counts.pop_back(); },
      [](Evaluation& e) {
        e.groups[0].confusion.class_rows = {0, 0};
      },
      [](Evaluation& e) {
        e.groups[0].confusion.class_rows = {-1, 5};
      },
      [](Evaluation& e) { e.classes.pop_back(); }};
  for (const auto& change : changes) {
    Evaluation wrong = some_evaluation();
    change(wrong);
    refused("clean_fairness", "an evaluation that does not fit",
            [&] { clean_fairness(wrong, noise); });
  }
  for (const double value : {-.1, 1.1, not_a_number}) {
    const std::vector<LabelNoise> odd(2, {value, .1});
    refused("clean_fairness", "noise of " + std::to_string(value),
            [&] { clean_fairness(some_evaluation(), odd); });
  }
  FairnessMetadata promise;
  promise.groups = {"g", "h"};
  promise.negative_noise = {.1};
  refused("clean_fairness", "a promise that does not fit",
          [&] { clean_fairness(some_evaluation(), noise, promise); });
  answered("clean_fairness", "groups whose rates nobody filled", [&] {
    Evaluation odd = some_evaluation();
    odd.groups[0].tpr.reset();
    promise.negative_noise = promise.positive_noise = {.1, .1};
    EXPECT_EQ(clean_fairness(odd, noise, promise).groups.size(), 2U);
  });
}

TEST(FairMisuse, OfTrainingIsRefused) {
  Matrix matrix(40, 2);
  std::vector<std::int32_t> codes(40), groups(40);
  for (std::size_t n = 0; n < 40; ++n) {
    matrix.row(n)[0] = static_cast<float>(n % 7);
    matrix.row(n)[1] = static_cast<float>(n % 3);
    codes[n] = n % 7 < 3 ? 0 : 1;
    groups[n] = n % 2 == 0 ? 0 : 1;
  }
  FairOptions good;
  good.group_names = {"g", "h"};
  const auto learn = [&](RowsView rows, const GivenLabels& labels,
                         std::span<const std::int32_t> of_groups, const TrainOptions& train,
                         const FairOptions& fair) {
    return [=] { train_fair(rows, labels, of_groups, train, fair, one_thread); };
  };
  const RowsView rows = matrix.view();
  const GivenLabels labels{codes, 2};
  for (const std::int32_t code : wrong_codes) {
    std::vector<std::int32_t> wrong = codes;
    wrong[5] = code;
    refused("train_fair", "a label of " + std::to_string(code), [&] {
      train_fair(rows, {wrong, 2}, groups, {}, good, one_thread);
    });
    refused("train_fair", "a group of " + std::to_string(code),
            [&] { train_fair(rows, labels, wrong, {}, good, one_thread); });
  }
  refused("train_fair", "rows without data",
          learn(MatrixView{nullptr, 40, 2}, labels, groups, {}, good));
  refused("train_fair", "too few groups",
          learn(rows, labels, std::span<const std::int32_t>(groups).first(3), {}, good));
  refused("train_fair", "three classes", learn(rows, {codes, 3}, groups, {}, good));
  const std::vector<std::function<void(FairOptions&)>> changes = {
      [](FairOptions& f) { f.constraint = static_cast<Constraint>(12); },
      [](FairOptions& f) { f.tolerance = not_a_number; },
      [](FairOptions& f) { f.tolerance = -1; },
      [](FairOptions& f) { f.positive = 2; },
      [](FairOptions& f) {
        f.noise = {{.1, .1}};
      },
      [](FairOptions& f) {
        f.noise.assign(2, {not_a_number, .1});
      },
      [](FairOptions& f) {
        f.noise.assign(2, {.6, .6});
      },
      [](FairOptions& f) { f.group_names = {"g"}; },
      [](FairOptions& f) {
        f.group_names = {"g", "h", "empty"};
      },
      [](FairOptions& f) { f.max_rounds = -1; }};
  for (const auto& change : changes) {
    FairOptions wrong = good;
    change(wrong);
    refused("train_fair", "options that do not fit", learn(rows, labels, groups, {}, wrong));
  }
  TrainOptions train;
  train.loss = static_cast<LossKind>(55);
  refused("train_fair", "a loss that is none", learn(rows, labels, groups, train, good));
  train.loss = LossKind::backward;
  refused("train_fair", "backward without a matrix", learn(rows, labels, groups, train, good));
}

}  // namespace
}  // namespace noiseplus
