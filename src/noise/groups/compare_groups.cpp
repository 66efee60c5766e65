#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/checks.h"
#include "core/intervals.h"
#include "core/portable_math.h"
#include "noise/groups/group_test.h"
#include "noise/groups/rate_tree.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

RateWithError class_rate_of(const GroupNoise& group, std::size_t position, std::size_t c) {
  const EstimateWithInterval& rate = group.estimate.noise[c];
  return {rate.value, group.class_errors[c], rate.high, position};
}

// The highest rate first: its differences are the largest, and what is smaller is soon left out.
void sort_highest_first(std::vector<RateWithError>& rates) {
  std::sort(rates.begin(), rates.end(), [](const RateWithError& a, const RateWithError& b) {
    return a.value != b.value ? a.value > b.value : a.position < b.position;
  });
}

// The clearest claims; of equally clear ones those of the first groups.
class ClearestClaims {
 public:
  void add(const ClassPair& pair, double lead) {
    all_.push_back({pair, lead});
    if (all_.size() == 2 * max_group_claims) keep_clearest();
  }

  // A lead below this is not among the clearest.
  double least_lead() const { return least_lead_; }

  // The clearest of all first.
  void sort() { keep_clearest(); }
  bool empty() const { return all_.empty(); }
  const ClassPair& clearest() const { return all_.front().pair; }
  double clearest_lead() const { return all_.front().lead; }

  // By the noisier and then the cleaner group.
  std::vector<ClassPair> list() const {
    std::vector<ClassPair> pairs;
    for (const Claim& claim : all_) pairs.push_back(claim.pair);
    std::sort(pairs.begin(), pairs.end(), is_before);
    return pairs;
  }

 private:
  struct Claim {
    ClassPair pair;
    double lead = 0;
  };

  static bool is_before(const ClassPair& a, const ClassPair& b) {
    return a.noisier != b.noisier ? a.noisier < b.noisier : a.cleaner < b.cleaner;
  }

  void keep_clearest() {
    std::sort(all_.begin(), all_.end(), [](const Claim& a, const Claim& b) {
      return a.lead != b.lead ? a.lead > b.lead : is_before(a.pair, b.pair);
    });
    if (all_.size() < max_group_claims) return;
    all_.resize(max_group_claims);
    least_lead_ = all_.back().lead;
  }

  std::vector<Claim> all_;
  double least_lead_ = -std::numeric_limits<double>::infinity();
};

// Claims among the groups that may make them.
class ClaimSearch {
 public:
  ClaimSearch(std::span<const GroupNoise> groups, std::span<const std::size_t> known,
              const GroupTest& test)
      : groups_(groups), test_(test), claiming_(make_claiming(groups, known)), tree_(claiming_) {}

  void run() {
    for (const RateWithError& accused : claiming_) search(accused);
    claims_.sort();
  }

  const ClearestClaims& claims() const { return claims_; }
  std::size_t total() const { return total_; }

 private:
  static std::vector<RateWithError> make_claiming(std::span<const GroupNoise> groups,
                                                  std::span<const std::size_t> known) {
    std::vector<RateWithError> claiming;
    for (const std::size_t g : known) {
      if (groups[g].claims) claiming.push_back(rate_of(groups[g], g));
    }
    sort_highest_first(claiming);
    return claiming;
  }

  void search(const RateWithError& accused) {
    const double least = test_.least_lead(groups_[accused.position]);
    tree_.walk(
        [&](const RateBox& box) {
          const LeadBounds bounds = lead_bounds(accused, box, test_.errors());
          if (bounds.low > least) total_ += box.end - box.begin;
          return !(bounds.low > least) && !(bounds.high <= least);
        },
        [&](const RateWithError& other) {
          total_ += lead_of(accused, other, test_.errors()) > least ? 1 : 0;
        });
    tree_.walk(
        [&](const RateBox& box) {
          const double high = lead_bounds(accused, box, test_.errors()).high;
          return !(high <= least) && !(high < claims_.least_lead());
        },
        [&](const RateWithError& other) {
          const double lead = lead_of(accused, other, test_.errors());
          if (!(lead > least) || lead < claims_.least_lead()) return;
          claims_.add({static_cast<int>(accused.position), static_cast<int>(other.position)}, lead);
        });
  }

  std::span<const GroupNoise> groups_;
  const GroupTest& test_;
  std::vector<RateWithError> claiming_;
  RateTree tree_;
  ClearestClaims claims_;
  std::size_t total_ = 0;
};

// The noisier group of the largest difference beyond chance; -1 where there is none.
int find_leaning(std::span<const GroupNoise> groups, std::span<const std::size_t> known,
                 const GroupTest& test) {
  std::vector<RateWithError> rates;
  for (const std::size_t g : known) rates.push_back(rate_of(groups[g], g));
  const RateTree tree(rates);
  double best = 0;
  int leaning = -1;
  for (const RateWithError& accused : rates) {
    tree.walk(
        [&](const RateBox& box) {
          return !(lead_bounds(accused, box, test.errors()).high <= best);
        },
        [&](const RateWithError& other) {
          const double lead = lead_of(accused, other, test.errors());
          if (!(lead > best)) return;
          best = lead;
          leaning = static_cast<int>(accused.position);
        });
  }
  return leaning;
}

// Compares the rates of the same class in different groups.
class ClassesInGroups {
 public:
  ClassesInGroups(std::span<const GroupNoise> groups, std::span<const std::size_t> known,
                  const ChoiceRule& rule)
      : groups_(groups), known_(known), rule_(rule) {
    comparisons_ = count_pairs(known.size()) *
                   static_cast<double>(groups[known.front()].estimate.noise.size());
    errors_ = std::max(two_sided_normal_quantile(.05 / comparisons_), rule.claim_errors_two);
  }

  void compare(GroupComparison& comparison) const {
    for (std::size_t c = 0; c < groups_[known_.front()].estimate.noise.size(); ++c) {
      std::vector<RateWithError> all, claiming;
      for (const std::size_t g : known_) {
        all.push_back(class_rate_of(groups_[g], g, c));
        if (groups_[g].claims) claiming.push_back(all.back());
      }
      comparison.beyond_class_p_value =
          least_p_value(std::move(all), comparison.beyond_class_p_value);
      add_claim(std::move(claiming), c, comparison);
    }
  }

 private:
  double p_value(double difference, double error) const {
    return comparisons_ * portable::erfc(difference / error / std::numbers::sqrt2);
  }

  // No p-value of `accused` and a rate of the box is lower.
  double least_p_value(const RateWithError& accused, const RateBox& box) const {
    constexpr double rounding = 1e-9, smallest = 1e-290;  // a denormal number is less exact
    const double difference = accused.value - box.min_value;
    if (!(difference > 0)) return std::numeric_limits<double>::infinity();
    const double error = portable::hypot(accused.error, box.min_error) * (1 - rounding);
    const double p = p_value(difference, error) * (1 - rounding);
    return p < smallest ? 0 : p;
  }

  double least_p_value(std::vector<RateWithError> rates, double least) const {
    sort_highest_first(rates);
    const RateTree tree(rates);
    for (const RateWithError& accused : rates) {
      tree.walk([&](const RateBox& box) { return least_p_value(accused, box) < least; },
                [&](const RateWithError& other) {
                  const double difference = accused.value - other.value;
                  if (!(difference > 0)) return;
                  const double error = portable::hypot(accused.error, other.error);
                  least = std::min(least, p_value(difference, error));
                });
    }
    return least;
  }

  void add_claim(std::vector<RateWithError> rates, std::size_t c,
                 GroupComparison& comparison) const {
    sort_highest_first(rates);
    const RateTree tree(rates);
    ClassGroupsClaim clearest;
    double best = 0;
    for (const RateWithError& accused : rates) {
      const double doubt = groups_[accused.position].class_doubts[c];
      tree.walk(
          [&](const RateBox& box) {
            const double high = lead_bounds(accused, box, errors_).high - doubt;
            return high > rule_.min_lead && !(high < best);
          },
          [&](const RateWithError& other) {
            const double lead = lead_of(accused, other, errors_) - doubt;
            if (!(lead > 0) || !(lead > rule_.min_lead) || lead < best) return;
            const ClassGroupsClaim claim{static_cast<int>(c), static_cast<int>(accused.position),
                                         static_cast<int>(other.position)};
            if (lead == best && !is_before(claim, clearest)) return;
            best = lead;
            clearest = claim;
          });
    }
    if (best > 0) comparison.class_claims.push_back(clearest);
  }

  static bool is_before(const ClassGroupsClaim& a, const ClassGroupsClaim& b) {
    return a.noisier != b.noisier ? a.noisier < b.noisier : a.cleaner < b.cleaner;
  }

  std::span<const GroupNoise> groups_;
  std::span<const std::size_t> known_;
  const ChoiceRule& rule_;
  double comparisons_ = 1, errors_ = 0;
};

void check_groups(std::span<const GroupNoise> groups, std::span<const std::size_t> known) {
  constexpr double any = std::numeric_limits<double>::max();
  for (const GroupNoise& group : groups) {
    check_number(group.rate.value, 0, 1, "the rate of a group");
    check_number(group.error, 0, any, "the error of a group's rate");
    check_number(group.doubt, 0, any, "the doubt about a group's rate");
    for (const double error : group.class_errors) {
      check_number(error, 0, any, "the error of a class's rate in a group");
    }
    for (const double doubt : group.class_doubts) {
      check_number(doubt, 0, any, "the doubt about a class's rate in a group");
    }
  }
  for (const std::size_t g : known) {
    const std::size_t classes = groups[known.front()].estimate.noise.size();
    check_that(groups[g].estimate.noise.size() == classes &&
                   groups[g].class_errors.size() == classes &&
                   groups[g].class_doubts.size() == classes,
               "a group has not one rate, error and doubt for each class");
    for (const EstimateWithInterval& rate : groups[g].estimate.noise) {
      check_number(rate.value, 0, 1, "the rate of a class in a group");
    }
  }
}

}  // namespace

GroupComparison compare_groups(std::span<const GroupNoise> groups, const ChoiceRule& rule) {
  const std::vector<std::size_t> known = known_groups(groups);
  check_groups(groups, known);
  GroupComparison comparison;
  comparison.gap = {0, -1, 1};
  if (known.size() < 2) return comparison;
  const GroupTest test(known.size(), rule);

  const auto by_rate = [&](std::size_t a, std::size_t b) {
    return groups[a].rate.value < groups[b].rate.value;
  };
  const GroupNoise& lowest = groups[*std::min_element(known.begin(), known.end(), by_rate)];
  const GroupNoise& highest = groups[*std::max_element(known.begin(), known.end(), by_rate)];
  const double size = highest.rate.value - lowest.rate.value, half = test.half(highest, lowest);
  comparison.gap = {size, std::max(size - half - highest.doubt, -1.0),
                    std::min(size + half + lowest.doubt, 1.0)};
  comparison.p_value = test.p_value(highest, lowest);

  ClaimSearch search(groups, known, test);
  search.run();
  const ClearestClaims& claims = search.claims();
  // The gap's interval and p-value say no less than the clearest claim, and no more than that there
  // is none.
  if (claims.empty()) {
    comparison.leaning = find_leaning(groups, known, test);
    comparison.gap.low = std::min(comparison.gap.low, 0.0);
  } else {
    comparison.noisier = claims.clearest().noisier;
    comparison.cleaner = claims.clearest().cleaner;
    const GroupNoise& accused = groups[static_cast<std::size_t>(comparison.noisier)];
    const GroupNoise& other = groups[static_cast<std::size_t>(comparison.cleaner)];
    comparison.gap.low = std::max(comparison.gap.low, claims.clearest_lead() - accused.doubt);
    comparison.p_value = std::min(comparison.p_value, test.p_value(accused, other));
  }
  ClassesInGroups(groups, known, rule).compare(comparison);
  comparison.claims = claims.list();
  comparison.claims_total = search.total();
  return comparison;
}

}  // namespace noiseplus
