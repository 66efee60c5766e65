#include "learn/curvature.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "learn/layers.h"

namespace noiseplus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t widest = 1024;  // a factorisation of some tenths of a second
constexpr std::size_t rows_at_once = 256;

// Each segment of the sample has a matrix of its own.
std::size_t segments_of(std::size_t columns) {
  constexpr std::size_t max_values = std::size_t{1} << 22;
  return std::clamp<std::size_t>(max_values / ((columns + 1) * (columns + 1)), 2, 8);
}

// Enough for every direction that matters to be seen; more change the number of steps little.
std::size_t rows_looked_at(std::size_t rows, std::size_t columns) {
  return std::min(rows, std::max<std::size_t>(16384, 8 * columns));
}

// The mean of p_c (1 - p_c) over the classes.
double doubt(const float* logits, std::size_t classes) {
  std::vector<double> chances(classes);
  find_chances(logits, chances);
  double sum = 0;
  for (const double chance : chances) sum += chance * (1 - chance);
  return sum / static_cast<double>(classes);
}

struct Sample {
  MatrixView rows;
  std::size_t count = 0;
  const PackedLayer* layer = nullptr;  // null: all rows are equally undecided
  TargetsView targets;
  std::span<const float> scales;  // of the columns; empty: all are 1

  std::size_t row(std::size_t i) const {
    return static_cast<std::size_t>(static_cast<double>(i) * static_cast<double>(rows.rows) /
                                    static_cast<double>(count));
  }

  // What row i counts; `logits` are its own, or null.
  double factor(std::size_t i, const float* logits) const {
    const double mean_weight = targets.total() / static_cast<double>(rows.rows);
    const double undecided = logits != nullptr ? doubt(logits, targets.classes()) : 0.25;
    return undecided * std::max(targets.sum_of_row(row(i)), 0.0) / mean_weight;
  }
};

// Multiplies the rows of a block by the roots of what they count.
void weigh(const Sample& sample, std::size_t begin, std::size_t count, std::size_t stride,
           std::vector<float>& block) {
  const std::size_t width = sample.rows.columns + 1;
  std::vector<float> logits;
  std::size_t logit_stride = 0;
  if (sample.layer != nullptr) {
    logit_stride = output_stride(sample.layer->outputs);
    logits.resize(count * logit_stride);
    apply(*sample.layer, {block.data(), stride, count, sample.rows.columns}, logits.data(),
          chosen_product_kernel());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const float* const own = logits.empty() ? nullptr : logits.data() + i * logit_stride;
    const auto factor = static_cast<float>(std::sqrt(sample.factor(begin + i, own)));
    float* const row = block.data() + i * stride;
    for (std::size_t c = 0; c < sample.scales.size(); ++c) row[c] *= sample.scales[c];
    for (std::size_t c = 0; c < width; ++c) row[c] = factor > 0 ? row[c] * factor : 0;
  }
}

// Sums of products of the columns of rows first .. last - 1 of the sample.
MatrixXd sum_products(const Sample& sample, std::size_t first, std::size_t last) {
  const MatrixView rows = sample.rows;
  const std::size_t size = rows.columns + 1;
  const std::size_t stride = padded(size);
  std::vector<float> block(rows_at_once * stride);
  std::vector<float> products(size * stride);
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  const Eigen::Map<const Rows> values(products.data(), index(size), index(stride));
  MatrixXd sum = MatrixXd::Zero(index(size), index(size));
  for (std::size_t begin = first; begin < last; begin += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, last - begin);
    for (std::size_t i = 0; i < count; ++i) {
      float* const row = block.data() + i * stride;
      std::copy_n(rows.row(sample.row(begin + i)), rows.columns, row);
      row[rows.columns] = 1;
    }
    weigh(sample, begin, count, stride, block);
    Product product{size, count, size, block.data()};
    product.left_row_stride = 1;
    product.left_inner_stride = product.right_stride = product.result_stride = stride;
    product.right = block.data();
    product.result = products.data();
    chosen_product_kernel().multiply(product);
    sum += values.leftCols(index(size)).cast<double>();
  }
  return sum;
}

VectorXd sum_squares(const Sample& sample, std::size_t first, std::size_t last) {
  const std::size_t columns = sample.rows.columns;
  VectorXd sum = VectorXd::Zero(static_cast<Eigen::Index>(columns) + 1);
  for (std::size_t i = first; i < last; ++i) {
    const float* const row = sample.rows.row(sample.row(i));
    const double factor = sample.factor(i, nullptr);
    if (factor == 0) continue;
    for (std::size_t c = 0; c < columns; ++c) {
      const double value = row[c];
      sum[static_cast<Eigen::Index>(c)] += factor * value * value;
    }
    sum[sum.size() - 1] += factor;
  }
  return sum;
}

// Products of columns that reach 1e20 are beyond floats, though a model of them is not. Powers of
// two, which cost no digit, that take such columns to about 1; empty where there are none.
std::vector<float> scales_of(const Sample& sample) {
  constexpr float huge = 1e12F;
  const std::size_t columns = sample.rows.columns;
  std::vector<float> largest(columns);
  for (std::size_t i = 0; i < sample.count; ++i) {
    const float* const row = sample.rows.row(sample.row(i));
    for (std::size_t c = 0; c < columns; ++c) largest[c] = std::max(largest[c], std::abs(row[c]));
  }
  if (std::all_of(largest.begin(), largest.end(), [](float value) { return value < huge; })) {
    return {};
  }
  for (float& value : largest) value = value < huge ? 1 : std::ldexp(1.0F, -std::ilogb(value));
  return largest;
}

}  // namespace

Curvature::Curvature(MatrixView rows, TargetsView targets, ThreadPool& pool)
    : rows_(rows), pool_(pool) {
  if (!is_wide()) {
    scales_ = scales_of({rows, rows_looked_at(rows.rows, rows.columns), nullptr, targets, {}});
  }
  sum(nullptr, targets);
  first_moments_ = moments_;
}

void Curvature::restart() {
  moments_ = first_moments_;
  ridge_ = -1;
}

bool Curvature::is_wide() const {
  return rows_.columns > widest;
}

void Curvature::look(const PackedLayer& layer, TargetsView targets) {
  if (!is_wide()) sum(&layer, targets);
}

void Curvature::sum(const PackedLayer* layer, TargetsView targets) {
  const Sample sample{rows_, rows_looked_at(rows_.rows, is_wide() ? 0 : rows_.columns), layer,
                      targets, scales_};
  const std::size_t segments = segments_of(rows_.columns);
  std::vector<MatrixXd> parts(segments);
  pool_.for_each(segments, [&](std::size_t s) {
    const std::size_t first = s * sample.count / segments;
    const std::size_t last = (s + 1) * sample.count / segments;
    if (is_wide()) {
      parts[s] = sum_squares(sample, first, last);
    } else {
      parts[s] = sum_products(sample, first, last);
    }
  });
  moments_ = parts[0];
  for (std::size_t s = 1; s < segments; ++s) moments_ += parts[s];
  moments_ /= static_cast<double>(sample.count);
  ridge_ = -1;
}

void Curvature::set_ridge(double ridge) {
  if (ridge == ridge_) return;
  ridge_ = ridge;
  const Eigen::Index size = moments_.rows();
  // Columns that are zero or repeat each other must not make the matrix singular, and a large
  // column must not hide a small one: each gets a floor of its own.
  const VectorXd own =
      moments_.cols() == 1 ? VectorXd(moments_.col(0)) : VectorXd(moments_.diagonal());
  VectorXd added = VectorXd::Constant(size, 1e-30);
  added.head(size - 1).array() += ridge;
  for (std::size_t c = 0; c < scales_.size(); ++c) {
    const double scale = scales_[c];
    added[static_cast<Eigen::Index>(c)] *= scale * scale;
  }
  added += 1e-6 * own;
  diagonal_.resize(0);
  if (moments_.cols() == 1 && size > 1) {
    diagonal_ = own + added;
    return;
  }
  MatrixXd matrix = moments_;
  matrix.diagonal() += added;
  factors_.compute(matrix);
  if (factors_.info() != Eigen::Success) diagonal_ = own + added;
}

void Curvature::divide(VectorXd& gradient, std::size_t outputs) const {
  const auto inputs = moments_.rows() - 1;
  const auto count = static_cast<Eigen::Index>(outputs);
  MatrixXd columns(inputs + 1, count);
  const auto scale = [&] {
    for (std::size_t c = 0; c < scales_.size(); ++c) {
      columns.row(static_cast<Eigen::Index>(c)) *= scales_[c];
    }
  };
  for (Eigen::Index o = 0; o < count; ++o) {
    columns.col(o).head(inputs) = gradient.segment(o * inputs, inputs);
    columns(inputs, o) = gradient[count * inputs + o];
  }
  scale();
  if (diagonal_.size() > 0) {
    columns.array().colwise() /= diagonal_.array();
  } else {
    factors_.solveInPlace(columns);
  }
  scale();
  for (Eigen::Index o = 0; o < count; ++o) {
    gradient.segment(o * inputs, inputs) = columns.col(o).head(inputs);
    gradient[count * inputs + o] = columns(inputs, o);
  }
}

}  // namespace noiseplus
