#include <algorithm>
#include <numeric>

#include "core/checks.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

constexpr double lowest_kept = 0.4;  // of the paper's matrices

// Numbers of the matrix come from the stream of the noise itself, in draws that no row uses.
double draw_of_entry(std::uint64_t seed, std::size_t i, std::size_t j) {
  return uniform(seed, Stream::corrupt, i, 1 + j);
}

// The classes in random order.
std::vector<std::size_t> shuffled(std::size_t classes, std::uint64_t seed) {
  std::vector<std::size_t> order(classes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return hash(seed, Stream::corrupt, a, 0) < hash(seed, Stream::corrupt, b, 0);
  });
  return order;
}

}  // namespace

std::vector<double> symmetric_transition(std::size_t classes, double rate) {
  check_class_count(classes, 2);
  check_number(rate, 0, 1, "the rate of noise");
  std::vector<double> matrix(classes * classes, rate / static_cast<double>(classes - 1));
  for (std::size_t c = 0; c < classes; ++c) matrix[c * classes + c] = 1 - rate;
  return matrix;
}

std::vector<double> random_gap_transition(std::size_t classes, double gap, std::uint64_t seed) {
  if (classes < 2) {
    throw Error(ErrorKind::impossible, "one class only; there is no other to turn it into");
  }
  if (!(gap >= 0 && gap <= 1 - lowest_kept)) {
    throw Error(ErrorKind::usage, "a gap of " + format_number(gap) +
                                      " does not fit: classes keep 0.4 of their labels and two of "
                                      "them the gap more; give one from 0 to 0.6");
  }
  check_class_count(classes);
  const std::vector<std::size_t> order = shuffled(classes, seed);
  std::vector<double> kept(classes, lowest_kept);
  const std::size_t cleaner = classes == 2 ? 1 : 2;
  for (std::size_t i = 0; i < cleaner; ++i) kept[order[i]] = lowest_kept + gap;

  std::vector<double> matrix(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      // 1 - u is never 0, so a row of zeros cannot come out.
      matrix[i * classes + j] = i == j ? 0 : 1 - draw_of_entry(seed, i, j);
      sum += matrix[i * classes + j];
    }
    for (std::size_t j = 0; j < classes; ++j) matrix[i * classes + j] *= (1 - kept[i]) / sum;
    matrix[i * classes + i] = kept[i];
  }
  return matrix;
}

std::string write_transition(std::span<const double> matrix, std::size_t classes) {
  check_square(matrix.size(), classes);
  std::string text;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    text += format_number(matrix[i]);
    text += (i + 1) % classes == 0 ? '\n' : ' ';
  }
  return text;
}

}  // namespace noiseplus
