#include "noise/curve/curve_many_errors.h"

#include <algorithm>
#include <cmath>

#include "core/eigen_solvers.h"
#include "noise/row_blocks.h"

namespace noiseplus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t rows_at_once = 256;  // that fit into a cache

// Relative to a parameter's own information: where nothing tells parameters apart (one number added
// to all intercepts), any of the equivalent answers will do.
constexpr double ridge = 1e-10;

// How the estimated rates answer to a row: what it adds to the derivatives of the log likelihood in
// the weights, the intercepts and the cells of T, times these. Column a is of the rate of class a.
struct Answers {
  MatrixXd weights;     // features x K
  MatrixXd intercepts;  // K x K; with the others held fixed, only (a, a) is not 0
  // Of the cells (i, label): K x K a label, (i, a) at i * K + a; with the others held fixed, one
  // matrix of (label, a) at label * K + a, as only i = a is not 0.
  std::vector<RowMajor> cells;
};

class Solver {
 public:
  Solver(const ManyClassFit& fit, const Information& information)
      : fit_(fit),
        information_(information),
        classes_(fit.transition.rows()),
        features_(static_cast<Index>(fit.logs.size())) {}

  Answers of_all() const;
  Answers of_each_alone() const;

 private:
  double t(Index i, Index j) const { return fit_.transition(i, j); }
  // Entries of the expected second derivatives, with cells of T as if they were free.
  double cell_cell(Index i, Index k, Index label) const {
    const double prior = i == k ? fit_.pseudo_count / (t(i, label) * t(i, label)) : 0;
    return information_.pair(label, i, k) + prior;
  }
  double cell_intercept(Index i, Index label, Index k) const {
    return t(k, label) * information_.pair(label, i, k) - information_.own(i, k);
  }
  double intercept_intercept(Index k, Index l) const {
    double sum = -information_.own(k, l);
    for (Index y = 0; y < classes_; ++y) sum += t(k, y) * t(l, y) * information_.pair(y, k, l);
    return sum;
  }
  double intercept_weight(Index k, Index feature) const {
    double sum = 0;
    for (Index y = 0; y < classes_; ++y) sum += t(k, y) * information_.slope(feature, y, k);
    return sum;
  }

  // Free parameters: weights, intercepts, cells off the diagonal of T. What a cell gains, the
  // diagonal of its row loses.
  Index free_parameters() const { return features_ + classes_ + classes_ * (classes_ - 1); }
  Index free_cell(Index i, Index j) const {
    return features_ + classes_ + i * (classes_ - 1) + (j < i ? j : j - 1);
  }
  double free_cells(Index i, Index j, Index k, Index l) const {
    double entry = j == l ? cell_cell(i, k, j) : 0;
    if (j == k) entry -= cell_cell(i, k, j);
    if (i == l) entry -= cell_cell(i, k, i);
    if (i == k) entry += cell_cell(i, k, i);
    return entry;
  }
  MatrixXd second_derivatives() const;

  const ManyClassFit& fit_;
  const Information& information_;
  Index classes_, features_;
};

MatrixXd Solver::second_derivatives() const {
  MatrixXd matrix(free_parameters(), free_parameters());
  for (Index f = 0; f < features_; ++f) {
    for (Index g = 0; g < features_; ++g) matrix(f, g) = information_.weight(f, g);
    for (Index k = 0; k < classes_; ++k) {
      matrix(features_ + k, f) = matrix(f, features_ + k) = intercept_weight(k, f);
    }
  }
  for (Index k = 0; k < classes_; ++k) {
    for (Index l = 0; l < classes_; ++l) {
      matrix(features_ + k, features_ + l) = intercept_intercept(k, l);
    }
  }
  for (Index i = 0; i < classes_; ++i) {
    for (Index j = 0; j < classes_; ++j) {
      if (i == j) continue;
      const Index at = free_cell(i, j);
      for (Index f = 0; f < features_; ++f) {
        matrix(f, at) = matrix(at, f) = information_.slope(f, j, i) - information_.slope(f, i, i);
      }
      for (Index k = 0; k < classes_; ++k) {
        matrix(features_ + k, at) = matrix(at, features_ + k) =
            cell_intercept(i, j, k) - cell_intercept(i, i, k);
        for (Index l = 0; l < classes_; ++l) {
          if (k != l) matrix(at, free_cell(k, l)) = free_cells(i, j, k, l);
        }
      }
    }
  }
  return matrix;
}

Answers Solver::of_all() const {
  MatrixXd matrix = second_derivatives();
  // Scaled to a diagonal of ones: information on rare and on common cells differs by many orders.
  VectorXd scale(matrix.rows());
  for (Index i = 0; i < scale.size(); ++i) {
    scale[i] = matrix(i, i) > 0 ? 1 / std::sqrt(matrix(i, i)) : 1;
  }
  matrix = scale.asDiagonal() * matrix * scale.asDiagonal();
  matrix.diagonal().array() += ridge;
  MatrixXd rates = MatrixXd::Zero(matrix.rows(), classes_);
  for (Index i = 0; i < classes_; ++i) {
    rates.col(i).segment(features_ + classes_ + i * (classes_ - 1), classes_ - 1).setOnes();
  }
  const MatrixXd solved =
      scale.asDiagonal() * Eigen::LDLT<MatrixXd>(matrix).solve(scale.asDiagonal() * rates);
  Answers answers{solved.topRows(features_), solved.middleRows(features_, classes_),
                  std::vector<RowMajor>(static_cast<std::size_t>(classes_),
                                        RowMajor::Zero(classes_, classes_))};
  for (Index i = 0; i < classes_; ++i) {
    RowMajor& diagonal = answers.cells[static_cast<std::size_t>(i)];
    for (Index j = 0; j < classes_; ++j) {
      if (i == j) continue;
      answers.cells[static_cast<std::size_t>(j)].row(i) = solved.row(free_cell(i, j));
      diagonal.row(i) -= solved.row(free_cell(i, j));
    }
  }
  return answers;
}

// Of a class alone the cells have a diagonal matrix, so that what is left to solve, for the
// weights, the intercept and the multiplier that keeps the row of T adding up to 1, is small.
Answers Solver::of_each_alone() const {
  const Index few = features_ + 1;
  Answers answers{MatrixXd::Zero(features_, classes_),
                  MatrixXd::Zero(classes_, classes_),
                  {RowMajor::Zero(classes_, classes_)}};
  for (Index i = 0; i < classes_; ++i) {
    MatrixXd cells(classes_, few + 1);  // with weights, intercept and multiplier
    VectorXd inverse(classes_);
    for (Index j = 0; j < classes_; ++j) {
      for (Index f = 0; f < features_; ++f) cells(j, f) = information_.slope(f, j, i);
      cells(j, features_) = cell_intercept(i, j, i);
      cells(j, few) = 1;
      inverse[j] = 1 / cell_cell(i, i, j);
    }
    MatrixXd rest = MatrixXd::Zero(few + 1, few + 1);
    for (Index f = 0; f < features_; ++f) {
      for (Index g = 0; g < features_; ++g) rest(f, g) = information_.weight(f, g);
      rest(f, features_) = rest(features_, f) = intercept_weight(i, f);
    }
    rest(features_, features_) = intercept_intercept(i, i);
    for (Index f = 0; f < few; ++f) rest(f, f) += ridge * (1 + rest(f, f));
    const VectorXd own = -inverse[i] * VectorXd::Unit(classes_, i);  // the rate is -T[i][i]
    rest -= cells.transpose() * inverse.asDiagonal() * cells;
    const VectorXd others = Eigen::FullPivLU<MatrixXd>(rest).solve(-cells.transpose() * own);
    answers.weights.col(i) = others.head(features_);
    answers.intercepts(i, i) = others[features_];
    answers.cells[0].col(i) = own - inverse.cwiseProduct(cells * others);
  }
  return answers;
}

// What rows begin .. end move each rate by: rows x K.
class Influences {
 public:
  Influences(const ManyClassFit& fit, const Answers& answers)
      : fit_(fit), answers_(answers), classes_(fit.transition.rows()) {}

  RowMajor of(std::size_t begin, std::size_t end) const {
    RowMajor h(static_cast<Index>(end - begin), classes_);
    fit_.posterior(begin, end, h.data());
    RowMajor influences(h.rows(), classes_);
    std::vector<RowMajor> slopes;
    for (const Matrix& logs : fit_.logs) slopes.push_back(slopes_of_posterior(logs, begin, h));
    for (Index n = 0; n < h.rows(); ++n) {
      const Index label = fit_.codes[begin + static_cast<std::size_t>(n)];
      const auto column = fit_.transition.col(label).transpose();
      const double probability = std::max(h.row(n).dot(column), smallest_probability);
      const Eigen::RowVectorXd by_cell = h.row(n) / probability;
      const Eigen::RowVectorXd by_intercept = by_cell.cwiseProduct(column) - h.row(n);
      influences.row(n) = of_row(label, by_cell, by_intercept);
      for (std::size_t f = 0; f < slopes.size(); ++f) {
        influences.row(n) += slopes[f].row(n).dot(column) / probability *
                             answers_.weights.row(static_cast<Index>(f));
      }
    }
    return influences;
  }

 private:
  Eigen::RowVectorXd of_row(Index label, const Eigen::RowVectorXd& by_cell,
                            const Eigen::RowVectorXd& by_intercept) const {
    if (answers_.cells.size() == 1) {
      return answers_.cells[0].row(label).cwiseProduct(by_cell) +
             answers_.intercepts.diagonal().transpose().cwiseProduct(by_intercept);
    }
    return by_cell * answers_.cells[static_cast<std::size_t>(label)] +
           by_intercept * answers_.intercepts;
  }

  const ManyClassFit& fit_;
  const Answers& answers_;
  Index classes_;
};

// With the other classes held fixed, what their pseudo-counts do to a rate is left out. It is about
// as much as its own do: 1.8 to 2.3 times in all, with 6 to 30 classes.
constexpr double pull_of_all = 2;

// Pseudo-counts are as good as rows, and as bad: they err as much as they tell, and what they move
// a rate by is an error that no number of samples averages out.
MatrixXd of_pseudo_counts(const ManyClassFit& fit, const Answers& answers) {
  const Index classes = fit.transition.rows();
  const bool alone = answers.cells.size() == 1;
  MatrixXd covariance = MatrixXd::Zero(classes, classes);
  VectorXd pull = VectorXd::Zero(classes);
  for (Index j = 0; j < classes; ++j) {
    if (alone) {
      const VectorXd relative =
          answers.cells[0].row(j).transpose().cwiseQuotient(fit.transition.col(j));
      covariance.diagonal() += fit.pseudo_count * relative.cwiseAbs2();
      pull += pull_of_all * fit.pseudo_count * relative;
    } else {
      const RowMajor relative = fit.transition.col(j).cwiseInverse().asDiagonal() *
                                answers.cells[static_cast<std::size_t>(j)];
      covariance += fit.pseudo_count * relative.transpose() * relative;
      pull += fit.pseudo_count * relative.colwise().sum().transpose();
    }
  }
  return covariance + pull * pull.transpose();
}

// Blocks may be large: the meter is asked more often whether to go on.
template <typename Visit>
void in_portions(std::size_t begin, std::size_t end, ProgressMeter& meter, const Visit& visit) {
  for (; begin < end; begin += rows_at_once) {
    visit(begin, std::min(end, begin + rows_at_once));
    meter.step(0);
  }
}

}  // namespace

MatrixXd covariance_of_rates(const ManyClassFit& fit, std::size_t max_parameters, ThreadPool& pool,
                             ProgressMeter& meter) {
  const Index classes = fit.transition.rows();
  const auto features = static_cast<Index>(fit.logs.size());
  const bool all = features + classes + classes * classes <= static_cast<Index>(max_parameters);
  Information information(classes, features, all);
  RowBlocks blocks =
      RowBlocks::for_sums(pool, fit.codes.size(), static_cast<std::size_t>(information.size()));
  blocks.report_to(meter);
  information.set(
      blocks.sum(information.size(), [&](std::size_t begin, std::size_t end, VectorXd& sums) {
        in_portions(begin, end, meter, [&](std::size_t first, std::size_t last) {
          information.add(fit, first, last, sums);
        });
      }));
  const Solver solver(fit, information);
  const Answers answers = all ? solver.of_all() : solver.of_each_alone();
  const Influences influences(fit, answers);
  const VectorXd spread =
      blocks.sum(classes * classes, [&](std::size_t begin, std::size_t end, VectorXd& sums) {
        in_portions(begin, end, meter, [&](std::size_t first, std::size_t last) {
          const RowMajor moved = influences.of(first, last);
          Eigen::Map<MatrixXd>(sums.data(), classes, classes).noalias() +=
              moved.transpose() * moved;
        });
      });
  return Eigen::Map<const MatrixXd>(spread.data(), classes, classes) +
         of_pseudo_counts(fit, answers);
}

}  // namespace noiseplus
