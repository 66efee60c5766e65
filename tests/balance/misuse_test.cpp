#include "misuse.h"

#include "noiseplus/balance.h"

namespace noiseplus {
namespace {

using namespace testing_support;

const Execution one_thread{1, {}};

TEST(BalanceMisuse, OfPlansIsRefused) {
  refused("FlipPlan::nothing", "no classes", [] { FlipPlan::nothing(0); });
  refused("FlipPlan::nothing", "huge classes", [] { FlipPlan::nothing(huge); });
  refused("FlipPlan::nothing", "classes whose square wraps",
          [] { FlipPlan::nothing(std::size_t{1} << 32); });
  refused("FlipPlan::of_two", "class 7", [] { FlipPlan::of_two(7, .1); });
  refused("FlipPlan::of_two", "class 2", [] { FlipPlan::of_two(2, .1); });
  for (const double epsilon : {-.1, 1.1, not_a_number, infinite}) {
    refused("FlipPlan::of_two", "epsilon " + std::to_string(epsilon),
            [=] { FlipPlan::of_two(1, epsilon); });
  }
  const FlipPlan cut{2, {1, 0, 0}, 1}, none{0, {}, 1}, groupless{2, {1, 0, 0, 1}, 0},
      many{2, {1, 0, 0, 1}, huge / 4 + 2}, good = FlipPlan::nothing(2);
  const std::vector<double> transition = {.9, .1, .2, .8};
  for (const FlipPlan& plan : {cut, none, groupless, many}) {
    refused("FlipPlan::flips_nothing", "sizes that do not fit", [&] { plan.flips_nothing(); });
    refused("FlipPlan::of_group", "sizes that do not fit", [&] { plan.of_group(0); });
    refused("FlipPlan::after", "sizes that do not fit", [&] { plan.after(transition); });
    refused("apply", "a plan whose sizes do not fit", [&] {
      apply(plan, std::vector<std::int32_t>{0, 1}, 0);
    });
    refused("apply", "a plan whose sizes do not fit, with groups", [&] {
      apply(plan, std::vector<std::int32_t>{0, 1}, std::vector<std::int32_t>{0, 1}, 0);
    });
  }
  refused("FlipPlan::of_group", "a group that is not there", [&] { good.of_group(1); });
  refused("FlipPlan::of_group", "a huge group", [&] { good.of_group(huge); });
  refused("FlipPlan::after", "a group that is not there", [&] { good.after(transition, 3); });
  refused("FlipPlan::after", "too small a matrix",
          [&] { good.after(std::span(transition).first(3)); });

  const FlipPlan wild{2, {1, 0, not_a_number, 1}, 1}, sums{2, {.5, .1, 0, 1}, 1};
  for (const FlipPlan& plan : {wild, sums}) {
    refused("apply", "a matrix that is not row-stochastic", [&] {
      apply(plan, std::vector<std::int32_t>{0, 1}, 0);
    });
  }
  FlipPlan two_groups{2, {1, 0, 0, 1, 1, 0, 0, 1}, 2};
  const std::vector<std::int32_t> codes = {0, 1, 1};
  refused("apply", "two groups and no word of them", [&] { apply(two_groups, codes, 0); });
  refused("apply", "too few groups",
          [&] { apply(two_groups, codes, std::vector<std::int32_t>{0}, 0); });
  for (const std::int32_t code : wrong_codes) {
    refused("apply", "a label of " + std::to_string(code), [&] {
      apply(good, std::vector<std::int32_t>{0, code}, 0);
    });
    refused("apply", "a group of " + std::to_string(code), [&] {
      apply(two_groups, codes, std::vector<std::int32_t>{0, code, 1}, 0);
    });
  }
}

TEST(BalanceMisuse, OfClosedFormsIsRefused) {
  refused(
      "closed_form_plan", "an estimate that nobody filled", [] { closed_form_plan({}); },
      ErrorKind::impossible);
  NoiseEstimate two, three;
  two.noise.resize(2);
  three.noise.resize(3);
  for (const double s : {not_a_number, infinite}) {
    two.s = s;
    refused("closed_form_plan", "s that is no number", [&] { closed_form_plan(two); });
  }
  refused("closed_form_plan", "three classes without a matrix", [&] { closed_form_plan(three); });
  const std::vector<double> good = {.9, .1, .2, .8};
  const auto plan = [](std::vector<double> transition, std::size_t classes) {
    return [=] { equal_classes_plan(transition, classes); };
  };
  refused("equal_classes_plan", "too small a matrix", plan({.9, .1, .2}, 2));
  refused("equal_classes_plan", "no matrix", plan({}, 2));
  refused("equal_classes_plan", "one class", plan({1}, 1), ErrorKind::impossible);
  refused("equal_classes_plan", "no classes", plan({}, 0), ErrorKind::impossible);
  refused("equal_classes_plan", "classes whose square wraps", plan({}, std::size_t{1} << 32));
  for (const double value : {not_a_number, -.5, 2., infinite}) {
    refused("equal_classes_plan", "an entry of " + std::to_string(value),
            plan({.9, value, .2, .8}, 2));
    refused("equal_groups_plan", "a rate of " + std::to_string(value), [=] {
      equal_groups_plan(std::vector<double>{.1, value}, 2);
    });
    refused("equal_classes_in_groups_plan", "an entry of " + std::to_string(value), [=] {
      equal_classes_in_groups_plan(std::vector<double>{.9, value, .2, .8}, 2);
    });
  }
  refused("equal_classes_plan", "rows that add up to more than 1", plan({.6, .6, .6, .6}, 2));
  refused("equal_classes_plan", "rows that add up to less than 1", plan({.6, .2, .2, .6}, 2));
  refused("equal_classes_in_groups_plan", "rows that do not add up to 1", [] {
    equal_classes_in_groups_plan(std::vector<double>{.9, .1, .2, .8, .6, .6, .6, .6}, 2);
  });
  // A little more than half each, and within rounding of a row of one label for all.
  refused("equal_classes_plan", "a matrix that cannot be inverted",
          plan({.5000001, .5000001, .5000001, .5000001}, 2), ErrorKind::impossible);
  refused("equal_groups_plan", "no groups", [] { equal_groups_plan({}, 2); });
  refused(
      "equal_groups_plan", "one class", [] { equal_groups_plan(std::vector<double>{.1}, 1); },
      ErrorKind::impossible);
  refused("equal_groups_plan", "huge classes", [] {
    equal_groups_plan(std::vector<double>{.1, .2}, huge);
  });
  refused("equal_classes_in_groups_plan", "half a matrix", [] {
    equal_classes_in_groups_plan(std::vector<double>{.9, .1, .2, .8, .9, .1}, 2);
  });
  refused("equal_classes_in_groups_plan", "no groups", [] { equal_classes_in_groups_plan({}, 2); });
  refused("equal_classes_in_groups_plan", "classes whose square wraps",
          [] { equal_classes_in_groups_plan({}, std::size_t{1} << 32); });
}

TEST(BalanceMisuse, OfSearchesIsRefused) {
  const AgreementGap gap = [](int, double epsilon) { return .2 - epsilon; };
  const PartAgreements agreements = [](std::span<const double>) { return std::vector{.5, .6}; };
  const std::vector<std::string> names = {"a", "b"};
  refused("search_flip", "no function", [] { search_flip({}); });
  refused("search_flips", "no function", [&] { search_flips({}, names); });
  refused("search_flips", "an agreement too few",
          [&] { search_flips([](std::span<const double>) { return std::vector{.5}; }, names); });
  const PaperOptions odd[] = {{.gamma = not_a_number}, {.gamma = -1},
                              {.first_right = 7},      {.first_right = not_a_number},
                              {.other_right = {-1}},   {.max_steps = -1}};
  for (const PaperOptions& options : odd) {
    refused("search_flip", "options out of range", [&] { search_flip(gap, options); });
    refused("search_flips", "options out of range",
            [&] { search_flips(agreements, names, options); });
  }
  answered("search_flips", "no parts", [] {
    EXPECT_FALSE(
        search_flips([](std::span<const double>) { return std::vector<double>(); }, {}).successful);
  });
  answered("PaperParts::epsilons", "no parts",
           [] { EXPECT_TRUE(PaperParts().epsilons().empty()); });
  answered("search_flip", "a gap that is never a number",
           [] { EXPECT_FALSE(search_flip([](int, double) { return not_a_number; }).successful); });
}

// Twenty rows of two classes and two groups; each test breaks one thing.
struct PaperMisuse : testing::Test {
  PaperMisuse() : matrix(20, 2), codes(20), groups(20) {
    for (std::size_t n = 0; n < 20; ++n) {
      matrix.row(n)[0] = static_cast<float>(n * 7 % 20);
      matrix.row(n)[1] = static_cast<float>(n);
      codes[n] = n % 2 == 0 ? 0 : 1;
      groups[n] = n < 10 ? 0 : 1;
    }
    graph = find_neighbors(matrix.view(), {.k = 10}, one_thread);
  }

  using Call = std::function<void(RowsView, const NeighborGraph&, std::span<const std::int32_t>,
                                  PaperSearch)>;
  void refuse_all(const std::string& call, bool checks_codes, const Call& act) const {
    const RowsView rows = matrix.view();
    refused(call, "too few labels", [&] { act(rows, graph, std::span(codes).first(9), {}); });
    refused(call, "rows without data", [&] { act(MatrixView{nullptr, 20, 2}, graph, codes, {}); });
    refused(call, "a graph that nobody filled", [&] { act(rows, {}, codes, {}); });
    NeighborGraph wrong = graph;
    wrong.ids[9] = 20;
    refused(call, "an id beyond the rows", [&] { act(rows, wrong, codes, {}); });
    wrong = graph;
    wrong.anchors[3] = 99;
    refused(call, "an anchor beyond the rows", [&] { act(rows, wrong, codes, {}); });
    refused(call, "a variant that is none",
            [&] { act(rows, graph, codes, {.variant = static_cast<PaperVariant>(6)}); });
    refused(call, "a metric that is none",
            [&] { act(rows, graph, codes, {.metric = static_cast<Metric>(6)}); });
    for (const std::int32_t code : wrong_codes) {
      if (!checks_codes) break;
      std::vector<std::int32_t> odd = codes;
      odd[4] = code;
      refused(call, "a label of " + std::to_string(code), [&] { act(rows, graph, odd, {}); });
    }
  }

  Matrix matrix;
  std::vector<std::int32_t> codes, groups;
  NeighborGraph graph;
  const std::vector<std::string> names = {"a", "b"};
};

TEST_F(PaperMisuse, IsRefused) {
  refuse_all("agreement_gap", false,
             [](RowsView rows, const NeighborGraph& of, std::span<const std::int32_t> labels,
                const PaperSearch& search) {
               agreement_gap(rows, of, labels, 1, search.variant, 0, search.metric, one_thread)(1,
                                                                                                0);
             });
  refuse_all("paper_classes_plan", true,
             [&](RowsView rows, const NeighborGraph& of, std::span<const std::int32_t> labels,
                 const PaperSearch& search) {
               paper_classes_plan(rows, of, labels, names, search, one_thread);
             });
  refuse_all("paper_groups_plan", true,
             [&](RowsView rows, const NeighborGraph& of, std::span<const std::int32_t> labels,
                 const PaperSearch& search) {
               paper_groups_plan(rows, of, labels, names, groups, names, {}, search, one_thread);
             });
  const AgreementGap gap = agreement_gap(matrix.view(), graph, codes, 1, PaperVariant::original, 0,
                                         Metric::euclidean, one_thread);
  refused("agreement_gap", "the flip of class 7", [&] { gap(7, .1); });
  refused("agreement_gap", "a flip of NaN", [&] { gap(1, not_a_number); });
  const auto by_groups = [&](std::span<const std::int32_t> of_rows,
                             std::optional<std::int32_t> positive) {
    paper_groups_plan(matrix.view(), graph, codes, names, of_rows, names, positive, {}, one_thread);
  };
  refused("paper_groups_plan", "too few groups",
          [&] { by_groups(std::span(groups).first(3), {}); });
  for (const std::int32_t code : wrong_codes) {
    std::vector<std::int32_t> odd = groups;
    odd[6] = code;
    refused("paper_groups_plan", "a group of " + std::to_string(code), [&] { by_groups(odd, {}); });
    refused("paper_groups_plan", "positive is " + std::to_string(code),
            [&] { by_groups(groups, code); });
  }
  refused(
      "paper_classes_plan", "no names",
      [&] { paper_classes_plan(matrix.view(), graph, codes, {}, {}, one_thread); },
      ErrorKind::impossible);
  refused("paper_classes_plan", "gamma is NaN", [&] {
    PaperSearch search;
    search.options.gamma = not_a_number;
    paper_classes_plan(matrix.view(), graph, codes, names, search, one_thread);
  });
  for (const std::int32_t code : {2, 2000000000}) {
    refused("balanced_sample", "a label of " + std::to_string(code), [=] {
      balanced_sample(std::vector<std::int32_t>{0, 1, code}, 0);
    });
  }
  refused("balanced_sample", "no classes",
          [] { balanced_sample(std::vector<std::int32_t>{0}, 0, 0); });
  refused("balanced_sample", "huge classes",
          [] { balanced_sample(std::vector<std::int32_t>{0}, 0, huge); });
  answered("balanced_sample", "rows that are left out", [] {
    EXPECT_EQ(balanced_sample(std::vector<std::int32_t>{0, 1, -1}, 0),
              (std::vector<char>{1, 1, 0}));
  });
}

}  // namespace
}  // namespace noiseplus
