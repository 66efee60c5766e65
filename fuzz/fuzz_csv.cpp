#include <cmath>

#include "fuzz.h"

namespace {

using namespace noiseplus;

// A table whose commas make two cells or more in every line is one of commas.
void check_delimiter(std::string_view text, const TableOptions& options,
                     const Execution& execution) {
  if (find_delimiter(text) == ',') return;
  TableOptions commas = options;
  commas.delimiter = ',';
  try {
    const Table table = read_table(Bytes(std::string(text)), "fuzz", commas, execution);
    if (table.columns.size() > 1) __builtin_trap();
  } catch (const Error&) {
    return;
  }
}

// Whatever is a date is one day, and is written so that it is the same day again.
void check_dates(const Table& table) {
  for (const Column& column : table.columns) {
    for (const std::string& text : column.categories) {
      for (int order = 0; order < 3; ++order) {
        const auto days = parse_date(text, static_cast<DateOrder>(order));
        // Offsets reach beyond the first and the last year that can be written.
        if (!days || *days < -719000 || *days > 2932000) continue;
        const auto again = parse_date(format_date(*days), DateOrder::year_month_day);
        if (!again || std::abs(*again - *days) > 1.0 / 86400) __builtin_trap();
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const bool header : {true, false}) {
    for (const bool finds_delimiter : {false, true}) {
      TableOptions options;
      options.header = header;
      if (finds_delimiter) options.delimiter.reset();
      Execution execution;
      execution.threads = 1;
      fuzz(data, size, [&](Bytes bytes) {
        if (finds_delimiter) check_delimiter(bytes.view(), options, execution);
        const Table table = read_table(std::move(bytes), "fuzz", options, execution);
        check_dates(table);
        std::vector<std::string> names, warnings;
        for (const Column& column : table.columns) names.push_back(column.name);
        Encoder::learn(table, names, {}, warnings).encode(table, execution);
      });
    }
  }
  return 0;
}
