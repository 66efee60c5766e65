// Groups of which an unconstrained model treats each differently, with clean labels known.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "noiseplus/fair.h"

namespace noiseplus::testing_support {

struct GroupSample {
  Matrix rows;
  std::vector<std::int32_t> clean, codes, groups;  // codes: the labels given
  std::vector<std::string> names;

  GivenLabels labels() const { return {codes, 2}; }
};

// Two classes that overlap, with a share base_rates[z] of positives in group z; the label leans on
// the group, and so will a model. Rows are dealt to the groups in turn.
inline GroupSample group_sample(std::size_t n, const std::vector<double>& base_rates,
                                std::uint64_t seed = 1) {
  GroupSample sample;
  sample.rows = Matrix(n, 3);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t z = i % base_rates.size();
    const bool is_positive = uniform(seed, Stream::generate, i) < base_rates[z];
    float* row = sample.rows.row(i);
    row[0] = static_cast<float>(normal(seed, Stream::generate, i, 1) + (is_positive ? 1.5 : 0));
    row[1] = static_cast<float>(z);
    row[2] = static_cast<float>(normal(seed, Stream::generate, i, 2));
    sample.clean.push_back(is_positive ? 1 : 0);
    sample.groups.push_back(static_cast<std::int32_t>(z));
  }
  sample.codes = sample.clean;
  for (std::size_t z = 0; z < base_rates.size(); ++z) {
    sample.names.push_back(std::string(1, static_cast<char>('a' + z)));
  }
  return sample;
}

// Five copies of each row, `wrong` of them with the other label: noise of rate wrong / 5 that is
// exactly its own expectation, so that what is left is not chance.
inline GroupSample five_fold(const GroupSample& once, std::size_t wrong) {
  GroupSample sample{Matrix(5 * once.rows.rows(), once.rows.columns()), {}, {}, {}, once.names};
  for (std::size_t i = 0; i < sample.rows.rows(); ++i) {
    const std::size_t from = i / 5;
    std::copy_n(once.rows.row(from), once.rows.columns(), sample.rows.row(i));
    sample.clean.push_back(once.clean[from]);
    sample.codes.push_back(i % 5 < wrong ? 1 - once.clean[from] : once.clean[from]);
    sample.groups.push_back(once.groups[from]);
  }
  return sample;
}

// Rates of each group and, last, of all rows: counted one row after the other, by the
// probabilities of the answers.
struct CountedRates {
  std::vector<double> tpr, fpr, positive, error;
};

inline CountedRates counted_rates(const Mixture& mixture, const GroupSample& sample,
                                  const std::vector<std::int32_t>& codes,
                                  std::size_t positive = 1) {
  const Matrix answers = probabilities(mixture, sample.rows.view());
  const std::size_t parts = sample.names.size() + 1;
  std::vector<double> rows[2] = {std::vector<double>(parts), std::vector<double>(parts)};
  std::vector<double> called[2] = {std::vector<double>(parts), std::vector<double>(parts)};
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const std::size_t is_positive = static_cast<std::size_t>(codes[n]) == positive ? 1 : 0;
    for (const std::size_t part : {static_cast<std::size_t>(sample.groups[n]), parts - 1}) {
      rows[is_positive][part] += 1;
      called[is_positive][part] += static_cast<double>(answers.row(n)[positive]);
    }
  }
  CountedRates rates;
  for (std::size_t z = 0; z < parts; ++z) {
    const double all = rows[0][z] + rows[1][z];
    rates.tpr.push_back(called[1][z] / rows[1][z]);
    rates.fpr.push_back(called[0][z] / rows[0][z]);
    rates.positive.push_back((called[0][z] + called[1][z]) / all);
    rates.error.push_back((called[0][z] + rows[1][z] - called[1][z]) / all);
  }
  return rates;
}

// How far a group is from all rows, at most.
inline double furthest(const std::vector<double>& rates) {
  double furthest = 0;
  for (const double rate : rates) furthest = std::max(furthest, std::abs(rate - rates.back()));
  return furthest;
}

inline double furthest(Constraint constraint, const CountedRates& rates) {
  switch (constraint) {
    case Constraint::equalized_odds:
      return std::max(furthest(rates.tpr), furthest(rates.fpr));
    case Constraint::equal_opportunity:
      return furthest(rates.tpr);
    case Constraint::demographic_parity:
      return furthest(rates.positive);
    case Constraint::fpr_parity:
      return furthest(rates.fpr);
    case Constraint::error_parity:
      return furthest(rates.error);
  }
  return NAN;
}

inline FairOptions fair_options(const GroupSample& sample,
                                Constraint constraint = Constraint::equalized_odds) {
  FairOptions options;
  options.constraint = constraint;
  options.group_names = sample.names;
  return options;
}

inline FairTrainResult train_fairly(const GroupSample& sample, const FairOptions& options,
                                    const TrainOptions& train = {},
                                    const Execution& execution = {}) {
  return train_fair(sample.rows.view(), sample.labels(), sample.groups, train, options, execution);
}

}  // namespace noiseplus::testing_support
