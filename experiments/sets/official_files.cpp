#include "experiments/sets/official_files.h"

#include <filesystem>

#include "data/labels.h"

namespace noiseplus {
namespace {

std::string file_of_labels(const DataRequest& request) {
  return request.labels_path.empty() ? request.path : request.labels_path;
}

void check_columns(const Dataset& training, const Dataset& test) {
  const std::size_t wanted = training.features.view().columns;
  const std::size_t found = test.features.view().columns;
  if (wanted == found) return;
  throw Error(ErrorKind::data, test.source + ": " + std::to_string(found) + " columns where " +
                                   training.source + " has " + std::to_string(wanted) +
                                   "; give both the same");
}

// A fault of a file that nobody but the file is to blame for.
template <typename Read>
auto blaming_the_file(const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    throw Error(ErrorKind::data, error.what());
  }
}

}  // namespace

std::string find_file(const std::string& folder, const std::vector<std::string>& names,
                      const std::string& advice) {
  std::string others;
  for (const std::string& name : names) {
    for (const std::string& spelled : {name, name + ".gz"}) {
      const std::filesystem::path path = std::filesystem::path(folder) / spelled;
      std::error_code ignored;
      if (std::filesystem::exists(path, ignored)) return path.string();
      if (spelled != names.front()) others += (others.empty() ? "" : ", ") + spelled;
    }
  }
  throw Error(ErrorKind::io, (std::filesystem::path(folder) / names.front()).string() +
                                 ": no such file (nor " + others + "); " + advice);
}

Dataset load_file(const DataRequest& request, const Execution& execution) {
  return blaming_the_file([&] { return load(request, execution); });
}

const Column& column_of(const Table& table, const std::string& name) {
  return *blaming_the_file([&] { return &table.column(name); });
}

Labels in_classes(Labels labels, const std::vector<std::string>& classes,
                  const std::string& source) {
  return rename_rows(std::move(labels), classes, classes, source, "label", "the classes");
}

Split load_split(const std::string& name, const DataRequest& training, const DataRequest& test,
                 const Execution& execution) {
  const Dataset known = load_file(training, execution);
  Dataset unseen = load_file(test, execution);
  check_columns(known, unseen);
  const std::string source = file_of_labels(test);
  unseen.labels = rename_rows(std::move(unseen.labels), known.labels.classes,
                              known.labels.spellings, source, "label", "the training classes");
  unseen.groups = rename_rows(std::move(unseen.groups), known.groups.classes,
                              known.groups.spellings, source, "group", "the training groups");
  return {known_rows(name, known), known_rows(name, unseen)};
}

}  // namespace noiseplus
