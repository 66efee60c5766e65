// Columns and tables for a producer of Arrow data, and what a reader makes of them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "data/array_test_support.h"
#include "data/arrow_producer.h"

namespace noiseplus::arrow_test {

using array_test::error_of;
using array_test::little;
using array_test::Texts;
using Codes = std::vector<std::int32_t>;
using Numbers = std::vector<double>;
using Cells = std::vector<std::optional<std::string>>;  // none: null

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

inline std::string bits(const std::vector<bool>& values) {
  std::string bytes((values.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) bytes[i / 8] = static_cast<char>(bytes[i / 8] | 1 << i % 8);
  }
  return bytes;
}

inline Array column(const std::string& format, std::int64_t length,
                    std::vector<std::optional<std::string>> buffers) {
  Array array;
  array.format = format;
  array.name = "x";
  array.length = length;
  array.buffers = std::move(buffers);
  return array;
}

template <typename T>
Array numbers(const std::string& format, std::initializer_list<T> values) {
  return column(format, static_cast<std::int64_t>(values.size()), {std::nullopt, little(values)});
}

inline Array booleans(const std::vector<bool>& values) {
  return column("b", static_cast<std::int64_t>(values.size()), {std::nullopt, bits(values)});
}

inline Array nulls(std::int64_t length) {
  return column("n", length, {});
}

inline std::string validity(const Cells& cells) {
  std::vector<bool> valid;
  for (const auto& cell : cells) valid.push_back(cell.has_value());
  return bits(valid);
}

// Texts end to end; Offset is the format's.
template <typename Offset>
Array texts(const std::string& format, const Cells& cells) {
  std::string all, offsets = little<Offset>({0});
  for (const auto& cell : cells) {
    all += cell.value_or("");
    offsets += little<Offset>({static_cast<Offset>(all.size())});
  }
  return column(format, static_cast<std::int64_t>(cells.size()), {validity(cells), offsets, all});
}

inline Array texts(const Cells& cells) {
  return texts<std::int32_t>("u", cells);
}

// Texts by views; long ones lie in two buffers in turn.
inline Array viewed_texts(const Cells& cells) {
  std::string views;
  std::string further[2];
  std::size_t turn = 0;
  for (const auto& cell : cells) {
    const std::string text = cell.value_or("");
    views += little<std::int32_t>({static_cast<std::int32_t>(text.size())});
    if (text.size() <= 12) {
      views += text + std::string(12 - text.size(), '\0');
      continue;
    }
    std::string& buffer = further[turn];
    views += text.substr(0, 4);
    views += little<std::int32_t>(
        {static_cast<std::int32_t>(turn), static_cast<std::int32_t>(buffer.size())});
    buffer += text;
    turn = 1 - turn;
  }
  const std::string sizes = little<std::int64_t>(
      {static_cast<std::int64_t>(further[0].size()), static_cast<std::int64_t>(further[1].size())});
  return column("vu", static_cast<std::int64_t>(cells.size()),
                {validity(cells), views, further[0], further[1], sizes});
}

inline Array with_dictionary(Array indices, Array values) {
  indices.dictionary = {std::move(values)};
  return indices;
}

inline Array named(Array array, const std::string& name) {
  array.name = name;
  return array;
}

inline Array with_validity(Array array, const std::vector<bool>& valid) {
  array.buffers[0] = bits(valid);
  return array;
}

// A batch of rows, as many as the first column has.
inline Array batch(std::vector<Array> columns) {
  Array rows = column("+s", columns.empty() ? 0 : columns.front().length, {std::nullopt});
  rows.children = std::move(columns);
  return rows;
}

// What is read of these batches. Whatever happens, all that was given is given back, but for the
// stream itself.
inline Table read(Producer& producer, const TableOptions& options = {},
                  const std::vector<std::string>& ignored = {}) {
  struct Check {
    const Producer& producer;
    ~Check() {
      EXPECT_EQ(producer.given.schemas_alive, 0);
      EXPECT_EQ(producer.given.arrays_alive, 0);
      EXPECT_EQ(producer.releases, 0);
    }
  } check{producer};
  return read_arrow(producer.stream(), "t", options, ignored);
}

inline Table read(const std::vector<Array>& batches, const TableOptions& options = {},
                  const std::vector<std::string>& ignored = {}) {
  Producer producer(batches.front(), batches);
  return read(producer, options, ignored);
}

inline Column read_column(const Array& array, const TableOptions& options = {}) {
  return read({batch({array})}, options).columns.at(0);
}

// NaN equals NaN.
inline void expect_numbers(const Column& column, const Numbers& expected) {
  EXPECT_FALSE(column.is_text);
  EXPECT_TRUE(column.codes.empty());
  ASSERT_EQ(column.numbers.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(column.numbers[i])) << i << ": " << column.numbers[i];
    } else {
      EXPECT_EQ(column.numbers[i], expected[i]) << i;
    }
  }
}

inline void expect_texts(const Column& column, const Texts& categories, const Codes& codes) {
  EXPECT_TRUE(column.is_text);
  EXPECT_TRUE(column.numbers.empty());
  EXPECT_EQ(column.categories, categories);
  EXPECT_EQ(column.codes, codes);
}

}  // namespace noiseplus::arrow_test
