// Comparisons of many groups look at few pairs, and find what a look at every pair finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "core/intervals.h"
#include "core/portable_math.h"
#include "noise/groups/unproved_rates.h"

namespace noiseplus {
namespace {

double quantile(double comparisons, const ChoiceRule& rule) {
  return std::max(two_sided_normal_quantile(.05 / comparisons), rule.claim_errors_two);
}

// The definition: every pair, one after the other.
class EveryPair {
 public:
  EveryPair(std::span<const GroupNoise> groups, const ChoiceRule& rule)
      : groups_(groups), rule_(rule) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (groups[g].known()) known_.push_back(g);
    }
    pairs_ = static_cast<double>(known_.size() * (known_.size() - 1)) / 2;
    errors_ = quantile(pairs_, rule);
  }

  double lead(std::size_t a, std::size_t b) const {
    const GroupNoise &accused = groups_[a], &other = groups_[b];
    return accused.rate.value - other.rate.value -
           errors_ * portable::hypot(accused.error, other.error);
  }

  bool is_claimed(std::size_t a, std::size_t b) const {
    return groups_[a].claims && groups_[b].claims && lead(a, b) > 0 &&
           lead(a, b) > groups_[a].doubt + rule_.min_lead;
  }

  struct Claim {
    std::size_t noisier, cleaner;
    double lead;
  };

  std::vector<Claim> claims() const {
    std::vector<Claim> all;
    for (const std::size_t a : known_) {
      for (const std::size_t b : known_) {
        if (is_claimed(a, b)) all.push_back({a, b, lead(a, b)});
      }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Claim& a, const Claim& b) { return a.lead > b.lead; });
    return all;
  }

  int leaning() const {
    double best = 0;
    int found = -1;
    for (const std::size_t a : known_) {
      for (const std::size_t b : known_) {
        if (is_claimed(a, b) || lead(a, b) <= best) continue;
        best = lead(a, b);
        found = static_cast<int>(a);
      }
    }
    return found;
  }

  std::vector<double> lows() const {
    std::vector<double> lows;
    for (const GroupNoise& group : groups_) lows.push_back(group.rate.low);
    for (const std::size_t a : known_) {
      for (const std::size_t b : known_) {
        if (!is_claimed(a, b)) lows[a] = std::min(lows[a], groups_[b].rate.high);
      }
    }
    return lows;
  }

  // The clearest claim about class c, and the least of `p` and all p-values.
  ClassGroupsClaim clearest_of_class(std::size_t c, double& p) const {
    const double comparisons =
        pairs_ * static_cast<double>(groups_[known_.front()].estimate.noise.size());
    const double errors = quantile(comparisons, rule_);
    ClassGroupsClaim clearest;
    double best = 0;
    for (const std::size_t a : known_) {
      for (const std::size_t b : known_) {
        const GroupNoise &accused = groups_[a], &other = groups_[b];
        const double difference = accused.estimate.noise[c].value - other.estimate.noise[c].value;
        if (difference <= 0) continue;
        const double error = portable::hypot(accused.class_errors[c], other.class_errors[c]);
        p = std::min(p, comparisons * portable::erfc(difference / error / std::numbers::sqrt2));
        const double lead = difference - errors * error - accused.class_doubts[c];
        if (!accused.claims || !other.claims || lead <= rule_.min_lead || lead <= best) continue;
        best = lead;
        clearest = {static_cast<int>(c), static_cast<int>(a), static_cast<int>(b)};
      }
    }
    return clearest;
  }

 private:
  std::span<const GroupNoise> groups_;
  const ChoiceRule& rule_;
  std::vector<std::size_t> known_;
  double pairs_ = 1, errors_ = 0;
};

// The same numbers with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double share() { return static_cast<double>(bits_() >> 11U) * 0x1p-53; }
  bool chance(double probability) { return share() < probability; }

 private:
  std::mt19937_64 bits_;
};

// How many there are and how alike: on a grid many are equal.
struct Kind {
  std::size_t groups = 0, classes = 2;
  double spread = .5, error = .05, grid = 0, silent = .2, doubted = .3;
};

double on_grid(double value, double grid) {
  return grid > 0 ? std::min(std::round(value / grid) * grid, 1.0) : value;
}

std::vector<GroupNoise> random_groups(const Kind& kind, std::uint64_t seed) {
  Random random(seed);
  const auto error = [&] { return on_grid(kind.error * random.share(), kind.grid / 10) + 1e-4; };
  const auto doubt = [&] { return random.chance(kind.doubted) ? .1 * random.share() : 0; };
  std::vector<GroupNoise> groups(kind.groups);
  for (GroupNoise& group : groups) {
    group.estimate.identified = !random.chance(.05);
    if (random.chance(.05)) group.too_small = "few rows";
    group.claims = !random.chance(kind.silent);
    const auto rate = [&] {
      const double value = on_grid(kind.spread * random.share(), kind.grid);
      const double half = on_grid(.2 * random.share(), kind.grid);
      return EstimateWithInterval{value, std::max(value - half, 0.0), std::min(value + half, 1.0)};
    };
    group.rate = rate();
    group.error = error();
    group.doubt = doubt();
    for (std::size_t c = 0; c < kind.classes; ++c) {
      group.estimate.noise.push_back(rate());
      group.class_errors.push_back(error());
      group.class_doubts.push_back(doubt());
    }
  }
  return groups;
}

void expect_same(const std::vector<GroupNoise>& groups, const ChoiceRule& rule) {
  const EveryPair definition(groups, rule);
  const GroupComparison found = compare_groups(groups, rule);
  std::vector<EveryPair::Claim> claims = definition.claims();
  EXPECT_EQ(found.claims_total, claims.size());
  EXPECT_EQ(found.noisier, claims.empty() ? -1 : static_cast<int>(claims[0].noisier));
  EXPECT_EQ(found.cleaner, claims.empty() ? -1 : static_cast<int>(claims[0].cleaner));
  EXPECT_EQ(found.leaning, claims.empty() ? definition.leaning() : -1);
  claims.resize(std::min(claims.size(), max_group_claims));
  std::vector<std::pair<int, int>> expected, listed;
  for (const EveryPair::Claim& claim : claims) expected.emplace_back(claim.noisier, claim.cleaner);
  std::sort(expected.begin(), expected.end());
  for (const ClassPair& pair : found.claims) listed.emplace_back(pair.noisier, pair.cleaner);
  EXPECT_EQ(listed, expected);

  double p = 1;
  std::vector<ClassGroupsClaim> of_classes;
  for (std::size_t c = 0; c < groups[0].estimate.noise.size(); ++c) {
    const ClassGroupsClaim claim = definition.clearest_of_class(c, p);
    if (claim.label >= 0) of_classes.push_back(claim);
  }
  EXPECT_EQ(found.beyond_class_p_value, p);
  ASSERT_EQ(found.class_claims.size(), of_classes.size());
  for (std::size_t i = 0; i < of_classes.size(); ++i) {
    EXPECT_EQ(found.class_claims[i].label, of_classes[i].label);
    EXPECT_EQ(found.class_claims[i].noisier, of_classes[i].noisier);
    EXPECT_EQ(found.class_claims[i].cleaner, of_classes[i].cleaner);
  }

  const std::vector<double> lows = definition.lows();
  std::vector<GroupNoise> shown = groups;
  let_unproved_rates_overlap(shown, rule);
  for (std::size_t g = 0; g < groups.size(); ++g) EXPECT_EQ(shown[g].rate.low, lows[g]) << g;
}

TEST(ManyGroups, AreComparedAsEveryPairWouldBe) {
  const std::vector<Kind> kinds = {
      {.groups = 300},                              // more claims than are listed
      {.groups = 300, .spread = .1},                // a few
      {.groups = 300, .spread = .05, .error = .3},  // none
      {.groups = 300, .grid = .05},                 // many equal ones
      {.groups = 200, .grid = .25, .silent = 0, .doubted = 0},
      {.groups = 300, .classes = 5, .error = 1e-9},  // p-values of 0
      {.groups = 200, .silent = 1},
      {.groups = 12, .classes = 3},
      {.groups = 3},
  };
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (std::uint64_t seed = 0; seed < (kinds[k].groups < 20 ? 40U : 4U); ++seed) {
      SCOPED_TRACE("kind " + std::to_string(k) + ", seed " + std::to_string(seed));
      const std::vector<GroupNoise> groups = random_groups(kinds[k], seed);
      const auto known = std::count_if(groups.begin(), groups.end(),
                                       [](const GroupNoise& group) { return group.known(); });
      if (known < 2) continue;
      expect_same(groups, {});
      ChoiceRule eager;
      eager.min_lead = -.1;
      expect_same(groups, eager);
    }
  }
}

// Of classes, by a list of claims.
TEST(ManyGroups, UnclaimedClassesOverlapAsEveryPairWould) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::size_t classes = 2 + seed * 3;
    std::vector<EstimateWithInterval> rates;
    for (std::size_t i = 0; i < classes; ++i) {
      const double value = on_grid(random.share(), seed % 2 == 0 ? .1 : 0);
      const double half = .3 * random.share();
      rates.push_back({value, std::max(value - half, 0.0), std::min(value + half, 1.0)});
    }
    std::vector<ClassPair> claims;
    std::vector<EstimateWithInterval> expected = rates;
    for (std::size_t i = 0; i < classes; ++i) {
      for (std::size_t j = 0; j < classes; ++j) {
        if (rates[i].value > rates[j].value && random.chance(.7)) {
          claims.push_back({static_cast<int>(i), static_cast<int>(j)});
        } else {
          expected[i].low = std::min(expected[i].low, expected[j].high);
        }
      }
    }
    std::reverse(claims.begin(), claims.end());
    let_unproved_rates_overlap(rates, claims);
    for (std::size_t i = 0; i < classes; ++i) EXPECT_EQ(rates[i].low, expected[i].low) << i;
  }
}

}  // namespace
}  // namespace noiseplus
