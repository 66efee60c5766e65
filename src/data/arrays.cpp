#include <algorithm>

#include "data/array_readers.h"
#include "data/npy.h"

namespace noiseplus {
namespace {

Format resolve(Format format, const std::string& source) {
  return format == Format::automatic ? format_of(source) : format;
}

// A line each; the line feed at the end of the last one begins no further line.
std::vector<std::string> read_lines(std::string_view text, const std::string& source) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t nul = line.find('\0');
    if (nul != line.npos) {
      throw Error(ErrorKind::data, source + ':' + std::to_string(lines.size() + 1) + ':' +
                                       std::to_string(nul + 1) +
                                       ": a NUL byte, so this is no UTF-8 text; check the file and "
                                       "its format");
    }
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (lines.empty()) {
    throw Error(ErrorKind::data, source + ": the file is empty; write one label on each line");
  }
  return lines;
}

std::vector<std::size_t> row_shape_of(const RawArray& array) {
  if (array.shape.size() < 3) return {};
  return {array.shape.begin() + 1, array.shape.end()};
}

Arrays arrays_of(const RawArray& array, Bytes&& bytes) {
  return {to_features(array, std::move(bytes)), {}, {}, row_shape_of(array)};
}

}  // namespace

Arrays read_arrays(Bytes bytes, const std::string& source, Format format, const std::string& label,
                   bool with_labels, std::optional<std::uint64_t> max_unpacked) {
  switch (resolve(format, source)) {
    case Format::npy: {
      const RawArray array = read_npy(bytes.view(), source);
      return arrays_of(array, std::move(bytes));
    }
    case Format::idx: {
      const RawArray array = read_idx(bytes.view(), source);
      return arrays_of(array, std::move(bytes));
    }
    case Format::npz:
      return read_npz(bytes, source, label, with_labels, max_unpacked);
    case Format::libsvm: {
      Arrays arrays = read_libsvm(bytes, source);
      if (!with_labels) arrays.labels.clear();
      return arrays;
    }
    default:
      break;
  }
  throw Error(ErrorKind::usage,
              source + ": not a format of arrays; name one of npy, npz, idx or libsvm");
}

std::vector<std::string> read_label_texts(Bytes bytes, const std::string& source, Format format) {
  switch (resolve(format, source)) {
    case Format::npy:
      return to_label_texts(read_npy(bytes.view(), source));
    case Format::idx:
      return to_label_texts(read_idx(bytes.view(), source));
    case Format::txt:
      return read_lines(bytes.view(), source);
    default:
      break;
  }
  throw Error(ErrorKind::usage,
              source + ": not a format of plain labels; name one of npy, idx or txt");
}

}  // namespace noiseplus
