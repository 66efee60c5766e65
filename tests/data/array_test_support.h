// Array files written byte by byte, for the tests of their readers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus::array_test {

// The numbers as they lie in memory, which on every machine these tests run on is little-endian.
template <typename T>
std::string little(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

template <typename T>
std::string big(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) {
    std::string one = little<T>({value});
    std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

// An npy file with this header, padded to a multiple of 64 as numpy's documentation asks.
inline std::string npy_file(std::string header, const std::string& data, int version = 1) {
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t before = 8 + length_size;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t i = 0; i < length_size; ++i) {
    file += static_cast<char>(header.size() >> (8 * i) & 0xffU);
  }
  return file + header + data;
}

inline std::string npy_file(const std::string& descr, const std::string& shape,
                            const std::string& data, bool fortran_order = false) {
  return npy_file("{'descr': '" + descr + "', 'fortran_order': " +
                      (fortran_order ? "True" : "False") + ", 'shape': " + shape + ", }",
                  data);
}

// As above but for its data, which begins at an odd byte.
inline std::string misaligned_npy_file(const std::string& descr, const std::string& shape,
                                       const std::string& data) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  if (header.size() % 2 == 0) header += ' ';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + data;
}

inline std::string idx_file(char type, std::initializer_list<std::uint32_t> sizes,
                            const std::string& data) {
  std::string file(2, '\0');
  file += type;
  file += static_cast<char>(sizes.size());
  return file + big(sizes) + data;
}

inline std::vector<std::vector<float>> rows_of(RowsView view) {
  std::vector<float> buffer(view.columns);
  std::vector<std::vector<float>> rows;
  for (std::size_t i = 0; i < view.rows; ++i) {
    const float* row = view.row(i, buffer.data());
    rows.emplace_back(row, row + view.columns);
  }
  return rows;
}

inline std::vector<std::vector<float>> rows_of(const Features& features) {
  return rows_of(features.view());
}

using Rows = std::vector<std::vector<float>>;
using Texts = std::vector<std::string>;

// The message of the error that `call` throws; fails when there is none or it is of another kind.
template <typename Call>
std::string error_of(Call call, ErrorKind kind = ErrorKind::data) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline std::string features_error(const std::string& file, Format format, const std::string& source,
                                  const std::string& label = "", ErrorKind kind = ErrorKind::data) {
  return error_of([&] { read_arrays(Bytes(file), source, format, label); }, kind);
}

inline std::string labels_error(const std::string& file, Format format, const std::string& source,
                                ErrorKind kind = ErrorKind::data) {
  return error_of([&] { read_label_texts(Bytes(file), source, format); }, kind);
}

inline std::vector<std::vector<float>> read_npy_rows(const std::string& file) {
  return rows_of(read_arrays(Bytes(file), "x.npy", Format::npy).features);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace noiseplus::array_test
