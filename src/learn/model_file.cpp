#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "learn/layers.h"
#include "learn/mixture.h"
#include "learn/model_header.h"
#include "learn/tree_model.h"

namespace noiseplus {
namespace {

// A byte that no text has, the name, and a line end that a transfer as text would change.
constexpr std::string_view magic = "\x89noise+\n";
constexpr std::uint32_t newest_version = 3;
constexpr std::size_t alignment = 64;
constexpr std::size_t word = 4;
constexpr std::size_t preamble = magic.size() + 2 * word;

void append_word(std::string& bytes, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xffU);
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = word; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::size_t aligned(std::size_t size) {
  return (size + alignment - 1) / alignment * alignment;
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

std::string why_weights_are_unfit(const Layer& layer) {
  if (layer.weights.size() != layer.inputs * layer.outputs ||
      layer.biases.size() != layer.outputs) {
    return "a layer's weights do not fit its shape";
  }
  const bool is_finite = all_finite(layer.weights) && all_finite(layer.biases);
  return is_finite ? "" : "a weight is not a number";
}

std::string why_weights_are_unfit(const SavedModel& model) {
  for (const Model& member : models_of(model)) {
    if (member.has_trees()) {
      std::string why = why_unfit(member.boosted, member.classes);
      if (!why.empty()) return why;
    }
    for (const Layer& layer : member.layers) {
      std::string why = why_weights_are_unfit(layer);
      if (!why.empty()) return why;
    }
  }
  return "";
}

void append_double(std::string& bytes, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  append_word(bytes, static_cast<std::uint32_t>(bits));
  append_word(bytes, static_cast<std::uint32_t>(bits >> 32));
}

void append_trees(std::string& bytes, const BoostedTrees& boosted) {
  for (const double offset : boosted.offsets) append_double(bytes, offset);
  append_word(bytes, static_cast<std::uint32_t>(boosted.trees.size()));
  for (const Tree& tree : boosted.trees) {
    append_word(bytes, static_cast<std::uint32_t>(tree.splits.size()));
    for (const TreeSplit& split : tree.splits) {
      append_word(bytes, split.column);
      append_word(bytes, std::bit_cast<std::uint32_t>(split.threshold));
      append_word(bytes, static_cast<std::uint32_t>(split.left));
      append_word(bytes, static_cast<std::uint32_t>(split.right));
    }
    for (const double leaf : tree.leaves) append_double(bytes, leaf);
  }
}

struct ShortFile {};  // thrown where the numbers of a file end too early

// The numbers after the header, in their order. Sizes are what a file says: every count is checked
// against what is left before memory is taken.
class NumberReader {
 public:
  explicit NumberReader(std::string_view bytes) : bytes_(bytes) {}

  bool is_at_end() const { return at_ == bytes_.size(); }

  // REQUIRES: `need` was called for it.
  std::uint32_t next_word() {
    at_ += word;
    return word_at(bytes_, at_ - word);
  }
  float next_float() { return std::bit_cast<float>(next_word()); }
  double next_double() {
    const std::uint64_t low = next_word();
    return std::bit_cast<double>(low | std::uint64_t{next_word()} << 32);
  }

  // `count` things of so many words each are still there.
  void need(std::size_t count, std::size_t words = 1) const {
    if (count > (bytes_.size() - at_) / word / words) throw ShortFile();
  }

  std::vector<float> floats(std::size_t count) {
    need(count);
    std::vector<float> values(count);
    for (float& value : values) value = next_float();
    return values;
  }

  std::vector<double> doubles(std::size_t count) {
    need(count, 2);
    std::vector<double> values(count);
    for (double& value : values) value = next_double();
    return values;
  }

  std::uint32_t count() {
    need(1);
    return next_word();
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

void read_layer(NumberReader& numbers, Layer& layer) {
  if (layer.inputs > std::numeric_limits<std::size_t>::max() / layer.outputs) throw ShortFile();
  layer.weights = numbers.floats(layer.inputs * layer.outputs);
  layer.biases = numbers.floats(layer.outputs);
}

Tree read_tree(NumberReader& numbers) {
  constexpr std::size_t words_of_split = 4;
  Tree tree;
  const std::size_t splits = numbers.count();
  numbers.need(splits, words_of_split);
  tree.splits.resize(splits);
  for (TreeSplit& split : tree.splits) {
    split.column = numbers.next_word();
    split.threshold = numbers.next_float();
    split.left = static_cast<std::int32_t>(numbers.next_word());
    split.right = static_cast<std::int32_t>(numbers.next_word());
  }
  tree.leaves = numbers.doubles(splits + 1);
  return tree;
}

void read_trees(NumberReader& numbers, std::size_t classes, BoostedTrees& boosted) {
  boosted.offsets = numbers.doubles(outputs_of(classes));
  constexpr std::size_t min_words_of_tree = 3;
  const std::size_t trees = numbers.count();
  numbers.need(trees, min_words_of_tree);
  for (std::size_t t = 0; t < trees; ++t) boosted.trees.push_back(read_tree(numbers));
}

// The parts of a file of a known version whose checksum is right.
class ModelParser {
 public:
  ModelParser(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  SavedModel parse() {
    check_outside();
    const std::string_view content = bytes_.substr(0, bytes_.size() - word);
    const std::size_t length = word_at(bytes_, magic.size() + word);
    if (length > content.size() - preamble || aligned(preamble + length) > content.size()) {
      throw damaged("the header is longer than the file");
    }
    const std::string_view padding =
        content.substr(preamble + length, aligned(preamble + length) - preamble - length);
    if (padding.find_first_not_of('\0') != padding.npos) {
      throw damaged("there are bytes between the header and the weights");
    }
    SavedModel model;
    try {
      model = parse_header(content.substr(preamble, length), word_at(bytes_, magic.size()));
    } catch (const HeaderFault& fault) {
      throw damaged(fault.message);
    }
    const std::string why = why_unfit(model);
    if (!why.empty()) throw damaged(why);
    read_numbers(content.substr(aligned(preamble + length)), model);
    return model;
  }

 private:
  void check_outside() const {
    const std::string_view begin = bytes_.substr(0, magic.size());
    if (begin.empty() || !magic.starts_with(begin)) {
      throw Error(ErrorKind::data, source_ +
                                       ": is not a model: it does not begin as one; give a file "
                                       "that noiseplus train has written");
    }
    constexpr std::size_t least = preamble + word;
    if (bytes_.size() < least) throw damaged("the file ends inside its first bytes");
    const std::uint32_t version = word_at(bytes_, magic.size());
    if (version > newest_version) {
      throw Error(ErrorKind::data,
                  source_ + ": was written by a newer noiseplus (format " +
                      std::to_string(version) + ", and " + std::to_string(newest_version) +
                      " is the newest known here); update noiseplus or train the model again");
    }
    if (version == 0) throw damaged("there is no format 0");
    const std::size_t end = bytes_.size() - word;
    if (checksum(bytes_.substr(0, end)) != word_at(bytes_, end)) {
      throw damaged("the checksum is wrong");
    }
  }

  void read_numbers(std::string_view bytes, SavedModel& model) const {
    NumberReader numbers(bytes);
    try {
      for (Model& member : models_of(model)) {
        if (member.has_trees()) read_trees(numbers, member.classes, member.boosted);
        for (Layer& layer : member.layers) read_layer(numbers, layer);
      }
    } catch (const ShortFile&) {
      throw damaged("the weights do not fill the rest of the file");
    }
    if (!numbers.is_at_end()) throw damaged("the weights do not fill the rest of the file");
    const std::string why = why_weights_are_unfit(model);
    if (!why.empty()) throw damaged(why);
  }

  Error damaged(const std::string& why) const {
    return {ErrorKind::data, source_ + ": the model is damaged or cut short: " + why +
                                 "; copy the file again or train the model again"};
  }

  std::string_view bytes_;
  const std::string& source_;
};

}  // namespace

std::string model_bytes(const SavedModel& model) {
  std::string why = why_unfit(model);
  if (why.empty()) why = why_weights_are_unfit(model);
  if (!why.empty()) throw Error(ErrorKind::usage, "the model cannot be written: " + why);

  const std::string header = write_header(model);
  if (header.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::usage, "the model cannot be written: its names take over 4 GiB");
  }
  std::string bytes(magic);
  append_word(bytes, format_version(model));
  append_word(bytes, static_cast<std::uint32_t>(header.size()));
  bytes += header;
  bytes.resize(aligned(bytes.size()));
  for (const Model& member : models_of(model)) {
    if (member.has_trees()) append_trees(bytes, member.boosted);
    for (const Layer& layer : member.layers) {
      for (const float x : layer.weights) append_word(bytes, std::bit_cast<std::uint32_t>(x));
      for (const float x : layer.biases) append_word(bytes, std::bit_cast<std::uint32_t>(x));
    }
  }
  append_word(bytes, checksum(bytes));
  return bytes;
}

void write_model(const SavedModel& model, OutputFile& output) {
  output.write(model_bytes(model));
}

SavedModel read_model(Bytes bytes, const std::string& source) {
  return ModelParser(bytes.view(), source).parse();
}

}  // namespace noiseplus
