// Two hundred random small problems, each hard in several ways at once, against brute force.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "neighbors/brute_force.h"
#include "neighbors/search.h"

namespace noiseplus {
namespace {

// Draws of one case, in order.
class Draws {
 public:
  explicit Draws(std::uint64_t number) : case_(number) {}
  double uniform() { return noiseplus::uniform(77, Stream::generate, case_, next_++); }
  std::size_t between(std::size_t low, std::size_t high) {
    return low + static_cast<std::size_t>(uniform() * static_cast<double>(high - low + 1));
  }
  // As often in 10..100 as in 100..1000.
  std::size_t between_by_size(std::size_t low, std::size_t high) {
    const double from = std::log(static_cast<double>(low));
    const double to = std::log(static_cast<double>(high) + 1);
    return static_cast<std::size_t>(std::exp(from + uniform() * (to - from)));
  }
  bool one_in(double odds) { return uniform() * odds < 1; }

 private:
  std::uint64_t case_;
  std::uint64_t next_ = 0;
};

struct Problem {
  Matrix matrix;
  std::string description;
};

Problem draw_problem(Draws& draws) {
  const std::size_t rows = draws.between_by_size(3, 5000);
  // A brute force of some hundred million terms at most.
  const auto max_columns = static_cast<std::size_t>(3e8 / static_cast<double>(rows * rows));
  const std::size_t columns =
      draws.between_by_size(1, std::clamp<std::size_t>(max_columns, 1, 3000));
  const bool has_integers = draws.one_in(3);
  const double offset = draws.one_in(3) ? 1e6 : 0;
  const double scale = draws.one_in(4) ? 1e-3 : 1;
  const std::size_t originals = draws.one_in(3) ? draws.between(1, rows) : rows;
  const std::size_t clusters = draws.one_in(3) ? draws.between(1, 20) : 0;
  const std::size_t varying = draws.one_in(3) ? draws.between(0, columns) : columns;
  const double decay = draws.one_in(3) ? 0.8 : 1;
  const auto seed = static_cast<std::uint64_t>(draws.between(1, 1U << 30));

  Problem problem{Matrix(rows, columns), ""};
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t original = originals == rows ? i : hash(seed, Stream::split, i) % originals;
    for (std::size_t c = 0; c < columns; ++c) {
      double value = offset + 0.1;
      if (c < varying) {
        double noise = normal(seed, Stream::generate, original, c);
        if (has_integers) noise = std::round(noise);
        value = offset + scale * noise * std::pow(decay, static_cast<double>(c));
        if (clusters > 0) value += 20 * normal(seed + 1, Stream::generate, original % clusters, c);
      }
      problem.matrix.row(i)[c] = static_cast<float>(value);
    }
  }
  problem.description = std::to_string(rows) + " x " + std::to_string(columns) + ", " +
                        std::to_string(originals) + " originals, offset " + std::to_string(offset) +
                        ", scale " + std::to_string(scale) + ", " + std::to_string(clusters) +
                        " clusters, " + std::to_string(varying) + " columns vary" +
                        (has_integers ? ", integers" : "");
  return problem;
}

TEST(NeighborRandomCases, IdsEqualBruteForce) {
  constexpr std::uint64_t cases = 200;
  for (std::uint64_t number = 0; number < cases; ++number) {
    Draws draws(number);
    const Problem problem = draw_problem(draws);
    const RowsView rows = problem.matrix.view();
    NeighborOptions options;
    options.k = std::min(draws.between_by_size(1, 40), rows.rows - 1);
    options.seed = number;
    options.metric = draws.one_in(4) ? Metric::cosine : Metric::euclidean;
    SearchChoices choices;
    choices.kernel = available_kernels()[draws.between(0, available_kernels().size() - 1)];
    choices.rows_worth_pruning = draws.one_in(2) ? 1 : 2048;
    if (draws.one_in(2)) choices.sketch_length = draws.between(0, 3);
    if (draws.one_in(2)) choices.block_bytes = draws.between(1, 1U << 20);
    const std::vector<std::uint32_t> anchors =
        sample_rows(rows.rows, draws.between(1, rows.rows), number, Stream::anchors);
    if (draws.one_in(2)) options.anchors = anchors;

    SCOPED_TRACE("case " + std::to_string(number) + ": " + problem.description + ", k " +
                 std::to_string(options.k) + ", " + choices.kernel.name);
    bool has_row_of_zeros = false;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      has_row_of_zeros = has_row_of_zeros ||
                         std::all_of(problem.matrix.row(i), problem.matrix.row(i) + rows.columns,
                                     [](float value) { return value == 0; });
    }
    if (has_row_of_zeros) options.metric = Metric::euclidean;
    const NeighborGraph expected = brute_force(rows, options);
    const NeighborGraph found = find_neighbors_by(choices, rows, options, {.threads = 2});
    ASSERT_EQ(found.ids, expected.ids);
    ASSERT_EQ(found.distances, expected.distances);
  }
}

}  // namespace
}  // namespace noiseplus
