#include "misuse.h"

#include <cmath>

#include "data/arrow_abi.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

using namespace testing_support;

const Execution one_thread{1, {}};

Table read(const std::string& text) {
  return read_table(Bytes(text), "t.csv", {}, one_thread);
}

// Two columns and a label, three rows.
Table small_table() {
  return read("x,c,y\n1,a,0\n2,b,1\n3,a,1\n");
}

TEST(DataMisuse, OfFilesIsRefused) {
  answered("Bytes::Bytes", "no text", [] { EXPECT_EQ(Bytes("").size(), 0U); });
  answered("Bytes::span", "bytes that were moved", [] {
    Bytes first("some text that is not short enough to live inside the object");
    const Bytes second = std::move(first);
    EXPECT_TRUE(first.span().empty());  // NOLINT(bugprone-use-after-move)
  });
  answered("Bytes::view", "nothing", [] { EXPECT_TRUE(Bytes().view().empty()); });
  answered("Bytes::size", "nothing", [] { EXPECT_EQ(Bytes().size(), 0U); });
  answered("Bytes::throw_if_changed", "nothing that could change",
           [] { Bytes().throw_if_changed(); });
  answered("Features::throw_if_changed", "nothing that could change",
           [] { Features().throw_if_changed(); });
  answered("Bytes::map", "a device", [] { EXPECT_EQ(Bytes::map("/dev/null").size(), 0U); });
  answered("guard_mapped_files", "twice", [] {
    guard_mapped_files();
    guard_mapped_files();
  });
  answered("cut_mapped_file", "no file was cut", [] { EXPECT_EQ(cut_mapped_file(), ""); });
  answered("throw_if_mapped_file_was_cut", "no file was cut",
           [] { throw_if_mapped_file_was_cut(); });
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{huge}}) {
    answered("default_max_unpacked", "any size",
             [=] { EXPECT_GT(default_max_unpacked(size), 0U); });
  }
  answered("escape_formula", "no text", [] { EXPECT_EQ(escape_formula(""), ""); });
  for (const char* path : {"", "/no/such/file", "/"}) {
    EXPECT_THROW(Bytes::read(path), Error) << path;
    EXPECT_THROW(Bytes::map(path), Error) << path;
    const auto write = [path] { OutputFile(path).commit(); };
    EXPECT_THROW(write(), Error) << path;
  }
  answered("format_of", "no name", [] { EXPECT_EQ(format_of(""), Format::csv); });
  for (const Format format : {Format::csv, Format::txt, static_cast<Format>(99)}) {
    refused("read_arrays", "a format that is no array",
            [=] { read_arrays(Bytes("1"), "f", format); });
  }
  for (const Format format : {Format::npy, Format::npz, Format::idx, Format::libsvm}) {
    refused(
        "read_arrays", "no bytes", [=] { read_arrays({}, "f", format); }, ErrorKind::data);
  }
  for (const Format format : {Format::npy, Format::idx, Format::txt, static_cast<Format>(99)}) {
    refused(
        "read_label_texts", "no bytes", [=] { read_label_texts({}, "f", format); },
        format == static_cast<Format>(99) ? ErrorKind::usage : ErrorKind::data);
  }
  for (const char delimiter : {'"', '\n', '\r', '\0'}) {
    refused("read_table", "an odd delimiter",
            [=] { read_table(Bytes("a,b\n1,2\n"), "f", {.delimiter = delimiter}, one_thread); });
  }
  refused(
      "read_table", "no bytes", [] { read_table({}, "f", {}, one_thread); }, ErrorKind::data);
  ArrowArrayStream stream{};
  refused(
      "read_arrow", "a stream that nobody filled", [&] { read_arrow(stream, "f", {}); },
      ErrorKind::data);
  refused("read_transition", "no classes", [] { read_transition(Bytes("1"), "f", 0); });
  refused("read_transition", "huge classes", [] { read_transition(Bytes("1"), "f", huge); });
  refused(
      "read_transition", "no bytes", [] { read_transition({}, "f", 2); }, ErrorKind::data);
  const auto request = [](const std::function<void(DataRequest&)>& change) {
    return [=] {
      DataRequest asked;
      asked.path = "/dev/null";
      asked.label = "y";
      change(asked);
      load(asked, one_thread);
    };
  };
  refused("load", "an empty file", request([](DataRequest&) {}), ErrorKind::data);
  refused("load", "a format that is none",
          request([](DataRequest& r) { r.format = static_cast<Format>(77); }));
  FeatureRecipe recipe;
  recipe.columns = 3;
  recipe.encoder.emplace();
  refused("load", "a recipe that does not fit itself",
          request([&](DataRequest& r) { r.recipe = &recipe; }));
}

TEST(DataMisuse, OfTablesIsRefused) {
  const Table table = small_table();
  refused("Table::column", "a column that is not there", [&] { table.column("z"); });
  refused("Table::column", "of no table", [] { Table().column("z"); });
  answered("Table::find", "a column that is not there",
           [&] { EXPECT_EQ(table.find("z"), nullptr); });
  refused("Table::where", "a row that is not there", [&] { table.where(3, table.columns[0]); });
  refused("Table::where", "a huge row", [&] { table.where(huge, table.columns[0]); });
  const Column stranger = table.columns[0];
  refused("Table::where", "a column of another table", [&] { table.where(0, stranger); });
  refused("Table::where", "records that are not in the text", [] {
    Table wrong = small_table();
    wrong.text.record_begin = {huge, huge, huge};
    wrong.where(0, wrong.columns[0]);
  });
  answered("Column::missing", "a column that nobody filled",
           [] { EXPECT_EQ(Column().missing(), 0U); });
  const std::vector<std::string> texts = {"a"};
  for (const std::int32_t code : {1, 2000000000}) {
    refused("make_text_column", "a code of " + std::to_string(code), [&] {
      make_text_column("c", std::vector<std::int32_t>{0, code}, texts);
    });
  }
  answered("make_text_column", "missing values", [&] {
    EXPECT_EQ(make_text_column("c", std::vector<std::int32_t>{-1, 0}, texts).missing(), 1U);
  });
}

TEST(DataMisuse, OfLabelsIsRefused) {
  const Table table = small_table();
  for (const std::int32_t code : {-2, 2, 2000000000}) {
    Column column = table.column("c");
    column.codes[1] = code;
    refused("make_labels", "a code of " + std::to_string(code), [&] {
      Table wrong = small_table();
      wrong.columns[1].codes[1] = code;
      make_labels(wrong.columns[1], wrong);
    });
  }
  refused("make_labels", "a short column", [] {
    Table wrong = small_table();
    wrong.columns[1].codes.pop_back();
    make_labels(wrong.columns[1], wrong);
  });
  refused(
      "make_labels", "a missing label",
      [] {
        make_labels(std::vector<std::string>{"a", ""}, "f");
      },
      ErrorKind::data);
  refused("Labels::positive", "no classes", [] { Labels().positive(""); });
  refused("Labels::positive", "a class that is not there", [] {
    Labels{{0}, {"a"}, {"a"}}.positive("b");
  });
  answered("Labels::find", "no spellings", [] {
    EXPECT_EQ(Labels({{0}, {"a"}, {}}).find("a"), 0U);
  });
  answered("Labels::count", "a code that is none", [] { EXPECT_EQ(Labels().count(-9), 0U); });
  const Labels labels{{0, 1}, {"a", "b"}, {"a", "b"}};
  for (const std::int32_t code : wrong_codes) {
    refused("relabel", "a label of " + std::to_string(code), [&] {
      Labels wrong = labels;
      wrong.codes[1] = code;
      relabel(wrong, {"a", "b"}, {"a", "b"}, "f");
    });
  }
  refused("read_probabilities", "no labels",
          [] { read_probabilities(Bytes("a\n1\n"), "f", Labels(), Format::csv); });
  refused("read_probabilities", "a format that is no table and no array",
          [&] { read_probabilities(Bytes("1"), "f", labels, Format::libsvm); });
  refused("read_probabilities", "a format that is none",
          [&] { read_probabilities(Bytes("1"), "f", labels, static_cast<Format>(99)); });
  refused("check_class_probabilities", "a view without data", [] {
    check_class_probabilities({nullptr, 2, 2}, 2, {"a", "b"});
  });
  refused("check_class_probabilities", "too few rows", [] {
    check_class_probabilities(Matrix(1, 2).view(), 2, {"a", "b"});
  });
  refused("check_class_probabilities", "too many columns", [] {
    check_class_probabilities(Matrix(2, 3).view(), 2, {"a", "b"});
  });
  refused(
      "check_class_probabilities", "rows that add up to 0",
      [] {
        check_class_probabilities(Matrix(2, 2).view(), 2, {"a", "b"});
      },
      ErrorKind::data);
  refused("relabel", "a spelling too few", [&] { relabel(labels, {"a", "b"}, {"a"}, "f"); });
  refused("relabel", "no spellings", [&] { relabel({{0}, {"a"}, {}}, {"a"}, {"a"}, "f"); });
  refused(
      "relabel", "another class", [&] { relabel(labels, {"a"}, {"a"}, "f"); }, ErrorKind::data);
}

TEST(DataMisuse, OfEncodersIsRefused) {
  std::vector<std::string> warnings;
  const std::vector<std::string> columns = {"x", "c"};
  const Encoder encoder = Encoder::learn(small_table(), columns, {.rare = 1}, warnings);
  const std::vector<std::function<void(Table&)>> changes = {
      [](Table& t) { t.columns[0].numbers.pop_back(); },
      [](Table& t) { t.columns[1].codes.resize(1); },
      [](Table& t) { t.columns[1].codes[2] = 7; },
      [](Table& t) { t.columns[1].codes[2] = -5; },
      [](Table& t) { t.rows = 1000; },
      [](Table& t) { t.columns[0].numbers[1] = infinite; }};
  for (const auto& change : changes) {
    Table wrong = small_table();
    change(wrong);
    const ErrorKind kind =
        wrong.columns[0].numbers[1] == infinite ? ErrorKind::data : ErrorKind::usage;
    refused(
        "Encoder::learn", "a table that does not fit",
        [&] { Encoder::learn(wrong, columns, {}, warnings); }, kind);
    refused(
        "Encoder::encode", "a table that does not fit", [&] { encoder.encode(wrong, one_thread); },
        kind);
  }
  refused("Encoder::learn", "a column that is not there",
          [&] { Encoder::learn(small_table(), {"z"}, {}, warnings); });
  refused(
      "Encoder::encode", "a table that nobody filled", [&] { encoder.encode({}, one_thread); },
      ErrorKind::data);
  refused(
      "Encoder::encode", "text where numbers were",
      [&] { encoder.encode(read("x,c\nu,a\n"), one_thread); }, ErrorKind::data);
  refused(
      "Encoder::encode", "a scale of NaN",
      [&] {
        Encoder odd = encoder;
        odd.parts[0].scale = not_a_number;
        odd.encode(small_table(), one_thread);
      },
      ErrorKind::data);
  answered("Encoder::columns", "no parts", [] { EXPECT_EQ(Encoder().columns(), 0U); });
  answered("Encoder::names", "no parts", [] { EXPECT_TRUE(Encoder().names().empty()); });
}

TEST(DataMisuse, OfDatasetsIsRefused) {
  const float values[] = {1, 2, static_cast<float>(infinite), 4};
  DataRequest request;
  request.path = "memory";
  refused("make_dataset", "rows without data", [&] {
    make_dataset(MatrixView{nullptr, 2, 2}, request, one_thread);
  });
  refused(
      "make_dataset", "an infinite value",
      [&] {
        make_dataset(MatrixView{values, 2, 2}, request, one_thread);
      },
      ErrorKind::data);
  refused("make_dataset", "rows times columns wraps", [&] {
    make_dataset(MatrixView{values, std::size_t{1} << 32, std::size_t{1} << 32}, request,
                 one_thread);
  });
  FeatureRecipe recipe;
  recipe.columns = 5;
  request.recipe = &recipe;
  refused(
      "make_dataset", "a recipe of other columns",
      [&] {
        make_dataset(MatrixView{values, 1, 2}, request, one_thread);
      },
      ErrorKind::data);
  recipe.encoder.emplace();
  refused("make_dataset", "a recipe that does not fit itself",
          [&] { make_dataset(small_table(), request, one_thread); });
  request.recipe = nullptr;
  request.features = {"z"};
  refused("make_dataset", "a feature that is not there",
          [&] { make_dataset(small_table(), request, one_thread); });
  request.features.clear();
  refused("make_dataset", "a short column", [&] {
    Table wrong = small_table();
    wrong.columns[0].numbers.clear();
    make_dataset(std::move(wrong), request, one_thread);
  });
  refused("make_dataset", "a table that nobody filled",
          [&] { make_dataset(Table(), request, one_thread); });
  answered("Features::Features", "nothing",
           [] { EXPECT_EQ(Features(RowsView()).view().rows, 0U); });
  answered("Features::view", "nothing", [] { EXPECT_EQ(Features().view().data, nullptr); });
}

TEST(DataMisuse, OfCorruptionIsRefused) {
  const std::vector<std::int32_t> codes = {0, 1, 1}, groups = {0, 1, 0};
  const std::vector<double> matrix = {.9, .1, .2, .8}, two = {.9, .1, .2, .8, .9, .1, .2, .8};
  const auto draw = [&](std::span<const std::int32_t> of, std::size_t classes,
                        std::span<const double> with) {
    draw_labels(of, classes, with, 0, Stream::corrupt);
  };
  const auto draw_groups = [&](std::span<const std::int32_t> of, std::span<const std::int32_t> in,
                               std::size_t classes, std::span<const double> with) {
    draw_labels(of, in, classes, with, 0, Stream::corrupt);
  };
  for (const std::int32_t code : wrong_codes) {
    const std::vector<std::int32_t> wrong = {0, code, 1};
    refused("draw_labels", "a label of " + std::to_string(code), [&] { draw(wrong, 2, matrix); });
    refused("draw_labels", "a label of " + std::to_string(code) + " in a group",
            [&] { draw_groups(wrong, groups, 2, two); });
    refused("draw_labels", "a group of " + std::to_string(code),
            [&] { draw_groups(codes, wrong, 2, two); });
  }
  refused("draw_labels", "no matrix", [&] { draw(codes, 2, {}); });
  refused("draw_labels", "no classes", [&] { draw(codes, 0, {}); });
  refused("draw_labels", "classes whose square wraps", [&] { draw({}, std::size_t{1} << 32, {}); });
  refused("draw_labels", "classes whose square wraps, with groups",
          [&] { draw_groups({}, {}, std::size_t{1} << 32, {}); });
  refused("draw_labels", "too few groups",
          [&] { draw_groups(codes, std::span(groups).first(2), 2, two); });
  for (const double value : {not_a_number, -.1, .7}) {
    refused("draw_labels", "an entry of " + std::to_string(value), [&] {
      draw(codes, 2, std::vector<double>{.9, value, .2, .8});
    });
  }
  for (const std::size_t classes : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 32, huge}) {
    refused("symmetric_transition", std::to_string(classes) + " classes",
            [=] { symmetric_transition(classes, .1); });
    refused(
        "random_gap_transition", std::to_string(classes) + " classes",
        [=] { random_gap_transition(classes, .1, 0); },
        classes < 2 ? ErrorKind::impossible : ErrorKind::usage);
    refused("write_transition", std::to_string(classes) + " classes",
            [&] { write_transition(matrix, classes); });
  }
  for (const double rate : {-.1, 1.1, not_a_number}) {
    refused("symmetric_transition", "a rate of " + std::to_string(rate),
            [=] { symmetric_transition(2, rate); });
    refused("random_gap_transition", "a gap of " + std::to_string(rate),
            [=] { random_gap_transition(2, rate, 0); });
    refused("generate", "positives of " + std::to_string(rate),
            [=] { generate({.positive = rate}); });
  }
  refused("generate", "a separation of NaN",
          [] { generate({.rows = 10, .separation = not_a_number}); });
  refused("generate", "more values than memory holds",
          [] { generate({.rows = huge / 2, .dimensions = 8}); });
  answered("generate", "no rows", [] { EXPECT_EQ(generate({.rows = 0}).codes.size(), 0U); });
  answered("generate", "clusters of no rows",
           [] { EXPECT_EQ(generate({.rows = 10, .rows_in_cluster = 0}).codes.size(), 10U); });
}

TEST(DataMisuse, OfOutputIsRefused) {
  OutputFile output("/dev/null");
  const Table table = small_table();
  const std::vector<std::string_view> cells = {"a", "b", "c"};
  refused("write_with_column", "too few cells",
          [&] { write_with_column(table, "n", std::span(cells).first(2), output, one_thread); });
  refused("write_with_column", "a table without text", [&] {
    Table wrong = small_table();
    wrong.text = {};
    write_with_column(wrong, "n", cells, output, one_thread);
  });
  refused("write_with_column", "records beyond the text", [&] {
    Table wrong = small_table();
    wrong.text.record_end[2] = 1000000;
    write_with_column(wrong, "n", cells, output, one_thread);
  });
  refused("write_with_column", "records out of order", [&] {
    Table wrong = small_table();
    wrong.text.record_end[1] = 0;
    write_with_column(wrong, "n", cells, output, one_thread);
  });
  const std::vector<std::string> classes = {"0", "1"}, words = {"a", "b"};
  for (const char* path : {"l.npy", "l.csv", "l.txt", "l-ubyte"}) {
    for (const std::int32_t code : wrong_codes) {
      refused("write_labels", path + (" with a label of " + std::to_string(code)), [&] {
        write_labels("y", std::vector<std::int32_t>{0, code}, classes, path, output);
      });
    }
  }
  refused("write_labels", "no classes",
          [&] { write_labels("y", std::vector<std::int32_t>{0}, {}, "l.csv", output); });
  refused("check_labels_format", "words in idx", [&] { check_labels_format(words, "l-ubyte"); });
  refused("check_labels_format", "npz", [&] { check_labels_format(words, "l.npz"); });
  answered("csv_cell", "odd delimiters", [] {
    EXPECT_EQ(csv_cell("", '\0'), "");
    EXPECT_EQ(csv_cell("a\"", '"'), "\"a\"\"\"");
  });
  for (const double value : {not_a_number, infinite, 5e-324}) {
    answered("format_number", "odd numbers", [=] {
      const double back = parse_number(format_number(value)).value_or(value);
      EXPECT_TRUE(back == value || (std::isnan(back) && std::isnan(value)));
      EXPECT_FALSE(format_number(value).empty());
    });
  }
  for (const double days : {not_a_number, infinite, 1e9, -1e9}) {
    refused("format_date", "days beyond the calendar", [=] { format_date(days); });
  }
  refused("parse_date", "an order that is none",
          [] { parse_date("2026-03-04", static_cast<DateOrder>(7)); });
  answered("parse_date", "no date",
           [] { EXPECT_FALSE(parse_date("2026-02-30", DateOrder::year_month_day)); });
  answered("find_delimiter", "no text", [] { EXPECT_EQ(find_delimiter(""), ','); });
  answered("find_similar_names", "no names",
           [] { EXPECT_TRUE(find_similar_names({}, "classes").empty()); });
  refused("Dataset::row_id", "a row that is not there", [] {
    Dataset dataset;
    dataset.row_ids = {0, 2};
    (void)dataset.row_id(2);
  });
  answered("Dataset::file_rows", "no rows", [] { EXPECT_EQ(Dataset().file_rows(), 0U); });
  answered("parse_number", "no number", [] { EXPECT_FALSE(parse_number("1e999999999999x")); });
  answered("OutputFile::OutputFile", "a device", [] { OutputFile("/dev/null"); });
  answered("OutputFile::write", "nothing", [&] { output.write({}); });
  answered("OutputFile::finish", "twice", [] {
    OutputFile twice("/dev/null");
    twice.finish();
    twice.finish();
  });
  answered("OutputFile::stage", "twice", [] {
    OutputFile device("/dev/null");
    device.stage();
    device.stage();
  });
  answered("OutputFile::commit", "twice", [] {
    OutputFile twice("/dev/null");
    twice.commit();
    twice.commit();
  });
  answered("Bytes::read", "a device", [] { EXPECT_EQ(Bytes::read("/dev/null").size(), 0U); });
}

}  // namespace
}  // namespace noiseplus
