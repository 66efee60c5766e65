#include "data/columns.h"

namespace noiseplus {

Column make_text_column(const std::string& name, std::span<const std::int32_t> codes,
                        std::span<const std::string> texts,
                        const std::vector<std::string>& missing) {
  constexpr std::int32_t not_seen = -2;
  Column column;
  column.name = name;
  column.is_text = true;
  column.codes.reserve(codes.size());
  TextCodes categories(missing);
  std::vector<std::int32_t> category(texts.size(), not_seen);
  for (const std::int32_t code : codes) {
    if (code < 0) {
      column.codes.push_back(-1);
      continue;
    }
    const auto place = static_cast<std::size_t>(code);
    if (place >= texts.size()) {
      throw Error(ErrorKind::usage, "column '" + name + "': row " +
                                        std::to_string(column.codes.size() + 1) +
                                        " has a code for which there is no text");
    }
    // In the order of rows, so that categories are numbered as they appear.
    if (category[place] == not_seen) category[place] = categories.code(texts[place]);
    column.codes.push_back(category[place]);
  }
  column.categories = categories.take_categories();
  settle_texts(column);
  return column;
}

}  // namespace noiseplus
