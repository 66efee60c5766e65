#include "labels_output.h"

namespace noiseplus::cli {

void check_table_ending(const Table& table, const std::string& path) {
  const Format format = format_of(path);
  const bool is_tsv = format == Format::tsv;
  if (!is_tsv && format != Format::csv && format != Format::txt) {
    throw Error(ErrorKind::usage,
                path + ": a table is written as a table; end the name in .csv, .tsv or .csv.gz");
  }
  // A csv file may have tabs, or what else was found in it; a tsv file has nothing but tabs.
  const bool was_tsv = format_of(table.source) == Format::tsv;
  const bool fits = is_tsv ? table.text.delimiter == '\t' : !was_tsv;
  if (path != "-" && !fits) {
    throw Error(ErrorKind::usage, path +
                                      ": the table is written as it was read, so end the name in " +
                                      (is_tsv ? ".csv" : ".tsv"));
  }
}

namespace {

void check_table_output(const Table& table, const std::string& column, const std::string& path) {
  check_table_ending(table, path);
  if (table.find(column) != nullptr) {
    throw Error(ErrorKind::usage,
                table.source + ": there is a column '" + column + "' already; rename or remove it");
  }
}

// With one more for rows without a label, which has no name.
std::vector<std::string> classes_to_write(const Dataset& dataset) {
  std::vector<std::string> classes = dataset.labels.classes;
  if (dataset.missing_labels > 0) classes.emplace_back();
  return classes;
}

}  // namespace

void check_output(const Dataset& dataset, const std::string& suffix, const std::string& path) {
  if (dataset.table) {
    check_table_output(*dataset.table, dataset.label_name + suffix, path);
  } else {
    check_labels_format(classes_to_write(dataset), path);
  }
}

void write_new_labels(const Dataset& dataset, const std::string& suffix,
                      std::span<const std::int32_t> codes, const std::string& path,
                      OutputFile& output, const Execution& execution) {
  const std::string name = dataset.label_name + suffix;
  const Labels& labels = dataset.labels;
  if (!dataset.table) {
    std::vector<std::int32_t> of_file(dataset.file_rows(),
                                      static_cast<std::int32_t>(labels.classes.size()));
    for (std::size_t n = 0; n < codes.size(); ++n) of_file[dataset.row_id(n)] = codes[n];
    write_labels(name, of_file, classes_to_write(dataset), path, output);
    return;
  }
  // A label that was not changed is spelled as it was: "1.0" stays "1.0" beside a "1".
  const Column* given = dataset.table->find(dataset.label_name);
  std::vector<std::string_view> cells(dataset.file_rows());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const bool is_kept = given != nullptr && given->is_text && codes[n] == labels.codes[n];
    const std::size_t row = dataset.row_id(n);
    cells[row] = is_kept ? given->categories[static_cast<std::size_t>(given->codes[row])]
                         : labels.spellings[static_cast<std::size_t>(codes[n])];
  }
  write_with_column(*dataset.table, name, cells, output, execution);
}

}  // namespace noiseplus::cli
