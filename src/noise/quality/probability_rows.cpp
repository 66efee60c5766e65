#include "core/checks.h"
#include "core/portable_math.h"
#include "noise/row_blocks.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

// A model's probabilities below this differ by chance more than by what the model knows.
constexpr double min_row_probability = 1e-4;

}  // namespace

Matrix probability_rows(MatrixView probabilities, const Execution& execution) {
  check_probabilities(probabilities, "the probabilities");
  check_that(probabilities.rows > 0 && probabilities.columns > 0,
             "there are no probabilities; give one row per label and one column per class");
  Matrix rows(probabilities.rows, probabilities.columns);
  ThreadPool pool(execution.threads);
  RowBlocks(pool, probabilities.rows).for_each([&](std::size_t begin, std::size_t end) {
    std::vector<double> logs(probabilities.columns);
    for (std::size_t n = begin; n < end; ++n) {
      double sum = 0;
      for (std::size_t c = 0; c < logs.size(); ++c) {
        const auto value = static_cast<double>(probabilities.row(n)[c]);
        sum += logs[c] = portable::log(std::max(value, min_row_probability));
      }
      const double mean = sum / static_cast<double>(logs.size());
      for (std::size_t c = 0; c < logs.size(); ++c) {
        rows.row(n)[c] = static_cast<float>(logs[c] - mean);
      }
    }
  });
  return rows;
}

}  // namespace noiseplus
