#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "core/checks.h"
#include "data/checks.h"
#include "data/labels.h"

namespace noiseplus {
namespace {

struct Class {
  std::string name;
  std::string spelling;
  double value = 0;
};

// Sorted classes for distinct texts, and the class of each text.
struct Classes {
  std::vector<Class> sorted;
  std::vector<std::int32_t> of_text;
};

// From 2^53 on, different integers may be one double.
bool is_exact(double value) {
  return std::abs(value) < 0x1p53;
}

std::string class_name(const std::string& text, double value) {
  return is_exact(value) && value == std::trunc(value) ? format_number(value) : text;
}

// nullopt when a text is not a number, so that the classes are texts.
std::optional<std::vector<double>> all_numbers(const std::vector<std::string>& texts) {
  std::vector<double> values;
  for (const std::string& text : texts) {
    const std::optional<double> value = parse_number(text);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

Classes sort_classes(const std::vector<std::string>& texts) {
  Classes classes;
  classes.of_text.resize(texts.size());
  const std::optional<std::vector<double>> values = all_numbers(texts);
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (!values) return texts[a] < texts[b];
    const double x = (*values)[a];
    const double y = (*values)[b];
    return x != y ? x < y : !is_exact(x) && texts[a] < texts[b];
  });
  for (const std::size_t i : order) {
    const double value = values ? (*values)[i] : 0;
    const bool is_new = !values || classes.sorted.empty() || classes.sorted.back().value != value ||
                        !is_exact(value);
    if (is_new) {
      classes.sorted.push_back({values ? class_name(texts[i], value) : texts[i], texts[i], value});
    }
    classes.of_text[i] = static_cast<std::int32_t>(classes.sorted.size() - 1);
  }
  return classes;
}

bool is_missing_name(const std::string& text) {
  if (text.empty()) return true;
  const std::optional<double> value = parse_number(text);
  return value && std::isnan(*value);
}

// Leaves out the texts of no row, and gives the codes of what is left.
std::vector<std::string> keep_used(const std::vector<std::string>& texts,
                                   std::vector<std::int32_t>& codes) {
  std::vector<std::int32_t> place(texts.size(), -1);
  for (const std::int32_t code : codes) {
    if (code >= 0) place[static_cast<std::size_t>(code)] = 0;
  }
  std::vector<std::string> used;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<std::int32_t>(used.size());
    used.push_back(texts[i]);
  }
  for (std::int32_t& code : codes) {
    if (code >= 0) code = place[static_cast<std::size_t>(code)];
  }
  return used;
}

template <typename Where>
Labels label_rows(std::vector<std::int32_t> codes, std::vector<std::string> texts,
                  const std::string& what, std::span<const char> ignored, const Where& where) {
  std::vector<char> is_missing(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) is_missing[i] = is_missing_name(texts[i]) ? 1 : 0;
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (!ignored.empty() && ignored[row] != 0) {
      codes[row] = -1;
      continue;
    }
    if (codes[row] < 0 || is_missing[static_cast<std::size_t>(codes[row])] != 0) {
      throw Error(ErrorKind::data,
                  where(row) + ": the " + what + " is missing; fill it in or remove the row");
    }
  }
  if (!ignored.empty()) texts = keep_used(texts, codes);
  const Classes classes = sort_classes(texts);
  for (std::int32_t& code : codes) {
    if (code >= 0) code = classes.of_text[static_cast<std::size_t>(code)];
  }
  Labels labels;
  labels.codes = std::move(codes);
  for (const Class& c : classes.sorted) {
    labels.classes.push_back(c.name);
    labels.spellings.push_back(c.spelling);
  }
  return labels;
}

}  // namespace

std::size_t Labels::count(std::int32_t code) const {
  return static_cast<std::size_t>(std::count(codes.begin(), codes.end(), code));
}

std::optional<std::size_t> Labels::find(std::string_view name) const {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (classes[c] == name || (c < spellings.size() && spellings[c] == name)) return c;
  }
  const std::optional<double> value = parse_number(name);
  if (!value || !all_numbers(classes)) return std::nullopt;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (parse_number(classes[c]) == value) return c;
  }
  return std::nullopt;
}

std::size_t Labels::positive(const std::string& name) const {
  check_that(!classes.empty(), "there are no classes to call one positive");
  if (name.empty()) return classes.size() - 1;
  if (const std::optional<std::size_t> found = find(name)) return *found;
  const bool two = classes.size() == 2;
  throw Error(ErrorKind::usage, "--positive " + name + ": no such class; " +
                                    (two ? "there are '" : "the first is '") + classes.front() +
                                    (two ? "' and '" : "', the last '") + classes.back() + "'");
}

Labels make_labels(const Column& column, const Table& table) {
  return name_rows(column, table, "label");
}

Labels make_labels(const std::vector<std::string>& texts, const std::string& source) {
  return name_rows(texts, source, "label");
}

std::vector<char> find_missing_names(const Column& column) {
  std::vector<char> is_missing_text;
  for (const std::string& text : column.categories) {
    is_missing_text.push_back(is_missing_name(text) ? 1 : 0);
  }
  std::vector<char> missing;
  if (column.is_text) {
    for (const std::int32_t code : column.codes) {
      missing.push_back(code < 0 || is_missing_text[static_cast<std::size_t>(code)] != 0 ? 1 : 0);
    }
  } else {
    for (const double number : column.numbers) missing.push_back(std::isnan(number) ? 1 : 0);
  }
  if (std::find(missing.begin(), missing.end(), 1) == missing.end()) return {};
  return missing;
}

std::vector<char> find_missing_names(const std::vector<std::string>& texts) {
  std::vector<char> missing;
  missing.reserve(texts.size());
  for (const std::string& text : texts) missing.push_back(is_missing_name(text) ? 1 : 0);
  if (std::find(missing.begin(), missing.end(), 1) == missing.end()) return {};
  return missing;
}

Labels name_rows(const Column& column, const Table& table, const std::string& what,
                 std::span<const char> ignored) {
  check_column(column, table.rows);
  const auto where = [&](std::size_t row) {
    return table.where(row, column) + ": column '" + column.name + "'";
  };
  if (column.is_text) return label_rows(column.codes, column.categories, what, ignored, where);
  std::vector<std::string> texts;
  for (const double number : column.numbers) texts.push_back(format_number(number));
  return name_rows(texts, table.source, what, ignored);
}

Labels name_rows(const std::vector<std::string>& texts, const std::string& source,
                 const std::string& what, std::span<const char> ignored) {
  std::unordered_map<std::string_view, std::int32_t> known;
  std::vector<std::string> distinct;
  std::vector<std::int32_t> codes;
  codes.reserve(texts.size());
  for (const std::string& text : texts) {
    const auto [entry, is_new] = known.emplace(text, static_cast<std::int32_t>(distinct.size()));
    if (is_new) distinct.push_back(text);
    codes.push_back(entry->second);
  }
  return label_rows(std::move(codes), std::move(distinct), what, ignored,
                    [&](std::size_t row) { return source + ": row " + std::to_string(row + 1); });
}

}  // namespace noiseplus
