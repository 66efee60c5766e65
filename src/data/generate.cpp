#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "noiseplus/data.h"

namespace noiseplus {

Generated generate(const GeneratorOptions& options) {
  check_number(options.positive, 0, 1, "the share of positives");
  check_that(std::isfinite(options.separation), "the separation is not a finite number");
  count_values(options.rows, options.dimensions, "the generated rows");
  // Cluster centers are drawn in a cube of side 1 whose typical spacing is far above the spread, so
  // that a row's neighbors are of its own cluster. A cluster is of one class.
  const std::size_t clusters =
      std::max<std::size_t>(1, options.rows / std::max<std::size_t>(1, options.rows_in_cluster));
  const auto positives =
      static_cast<std::size_t>(std::llround(options.positive * static_cast<double>(options.rows)));
  constexpr double spread = 0.01;

  Generated data{Matrix(options.rows, options.dimensions), std::vector<std::int32_t>(options.rows)};
  for (std::size_t n = 0; n < options.rows; ++n) {
    data.codes[n] = n < positives ? 1 : 0;
    const std::size_t members = data.codes[n] == 1 ? positives : options.rows - positives;
    const std::size_t rank = data.codes[n] == 1 ? n : n - positives;
    const std::size_t share = std::max<std::size_t>(1, clusters * members / options.rows);
    const std::uint64_t cluster =
        2 * (rank * share / members) + static_cast<std::uint64_t>(data.codes[n]);
    for (std::size_t c = 0; c < options.dimensions; ++c) {
      const double shift = c == 0 && data.codes[n] == 1 ? options.separation : 0;
      const double center = shift + uniform(options.seed, Stream::generate, cluster, c);
      const double offset = normal(options.seed, Stream::generate, (std::uint64_t{1} << 40) + n, c);
      data.features.row(n)[c] = static_cast<float>(center + spread * offset);
    }
  }
  return data;
}

}  // namespace noiseplus
