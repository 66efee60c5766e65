#include <set>

#include "data/arrow_producer.h"
#include "fuzz.h"

// Streams of the Arrow C interface. A consumer cannot know how large a buffer is, so these are as
// large as the interface has them for the lengths that are claimed; what they hold, and all that a
// consumer can check, is left to chance.
namespace noiseplus {
namespace {

using arrow_test::Array;
using arrow_test::Producer;

class Maker {
 public:
  explicit Maker(std::string_view bytes) : bytes_(bytes) {}

  Array make_schema() {
    Array schema = typed("+s");
    for (std::size_t columns = below(5); columns > 0; --columns) {
      Array column = typed(pick_format());
      if (rarely() || below(4) == 0) {
        column.format = std::string(1, index_formats[below(index_formats.size())]);
        column.dictionary.push_back(typed(pick_format()));
        if (rarely()) column.dictionary[0].dictionary.push_back(typed("u"));
      }
      column.name.resize(below(3), 'a');
      if (!column.name.empty()) column.name.back() = static_cast<char>(byte());
      schema.children.push_back(std::move(column));
    }
    if (rarely()) schema.format = pick_format();
    return schema;
  }

  // An array of the schema's type. The rows of the table are within its columns, most of the time.
  Array make_batch(const Array& schema) {
    Array rows = typed("+s");
    rows.length = static_cast<std::int64_t>(below(20));
    rows.offset = static_cast<std::int64_t>(below(4));
    rows.null_count = count();
    rows.buffers = {validity(rows)};
    for (const Array& column : schema.children) {
      rows.children.push_back(make_column(column, rows.length + rows.offset));
    }
    if (rarely()) rows.children.resize(below(6), typed("c"));
    spoil(rows);
    return rows;
  }

  bool rarely() { return byte() == 255; }
  std::size_t below(std::size_t bound) { return byte() % bound; }

 private:
  static constexpr std::string_view index_formats = "cCsSiIlLfu";

  static Array typed(const std::string& format) {
    Array array;
    array.format = format;
    return array;
  }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
  }

  std::string any(std::size_t size) {
    std::string text;
    while (text.size() < size) text += static_cast<char>(byte());
    return text;
  }

  // Small numbers, and now and then any.
  template <typename T>
  std::string number(std::size_t bound) {
    auto value = static_cast<T>(below(bound));
    if (rarely()) std::memcpy(&value, any(sizeof value).data(), sizeof value);
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::int64_t count() { return static_cast<std::int64_t>(below(3)) - 1; }

  std::string pick_format() {
    constexpr std::string_view one_letter = "nbcCsSiIlLefguUzZ";
    const std::size_t chosen = below(32);
    if (chosen < one_letter.size()) return std::string(1, one_letter[chosen]);
    if (chosen < 28) return "vu";
    constexpr std::string_view moments[] = {"tdD", "tdm", "tss:", "tsn:UTC", "tDu"};
    return chosen < 30 ? std::string(moments[below(std::size(moments))]) : any(below(4));
  }

  std::optional<std::string> validity(const Array& array) {
    if (below(2) == 0) return std::nullopt;
    return any(static_cast<std::size_t>(array.offset + array.length + 7) / 8);
  }

  Array make_column(const Array& schema, std::int64_t length) {
    Array array = typed(schema.format);
    array.length = rarely() ? static_cast<std::int64_t>(below(20)) : length;
    array.offset = static_cast<std::int64_t>(below(4));
    array.null_count = count();
    fill_buffers(array);
    if (!schema.dictionary.empty() && !rarely()) {
      array.dictionary.push_back(
          make_column(schema.dictionary.front(), static_cast<std::int64_t>(below(20))));
    }
    spoil(array);
    return array;
  }

  void fill_buffers(Array& array) {
    const auto values = static_cast<std::size_t>(array.offset + array.length);
    const std::string& format = array.format;
    if (format == "n") return;
    array.buffers = {validity(array)};
    if (format == "b") array.buffers.push_back(any((values + 7) / 8));
    if (format == "c" || format == "C") fill_numbers<std::int8_t>(array, values);
    if (format == "s" || format == "S" || format == "e") fill_numbers<std::int16_t>(array, values);
    if (format == "i" || format == "I" || format == "f") fill_numbers<std::int32_t>(array, values);
    if (format == "l" || format == "L" || format == "g") fill_numbers<std::int64_t>(array, values);
    if (format == "tdD") fill_numbers<std::int32_t>(array, values);
    if (format.size() > 1 && format[0] == 't' && format != "tdD") {
      fill_numbers<std::int64_t>(array, values);
    }
    if (format == "u") fill_texts<std::int32_t>(array, values);
    if (format == "U") fill_texts<std::int64_t>(array, values);
    if (format == "vu") fill_views(array, values);
  }

  template <typename T>
  void fill_numbers(Array& array, std::size_t values) {
    std::string buffer;
    for (std::size_t i = 0; i < values; ++i) buffer += number<T>(20);
    array.buffers.emplace_back(std::move(buffer));
  }

  // Offsets of any kind but for the last, which is what says how large the texts' buffer is.
  template <typename Offset>
  void fill_texts(Array& array, std::size_t values) {
    std::string offsets;
    Offset offset = 0;
    for (std::size_t i = 0; i < values; ++i) {
      offset = static_cast<Offset>(offset + static_cast<Offset>(below(4)));
      offsets += rarely() ? number<Offset>(100) : little(offset);
    }
    const Offset size = rarely() ? static_cast<Offset>(below(100)) : offset;
    array.buffers.emplace_back(offsets + little(size));
    array.buffers.emplace_back(any(static_cast<std::size_t>(size)));
  }

  void fill_views(Array& array, std::size_t values) {
    std::string views;
    for (std::size_t i = 0; i < values; ++i) {
      views += number<std::int32_t>(24);
      views += any(4);
      views += number<std::int32_t>(3);
      views += number<std::int32_t>(24);
    }
    array.buffers.emplace_back(std::move(views));
    std::string sizes;
    for (std::size_t buffers = below(4); buffers > 0; --buffers) {
      const std::size_t size = below(48);
      array.buffers.emplace_back(any(size));
      sizes += little(static_cast<std::int64_t>(size));
    }
    array.buffers.emplace_back(std::move(sizes));
  }

  template <typename T>
  static std::string little(T value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  }

  // Whatever a consumer can see to be wrong.
  void spoil(Array& array) {
    if (!rarely()) return;
    const std::size_t buffer = below(5);
    switch (below(5)) {
      case 0:
        array.length = -1 - static_cast<std::int64_t>(byte());
        break;
      case 1:
        array.offset = std::numeric_limits<std::int64_t>::max() - byte();
        break;
      case 2:
        if (array.format != "vu") array.buffers.resize(buffer);
        break;
      case 3:
        if (buffer < array.buffers.size()) array.buffers[buffer] = std::nullopt;
        break;
      default:
        array.offset = -1 - static_cast<std::int64_t>(byte());
    }
  }

  std::string_view bytes_;
};

void check(bool holds) {
  if (!holds) __builtin_trap();
}

// Each row has its value, and each category is there because of a row.
void check_table(const Table& table) {
  check(table.rows > 0 && !table.columns.empty());
  std::set<std::string> names;
  for (const Column& column : table.columns) {
    check(names.insert(column.name).second);
    check(column.numbers.size() == (column.is_text ? 0 : table.rows));
    check(column.codes.size() == (column.is_text ? table.rows : 0));
    std::int32_t seen = 0;
    for (const std::int32_t code : column.codes) {
      check(code >= -1 && code <= seen);
      if (code == seen) ++seen;
    }
    check(static_cast<std::size_t>(seen) == column.categories.size());
    check(column.is_text == (seen > 0));
  }
}

}  // namespace
}  // namespace noiseplus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  fuzz(data, size, [&](const Bytes& bytes) {
    Maker maker(bytes.view());
    TableOptions options;
    if (maker.below(2) == 0) options.text_columns = {"1", "2", "a"};
    const Array schema = maker.make_schema();
    std::vector<Array> batches;
    for (std::size_t count = maker.below(4); count > 0; --count) {
      batches.push_back(maker.make_batch(schema));
    }
    Producer producer(schema, batches);
    if (maker.rarely()) producer.fails_at_batch = maker.below(4);
    const auto check_released = [&] {
      check(producer.given.schemas_alive == 0 && producer.given.arrays_alive == 0);
      check(producer.releases == 0);
    };
    try {
      check_table(read_arrow(producer.stream(), "fuzz", options, {"1", "2"}));
    } catch (const Error&) {
      check_released();
      throw;
    }
    check_released();
  });
  return 0;
}
