#include "data/label_columns.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "core/checks.h"
#include "data/labels.h"

namespace noiseplus {
namespace {

bool is_table_format(Format format) {
  return format == Format::csv || format == Format::tsv;
}

// A csv file beside the data. What names rows is read as text, so that a missing cell has a place.
Table read_side_table(const std::string& path, const DataRequest& request,
                      const Execution& execution) {
  TableOptions options;
  options.delimiter = delimiter_for(request, format_of(path));
  options.header = request.header;
  options.text_columns = request.groups;
  options.text_columns.push_back(request.label.empty() ? request.usual_label : request.label);
  Table table =
      read_table(Bytes::read(path, execution, request.max_unpacked), path, options, execution);
  if (table.columns.size() == 1 && !table.columns[0].is_text) {
    options.text_columns = {table.columns[0].name};
    table = read_table(std::move(table.text.bytes), path, options, execution);
  }
  return table;
}

const Column& only_column(const Table& table, const std::string& what, const std::string& flag) {
  if (table.columns.size() == 1) return table.columns[0];
  throw Error(ErrorKind::usage,
              table.source + ": holds several columns; say which is the " + what + " with " + flag);
}

const Column& label_column(const Table& table, const DataRequest& request) {
  if (!request.label.empty()) return table.column(request.label);
  const Column* const usual =
      request.usual_label.empty() ? nullptr : table.find(request.usual_label);
  return usual != nullptr ? *usual : only_column(table, "label", "--label");
}

void take_labels(const Table& table, const DataRequest& request, Dataset& dataset) {
  const Column& column = label_column(table, request);
  dataset.label_name = column.name;
  std::vector<char> missing;
  if (request.missing_labels == MissingLabels::drop) missing = find_missing_names(column);
  dataset.labels = name_rows(column, table, "label", missing);
}

// Of each row 1 where it has no label and its group does not count; empty where all have one.
std::vector<char> rows_without_label(const Dataset& dataset, std::size_t rows) {
  const std::vector<std::int32_t>& codes = dataset.labels.codes;
  if (codes.size() != rows || std::find(codes.begin(), codes.end(), -1) == codes.end()) return {};
  std::vector<char> missing;
  missing.reserve(rows);
  for (const std::int32_t code : codes) missing.push_back(code < 0 ? 1 : 0);
  return missing;
}

// Every pair that occurs is a group of its own. They are numbered as they come, and sorted last.
Labels intersect(const Labels& a, const Labels& b) {
  Labels both;
  both.codes.reserve(a.codes.size());
  std::unordered_map<std::int64_t, std::int32_t> known;
  for (std::size_t row = 0; row < a.codes.size(); ++row) {
    if (a.codes[row] < 0) {
      both.codes.push_back(-1);
      continue;
    }
    const auto first = static_cast<std::size_t>(a.codes[row]);
    const auto second = static_cast<std::size_t>(b.codes[row]);
    const auto pair = static_cast<std::int64_t>(first * b.classes.size() + second);
    const auto [entry, is_new] = known.emplace(pair, static_cast<std::int32_t>(known.size()));
    if (is_new) {
      both.classes.push_back(a.classes[first] + '|' + b.classes[second]);
      both.spellings.push_back(a.spellings[first] + '|' + b.spellings[second]);
    }
    both.codes.push_back(entry->second);
  }
  return both;
}

void sort_by_name(Labels& groups, const std::string& source) {
  std::vector<std::size_t> order(groups.classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return groups.classes[a] < groups.classes[b]; });
  Labels sorted;
  std::vector<std::int32_t> place(order.size());
  for (const std::size_t old : order) {
    // "a|b" and "c" would be called like "a" and "b|c".
    if (!sorted.classes.empty() && sorted.classes.back() == groups.classes[old]) {
      throw Error(ErrorKind::data, source + ": two groups would be called '" + groups.classes[old] +
                                       "'; take the '|' out of their names");
    }
    place[old] = static_cast<std::int32_t>(sorted.classes.size());
    sorted.classes.push_back(std::move(groups.classes[old]));
    sorted.spellings.push_back(std::move(groups.spellings[old]));
  }
  for (std::int32_t& code : groups.codes) {
    if (code >= 0) code = place[static_cast<std::size_t>(code)];
  }
  groups.classes = std::move(sorted.classes);
  groups.spellings = std::move(sorted.spellings);
}

void take_groups(const Table& table, const DataRequest& request, Dataset& dataset) {
  const std::vector<char> ignored = rows_without_label(dataset, table.rows);
  if (request.groups.empty()) {
    const Column& column = only_column(table, "group", "--group");
    dataset.group_name = column.name;
    dataset.groups = name_rows(column, table, "group", ignored);
    return;
  }
  for (const std::string& name : request.groups) {
    const bool is_first = &name == &request.groups.front();
    Labels groups = name_rows(table.column(name), table, "group", ignored);
    dataset.group_name = is_first ? name : dataset.group_name + '|' + name;
    dataset.groups = is_first ? std::move(groups) : intersect(dataset.groups, groups);
  }
  if (request.groups.size() > 1) sort_by_name(dataset.groups, table.source);
}

void read_groups_file(const DataRequest& request, const Execution& execution, Dataset& dataset) {
  const std::string& path = request.groups_path;
  const Format format = format_of(path);
  if (is_table_format(format)) {
    take_groups(read_side_table(path, request, execution), request, dataset);
    return;
  }
  if (request.groups.size() > 1) {
    throw Error(ErrorKind::usage, path +
                                      ": holds one group a row and no columns to choose from; give "
                                      "a csv file or one --group");
  }
  dataset.group_name = request.groups.empty() ? "group" : request.groups.front();
  const std::vector<std::string> texts =
      read_label_texts(Bytes::read(path, execution, request.max_unpacked), path, format);
  dataset.groups = name_rows(texts, path, "group", rows_without_label(dataset, texts.size()));
}

Error too_few(const std::string& path, std::size_t count, const char* what, std::size_t rows,
              const std::string& source) {
  return {ErrorKind::data, path + ": " + std::to_string(count) + ' ' + what + " for " +
                               std::to_string(rows) + " rows of " + source + "; give one a row"};
}

}  // namespace

std::optional<char> delimiter_for(const DataRequest& request, Format format) {
  if (request.delimiter) return request.delimiter;
  return format == Format::tsv ? std::optional('\t') : std::nullopt;
}

void take_labels(const std::vector<std::string>& texts, const std::string& source,
                 const DataRequest& request, Dataset& dataset) {
  std::vector<char> missing;
  if (request.missing_labels == MissingLabels::drop) missing = find_missing_names(texts);
  dataset.labels = name_rows(texts, source, "label", missing);
}

void take_labels(Labels labels, std::size_t rows, const DataRequest& request, Dataset& dataset) {
  if (labels.codes.empty() && labels.classes.empty()) return;  // left to the caller
  check_one_per_row(labels.codes.size(), rows);
  std::vector<std::int32_t> codes = labels.codes;  // with any class in place of a missing one
  for (std::size_t row = 0; row < rows; ++row) {
    if (codes[row] != -1) continue;
    if (request.missing_labels == MissingLabels::error) {
      throw Error(ErrorKind::data, request.path + ": row " + std::to_string(row + 1) +
                                       " has no label; fill it in or remove the row");
    }
    codes[row] = 0;
  }
  check_codes(codes, labels.classes.size());
  check_that(labels.spellings.empty() || labels.spellings.size() == labels.classes.size(),
             "there is not one spelling for each class, and not none");
  dataset.labels = std::move(labels);
  drop_missing_labels(request, dataset);
}

void drop_missing_labels(const DataRequest& request, Dataset& dataset) {
  std::vector<std::int32_t>& codes = dataset.labels.codes;
  dataset.missing_labels = static_cast<std::size_t>(std::count(codes.begin(), codes.end(), -1));
  if (dataset.missing_labels == 0) return;
  const std::string& source = !request.labels_path.empty() ? request.labels_path : request.path;
  if (dataset.missing_labels == codes.size()) {
    throw Error(ErrorKind::data, source + ": no row has a label in '" + dataset.label_name +
                                     "'; is it the right column?");
  }
  std::size_t first_missing = codes.size();
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] >= 0) {
      dataset.row_ids.push_back(row);
    } else {
      first_missing = std::min(first_missing, row);
    }
  }
  const auto keep = [&](std::vector<std::int32_t>& values) {
    for (std::size_t n = 0; n < dataset.row_ids.size(); ++n) values[n] = values[dataset.row_ids[n]];
    values.resize(dataset.row_ids.size());
  };
  if (!dataset.groups.codes.empty()) keep(dataset.groups.codes);
  keep(codes);
  const bool is_one = dataset.missing_labels == 1;
  dataset.warnings.push_back(std::to_string(dataset.missing_labels) + " of " +
                             std::to_string(dataset.file_rows()) +
                             (is_one ? " rows has no label and is left out: row "
                                     : " rows have no label and are left out, the first is row ") +
                             std::to_string(first_missing + 1));
}

std::optional<Table> read_labels_and_groups(const DataRequest& request, const Table* table,
                                            const Execution& execution, Dataset& dataset) {
  const bool wants_groups_of_table = !request.groups.empty() && request.groups_path.empty();
  const bool labels_are_table = is_table_format(format_of(request.labels_path));
  std::optional<Table> side;  // read once, even for labels and groups: it may be a pipe
  const bool reads_side = request.with_labels || (wants_groups_of_table && table == nullptr);
  if (!request.labels_path.empty() && labels_are_table && reads_side) {
    side = read_side_table(request.labels_path, request, execution);
  }
  if (request.with_labels && side) {
    take_labels(*side, request, dataset);
  } else if (request.with_labels && !request.labels_path.empty()) {
    const Format format = format_of(request.labels_path);
    take_labels(read_label_texts(Bytes::read(request.labels_path, execution, request.max_unpacked),
                                 request.labels_path, format),
                request.labels_path, request, dataset);
  } else if (request.with_labels && table != nullptr) {
    take_labels(*table, request, dataset);
  }
  if (!request.groups_path.empty()) {
    read_groups_file(request, execution, dataset);
  } else if (wants_groups_of_table && table != nullptr) {
    take_groups(*table, request, dataset);
  } else if (wants_groups_of_table && side) {
    take_groups(*side, request, dataset);
  } else if (wants_groups_of_table) {
    throw Error(ErrorKind::usage, (request.path.empty() ? request.labels_path : request.path) +
                                      ": an array has no columns of groups; name a file of them "
                                      "with --groups, or a csv file with --labels");
  }
  return side;
}

void check_labels_and_groups(const DataRequest& request, std::size_t rows, const Dataset& dataset) {
  const std::size_t labels = dataset.labels.codes.size();
  const std::string& source = request.path.empty() ? request.labels_path : request.path;
  if (request.with_labels && labels != rows) {
    throw too_few(request.labels_path, labels, "labels", rows, source);
  }
  const std::size_t groups = dataset.groups.codes.size();
  const bool wants_groups = !request.groups.empty() || !request.groups_path.empty();
  if (wants_groups && groups != rows) {
    const std::string& path =
        request.groups_path.empty() ? request.labels_path : request.groups_path;
    throw too_few(path, groups, "groups", rows, source);
  }
}

}  // namespace noiseplus
