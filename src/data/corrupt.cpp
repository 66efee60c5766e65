#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "data/csv.h"
#include "data/draw_label.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

constexpr double rounding = 1e-6;  // by how much a row of a hand-written matrix may miss one

std::string describe_fault(std::span<const double> row) {
  double sum = 0;
  for (const double p : row) {
    if (!(p >= 0 && p <= 1)) return "holds " + format_number(p) + ", which is not in [0, 1]";
    sum += p;
  }
  if (std::abs(sum - 1) > rounding) return "adds up to " + format_number(sum) + ", not to 1";
  return "";
}

// As many row-stochastic matrices as said, one after the other.
void check_stochastic(std::span<const double> matrices, std::size_t classes, std::size_t count) {
  check_square(matrices.size(), classes, count, "a matrix");
  for (std::size_t i = 0; i < classes * count; ++i) {
    const std::string fault = describe_fault(matrices.subspan(i * classes, classes));
    if (fault.empty()) continue;
    const std::string which = count == 1 ? "" : " of group " + std::to_string(i / classes);
    throw Error(ErrorKind::usage,
                "row " + std::to_string(i % classes + 1) + " of the matrix" + which + " " + fault);
  }
}

}  // namespace

std::vector<std::int32_t> draw_labels(std::span<const std::int32_t> codes, std::size_t classes,
                                      std::span<const double> matrix, std::uint64_t seed,
                                      Stream stream) {
  check_stochastic(matrix, classes, 1);
  check_codes(codes, classes);
  std::vector<std::int32_t> drawn(codes.begin(), codes.end());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    drawn[n] = draw_label(codes[n], classes, matrix, uniform(seed, stream, n));
  }
  return drawn;
}

std::vector<std::int32_t> draw_labels(std::span<const std::int32_t> codes,
                                      std::span<const std::int32_t> groups, std::size_t classes,
                                      std::span<const double> matrices, std::uint64_t seed,
                                      Stream stream) {
  check_class_count(classes);
  const std::size_t size = classes * classes;
  const std::size_t count = matrices.size() / size;
  check_stochastic(matrices, classes, std::max<std::size_t>(count, 1));
  check_codes(codes, classes);
  check_one_per_row(groups.size(), codes.size(), "groups");
  check_codes(groups, count, "group");
  std::vector<std::int32_t> drawn(codes.begin(), codes.end());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const auto group = static_cast<std::size_t>(groups[n]);
    drawn[n] = draw_label(codes[n], classes, matrices.subspan(group * size, size),
                          uniform(seed, stream, n));
  }
  return drawn;
}

std::vector<double> read_transition(Bytes bytes, const std::string& source, std::size_t classes) {
  check_class_count(classes);
  const std::string_view text = bytes.view();
  const auto fault = [&](std::size_t offset, const std::string& message) {
    return Error(ErrorKind::data, locate(text, offset, source) + ": " + message);
  };
  const std::string wanted = std::to_string(classes) + " lines of " + std::to_string(classes) +
                             " numbers, row = clean class";
  constexpr std::string_view separators = " \t,;\r";
  std::vector<double> matrix;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t before = matrix.size();
    std::size_t at = begin;
    while ((at = std::min(text.find_first_not_of(separators, at), end)) < end) {
      const std::size_t stop = std::min(text.find_first_of(" \t,;\r\n", at), end);
      const std::optional<double> value = parse_number(text.substr(at, stop - at));
      if (!value || !std::isfinite(*value)) throw fault(at, "not a number; give " + wanted);
      if (matrix.size() == before + classes || before == classes * classes) {
        throw fault(at, "too many numbers; give " + wanted);
      }
      matrix.push_back(*value);
      at = stop;
    }
    const std::size_t got = matrix.size() - before;
    if (got != 0 && got != classes) throw fault(end, "too few numbers; give " + wanted);
    if (got != 0) {
      const std::string wrong = describe_fault(std::span(matrix).subspan(before, classes));
      if (!wrong.empty()) throw fault(begin, "the line " + wrong);
    }
    begin = end + 1;
  }
  if (matrix.size() != classes * classes) {
    throw fault(text.size(), "too few lines; give " + wanted);
  }
  return matrix;
}

}  // namespace noiseplus
