// Arrow data that is refused: types that are no numbers or texts, arrays that contradict
// themselves, streams that fail. Nothing that was given is kept.
#include "data/arrow_test_support.h"

namespace noiseplus {
namespace {

using namespace arrow_test;
using Spoil = std::function<void(ArrowArray&)>;

const std::string blame = "; the program that made this Arrow data made it wrong";

std::string error_with(const std::vector<Array>& batches, const Spoil& spoil = {}) {
  Producer producer(batches.front(), batches);
  producer.spoil_batch = spoil;
  return error_of([&] { read(producer); });
}

// Of a table with the one column x.
std::string column_error(const Array& array, const Spoil& spoil = {}) {
  return error_with({batch({array})}, [&](ArrowArray& rows) {
    if (spoil) spoil(*rows.children[0]);
  });
}

std::string fault(const std::string& what) {
  return "t: column 'x' " + what + blame;
}

TEST(ArrowErrors, OtherTypesAreNamed) {
  const std::pair<std::string, std::string> types[] = {
      {"z", "binary data"},
      {"Z", "binary data"},
      {"vz", "binary data"},
      {"w:16", "binary data"},
      {"d:19,10", "a decimal"},
      {"tdx", "a date"},
      {"ttu", "a time of day"},
      {"tsx:UTC", "a timestamp"},
      {"tDD", "a duration"},
      {"tiM", "an interval"},
      {"+l", "nested (a list)"},
      {"+L", "nested (a list)"},
      {"+vl", "nested (a list)"},
      {"+w:3", "nested (a list)"},
      {"+s", "nested (a struct)"},
      {"+m", "nested (a map)"},
      {"+us:1,2", "nested (a union)"},
      {"+r", "nested (run-end encoded)"},
      {"q\n", "of an Arrow type that is not known, 'q\\x0a'"},
      {"q", "of an Arrow type that is not known, 'q'"},
      {"", "of an Arrow type that is not known, ''"},
  };
  for (const auto& [format, words] : types) {
    const std::string expected =
        "t: column 'x' is " + words + "; drop the column, or turn it into numbers or text";
    const Array odd = column(format, 1, {});
    EXPECT_EQ(column_error(odd), expected);
    EXPECT_EQ(column_error(with_dictionary(numbers<std::int8_t>("c", {0}), odd)), expected);
  }
  const Array deep = with_dictionary(numbers<std::int8_t>("c", {0}),
                                     with_dictionary(numbers<std::int8_t>("c", {0}), texts({"a"})));
  EXPECT_NE(column_error(deep).find("nested (a dictionary in a dictionary)"), std::string::npos);
}

TEST(ArrowErrors, IgnoredColumnsOfOtherTypesAreLeftOut) {
  const Array date = named(column("ttu", 2, {}), "when");
  const Array number = named(numbers<std::int8_t>("c", {1, 2}), "n");
  const Table table =
      read({batch({number, date, named(texts({"a", "b"}), "c")})}, {}, {"when", "n", "unknown"});
  ASSERT_EQ(table.columns.size(), 2U);
  expect_numbers(table.columns[0], {1, 2});
  expect_texts(table.columns[1], {"a", "b"}, {0, 1});
  EXPECT_EQ(error_of([&] { read({batch({date})}, {}, {"when"}); }),
            "t: none of the columns is numbers, text or dates");
}

TEST(ArrowErrors, WhatIsNoTable) {
  const Array number = numbers<std::int8_t>("c", {1});
  EXPECT_EQ(error_with({number}),
            "t: is one Arrow column, not a table of columns; give it a name in a table");
  EXPECT_EQ(error_with({batch({})}), "t: the table has no columns; give it some");
  const Array empty = batch({numbers<std::int8_t>("c", {})});
  EXPECT_EQ(error_with({empty, empty}), "t: there are no rows; add some");
  Producer none(empty, {});
  EXPECT_EQ(error_of([&] { read(none); }), "t: there are no rows; add some");
}

TEST(ArrowErrors, SchemasThatContradictThemselves) {
  const auto schema_error = [](const std::function<void(ArrowSchema&)>& spoil) {
    const Array rows = batch({with_dictionary(numbers<std::int8_t>("c", {0}), texts({"a"}))});
    Producer producer(rows, {rows});
    producer.spoil_schema = spoil;
    return error_of([&] { read(producer); });
  };
  EXPECT_EQ(schema_error([](ArrowSchema& s) { s.format = nullptr; }),
            "t: the Arrow stream does not say what it holds");
  EXPECT_EQ(schema_error([](ArrowSchema& s) { s.children = nullptr; }),
            "t: the Arrow stream does not say what its columns are");
  EXPECT_EQ(schema_error([](ArrowSchema& s) { s.children[0] = nullptr; }),
            "t: the Arrow stream does not say what its columns are");
  EXPECT_EQ(schema_error([](ArrowSchema& s) { s.n_children = -1; }),
            "t: the table has no columns; give it some");
  EXPECT_EQ(schema_error([](ArrowSchema& s) { s.children[0]->format = nullptr; }),
            fault("has no type"));
  EXPECT_EQ(schema_error([](ArrowSchema& s) { s.children[0]->dictionary->format = nullptr; }),
            fault("has no type"));
  EXPECT_EQ(schema_error([](ArrowSchema& s) { s.children[0]->format = "f"; }),
            fault("has a dictionary, and indices that are no integers"));
}

TEST(ArrowErrors, BatchesThatContradictTheSchema) {
  const Array number = numbers<std::int8_t>("c", {1});
  const std::string where = "t: a batch of rows ";
  EXPECT_EQ(error_with({batch({number}), batch({number, number})}),
            where + "has 2 columns, not 1" + blame);
  const auto spoiled = [&](const Spoil& spoil) { return error_with({batch({number})}, spoil); };
  EXPECT_EQ(spoiled([](ArrowArray& rows) { rows.children = nullptr; }),
            where + "has no columns" + blame);
  EXPECT_EQ(spoiled([](ArrowArray& rows) { rows.children[0] = nullptr; }), fault("is not there"));
  EXPECT_EQ(spoiled([](ArrowArray& rows) { rows.length = -1; }),
            where + "says that it has -1 values from 0 on" + blame);
  EXPECT_EQ(spoiled([](ArrowArray& rows) { rows.n_buffers = 0; }),
            where + "has 0 buffers, where its type has 1" + blame);
  EXPECT_EQ(spoiled([](ArrowArray& rows) { rows.null_count = 1; }),
            where + "has nulls, and does not say where" + blame);
  const std::string few = fault("has fewer values than the table has rows");
  EXPECT_EQ(spoiled([](ArrowArray& rows) { rows.length = 2; }), few);
  EXPECT_EQ(spoiled([](ArrowArray& rows) { rows.offset = 1; }), few);
}

TEST(ArrowErrors, ColumnsThatContradictThemselves) {
  const Array number = numbers<std::int8_t>("c", {1, 2});
  EXPECT_EQ(column_error(number, [](ArrowArray& a) { a.length = -5; }),
            fault("says that it has -5 values from 0 on"));
  EXPECT_EQ(column_error(number, [](ArrowArray& a) { a.offset = -1; }),
            fault("says that it has 2 values from -1 on"));
  EXPECT_EQ(column_error(number, [](ArrowArray& a) { a.offset = INT64_MAX; }),
            fault("says that it has 2 values from 9223372036854775807 on"));
  EXPECT_EQ(column_error(number, [](ArrowArray& a) { a.n_buffers = 3; }),
            fault("has 3 buffers, where its type has 2"));
  EXPECT_EQ(column_error(texts({"a"}), [](ArrowArray& a) { a.n_buffers = 2; }),
            fault("has 2 buffers, where its type has 3"));
  EXPECT_EQ(column_error(viewed_texts({"a"}), [](ArrowArray& a) { a.n_buffers = 2; }),
            fault("has 2 buffers, where its type has 3 or more"));
  EXPECT_EQ(column_error(number, [](ArrowArray& a) { a.buffers = nullptr; }),
            fault("has no buffers"));
  EXPECT_EQ(column_error(number, [](ArrowArray& a) { a.buffers[1] = nullptr; }),
            fault("lacks its values"));
  EXPECT_EQ(column_error(number, [](ArrowArray& a) { a.null_count = 1; }),
            fault("has nulls, and does not say where"));
}

TEST(ArrowErrors, TextsOutsideTheirBuffers) {
  const auto with_offsets = [](std::initializer_list<std::int32_t> offsets) {
    return column("u", 2, {std::nullopt, little(offsets), "abcd"});
  };
  const std::string decrease = fault("has offsets of texts that decrease");
  EXPECT_EQ(column_error(with_offsets({-1, 2, 4})), decrease);
  EXPECT_EQ(column_error(with_offsets({3, 2, 4})), decrease);
  EXPECT_EQ(column_error(with_offsets({0, 9, 4})), decrease);
  EXPECT_EQ(column_error(with_offsets({0, 0, -4})), decrease);
  EXPECT_EQ(column_error(column("U", 1, {std::nullopt, little<std::int64_t>({1, 0}), "a"})),
            decrease);
  EXPECT_EQ(column_error(texts({"a"}), [](ArrowArray& a) { a.buffers[2] = nullptr; }),
            fault("lacks its texts"));
  // The table is shorter than the array, whose end says how large the buffer is.
  Array rows = batch({with_offsets({0, 9, 4})});
  rows.length = 1;
  EXPECT_EQ(error_with({rows}), decrease);
}

TEST(ArrowErrors, ViewsOutsideTheirBuffers) {
  const auto with_view = [](std::int32_t length, std::int32_t buffer, std::int32_t begin) {
    const std::string view = little<std::int32_t>({length, 0, buffer, begin});
    const std::string sizes = little<std::int64_t>({20, 30});
    return column("vu", 1, {std::nullopt, view, std::string(20, 'a'), std::string(30, 'b'), sizes});
  };
  expect_texts(read_column(with_view(20, 0, 0)), {std::string(20, 'a')}, {0});
  expect_texts(read_column(with_view(13, 1, 17)), {std::string(13, 'b')}, {0});
  EXPECT_EQ(column_error(with_view(-1, 0, 0)), fault("has a text of negative length"));
  const std::string no_buffer = fault("has a text in a buffer that is not there");
  EXPECT_EQ(column_error(with_view(13, 2, 0)), no_buffer);
  EXPECT_EQ(column_error(with_view(13, -1, 0)), no_buffer);
  EXPECT_EQ(column_error(with_view(13, 1, 0), [](ArrowArray& a) { a.buffers[3] = nullptr; }),
            no_buffer);
  EXPECT_EQ(column_error(with_view(13, 1, 0), [](ArrowArray& a) { a.buffers[4] = nullptr; }),
            no_buffer);
  const std::string outside = fault("has a text outside its buffer");
  EXPECT_EQ(column_error(with_view(21, 0, 0)), outside);
  EXPECT_EQ(column_error(with_view(13, 1, 18)), outside);
  EXPECT_EQ(column_error(with_view(13, 1, -1)), outside);
  EXPECT_EQ(column_error(with_view(INT32_MAX, 1, INT32_MAX)), outside);
}

TEST(ArrowErrors, IndicesOutsideTheirDictionary) {
  const std::string outside = fault("has an index outside its dictionary");
  const Array values = texts({"a", "b"});
  EXPECT_EQ(column_error(with_dictionary(numbers<std::int8_t>("c", {0, 2}), values)), outside);
  EXPECT_EQ(column_error(with_dictionary(numbers<std::int32_t>("i", {-1}), values)), outside);
  EXPECT_EQ(column_error(with_dictionary(numbers<std::uint64_t>("L", {~0ULL}), values)), outside);
  const Array fine = with_dictionary(numbers<std::int8_t>("c", {0, 1}), values);
  EXPECT_EQ(column_error(fine, [](ArrowArray& a) { a.dictionary->length = 1; }), outside);
  EXPECT_EQ(column_error(fine, [](ArrowArray& a) { a.dictionary = nullptr; }),
            fault("lacks its dictionary"));
  EXPECT_EQ(column_error(fine, [](ArrowArray& a) { a.dictionary->n_buffers = 2; }),
            fault("has 2 buffers, where its type has 3"));
}

TEST(ArrowErrors, StreamsThatFail) {
  const Array rows = batch({numbers<std::int8_t>("c", {1})});
  Producer at_batch(rows, {rows, rows});
  at_batch.fails_at_batch = 1;
  at_batch.error = "the disk\nburns";
  EXPECT_EQ(error_of([&] { read(at_batch); }), "t: the Arrow stream failed: the disk burns");
  EXPECT_EQ(at_batch.given.arrays, 1);
  Producer at_schema(rows, {rows});
  at_schema.fails_at_schema = true;
  EXPECT_EQ(error_of([&] { read(at_schema); }),
            "t: the Arrow stream failed: " + std::string(std::strerror(5)));
  EXPECT_EQ(at_schema.given.arrays, 0);
  Producer used(rows, {rows});
  used.stream().release = nullptr;
  EXPECT_EQ(error_of([&] { read(used); }), "t: the Arrow stream has been used up; make a new one");
}

TEST(ArrowErrors, NamesAreOnOneLine) {
  EXPECT_EQ(error_with({batch({named(column("ttu", 1, {}), "a\nb")})}),
            "t: column 'a b' is a time of day; drop the column, or turn it into numbers or text");
}

}  // namespace
}  // namespace noiseplus
