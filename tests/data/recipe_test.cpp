#include <gtest/gtest.h>

#include <cmath>

#include "data/array_test_support.h"
#include "support.h"

namespace noiseplus {
namespace {

using array_test::error_of;
using array_test::Rows;
using array_test::rows_of;
using testing_support::TemporaryFolder;
using Texts = std::vector<std::string>;

const std::string training = "age,city,y\n20,P,a\n40,Q,b\n30,P,a\nNA,Q,b\n30,P,a\n";

FeatureRecipe learn(const TemporaryFolder& folder, const std::string& name,
                    const std::string& content, bool scale = true) {
  DataRequest request;
  request.path = folder.write(name, content);
  const bool is_table = name.ends_with(".csv");
  if (is_table) request.label = "y";
  request.with_labels = is_table;
  request.missing = {"NA"};
  request.scale = scale;
  return load(request).recipe;
}

DataRequest follow(const FeatureRecipe& recipe, const std::string& path) {
  DataRequest request;
  request.path = path;
  request.label = "y";
  request.with_labels = false;
  request.recipe = &recipe;
  return request;
}

std::string error_of_load(const DataRequest& request) {
  return error_of([&] { load(request); }, ErrorKind::data);
}

std::string floats(const std::string& shape, std::initializer_list<float> values) {
  return array_test::npy_file("<f4", shape, array_test::little<float>(values));
}

TEST(Recipe, IsAlwaysFilled) {
  const TemporaryFolder folder;
  const FeatureRecipe table = learn(folder, "t.csv", training);
  EXPECT_EQ(table.columns, 4U);
  ASSERT_TRUE(table.encoder);
  EXPECT_EQ(table.encoder->names(), (Texts{"age", "age is missing", "city=P", "city=Q"}));
  EXPECT_EQ(table.missing, (Texts{"NA"}));
  const FeatureRecipe array = learn(folder, "x.npy", floats("(2, 3)", {1, 2, 3, 4, 5, 6}), false);
  EXPECT_EQ(array.columns, 3U);
  EXPECT_FALSE(array.encoder);
  EXPECT_FALSE(array.first_index);
}

TEST(Recipe, OtherRowsAreReadAlike) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe = learn(folder, "t.csv", training);
  // Another order of columns, no label, and a city that by itself would be a number.
  const Dataset rows = load(follow(recipe, folder.write("n.csv", "city,age\nP,30\n7,NA\n,40\n")));
  EXPECT_EQ(rows_of(rows.features)[0], (std::vector<float>{0, 0, 1, 0}));
  EXPECT_EQ(rows_of(rows.features)[1], (std::vector<float>{0, 1, 0, 0}));
  EXPECT_NEAR(rows_of(rows.features)[2][0], std::sqrt(2.0), 1e-6);
  EXPECT_EQ(rows.feature_names.size(), 4U);
  EXPECT_EQ(rows.recipe.columns, 4U);
  EXPECT_TRUE(rows.labels.codes.empty());
  const Dataset digits = load(follow(recipe, folder.write("d.csv", "city,age\n7,30\n")));
  EXPECT_EQ(rows_of(digits.features)[0], (std::vector<float>{0, 0, 0, 0}));
}

TEST(Recipe, TheRowsItWasLearnedFromComeOutTheSame) {
  const TemporaryFolder folder;
  DataRequest request;
  request.path = folder.write("t.csv", training);
  request.label = "y";
  request.missing = {"NA"};
  const Dataset learned = load(request);
  DataRequest again = follow(learned.recipe, request.path);
  again.with_labels = true;
  again.groups = {"age"};  // a group that is a number is a number among the features
  again.drop = {"age"};    // does not count
  again.path = folder.write("u.csv", "age,city,y\n20,P,a\n40,Q,b\n30,P,a\n");
  const Dataset followed = load(again);
  EXPECT_EQ(followed.groups.classes, (Texts{"20", "30", "40"}));
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(rows_of(followed.features)[row], rows_of(learned.features)[row]);
  }
  EXPECT_EQ(followed.labels.classes, (Texts{"a", "b"}));
  EXPECT_TRUE(followed.warnings.empty());
}

TEST(Recipe, ColumnsThatAreMissingAreNamed) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe = learn(folder, "t.csv", training);
  const std::string path = folder.write("n.csv", "a,b\n1,2\n");
  EXPECT_EQ(error_of_load(follow(recipe, path)),
            path +
                ": lacks 2 columns that the model was trained with: age, city; it has 2 "
                "columns; give a file that has them all");
  const FeatureRecipe wide =
      learn(folder, "w.csv", "a,b,c,d,e,f,y\n1,1,1,1,1,1,0\n2,2,2,2,2,2,1\n");
  EXPECT_NE(error_of_load(follow(wide, path))
                .find("lacks 4 columns that the model was trained with: c, d, e, f;"),
            std::string::npos);
  EXPECT_NE(
      error_of_load(follow(wide, folder.write("x.csv", "x\n1\n"))).find("a, b, c, d, e, ...;"),
      std::string::npos);
}

TEST(Recipe, ColumnsThatAreNotUsedAreNamedOnce) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe = learn(folder, "t.csv", training);
  DataRequest request = follow(
      recipe, folder.write("n.csv", "p,age,q,city,y,y_noisy,g\n1,20,2,P,a,b,3\n1,20,2,Q,a,b,3\n"));
  request.groups = {"g"};
  EXPECT_EQ(load(request).warnings, (Texts{"2 columns that the model does not use: p, q"}));
}

TEST(Recipe, TextsNeverSeenAreCounted) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe = learn(folder, "t.csv", training);
  const std::string path = folder.write("n.csv", "age,city\n1,P\n1,R\n1,S\n1,R\n");
  EXPECT_EQ(load(follow(recipe, path)).warnings,
            (Texts{"column 'city': 3 rows hold a text that was not there in training, such as 'R' "
                   "at " +
                   path + ":3:3; it counts as none of the known"}));

  std::string pooled = "city,x,y\n";
  for (int i = 0; i < 40; ++i) {
    pooled += (i == 3 ? "R," : i % 2 == 0 ? "P," : "Q,") + std::to_string(2 * i) + ",a\n";
  }
  const FeatureRecipe pooling = learn(folder, "p.csv", pooled);
  const Dataset dataset = load(follow(pooling, folder.write("o.csv", "city,x\nZ,1\n")));
  EXPECT_TRUE(dataset.warnings.empty());
  EXPECT_EQ(rows_of(dataset.features)[0][2], 1);  // city=(other)
}

TEST(Recipe, ManyColumnsWithUnseenTextsDoNotFloodTheWarnings) {
  const TemporaryFolder folder;
  std::string header;
  std::string first;
  std::string second;
  std::string unseen;
  for (int c = 0; c < 30; ++c) {
    header += "c" + std::to_string(c) + ",";
    first += "p,";
    second += "q,";
    unseen += "r,";
  }
  const FeatureRecipe recipe =
      learn(folder, "t.csv",
            header + "y\n" + first + "0\n" + first + "0\n" + second + "1\n" + second + "1\n");
  const Dataset dataset =
      load(follow(recipe, folder.write("n.csv", header + "y\n" + unseen + "0\n")));
  EXPECT_EQ(dataset.warnings.size(), 11U);
  EXPECT_EQ(dataset.warnings.back(), "the same in 20 more columns");
}

TEST(Recipe, TextWhereNumbersWereIsNamed) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe = learn(folder, "t.csv", training);
  const std::string path = folder.write("n.csv", "age,city\n1,P\nmany,R\n");
  EXPECT_EQ(error_of_load(follow(recipe, path)),
            path +
                ":3:1: the column 'age' holds text ('many') where numbers were learned; correct "
                "the cell, or if it means missing, say --missing many");
}

TEST(Recipe, ALabelThatTheModelTakesForAFeatureIsSaid) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe = learn(folder, "t.csv", training);
  DataRequest request = follow(recipe, folder.file("t.csv"));
  request.label = "age";
  const Dataset dataset = load(request);
  ASSERT_EQ(dataset.warnings.size(), 2U);
  EXPECT_EQ(dataset.warnings[1],
            "the model was trained with the column 'age' as a feature, and here it is the label or "
            "knows of it");
}

TEST(Recipe, ArraysMustHaveAsManyColumns) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe = learn(folder, "x.npy", floats("(2, 3)", {1, 2, 3, 4, 5, 6}), false);
  const std::string good = folder.write("g.npy", floats("(1, 3)", {7, 8, 9}));
  EXPECT_EQ(rows_of(load(follow(recipe, good)).features), (Rows{{7, 8, 9}}));
  const std::string wide = folder.write("w.npy", floats("(1, 4)", {7, 8, 9, 10}));
  EXPECT_EQ(error_of_load(follow(recipe, wide)),
            wide + ": has 4 columns, but the model was trained on 3; give an array of as many");
  const std::string gap = folder.write("n.npy", floats("(2, 3)", {1, 2, 3, 4, std::nanf(""), 6}));
  EXPECT_EQ(error_of_load(follow(recipe, gap)),
            gap +
                ": row 2, column 2 is missing (NaN), and the model was trained on data without "
                "gaps; fill it in or remove the row");
}

TEST(Recipe, AnEncodedArrayIsEncodedAgain) {
  const TemporaryFolder folder;
  const FeatureRecipe recipe =
      learn(folder, "x.npy", floats("(2, 3)", {1, 2, 3, 3, 2, std::nanf("")}), false);
  ASSERT_TRUE(recipe.encoder);
  EXPECT_EQ(recipe.encoder->names(), (Texts{"1", "3", "3 is missing"}));
  const Dataset dataset = load(follow(recipe, folder.write("n.npy", floats("(1, 3)", {9, 8, 7}))));
  EXPECT_EQ(rows_of(dataset.features)[0][0], 9);
  EXPECT_EQ(dataset.features.view().columns, recipe.columns);
  const std::string narrow = folder.write("a.npy", floats("(1, 1)", {9}));
  EXPECT_NE(error_of_load(follow(recipe, narrow))
                .find("lacks 1 column that the model was trained with: 3;"),
            std::string::npos);
}

TEST(Recipe, LibsvmNeedNotShowZeros) {
  const TemporaryFolder folder;
  const FeatureRecipe plain = learn(folder, "x.svm", "0 1:1 4:2\n1 2:3\n", false);
  EXPECT_EQ(plain.columns, 4U);
  EXPECT_EQ(plain.first_index, 1U);
  const std::string narrow = folder.write("n.svm", "5 1:7 2:8\n");
  EXPECT_EQ(rows_of(load(follow(plain, narrow)).features), (Rows{{7, 8, 0, 0}}));
  EXPECT_NE(error_of_load(follow(plain, folder.write("w.svm", "0 5:1\n"))).find("has 5 columns"),
            std::string::npos);
  const std::string from_zero = folder.write("z.svm", "0 0:1 3:1\n");
  EXPECT_NE(error_of_load(follow(plain, from_zero)).find("has an index 0"), std::string::npos);

  const FeatureRecipe zero = learn(folder, "x.svm", "0 0:1 3:2\n1 1:3\n", false);
  EXPECT_EQ(zero.first_index, 0U);
  EXPECT_EQ(rows_of(load(follow(zero, narrow)).features), (Rows{{0, 7, 8, 0}}));

  const FeatureRecipe scaled = learn(folder, "x.svm", "0 1:1 4:2\n1 2:3\n", true);
  ASSERT_TRUE(scaled.encoder);
  const Dataset encoded = load(follow(scaled, folder.write("n.svm", "5 1:1\n")));
  EXPECT_EQ(rows_of(encoded.features), (Rows{{1, -1, -1}}));
}

TEST(Recipe, TheWrongKindOfFileIsRefused) {
  const TemporaryFolder folder;
  const FeatureRecipe table = learn(folder, "t.csv", training);
  const FeatureRecipe array = learn(folder, "x.npy", floats("(2, 3)", {1, 2, 3, 4, 5, 6}), false);
  EXPECT_EQ(error_of_load(follow(array, folder.file("t.csv"))),
            folder.file("t.csv") +
                ": is a table, but the model was trained on an array of 3 columns; give npy, npz, "
                "idx or libsvm");
  EXPECT_NE(error_of_load(follow(table, folder.file("x.npy"))).find("age, city"),
            std::string::npos);
}

TEST(WithoutLabels, TheyAreNotReadAndNotNeeded) {
  const TemporaryFolder folder;
  DataRequest request;
  request.with_labels = false;
  request.path = folder.write("x.npy", floats("(2, 1)", {1, 2}));
  EXPECT_EQ(load(request).features.view().rows, 2U);
  request.path = folder.write("t.csv", "a,y,y_noisy\n1,,u\n2,q,v\n");
  request.label = "y";
  EXPECT_EQ(load(request).feature_names, (Texts{"a"}));
  request.path = folder.write("x.svm", "? 1:2\nwhat 1:3\n");
  EXPECT_TRUE(load(request).labels.codes.empty());
  request.path = folder.write("u.csv", "a,b\n1,5\n2,6\n");
  EXPECT_EQ(load(request).feature_names, (Texts{"a", "b"}));
}

}  // namespace
}  // namespace noiseplus
