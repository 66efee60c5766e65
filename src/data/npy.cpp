#include "data/npy.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>

namespace noiseplus {
namespace {

Error fault(const std::string& name, const std::string& message) {
  return {ErrorKind::data, name + ": " + message};
}

// '<f4', '|S10', ...: byte order, kind, size; the size of <U counts characters of four bytes.
ElementType parse_element_type(std::string_view descr, const std::string& name) {
  if (descr.ends_with('O')) {
    throw fault(name,
                "holds pickled Python objects, which are refused because unpickling runs code; "
                "save numbers or text, as by array.astype(float) or array.astype(str)");
  }
  const Error unsupported = fault(
      name, "the element type " + quoted(descr) +
                " is not one of bool, int, uint, float (up to 64 bits) or text; convert it, as "
                "by array.astype('float32')");
  constexpr std::size_t longest = 12;  // more digits than the size of any text has
  if (descr.size() < 3 || descr.size() > longest) throw unsupported;
  if (std::string_view("<>|=").find(descr[0]) == std::string_view::npos) throw unsupported;
  ElementType type;
  const char* end = descr.data() + descr.size();
  const auto [stop, status] = std::from_chars(descr.data() + 2, end, type.size);
  if (status != std::errc() || stop != end || type.size == 0) throw unsupported;

  const auto size_is_one_of = [&](std::string_view sizes) {
    return type.size < 10 && sizes.find(static_cast<char>('0' + type.size)) != sizes.npos;
  };
  bool is_known = true;
  switch (descr[1]) {
    case 'b':
      type.kind = ElementKind::boolean, is_known = size_is_one_of("1");
      break;
    case 'i':
      type.kind = ElementKind::signed_integer, is_known = size_is_one_of("1248");
      break;
    case 'u':
      type.kind = ElementKind::unsigned_integer, is_known = size_is_one_of("1248");
      break;
    case 'f':
      type.kind = ElementKind::floating, is_known = size_is_one_of("248");
      break;
    case 'S':
      type.kind = ElementKind::bytes;
      break;
    case 'U':
      type.kind = ElementKind::unicode, type.size *= 4;
      break;
    default:
      is_known = false;
  }
  if (!is_known) throw unsupported;
  const char foreign_order = std::endian::native == std::endian::little ? '>' : '<';
  type.swapped = descr[0] == foreign_order;
  return type;
}

// Reads the Python dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (10, 5), }, its
// keys in any order, and nothing else that Python would allow.
class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  RawArray parse() {
    expect('{');
    while (!accept('}')) {
      parse_item();
      if (accept('}')) break;
      expect(',');
    }
    skip_blanks();
    if (at_ != text_.size()) throw damaged("nothing more");
    if (!type_) throw lacks("descr");
    if (!fortran_order_) throw lacks("fortran_order");
    if (!shape_) throw lacks("shape");
    RawArray array;
    array.name = name_;
    array.type = *type_;
    array.shape = *shape_;
    array.fortran_order = *fortran_order_;
    return array;
  }

 private:
  void parse_item() {
    const std::string_view key = parse_string();
    expect(':');
    if (key == "descr" && !type_) {
      if (next_is('[')) {
        throw fault(name_, "holds records with named fields; save one plain array of numbers");
      }
      type_ = parse_element_type(parse_string(), name_);
    } else if (key == "fortran_order" && !fortran_order_) {
      fortran_order_ = parse_boolean();
    } else if (key == "shape" && !shape_) {
      shape_ = parse_shape();
    } else {
      throw fault(name_, "the header has the key " + quoted(key) +
                             " twice or has no use for it; save the array again with numpy.save");
    }
  }

  std::string_view parse_string() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') throw damaged("a text in quotes");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) throw damaged("a text whose quote is closed");
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    if (content.find('\\') != content.npos) throw damaged("a text without backslashes");
    at_ = end + 1;
    return content;
  }

  bool parse_boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return value;
    }
    throw damaged("True or False");
  }

  std::vector<std::size_t> parse_shape() {
    constexpr std::size_t max_dimensions = 64;  // numpy's own limit
    std::vector<std::size_t> shape;
    expect('(');
    bool after_comma = true;
    while (!next_is(')')) {
      if (shape.size() == max_dimensions) throw damaged("at most 64 dimensions");
      shape.push_back(parse_size());
      after_comma = accept(',');
      if (!after_comma) break;
    }
    // (5) is a number in brackets; (5,) is a shape.
    if (shape.size() == 1 && !after_comma) throw damaged("a comma");
    expect(')');
    return shape;
  }

  std::size_t parse_size() {
    skip_blanks();
    if (next_is('-')) throw damaged("a size that is not negative");
    std::size_t size = 0;
    const char* begin = text_.data() + at_;
    const auto [stop, status] = std::from_chars(begin, text_.data() + text_.size(), size);
    if (status == std::errc::result_out_of_range) throw damaged("a size below 2^64");
    if (status != std::errc()) throw damaged("a size");
    at_ += static_cast<std::size_t>(stop - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // as Python 2 wrote
    return size;
  }

  void skip_blanks() {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  bool next_is(char wanted) {
    skip_blanks();
    return at_ < text_.size() && text_[at_] == wanted;
  }

  bool accept(char wanted) {
    if (!next_is(wanted)) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) throw damaged(quoted({&wanted, 1}));
  }

  Error damaged(const std::string& wanted) const {
    return fault(name_, "the header should have " + wanted + " at its character " +
                            std::to_string(at_ + 1) + "; save the array again with numpy.save");
  }

  Error lacks(const std::string& key) const {
    return fault(name_, "the header lacks '" + key + "'; save the array again with numpy.save");
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::optional<ElementType> type_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::size_t>> shape_;
};

}  // namespace

RawArray parse_npy_header(std::string_view file, const std::string& name) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!file.starts_with(magic)) {
    throw fault(name,
                "is not an npy file: it does not begin as one; check the file and its format");
  }
  const std::string_view rest = file.substr(magic.size());
  const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(rest[i])}; };
  const auto cut_short = [&] {
    return fault(name, "the file ends inside the header; it was cut short, copy it again");
  };
  if (rest.size() < 2) throw cut_short();
  const std::size_t version = byte(0);
  if (version < 1 || version > 3 || byte(1) != 0) {
    throw fault(name, "has npy version " + std::to_string(version) + '.' + std::to_string(byte(1)) +
                          "; save it as version 1.0, 2.0 or 3.0");
  }
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t begin = 2 + length_size;
  if (rest.size() < begin) throw cut_short();
  std::size_t length = 0;
  for (std::size_t i = length_size; i-- > 0;) length = length << 8 | byte(2 + i);
  if (length > rest.size() - begin) throw cut_short();

  RawArray array = DictionaryParser(rest.substr(begin, length), name).parse();
  array.data = rest.data() + begin + length;
  return array;
}

RawArray read_npy(std::string_view file, const std::string& name) {
  RawArray array = parse_npy_header(file, name);
  check_extent(array, static_cast<std::size_t>(file.data() + file.size() - array.data));
  return array;
}

}  // namespace noiseplus
