#include "fair/cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fair/fair_support.h"

namespace noiseplus {
namespace {

using testing_support::expect_error;

constexpr double tiny = 1e-12;
const std::vector<std::string> class_names = {"no", "yes"};

// Two groups whose cells hold so many rows, of which so many are called positive.
const std::vector<std::int64_t> cell_rows = {60, 40, 150, 250};
const PositiveCounts called = {12, 30, 60, 200};

// Rows with the labels and the answers of these counts.
struct Rows {
  std::vector<std::int32_t> codes, groups, answers;

  Rows(const std::vector<std::int64_t>& of_cells, const PositiveCounts& positive,
       std::int32_t positive_code = 1) {
    for (std::size_t cell = 0; cell < of_cells.size(); ++cell) {
      for (std::int64_t n = 0; n < of_cells[cell]; ++n) {
        codes.push_back(cell % 2 == 1 ? positive_code : 1 - positive_code);
        groups.push_back(static_cast<std::int32_t>(cell / 2));
        answers.push_back(n < positive[cell] ? positive_code : 1 - positive_code);
      }
    }
  }

  Cells cells(std::size_t positive = 1) const { return {codes, positive, groups, 2}; }
};

FairOptions options_of(Constraint constraint, std::vector<LabelNoise> noise = {}) {
  FairOptions options;
  options.constraint = constraint;
  options.noise = std::move(noise);
  options.group_names = {"left", "right"};
  return options;
}

double share(double part, double whole) {
  return part / whole;
}

TEST(Cells, CountRowsByLabelAndGroup) {
  for (const std::int32_t positive : {0, 1}) {
    const Rows rows(cell_rows, called, positive);
    const auto code = static_cast<std::size_t>(positive);
    const Cells cells = rows.cells(code);
    EXPECT_EQ(cells.rows, cell_rows);
    EXPECT_EQ(cells.rows_of_group(0), 100);
    EXPECT_EQ(cells.rows_of_group(1), 400);
    EXPECT_EQ(count_positive(cells, rows.answers, code), called);
  }
}

TEST(Cells, RatesOfGivenLabelsAreCountedOnes) {
  const Cells cells = Rows(cell_rows, called).cells();
  const auto expect_rates = [&](Constraint constraint, std::vector<std::vector<double>> expected,
                                const std::vector<double>& of_all) {
    const auto rates = compared_rates(cells, options_of(constraint), class_names);
    ASSERT_EQ(rates.size(), expected.size());
    for (std::size_t r = 0; r < rates.size(); ++r) {
      const std::vector<double> values = rates[r].values(called);
      for (std::size_t z = 0; z < 2; ++z) EXPECT_NEAR(values[z], expected[r][z], tiny);
      EXPECT_NEAR(rates[r].of_all(values), of_all[r], tiny) << rates[r].name;
    }
  };
  const std::vector<double> tpr = {30. / 40, 200. / 250}, fpr = {12. / 60, 60. / 150};
  expect_rates(Constraint::equalized_odds, {tpr, fpr}, {230. / 290, 72. / 210});
  expect_rates(Constraint::equal_opportunity, {tpr}, {230. / 290});
  expect_rates(Constraint::fpr_parity, {fpr}, {72. / 210});
  expect_rates(Constraint::demographic_parity, {{42. / 100, 260. / 400}}, {302. / 500});
  expect_rates(Constraint::error_parity, {{22. / 100, 110. / 400}}, {132. / 500});
}

TEST(Cells, RatesOfCleanLabelsAreTheGeneralForm) {
  const std::vector<LabelNoise> noise = {{.1, .2}, {.3, .05}};
  const Cells cells = Rows(cell_rows, called).cells();
  const FairOptions odds = options_of(Constraint::equalized_odds, noise);
  const auto rates = compared_rates(cells, odds, class_names);
  const auto error =
      compared_rates(cells, options_of(Constraint::error_parity, noise), class_names);
  double positives = 0, of_all = 0;
  for (std::size_t z = 0; z < 2; ++z) {
    const double q = share(static_cast<double>(cell_rows[2 * z + 1]),
                           static_cast<double>(cells.rows_of_group(z)));
    const PositiveRates noisy = {
        share(static_cast<double>(called[2 * z + 1]), static_cast<double>(cell_rows[2 * z + 1])),
        share(static_cast<double>(called[2 * z]), static_cast<double>(cell_rows[2 * z]))};
    const PositiveRates clean = clean_rates(noisy, q, noise[z]);
    EXPECT_NEAR(rates[0].values(called)[z], clean.tpr, tiny);
    EXPECT_NEAR(rates[1].values(called)[z], clean.fpr, tiny);
    const double p = (q - noise[z].negative) / (1 - noise[z].negative - noise[z].positive);
    EXPECT_NEAR(error[0].values(called)[z], p * (1 - clean.tpr) + (1 - p) * clean.fpr, tiny);
    const double clean_positives = p * static_cast<double>(cells.rows_of_group(z));
    positives += clean_positives;
    of_all += clean_positives * clean.tpr;
  }
  EXPECT_NEAR(rates[0].of_all(rates[0].values(called)), of_all / positives, tiny);
}

TEST(Cells, DemographicParityDoesNotAskForNoise) {
  const Cells cells = Rows(cell_rows, called).cells();
  const FairOptions options = options_of(Constraint::demographic_parity, {{.9, 0}, {0, .9}});
  EXPECT_NEAR(compared_rates(cells, options, class_names)[0].values(called)[0], .42, tiny);
}

// What the excesses cost at these prices changes by the price of the row.
TEST(Cells, ThePriceOfARowIsWhatItChanges) {
  const Cells cells = Rows(cell_rows, called).cells();
  const std::vector<double> prices = {.7, -.2};
  for (const Constraint constraint :
       {Constraint::equalized_odds, Constraint::demographic_parity, Constraint::error_parity}) {
    const FairOptions options = options_of(constraint, {{.1, .2}, {.3, .05}});
    for (const ComparedRate& rate : compared_rates(cells, options, class_names)) {
      const auto cost = [&](const PositiveCounts& counts) {
        const std::vector<double> values = rate.values(counts);
        double sum = 0;
        for (std::size_t z = 0; z < 2; ++z) sum += prices[z] * (values[z] - rate.of_all(values));
        return sum;
      };
      const std::vector<double> found = rate.prices_of_rows(prices);
      ASSERT_EQ(found.size(), 4U);
      for (std::size_t cell = 0; cell < 4; ++cell) {
        PositiveCounts more = called;
        ++more[cell];
        EXPECT_NEAR(found[cell], cost(more) - cost(called), tiny) << rate.name;
      }
    }
  }
}

// Rows of a group, drawn again and again: each is labeled and called as the shares say.
double simulated_spread(const FairOptions& options, std::size_t rate) {
  constexpr int draws = 8000;
  std::mt19937_64 random(5);
  const auto draw = [&](std::int64_t of, double chance) {
    return std::binomial_distribution<std::int64_t>(of, chance)(random);
  };
  const auto rows = static_cast<double>(cell_rows[2] + cell_rows[3]);
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    std::vector<std::int64_t> of_cells = cell_rows;
    of_cells[3] = draw(cell_rows[2] + cell_rows[3], static_cast<double>(cell_rows[3]) / rows);
    of_cells[2] = cell_rows[2] + cell_rows[3] - of_cells[3];
    PositiveCounts counts = called;
    for (const std::size_t cell : {2U, 3U}) {
      counts[cell] = draw(of_cells[cell], share(static_cast<double>(called[cell]),
                                                static_cast<double>(cell_rows[cell])));
    }
    Cells cells = Rows({1, 1, 1, 1}, {0, 0, 0, 0}).cells();
    cells.rows = of_cells;
    const double value = compared_rates(cells, options, class_names)[rate].values(counts)[1];
    sum += value;
    squares += value * value;
  }
  return std::sqrt(squares / draws - sum / draws * sum / draws);
}

TEST(Cells, TheSpreadIsThatOfDrawingRowsAgain) {
  const Cells cells = Rows(cell_rows, called).cells();
  const std::vector<double> counts(called.begin(), called.end());
  for (const std::vector<LabelNoise>& noise :
       {std::vector<LabelNoise>{}, std::vector<LabelNoise>{{0, 0}, {.15, .1}}}) {
    for (const Constraint constraint :
         {Constraint::equalized_odds, Constraint::demographic_parity, Constraint::error_parity}) {
      const FairOptions options = options_of(constraint, noise);
      const auto rates = compared_rates(cells, options, class_names);
      for (std::size_t r = 0; r < rates.size(); ++r) {
        const double expected = simulated_spread(options, r);
        EXPECT_NEAR(spread_of(cells, options, rates[r].name, 1, counts) / expected, 1, .05)
            << rates[r].name << (noise.empty() ? "" : " with noise");
      }
    }
  }
}

TEST(Cells, AGroupWithoutSuchRowsHasNoSuchRate) {
  const auto rates = [](const std::vector<std::int64_t>& of_cells, Constraint constraint) {
    return [=] {
      return compared_rates(Rows(of_cells, {0, 0, 0, 0}).cells(), options_of(constraint),
                            class_names);
    };
  };
  const std::vector<std::int64_t> no_positives = {5, 5, 5, 0}, no_negatives = {0, 5, 5, 5};
  expect_error(ErrorKind::impossible, "group 'right' has no row labeled 'yes'",
               rates(no_positives, Constraint::equal_opportunity));
  expect_error(ErrorKind::impossible, "group 'left' has no row labeled 'no'",
               rates(no_negatives, Constraint::equalized_odds));
  expect_error(ErrorKind::impossible, "group 'left' has no row labeled 'no'",
               rates(no_negatives, Constraint::fpr_parity));
  EXPECT_NO_THROW(rates(no_positives, Constraint::fpr_parity)());
  EXPECT_NO_THROW(rates(no_negatives, Constraint::equal_opportunity)());
  EXPECT_NO_THROW(rates(no_positives, Constraint::demographic_parity)());
}

TEST(Cells, ErrorsOfAGroupOfOneClassAreCountedToo) {
  const PositiveCounts counts = {1, 4, 2, 0};
  const Cells cells = Rows({5, 5, 5, 0}, counts).cells();
  const FairOptions options = options_of(Constraint::error_parity);
  const std::vector<double> errors = compared_rates(cells, options, class_names)[0].values(counts);
  EXPECT_NEAR(errors[0], .2, tiny);
  EXPECT_NEAR(errors[1], .4, tiny);
  const std::vector<double> expected(counts.begin(), counts.end());
  EXPECT_NEAR(spread_of(cells, options, "error", 1, expected), std::sqrt(.4 * .6 / 5), tiny);
}

TEST(Cells, NoiseThatCannotBeThatOfTheLabels) {
  const Cells cells = Rows(cell_rows, called).cells();  // q: .4 and .625
  const auto rates = [&](LabelNoise left, LabelNoise right) {
    return [=, &cells] {
      return compared_rates(cells, options_of(Constraint::equalized_odds, {left, right}),
                            class_names);
    };
  };
  expect_error(ErrorKind::impossible, "group 'left': 0.4 of its labels are 'yes'",
               rates({.4, 0}, {0, 0}));
  expect_error(ErrorKind::impossible, "noise of rate 0.45", rates({.45, 0}, {0, 0}));
  expect_error(ErrorKind::impossible, "group 'right': 0.375 of its labels are 'no'",
               rates({0, 0}, {0, .375}));
  EXPECT_NO_THROW(rates({.39, .59}, {.62, .37})());
}

// Names are for messages, and a caller of the library may have none.
TEST(Cells, ClassesWithoutNamesAreNamedByNumber) {
  const auto rates = [](const std::vector<std::int64_t>& of_cells, std::vector<LabelNoise> noise) {
    return [=] {
      return compared_rates(Rows(of_cells, {0, 0, 0, 0}).cells(),
                            options_of(Constraint::equalized_odds, noise), {});
    };
  };
  expect_error(ErrorKind::impossible, "no row labeled '1'", rates({5, 5, 5, 0}, {}));
  expect_error(ErrorKind::impossible, "labels are '0'", rates({5, 5, 5, 5}, {{0, .5}, {0, 0}}));
}

}  // namespace
}  // namespace noiseplus
