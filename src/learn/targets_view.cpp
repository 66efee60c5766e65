#include "learn/targets_view.h"

#include <algorithm>
#include <numeric>

#include "core/row_count.h"

namespace noiseplus {

TargetsView::TargetsView(const Targets& targets)
    : rows_(targets.weights.rows()),
      classes_(targets.weights.columns()),
      total_(targets.total),
      transition_(targets.transition),
      weights_(targets.weights.view().data, rows_ * classes_) {}

TargetsView::TargetsView(const LabelTargets& targets)
    : rows_(targets.weights.size()),
      classes_(targets.classes),
      total_(targets.total),
      transition_(targets.transition),
      weights_(targets.weights),
      codes_(targets.codes.data()) {}

TargetsView::TargetsView(const AnyTargets& targets)
    : TargetsView(std::visit([](const auto& own) { return TargetsView(own); }, targets)) {}

bool TargetsView::counts(std::size_t row) const {
  if (codes_ != nullptr) return weights_[row] != 0;
  const std::span<const float> own = weights_.subspan(row * classes_, classes_);
  return std::any_of(own.begin(), own.end(), [](float weight) { return weight != 0; });
}

double TargetsView::sum_of_row(std::size_t row) const {
  if (codes_ != nullptr) return double{weights_[row]};
  const std::span<const float> own = weights_.subspan(row * classes_, classes_);
  return std::accumulate(own.begin(), own.end(), 0.0,
                         [](double sum, float weight) { return sum + double{weight}; });
}

const float* TargetsView::block(std::size_t begin, std::size_t count,
                                std::vector<float>& room) const {
  if (codes_ == nullptr) return weights_.data() + begin * classes_;
  room.assign(count * classes_, 0);
  for (std::size_t i = 0; i < count; ++i) {
    room[i * classes_ + static_cast<std::size_t>(codes_[begin + i])] = weights_[begin + i];
  }
  return room.data();
}

void TargetsView::copy_row(std::size_t row, float* to) const {
  if (codes_ == nullptr) {
    std::copy_n(weights_.data() + row * classes_, classes_, to);
  } else {
    std::fill_n(to, classes_, 0.0F);
    to[codes_[row]] = weights_[row];
  }
}

std::vector<std::uint32_t> rows_that_count(TargetsView targets) {
  check_row_count(targets.rows());
  std::vector<std::uint32_t> rows;
  for (std::size_t n = 0; n < targets.rows(); ++n) {
    if (targets.counts(n)) rows.push_back(static_cast<std::uint32_t>(n));
  }
  return rows;
}

}  // namespace noiseplus
