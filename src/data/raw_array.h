// An array as it lies in a binary file, and what can be made of it. Internal to the data stage.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus {

enum class ElementKind { boolean, signed_integer, unsigned_integer, floating, bytes, unicode };

struct ElementType {
  ElementKind kind = ElementKind::floating;
  std::size_t size = 4;  // bytes of one element, never 0
  bool swapped = false;  // the byte order is not this machine's

  bool is_text() const { return kind == ElementKind::bytes || kind == ElementKind::unicode; }
};

// `data` points into bytes that somebody else owns, at the first element, on any alignment.
struct RawArray {
  std::string name;  // for messages: the file, and in an archive also the array
  ElementType type;
  std::vector<std::size_t> shape;
  bool fortran_order = false;
  const char* data = nullptr;

  // Only after check_extent.
  std::size_t rows() const { return shape[0]; }
  std::size_t columns() const;
};

// Throws data unless the array has rows and columns and takes exactly `available` bytes. Nothing
// may be computed from the shape, nor read through `data`, before this has been called.
void check_extent(const RawArray& array, std::size_t available);

// One row for each index of the first dimension, the others flattened in C order. Looks at the
// elements inside `file`, where they must lie, when they already are what a view needs, and only
// then takes the file over; else converts them to floats. Throws data for text, infinities and what
// is too large for a float.
Features to_features(const RawArray& array, Bytes&& file);

// Throws data unless there is one element a row. A missing label (NaN) is an empty text.
std::vector<std::string> to_label_texts(const RawArray& array);

// Whether pointers into the bytes stay valid when the object is moved: not when a short text lies
// inside the object itself.
bool survives_move(const Bytes& bytes);

// A piece of the input for a message: in quotes, on one line, in ASCII, and not too long.
std::string quoted(std::string_view text);

}  // namespace noiseplus
