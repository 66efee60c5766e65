#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "core/thread_pool.h"
#include "data/checks.h"
#include "data/columns.h"
#include "data/dates.h"
#include "data/name_list.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

void warn_of(const NameList& columns, const std::string& about,
             std::vector<std::string>& warnings) {
  if (columns.empty()) return;
  warnings.push_back(columns.columns() + ' ' + about + ": " + columns.names());
}

void refuse_infinite_numbers(const Table& table, const Column& column) {
  const std::vector<double>& numbers = column.numbers;
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [](double x) { return std::isinf(x); });
  if (found == numbers.end()) return;
  throw Error(ErrorKind::data,
              table.where(static_cast<std::size_t>(found - numbers.begin()), column) +
                  ": an infinite number in column '" + column.name +
                  "'; leave the cell empty if it is not known, or drop the column");
}

Encoder::Part learn_numbers(const Column& column, const EncoderOptions& options) {
  Encoder::Part part;
  part.column = column.name;
  double sum = 0;
  std::size_t present = 0;
  for (const double x : column.numbers) {
    if (std::isnan(x)) continue;
    sum += x;
    ++present;
  }
  const double mean = sum / static_cast<double>(present);
  double squares = 0;
  for (const double x : column.numbers) {
    if (!std::isnan(x)) squares += (x - mean) * (x - mean);
  }
  const double deviation = std::sqrt(squares / static_cast<double>(present));
  part.fill = mean;
  part.indicates_missing = present < column.numbers.size();
  if (options.scale) {
    part.offset = mean;
    part.scale = deviation > 0 && std::isfinite(deviation) ? 1 / deviation : 1;
  }
  return part;
}

constexpr std::size_t max_warnings = 20;

// Where days and months cannot be told apart, with an example.
void warn_of_ambiguous_dates(const Column& column, const DateColumn& dates,
                             std::vector<std::string>& warnings) {
  if (!dates.is_ambiguous || warnings.size() >= max_warnings) return;
  warnings.push_back(
      "column '" + column.name + "': dates such as '" + column.categories.front() +
      "' are read as " +
      (dates.order == DateOrder::day_month_year ? "day, month, year" : "month, day, year") +
      "; if that is wrong, write them as year-month-day");
}

// A column of numbers that one odd cell has turned into text is named, with the cell.
void warn_of_odd_cells(const Table& table, const Column& column,
                       std::vector<std::string>& warnings) {
  std::vector<char> is_number(column.categories.size());
  for (std::size_t c = 0; c < is_number.size(); ++c) {
    is_number[c] = parse_number(column.categories[c]).has_value() ? 1 : 0;
  }
  std::size_t numbers = 0;
  std::optional<std::size_t> odd_row;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (column.codes[row] < 0) continue;
    const bool counts = is_number[static_cast<std::size_t>(column.codes[row])] != 0;
    numbers += counts ? 1 : 0;
    if (!counts && !odd_row) odd_row = row;
  }
  if (!odd_row || numbers * 2 < column.codes.size() || warnings.size() >= max_warnings) return;
  const std::string& odd = column.categories[static_cast<std::size_t>(column.codes[*odd_row])];
  warnings.push_back("column '" + column.name + "' is taken as text because of '" + odd + "' at " +
                     table.where(*odd_row, column) + "; if that means missing, say --missing " +
                     odd);
}

Encoder::Part learn_texts(const Column& column, const EncoderOptions& options) {
  Encoder::Part part;
  part.column = column.name;
  part.is_text = true;
  std::vector<std::size_t> rows(column.categories.size());
  for (const std::int32_t code : column.codes) {
    if (code >= 0) ++rows[static_cast<std::size_t>(code)];
    if (code < 0) part.indicates_missing = true;
  }
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rows[a] != rows[b] ? rows[a] > rows[b] : column.categories[a] < column.categories[b];
  });
  const std::size_t rare =
      std::min(options.rare, std::max<std::size_t>(2, column.codes.size() / 100));
  for (const std::size_t category : order) {
    if (rows[category] < rare || part.categories.size() == options.max_categories) break;
    part.categories.push_back(column.categories[category]);
  }
  part.pools_rare = part.categories.size() < order.size();
  std::sort(part.categories.begin(), part.categories.end());
  return part;
}

bool has_one_value(const Column& column) {
  if (column.is_text) return column.categories.size() == 1 && column.missing() == 0;
  return std::all_of(column.numbers.begin(), column.numbers.end(),
                     [&](double x) { return x == column.numbers.front(); });
}

std::size_t width(const Encoder::Part& part) {
  return (part.is_text ? part.categories.size() + (part.pools_rare ? 1 : 0) : 1) +
         (part.indicates_missing ? 1 : 0);
}

// A column of the table made ready for one part: for texts, the output column of each code.
struct Source {
  const Column* given = nullptr;  // of the table
  const Column* column = nullptr;
  std::size_t first_output = 0;
  std::vector<int> output_of_code;  // relative to first_output; -1 = none
  Column converted;                 // numbers where texts were learned, spelled out; dates as days
};

using ColumnsByName = std::unordered_map<std::string_view, const Column*>;

ColumnsByName columns_by_name(const Table& table) {
  ColumnsByName by_name;
  for (const Column& column : table.columns) by_name.emplace(column.name, &column);
  return by_name;
}

// Names the first cell that is no number: what comes before it may well be numbers.
Error text_among_numbers(const Table& table, const Column& column) {
  std::string where = table.source;
  std::string text = column.categories.front();
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (column.codes[row] < 0) continue;
    const std::string& cell = column.categories[static_cast<std::size_t>(column.codes[row])];
    if (parse_number(cell)) continue;
    where = table.where(row, column);
    text = cell;
    break;
  }
  return {ErrorKind::data, where + ": the column '" + column.name + "' holds text ('" + text +
                               "') where numbers were learned; correct the cell, or if it means "
                               "missing, say --missing " +
                               text};
}

// Also a number where dates were: a year alone, or days that were counted already.
Error no_date(const Table& table, const Column& column, std::size_t row) {
  const std::string text = column.is_text
                               ? column.categories[static_cast<std::size_t>(column.codes[row])]
                               : format_number(column.numbers[row]);
  return {ErrorKind::data, table.where(row, column) + ": column '" + column.name + "' holds '" +
                               text +
                               "' where dates were learned; write it as they were, or if it means "
                               "missing, say --missing " +
                               text};
}

Error dates_among_others(const Table& table, const Column& column, const Encoder::Part& part) {
  return {ErrorKind::data, table.source + ": the column '" + column.name + "' holds dates where " +
                               (part.is_text ? "text was" : "numbers were") +
                               " learned; give it as it was in training"};
}

// Points the source to its dates as numbers.
void prepare_dates(Source& source, DateOrder order, const Table& table) {
  const Column& given = *source.column;
  if (given.is_text) source.converted = as_days(given, order);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const bool is_missing = given.is_text ? given.codes[row] < 0 : std::isnan(given.numbers[row]);
    if (is_missing) continue;
    const bool is_date = given.is_text ? !std::isnan(source.converted.numbers[row]) : given.is_date;
    if (!is_date) throw no_date(table, given, row);
  }
  if (given.is_text) source.column = &source.converted;
}

void prepare(Source& source, const Encoder::Part& part, const ColumnsByName& by_name,
             const Table& table) {
  const auto column = by_name.find(part.column);
  if (column == by_name.end()) {
    throw Error(ErrorKind::data, table.source + ": the column '" + part.column +
                                     "' is missing; the encoder was learned with it");
  }
  source.given = source.column = column->second;
  check_column(*source.column, table.rows);
  if (part.date) {
    prepare_dates(source, *part.date, table);
    return;
  }
  if (source.column->is_date && source.column->missing() < table.rows) {
    throw dates_among_others(table, *source.column, part);
  }
  if (!part.is_text && source.column->is_text) throw text_among_numbers(table, *source.column);
  if (!part.is_text) return;
  if (!source.column->is_text) {
    source.converted = spell_numbers(*source.column);
    source.column = &source.converted;
  }
  for (const std::string& category : source.column->categories) {
    const auto found = std::lower_bound(part.categories.begin(), part.categories.end(), category);
    const bool known = found != part.categories.end() && *found == category;
    const int other = part.pools_rare ? static_cast<int>(part.categories.size()) : -1;
    source.output_of_code.push_back(known ? static_cast<int>(found - part.categories.begin())
                                          : other);
  }
}

// False when the number is too large for a float.
bool encode_cell(const Encoder::Part& part, const Source& source, std::size_t row, float* output) {
  const std::size_t indicator = width(part) - 1;
  if (part.is_text) {
    const std::int32_t code = source.column->codes[row];
    if (code < 0 && part.indicates_missing) output[indicator] = 1;
    if (code < 0) return true;
    const int category = source.output_of_code[static_cast<std::size_t>(code)];
    if (category >= 0) output[category] = 1;
    return true;
  }
  double x = source.column->numbers[row];
  if (std::isnan(x)) {
    x = part.fill;
    if (part.indicates_missing) output[indicator] = 1;
  }
  output[0] = static_cast<float>((x - part.offset) * part.scale);
  return std::isfinite(output[0]);
}

}  // namespace

Encoder Encoder::learn(const Table& table, const std::vector<std::string>& columns,
                       const EncoderOptions& options, std::vector<std::string>& warnings) {
  Encoder encoder;
  NameList constant;
  NameList empty;
  NameList all_rare;
  const ColumnsByName by_name = columns_by_name(table);
  for (const std::string& name : columns) {
    const auto found = by_name.find(name);
    const Column& column = found != by_name.end() ? *found->second : table.column(name);
    check_column(column, table.rows);
    refuse_infinite_numbers(table, column);
    if (column.is_text) warn_of_odd_cells(table, column, warnings);
    if (column.missing() == table.rows) {
      empty.add(name);
    } else if (has_one_value(column)) {
      constant.add(name);
    } else if (const auto dates = column.is_text ? find_dates(column.categories) : std::nullopt) {
      warn_of_ambiguous_dates(column, *dates, warnings);
      encoder.parts.push_back(learn_numbers(as_days(column, dates->order), options));
      encoder.parts.back().date = dates->order;
    } else if (column.is_date) {
      encoder.parts.push_back(learn_numbers(column, options));
      encoder.parts.back().date = DateOrder::year_month_day;
    } else {
      Part part = column.is_text ? learn_texts(column, options) : learn_numbers(column, options);
      if (part.is_text && width(part) == 1) {
        all_rare.add(name);
      } else {
        encoder.parts.push_back(std::move(part));
      }
    }
  }
  warn_of(constant, "left out, with one value only", warnings);
  warn_of(empty, "left out, with no value at all", warnings);
  warn_of(all_rare, "left out, with nearly as many different texts as rows", warnings);
  return encoder;
}

Matrix Encoder::encode(const Table& table, const Execution& execution) const {
  std::vector<Source> sources(parts.size());
  std::size_t columns = 0;
  const ColumnsByName by_name = columns_by_name(table);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    prepare(sources[p], parts[p], by_name, table);
    sources[p].first_output = columns;
    columns += width(parts[p]);
  }
  Matrix matrix(table.rows, columns);
  ThreadPool pool(execution.threads);
  constexpr std::size_t block = 256;
  pool.for_each((table.rows + block - 1) / block, [&](std::size_t b) {
    // The first cell in the file, by row and then by column, is the one to name: of this block
    // here, of all blocks because the pool rethrows the error of the lowest one.
    std::size_t end = std::min(table.rows, (b + 1) * block);
    const Column* too_large = nullptr;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const Column* const column = sources[p].given;
      for (std::size_t row = b * block; row < end; ++row) {
        if (encode_cell(parts[p], sources[p], row, matrix.row(row) + sources[p].first_output))
          continue;
        too_large = column;
        end = row;
      }
      // In the row of the cell found so far a column further left comes first.
      const bool is_first = too_large != nullptr && std::less<>()(column, too_large);
      if (is_first &&
          !encode_cell(parts[p], sources[p], end, matrix.row(end) + sources[p].first_output)) {
        too_large = column;
      }
    }
    if (too_large == nullptr) return;
    throw Error(ErrorKind::data, table.where(end, *too_large) +
                                     ": a number too large for single precision in column '" +
                                     too_large->name + "'; let it be scaled or drop the column");
  });
  return matrix;
}

std::size_t Encoder::columns() const {
  std::size_t columns = 0;
  for (const Part& part : parts) columns += width(part);
  return columns;
}

std::vector<std::string> Encoder::names() const {
  std::vector<std::string> names;
  for (const Part& part : parts) {
    if (!part.is_text) names.push_back(part.column);
    for (const std::string& category : part.categories)
      names.push_back(part.column + '=' + category);
    if (part.pools_rare) names.push_back(part.column + "=(other)");
    if (part.indicates_missing) names.push_back(part.column + " is missing");
  }
  return names;
}

}  // namespace noiseplus
