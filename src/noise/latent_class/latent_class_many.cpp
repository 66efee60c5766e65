// As latent_class_influence_three.cpp, without ever having the influence of a view set on every
// rate: a view set tells little of classes that it is not about. Its score for class i is
//
//   (p_i - prior_i,  y_i,  z_i - E_i)
//
// where p are the chances of its hidden label, y and z are 0 but for the few classes that it may be
// of or has labels of, and E = views * p T are the labels it was to be expected to have. Sums of
// products of E over pairs of sets are sums of products of p, which has few entries that count,
// between T' and T. So the sums cost a few steps a set, and the classes times the cells of a K x K
// matrix that are not zero; not the sets times the classes.
#include <algorithm>

#include "core/eigen_solvers.h"
#include "noise/latent_class/hidden_label.h"
#include "noise/latent_class/latent_class_errors.h"

namespace noiseplus {
namespace {

// Chances that are too small for a variance to show them.
constexpr double min_chance = 1e-10;
// Patterns that may be of more classes than this, in the mean of all, take longer this way.
constexpr std::size_t max_mean_chances = 24;

struct ClassValue {
  std::uint32_t label = 0;
  double value = 0;
};

// Lists of a few entries, one for each pattern.
struct ClassLists {
  std::vector<std::size_t> first = {0};
  std::vector<ClassValue> entries;

  std::span<const ClassValue> of(std::size_t pattern) const {
    return {entries.data() + first[pattern], first[pattern + 1] - first[pattern]};
  }
  void append(const ClassLists& other) {
    for (std::size_t i = 1; i < other.first.size(); ++i) {
      first.push_back(entries.size() + other.first[i]);
    }
    entries.insert(entries.end(), other.entries.begin(), other.entries.end());
  }
};

using Cells = std::vector<double>;  // K x K, or one of each class

void add(Cells& sum, const Cells& other) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
}

// The chances of each pattern's hidden label; nullopt when they are too many.
std::optional<ClassLists> find_chances(const LatentClassFit& fit, const ViewPatterns& patterns,
                                       ThreadPool& pool) {
  const HiddenLabel hidden(fit.prior, fit.transition, min_probability);
  const std::size_t blocks = blocks_of(patterns.size(), 1);
  std::vector<ClassLists> partial(blocks);
  std::vector<char> is_long(blocks);
  const std::size_t max_entries = max_mean_chances * patterns.size();
  for_blocks(
      patterns.size(), blocks, pool, [&](std::size_t block, std::size_t begin, std::size_t end) {
        HiddenLabel::Posterior posterior;
        ClassLists& lists = partial[block];
        for (std::size_t q = begin; q < end && is_long[block] == 0; ++q) {
          hidden.find(patterns.pattern(q), posterior);
          for (std::size_t a = 0; a < posterior.classes.size(); ++a) {
            if (posterior.probabilities[a] < min_chance) continue;
            lists.entries.push_back(
                {static_cast<std::uint32_t>(posterior.classes[a]), posterior.probabilities[a]});
          }
          lists.first.push_back(lists.entries.size());
          is_long[block] = lists.entries.size() > max_entries ? 1 : 0;
        }
      });
  std::size_t entries = 0;
  for (const ClassLists& lists : partial) entries += lists.entries.size();
  if (entries > max_entries) return std::nullopt;
  for (std::size_t block = 1; block < blocks; ++block) partial[0].append(partial[block]);
  return std::move(partial[0]);
}

// What a pattern says of a class that it may be of or has labels of.
struct ClassScore {
  std::uint32_t label = 0;
  double p = 0, y = 0, z = 0;
};

class ManyClasses {
 public:
  ManyClasses(const LatentClassFit& fit, const ViewPatterns& patterns, ClassLists chances,
              ThreadPool& pool)
      : fit_(fit),
        patterns_(patterns),
        chances_(std::move(chances)),
        pool_(pool),
        classes_(fit.classes),
        views_(static_cast<double>(patterns.views)) {}

  RateSums sums(const NeighborGraph& graph, const Occurrences& occurrences, const Hubs& hubs,
                ProgressMeter& meter) {
    find_weights();
    return sum_pairs(graph, occurrences, hubs, meter);
  }

 private:
  // Sums over all sets of products of parts of their own scores.
  struct OwnSums {
    Cells p, y, z, pp, py, pz, pe, yy, yz, ye, zz, ze;  // of each class
    Cells chances;                                      // of every two classes
    double sets = 0;

    explicit OwnSums(std::size_t classes)
        : p(classes),
          y(classes),
          z(classes),
          pp(classes),
          py(classes),
          pz(classes),
          pe(classes),
          yy(classes),
          yz(classes),
          ye(classes),
          zz(classes),
          ze(classes),
          chances(classes * classes) {}
    void operator+=(const OwnSums& other);
  };

  // Sums over pairs of sets of products of parts of their influences.
  struct PairSums {
    Cells sparse, sparse_sparse, sparse_expected, chance;  // of each class
    Cells chances;                                         // of every two classes
    double pairs = 0;
    double common_row_pairs = 0;

    explicit PairSums(std::size_t classes)
        : sparse(classes),
          sparse_sparse(classes),
          sparse_expected(classes),
          chance(classes),
          chances(classes * classes) {}
    void operator+=(const PairSums& other);
  };

  // Sums over a list of sets, of the classes that occur in it.
  class ListSums {
   public:
    explicit ListSums(std::size_t classes) : values_(classes), is_in_(classes) {}
    void clear() {
      for (const std::uint32_t label : labels_) values_[label] = is_in_[label] = 0;
      labels_.clear();
    }
    void add(std::span<const ClassValue> list) {
      for (const ClassValue entry : list) {
        if (is_in_[entry.label] == 0) labels_.push_back(entry.label);
        is_in_[entry.label] = 1;
        values_[entry.label] += entry.value;
      }
    }
    double operator[](std::size_t label) const { return values_[label]; }
    const std::vector<std::uint32_t>& labels() const { return labels_; }
    void list(std::vector<ClassValue>& list) const {
      list.clear();
      for (const std::uint32_t label : labels_) list.push_back({label, values_[label]});
    }

   private:
    std::vector<double> values_;
    std::vector<char> is_in_;
    std::vector<std::uint32_t> labels_;
  };

  double kept(std::size_t a, std::size_t i) const { return fit_.transition[a * classes_ + i]; }
  void find_scores(std::size_t q, std::vector<ClassScore>& scores) const;
  void add_own(std::size_t q, std::vector<ClassScore>& scores, OwnSums& sums) const;
  void find_weights();
  void find_sparse();
  void add_pairs(double sign, std::span<const ClassValue> sparse,
                 std::span<const ClassValue> chances, double sets, const ListSums& their_sparse,
                 const ListSums& their_chances, double their_sets, PairSums& sums) const;
  RateSums sum_pairs(const NeighborGraph& graph, const Occurrences& occurrences, const Hubs& hubs,
                     ProgressMeter& meter) const;
  Cells expected(const Cells& chance) const;
  Cells expected_twice(const Cells& chances) const;

  const LatentClassFit& fit_;
  const ViewPatterns& patterns_;
  const ClassLists chances_;
  ThreadPool& pool_;
  std::size_t classes_;
  double views_;
  // The influence of a set on the rate of class i is constant_i + sparse_i - slope_i (p T)_i.
  Cells constant_, slope_, alone_;
  std::vector<Eigen::Vector3d> weights_;
  ClassLists sparse_;
};

void ManyClasses::OwnSums::operator+=(const OwnSums& other) {
  for (Cells OwnSums::*cells : {&OwnSums::p, &OwnSums::y, &OwnSums::z, &OwnSums::pp, &OwnSums::py,
                                &OwnSums::pz, &OwnSums::pe, &OwnSums::yy, &OwnSums::yz,
                                &OwnSums::ye, &OwnSums::zz, &OwnSums::ze, &OwnSums::chances}) {
    add(this->*cells, other.*cells);
  }
  sets += other.sets;
}

void ManyClasses::PairSums::operator+=(const PairSums& other) {
  for (Cells PairSums::*cells :
       {&PairSums::sparse, &PairSums::sparse_sparse, &PairSums::sparse_expected, &PairSums::chance,
        &PairSums::chances}) {
    add(this->*cells, other.*cells);
  }
  pairs += other.pairs;
  common_row_pairs += other.common_row_pairs;
}

// chance T, of each class.
Cells ManyClasses::expected(const Cells& chance) const {
  Cells sum(classes_);
  for (std::size_t a = 0; a < classes_; ++a) {
    for (std::size_t i = 0; i < classes_; ++i) sum[i] += chance[a] * kept(a, i);
  }
  return sum;
}

// The diagonal of T' chances T.
Cells ManyClasses::expected_twice(const Cells& chances) const {
  const std::size_t blocks = blocks_of(64 * classes_, classes_);
  std::vector<Cells> partial(blocks);
  for_blocks(classes_, blocks, pool_, [&](std::size_t block, std::size_t begin, std::size_t end) {
    Cells& sum = partial[block];
    sum.assign(classes_, 0);
    Cells row(classes_);
    for (std::size_t a = begin; a < end; ++a) {
      std::fill(row.begin(), row.end(), 0.0);
      for (std::size_t b = 0; b < classes_; ++b) {
        const double cell = chances[a * classes_ + b];
        if (cell == 0) continue;
        const double* their = fit_.transition.data() + b * classes_;
        for (std::size_t i = 0; i < classes_; ++i) row[i] += cell * their[i];
      }
      for (std::size_t i = 0; i < classes_; ++i) sum[i] += kept(a, i) * row[i];
    }
  });
  for (std::size_t block = 1; block < blocks; ++block) add(partial[0], partial[block]);
  return std::move(partial[0]);
}

void ManyClasses::find_scores(std::size_t q, std::vector<ClassScore>& scores) const {
  scores.clear();
  for (const ClassValue chance : chances_.of(q)) {
    scores.push_back({chance.label, chance.value, 0, 0});
  }
  for (const ViewPatterns::Entry entry : patterns_.pattern(q)) {
    const auto found = std::find_if(scores.begin(), scores.end(), [&](const ClassScore& score) {
      return score.label == entry.label;
    });
    if (found != scores.end()) {
      found->z = entry.count;
    } else {
      scores.push_back({entry.label, 0, 0, static_cast<double>(entry.count)});
    }
  }
  for (ClassScore& score : scores) {
    const double own = score.z;
    const double mean = views_ * kept(score.label, score.label);
    score.y = score.p * (own - mean);
    score.z = own - score.p * own + score.p * mean;
  }
}

void ManyClasses::add_own(std::size_t q, std::vector<ClassScore>& scores, OwnSums& sums) const {
  find_scores(q, scores);
  const double sets = patterns_.sets[q];
  sums.sets += sets;
  for (const ClassScore score : scores) {
    const std::size_t i = score.label;
    double e = 0;
    for (const ClassValue chance : chances_.of(q)) e += chance.value * kept(chance.label, i);
    e *= views_;
    sums.p[i] += sets * score.p;
    sums.y[i] += sets * score.y;
    sums.z[i] += sets * score.z;
    sums.pp[i] += sets * score.p * score.p;
    sums.py[i] += sets * score.p * score.y;
    sums.pz[i] += sets * score.p * score.z;
    sums.pe[i] += sets * score.p * e;
    sums.yy[i] += sets * score.y * score.y;
    sums.yz[i] += sets * score.y * score.z;
    sums.ye[i] += sets * score.y * e;
    sums.zz[i] += sets * score.z * score.z;
    sums.ze[i] += sets * score.z * e;
  }
  for (const ClassValue a : chances_.of(q)) {
    for (const ClassValue b : chances_.of(q)) {
      sums.chances[a.label * classes_ + b.label] += sets * a.value * b.value;
    }
  }
}

void ManyClasses::find_weights() {
  const std::size_t blocks = blocks_of(patterns_.size(), classes_ * classes_);
  std::vector<OwnSums> partial(blocks, OwnSums(0));
  for_blocks(patterns_.size(), blocks, pool_,
             [&](std::size_t block, std::size_t begin, std::size_t end) {
               OwnSums sums(classes_);
               std::vector<ClassScore> scores;
               for (std::size_t q = begin; q < end; ++q) add_own(q, scores, sums);
               partial[block] = std::move(sums);
             });
  for (std::size_t block = 1; block < blocks; ++block) partial[0] += partial[block];
  const OwnSums& own = partial[0];
  const Cells e = expected(own.p);
  const Cells ee = expected_twice(own.chances);
  for (std::size_t i = 0; i < classes_; ++i) {
    const double prior = fit_.prior[i];
    Eigen::Matrix3d information;
    information(0, 0) = prior * prior * own.sets - 2 * prior * own.p[i] + own.pp[i];
    information(0, 1) = information(1, 0) = own.py[i] - prior * own.y[i];
    information(1, 1) = own.yy[i];
    information(0, 2) = information(2, 0) =
        own.pz[i] - prior * own.z[i] + prior * views_ * e[i] - own.pe[i];
    information(1, 2) = information(2, 1) = own.yz[i] - own.ye[i];
    information(2, 2) = own.zz[i] - 2 * own.ze[i] + views_ * views_ * ee[i];
    const Eigen::Matrix3d regular = information + little_information * Eigen::Matrix3d::Identity();
    const double keeps = kept(i, i);
    const Eigen::Vector3d weight = regular.inverse() * Eigen::Vector3d(0, keeps * (1 - keeps), 0);
    weights_.push_back(weight);
    alone_.push_back(weight.dot(information * weight));
    constant_.push_back(-weight[0] * prior);
    slope_.push_back(weight[2] * views_);
  }
  find_sparse();
}

void ManyClasses::find_sparse() {
  const std::size_t blocks = blocks_of(patterns_.size(), 1);
  std::vector<ClassLists> partial(blocks);
  for_blocks(patterns_.size(), blocks, pool_,
             [&](std::size_t block, std::size_t begin, std::size_t end) {
               ClassLists& lists = partial[block];
               std::vector<ClassScore> scores;
               for (std::size_t q = begin; q < end; ++q) {
                 find_scores(q, scores);
                 for (const ClassScore& score : scores) {
                   const Eigen::Vector3d parts(score.p, score.y, score.z);
                   lists.entries.push_back({score.label, weights_[score.label].dot(parts)});
                 }
                 lists.first.push_back(lists.entries.size());
               }
             });
  sparse_ = std::move(partial[0]);
  for (std::size_t block = 1; block < blocks; ++block) sparse_.append(partial[block]);
}

void ManyClasses::add_pairs(double sign, std::span<const ClassValue> sparse,
                            std::span<const ClassValue> chances, double sets,
                            const ListSums& their_sparse, const ListSums& their_chances,
                            double their_sets, PairSums& sums) const {
  sums.pairs += sign * sets * their_sets;
  for (const ClassValue own : sparse) {
    const std::size_t i = own.label;
    const double value = sign * own.value;
    double their_expected = 0;
    for (const std::uint32_t b : their_chances.labels()) {
      their_expected += their_chances[b] * kept(b, i);
    }
    sums.sparse[i] += value * their_sets;
    sums.sparse_sparse[i] += value * their_sparse[i];
    sums.sparse_expected[i] += value * their_expected;
  }
  for (const ClassValue own : chances) {
    const double value = sign * own.value;
    sums.chance[own.label] += value * their_sets;
    double* const row = sums.chances.data() + own.label * classes_;
    for (const std::uint32_t b : their_chances.labels()) row[b] += value * their_chances[b];
  }
}

RateSums ManyClasses::sum_pairs(const NeighborGraph& graph, const Occurrences& occurrences,
                                const Hubs& hubs, ProgressMeter& meter) const {
  const auto add_lists = [&](SetList sets, ListSums& sparse, ListSums& chances) {
    sparse.clear();
    chances.clear();
    for (const std::uint32_t set : sets) {
      sparse.add(sparse_.of(patterns_.of_set[set]));
      chances.add(chances_.of(patterns_.of_set[set]));
    }
  };
  const std::size_t blocks = blocks_of(graph.size(), classes_ * classes_);
  const std::size_t hub_blocks = std::min(hubs.parts(), blocks);
  std::vector<PairSums> partial(blocks + hub_blocks, PairSums(0));
  for_blocks(graph.size(), blocks, pool_,
             [&](std::size_t block, std::size_t begin, std::size_t end) {
               PairSums sums(classes_);
               SharingSets sharing(graph, occurrences, hubs);
               ListSums sparse(classes_), chances(classes_);
               for (std::size_t t = begin; t < end; ++t) {
                 const SetList others = sharing.of(t);
                 add_lists(others, sparse, chances);
                 const std::size_t q = patterns_.of_set[t];
                 add_pairs(1, sparse_.of(q), chances_.of(q), 1, sparse, chances,
                           static_cast<double>(others.size()), sums);
                 sums.common_row_pairs += static_cast<double>(sharing.common_row_pairs());
               }
               partial[block] = std::move(sums);
               meter.step();
             });
  pool_.for_each(hub_blocks, [&](std::size_t block) {
    PairSums sums(classes_);
    ListSums x_sparse(classes_), x_chances(classes_), y_sparse(classes_), y_chances(classes_);
    std::vector<ClassValue> sparse, chances;
    const auto add_product = [&](int sign, SetList x, SetList y) {
      meter.step(0);  // a part may take long
      add_lists(x, x_sparse, x_chances);
      add_lists(y, y_sparse, y_chances);
      x_sparse.list(sparse);
      x_chances.list(chances);
      add_pairs(sign, sparse, chances, static_cast<double>(x.size()), y_sparse, y_chances,
                static_cast<double>(y.size()), sums);
    };
    for (std::size_t part = block; part < hubs.parts(); part += hub_blocks) {
      hubs.sum_products(part, add_product);
      sums.common_row_pairs += static_cast<double>(hubs.common_pairs(part));
      meter.step();
    }
    partial[blocks + block] = std::move(sums);
  });
  for (std::size_t block = 1; block < partial.size(); ++block) partial[0] += partial[block];

  const PairSums& sums = partial[0];
  const Cells e = expected(sums.chance);
  const Cells ee = expected_twice(sums.chances);
  RateSums found;
  found.alone = alone_;
  found.sharing = sums.pairs;
  found.common_row_pairs = sums.common_row_pairs;
  for (std::size_t i = 0; i < classes_; ++i) {
    const double constant = constant_[i], slope = slope_[i];
    found.dependent.push_back(constant * constant * sums.pairs + 2 * constant * sums.sparse[i] +
                              sums.sparse_sparse[i] - 2 * slope * sums.sparse_expected[i] -
                              2 * constant * slope * e[i] + slope * slope * ee[i]);
  }
  return found;
}

}  // namespace

std::optional<RateSums> sums_of_many_classes(const LatentClassFit& fit,
                                             const ViewPatterns& patterns,
                                             const NeighborGraph& graph,
                                             const Occurrences& occurrences, const Hubs& hubs,
                                             ThreadPool& pool, ProgressMeter& meter) {
  std::optional<ClassLists> chances = find_chances(fit, patterns, pool);
  if (!chances) return std::nullopt;
  return ManyClasses(fit, patterns, *std::move(chances), pool)
      .sums(graph, occurrences, hubs, meter);
}

}  // namespace noiseplus
