// Every kernel against its scalar twin, bit for bit where it has fused multiply-add, and against
// sums that are exact or in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "learn/elementwise.h"
#include "learn/products.h"
#include "learn/row_losses.h"
#include "noiseplus/core.h"

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
        for (const std::size_t columns : {0U, 1U, 10U, 16U, 17U, 40U, 49U, 100U}) {
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
      for (std::size_t columns = 0; columns < 300; columns = columns * 3 / 2 + 1) {
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

// Two NaNs are the same, whatever their bits: their signs are the processor's.
::testing::AssertionResult same_bits(std::span<const float> found,
                                     std::span<const float> expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(found[i]) && std::isnan(expected[i])) continue;
    if (std::bit_cast<std::uint32_t>(found[i]) == std::bit_cast<std::uint32_t>(expected[i]))
      continue;
    return ::testing::AssertionFailure()
           << "number " << i << " is " << found[i] << ", not " << expected[i];
  }
  return ::testing::AssertionSuccess();
}

bool is_same(double found, double expected) {
  return std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(expected) ||
         (std::isnan(found) && std::isnan(expected));
}

// The kernels whose bits must be those of the scalar twin, without the twin itself.
template <typename Kernel>
std::vector<Kernel> fused(std::span<const Kernel> kernels) {
  std::vector<Kernel> list;
  for (const Kernel& kernel : kernels) {
    const std::string name = kernel.name;
    if (name != "SSE4" && name != "SCALAR") list.push_back(kernel);
  }
  return list;
}

// What the numbers of a test are like.
enum class Numbers { usual, wild, with_infinity, with_nan };
constexpr Numbers all_numbers[] = {Numbers::usual, Numbers::wild, Numbers::with_infinity,
                                   Numbers::with_nan};

float number(Numbers kind, std::uint64_t seed, std::uint64_t i) {
  const auto usual = static_cast<float>(normal(seed, Stream::generate, i, 0));
  const std::uint64_t draw = hash(seed, Stream::ties, i) % 64;
  if (kind == Numbers::usual) return usual;
  if (draw == 0) return -0.0F;
  if (draw == 1) return std::numeric_limits<float>::denorm_min() * 5;
  if (draw == 2 && kind == Numbers::with_infinity) return i % 2 == 0 ? INFINITY : -INFINITY;
  if (draw == 2 && kind == Numbers::with_nan) return std::nanf("");
  return usual * std::pow(10.0F, static_cast<float>(draw % 11) - 5);
}

std::vector<float> numbers(Numbers kind, std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = number(kind, seed, i);
  return values;
}

TEST(LearnKernels, ProductsHaveTheBitsOfTheirScalarTwin) {
  if (fused(product_kernels()).empty()) GTEST_SKIP() << "no kernel to compare";
  for (const Numbers kind : all_numbers) {
    for (const std::size_t rows : {1U, 3U, 13U}) {
      for (const std::size_t inner : {0U, 1U, 19U}) {
        for (std::size_t columns = 0; columns <= 70; ++columns) {
          const std::vector<float> left = numbers(kind, rows * inner + 1, 1);
          for (const bool is_padded : {false, true}) {
            const std::size_t stride = is_padded ? padded(columns) : columns + columns % 3;
            std::vector<float> right = numbers(kind, inner * stride + 1, 2);
            const std::vector<float> start = numbers(kind, padded(columns), 3);
            const auto run = [&](const ProductKernel& kernel) {
              std::vector<float> result(rows * padded(columns));
              Product product{rows, inner, columns, left.data(), inner, 1};
              product.right = right.data();
              product.right_stride = stride;
              product.right_is_padded = is_padded;
              product.start = is_padded ? start.data() : nullptr;
              product.result = result.data();
              product.result_stride = padded(columns);
              kernel.multiply(product);
              std::vector<float> kept;
              for (std::size_t i = 0; i < rows; ++i) {
                const auto row = result.begin() + static_cast<std::ptrdiff_t>(i * padded(columns));
                kept.insert(kept.end(), row, row + static_cast<std::ptrdiff_t>(columns));
              }
              return kept;
            };
            const std::vector<float> expected = run(scalar_product_kernel());
            for (const ProductKernel& kernel : fused(product_kernels())) {
              ASSERT_TRUE(same_bits(run(kernel), expected))
                  << kernel.name << ' ' << rows << 'x' << inner << 'x' << columns;
            }
          }
        }
      }
    }
  }
}

TEST(LearnKernels, DotsAndWeightedSumsHaveTheBitsOfTheirScalarTwin) {
  if (fused(product_kernels()).empty()) GTEST_SKIP() << "no kernel to compare";
  for (const Numbers kind : all_numbers) {
    for (const std::size_t count : {0U, 1U, 4U, 7U}) {
      for (std::size_t columns = 0; columns <= 70; ++columns) {
        const std::size_t stride = columns + columns % 3;
        // As many as the rows have: the sanitizers see a read too many.
        const std::size_t size = count == 0 ? 1 : (count - 1) * stride + columns + 1;
        const std::vector<float> rows = numbers(kind, size, 4);
        std::vector<float> weights = numbers(kind, columns, 5);
        weights.resize(padded(columns), std::nanf(""));  // behind the columns: arbitrary
        const std::vector<float> factors = numbers(kind, count, 6);
        const RowBlock block{rows.data(), stride, count, columns};
        std::vector<float> dots(count), sum(padded(columns));
        scalar_product_kernel().dots(block, weights.data(), 0.3F, dots.data());
        scalar_product_kernel().weighted_sum(block, factors.data(), sum.data());
        for (const ProductKernel& kernel : fused(product_kernels())) {
          SCOPED_TRACE(std::string(kernel.name) + ' ' + std::to_string(columns));
          std::vector<float> found_dots(count), found_sum(padded(columns));
          kernel.dots(block, weights.data(), 0.3F, found_dots.data());
          kernel.weighted_sum(block, factors.data(), found_sum.data());
          ASSERT_TRUE(same_bits(found_dots, dots));
          ASSERT_TRUE(same_bits(found_sum, {sum.data(), columns}));
        }
      }
    }
  }
}

struct LossCase {
  std::size_t count, classes, stride;
  std::vector<float> logits, weights;
};

// Logits from tiny to enormous, weights of both signs and 0.
LossCase loss_case(std::size_t count, std::size_t classes, Numbers kind = Numbers::usual) {
  LossCase loss{count, classes, classes == 2 ? 1 : padded(classes), {}, {}};
  loss.logits = numbers(kind, count * loss.stride, 1);
  for (std::size_t i = 0; i < loss.logits.size(); ++i) {
    loss.logits[i] *= static_cast<float>(std::pow(10, 4 * uniform(1, Stream::generate, i) - 2));
  }
  loss.weights = numbers(kind, count * classes, 3);
  for (std::size_t i = 0; i < loss.weights.size(); i += 3) loss.weights[i] = 0;
  return loss;
}

double run_losses(const LossKernel& kernel, LossCase& loss, float limit) {
  const RowLosses rows{loss.count,  loss.classes,        loss.logits.data(),
                       loss.stride, loss.weights.data(), limit};
  return loss.classes == 2 ? kernel.logistic(rows) : kernel.softmax(rows);
}

TEST(LearnKernels, LossesHaveTheBitsOfTheirScalarTwin) {
  if (fused(loss_kernels()).empty()) GTEST_SKIP() << "no kernel to compare";
  for (const Numbers kind : all_numbers) {
    for (const float limit : {INFINITY, 3.0F}) {
      for (std::size_t classes = 2; classes <= 37; ++classes) {
        for (std::size_t count = 0; count <= (classes == 2 ? 70 : 9); ++count) {
          const LossCase given = loss_case(count, classes, kind);
          LossCase expected = given;
          const double sum = run_losses(scalar_loss_kernel(), expected, limit);
          for (const LossKernel& kernel : fused(loss_kernels())) {
            SCOPED_TRACE(std::string(kernel.name) + ' ' + std::to_string(classes));
            LossCase found = given;
            const double found_sum = run_losses(kernel, found, limit);
            ASSERT_TRUE(is_same(found_sum, sum)) << found_sum << ' ' << sum;
            const std::size_t logits = classes == 2 ? 1 : classes;
            for (std::size_t i = 0; i < count; ++i) {
              const std::size_t at = i * given.stride;
              ASSERT_TRUE(same_bits({found.logits.data() + at, logits},
                                    {expected.logits.data() + at, logits}));
            }
          }
        }
      }
    }
  }
}

// The same in double, with the library's functions.
struct ExactLoss {
  double sum = 0;
  std::vector<double> gradient;
};

ExactLoss exact_loss(const LossCase& loss, float limit) {
  ExactLoss exact;
  for (std::size_t i = 0; i < loss.count; ++i) {
    std::vector<double> z(loss.classes);
    for (std::size_t c = 0; c < loss.classes; ++c) {
      z[c] = loss.classes > 2 ? loss.logits[i * loss.stride + c] : c == 1 ? loss.logits[i] : 0;
    }
    const double largest = *std::max_element(z.begin(), z.end());
    double total = 0;
    for (const double logit : z) total += std::exp(logit - largest);
    double pull = 0;
    std::vector<double> pulls;
    for (std::size_t c = 0; c < loss.classes; ++c) {
      const double weight = loss.weights[i * loss.classes + c];
      const double own = largest - z[c] + std::log(total);
      const bool counts = weight >= 0 || own < static_cast<double>(limit);
      exact.sum += weight * (counts ? own : static_cast<double>(limit));
      pulls.push_back(counts ? weight : 0);
      pull += pulls.back();
    }
    for (std::size_t c = loss.classes == 2 ? 1 : 0; c < loss.classes; ++c) {
      exact.gradient.push_back(pull * std::exp(z[c] - largest) / total - pulls[c]);
    }
  }
  return exact;
}

TEST(LearnKernels, LossesAreThoseInDouble) {
  for (const float limit : {INFINITY, 3.0F}) {
    for (const std::size_t classes : {2U, 3U, 10U, 16U, 21U}) {
      for (const std::size_t count : {0U, 1U, 5U, 16U, 37U}) {
        const LossCase given = loss_case(count, classes);
        const ExactLoss exact = exact_loss(given, limit);
        for (const LossKernel& kernel : loss_kernels()) {
          LossCase found = given;
          EXPECT_NEAR(run_losses(kernel, found, limit), exact.sum,
                      1e-6 * (100 * static_cast<double>(count) + std::abs(exact.sum)));
          const std::size_t logits = classes == 2 ? 1 : classes;
          for (std::size_t i = 0; i < count * logits; ++i) {
            ASSERT_NEAR(found.logits[i / logits * found.stride + i % logits], exact.gradient[i],
                        2e-5)
                << kernel.name << ' ' << classes << ' ' << i;
          }
        }
      }
    }
  }
}

// With a weight of 1 for class 1 the loss is log(1 + exp(-z)) and its slope -1 / (1 + exp(z)).
TEST(LearnKernels, ExponentialsAndLogarithmsAreGoodToFloats) {
  for (const LossKernel& kernel : loss_kernels()) {
    for (int i = -8600; i <= 8600; ++i) {
      const float z = static_cast<float>(i) / 100;
      float logit = z;
      const float weights[] = {0, 1};
      const double loss = kernel.logistic({1, 2, &logit, 1, weights});
      const double exact =
          std::log1p(std::exp(-std::abs(static_cast<double>(z)))) + (z < 0 ? -z : 0);
      ASSERT_NEAR(loss, exact, 4e-7 * exact) << kernel.name << ' ' << z;
      const double slope = -1 / (1 + std::exp(static_cast<double>(z)));
      ASSERT_NEAR(logit, slope, 4e-7 * std::abs(slope)) << kernel.name << ' ' << z;
    }
  }
}

TEST(LearnKernels, ElementsHaveTheBitsOfTheirScalarTwin) {
  if (fused(element_kernels()).empty()) GTEST_SKIP() << "no kernel to compare";
  for (const Numbers kind : all_numbers) {
    for (std::size_t count = 0; count <= 70; ++count) {
      const auto values = [&](std::uint64_t seed) { return numbers(kind, count, seed); };
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
      for (const ElementKernel& kernel : fused(element_kernels())) {
        SCOPED_TRACE(std::string(kernel.name) + ' ' + std::to_string(count));
        const Arrays found = run(kernel);
        ASSERT_TRUE(same_bits(found.scaled, expected.scaled));
        ASSERT_TRUE(same_bits(found.rectified, expected.rectified));
        ASSERT_TRUE(same_bits(found.gated, expected.gated));
        ASSERT_TRUE(same_bits(found.means, expected.means));
        ASSERT_TRUE(same_bits(found.squares, expected.squares));
        ASSERT_TRUE(same_bits(found.weights, expected.weights));
        for (std::size_t i = 0; i < count; ++i) {
          EXPECT_TRUE(found.gated[i] == 0 || values(8)[i] > 0);
          EXPECT_FALSE(found.rectified[i] < 0);
        }
      }
    }
  }
}

// Adam by its formulas, in double.
TEST(LearnKernels, AdamIsThatOfTheFormulas) {
  for (const ElementKernel& kernel : element_kernels()) {
    const std::vector<float> gradients = numbers(Numbers::usual, 53, 9);
    std::vector<float> values = numbers(Numbers::usual, 53, 3),
                       means = numbers(Numbers::usual, 53, 4);
    std::vector<float> squares = numbers(Numbers::usual, 53, 5);
    for (float& square : squares) square *= square;
    const std::vector<float> old_values = values, old_means = means, old_squares = squares;
    kernel.adam({values.data(), gradients.data(), means.data(), squares.data()}, {.01F, 1.5F, .99F},
                53);
    for (std::size_t i = 0; i < 53; ++i) {
      const double gradient = gradients[i];
      const double mean = .9 * old_means[i] + .1 * gradient;
      const double square = .999 * old_squares[i] + .001 * gradient * gradient;
      EXPECT_NEAR(means[i], mean, 1e-6);
      EXPECT_NEAR(squares[i], square, 1e-6);
      EXPECT_NEAR(values[i], .99 * old_values[i] - .01 * mean / (std::sqrt(square) * 1.5 + 1e-8),
                  1e-6);
    }
  }
}

}  // namespace
}  // namespace noiseplus
