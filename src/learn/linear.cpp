#include <Eigen/Core>
#include <cmath>

#include "learn/lbfgs.h"
#include "noiseplus/two_class.h"
#include "util/thread_pool.h"

namespace noiseplus {
namespace {

using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Rows are summed in blocks of fixed size and the blocks in order, so that the sum does not depend
// on the number of threads.
constexpr std::size_t rows_in_block = 1024;

struct BlockSum {
  double loss = 0;
  VectorXd gradient;
};

class CrossEntropy {
 public:
  CrossEntropy(MatrixView rows, std::span<const std::int32_t> codes, double ridge, ThreadPool& pool,
               ProgressMeter& meter)
      : rows_(rows),
        codes_(codes),
        ridge_(ridge),
        pool_(pool),
        meter_(meter),
        blocks_((rows.rows + rows_in_block - 1) / rows_in_block) {}

  double operator()(const VectorXd& x, VectorXd& gradient) {
    pool_.for_each(blocks_.size(), [&](std::size_t b) { sum_block(b, x); });
    const auto d = static_cast<Eigen::Index>(rows_.columns);
    gradient.setZero();
    double loss = 0;
    for (const BlockSum& block : blocks_) {
      loss += block.loss;
      gradient += block.gradient;
    }
    const auto n = static_cast<double>(rows_.rows);
    gradient /= n;
    gradient.head(d) += ridge_ * x.head(d);
    meter_.step();
    return loss / n + ridge_ / 2 * x.head(d).squaredNorm();
  }

 private:
  void sum_block(std::size_t b, const VectorXd& x) {
    const std::size_t begin = b * rows_in_block;
    const std::size_t count = std::min(rows_in_block, rows_.rows - begin);
    const auto d = static_cast<Eigen::Index>(rows_.columns);
    const Eigen::Map<const RowMajor> values(rows_.row(begin), static_cast<Eigen::Index>(count), d);
    const Eigen::VectorXf weights = x.head(d).cast<float>();
    const Eigen::VectorXf logits = values * weights;
    Eigen::VectorXf residual(static_cast<Eigen::Index>(count));
    BlockSum& block = blocks_[b];
    block.loss = 0;
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      const double logit = static_cast<double>(logits[i]) + x[d];
      const int y = codes_[begin + static_cast<std::size_t>(i)];
      // log(1 + exp(-|z|)) never overflows.
      const double tail = std::exp(-std::abs(logit));
      block.loss += std::log1p(tail) + std::max(logit, 0.0) - y * logit;
      residual[i] = static_cast<float>((logit >= 0 ? 1 : tail) / (1 + tail) - y);
    }
    block.gradient.resize(d + 1);
    block.gradient.head(d) = (values.transpose() * residual).cast<double>();
    block.gradient[d] = residual.cast<double>().sum();
  }

  MatrixView rows_;
  std::span<const std::int32_t> codes_;
  double ridge_;
  ThreadPool& pool_;
  ProgressMeter& meter_;
  std::vector<BlockSum> blocks_;
};

}  // namespace

double LinearModel::score(const float* row) const {
  double sum = bias;
  for (std::size_t c = 0; c < weights.size(); ++c) sum += weights[c] * static_cast<double>(row[c]);
  return sum;
}

LinearModel train_linear(MatrixView rows, std::span<const std::int32_t> codes,
                         const TwoClassOptions& options, const Execution& execution) {
  if (codes.size() != rows.rows) {
    throw Error(ErrorKind::usage, "training needs one label for each row");
  }
  ThreadPool pool(execution.threads);
  ProgressMeter meter(execution, "training", static_cast<std::size_t>(options.most_steps));
  CrossEntropy loss(rows, codes, options.ridge, pool, meter);
  LbfgsOptions lbfgs;
  lbfgs.most_steps = options.most_steps;
  lbfgs.tolerance = options.tolerance;
  VectorXd x = VectorXd::Zero(static_cast<Eigen::Index>(rows.columns) + 1);
  minimise(std::ref(loss), x, lbfgs);
  LinearModel model;
  model.weights.assign(x.data(), x.data() + rows.columns);
  model.bias = x[static_cast<Eigen::Index>(rows.columns)];
  return model;
}

double accuracy(const LinearModel& model, MatrixView rows, std::span<const std::int32_t> codes) {
  std::size_t right = 0;
  for (std::size_t n = 0; n < rows.rows; ++n) {
    right += (model.score(rows.row(n)) > 0) == (codes[n] == 1) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(rows.rows);
}

}  // namespace noiseplus
