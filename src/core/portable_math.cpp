#include "core/portable_math.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace noiseplus::portable {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// log(2) in two parts. The first has 33 bits, so that its product with an exponent is exact.
constexpr double ln2_high = 0x1.62e42feep-1;
constexpr double ln2_low = 0x1.a39ef35793c76p-33;

// 2^exponent. REQUIRES: -1022 <= exponent <= 1023.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// x 2^exponent, rounded once, for x near 1. REQUIRES: -1100 <= exponent <= 1024.
double scale(double x, int exponent) {
  if (exponent > 1023) return x * 2 * power_of_two(exponent - 1);
  if (exponent >= -1000) return x * power_of_two(exponent);
  return x * power_of_two(exponent + 500) * power_of_two(-500);
}

// terms[0] z - terms[1] z^2 + terms[2] z^3 - ...
template <std::size_t Count>
double alternating(const double (&terms)[Count], double z) {
  double sum = 0;
  for (std::size_t n = Count; n-- > 0;) sum = (terms[n] - sum) * z;
  return sum;
}

// x = exponent log(2) + high + low, and |high| <= 0.35. REQUIRES: |x| <= 800.
struct Reduced {
  double high, low;
  int exponent;
};

Reduced reduce(double x) {
  constexpr double round_to_whole = 0x1.8p52;  // the sum has no fraction left
  const double whole = (x * std::numbers::log2e + round_to_whole) - round_to_whole;
  const double rest = x - whole * ln2_high;
  const double small = whole * ln2_low;
  const double high = rest - small;
  return {high, (rest - high) - small, static_cast<int>(whole)};
}

// (e^r - 1 - r) / r^2 for |r| <= 0.35: Taylor's series, its even and its odd terms side by side.
double exp_series(double r) {
  const double z = r * r;
  double even = 1.0 / 479001600 / 182;  // 1 / 14!
  even = even * z + 1.0 / 479001600;
  even = even * z + 1.0 / 3628800;
  even = even * z + 1.0 / 40320;
  even = even * z + 1.0 / 720;
  even = even * z + 1.0 / 24;
  even = even * z + .5;
  double odd = 1.0 / 6227020800;
  odd = odd * z + 1.0 / 39916800;
  odd = odd * z + 1.0 / 362880;
  odd = odd * z + 1.0 / 5040;
  odd = odd * z + 1.0 / 120;
  odd = odd * z + 1.0 / 6;
  return even + odd * r;
}

// e^r - 1 for the two parts of r. (r.low + r.low r.high is what the low part adds.)
double expm1_of(const Reduced& r) {
  return r.high + (r.high * r.high * exp_series(r.high) + (r.low + r.low * r.high));
}

// log(1 + f) = f - square_half + correction, for sqrt(1/2) <= 1 + f <= sqrt(2): with s = f / (2 +
// f) it is 2 artanh(s) = 2 s + s (2/3 s^2 + 2/5 s^4 + ...), and 2 s = f - f^2/2 + s f^2/2.
struct LogParts {
  double square_half, correction;
};

LogParts log_parts(double f) {
  const double s = f / (2 + f);
  const double z = s * s;
  const double w = z * z;
  double odd = 2.0 / 19;  // terms z, z^3, ... of the series
  odd = odd * w + 2.0 / 15;
  odd = odd * w + 2.0 / 11;
  odd = odd * w + 2.0 / 7;
  odd = odd * w + 2.0 / 3;
  double even = 2.0 / 21;
  even = even * w + 2.0 / 17;
  even = even * w + 2.0 / 13;
  even = even * w + 2.0 / 9;
  even = even * w + 2.0 / 5;
  const double square_half = f * f / 2;
  return {square_half, s * (square_half + (odd * z + even * w))};
}

// log of a positive, finite, normal number times 2^shift, plus a small number.
double log_of_normal(double x, int shift, double added) {
  constexpr std::uint64_t root_of_half = 0x3fe6a09e667f3bcdULL;  // the bits of sqrt(1/2)
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto above = static_cast<std::int64_t>(bits - root_of_half) >> 52;
  const double f = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(above) << 52)) - 1;
  const auto exponent = static_cast<double>(above + shift);
  const LogParts parts = log_parts(f);
  return exponent * ln2_high -
         ((parts.square_half - (parts.correction + (exponent * ln2_low + added))) - f);
}

}  // namespace

double exp(double x) {
  if (!(x == x)) return x;
  if (x > 709.79) return infinity;
  if (x < -745.14) return 0;
  const Reduced r = reduce(x);
  return scale(1 + expm1_of(r), r.exponent);
}

double expm1(double x) {
  if (!(x == x) || x == 0) return x;
  if (x > 709.79) return infinity;
  if (x < -40) return -1;
  const Reduced r = reduce(x);
  const double rest = expm1_of(r);
  if (r.exponent == 0) return rest;
  if (r.exponent > 55) return scale(1 + rest, r.exponent);
  // 2^k (1 + rest) - 1 = 2^k ((1 - 2^-k) + rest), where the bracket is exact up to k = 53.
  if (r.exponent > 0) return scale((1 - power_of_two(-r.exponent)) + rest, r.exponent);
  return scale(1 + rest, r.exponent) - 1;
}

double log(double x) {
  if (!(x == x)) return x;
  if (x < 0) return not_a_number;
  if (x == 0) return -infinity;
  if (x == infinity) return x;
  if (x < std::numeric_limits<double>::min()) return log_of_normal(x * 0x1p54, -54, 0);
  return log_of_normal(x, 0, 0);
}

double log1p(double x) {
  if (!(x == x) || x == 0) return x;
  if (x < -1) return not_a_number;
  if (x == -1) return -infinity;
  if (x == infinity) return x;
  if (x > -.29 && x < .41) {
    const LogParts parts = log_parts(x);
    return x - (parts.square_half - parts.correction);
  }
  const double sum = 1 + x;
  // What rounding the sum has lost; above 2^53 it is less than the last bit of the logarithm.
  const double lost = x < 1 ? x - (sum - 1) : 1 - (sum - x);
  return log_of_normal(sum, 0, x < 0x1p53 ? lost / sum : 0);
}

// Near 0 by Taylor's series of erf. Further out by the trapezoidal rule on
// erfc(x) = (x e^(-x^2) / pi) * integral of e^(-t^2) / (t^2 + x^2) dt, which converges
// exponentially: with steps of h it is wrong by some e^(-(pi / h)^2) = 4e-23, once the pole at i x
// is accounted for (Chiarella and Reichl 1968; Hunter and Regan 1972).
double erfc(double x) {
  if (!(x == x)) return x;
  if (x < 0) return 2 - erfc(-x);
  if (x > 28) return 0;
  const double z = x * x;
  if (x < .25) {
    // 1 / ((2 n + 1) n!), n = 1, 2, ...
    constexpr double terms[] = {1.0 / 3,       1.0 / 10,      1.0 / 42,    1.0 / 216,
                                1.0 / 1320,    1.0 / 9360,    1.0 / 75600, 1.0 / 685440,
                                1.0 / 6894720, 1.0 / 76204800};
    return 1 - 2 * std::numbers::inv_sqrtpi * (x - x * alternating(terms, z));
  }
  constexpr double step = .4375;
  constexpr double first = 0x1.1d34a60108f72p-3;  // step / pi
  // 2 step / pi e^(-(k step)^2), from k = 14 down to 1.
  constexpr double heights[] = {0x1.05c99c8a641cep-56, 0x1.670dbaab9e9e9p-49, 0x1.4fd3d98df1de8p-42,
                                0x1.ac6684a76e67ep-36, 0x1.74acc94c7ef39p-30, 0x1.ba2af46b07fdep-25,
                                0x1.65c2528e7f9eap-20, 0x1.8acb559175dbep-16, 0x1.2918baaa8e2bfp-12,
                                0x1.30ee426c2b0cdp-9,  0x1.aadb1ab4d84f5p-7,  0x1.977b4b3839581p-5,
                                0x1.094411d2b9a56p-3,  0x1.d70b4208925a3p-3};
  double sum = 0;
  int k = 14;
  for (const double height : heights) {
    sum += height / (step * step * (k * k) + z);
    --k;
  }
  // x^2 = z + low, exactly: products of halves of 26 bits.
  const double split = x * 0x1.0000002p27;
  const double upper = split - (split - x);
  const double lower = x - upper;
  const double low = ((upper * upper - z) + 2 * upper * lower) + lower * lower;
  const Reduced r = reduce(-z);
  const double rest = expm1_of(r);
  const double bell = 1 + (rest - low * (1 + rest));
  const double tail = scale((first / x + x * sum) * bell, r.exponent);
  return x < 4 ? tail - 2 / expm1(2 * std::numbers::pi / step * x) : tail;
}

double cos_pi(double x) {
  if (!(x - x == 0)) return not_a_number;
  double y = std::abs(x);
  y -= 2 * std::floor(y / 2);  // exact, as are the reflections below
  if (y > 1) y = 2 - y;
  const bool is_negative = y > .5;
  if (is_negative) y = 1 - y;
  constexpr double pi_low = 0x1.1a62633145c07p-53;
  constexpr double of_cosine[] = {
      1.0 / 2,       1.0 / 24,        1.0 / 720,         1.0 / 40320,
      1.0 / 3628800, 1.0 / 479001600, 1.0 / 87178291200, 1.0 / 20922789888000};
  constexpr double of_sine[] = {
      1.0 / 6,        1.0 / 120,        1.0 / 5040,          1.0 / 362880,
      1.0 / 39916800, 1.0 / 6227020800, 1.0 / 1307674368000, 1.0 / 355687428096000};
  const bool is_cosine = y <= .25;
  if (!is_cosine) y = .5 - y;
  const double t = y * std::numbers::pi + y * pi_low;
  const double result = is_cosine ? 1 - alternating(of_cosine, t * t)  //
                                  : t - t * alternating(of_sine, t * t);
  return is_negative ? -result : result;
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  return exp(y * log(x));
}

double hypot(double x, double y) {
  x = std::abs(x);
  y = std::abs(y);
  if (x == infinity || y == infinity) return infinity;
  if (!(x == x) || !(y == y)) return not_a_number;
  const double longer = std::max(x, y), shorter = std::min(x, y);
  if (longer == 0) return 0;
  const double ratio = shorter / longer;
  return longer * std::sqrt(1 + ratio * ratio);
}

}  // namespace noiseplus::portable
