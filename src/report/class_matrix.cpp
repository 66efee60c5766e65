#include "report/class_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/display_width.h"
#include "core/format.h"
#include "report/style.h"
#include "report/text_table.h"

namespace noiseplus {
namespace {

std::size_t widest_of(const std::vector<std::string>& texts) {
  std::size_t widest = 0;
  for (const std::string& text : texts) widest = std::max(widest, columns_of(text));
  return widest;
}

}  // namespace

std::string class_matrix_text(const std::string& corner, const std::vector<std::string>& classes,
                              const std::vector<std::string>& cells, std::size_t indent,
                              TextStyle style) {
  std::vector<std::string> names;
  names.reserve(classes.size());
  for (const std::string& name : classes) names.push_back(short_name(name));
  const std::size_t column = std::max(widest_of(names), widest_of(cells)) + 2;
  const bool are_named =
      indent + std::max(widest_of(names), corner.size()) + column * names.size() <= widest_line;
  // Rows have their names where all fit; else the names are listed below.
  const std::size_t numbered = widest_of(cells) + 2;
  const bool has_row_names =
      are_named || indent + 4 + widest_of(names) + numbered * names.size() <= widest_line;

  std::vector<std::string> headings = {are_named ? corner : "    " + corner};
  for (std::size_t j = 0; j < names.size(); ++j) {
    headings.push_back(are_named ? padded_left(names[j], column - 2) : std::to_string(j + 1));
  }
  TextTable table(headings, indent);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<TextCell> row = {{are_named       ? names[i]
                                  : has_row_names ? fmt::format("{:>2}  {}", i + 1, names[i])
                                                  : fmt::format("{:>2}", i + 1)}};
    for (std::size_t j = 0; j < names.size(); ++j) {
      row.push_back({cells[i * names.size() + j], i == j ? Ink::strong : Ink::plain});
    }
    table.add(std::move(row));
  }
  if (has_row_names) return table.text(style);
  std::string key;
  for (std::size_t i = 0; i < names.size(); ++i) {
    key += fmt::format("{}{} {}", i == 0 ? "" : ", ", i + 1, names[i]);
  }
  const std::string margin(indent, ' ');
  return table.text(style) + inked(margin + wrapped(key, indent), Ink::faint, style);
}

}  // namespace noiseplus
