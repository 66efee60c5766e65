// The types and values of arrays of the Arrow C data interface. Internal to the data stage.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "data/arrow_abi.h"
#include "data/elements.h"

namespace noiseplus {

// What is wrong with a column, as the end of a sentence that begins with its name.
struct ArrowFault {
  std::string message;
};

enum class ArrowKind {
  nulls,    // nothing but missing values
  bits,     // booleans
  numbers,  // of any width
  moments,  // dates, timestamps and durations: counts of a unit of time
  texts,    // end to end, with offsets
  views,    // texts that are short, or lie anywhere in further buffers
  rows,     // a struct: the table itself
  refused
};

struct ArrowType {
  ArrowKind kind = ArrowKind::refused;
  ElementType element;          // of numbers and moments; of texts, that of their offsets
  std::string words;            // of what is refused: "a decimal"
  std::int64_t per_second = 0;  // of moments: units; 0: the unit is a day
  bool is_date = false;         // of moments: whether they count from 1970-01-01

  bool is_text() const { return kind == ArrowKind::texts || kind == ArrowKind::views; }
  bool is_integer() const {
    return kind == ArrowKind::numbers && element.kind != ElementKind::floating;
  }
};

// A column's values lie in its array one a row, or in its array's dictionary, and then the array
// holds indices.
struct ArrowColumnType {
  ArrowType values;
  std::optional<ArrowType> index;
};

// Throws ArrowFault when the schema contradicts itself.
ArrowColumnType column_type(const ArrowSchema& schema);

// An array that has been checked as far as that takes no look at its values; these are checked when
// they are asked for. So no read is outside the buffers that the interface has the producer supply,
// and both throw ArrowFault. Positions count from the array's offset on. Nothing is copied, and the
// array must outlive its values.
class ArrowValues {
 public:
  ArrowValues(const ArrowType& type, const ArrowArray& array);

  std::size_t size() const { return size_; }

  // REQUIRES for all below: i < size().
  bool is_valid(std::size_t i) const {
    return kind_ != ArrowKind::nulls && (validity_ == nullptr || bit(validity_, first_ + i));
  }
  // REQUIRES: is_valid(i) and the type is a text.
  std::string_view text(std::size_t i) const;
  // Calls visitor(number_at), where number_at(i) is a double: of moments, days. REQUIRES: the type
  // is no text.
  template <typename Visitor>
  void visit_numbers(Visitor visitor) const;

 private:
  static bool bit(const char* bits, std::size_t at) {
    return (static_cast<unsigned char>(bits[at / 8]) >> (at % 8) & 1U) != 0;
  }
  const char* element(std::size_t i) const { return data_ + (first_ + i) * element_.size; }
  std::int64_t offset(std::size_t i) const;
  double days(std::int64_t moment) const;
  std::string_view text_between_offsets(std::size_t i) const;
  std::string_view text_of_view(std::size_t i) const;

  ArrowKind kind_;
  ElementType element_;
  std::int64_t per_second_ = 0;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  const char* validity_ = nullptr;        // null: all are valid
  const char* data_ = nullptr;            // bits, numbers, offsets or views
  const void* const* buffers_ = nullptr;  // the texts' own
  std::int64_t text_buffers_ = 0;         // how many
  const char* sizes_ = nullptr;           // of these buffers, when there are views
};

template <typename Visitor>
void ArrowValues::visit_numbers(Visitor visitor) const {
  if (kind_ == ArrowKind::nulls) {
    return visitor([](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); });
  }
  if (kind_ == ArrowKind::bits) {
    return visitor([this](std::size_t i) { return bit(data_, first_ + i) ? 1.0 : 0.0; });
  }
  if (kind_ == ArrowKind::moments) {
    return visit_decoder(element_, [&](auto decode) {
      visitor([this, decode](std::size_t i) {
        return days(static_cast<std::int64_t>(decode(element(i))));
      });
    });
  }
  visit_decoder(element_, [&](auto decode) {
    visitor([this, decode](std::size_t i) { return static_cast<double>(decode(element(i))); });
  });
}

}  // namespace noiseplus
