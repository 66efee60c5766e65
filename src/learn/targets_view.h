// What trainers minimize, stored in full or as labels alone. Internal to the learn stage.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "noiseplus/learn.h"

namespace noiseplus {

// Targets whose rows weigh nothing but their label: of cross entropy and, with a transition matrix,
// of forward correction. Takes 4 bytes per row, where Targets takes 4 per row and class.
struct LabelTargets {
  std::span<const std::int32_t> codes;  // not owned
  std::size_t classes = 2;
  std::vector<float> weights;  // of each row's label
  double total = 0;
  std::vector<double> transition;
};

// As cross_entropy_targets and forward_targets, which throw the same.
LabelTargets label_targets(const GivenLabels& labels);
LabelTargets forward_label_targets(const GivenLabels& labels, std::span<const double> transition);

// As hold_out of Targets.
void hold_out(LabelTargets& targets, std::span<const std::uint32_t> rows,
              const GivenLabels& labels);

using AnyTargets = std::variant<LabelTargets, Targets>;

// Reads either. What it is made of must outlive it and stay as it is.
class TargetsView {
 public:
  TargetsView(const Targets& targets);       // NOLINT(google-explicit-constructor): a view
  TargetsView(const LabelTargets& targets);  // NOLINT(google-explicit-constructor): a view
  TargetsView(const AnyTargets& targets);    // NOLINT(google-explicit-constructor): a view

  std::size_t rows() const { return rows_; }
  std::size_t classes() const { return classes_; }
  double total() const { return total_; }
  std::span<const double> transition() const { return transition_; }

  // Stored one after another: of all classes, or of the labels alone.
  std::span<const float> stored_weights() const { return weights_; }

  float weight(std::size_t row, std::size_t code) const {
    if (codes_ == nullptr) return weights_[row * classes_ + code];
    return is_label(row, code) ? weights_[row] : 0;
  }

  // Whether a weight of the row is not zero.
  bool counts(std::size_t row) const;

  double sum_of_row(std::size_t row) const;

  // The weights of `count` rows from `begin` on, K each; in `room` where they are not stored so.
  const float* block(std::size_t begin, std::size_t count, std::vector<float>& room) const;

  // The K weights of a row.
  void copy_row(std::size_t row, float* to) const;

 private:
  bool is_label(std::size_t row, std::size_t code) const {
    return static_cast<std::size_t>(codes_[row]) == code;
  }

  std::size_t rows_, classes_;
  double total_;
  std::span<const double> transition_;
  std::span<const float> weights_;
  const std::int32_t* codes_ = nullptr;  // null: weights are of all classes
};

// Rows whose targets are not all zero.
std::vector<std::uint32_t> rows_that_count(TargetsView targets);

}  // namespace noiseplus
