// Rows that are in memory become the data set that a file of them would.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/array_test_support.h"
#include "support.h"

namespace noiseplus {
namespace {

using array_test::rows_of;
using testing_support::TemporaryFolder;
using Texts = std::vector<std::string>;

Matrix three_rows(float last) {
  Matrix rows(3, 2);
  for (std::size_t r = 0; r < 3; ++r) {
    rows.row(r)[0] = static_cast<float>(r);
    rows.row(r)[1] = static_cast<float>(10 * r);
  }
  rows.row(2)[1] = last;
  return rows;
}

DataRequest called(const std::string& name, const std::string& label = "y") {
  DataRequest request;
  request.path = name;
  request.label = label;
  return request;
}

TEST(InMemory, AnArrayIsLookedAtWhereItLies) {
  const Matrix rows = three_rows(20);
  const Dataset dataset = make_dataset(rows.view(), called("X"));
  EXPECT_EQ(dataset.features.view().data, rows.view().data);
  EXPECT_EQ(dataset.source, "X");
  EXPECT_EQ(dataset.recipe.columns, 2U);
  EXPECT_FALSE(dataset.recipe.encoder);
}

TEST(InMemory, AnArrayWithGapsIsEncodedAsItsFileWouldBe) {
  const Matrix rows = three_rows(std::nanf(""));
  const Dataset dataset = make_dataset(rows.view(), called("X"));
  EXPECT_EQ(dataset.feature_names, (Texts{"1", "2", "2 is missing"}));
  EXPECT_EQ(rows_of(dataset.features.view())[2], (std::vector<float>{2, 5, 1}));
}

TEST(InMemory, AScaledArrayIsACopy) {
  const Matrix rows = three_rows(20);
  DataRequest request = called("X");
  request.scale = true;
  const Dataset dataset = make_dataset(rows.view(), request);
  EXPECT_NE(dataset.features.view().data, rows.view().data);
  EXPECT_FLOAT_EQ(rows_of(dataset.features.view())[1][0], 0);
}

TEST(InMemory, InfinityIsNamed) {
  const Matrix rows = three_rows(-std::numeric_limits<float>::infinity());
  try {
    make_dataset(rows.view(), called("X"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(std::string(error.what()),
              "X: row 3, column 2 is infinite or too large for a 32-bit float; replace it by a "
              "number, or by NaN when it is missing");
  }
}

TEST(InMemory, ATableGivesTheFeaturesOfItsFile) {
  const TemporaryFolder folder;
  const std::string text = "y,y_noisy,age,city\n0,1,30,Ulm\n1,1,,Bonn\n1,0,50,Ulm\n0,0,41,?\n";
  const Dataset file = load(called(folder.write("t.csv", text)));
  TableOptions options;
  options.text_columns = {"y"};
  const Dataset memory =
      make_dataset(read_table(Bytes(std::string(text)), "t", options), called("t"));
  EXPECT_EQ(memory.feature_names, file.feature_names);
  EXPECT_EQ(memory.warnings, file.warnings);
  EXPECT_EQ(rows_of(memory.features.view()), rows_of(file.features.view()));
}

TEST(InMemory, IdsAndDatesOfATableAreThoseOfItsFile) {
  const TemporaryFolder folder;
  std::string text = "y,nr,when,age\n";
  for (int n = 0; n < 12; ++n) {
    text += std::to_string(n % 2) + ',' + std::to_string(n) + ",2024-01-" +
            std::to_string(10 + n * 7 % 12) + ',' + std::to_string(n * 5 % 12) + '\n';
  }
  const Dataset file = load(called(folder.write("t.csv", text)));
  TableOptions options;
  options.text_columns = {"y"};
  Table table = read_table(Bytes(std::string(text)), "t", options);
  Column& when = table.columns[2];
  Column days;
  days.name = when.name;
  days.is_date = true;
  for (const std::int32_t code : when.codes) {
    const std::string& date = when.categories[static_cast<std::size_t>(code)];
    days.numbers.push_back(*parse_date(date, DateOrder::year_month_day));
  }
  when = days;
  const Dataset memory = make_dataset(std::move(table), called("t"));
  EXPECT_EQ(memory.feature_names, (Texts{"when", "age"}));
  EXPECT_EQ(memory.warnings, file.warnings);
  EXPECT_EQ(rows_of(memory.features.view()), rows_of(file.features.view()));
  EXPECT_EQ(memory.recipe.encoder->parts[0].date, DateOrder::year_month_day);
}

TEST(InMemory, RowsWithoutALabelAreLeftOutOfAnArray) {
  const Matrix rows = three_rows(20);
  const Labels labels = {{1, -1, 0}, {"no", "yes"}, {}};
  const Dataset dataset = make_dataset(rows.view(), labels, called("X"));
  EXPECT_EQ(dataset.labels.codes, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(dataset.row_ids, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(dataset.missing_labels, 1U);
  EXPECT_EQ(dataset.warnings, (Texts{"1 of 3 rows has no label and is left out: row 2"}));
  EXPECT_EQ(rows_of(dataset.features.view()), (std::vector<std::vector<float>>{{0, 0}, {2, 20}}));
  const Labels complete = {{1, 0, 0}, {"no", "yes"}, {}};
  const Dataset whole = make_dataset(rows.view(), complete, called("X"));
  EXPECT_EQ(whole.features.view().data, rows.view().data);
  EXPECT_TRUE(whole.row_ids.empty());
}

TEST(InMemory, RowsWithoutALabelAreLeftOutOfATableAsOutOfItsFile) {
  const TemporaryFolder folder;
  const std::string text = "y,age,city\n0,30,Ulm\n1,,Bonn\n,50,Rome\n0,41,?\n1,39,Ulm\n";
  const Dataset file = load(called(folder.write("t.csv", text)));
  const Labels labels = {{0, 1, -1, 0, 1}, {"0", "1"}, {}};
  const Dataset memory =
      make_dataset(read_table(Bytes(std::string(text)), "t", {}), labels, called("t"));
  EXPECT_EQ(memory.labels.codes, file.labels.codes);
  EXPECT_EQ(memory.row_ids, file.row_ids);
  EXPECT_EQ(memory.warnings, file.warnings);
  EXPECT_EQ(memory.feature_names, file.feature_names);
  EXPECT_EQ(rows_of(memory.features.view()), rows_of(file.features.view()));
  ASSERT_TRUE(memory.table);
  EXPECT_EQ(memory.table->rows, 5U);
}

TEST(InMemory, LabelsAloneMayHaveGaps) {
  const Dataset dataset = make_dataset(Labels{{-1, 0, 1}, {"a", "b"}, {}}, called("y"));
  EXPECT_EQ(dataset.labels.codes, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(dataset.row_ids, (std::vector<std::size_t>{1, 2}));
}

TEST(InMemory, ALabelThatIsMissingCanBeAnError) {
  const Matrix rows = three_rows(20);
  DataRequest request = called("X");
  request.missing_labels = MissingLabels::error;
  try {
    make_dataset(rows.view(), Labels{{0, -1, 1}, {"a", "b"}, {}}, request);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(std::string(error.what()), "X: row 2 has no label; fill it in or remove the row");
  }
}

TEST(InMemory, LabelsThatDoNotFitAreRefused) {
  const Matrix rows = three_rows(20);
  const auto refused = [&](Labels labels, ErrorKind kind) {
    try {
      make_dataset(rows.view(), std::move(labels), called("X"));
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
    }
  };
  refused({{0, 1}, {"a", "b"}, {}}, ErrorKind::usage);        // too few
  refused({{0, 1, 2}, {"a", "b"}, {}}, ErrorKind::usage);     // no such class
  refused({{0, 1, -2}, {"a", "b"}, {}}, ErrorKind::usage);    // nor a gap
  refused({{0, 1, 0}, {"a", "b"}, {"a"}}, ErrorKind::usage);  // a spelling is lacking
  refused({{-1, -1, -1}, {"a", "b"}, {}}, ErrorKind::data);   // nobody has a label
}

TEST(InMemory, ARecipeIsFollowed) {
  const std::string text = "age,city\n30,Ulm\n35,Bonn\n50,Ulm\n41,Bonn\n";
  const Dataset learned = make_dataset(read_table(Bytes(std::string(text)), "t", {}), called("t"));
  DataRequest request = called("new");
  request.recipe = &learned.recipe;
  const Dataset same = make_dataset(read_table(Bytes(std::string(text)), "new", {}), request);
  EXPECT_EQ(rows_of(same.features.view()), rows_of(learned.features.view()));
  const Matrix array(2, 2);
  const Dataset plain = make_dataset(array.view(), called("X"));
  request.recipe = &plain.recipe;
  const Matrix wider(2, 3);
  EXPECT_THROW(make_dataset(wider.view(), request), Error);
  EXPECT_THROW(make_dataset(read_table(Bytes(std::string(text)), "t", {}), request), Error);
}

TEST(InMemory, TextsAreNumberedAsTheReaderOfCsvNumbersThem) {
  const std::vector<std::int32_t> codes = {3, 0, 4, -1, 2, 0, 1};
  const Texts texts = {"Ulm", " Bonn", "Bonn", "?", "", "never"};
  const Column column = make_text_column("city", codes, texts);
  const Table file = read_table(Bytes(std::string("city,x\n?,1\nUlm,1\n,1\n,1\nBonn,1\nUlm,1\n"
                                                  " Bonn,1\n")),
                                "t", {});
  EXPECT_EQ(column.categories, (Texts{"Ulm", "Bonn"}));
  EXPECT_EQ(column.categories, file.columns[0].categories);
  EXPECT_EQ(column.codes, file.columns[0].codes);
  EXPECT_THROW(make_text_column("city", std::vector<std::int32_t>{6}, texts), Error);
}

TEST(InMemory, AColumnWithoutAValueIsNumbers) {
  const std::vector<std::int32_t> codes = {-1, 0};
  const Column column = make_text_column("city", codes, Texts{"?"});
  EXPECT_FALSE(column.is_text);
  ASSERT_EQ(column.numbers.size(), 2U);
  EXPECT_TRUE(std::isnan(column.numbers[0]) && std::isnan(column.numbers[1]));
}

}  // namespace
}  // namespace noiseplus
