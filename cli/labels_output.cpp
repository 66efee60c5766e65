#include "labels_output.h"

namespace noiseplus::cli {

void check_output_format(const Dataset& dataset, const std::string& path) {
  const Format format = format_of(path);
  const bool is_text = format == Format::csv || format == Format::tsv || format == Format::txt;
  if (dataset.table && !is_text) {
    throw Error(ErrorKind::usage,
                path + ": a table is written as csv; end the name in .csv or .csv.gz");
  }
  if (!dataset.table && (format == Format::npz || format == Format::libsvm)) {
    throw Error(ErrorKind::usage,
                path + ": labels are written as .npy, .csv, .txt or idx; choose one");
  }
}

void write_new_labels(const Dataset& dataset, const std::string& suffix,
                      std::span<const std::int32_t> codes, const std::string& path,
                      OutputFile& output) {
  const std::string name = dataset.label_name + suffix;
  if (dataset.table) {
    if (dataset.table->find(name) != nullptr) {
      throw Error(ErrorKind::usage, dataset.table->source + ": there is a column '" + name +
                                        "' already; rename or remove it");
    }
    write_with_column(*dataset.table, name, codes, dataset.labels.spellings, output);
  } else {
    write_labels(name, codes, dataset.labels.classes, path, output);
  }
}

}  // namespace noiseplus::cli
