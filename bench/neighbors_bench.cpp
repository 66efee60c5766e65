// Exact nearest neighbors: our search with each kernel the processor has, against the plain double
// loop everybody writes first. "flops" counts 2 x anchors x rows x columns, the cost of the dot
// products alone, so that numbers compare with a matrix product's.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>

#include "neighbors/search.h"

namespace noiseplus {
namespace {

struct Shape {
  std::size_t rows, columns, k, anchors;
};

const Matrix& gaussian_matrix(const Shape& shape) {
  static Matrix matrix;
  if (matrix.rows() == shape.rows && matrix.columns() == shape.columns) return matrix;
  matrix = Matrix(shape.rows, shape.columns);
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t c = 0; c < shape.columns; ++c) {
      matrix.row(i)[c] = static_cast<float>(normal(1, Stream::generate, i, c));
    }
  }
  return matrix;
}

void count_flops(benchmark::State& state, const Shape& shape) {
  const double flops = 2.0 * static_cast<double>(shape.anchors) * static_cast<double>(shape.rows) *
                       static_cast<double>(shape.columns);
  state.counters["flops"] = benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate,
                                               benchmark::Counter::kIs1000);
}

void search(benchmark::State& state, const Kernel& kernel, const Shape& shape, unsigned threads) {
  const Matrix& matrix = gaussian_matrix(shape);
  const std::vector<std::uint32_t> anchors =
      sample_rows(shape.rows, shape.anchors, 3, Stream::anchors);
  NeighborOptions options;
  options.k = shape.k;
  options.anchors = anchors;
  Execution execution;
  execution.threads = threads;
  SearchChoices choices;
  choices.kernel = kernel;
  for (auto iteration : state) {
    benchmark::DoNotOptimize(find_neighbors_by(choices, matrix.view(), options, execution));
  }
  count_flops(state, shape);
}

// For each anchor: all distances in double, then a partial sort.
void brute_force(benchmark::State& state, const Shape& shape) {
  const Matrix& matrix = gaussian_matrix(shape);
  const std::vector<std::uint32_t> anchors =
      sample_rows(shape.rows, shape.anchors, 3, Stream::anchors);
  std::vector<std::pair<double, std::uint32_t>> all(shape.rows);
  for (auto iteration : state) {
    for (const std::uint32_t anchor : anchors) {
      for (std::uint32_t row = 0; row < shape.rows; ++row) {
        double sum = 0;
        for (std::size_t c = 0; c < shape.columns; ++c) {
          const double difference = static_cast<double>(matrix.row(anchor)[c]) - matrix.row(row)[c];
          sum += difference * difference;
        }
        all[row] = {sum, row};
      }
      std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shape.k) + 1,
                        all.end());
      benchmark::DoNotOptimize(all.data());
    }
  }
  count_flops(state, shape);
}

void add(const Shape& shape) {
  const std::string problem = std::to_string(shape.rows) + "x" + std::to_string(shape.columns) +
                              "/k" + std::to_string(shape.k);
  for (const Kernel& kernel : available_kernels()) {
    for (const unsigned threads : {1U, 2U}) {
      const std::string name =
          problem + "/search/" + kernel.name + "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(name.c_str(), search, kernel, shape, threads)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
  Shape few_anchors = shape;
  few_anchors.anchors = 50;
  benchmark::RegisterBenchmark((problem + "/brute_force").c_str(), brute_force, few_anchors)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace
}  // namespace noiseplus

int main(int argc, char** argv) {
  noiseplus::add({108501, 50, 2, 10000});
  noiseplus::add({108501, 50, 10, 10000});
  noiseplus::add({50000, 512, 10, 4000});
  noiseplus::add({1000000, 4, 10, 2000});
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
