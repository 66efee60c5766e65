#include "data/raw_array.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "core/rows.h"
#include "data/elements.h"

namespace noiseplus {
namespace {

std::string type_name(const ElementType& type) {
  const std::string bits = std::to_string(type.size * 8);
  switch (type.kind) {
    case ElementKind::boolean:
      return "bool";
    case ElementKind::signed_integer:
      return "int" + bits;
    case ElementKind::unsigned_integer:
      return "uint" + bits;
    case ElementKind::floating:
      return "float" + bits;
    case ElementKind::bytes:
    case ElementKind::unicode:
      break;
  }
  return "text";
}

// "10 x 5 float32"
std::string describe(const RawArray& array) {
  std::string text;
  for (const std::size_t size : array.shape) {
    if (!text.empty()) text += " x ";
    text += std::to_string(size);
  }
  return text + ' ' + type_name(array.type);
}

Error fault(const RawArray& array, const std::string& message) {
  return {ErrorKind::data, array.name + ": " + message};
}

// Element (row, column) lies at element row + offset[column] when the order is Fortran's.
std::vector<std::size_t> fortran_offsets(const RawArray& array) {
  std::vector<std::size_t> offsets(array.columns());
  for (std::size_t column = 0; column < offsets.size(); ++column) {
    std::size_t rest = column;
    std::size_t stride = array.rows() * array.columns();
    for (std::size_t axis = array.shape.size(); axis-- > 1;) {
      stride /= array.shape[axis];
      offsets[column] += rest % array.shape[axis] * stride;
      rest /= array.shape[axis];
    }
  }
  return offsets;
}

// Reads down the columns in blocks of rows, so that what is written stays in the cache.
template <typename Decode>
void convert_fortran(const RawArray& array, Decode decode, Matrix& matrix) {
  constexpr std::size_t block = 64;
  const std::vector<std::size_t> offsets = fortran_offsets(array);
  for (std::size_t begin = 0; begin < matrix.rows(); begin += block) {
    const std::size_t end = std::min(begin + block, matrix.rows());
    for (std::size_t column = 0; column < matrix.columns(); ++column) {
      const char* from = array.data + offsets[column] * array.type.size;
      for (std::size_t row = begin; row < end; ++row) {
        matrix.row(row)[column] = to_float(decode(from + row * array.type.size));
      }
    }
  }
}

Matrix convert(const RawArray& array) {
  Matrix matrix(array.rows(), array.columns());
  visit_decoder(array.type, [&](auto decode) {
    if (array.fortran_order) {
      convert_fortran(array, decode, matrix);
      return;
    }
    float* to = matrix.row(0);
    const std::size_t count = matrix.rows() * matrix.columns();
    for (std::size_t i = 0; i < count; ++i)
      to[i] = to_float(decode(array.data + i * array.type.size));
  });
  return matrix;
}

void refuse_infinity(const RawArray& array, RowsView matrix) {
  const std::size_t found = find_infinity(matrix);
  if (found == matrix.rows * matrix.columns) return;
  const std::size_t row = found / matrix.columns;
  const std::size_t column = found % matrix.columns;
  std::size_t element = found;
  if (array.fortran_order) element = row + fortran_offsets(array)[column];
  double value = 0;
  visit_decoder(array.type, [&](auto decode) {
    value = static_cast<double>(decode(array.data + element * array.type.size));
  });
  const std::string place =
      "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1);
  if (std::abs(value) == std::numeric_limits<double>::infinity()) {
    throw fault(array,
                place + " is infinite; replace it by a number, or by NaN when it is missing");
  }
  throw fault(array, place + " is " + format_number(value) +
                         ", too large for a 32-bit float; divide the column by a power of ten");
}

bool is_aligned(const void* data, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(data) % alignment == 0;
}

// The elements where they lie in `file`, when they need no conversion and will stay there.
std::optional<RowsView> view_in_place(const RawArray& array, const Bytes& file) {
  const ElementType& type = array.type;
  if (type.kind != ElementKind::floating || type.swapped || array.fortran_order) return {};
  if (!is_aligned(array.data, type.size) || !survives_move(file)) return {};
  if (type.size == sizeof(float)) {
    return MatrixView{reinterpret_cast<const float*>(array.data), array.rows(), array.columns()};
  }
  if (type.size == sizeof(std::uint16_t)) {
    return RowsView(reinterpret_cast<const std::uint16_t*>(array.data), array.rows(),
                    array.columns());
  }
  return {};
}

}  // namespace

std::size_t RawArray::columns() const {
  std::size_t product = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) product *= shape[axis];
  return product;
}

void check_extent(const RawArray& array, std::size_t available) {
  if (array.shape.empty()) {
    throw fault(array,
                "holds a single value without dimensions; save an array with one row for each "
                "example");
  }
  if (array.shape[0] == 0) {
    throw fault(array, "the array has no rows (" + describe(array) + "); check how it was saved");
  }
  if (std::find(array.shape.begin(), array.shape.end(), 0U) != array.shape.end()) {
    throw fault(array,
                "the array has no columns (" + describe(array) + "); check how it was saved");
  }
  std::size_t needed = array.type.size;
  for (const std::size_t size : array.shape) {
    if (size > std::numeric_limits<std::size_t>::max() / needed) {
      throw fault(array, "the header says " + describe(array) +
                             ", more than any file can hold; it is damaged, copy the file again");
    }
    needed *= size;
  }
  if (needed == available) return;
  throw fault(array, "the header says " + describe(array) + " (" + std::to_string(needed) +
                         " bytes) but the file holds " + std::to_string(available) +
                         (available < needed ? "; it was cut short, copy it again"
                                             : "; save one array and nothing else in the file"));
}

Features to_features(const RawArray& array, Bytes&& file) {
  if (array.type.is_text()) {
    throw fault(array, "holds text, but features must be numbers; encode it as numbers first");
  }
  if (const std::optional<RowsView> view = view_in_place(array, file)) {
    refuse_infinity(array, *view);
    return {std::move(file), *view};
  }
  Matrix matrix = convert(array);
  file.throw_if_changed();
  refuse_infinity(array, matrix.view());
  return Features(std::move(matrix));
}

std::vector<std::string> to_label_texts(const RawArray& array) {
  if (array.columns() != 1) {
    throw fault(array, "labels need one value a row, but the array is " + describe(array) +
                           "; save it with one dimension");
  }
  std::vector<std::string> texts(array.rows());
  for (std::size_t row = 0; row < texts.size(); ++row) {
    try {
      texts[row] = element_text(array.type, array.data + row * array.type.size);
    } catch (const BadElement& bad) {
      throw fault(array, "row " + std::to_string(row + 1) + ' ' + bad.message);
    }
  }
  return texts;
}

bool survives_move(const Bytes& bytes) {
  const auto* object = reinterpret_cast<const char*>(&bytes);
  const std::less<> before;
  return before(bytes.view().data(), object) ||
         !before(bytes.view().data(), object + sizeof(Bytes));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "'";
  for (const char c : text.substr(0, longest)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      result += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    }
  }
  return result + (text.size() > longest ? "...'" : "'");
}

}  // namespace noiseplus
