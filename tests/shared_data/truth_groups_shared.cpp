// What an audit with groups says, against the truth, as truth_shared.cpp does of classes. Four
// kinds of rates: the share of wrong labels of a group; a class's rate inside a group, which is
// also compared between groups and with that of the other class; and a class's rate in the whole
// table, where noise may depend on the group.
#include "noiseplus/report.h"
#include "shared_data/truth_score.h"

namespace noiseplus {
namespace {

enum class GroupNoiseKind { by_class, by_group, by_both, equal };

GroupNoiseKind kind_of(int position, Settings which) {
  return which == Settings::equal ? GroupNoiseKind::equal
                                  : static_cast<GroupNoiseKind>(position % 4);
}

// The rates of each class in each group.
std::vector<TwoRates> group_setting(std::uint64_t seed, GroupNoiseKind kind, std::size_t groups) {
  std::vector<TwoRates> rates(groups);
  const TwoRates of_classes{.35 * draw(seed, 100), .35 * draw(seed, 101)};
  for (std::size_t g = 0; g < groups; ++g) {
    const double own = .35 * draw(seed, 200 + g);
    switch (kind) {
      case GroupNoiseKind::by_class:
        rates[g] = of_classes;
        break;
      case GroupNoiseKind::by_group:
        rates[g] = {own, own};
        break;
      case GroupNoiseKind::by_both:
        rates[g] = {.5 * own + .5 * of_classes.negative, .5 * own + .5 * of_classes.positive};
        break;
      case GroupNoiseKind::equal:
        rates[g] = {of_classes.negative, of_classes.negative};
        break;
    }
  }
  return rates;
}

std::vector<std::int32_t> with_cell_noise(const RealSet& set, const std::vector<TwoRates>& rates,
                                          std::uint64_t seed) {
  std::vector<std::int32_t> noisy = set.clean;
  for (std::size_t n = 0; n < noisy.size(); ++n) {
    const TwoRates& own = rates[static_cast<std::size_t>(set.groups[n])];
    const double rate = noisy[n] == 1 ? own.positive : own.negative;
    if (uniform(seed, Stream::corrupt, n) < rate) noisy[n] = 1 - noisy[n];
  }
  return noisy;
}

// Of one group: the share of its labels that are wrong, and that of each clean class.
struct GroupTruth {
  double wrong = 0;
  std::vector<double> classes;
};

std::vector<GroupTruth> truth_of(const RealSet& set, const std::vector<std::int32_t>& noisy) {
  std::vector<GroupTruth> truth;
  for (std::size_t g = 0; g < set.group_names.size(); ++g) {
    std::vector<std::int32_t> clean, given;
    for (std::size_t n = 0; n < noisy.size(); ++n) {
      if (set.groups[n] != static_cast<std::int32_t>(g)) continue;
      clean.push_back(set.clean[n]);
      given.push_back(noisy[n]);
    }
    double wrong = 0;
    for (std::size_t n = 0; n < clean.size(); ++n) wrong += clean[n] != given[n] ? 1 : 0;
    truth.push_back({wrong / static_cast<double>(clean.size()), true_rates(clean, given, 2)});
  }
  return truth;
}

struct GroupScores {
  Score groups, same_class, classes, cells;

  void print(const std::string& name, int settings) const {
    groups.print(name, settings);
    same_class.print(name + ", same class", settings);
    cells.print(name + ", class in group", settings);
    classes.print(name + ", class", settings);
  }

  void check(const std::string& name) const {
    groups.check(name);
    same_class.check(name + ", same class");
    cells.check(name + ", class in group");
    classes.check(name + ", class");
  }

  void add(const GroupScores& other) {
    groups.add(other.groups);
    same_class.add(other.same_class);
    cells.add(other.cells);
    classes.add(other.classes);
  }
};

void score_groups_of(const AuditReport& report, const std::vector<GroupTruth>& truth,
                     GroupNoiseKind kind, GroupScores& scores) {
  for (std::size_t g = 0; g < truth.size(); ++g) {
    scores.groups.add(report.groups[g].rate, truth[g].wrong, report.groups[g].known());
  }
  if (kind == GroupNoiseKind::equal) {
    scores.groups.add_equal(report.comparison.noisier >= 0);
  } else {
    for (const ClassPair& pair : report.comparison.claims) {
      scores.groups.add_claim(truth[static_cast<std::size_t>(pair.noisier)].wrong,
                              truth[static_cast<std::size_t>(pair.cleaner)].wrong);
    }
  }
  if (kind == GroupNoiseKind::equal || kind == GroupNoiseKind::by_class) {
    scores.same_class.add_equal(!report.comparison.class_claims.empty());
    return;
  }
  for (const ClassGroupsClaim& claim : report.comparison.class_claims) {
    const auto c = static_cast<std::size_t>(claim.label);
    scores.same_class.add_claim(truth[static_cast<std::size_t>(claim.noisier)].classes[c],
                                truth[static_cast<std::size_t>(claim.cleaner)].classes[c]);
  }
}

void score_cells_of(const AuditReport& report, const std::vector<GroupTruth>& truth,
                    GroupNoiseKind kind, Score& score) {
  bool has_claim = false;
  for (std::size_t g = 0; g < truth.size(); ++g) {
    const GroupNoise& group = report.groups[g];
    for (std::size_t c = 0; c < 2; ++c) {
      score.add(group.estimate.noise[c], truth[g].classes[c], group.known());
    }
    const NoiseEstimate& estimate = group.estimate;
    if (!group.known() || estimate.noisier < 0) continue;
    has_claim = true;
    if (kind == GroupNoiseKind::equal || kind == GroupNoiseKind::by_group) continue;
    score.add_claim(truth[g].classes[static_cast<std::size_t>(estimate.noisier)],
                    truth[g].classes[static_cast<std::size_t>(estimate.cleaner)]);
  }
  if (kind == GroupNoiseKind::equal || kind == GroupNoiseKind::by_group) score.add_equal(has_claim);
}

void score_classes_of(const AuditReport& report, const std::vector<double>& truth,
                      GroupNoiseKind kind, Score& score) {
  for (std::size_t c = 0; c < 2; ++c) {
    score.add(report.estimate.noise[c], truth[c], report.estimate.identified);
  }
  if (kind == GroupNoiseKind::equal) {
    score.add_equal(!report.claims.empty());
    return;
  }
  for (const ClassPair& pair : report.claims) {
    score.add_claim(truth[static_cast<std::size_t>(pair.noisier)],
                    truth[static_cast<std::size_t>(pair.cleaner)]);
  }
}

GroupScores score_groups(const RealSet& set, std::uint64_t first_seed, int settings,
                         Settings which) {
  GroupScores scores;
  for (int s = 0; s < settings; ++s) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(s);
    const GroupNoiseKind kind = kind_of(s, which);
    const std::vector<TwoRates> rates = group_setting(seed, kind, set.group_names.size());
    const std::vector<std::int32_t> noisy = with_cell_noise(set, rates, seed);
    AuditOptions options;
    options.seed = seed;
    options.compare_routes = false;
    const AuditReport report = audit(make_dataset(set, noisy), options);
    const std::vector<GroupTruth> truth = truth_of(set, noisy);
    score_groups_of(report, truth, kind, scores);
    score_cells_of(report, truth, kind, scores.cells);
    score_classes_of(report, true_rates(set.clean, noisy, 2), kind, scores.classes);
  }
  return scores;
}

GroupScores run_groups(const std::vector<Part>& parts, std::uint64_t seed,
                       Settings which = Settings::any) {
  Score::print_header("groups");
  GroupScores all;
  int settings = 0;
  for (const Part& part : parts) {
    const GroupScores scores = score_groups(part.set, seed += 1000, part.settings, which);
    scores.print(part.set.name, part.settings);
    scores.check(part.set.name);
    all.add(scores);
    settings += part.settings;
  }
  all.print("all sets", settings);
  all.groups.check_false_alarms("groups");
  all.same_class.check_false_alarms("same class");
  all.cells.check_false_alarms("class in group");
  all.classes.check_false_alarms("class");
  return all;
}

TEST(Truth, GroupsInAFewFixedSettings) {
  const GroupScores all =
      run_groups({{compas_by_race(), 4}, {credit(), 4}, {bank(), 2}, {german_by_sex(), 2}}, 500000);
  EXPECT_GE(all.groups.holding, .85 * all.groups.intervals);
}

TEST(Truth, DISABLED_GroupsInAllSettings) {
  const GroupScores all = run_groups({{german_by_sex(), 16},
                                      {compas_by_race(), 24},
                                      {adult_by_sex_in_equal_cells(), 12},
                                      {fair_face_white_or_not().training, 8},
                                      {adult_by_sex(), 12},
                                      {credit(), 20},
                                      {bank(), 16}},
                                     2026700000);
  EXPECT_GE(all.groups.holding, min_holding * all.groups.intervals);
}

TEST(Truth, DISABLED_GroupsAtEqualRates) {
  run_groups({{german_by_sex(), 28},
              {compas_by_race(), 32},
              {adult_by_sex_in_equal_cells(), 10},
              {fair_face_white_or_not().training, 4},
              {adult_by_sex(), 8},
              {credit(), 12},
              {bank(), 8}},
             2026900000, Settings::equal);
}

}  // namespace
}  // namespace noiseplus
