#include <cmath>

#include "data/csv.h"
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

}  // namespace

std::vector<std::int32_t> draw_labels(std::span<const std::int32_t> codes, std::size_t classes,
                                      std::span<const double> matrix, std::uint64_t seed,
                                      Stream stream) {
  if (matrix.size() != classes * classes) {
    throw Error(ErrorKind::usage, "a matrix for " + std::to_string(classes) + " classes has " +
                                      std::to_string(classes * classes) + " entries, not " +
                                      std::to_string(matrix.size()));
  }
  for (std::size_t i = 0; i < classes; ++i) {
    const std::string fault = describe_fault(matrix.subspan(i * classes, classes));
    if (!fault.empty()) {
      throw Error(ErrorKind::usage, "row " + std::to_string(i + 1) + " of the matrix " + fault);
    }
  }
  std::vector<std::int32_t> drawn(codes.begin(), codes.end());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const auto from = static_cast<std::size_t>(codes[n]);
    const double u = uniform(seed, stream, n);
    double cumulated = 0;
    for (std::size_t to = 0; to < classes; ++to) {
      if (to == from) continue;
      cumulated += matrix[from * classes + to];
      if (u < cumulated) {
        drawn[n] = static_cast<std::int32_t>(to);
        break;
      }
    }
  }
  return drawn;
}

std::vector<double> read_transition(Bytes bytes, const std::string& source, std::size_t classes) {
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
