#include <bit>
#include <cstdint>

#include "data/array_readers.h"
#include "data/elements.h"

namespace noiseplus {
namespace {

Error fault(const std::string& name, const std::string& message) {
  return {ErrorKind::data, name + ": " + message};
}

constexpr bool is_swapped = std::endian::native == std::endian::little;  // idx is big-endian

ElementType element_type(unsigned char code, const std::string& name) {
  switch (code) {
    case 0x08:
      return {ElementKind::unsigned_integer, 1, is_swapped};
    case 0x09:
      return {ElementKind::signed_integer, 1, is_swapped};
    case 0x0B:
      return {ElementKind::signed_integer, 2, is_swapped};
    case 0x0C:
      return {ElementKind::signed_integer, 4, is_swapped};
    case 0x0D:
      return {ElementKind::floating, 4, is_swapped};
    case 0x0E:
      return {ElementKind::floating, 8, is_swapped};
    default:
      break;
  }
  throw fault(name,
              "byte 3 of the idx header is " + std::to_string(code) +
                  ", which names no element type (8, 9, 11, 12, 13 or 14); check the file and "
                  "its format");
}

}  // namespace

RawArray read_idx(std::string_view file, const std::string& name) {
  constexpr std::size_t magic_size = 4;
  constexpr std::size_t size_size = 4;
  if (file.size() < magic_size || file[0] != 0 || file[1] != 0) {
    throw fault(name,
                "is not an idx file: it does not begin with two zero bytes, a type and a number of "
                "dimensions; check the file and its format");
  }
  RawArray array;
  array.name = name;
  array.type = element_type(static_cast<unsigned char>(file[2]), name);
  array.shape.resize(static_cast<unsigned char>(file[3]));
  const std::size_t header_size = magic_size + size_size * array.shape.size();
  if (file.size() < header_size) {
    throw fault(name, "the file ends inside the sizes of its " +
                          std::to_string(array.shape.size()) +
                          " dimensions; it was cut short, copy it again");
  }
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
    array.shape[axis] =
        load_element<std::uint32_t>(file.data() + magic_size + size_size * axis, is_swapped);
  }
  array.data = file.data() + header_size;
  check_extent(array, file.size() - header_size);
  return array;
}

}  // namespace noiseplus
