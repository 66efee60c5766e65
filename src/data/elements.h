// One element of a binary array: from bytes to a number or a text. Internal to the data stage.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/half.h"
#include "data/raw_array.h"

namespace noiseplus {

template <typename T>
T load_element(const char* from, bool swapped) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (swapped) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

// What is too large becomes infinite, to be found with the other infinities.
template <typename T>
float to_float(T value) {
  if constexpr (std::is_same_v<T, double>) {
    constexpr double largest = std::numeric_limits<float>::max();
    if (value > largest) return std::numeric_limits<float>::infinity();
    if (value < -largest) return -std::numeric_limits<float>::infinity();
  }
  return static_cast<float>(value);
}

// Calls visitor(decode), where decode(const char*) gives the number there in its own type. The type
// must not be text.
template <typename Visitor>
void visit_decoder(const ElementType& type, Visitor visitor) {
  const bool swapped = type.swapped;
  const auto visit = [&]<typename T>(T) {
    visitor([swapped](const char* from) { return load_element<T>(from, swapped); });
  };
  switch (type.kind) {
    case ElementKind::boolean:
      return visitor([](const char* from) { return static_cast<std::uint8_t>(*from != 0); });
    case ElementKind::signed_integer:
      if (type.size == 1) return visit(std::int8_t{});
      if (type.size == 2) return visit(std::int16_t{});
      if (type.size == 4) return visit(std::int32_t{});
      return visit(std::int64_t{});
    case ElementKind::unsigned_integer:
      if (type.size == 1) return visit(std::uint8_t{});
      if (type.size == 2) return visit(std::uint16_t{});
      if (type.size == 4) return visit(std::uint32_t{});
      return visit(std::uint64_t{});
    case ElementKind::floating:
      if (type.size == 2) {
        return visitor([swapped](const char* from) {
          return widen_half(load_element<std::uint16_t>(from, swapped));
        });
      }
      if (type.size == 4) return visit(float{});
      return visit(double{});
    case ElementKind::bytes:
    case ElementKind::unicode:
      break;
  }
}

// Why an element cannot be a label; the caller knows where it is.
struct BadElement {
  const char* message;
};

// The element as a label: integers in full, other numbers by format_number, NaN as an empty text,
// text as UTF-8 without the NULs that pad it. Throws BadElement.
std::string element_text(const ElementType& type, const char* from);

}  // namespace noiseplus
