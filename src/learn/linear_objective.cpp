#include "learn/linear_objective.h"

#include <algorithm>

namespace noiseplus {
namespace {

using Eigen::VectorXd;

std::size_t divided_up(std::size_t count, std::size_t by) {
  return (count + by - 1) / by;
}

// Many segments keep many threads busy; each has a gradient of its own, though.
std::size_t max_segments(std::size_t parameters) {
  constexpr std::size_t max_values = std::size_t{1} << 22;
  return std::clamp<std::size_t>(max_values / std::max<std::size_t>(parameters, 1), 8, 64);
}

}  // namespace

LinearObjective::LinearObjective(MatrixView rows, TargetsView targets, double ridge,
                                 ThreadPool& pool, ProgressMeter& meter)
    : rows_(rows),
      targets_(targets),
      ridge_(ridge),
      pool_(pool),
      meter_(meter),
      products_(chosen_product_kernel()),
      losses_(chosen_loss_kernel()),
      block_(rows_in_block(rows.columns)),
      layer_(rows.columns, outputs_of(targets.classes())) {
  const std::size_t segments = max_segments(static_cast<std::size_t>(parameters()));
  blocks_a_segment_ = divided_up(blocks(), segments);
  segments_.resize(divided_up(blocks(), blocks_a_segment_));
}

Eigen::Index LinearObjective::parameters() const {
  return static_cast<Eigen::Index>((layer_.inputs + 1) * layer_.outputs);
}

std::size_t LinearObjective::blocks() const {
  return divided_up(rows_.rows, block_);
}

double LinearObjective::operator()(const VectorXd& x, VectorXd& gradient) {
  pack(x);
  pool_.for_each(segments_.size(), [&](std::size_t s) { sum_segment(s); });
  gradient.setZero();
  double loss = 0;
  for (const Segment& segment : segments_) {
    loss += segment.loss;
    gradient += segment.gradient;
  }
  gradient /= targets_.total();
  const auto penalized = static_cast<Eigen::Index>(layer_.inputs * layer_.outputs);
  gradient.head(penalized) += ridge_ * x.head(penalized);
  return loss / targets_.total() + ridge_ / 2 * x.head(penalized).squaredNorm();
}

void LinearObjective::pack(const VectorXd& x) {
  const auto inputs = static_cast<Eigen::Index>(layer_.inputs);
  for (std::size_t o = 0; o < layer_.outputs; ++o) {
    const auto first = static_cast<Eigen::Index>(o) * inputs;
    for (Eigen::Index i = 0; i < inputs; ++i) {
      layer_.weight(static_cast<std::size_t>(i), o) = static_cast<float>(x[first + i]);
    }
    layer_.biases[o] = static_cast<float>(
        x[static_cast<Eigen::Index>(layer_.outputs) * inputs + static_cast<Eigen::Index>(o)]);
  }
}

void LinearObjective::sum_segment(std::size_t s) {
  Segment& segment = segments_[s];
  segment.loss = 0;
  segment.gradient.setZero(parameters());
  Room room{std::vector<float>(block_ * output_stride(layer_.outputs)),
            std::vector<float>(layer_.outputs * padded(layer_.inputs)),
            {}};
  const std::size_t first = s * blocks_a_segment_;
  const std::size_t last = std::min(first + blocks_a_segment_, blocks());
  for (std::size_t b = first; b < last; ++b) {
    const std::size_t begin = b * block_;
    add_block(begin, std::min(block_, rows_.rows - begin), segment, room);
    meter_.step();
  }
}

void LinearObjective::add_block(std::size_t begin, std::size_t count, Segment& segment,
                                Room& room) const {
  std::vector<float>&logits = room.logits, &sums = room.sums;
  const std::size_t outputs = layer_.outputs;
  const std::size_t stride = output_stride(outputs);
  const RowBlock block{rows_.row(begin), rows_.columns, count, rows_.columns};
  apply(layer_, block, logits.data(), products_);
  const RowLosses losses{count, targets_.classes(), logits.data(), stride,
                         targets_.block(begin, count, room.weights)};
  if (!targets_.transition().empty()) {
    segment.loss += forward_losses(losses, targets_.transition());
  } else {
    segment.loss += outputs == 1 ? losses_.logistic(losses) : losses_.softmax(losses);
  }
  if (outputs == 1) {
    products_.weighted_sum(block, logits.data(), sums.data());
  } else {
    Product product{outputs, count, layer_.inputs, logits.data()};
    product.left_row_stride = 1;
    product.left_inner_stride = stride;
    product.right = block.values;
    product.right_stride = block.stride;
    product.result = sums.data();
    product.result_stride = padded(layer_.inputs);
    products_.multiply(product);
  }
  const auto inputs = static_cast<Eigen::Index>(layer_.inputs);
  for (std::size_t o = 0; o < outputs; ++o) {
    const Eigen::Map<const Eigen::VectorXf> sum(sums.data() + o * padded(layer_.inputs), inputs);
    const auto place = static_cast<Eigen::Index>(o);
    segment.gradient.segment(place * inputs, inputs) += sum.cast<double>();
    double bias = 0;
    for (std::size_t i = 0; i < count; ++i) bias += static_cast<double>(logits[i * stride + o]);
    segment.gradient[static_cast<Eigen::Index>(outputs) * inputs + place] += bias;
  }
}

VectorXd parameters_of(const Layer& layer) {
  VectorXd x(static_cast<Eigen::Index>((layer.inputs + 1) * layer.outputs));
  Eigen::Index at = 0;
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      x[at++] = static_cast<double>(layer.weights[i * layer.outputs + o]);
    }
  }
  for (const float bias : layer.biases) x[at++] = static_cast<double>(bias);
  return x;
}

Layer layer_of(const VectorXd& x, std::size_t inputs, std::size_t outputs) {
  Layer layer{inputs, outputs, std::vector<float>(inputs * outputs), std::vector<float>(outputs)};
  Eigen::Index at = 0;
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) {
      layer.weights[i * outputs + o] = static_cast<float>(x[at++]);
    }
  }
  for (float& bias : layer.biases) bias = static_cast<float>(x[at++]);
  return layer;
}

}  // namespace noiseplus
