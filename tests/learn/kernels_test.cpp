// Every kernel against its scalar twin or sums in double.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "learn/elementwise.h"
#include "learn/products.h"
#include "learn/row_losses.h"
#include "noiseplus/util.h"

namespace noiseplus {
namespace {

// Small integers, whose sums are exact in any order.
std::vector<float> small_integers(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(hash(seed, Stream::generate, i) % 7) - 3;
  }
  return values;
}

TEST(LearnKernels, EveryInstructionSetHasItsOwn) {
  std::set<std::string> names;
  for (const ProductKernel& kernel : product_kernels()) names.insert(kernel.name);
  EXPECT_EQ(names.size(), product_kernels().size());
  ASSERT_EQ(loss_kernels().size(), product_kernels().size());
  for (std::size_t i = 0; i < loss_kernels().size(); ++i) {
    EXPECT_STREQ(loss_kernels()[i].name, product_kernels()[i].name);
  }
  EXPECT_STREQ(product_kernels().back().name, "SCALAR");
#if defined(__x86_64__) && defined(__GNUC__)
  EXPECT_EQ(names.contains("AVX2"),
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#endif
}

// Buffers end where the data end, so that the sanitizers see a read too many.
TEST(LearnKernels, ProductsAreRight) {
  for (const ProductKernel& kernel : product_kernels()) {
    for (const std::size_t rows : {1U, 2U, 7U, 8U, 13U}) {
      for (const std::size_t inner : {0U, 1U, 2U, 17U}) {
        for (const std::size_t columns : {1U, 10U, 16U, 17U, 40U, 49U, 100U}) {
          // One more than there are: of none there would be no place to point to.
          const std::vector<float> left = small_integers(rows * inner + 1, 1);
          const std::vector<float> right = small_integers(inner * columns + 1, 2);
          const std::vector<float> start = small_integers(padded(columns), 3);
          for (const bool is_transposed : {false, true}) {
            std::vector<float> result(rows * padded(columns));
            Product product{rows, inner, columns, left.data()};
            product.left_row_stride = is_transposed ? 1 : inner;
            product.left_inner_stride = is_transposed ? rows : 1;
            product.right = right.data();
            product.right_stride = columns;
            product.start = is_transposed ? nullptr : start.data();
            product.result = result.data();
            product.result_stride = padded(columns);
            kernel.multiply(product);
            for (std::size_t i = 0; i < rows; ++i) {
              for (std::size_t j = 0; j < columns; ++j) {
                float expected = is_transposed ? 0 : start[j];
                for (std::size_t l = 0; l < inner; ++l) {
                  expected += left[i * product.left_row_stride + l * product.left_inner_stride] *
                              right[l * columns + j];
                }
                ASSERT_EQ(result[i * padded(columns) + j], expected)
                    << kernel.name << ' ' << rows << ' ' << inner << ' ' << columns;
              }
            }
          }
        }
      }
    }
  }
}

TEST(LearnKernels, DotsAndWeightedSumsAreRight) {
  for (const ProductKernel& kernel : product_kernels()) {
    for (const std::size_t count : {0U, 1U, 4U, 5U, 11U}) {
      for (std::size_t columns = 1; columns < 300; columns = columns * 3 / 2 + 1) {
        std::vector<float> rows = small_integers(count * columns, 4);
        rows.resize(rows.size() + 16, std::nanf(""));  // behind the end, where nothing may count
        std::vector<float> weights = small_integers(columns, 5);
        weights.resize(padded(columns));
        const std::vector<float> factors = small_integers(count, 6);
        const RowBlock block{rows.data(), columns, count, columns};
        std::vector<float> dots(count);
        kernel.dots(block, weights.data(), 2, dots.data());
        std::vector<float> sum(padded(columns), 9);
        kernel.weighted_sum(block, factors.data(), sum.data());
        for (std::size_t i = 0; i < count; ++i) {
          float expected = 2;
          for (std::size_t j = 0; j < columns; ++j) expected += rows[i * columns + j] * weights[j];
          ASSERT_EQ(dots[i], expected) << kernel.name << ' ' << columns;
        }
        for (std::size_t j = 0; j < columns; ++j) {
          float expected = 0;
          for (std::size_t i = 0; i < count; ++i) expected += rows[i * columns + j] * factors[i];
          ASSERT_EQ(sum[j], expected) << kernel.name << ' ' << columns;
        }
      }
    }
  }
}

struct LossCase {
  std::size_t count, classes, stride;
  std::vector<float> logits, weights;
};

// Logits from tiny to enormous, weights of both signs.
LossCase loss_case(std::size_t count, std::size_t classes) {
  LossCase loss{count, classes, classes == 2 ? 1 : padded(classes), {}, {}};
  loss.logits.resize(count * loss.stride);
  for (std::size_t i = 0; i < loss.logits.size(); ++i) {
    const double size = std::pow(10, 4 * uniform(1, Stream::generate, i) - 2);
    loss.logits[i] = static_cast<float>(size * normal(2, Stream::generate, i, 0));
  }
  for (std::size_t i = 0; i < count * classes; ++i) {
    loss.weights.push_back(static_cast<float>(normal(3, Stream::generate, i, 0)));
  }
  return loss;
}

TEST(LearnKernels, LossesAgreeWithTheirScalarTwin) {
  for (const float limit : {INFINITY, 3.0F}) {
    for (const std::size_t classes : {2U, 3U, 10U, 16U, 21U}) {
      for (const std::size_t count : {0U, 1U, 5U, 16U, 37U}) {
        const LossCase given = loss_case(count, classes);
        LossCase expected = given;
        const auto run = [&](const LossKernel& kernel, LossCase& loss) {
          const RowLosses rows{count, classes, loss.logits.data(), loss.stride, loss.weights.data(),
                               limit};
          return classes == 2 ? kernel.logistic(rows) : kernel.softmax(rows);
        };
        const double sum = run(scalar_loss_kernel(), expected);
        for (const LossKernel& kernel : loss_kernels()) {
          LossCase found = given;
          EXPECT_NEAR(run(kernel, found), sum,
                      1e-6 * (100 * static_cast<double>(count) + std::abs(sum)));
          for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t c = 0; c < (classes == 2 ? 1 : classes); ++c) {
              ASSERT_NEAR(found.logits[i * found.stride + c], expected.logits[i * found.stride + c],
                          2e-5)
                  << kernel.name << ' ' << classes << ' ' << i;
            }
          }
        }
      }
    }
  }
}

TEST(LearnKernels, ElementsAgreeWithTheirScalarTwin) {
  for (const std::size_t count : {0U, 1U, 15U, 16U, 53U}) {
    const auto values = [&](std::uint64_t seed) {
      std::vector<float> result(count);
      for (std::size_t i = 0; i < count; ++i) {
        result[i] = static_cast<float>(normal(seed, Stream::generate, i, 0));
      }
      return result;
    };
    struct Arrays {
      std::vector<float> scaled, rectified, gated, weights, means, squares;
    };
    const auto run = [&](const ElementKernel& kernel) {
      Arrays a{std::vector<float>(count), values(1), values(2), values(3), values(4), values(5)};
      for (float& square : a.squares) square *= square;
      kernel.scale(values(6).data(), values(7).data(), 1.5F, count, a.scaled.data());
      kernel.rectify(a.rectified.data(), count);
      kernel.gate(a.gated.data(), values(8).data(), 2, count);
      const std::vector<float> gradients = values(9);
      kernel.adam({a.weights.data(), gradients.data(), a.means.data(), a.squares.data()},
                  {.01F, 1.5F, .99F}, count);
      return a;
    };
    const Arrays expected = run(scalar_element_kernel());
    for (const ElementKernel& kernel : element_kernels()) {
      SCOPED_TRACE(kernel.name);
      const Arrays found = run(kernel);
      EXPECT_EQ(found.scaled, expected.scaled);
      EXPECT_EQ(found.rectified, expected.rectified);
      EXPECT_EQ(found.gated, expected.gated);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(found.means[i], expected.means[i], 1e-6);
        EXPECT_NEAR(found.squares[i], expected.squares[i], 1e-6);
        EXPECT_NEAR(found.weights[i], expected.weights[i], 1e-6);
        EXPECT_TRUE(found.gated[i] == 0 || values(8)[i] > 0);
      }
    }
  }
}

}  // namespace
}  // namespace noiseplus
