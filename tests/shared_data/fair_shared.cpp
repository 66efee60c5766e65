// Equalized odds on clean test rows, of models trained on labels of unequally noisy groups.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "experiments/methods/fair_case.h"
#include "experiments/results/spread.h"
#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

using Rates = std::vector<double>;

const std::vector<Rates> table_settings = {{.1, .3}, {.2, .3}, {.2, .4}, {.3, .4}};
const std::vector<Rates> face_settings = {{.2, .4}, {.1, .3}, {0, .2}, {0, .1}, {.2, .3}};

std::vector<FairSet> splits_of(const RealSet& all, std::uint64_t seeds) {
  std::vector<FairSet> sets;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    sets.push_back(fair_set(split_at_random(all, seed), seed));
  }
  return sets;
}

// Its test rows are others than its training rows for good.
std::vector<FairSet> faces() {
  return {fair_set(fair_face_white_or_not(), 0)};
}

// ---------------------------------------------------------------------------------------- table

constexpr std::uint64_t seeds_of_table = 5;

struct Column {
  FairMethod method;
  const char* name;
  CountedRows rows = CountedRows::unseen;
};

constexpr Column columns[] = {
    {FairMethod::free, "no constraint"},
    {FairMethod::lr, "lr"},
    {FairMethod::group_peer, "gpl"},
    {FairMethod::balanced, "balanced-lr"},
    {FairMethod::balanced_plain, "balanced-lr, plain"},
    {FairMethod::balanced_peer, "balanced-peer"},
    {FairMethod::balanced_truth, "balanced-lr, true rates"},
    {FairMethod::noise_aware, "noise-aware-lr"},
    {FairMethod::noise_aware_estimate, "noise-aware-lr, estimated"},
    {FairMethod::lr, "lr, own rows", CountedRows::own},
    {FairMethod::balanced, "balanced-lr, own rows", CountedRows::own},
    {FairMethod::noise_aware, "noise-aware-lr, own rows", CountedRows::own}};
constexpr std::size_t balanced_column = 3, noise_aware_column = 7;

// Of several draws, in per cent.
class Sample {
 public:
  void add(double share) { values_.values.push_back(100 * share); }
  std::size_t size() const { return values_.values.size(); }

  double mean() const { return values_.mean(); }

  std::string text() const {
    if (size() == 0) return "-";
    char text[64];
    std::snprintf(text, sizeof text, "%.1f ± %.1f", mean(), values_.deviation());
    return text;
  }

 private:
  Spread values_;
};

struct Cell {
  Sample accuracy, violation, spread;
  std::size_t by_clean_labels = 0;
};

struct Row {
  Rates rates;
  std::vector<Cell> cells = std::vector<Cell>(std::size(columns));
  std::vector<Sample> estimates;   // of each group
  std::vector<std::size_t> known;  // in how many draws its noise was identified
};

Row run_setting(const std::vector<FairSet>& sets, const Rates& rates, std::uint64_t seeds) {
  Row row;
  row.rates = rates;
  row.estimates.resize(rates.size());
  row.known.resize(rates.size());
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    FairCase draw(sets[seed % sets.size()], rates, seed);
    for (std::size_t c = 0; c < std::size(columns); ++c) {
      const std::optional<FairResult> result = draw.run(columns[c].method, columns[c].rows);
      if (!result) continue;
      row.cells[c].accuracy.add(result->accuracy);
      row.cells[c].violation.add(result->violation);
      row.cells[c].spread.add(result->spread);
      row.cells[c].by_clean_labels += result->by_clean_labels ? 1 : 0;
    }
    for (std::size_t z = 0; z < rates.size(); ++z) {
      const GroupNoise& group = draw.balanced().groups[z];
      row.estimates[z].add(group.rate.value);
      row.known[z] += group.known() ? 1 : 0;
    }
  }
  return row;
}

void print_cells(const std::vector<Row>& rows, const char* what, Sample Cell::*part) {
  std::printf("\n%s:\n\n| e_a / e_b |", what);
  for (const Column& column : columns) std::printf(" %s |", column.name);
  std::printf("\n|---|");
  for (std::size_t c = 0; c < std::size(columns); ++c) std::printf("---|");
  for (const Row& row : rows) {
    std::printf("\n| %.1f / %.1f |", row.rates[0], row.rates[1]);
    for (const Cell& cell : row.cells) {
      std::printf(" %s |", (cell.*part).text().c_str());
    }
  }
  std::printf("\n");
}

void print_estimates(const std::vector<Row>& rows, std::size_t seeds) {
  std::printf(
      "\n| e_a / e_b | estimate of a, %% | known | of b | known | balanced-lr judged by clean "
      "labels | its spread, points | spread of noise-aware-lr "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (const Row& row : rows) {
    std::printf("| %.1f / %.1f |", row.rates[0], row.rates[1]);
    for (std::size_t z = 0; z < 2; ++z) {
      std::printf(" %s | %zu of %zu |", row.estimates[z].text().c_str(), row.known[z], seeds);
    }
    const Cell& balanced = row.cells[balanced_column];
    std::printf(" %zu of %zu | %s | %s |\n", balanced.by_clean_labels, seeds,
                balanced.spread.text().c_str(),
                row.cells[noise_aware_column].spread.text().c_str());
  }
}

void print_references(const std::vector<FairSet>& sets) {
  Cell free, fair;
  for (const FairSet& set : sets) {
    const FairResult without = without_constraint(set, set.rows.training.clean);
    const FairResult with = with_constraint(set, set.rows.training.clean);
    free.accuracy.add(without.accuracy);
    free.violation.add(without.violation);
    fair.accuracy.add(with.accuracy);
    fair.violation.add(with.violation);
  }
  std::printf(
      "Clean labels: without a constraint accuracy %s, violation %s; with it accuracy %s, "
      "violation %s.\n",
      free.accuracy.text().c_str(), free.violation.text().c_str(), fair.accuracy.text().c_str(),
      fair.violation.text().c_str());
}

void print_table(const std::vector<FairSet>& sets, const std::vector<Rates>& settings) {
  const RealSet& training = sets[0].rows.training;
  std::printf("\n### %s (a = %s, b = %s)\n\n", training.name.c_str(),
              training.group_names[0].c_str(), training.group_names[1].c_str());
  print_references(sets);
  std::vector<Row> rows;
  for (const Rates& rates : settings) rows.push_back(run_setting(sets, rates, seeds_of_table));
  rows.push_back(run_setting(sets, {.4, .2}, seeds_of_table));  // the order turned around
  print_cells(rows, "Violation, points", &Cell::violation);
  print_cells(rows, "Accuracy, %", &Cell::accuracy);
  print_estimates(rows, seeds_of_table);
  std::fflush(stdout);
}

TEST(FairTable, DISABLED_AdultInEqualCells) {
  print_table(splits_of(adult_by_sex_in_equal_cells(), seeds_of_table), table_settings);
}

TEST(FairTable, DISABLED_Adult) {
  print_table(splits_of(adult_by_sex(), seeds_of_table), table_settings);
}

TEST(FairTable, DISABLED_Compas) {
  print_table(splits_of(compas_by_race(), seeds_of_table), table_settings);
}

TEST(FairTable, DISABLED_FairFace) {
  print_table(faces(), face_settings);
}

// ----------------------------------------------------------------------------------------- checks

// Means over settings and draws.
Cell mean_of(FairMethod method, const std::vector<FairSet>& sets,
             const std::vector<Rates>& settings, std::uint64_t seeds) {
  Cell cell;
  for (const Rates& rates : settings) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const std::optional<FairResult> result =
          FairCase(sets[seed % sets.size()], rates, seed).run(method);
      if (!result) continue;
      cell.accuracy.add(result->accuracy);
      cell.violation.add(result->violation);
    }
  }
  EXPECT_EQ(cell.accuracy.size(), settings.size() * seeds);
  std::printf("%s: accuracy %s, violation %s\n", columns[static_cast<int>(method)].name,
              cell.accuracy.text().c_str(), cell.violation.text().c_str());
  std::fflush(stdout);
  return cell;
}

TEST(Fair, BalancingHelpsOnFaces) {
  const std::vector<FairSet> sets = faces();
  const Cell plain = mean_of(FairMethod::lr, sets, face_settings, 1);
  const Cell balanced = mean_of(FairMethod::balanced, sets, face_settings, 1);
  EXPECT_LT(balanced.violation.mean(), .6 * plain.violation.mean());
  EXPECT_GT(balanced.accuracy.mean(), plain.accuracy.mean() + 5);
}

TEST(Fair, ReckoningWithNoiseHelpsOnAdult) {
  const std::vector<FairSet> sets = splits_of(adult_by_sex(), 1);
  const Cell plain = mean_of(FairMethod::lr, sets, table_settings, 1);
  const Cell aware = mean_of(FairMethod::noise_aware, sets, table_settings, 1);
  const Cell balanced = mean_of(FairMethod::balanced, sets, table_settings, 1);
  EXPECT_LT(aware.violation.mean(), plain.violation.mean());
  EXPECT_LT(balanced.violation.mean(), plain.violation.mean());
}

// 7,076 rows, the rates of all methods counted on rows unseen. By violation balancing and lr are
// not told apart here, not by twenty draws.
TEST(Fair, BalancingKeepsAccuracyInEqualCells) {
  const std::vector<FairSet> sets = splits_of(adult_by_sex_in_equal_cells(), 3);
  const Cell free = mean_of(FairMethod::free, sets, table_settings, 3);
  const Cell plain = mean_of(FairMethod::lr, sets, table_settings, 3);
  const Cell balanced = mean_of(FairMethod::balanced, sets, table_settings, 3);
  EXPECT_LT(balanced.violation.mean(), plain.violation.mean() + 2);
  EXPECT_LT(balanced.violation.mean(), .7 * free.violation.mean());
  EXPECT_GT(balanced.accuracy.mean(), plain.accuracy.mean() + 2);
}

// The methods here share neighbors and estimates, and draw the flips; train_model finds its own,
// and counts the flips in expectation.
TEST(Fair, OneCommandDoesMuchTheSame) {
  const std::vector<FairSet> sets = splits_of(adult_by_sex_in_equal_cells(), 1);
  const Split& split = sets[0].rows;
  const Rates rates = {.1, .3};
  TrainModelOptions options;
  options.balance = options.force = true;
  options.scope = "group";
  options.fair = Constraint::equalized_odds;
  const TrainModelResult trained = train_model(
      make_dataset(split.training, with_group_noise(split.training, rates, 0)), options);
  const Matrix answers = probabilities(trained.saved, split.test.rows.view());
  const RealSet& test = split.test;
  const Evaluation found = evaluate(answers.view(), {test.clean, test.classes, {}},
                                    trained.saved.positive, {test.groups, test.group_names, {}});
  const FairResult here = *FairCase(sets[0], rates, 0).run(FairMethod::balanced);
  std::printf("one command: accuracy %.3f (here %.3f), violation %.3f (here %.3f)\n",
              found.all.accuracy.value, here.accuracy, found.equalized_odds_violation->value,
              here.violation);
  EXPECT_NEAR(found.all.accuracy.value, here.accuracy, .03);
  EXPECT_NEAR(found.equalized_odds_violation->value, here.violation, .06);
}

}  // namespace
}  // namespace noiseplus
