#include "labels_output.h"

namespace noiseplus::cli {

namespace {

void check_table_output(const Table& table, const std::string& column, const std::string& path) {
  const Format format = format_of(path);
  const bool is_tsv = format == Format::tsv;
  if (!is_tsv && format != Format::csv && format != Format::txt) {
    throw Error(ErrorKind::usage,
                path + ": a table is written as a table; end the name in .csv, .tsv or .csv.gz");
  }
  if (path != "-" && is_tsv != (table.text.delimiter == '\t')) {
    throw Error(ErrorKind::usage, path +
                                      ": the table is written as it was read, so end the name in " +
                                      (is_tsv ? ".csv" : ".tsv"));
  }
  if (table.find(column) != nullptr) {
    throw Error(ErrorKind::usage,
                table.source + ": there is a column '" + column + "' already; rename or remove it");
  }
}

}  // namespace

void check_output(const Dataset& dataset, const std::string& suffix, const std::string& path) {
  if (dataset.table) {
    check_table_output(*dataset.table, dataset.label_name + suffix, path);
  } else {
    check_labels_format(dataset.labels.classes, path);
  }
}

void write_new_labels(const Dataset& dataset, const std::string& suffix,
                      std::span<const std::int32_t> codes, const std::string& path,
                      OutputFile& output, const Execution& execution) {
  const std::string name = dataset.label_name + suffix;
  const Labels& labels = dataset.labels;
  if (!dataset.table) {
    write_labels(name, codes, labels.classes, path, output);
    return;
  }
  // A label that was not changed is spelled as it was: "1.0" stays "1.0" beside a "1".
  const Column* given = dataset.table->find(dataset.label_name);
  std::vector<std::string_view> cells(codes.size());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const bool is_kept = given != nullptr && given->is_text && codes[n] == labels.codes[n];
    cells[n] = is_kept ? given->categories[static_cast<std::size_t>(given->codes[n])]
                       : labels.spellings[static_cast<std::size_t>(codes[n])];
  }
  write_with_column(*dataset.table, name, cells, output, execution);
}

}  // namespace noiseplus::cli
