// Tables by the Arrow C stream interface: every type that is taken, and where its values lie.
#include "data/arrow_test_support.h"

namespace noiseplus {
namespace {

using namespace arrow_test;

const std::string long_text = "more than twelve bytes";
const std::string longer_text = "even more than those twelve bytes";

TEST(Arrow, NumbersOfEveryWidth) {
  expect_numbers(read_column(numbers<std::int8_t>("c", {-128, 127})), {-128, 127});
  expect_numbers(read_column(numbers<std::uint8_t>("C", {0, 255})), {0, 255});
  expect_numbers(read_column(numbers<std::int16_t>("s", {-32768, 32767})), {-32768, 32767});
  expect_numbers(read_column(numbers<std::uint16_t>("S", {1, 65535})), {1, 65535});
  expect_numbers(read_column(numbers<std::int32_t>("i", {-2147483647, 3})), {-2147483647, 3});
  expect_numbers(read_column(numbers<std::uint32_t>("I", {4294967295U})), {4294967295.0});
  expect_numbers(read_column(numbers<std::int64_t>("l", {-9007199254740992, 5})),
                 {-9007199254740992.0, 5});
  expect_numbers(read_column(numbers<std::uint64_t>("L", {1ULL << 63, 7})), {0x1p63, 7});
  expect_numbers(read_column(numbers<std::uint16_t>("e", {0x3c00, 0xc500, 0x7e00})), {1, -5, nan});
  expect_numbers(read_column(numbers<float>("f", {0.5F, -3, std::nanf("")})), {0.5, -3, nan});
  expect_numbers(read_column(numbers<double>("g", {0.1, nan, 1e300})), {0.1, nan, 1e300});
}

TEST(Arrow, DatesAndTimestampsAreDays) {
  const auto expect_dates = [](const Array& array, const Numbers& days) {
    const Column column = read_column(array);
    EXPECT_TRUE(column.is_date);
    expect_numbers(column, days);
  };
  expect_dates(numbers<std::int32_t>("tdD", {-1, 0, 19723}), {-1, 0, 19723});
  expect_dates(numbers<std::int64_t>("tdm", {86'400'000, -86'400'000}), {1, -1});
  expect_dates(numbers<std::int64_t>("tss:", {43200, -43200}), {.5, -.5});
  expect_dates(numbers<std::int64_t>("tss:Asia/Tokyo", {86400}), {1});
  expect_dates(numbers<std::int64_t>("tsm:", {86'400'250}), {1 + .25 / 86400});
  expect_dates(numbers<std::int64_t>("tsu:UTC", {-1'500'000}), {-1 + 86398.5 / 86400});
  // Nearly 2^63 nanoseconds: through double the time of day would be lost.
  expect_dates(numbers<std::int64_t>("tsn:", {9'223'286'400'000'000'000 + 1'000'000'001}),
               {106751 + 1.000000001 / 86400});
  const Array three = numbers<std::int32_t>("tdD", {1, 2, 3});
  expect_dates(with_validity(three, {true, false, true}), {1, nan, 3});
  expect_dates(with_dictionary(numbers<std::int8_t>("c", {2, 0}), three), {3, 1});
}

TEST(Arrow, DurationsAreDaysAndNoDates) {
  const std::pair<std::string, std::int64_t> per_day[] = {
      {"tDs", 86'400}, {"tDm", 86'400'000}, {"tDu", 86'400'000'000}, {"tDn", 86'400'000'000'000}};
  for (const auto& [format, day] : per_day) {
    const Column column = read_column(numbers<std::int64_t>(format, {day, -day / 4}));
    EXPECT_FALSE(column.is_date) << format;
    expect_numbers(column, {1, -.25});
  }
}

TEST(Arrow, DatesAreSpelledOutWhereTheyNameRows) {
  TableOptions options;
  options.text_columns = {"x"};
  const Array days = numbers<std::int64_t>(
      "tsm:", {86'400'000, 86'400'001, 90'000'000, -1, 86'400'000LL * 3'000'000});
  expect_texts(read_column(days, options),
               {"1970-01-02", "1970-01-02 01:00:00", "1969-12-31 23:59:59", "3000000"},
               {0, 0, 1, 2, 3});
}

TEST(Arrow, BooleansAreZeroAndOne) {
  Array array = booleans({true, false, true, true, false, false, false, true, false, true});
  expect_numbers(read_column(array), {1, 0, 1, 1, 0, 0, 0, 1, 0, 1});
  array.offset = 6;
  array.length = 4;
  expect_numbers(read_column(array), {0, 1, 0, 1});
}

TEST(Arrow, NullsAreMissing) {
  const Array three = numbers<std::int32_t>("i", {1, 2, 3});
  const std::vector<bool> valid = {true, false, true};
  expect_numbers(read_column(with_validity(three, valid)), {1, nan, 3});
  expect_numbers(read_column(with_validity(booleans({true, true, false}), valid)), {1, nan, 0});
  expect_texts(read_column(texts({"a", std::nullopt, "a"})), {"a"}, {0, -1, 0});
  expect_texts(read_column(viewed_texts({"a", std::nullopt, "b"})), {"a", "b"}, {0, -1, 1});
  Array counted = with_validity(three, valid);
  counted.null_count = 1;
  expect_numbers(read_column(counted), {1, nan, 3});
}

TEST(Arrow, TextsOfEveryLayout) {
  const Cells cells = {"b", long_text, "a", longer_text, "b", "twelve bytes", long_text};
  const Texts categories = {"b", long_text, "a", longer_text, "twelve bytes"};
  const Codes codes = {0, 1, 2, 3, 0, 4, 1};
  expect_texts(read_column(texts<std::int32_t>("u", cells)), categories, codes);
  expect_texts(read_column(texts<std::int64_t>("U", cells)), categories, codes);
  expect_texts(read_column(viewed_texts(cells)), categories, codes);
}

TEST(Arrow, TextsNeedNoFurtherBufferWhenAllAreShort) {
  Array views = viewed_texts({"a", "b"});
  views.buffers = {std::nullopt, views.buffers[1], std::nullopt};
  expect_texts(read_column(views), {"a", "b"}, {0, 1});
  Array empty = texts({"", ""});
  empty.buffers[2] = std::nullopt;
  expect_numbers(read_column(empty), {nan, nan});
}

TEST(Arrow, TextsThatMeanMissing) {
  TableOptions options;
  options.missing.push_back("n/a");
  const Cells cells = {" x", "", "?", "x\t ", " n/a ", "  ", "\xff", "x y"};
  const Codes codes = {0, -1, -1, 0, -1, -1, 1, 2};
  expect_texts(read_column(texts(cells), options), {"x", "\xff", "x y"}, codes);
  expect_texts(read_column(viewed_texts(cells), options), {"x", "\xff", "x y"}, codes);
  expect_texts(read_column(texts({"?", "n/a"})), {"n/a"}, {-1, 0});
}

TEST(Arrow, IndicesOfEveryWidth) {
  const Array values = texts({"a", "never", "b"});
  const auto expect = [&](const Array& indices) {
    expect_texts(read_column(with_dictionary(indices, values)), {"b", "a"}, {0, 1, 0});
  };
  expect(numbers<std::int8_t>("c", {2, 0, 2}));
  expect(numbers<std::uint8_t>("C", {2, 0, 2}));
  expect(numbers<std::int16_t>("s", {2, 0, 2}));
  expect(numbers<std::uint16_t>("S", {2, 0, 2}));
  expect(numbers<std::int32_t>("i", {2, 0, 2}));
  expect(numbers<std::uint32_t>("I", {2, 0, 2}));
  expect(numbers<std::int64_t>("l", {2, 0, 2}));
  expect(numbers<std::uint64_t>("L", {2, 0, 2}));
}

TEST(Arrow, DictionariesOfTexts) {
  const Array indices = with_validity(numbers<std::int8_t>("c", {3, 99, 1, 0, 2, 3}),
                                      {true, false, true, true, true, true});
  const Cells cells = {" a", std::nullopt, "a", long_text};
  const Codes codes = {0, -1, -1, 1, 1, 0};
  for (const Array& values : {texts(cells), texts<std::int64_t>("U", cells), viewed_texts(cells)}) {
    expect_texts(read_column(with_dictionary(indices, values)), {long_text, "a"}, codes);
  }
}

TEST(Arrow, ADictionaryMayBeLongerThanTheTable) {
  const Array values = texts({"a", "b", "c", "d"});
  const Array indices = numbers<std::int8_t>("c", {3, 1});
  expect_texts(read_column(with_dictionary(indices, values)), {"d", "b"}, {0, 1});
}

TEST(Arrow, ADictionaryHasAnOffsetOfItsOwn) {
  Array values = texts({"a", "b", "c"});
  values.offset = 1;
  values.length = 2;
  Array indices = numbers<std::int8_t>("c", {7, 1, 0, 1});
  indices.offset = 1;
  indices.length = 3;
  expect_texts(read_column(with_dictionary(indices, values)), {"c", "b"}, {0, 1, 0});
}

TEST(Arrow, DictionariesOfNumbers) {
  const Array indices = numbers<std::uint8_t>("C", {1, 0, 1});
  const auto read_with = [&](const Array& values) {
    return read_column(with_dictionary(indices, values));
  };
  expect_numbers(read_with(numbers<double>("g", {2.5, -1})), {-1, 2.5, -1});
  expect_numbers(read_with(with_validity(numbers<double>("g", {2.5, -1}), {true, false})),
                 {nan, 2.5, nan});
  expect_numbers(read_with(booleans({true, false})), {0, 1, 0});
  expect_numbers(read_with(nulls(2)), {nan, nan, nan});
}

TEST(Arrow, AColumnWithoutAnyValueIsNumbers) {
  TableOptions options;
  options.text_columns = {"x"};
  const Array empty_text = texts({"", std::nullopt, "?"});
  const Array missing = with_validity(numbers<std::int32_t>("i", {1, 2, 3}), {false, false, false});
  for (const Array& array : {nulls(3), empty_text, missing}) {
    expect_numbers(read_column(array), {nan, nan, nan});
    expect_numbers(read_column(array, options), {nan, nan, nan});
  }
}

TEST(Arrow, OffsetsOfColumnsAndOfRowsAdd) {
  Array number = numbers<std::int16_t>("s", {90, 91, 1, 2, 3, 92});
  Array text = texts({"-", "-", "a", "b", "a", "-"});
  Array view = viewed_texts({"-", long_text, "-", "b", longer_text, long_text, "-"});
  Array index = with_dictionary(numbers<std::int8_t>("c", {5, 5, 0, 1, 0}), texts({"p", "q"}));
  number.offset = text.offset = 1;
  view.offset = 2;
  number.length = text.length = 5;
  view.length = 4;
  index.offset = 1;
  index.length = 4;
  Array rows = batch({number, text, view, index});
  rows.offset = 1;
  rows.length = 3;
  const Table table = read({rows});
  EXPECT_EQ(table.rows, 3U);
  expect_numbers(table.columns[0], {1, 2, 3});
  expect_texts(table.columns[1], {"a", "b"}, {0, 1, 0});
  expect_texts(table.columns[2], {"b", longer_text, long_text}, {0, 1, 2});
  expect_texts(table.columns[3], {"p", "q"}, {0, 1, 0});
}

TEST(Arrow, ANullRowIsMissingInAllColumns) {
  Array rows = batch({numbers<std::int8_t>("c", {1, 2, 3, 4}), texts({"a", "b", "c", "d"})});
  rows.buffers[0] = bits({false, true, false, true});
  rows.offset = 1;
  rows.length = 3;
  const Table table = read({rows});
  expect_numbers(table.columns[0], {2, nan, 4});
  expect_texts(table.columns[1], {"b", "d"}, {0, -1, 1});
}

TEST(Arrow, BatchesAreOneTable) {
  const auto rows = [](const Array& first, const Array& second) {
    return batch({named(first, "n"), named(second, "d")});
  };
  const auto codes = [](std::initializer_list<std::int8_t> indices, const Cells& values) {
    return with_dictionary(numbers<std::int8_t>("c", indices), texts(values));
  };
  Array empty = rows(texts(Cells{}), codes({}, {}));
  empty.children[0].buffers = {std::nullopt, std::nullopt, std::nullopt};
  const Table table = read({rows(texts({"u", "v"}), codes({1, 0}, {"a", "b"})), empty,
                            rows(texts({"w", "v"}), codes({0, 1}, {"c", "a"}))});
  EXPECT_EQ(table.source, "t");
  EXPECT_EQ(table.rows, 4U);
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[1].name, "d");
  expect_texts(table.columns[0], {"u", "v", "w"}, {0, 1, 2, 1});
  expect_texts(table.columns[1], {"b", "a", "c"}, {0, 1, 2, 1});
  EXPECT_EQ(table.where(2, table.columns[1]), "t: row 3, column 2");
}

TEST(Arrow, NumbersAreSpelledWhereTextIsAskedFor) {
  TableOptions options;
  options.text_columns = {"x"};
  expect_texts(read_column(numbers<double>("g", {100000, 0.5, nan, 0.5, -0.0}), options),
               {"100000", "0.5", "0"}, {0, 1, -1, 1, 2});
  expect_texts(read_column(booleans({true, false, true}), options), {"1", "0"}, {0, 1, 0});
  expect_texts(read_column(texts({"1.0", "1"}), options), {"1.0", "1"}, {0, 1});
  expect_numbers(read_column(named(numbers<std::int8_t>("c", {4}), "y"), options), {4});
}

TEST(Arrow, NamesAreMadeToDiffer) {
  const Array one = numbers<std::int8_t>("c", {1});
  TableOptions options;
  options.text_columns = {"a.1"};
  Producer producer(batch({named(one, "a"), named(one, "a"), named(one, ""), one}),
                    {batch({one, one, one, one})});
  producer.spoil_schema = [](ArrowSchema& schema) { schema.children[3]->name = nullptr; };
  const Table table = read(producer, options);
  EXPECT_EQ(table.columns[0].name, "a");
  EXPECT_EQ(table.columns[1].name, "a.1");
  EXPECT_EQ(table.columns[2].name, "3");
  EXPECT_EQ(table.columns[3].name, "4");
  EXPECT_FALSE(table.columns[0].is_text);
  EXPECT_TRUE(table.columns[1].is_text);
  EXPECT_EQ(table.warnings, (Texts{"the column name 'a' occurs again; column 2 is called 'a.1'"}));
}

TEST(Arrow, BuffersNeedNoAlignment) {
  Producer producer(batch({numbers<double>("g", {0, 0})}),
                    {batch({column("g", 2, {std::nullopt, '-' + little<double>({1.5, -2})})})});
  producer.spoil_batch = [](ArrowArray& rows) {
    const void*& values = rows.children[0]->buffers[1];
    values = static_cast<const char*>(values) + 1;
  };
  expect_numbers(read(producer).columns[0], {1.5, -2});
}

TEST(Arrow, TheTableIsThatOfTheSameCsv) {
  const Table csv =
      read_table(Bytes(std::string("n,c,e\n1.5,Ulm,\n,?,\n-3, Bonn ,\n4,Ulm,\n")), "t", {});
  const Table arrow =
      read({batch({named(numbers<double>("g", {1.5, nan, -3, 4}), "n"),
                   named(texts({"Ulm", "?", " Bonn ", "Ulm"}), "c"), named(nulls(4), "e")})});
  ASSERT_EQ(arrow.columns.size(), csv.columns.size());
  EXPECT_EQ(arrow.rows, csv.rows);
  for (std::size_t c = 0; c < csv.columns.size(); ++c) {
    EXPECT_EQ(arrow.columns[c].name, csv.columns[c].name);
    if (csv.columns[c].is_text) {
      expect_texts(arrow.columns[c], csv.columns[c].categories, csv.columns[c].codes);
    } else {
      expect_numbers(arrow.columns[c], csv.columns[c].numbers);
    }
  }
}

TEST(Arrow, AllThatWasGivenIsReleasedOnce) {
  const Array rows = batch({texts({"a"}), numbers<std::int8_t>("c", {1})});
  Producer producer(rows, {rows, rows, rows});
  EXPECT_EQ(read(producer).rows, 3U);
  EXPECT_EQ(producer.given.schemas, 1);
  EXPECT_EQ(producer.given.arrays, 3);
}

}  // namespace
}  // namespace noiseplus
