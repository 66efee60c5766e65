// Elementary functions that give the same bits on every CPU, with every compiler and C library.
// Internal.
//
// libm does not: it picks other code where the CPU has FMA, and its last bits differ between
// versions and architectures. The functions here use +, -, *, / and sqrt only, which IEEE 754
// rounds in one way, in a fixed order; the project is compiled with -ffp-contract=off. Everything
// under src/ uses them in place of libm (tests/architecture_test.cpp). What libm must round exactly
// may be called as std:: : sqrt, fma, floor, ceil, round, trunc, abs, ldexp, frexp.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace noiseplus::portable {

// Edge cases (0, infinities, NaN, arguments outside the domain) are those of <cmath>; no function
// sets errno. Errors are in units of the last place of the result.
double exp(double x);    // within 1
double expm1(double x);  // within 2
double log(double x);    // within 1
double log1p(double x);  // within 1
double erfc(double x);   // within 4

// cos(pi x), within 2. Exact at whole and half numbers.
double cos_pi(double x);

// exp(y log(x)) for x >= 0: within 2 + 2 |y log(x)|. NaN where x < 0, even for whole y.
double pow(double x, double y);

// sqrt(x^2 + y^2), within 2, without overflow or underflow on the way.
double hypot(double x, double y);

}  // namespace noiseplus::portable

namespace noiseplus {

// e^x to some 3e-15, without a branch or a call, for loops that the compiler makes vectors of. What
// is below -700 or above 700 counts as that.
inline double vector_exp(double x) {
  constexpr double log2_e = 1.4426950408889634;
  constexpr double ln2_high = 0.693147180369123816490, ln2_low = 1.90821492927058770002e-10;
  constexpr double round_to_whole = 6755399441055744.0;  // 1.5 * 2^52: the sum has no fraction left
  x = x < -700 ? -700 : x;
  x = x > 700 ? 700 : x;
  const double shifted = x * log2_e + round_to_whole;
  const double whole = shifted - round_to_whole;
  const double r = (x - whole * ln2_high) - whole * ln2_low;  // within +-0.35
  double sum = 1.0 / 479001600;
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + .5;
  sum = sum * r + 1;
  sum = sum * r + 1;
  // The low bits of `shifted` are the whole number; moved to the exponent they are 2^whole.
  const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) + 1023U) << 52;
  return sum * std::bit_cast<double>(power);
}

// Beyond +-30 nothing changes any more, and the derivative must not vanish.
inline double sigmoid(double x) {
  x = x < -30 ? -30 : x;
  x = x > 30 ? 30 : x;
  return 1 / (1 + vector_exp(-x));
}

// Turns logits into probabilities.
inline void softmax(double* values, std::size_t count) {
  const double largest = *std::max_element(values, values + count);
  for (std::size_t j = 0; j < count; ++j) values[j] = vector_exp(values[j] - largest);
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) sum += values[j];
  for (std::size_t j = 0; j < count; ++j) values[j] /= sum;
}

// A sum of logarithms with few calls of log: numbers are multiplied until the product is small.
// REQUIRES: numbers within [1e-100, 1e100].
class LogSum {
 public:
  void add(double number) {
    product_ *= number;
    if (product_ < 1e-200 || product_ > 1e200) flush();
  }
  double sum() {
    flush();
    return sum_;
  }

 private:
  void flush() {
    sum_ += portable::log(product_);
    product_ = 1;
  }
  double sum_ = 0, product_ = 1;
};

}  // namespace noiseplus
