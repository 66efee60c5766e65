#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "core/eigen_solvers.h"
#include "learn/checks.h"
#include "learn/labels.h"
#include "learn/targets_view.h"
#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

using MatrixXd = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Each row gets `row_of(n)` times its weight.
template <typename RowOf>
Targets make_targets(const GivenLabels& labels, const RowOf& row_of) {
  check_labels(labels);
  Targets targets;
  targets.weights = Matrix(labels.codes.size(), labels.classes);
  const double scale = weight_scale(labels);
  for (std::size_t n = 0; n < labels.codes.size(); ++n) {
    const double weight = scale * row_weight(labels, n);
    targets.total += weight;
    row_of(n, weight, targets.weights.row(n));
  }
  return targets;
}

Targets in_full(LabelTargets labels) {
  const TargetsView view(labels);
  Targets targets{Matrix(view.rows(), view.classes()), labels.total, std::move(labels.transition)};
  for (std::size_t n = 0; n < view.rows(); ++n) view.copy_row(n, targets.weights.row(n));
  return targets;
}

void set_to_zero(Targets& targets, std::size_t row) {
  std::fill_n(targets.weights.row(row), targets.weights.columns(), 0.0F);
}

void set_to_zero(LabelTargets& targets, std::size_t row) {
  targets.weights[row] = 0;
}

template <typename OwnTargets>
void hold_out_rows(OwnTargets& targets, std::span<const std::uint32_t> rows,
                   const GivenLabels& labels) {
  const std::size_t all = TargetsView(targets).rows();
  check_labels(labels);
  check_one_per_row(labels.codes.size(), all);
  if (rows.empty()) return;
  for (const std::uint32_t n : rows) {
    if (n >= all) {
      throw Error(ErrorKind::usage,
                  "row " + std::to_string(n) + " is to be held out, of " + std::to_string(all));
    }
    set_to_zero(targets, n);
  }
  // Summed anew: a difference of large weights would leave nothing but rounding.
  const double scale = weight_scale(labels);
  targets.total = 0;
  for (const std::uint32_t n : rows_that_count(targets)) {
    targets.total += scale * row_weight(labels, n);
  }
}

// inverse(T), checked by what it gives back.
std::vector<double> inverse_of(std::span<const double> transition, std::size_t classes) {
  const auto size = static_cast<Eigen::Index>(classes);
  const Eigen::Map<const MatrixXd> matrix(transition.data(), size, size);
  const Eigen::FullPivLU<Eigen::MatrixXd> factors(matrix);
  const Eigen::MatrixXd inverse = factors.inverse();
  constexpr double largest_entry = 1e4;
  if (!factors.isInvertible() || !inverse.allFinite() ||
      inverse.cwiseAbs().maxCoeff() > largest_entry) {
    throw Error(ErrorKind::impossible,
                "the transition matrix cannot be inverted: it leaves two classes alike, so the "
                "noise cannot be undone; correct the matrix, or use --loss peer");
  }
  std::vector<double> values(classes * classes);
  Eigen::Map<MatrixXd>(values.data(), size, size) = inverse;
  return values;
}

// Rows drawn with chances as their weights.
class WeightedRows {
 public:
  explicit WeightedRows(const GivenLabels& labels) : sums_(labels.codes.size()) {
    double sum = 0;
    for (std::size_t n = 0; n < sums_.size(); ++n) sums_[n] = sum += row_weight(labels, n);
  }
  std::size_t at(double uniform) const {
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), uniform * sums_.back());
    return std::min(static_cast<std::size_t>(found - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_;
};

void check_alpha(double alpha) {
  if (alpha < 1 && alpha > -100) return;
  throw Error(ErrorKind::usage,
              "alpha is " + format_number(alpha) +
                  "; peer loss needs one below 1, or a constant model would be the best");
}

}  // namespace

double weight_scale(const GivenLabels& labels) {
  if (labels.row_weights.empty()) return 1;
  double sum = 0;
  for (const float weight : labels.row_weights) sum += static_cast<double>(weight);
  return sum > 0 ? static_cast<double>(labels.row_weights.size()) / sum : 1;
}

std::vector<double> label_shares(const GivenLabels& labels) {
  std::vector<double> shares(labels.classes);
  double total = 0;
  for (std::size_t n = 0; n < labels.codes.size(); ++n) {
    shares[static_cast<std::size_t>(labels.codes[n])] += row_weight(labels, n);
    total += row_weight(labels, n);
  }
  for (double& share : shares) share /= total > 0 ? total : 1;
  return shares;
}

LabelTargets label_targets(const GivenLabels& labels) {
  check_labels(labels);
  LabelTargets targets{
      labels.codes, labels.classes, std::vector<float>(labels.codes.size()), 0, {}};
  const double scale = weight_scale(labels);
  for (std::size_t n = 0; n < labels.codes.size(); ++n) {
    const double weight = scale * row_weight(labels, n);
    targets.total += weight;
    targets.weights[n] = static_cast<float>(weight);
  }
  return targets;
}

Targets cross_entropy_targets(const GivenLabels& labels) {
  return in_full(label_targets(labels));
}

Targets backward_targets(const GivenLabels& labels, std::span<const double> transition) {
  check_labels(labels);
  check_transition(transition, labels.classes);
  const std::vector<double> inverse = inverse_of(transition, labels.classes);
  return make_targets(labels, [&](std::size_t n, double weight, float* row) {
    const double* from =
        inverse.data() + static_cast<std::size_t>(labels.codes[n]) * labels.classes;
    for (std::size_t c = 0; c < labels.classes; ++c) row[c] = static_cast<float>(weight * from[c]);
  });
}

LabelTargets forward_label_targets(const GivenLabels& labels, std::span<const double> transition) {
  check_labels(labels);
  check_transition(transition, labels.classes);
  inverse_of(transition, labels.classes);  // where there is none, every model fits as well
  LabelTargets targets = label_targets(labels);
  targets.transition.assign(transition.begin(), transition.end());
  return targets;
}

Targets forward_targets(const GivenLabels& labels, std::span<const double> transition) {
  return in_full(forward_label_targets(labels, transition));
}

Targets peer_targets(const GivenLabels& labels, double alpha) {
  check_labels(labels);
  check_alpha(alpha);
  const std::vector<double> shares = label_shares(labels);
  return make_targets(labels, [&](std::size_t n, double weight, float* row) {
    for (std::size_t c = 0; c < labels.classes; ++c) {
      const double own = static_cast<std::size_t>(labels.codes[n]) == c ? 1 : 0;
      row[c] = static_cast<float>(weight * (own - alpha * shares[c]));
    }
  });
}

Targets sampled_peer_targets(const GivenLabels& labels, double alpha, std::uint64_t seed,
                             std::uint64_t draw) {
  check_alpha(alpha);
  Targets targets = cross_entropy_targets(labels);
  const WeightedRows rows(labels);
  const double scale = weight_scale(labels);
  for (std::size_t n = 0; n < labels.codes.size(); ++n) {
    const std::size_t features = rows.at(uniform(seed, Stream::peers, n, 2 * draw));
    const std::size_t label = rows.at(uniform(seed, Stream::peers, n, 2 * draw + 1));
    targets.weights.row(features)[labels.codes[label]] -=
        static_cast<float>(alpha * scale * row_weight(labels, n));
  }
  return targets;
}

Targets group_peer_targets(const GivenLabels& labels, const GroupPeer& peer) {
  check_labels(labels);
  check_alpha(peer.alpha);
  const std::size_t groups = peer.deltas.size();
  if (peer.groups.size() != labels.codes.size()) {
    throw Error(ErrorKind::usage,
                "group peer loss needs a group for each row and a delta for each group");
  }
  check_codes(peer.groups, groups, "group");
  for (const double delta : peer.deltas) {
    if (delta > 0 && delta <= 1) continue;
    throw Error(ErrorKind::usage,
                "delta is 1 - e+ - e-, above 0 and at most 1, not " + format_number(delta));
  }
  std::vector<double> rows(groups);
  std::vector<double> shares(groups * labels.classes);  // of the labels in each group
  double total = 0;
  double inverse = 0;  // mean of 1 / delta
  for (std::size_t n = 0; n < labels.codes.size(); ++n) {
    const auto g = static_cast<std::size_t>(peer.groups[n]);
    const double weight = row_weight(labels, n);
    rows[g] += weight;
    shares[g * labels.classes + static_cast<std::size_t>(labels.codes[n])] += weight;
    total += weight;
    inverse += weight / peer.deltas[g];
  }
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] /= std::max(rows[i / labels.classes], 1e-300);
  }
  inverse /= std::max(total, 1e-300);
  const std::vector<double> all_shares = label_shares(labels);
  return make_targets(labels, [&](std::size_t n, double weight, float* row) {
    const auto g = static_cast<std::size_t>(peer.groups[n]);
    for (std::size_t c = 0; c < labels.classes; ++c) {
      const double own = static_cast<std::size_t>(labels.codes[n]) == c ? 1 / peer.deltas[g] : 0;
      const double peers = peer.peers_from_all_rows
                               ? inverse * all_shares[c]
                               : shares[g * labels.classes + c] / peer.deltas[g];
      row[c] = static_cast<float>(weight * (own - peer.alpha * peers));
    }
  });
}

void hold_out(Targets& targets, std::span<const std::uint32_t> rows, const GivenLabels& labels) {
  hold_out_rows(targets, rows, labels);
}

void hold_out(LabelTargets& targets, std::span<const std::uint32_t> rows,
              const GivenLabels& labels) {
  hold_out_rows(targets, rows, labels);
}

}  // namespace noiseplus
