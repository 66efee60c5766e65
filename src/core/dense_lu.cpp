#include "core/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace noiseplus {

bool DenseLu::factorize(std::vector<double> matrix, std::size_t n) {
  size_ = n;
  factors_ = std::move(matrix);
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
    }
    if (at(pivot, k) == 0 || !std::isfinite(at(pivot, k))) return false;
    if (pivot != k) {
      const auto row = [&](std::size_t i) {
        return factors_.begin() + static_cast<std::ptrdiff_t>(i * n);
      };
      std::swap_ranges(row(k), row(k + 1), row(pivot));
      std::swap(order_[k], order_[pivot]);
    }
    const double* upper = factors_.data() + k * n;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* lower = factors_.data() + i * n;
      const double factor = lower[k] /= upper[k];
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) lower[j] -= factor * upper[j];
    }
  }
  // What is not finite in the matrix is not finite in the factors.
  return std::all_of(factors_.begin(), factors_.end(), [](double x) { return std::isfinite(x); });
}

std::vector<double> DenseLu::solve(std::span<const double> right) const {
  std::vector<double> x(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    x[i] = right[order_[i]];
    for (std::size_t j = 0; j < i; ++j) x[i] -= at(i, j) * x[j];
  }
  for (std::size_t i = size_; i-- > 0;) {
    for (std::size_t j = i + 1; j < size_; ++j) x[i] -= at(i, j) * x[j];
    x[i] /= at(i, i);
  }
  return x;
}

std::vector<double> DenseLu::solve_transposed(std::span<const double> right) const {
  std::vector<double> z(right.begin(), right.end());
  for (std::size_t i = 0; i < size_; ++i) {
    z[i] /= at(i, i);
    for (std::size_t j = i + 1; j < size_; ++j) z[j] -= at(i, j) * z[i];
  }
  for (std::size_t i = size_; i-- > 0;) {
    for (std::size_t j = 0; j < i; ++j) z[j] -= at(i, j) * z[i];
  }
  std::vector<double> x(size_);
  for (std::size_t i = 0; i < size_; ++i) x[order_[i]] = z[i];
  return x;
}

}  // namespace noiseplus
