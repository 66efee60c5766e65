// What every stage needs and none owns: errors, matrices, progress, and random numbers by hash.
//
// Three promises hold for the whole library:
//   1. It never prints, never exits and never reads the environment.
//   2. The same input and seed give the same bits at any number of threads; see also kernels.h.
//   3. A mistake of the caller or a fault of the input is thrown as `Error`; nothing else is, but
//      for std::bad_alloc where memory runs out. Every call checks its arguments before it uses
//      them: sizes that do not fit together, codes and ids out of range, numbers that are NaN and
//      enumeration values that do not exist are Error(usage) unless the call says otherwise. Only
//      access to a single row or value is unchecked, and says REQUIRES.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace noiseplus {

// Whose fault it is, so that a caller can choose an exit code or an exception class.
enum class ErrorKind {
  usage,       // an option or an argument is wrong
  data,        // the input's content is wrong; the message says where
  impossible,  // the question has no answer on this input
  io,          // a file cannot be read or written
  cancelled    // a progress callback asked to stop
};

// The only exception the library throws on purpose. `what()` is one line: what is wrong, where, and
// what to do about it. It has at most 1000 bytes. Longer messages are shortened: quoted text first,
// then the middle.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// A row-major matrix of floats that somebody else owns. Row i starts at data + i * columns.
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;

  // REQUIRES: i < rows.
  const float* row(std::size_t i) const { return data + i * columns; }
};

// A row-major matrix of floats that owns its memory.
class Matrix {
 public:
  Matrix() = default;
  // Zeros. Throws usage when the size of the values exceeds the address space.
  Matrix(std::size_t rows, std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  // REQUIRES: i < rows().
  float* row(std::size_t i) { return values_.data() + i * columns_; }
  const float* row(std::size_t i) const { return values_.data() + i * columns_; }
  MatrixView view() const { return {values_.data(), rows_, columns_}; }

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<float> values_;
};

// How the numbers of a matrix are stored.
enum class ValueType : std::uint8_t { float32, float16 };

// A row-major matrix that somebody else owns, read as it is stored: a mapped file of halves costs
// no copy in floats. Every MatrixView is one. Halves are IEEE 754's binary16, given as their bits;
// read as floats, they keep their value.
struct RowsView {
  const void* data = nullptr;
  ValueType type = ValueType::float32;
  std::size_t rows = 0;
  std::size_t columns = 0;

  RowsView() = default;
  RowsView(MatrixView floats)  // NOLINT(google-explicit-constructor): nothing is lost
      : data(floats.data), rows(floats.rows), columns(floats.columns) {}
  RowsView(const std::uint16_t* halves, std::size_t row_count, std::size_t column_count)
      : data(halves), type(ValueType::float16), rows(row_count), columns(column_count) {}

  // Row i as floats: in place where it is stored so, else converted into `buffer`, which has room
  // for `columns` floats. REQUIRES: i < rows.
  const float* row(std::size_t i, float* buffer) const;

  // All rows as floats, for work that cannot go row by row: in place where they are stored so, else
  // converted into `buffer`, which must then outlive the result.
  MatrixView floats(Matrix& buffer) const;
};

// A number with a 95 % interval. Rates and their intervals are within [0, 1].
struct EstimateWithInterval {
  double value = 0, low = 0, high = 0;
};

// How far a long piece of work has come.
struct Progress {
  std::string_view stage;  // "reading", "neighbors", ...
  double done = 0;         // share of the work that is finished, 0 to 1
};

// What changes only the speed of a call, never its answer.
struct Execution {
  // How many threads to use, capped at 256; 0 means one for each core.
  unsigned threads = 0;

  // Called now and then from one thread at a time, not always the caller's. Return false to stop:
  // the call then throws Error(cancelled) within a fraction of a second. May be empty.
  std::function<bool(const Progress&)> progress = {};
};

// Random numbers are a pure function of (seed, stream, row): no state, no order, no threads. Each
// use has a stream of its own, so that corrupting and then balancing with one seed does not draw
// twice the same number for a row.
enum class Stream : std::uint64_t {
  corrupt = 1,
  flip = 2,
  anchors = 3,
  ties = 4,
  resample = 5,
  generate = 6,
  split = 7,
  folds = 8,
  weights = 9,
  batches = 10,
  dropout = 11,
  peers = 12,
  misspecify = 13,
  answers = 14,
  trees = 15,
  noise_rates = 16,
};

std::uint64_t hash(std::uint64_t seed, Stream stream, std::uint64_t row);
std::uint64_t hash(std::uint64_t seed, Stream stream, std::uint64_t row, std::uint64_t draw);

// Uniform in [0, 1).
double uniform(std::uint64_t seed, Stream stream, std::uint64_t row);
double uniform(std::uint64_t seed, Stream stream, std::uint64_t row, std::uint64_t draw);

// Standard normal.
double normal(std::uint64_t seed, Stream stream, std::uint64_t row, std::uint64_t draw);

// The `count` rows out of 0..rows-1 whose hash is smallest, in increasing order: a sample without
// replacement in which a larger sample contains every smaller one. count >= rows gives all rows.
// Throws data when there are 2^32 rows or more.
std::vector<std::uint32_t> sample_rows(std::size_t rows, std::size_t count, std::uint64_t seed,
                                       Stream stream);

// What a terminal would obey or nobody could read becomes '?': control characters, overrides of the
// direction of writing, bytes that are not UTF-8.
std::string printable(const std::string& text);

}  // namespace noiseplus
