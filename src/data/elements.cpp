#include "data/elements.h"

#include <charconv>

namespace noiseplus {
namespace {

template <typename T>
std::string number_text(T value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);  // not through double, which is exact only up to 2^53
  } else {
    if (std::isnan(value)) return {};
    if (std::isinf(value)) throw BadElement{"is infinite; give it a label"};
    if constexpr (std::is_same_v<T, float>) {
      // The shortest digits of the float: widened to double, 0.1 would read 0.10000000149011612.
      std::array<char, 32> text{};
      const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
      double shortest = value;
      std::from_chars(text.data(), end, shortest);
      return format_number(shortest);
    } else {
      return format_number(value);
    }
  }
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto append = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto append_rest = [&](int shift) { append(0x80U | ((point >> shift) & 0x3fU)); };
  if (point < 0x80U) {
    append(point);
  } else if (point < 0x800U) {
    append(0xc0U | point >> 6);
    append_rest(0);
  } else if (point < 0x10000U) {
    append(0xe0U | point >> 12);
    append_rest(6);
    append_rest(0);
  } else {
    append(0xf0U | point >> 18);
    append_rest(12);
    append_rest(6);
    append_rest(0);
  }
}

std::string unicode_text(const ElementType& type, const char* from) {
  std::string text;
  std::size_t padding = 0;
  for (std::size_t at = 0; at < type.size; at += 4) {
    const auto point = load_element<std::uint32_t>(from + at, type.swapped);
    if (point > 0x10ffffU || (point >= 0xd800U && point < 0xe000U)) {
      throw BadElement{"holds a code that is no Unicode character; the file is damaged"};
    }
    padding = point == 0 ? padding + 1 : 0;
    append_utf8(text, point);
  }
  text.resize(text.size() - padding);
  return text;
}

}  // namespace

std::string element_text(const ElementType& type, const char* from) {
  if (type.kind == ElementKind::unicode) return unicode_text(type, from);
  if (type.kind == ElementKind::bytes) {
    std::string text(from, type.size);
    while (text.ends_with('\0')) text.pop_back();
    return text;
  }
  std::string text;
  visit_decoder(type, [&](auto decode) { text = number_text(decode(from)); });
  return text;
}

}  // namespace noiseplus
