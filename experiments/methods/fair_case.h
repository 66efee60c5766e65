// The paper's experiment on fairness with real rows: noise of each group's own rate on training
// labels, a model that is to have equalized odds, and what it does to clean test rows.
#pragma once

#include <optional>

#include "experiments/sets/known_rows.h"
#include "noiseplus/report.h"

namespace noiseplus {

struct ConstraintNoise;

// Rows to train on and to test on, with all that does not change when labels do.
struct FairSet {
  Split rows;
  std::vector<std::vector<std::uint32_t>> group_rows;  // of the training rows
  std::vector<Matrix> group_features;
  std::vector<NeighborGraph> group_graphs;  // neighbors inside the group
  std::uint64_t seed = 0;                   // of graphs and estimates
};

FairSet fair_set(Split rows, std::uint64_t seed, const Execution& execution = {});

enum class FairMethod {
  free,                 // no constraint
  lr,                   // equalized odds by given labels
  group_peer,           // the same with group-peer loss, its deltas the true ones
  balanced,             // noise balanced by group; judged as train_model with `balance` does
  balanced_plain,       // the same, judged by the labels as they then are, as in the paper
  balanced_peer,        // as `balanced`, with peer loss
  balanced_truth,       // as `balanced`, the true rates in place of estimates
  noise_aware,          // judged by clean labels, by way of the true rates
  noise_aware_estimate  // by way of estimated ones
};

// On which rows the rates of a model are counted while it is trained (FairOptions::folds).
enum class CountedRows { unseen, own };

struct FairResult {
  double accuracy = 0, violation = 0;  // on clean test rows, in expectation over the mixture
  // Of the training rows: one standard error of the difference of groups in the rate that is known
  // worst; 0 without a constraint.
  double spread = 0;
  bool by_clean_labels = false;
};

// Labels of one draw of the noise. Methods share its estimates. The set must stay.
class FairCase {
 public:
  FairCase(const FairSet& set, const std::vector<double>& rates, std::uint64_t seed,
           Execution execution = {});

  // Nothing where the method says it is impossible.
  std::optional<FairResult> run(FairMethod method, CountedRows rows = CountedRows::unseen);

  const AuditReport& balanced();  // groups and plan; flips nothing where no group is known

 private:
  AuditReport balanced_with(const std::vector<double>& rates) const;
  enum class JudgedBy { given_labels, best_labels };  // best: as noise_after_balancing says
  FairResult trained_after(const AuditReport& balanced, LossKind loss, JudgedBy judged_by,
                           CountedRows rows) const;
  FairResult constrained(std::span<const std::int32_t> codes, LossKind loss,
                         const ConstraintNoise& noise, CountedRows rows) const;

  const FairSet& set_;
  std::vector<double> rates_;
  std::uint64_t seed_;
  Execution execution_;
  std::vector<std::int32_t> noisy_;
  std::optional<AuditReport> balanced_;
};

// With these labels, whatever they are.
FairResult without_constraint(const FairSet& set, std::span<const std::int32_t> codes,
                              const Execution& execution = {});
FairResult with_constraint(const FairSet& set, std::span<const std::int32_t> codes,
                           const Execution& execution = {});

}  // namespace noiseplus
