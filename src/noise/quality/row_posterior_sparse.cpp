// Each row's unnormalized posterior is the background b, which all rows have in common, plus
// a_i - b_i >= 0 in the few cells that are stored. All sums split likewise:
//
//   Z_n = sum(b) + sum over stored cells of (a_i - b_i)
//   sum over rows of h_i = b_i sum(1 / Z_n) + sum over rows that store i of (a_i - b_i) / Z_n
//
// No term is negative, so that nothing cancels. Exponents need no shift: the logarithm of a score
// is within -28 .. 0, that of a weight within -3 .. 3, a power at most 4, and vector_exp is exact
// to rounding far beyond that.
#include <algorithm>

#include "core/portable_math.h"
#include "noise/quality/row_posterior.h"
#include "noise/row_blocks.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

// With more stored cells than one in so many, all cells side by side take less time.
constexpr std::size_t cells_a_stored_one = 8;

class SparsePosterior : public RowPosterior {
 public:
  SparsePosterior(const RowPosteriorInput& input, ThreadPool& pool)
      : classes_(input.posterior.columns),
        codes_(input.codes),
        columns_(input.columns),
        blocks_(pool, input.codes.size()) {}

  // False, and of no use, when too many cells would be stored.
  bool store(MatrixView posterior);

  PosteriorAverages averages(const PosteriorBend& bend) const override;
  double right_share(const PosteriorBend& bend) const override;
  void judge(const PosteriorBend& bend, LabelQuality& quality) const override;

 private:
  struct Cell {
    std::uint32_t label = 0;
    float log = 0;
  };
  // Of one row, with the label that it is given.
  struct Judged {
    double right = 0;  // P(given label is right)
    std::size_t likeliest = 0;
    bool is_given_likeliest = true;
  };
  // What all rows of a label have in common at one bend.
  struct OfLabel {
    double sum = 0;  // of b_i T[i][label]
    double highest = 0;
    std::size_t likeliest = 0;  // the first class that has the highest b_i T[i][label]
  };

  std::span<const Cell> cells(std::size_t row) const {
    return {cells_.data() + first_[row], first_[row + 1] - first_[row]};
  }
  static double value(const PosteriorBend& bend, std::size_t label, float log) {
    return vector_exp(bend.power * (static_cast<double>(log) + bend.log_weights[label]));
  }
  std::vector<double> background(const PosteriorBend& bend) const;
  std::vector<OfLabel> find_labels(const std::vector<double>& background) const;
  Judged judge_row(const PosteriorBend& bend, const std::vector<double>& background,
                   const std::vector<OfLabel>& labels, std::size_t row) const;

  std::size_t classes_;
  std::span<const std::int32_t> codes_;
  std::span<const double> columns_;
  RowBlocks blocks_;
  std::vector<float> background_logs_;
  std::vector<std::size_t> first_;  // cells of row n are cells_[first_[n]] .. [first_[n + 1]]
  std::vector<Cell> cells_;
};

float logarithm(float score) {
  return static_cast<float>(portable::log(std::max(static_cast<double>(score), min_posterior)));
}

bool SparsePosterior::store(MatrixView posterior) {
  const std::size_t rows = posterior.rows;
  std::vector<std::vector<float>> lowest_of_block(blocks_.count());
  blocks_.for_each_block([&](std::size_t block, std::size_t begin, std::size_t end) {
    std::vector<float> lowest(posterior.row(begin), posterior.row(begin) + classes_);
    for (std::size_t n = begin + 1; n < end; ++n) {
      const float* row = posterior.row(n);
      for (std::size_t i = 0; i < classes_; ++i) lowest[i] = std::min(lowest[i], row[i]);
    }
    lowest_of_block[block] = std::move(lowest);
  });
  std::vector<float> lowest = lowest_of_block[0];
  for (const std::vector<float>& other : lowest_of_block) {
    for (std::size_t i = 0; i < classes_; ++i) lowest[i] = std::min(lowest[i], other[i]);
  }

  first_.assign(rows + 1, 0);
  blocks_.for_each([&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const float* row = posterior.row(n);
      std::uint32_t stored = 0;
      for (std::size_t i = 0; i < classes_; ++i) stored += row[i] > lowest[i] ? 1 : 0;
      first_[n + 1] = stored;
    }
  });
  for (std::size_t n = 0; n < rows; ++n) first_[n + 1] += first_[n];
  if (first_[rows] > rows * classes_ / cells_a_stored_one) return false;

  cells_.resize(first_[rows]);
  blocks_.for_each([&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const float* row = posterior.row(n);
      Cell* next = cells_.data() + first_[n];
      for (std::size_t i = 0; i < classes_; ++i) {
        if (row[i] > lowest[i]) *next++ = {static_cast<std::uint32_t>(i), logarithm(row[i])};
      }
    }
  });
  for (const float score : lowest) background_logs_.push_back(logarithm(score));
  return true;
}

std::vector<double> SparsePosterior::background(const PosteriorBend& bend) const {
  std::vector<double> values(classes_);
  for (std::size_t i = 0; i < classes_; ++i) values[i] = value(bend, i, background_logs_[i]);
  return values;
}

PosteriorAverages SparsePosterior::averages(const PosteriorBend& bend) const {
  const std::vector<double> b = background(bend);
  double sum_of_background = 0;
  for (const double part : b) sum_of_background += part;
  // Prior and spread of each class in excess of the background's, then sums of 1 / Z and 1 / Z^2.
  const auto size = static_cast<Eigen::Index>(2 * classes_ + 2);
  const Eigen::VectorXd sums =
      blocks_.sum(size, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        double* prior = total.data();
        double* spread = prior + classes_;
        double inverses = 0, squares = 0;
        std::vector<double> a;
        for (std::size_t n = begin; n < end; ++n) {
          const std::span<const Cell> stored = cells(n);
          a.resize(stored.size());
          double z = sum_of_background;
          for (std::size_t c = 0; c < stored.size(); ++c) {
            a[c] = value(bend, stored[c].label, stored[c].log);
            z += a[c] - b[stored[c].label];
          }
          const double inverse = 1 / z;
          inverses += inverse;
          squares += inverse * inverse;
          for (std::size_t c = 0; c < stored.size(); ++c) {
            const std::size_t i = stored[c].label;
            const double h = a[c] * inverse, common = b[i] * inverse;
            prior[i] += h - common;
            spread[i] += h * (1 - h) - common * (1 - common);
          }
        }
        spread[classes_] += inverses;
        spread[classes_ + 1] += squares;
      });
  const double inverses = sums[size - 2], squares = sums[size - 1];
  const auto rows = static_cast<double>(codes_.size());
  PosteriorAverages averages;
  for (std::size_t i = 0; i < classes_; ++i) {
    averages.prior.push_back((sums.data()[i] + b[i] * inverses) / rows);
    averages.spread.push_back(
        (sums.data()[classes_ + i] + (b[i] * inverses - b[i] * b[i] * squares)) / rows);
  }
  return averages;
}

std::vector<SparsePosterior::OfLabel> SparsePosterior::find_labels(
    const std::vector<double>& background) const {
  std::vector<OfLabel> labels(classes_);
  for (std::size_t label = 0; label < classes_; ++label) {
    const double* column = columns_.data() + label * classes_;
    OfLabel& of = labels[label];
    for (std::size_t i = 0; i < classes_; ++i) {
      const double product = background[i] * column[i];
      of.sum += product;
      if (product <= of.highest) continue;
      of.highest = product;
      of.likeliest = i;
    }
  }
  return labels;
}

// A class of the background that is likeliest but has a stored cell is no likelier than that cell
// makes it, so that the cells and one class of the background are all to choose from.
SparsePosterior::Judged SparsePosterior::judge_row(const PosteriorBend& bend,
                                                   const std::vector<double>& background,
                                                   const std::vector<OfLabel>& labels,
                                                   std::size_t row) const {
  const auto label = static_cast<std::size_t>(codes_[row]);
  const double* column = columns_.data() + label * classes_;
  double sum = labels[label].sum, highest = labels[label].highest;
  double given = background[label] * column[label];
  std::size_t likeliest = labels[label].likeliest;
  for (const Cell cell : cells(row)) {
    const double a = value(bend, cell.label, cell.log);
    const double product = a * column[cell.label];
    sum += (a - background[cell.label]) * column[cell.label];
    if (cell.label == label) given = product;
    if (product > highest || (product == highest && cell.label < likeliest)) {
      highest = product;
      likeliest = cell.label;
    }
  }
  return {given / sum, likeliest, !(highest > given)};
}

double SparsePosterior::right_share(const PosteriorBend& bend) const {
  const std::vector<double> b = background(bend);
  const std::vector<OfLabel> labels = find_labels(b);
  const Eigen::VectorXd sum =
      blocks_.sum(1, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        for (std::size_t n = begin; n < end; ++n) total[0] += judge_row(bend, b, labels, n).right;
      });
  return sum[0] / static_cast<double>(codes_.size());
}

void SparsePosterior::judge(const PosteriorBend& bend, LabelQuality& quality) const {
  const std::vector<double> b = background(bend);
  const std::vector<OfLabel> labels = find_labels(b);
  blocks_.for_each([&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const Judged judged = judge_row(bend, b, labels, n);
      quality.right[n] = judged.right;
      quality.suggested[n] =
          judged.is_given_likeliest ? codes_[n] : static_cast<std::int32_t>(judged.likeliest);
    }
  });
}

}  // namespace

std::unique_ptr<RowPosterior> make_sparse_posterior(const RowPosteriorInput& input,
                                                    ThreadPool& pool) {
  auto sparse = std::make_unique<SparsePosterior>(input, pool);
  if (!sparse->store(input.posterior)) return nullptr;
  return sparse;
}

}  // namespace noiseplus
