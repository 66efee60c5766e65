#include "saved_model.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace noiseplus::cli {
namespace {

// Where the names of rows come from, and what they are.
struct RowNames {
  std::string what;  // "column 'sex'"
  std::size_t rows = 0;
  std::function<std::string(std::size_t row)> name;  // empty: missing
  std::function<std::string(std::size_t row)> where;
};

// "column 'sex': 2 rows hold a group that was not there in training, such as 'x' at f.csv:3:1".
// Empty when all names are known.
std::string unknown_names(const RowNames& names, const std::string& kind,
                          const std::function<bool(std::size_t row)>& is_known) {
  std::size_t unknown = 0, first = 0;
  for (std::size_t row = 0; row < names.rows; ++row) {
    if (!is_known(row) && unknown++ == 0) first = row;
  }
  if (unknown == 0) return "";
  const std::string example = names.name(first);
  return fmt::format("{}: {} a {} that was not there in training, such as {} at {}", names.what,
                     unknown == 1 ? "1 row holds" : fmt::format("{} rows hold", unknown), kind,
                     example.empty() ? "a missing one" : '\'' + example + '\'', names.where(first));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> pieces(1);
  for (const char c : text) {
    if (c == '|') {
      pieces.emplace_back();
    } else {
      pieces.back() += c;
    }
  }
  return pieces;
}

// A name with its numbers spelled in one way: groups 1 and 1.0 are one.
std::string normal_name(const std::string& name) {
  std::string normal;
  for (const std::string& piece : split(name)) {
    const std::optional<double> number = parse_number(piece);
    normal += '|' + (number ? format_number(*number) : piece);
  }
  return normal.substr(1);
}

// The columns that make up the groups, or none unless the table has them all.
std::vector<const Column*> group_columns(const FairnessMetadata& fair, const Dataset& dataset) {
  if (!dataset.table) return {};
  if (const Column* whole = dataset.table->find(fair.group_name)) return {whole};
  std::vector<const Column*> columns;
  for (const std::string& name : split(fair.group_name)) {
    columns.push_back(dataset.table->find(name));
    if (columns.back() == nullptr) return {};
  }
  return columns;
}

std::string cell_text(const Column& column, std::size_t row) {
  if (!column.is_text) {
    return std::isnan(column.numbers[row]) ? "" : format_number(column.numbers[row]);
  }
  const std::int32_t code = column.codes[row];
  return code < 0 ? "" : column.categories[static_cast<std::size_t>(code)];
}

RowNames groups_of_table(const std::vector<const Column*>& columns, const std::string& name,
                         const Table& table) {
  const auto joined = [columns](std::size_t row) {
    std::string group;
    for (const Column* column : columns) {
      std::string cell = cell_text(*column, row);
      if (cell.empty()) return cell;
      group += (column == columns.front() ? "" : "|") + cell;
    }
    return group;
  };
  return {(columns.size() == 1 ? "column '" : "columns '") + name + '\'', table.rows, joined,
          [&table, first = columns.front()](std::size_t row) { return table.where(row, *first); }};
}

RowNames groups_of_dataset(const Dataset& dataset, const std::string& source) {
  const Labels& groups = dataset.groups;
  const auto name = [&groups](std::size_t row) {
    return groups.classes[static_cast<std::size_t>(groups.codes[row])];
  };
  const auto where = [source](std::size_t row) {
    return fmt::format("{}: row {}", source, row + 1);
  };
  return {"groups '" + dataset.group_name + '\'', groups.codes.size(), name, where};
}

}  // namespace

void add_thresholded(CLI::App& command, bool& thresholded) {
  command.add_flag("--thresholded", thresholded,
                   "Of a model that answers by lot, take the most likely answer; it then breaks "
                   "the constraint it was trained for");
}

SavedModel read_saved_model(const std::string& path, bool thresholded,
                            std::optional<std::uint64_t> max_unpacked, const Execution& execution) {
  SavedModel model = read_model(Bytes::read(path, execution, max_unpacked), path);
  if (thresholded && !model.mixture.is_one()) {
    throw Error(ErrorKind::usage, path +
                                      ": does not answer by lot, so there is nothing to threshold; "
                                      "leave out --thresholded");
  }
  return model;
}

std::string threshold_warning(const SavedModel& model, const std::string& figures) {
  return "--thresholded: the most likely answers break the constraint that the model was trained "
         "for" +
         (model.fair ? " (" + model.fair->constraint + ")" : "") +
         ", which holds for answers by lot; " + figures;
}

void warn_of_unknown_labels(const SavedModel& model, Dataset& dataset) {
  const Column* column = dataset.table ? dataset.table->find(model.label) : nullptr;
  if (column == nullptr || !column->is_text) return;
  const Labels known{{}, model.classes, model.spellings};
  std::vector<char> is_known;
  for (const std::string& text : column->categories) {
    is_known.push_back(known.find(text) ? 1 : 0);
  }
  const auto is_known_at = [&](std::size_t row) {
    return column->codes[row] < 0 || is_known[static_cast<std::size_t>(column->codes[row])] != 0;
  };
  const RowNames names{"column '" + column->name + '\'', column->codes.size(),
                       [&](std::size_t row) { return cell_text(*column, row); },
                       [&](std::size_t row) { return dataset.table->where(row, *column); }};
  const std::string warning = unknown_names(names, "label", is_known_at);
  if (!warning.empty()) {
    dataset.warnings.push_back(warning + "; predictions do not depend on it");
  }
}

void warn_of_unknown_groups(const SavedModel& model, Dataset& dataset,
                            const std::string& groups_source) {
  if (!model.fair) return;
  const FairnessMetadata& fair = *model.fair;
  const std::vector<const Column*> columns = group_columns(fair, dataset);
  if (columns.empty() && dataset.group_name != fair.group_name) return;
  const RowNames names = columns.empty()
                             ? groups_of_dataset(dataset, groups_source)
                             : groups_of_table(columns, fair.group_name, *dataset.table);
  std::unordered_set<std::string> promised;
  for (const std::string& group : fair.groups) promised.insert(normal_name(group));
  std::unordered_map<std::string, bool> is_known;  // of each name as written
  const std::string warning = unknown_names(names, "group", [&](std::size_t row) {
    const auto [entry, is_new] = is_known.emplace(names.name(row), false);
    if (is_new) entry->second = promised.contains(normal_name(entry->first));
    return entry->second;
  });
  if (warning.empty()) return;
  dataset.warnings.push_back(
      fmt::format("{}; the promise of {} says nothing of such rows", warning, fair.constraint));
}

}  // namespace noiseplus::cli
