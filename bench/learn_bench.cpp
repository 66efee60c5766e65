// The kernels of the trainers, each with every instruction set the processor has: products at the
// shapes of a perceptron's batch, losses of rows, and one evaluation of a linear model's objective.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "learn/linear_objective.h"
#include "learn/products.h"
#include "learn/row_losses.h"

namespace noiseplus {
namespace {

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(normal(seed, Stream::generate, i, 0));
  }
  return values;
}

void count_rate(benchmark::State& state, const char* name, double each) {
  state.counters[name] = benchmark::Counter(each, benchmark::Counter::kIsIterationInvariantRate,
                                            benchmark::Counter::kIs1000);
}

struct Shape {
  const char* name;
  std::size_t rows, inner, columns;
  bool left_is_transposed;  // as in a gradient, where rows of the batch are summed over
};

void multiply(benchmark::State& state, const ProductKernel& kernel, const Shape& shape) {
  const std::size_t right_stride = padded(shape.columns);
  const std::vector<float> left = random_floats(shape.rows * shape.inner, 1);
  const std::vector<float> right = random_floats(shape.inner * right_stride, 2);
  std::vector<float> result(shape.rows * right_stride);
  Product product{shape.rows, shape.inner, shape.columns, left.data()};
  product.left_row_stride = shape.left_is_transposed ? 1 : shape.inner;
  product.left_inner_stride = shape.left_is_transposed ? shape.rows : 1;
  product.right = right.data();
  product.right_stride = right_stride;
  product.result = result.data();
  product.result_stride = right_stride;
  for (auto iteration : state) {
    kernel.multiply(product);
    benchmark::DoNotOptimize(result.data());
    benchmark::ClobberMemory();
  }
  count_rate(state, "flops",
             2.0 * static_cast<double>(shape.rows) * static_cast<double>(shape.inner) *
                 static_cast<double>(shape.columns));
}

// The gradient takes the place of the logits, so each turn starts from a copy; it is small beside
// the exponentials.
void losses(benchmark::State& state, const LossKernel& kernel, std::size_t classes) {
  constexpr std::size_t rows = 1024;
  const std::size_t stride = output_stride(outputs_of(classes));
  const std::vector<float> logits = random_floats(rows * stride, 3);
  std::vector<float> weights(rows * classes), room(logits.size());
  for (std::size_t i = 0; i < rows; ++i) weights[i * classes + i % classes] = 1;
  for (auto iteration : state) {
    std::copy(logits.begin(), logits.end(), room.begin());
    const RowLosses given{rows, classes, room.data(), stride, weights.data()};
    benchmark::DoNotOptimize(classes == 2 ? kernel.logistic(given) : kernel.softmax(given));
    benchmark::ClobberMemory();
  }
  count_rate(state, "rows", static_cast<double>(rows));
}

// With the kernels the library chooses: it takes no others.
void evaluate_objective(benchmark::State& state, std::size_t classes, unsigned threads) {
  constexpr std::size_t rows = 48842, columns = 108;
  Matrix matrix(rows, columns);
  const std::vector<float> values = random_floats(rows * columns, 4);
  std::copy(values.begin(), values.end(), matrix.row(0));
  std::vector<std::int32_t> codes(rows);
  for (std::size_t i = 0; i < rows; ++i) codes[i] = static_cast<std::int32_t>(i % classes);
  const Targets targets = cross_entropy_targets({codes, classes});
  ThreadPool pool(threads);
  const Execution execution;
  ProgressMeter meter(execution, "training", 1);
  LinearObjective objective(matrix.view(), targets, 1e-4, pool, meter);
  const Eigen::VectorXd x = Eigen::VectorXd::Constant(objective.parameters(), 0.01);
  Eigen::VectorXd gradient(objective.parameters());
  for (auto iteration : state) benchmark::DoNotOptimize(objective(x, gradient));
  count_rate(state, "rows", static_cast<double>(rows));
}

void add_kernels() {
  for (const ProductKernel& kernel : product_kernels()) {
    for (const Shape& shape :
         {Shape{"forward", 200, 784, 256, false}, Shape{"gradient", 784, 200, 256, true},
          Shape{"outputs", 200, 256, 10, false}}) {
      const std::string name = std::string("multiply/") + shape.name + "/" + kernel.name;
      benchmark::RegisterBenchmark(name.c_str(), multiply, kernel, shape);
    }
  }
  for (const LossKernel& kernel : loss_kernels()) {
    for (const std::size_t classes : {2, 10}) {
      const std::string name =
          (classes == 2 ? std::string("logistic/") : std::string("softmax10/")) + kernel.name;
      benchmark::RegisterBenchmark(name.c_str(), losses, kernel, classes);
    }
  }
}

void add_objectives() {
  for (const std::size_t classes : {2, 10}) {
    for (const unsigned threads : {1U, 2U}) {
      const std::string name = "objective/48842x108/classes:" + std::to_string(classes) +
                               "/threads:" + std::to_string(threads);
      benchmark::RegisterBenchmark(name.c_str(), evaluate_objective, classes, threads)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace noiseplus

int main(int argc, char** argv) {
  noiseplus::add_kernels();
  noiseplus::add_objectives();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
