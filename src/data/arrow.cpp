#include <algorithm>
#include <system_error>
#include <unordered_set>

#include "data/arrow_column.h"
#include "data/columns.h"

namespace noiseplus {
namespace {

using Names = std::unordered_set<std::string_view>;

// An ArrowSchema or ArrowArray that a stream has filled, and that is released in the end.
template <typename T>
struct Owned {
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value.release != nullptr) value.release(&value);
  }

  T value = {};
};

// Another program's words, fit for a message.
std::string one_line(std::string text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  std::replace_if(text.begin(), text.end(), is_control, ' ');
  return text;
}

// Fills `target` by one of the stream's functions.
template <typename T>
void fill(ArrowArrayStream& stream, int (*get)(ArrowArrayStream*, T*), Owned<T>& target,
          const std::string& source) {
  const int status = get(&stream, &target.value);
  if (status == 0) return;
  target.value.release = nullptr;  // after a failure nothing has been filled
  const char* why = stream.get_last_error(&stream);
  throw Error(ErrorKind::data,
              source + ": the Arrow stream failed: " +
                  one_line(why != nullptr ? why : std::generic_category().message(status)));
}

Error made_wrong(const std::string& where, const ArrowFault& fault) {
  return {ErrorKind::data,
          where + ' ' + fault.message + "; the program that made this Arrow data made it wrong"};
}

std::string where_column(const std::string& source, const std::string& name) {
  return source + ": column '" + one_line(name) + "'";
}

void check_schema(const ArrowSchema& schema, const std::string& source) {
  const auto refuse = [&](const char* why) { throw Error(ErrorKind::data, source + ": " + why); };
  if (schema.release == nullptr || schema.format == nullptr) {
    refuse("the Arrow stream does not say what it holds");
  }
  if (std::string_view(schema.format) != "+s") {
    refuse("is one Arrow column, not a table of columns; give it a name in a table");
  }
  if (schema.n_children <= 0) refuse("the table has no columns; give it some");
  const auto is_null = [](const ArrowSchema* child) { return child == nullptr; };
  if (schema.children == nullptr ||
      std::any_of(schema.children, schema.children + schema.n_children, is_null)) {
    refuse("the Arrow stream does not say what its columns are");
  }
}

// The columns that are taken, still empty. Sets the table's warnings.
std::vector<ArrowColumn> start_columns(const ArrowSchema& schema, const TableOptions& options,
                                       const Names& ignored, Table& table) {
  std::vector<std::string> names;
  for (std::int64_t c = 0; c < schema.n_children; ++c) {
    const char* name = schema.children[c]->name;
    names.emplace_back(name != nullptr ? name : "");
  }
  name_columns(table, names, true);
  std::vector<ArrowColumn> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::string& name = table.columns[c].name;
    const std::string where = where_column(table.source, name);
    try {
      ArrowColumnType type = column_type(*schema.children[c]);
      if (type.values.kind != ArrowKind::refused) {
        columns.emplace_back(name, c, std::move(type), options);
      } else if (!ignored.contains(name)) {
        throw Error(ErrorKind::data, where + " is " + type.values.words +
                                         "; drop the column, or turn it into numbers or text");
      }
    } catch (const ArrowFault& fault) {
      throw made_wrong(where, fault);
    }
  }
  if (columns.empty()) {
    throw Error(ErrorKind::data, table.source + ": none of the columns is numbers, text or dates");
  }
  return columns;
}

void append_batch(const ArrowArray& batch, std::size_t children, std::vector<ArrowColumn>& columns,
                  Table& table) {
  std::string where = table.source + ": a batch of rows";
  try {
    const BatchRows rows = {ArrowValues({ArrowKind::rows, {}, {}}, batch),
                            static_cast<std::size_t>(batch.offset)};
    if (batch.n_children != static_cast<std::int64_t>(children)) {
      throw ArrowFault{"has " + std::to_string(batch.n_children) + " columns, not " +
                       std::to_string(children)};
    }
    if (batch.children == nullptr) throw ArrowFault{"has no columns"};
    for (ArrowColumn& column : columns) {
      where = where_column(table.source, column.name());
      column.append(batch, rows);
    }
    table.rows += rows.values.size();
  } catch (const ArrowFault& fault) {
    throw made_wrong(where, fault);
  }
}

}  // namespace

Table read_arrow(ArrowArrayStream& stream, const std::string& source, const TableOptions& options,
                 const std::vector<std::string>& ignored_columns) {
  Table table;
  table.source = source;
  if (stream.release == nullptr) {
    throw Error(ErrorKind::data, source + ": the Arrow stream has been used up; make a new one");
  }
  std::vector<ArrowColumn> columns;
  {
    Owned<ArrowSchema> schema;
    fill(stream, stream.get_schema, schema, source);
    check_schema(schema.value, source);
    const Names ignored(ignored_columns.begin(), ignored_columns.end());
    columns = start_columns(schema.value, options, ignored, table);
  }
  const std::size_t children = table.columns.size();
  for (;;) {
    Owned<ArrowArray> batch;
    fill(stream, stream.get_next, batch, source);
    if (batch.value.release == nullptr) break;
    append_batch(batch.value, children, columns, table);
  }
  if (table.rows == 0) throw Error(ErrorKind::data, source + ": there are no rows; add some");
  const Names texts(options.text_columns.begin(), options.text_columns.end());
  table.columns.clear();
  for (ArrowColumn& column : columns) {
    const bool in_text = texts.contains(column.name());
    table.columns.push_back(column.finish(in_text));
  }
  return table;
}

}  // namespace noiseplus
