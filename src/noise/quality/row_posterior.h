// Posteriors of all rows, bent to agree with an estimate of the noise. Internal.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// Smaller probabilities count as this.
inline constexpr double min_posterior = 1e-12;

// h_i ~ (posterior_i * weight_i)^power.
struct PosteriorBend {
  double power = 1;
  std::vector<double> log_weights;
};

// What bent posteriors are on average over the rows, of each class.
struct PosteriorAverages {
  std::vector<double> prior;   // mean of h
  std::vector<double> spread;  // mean of h (1 - h)
};

// Bent posteriors, and Bayes' rule for the given label on top of them. Sums are over fixed blocks
// of rows, so that they do not depend on the number of threads.
class RowPosterior {
 public:
  virtual ~RowPosterior() = default;

  virtual PosteriorAverages averages(const PosteriorBend& bend) const = 0;
  // Mean probability that a given label is right.
  virtual double right_share(const PosteriorBend& bend) const = 0;
  // Fills quality.right and quality.suggested, which have one entry per row.
  virtual void judge(const PosteriorBend& bend, LabelQuality& quality) const = 0;
};

// What both kinds of RowPosterior are made of. The views must outlive them.
struct RowPosteriorInput {
  MatrixView posterior;
  std::span<const std::int32_t> codes;
  // T transposed, no cell below a minimum: what is known of a label side by side.
  std::span<const double> columns;
};

// Takes time in proportion to rows * classes.
std::unique_ptr<RowPosterior> make_dense_posterior(const RowPosteriorInput& input,
                                                   ThreadPool& pool);

// For posteriors that differ from the minimum of their column in few cells, as the votes of
// neighbors do: takes time in proportion to those cells, plus classes * classes. The results are
// those of the dense one but for rounding. nullptr when the cells are too many.
std::unique_ptr<RowPosterior> make_sparse_posterior(const RowPosteriorInput& input,
                                                    ThreadPool& pool);

}  // namespace noiseplus
