// Tables whose classes overlap and whose truth is known, and how good row probabilities are.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "noiseplus/data.h"
#include "support.h"

namespace noiseplus::testing_support {

// P(clean 1 | row) = 1 / (1 + exp(-logit)), logit = steepness * first + bias of the group; four
// columns are noise, and the last is the group where there are groups.
struct Setting {
  std::size_t rows = 8000;
  double steepness = 3;
  std::vector<double> biases = {0};  // one per group
  double first_group = 1;            // share of the rows
  bool keeps_group_column = true;
  std::uint64_t seed = 1;
};

struct TruthTable {
  Dataset dataset;
  std::vector<std::int32_t> clean, group;
  std::vector<double> logits;

  explicit TruthTable(const Setting& setting) {
    const bool has_groups = setting.biases.size() > 1;
    Matrix features(setting.rows, has_groups && setting.keeps_group_column ? 6 : 5);
    for (std::size_t n = 0; n < setting.rows; ++n) {
      for (std::size_t c = 0; c < 5; ++c) {
        features.row(n)[c] = static_cast<float>(normal(setting.seed, Stream::generate, n, c));
      }
      const bool is_first = uniform(setting.seed, Stream::generate, n, 10) < setting.first_group;
      group.push_back(is_first ? 0 : 1);
      if (features.columns() == 6) features.row(n)[5] = static_cast<float>(group[n]);
      logits.push_back(setting.steepness * features.row(n)[0] +
                       setting.biases[static_cast<std::size_t>(group[n])]);
      const double positive = 1 / (1 + std::exp(-logits[n]));
      clean.push_back(uniform(setting.seed, Stream::generate, n, 11) < positive ? 1 : 0);
    }
    dataset.features = Features(std::move(features));
    dataset.labels.codes = clean;
    dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
    dataset.label_name = "y";
    if (has_groups) {
      dataset.groups = {group, {"first", "second"}, {"first", "second"}};
      dataset.group_name = "z";
    }
  }

  void flip(const std::vector<char>& is_wrong) {
    for (std::size_t n = 0; n < clean.size(); ++n) {
      dataset.labels.codes[n] = is_wrong[n] != 0 ? 1 - clean[n] : clean[n];
    }
  }

  std::vector<char> is_wrong() const {
    std::vector<char> wrong(clean.size());
    for (std::size_t n = 0; n < clean.size(); ++n) wrong[n] = dataset.labels.codes[n] != clean[n];
    return wrong;
  }

  // Share of wrong labels among the rows of a group, or of a class.
  static double wrong_share(const std::vector<char>& wrong, const std::vector<std::int32_t>& part,
                            std::int32_t which) {
    double rows = 0, errors = 0;
    for (std::size_t n = 0; n < part.size(); ++n) {
      if (part[n] != which) continue;
      ++rows;
      errors += wrong[n];
    }
    return errors / rows;
  }
};

inline std::vector<char> wrong_by(const TruthTable& table, std::uint64_t seed,
                                  const std::function<double(std::size_t)>& rate) {
  std::vector<char> wrong(table.clean.size());
  for (std::size_t n = 0; n < wrong.size(); ++n) {
    wrong[n] = uniform(seed, Stream::corrupt, n) < rate(n) ? 1 : 0;
  }
  return wrong;
}

// By tenths of the probability, how far it is from the share of right labels.
inline double worst_tenth(const std::vector<double>& right, const std::vector<char>& is_wrong) {
  double worst = 0;
  for (int tenth = 0; tenth < 10; ++tenth) {
    double rows = 0, said = 0, are = 0;
    for (std::size_t n = 0; n < right.size(); ++n) {
      if (std::min(static_cast<int>(10 * right[n]), 9) != tenth) continue;
      ++rows;
      said += right[n];
      are += is_wrong[n] != 0 ? 0 : 1;
    }
    if (rows >= 200) worst = std::max(worst, std::abs(said - are) / rows);
  }
  return worst;
}

// Chance that a wrong label gets a lower probability than a right one.
inline double auroc(const std::vector<double>& right, const std::vector<char>& is_wrong) {
  std::vector<std::size_t> order(right.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return right[a] < right[b]; });
  double wrong = 0, pairs = 0;
  for (const std::size_t n : order) {
    if (is_wrong[n] != 0) {
      ++wrong;
    } else {
      pairs += wrong;
    }
  }
  return pairs / wrong / (static_cast<double>(order.size()) - wrong);
}

}  // namespace noiseplus::testing_support
