#include <array>
#include <charconv>
#include <cmath>

#include "data/csv.h"
#include "noiseplus/data.h"

namespace noiseplus {

std::string format_number(double value) {
  if (value == 0) value = 0;  // no "-0"
  std::array<char, 32> text{};
  // Integers up to 2^53 in full: a class called 100000 is not 1e+05.
  const bool is_integer = std::abs(value) < 0x1p53 && value == std::trunc(value);
  const auto result = is_integer ? std::to_chars(text.data(), text.data() + text.size(),
                                                 static_cast<long long>(value))
                                 : std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), result.ptr};
}

std::string_view trim_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  text = trim_blanks(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) return std::nullopt;
  }
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::invalid_argument || end != text.data() + text.size()) {
    return std::nullopt;
  }
  if (status == std::errc::result_out_of_range) {
    // from_chars does not say which side: the exponent's sign, or a leading "0.", does.
    const std::size_t exponent = text.find_first_of("eE");
    const bool is_tiny =
        exponent != std::string_view::npos ? text[exponent + 1] == '-' : text.find('.') <= 2;
    const double size = is_tiny ? 0.0 : std::numeric_limits<double>::infinity();
    return text.front() == '-' ? -size : size;
  }
  return value;
}

}  // namespace noiseplus
