#include <gtest/gtest.h>

#include "data/array_test_support.h"
#include "support.h"

namespace noiseplus {
namespace {

using array_test::rows_of;
using testing_support::TemporaryFolder;
using Texts = std::vector<std::string>;

DataRequest request(const std::string& path, const std::string& label) {
  DataRequest request;
  request.path = path;
  request.label = label;
  return request;
}

std::string error_of(const DataRequest& request, ErrorKind kind) {
  try {
    load(request);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Load, TheLabelsFamilyIsNeverAFeature) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "t.csv",
      "y,y_noisy,x,y_balanced,y_noisy_balanced,yes\n0,0,1,0,0,5\n1,1,2,1,1,6\n1,0,3,0,0,6\n");
  for (const char* label : {"y", "y_noisy", "y_balanced"}) {
    const Dataset dataset = load(request(path, label));
    EXPECT_EQ(dataset.feature_names, (Texts{"x", "yes"})) << label;
    ASSERT_EQ(dataset.warnings.size(), 1U);
    EXPECT_NE(dataset.warnings[0].find("y_noisy_balanced"), std::string::npos);
  }
}

TEST(Load, FeaturesAndDrop) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "y,a,b,c\n0,1,1,2\n1,2,5,1\n");
  DataRequest only = request(path, "y");
  only.features = {"c", "a"};
  EXPECT_EQ(load(only).feature_names, (Texts{"a", "c"}));
  DataRequest drop = request(path, "y");
  drop.drop = {"a"};
  EXPECT_EQ(load(drop).feature_names, (Texts{"b", "c"}));
  drop.drop = {"nothing"};
  EXPECT_EQ(error_of(drop, ErrorKind::usage),
            path + ": there is no column 'nothing'; the columns are: y, a, b, c");
  drop.drop = {"a", "b", "c"};
  error_of(drop, ErrorKind::usage);
}

TEST(Load, ArraysAreTakenAsTheyAreAndTablesAreScaled) {
  const TemporaryFolder folder;
  const std::string rows = folder.write("x.libsvm", "1 1:10 2:5\n0 1:30\n1 2:7\n");
  const Dataset arrays = load(request(rows, ""));
  EXPECT_EQ(rows_of(arrays.features)[1][0], 30);
  EXPECT_EQ(arrays.labels.classes, (Texts{"0", "1"}));
  DataRequest scaled = request(rows, "");
  scaled.scale = true;
  EXPECT_NEAR(rows_of(load(scaled).features)[0][0], -0.2673, 1e-3);
  DataRequest raw = request(folder.write("t.csv", "y,a\n0,1\n1,9\n"), "y");
  raw.scale = false;
  EXPECT_EQ(rows_of(load(raw).features)[1][0], 9);
}

TEST(Load, LabelsFromAnotherFile) {
  const TemporaryFolder folder;
  DataRequest data = request(folder.write("x.csv", "a,b\n1,2\n3,5\n"), "");
  data.labels_path = folder.write("y.txt", "cat\ndog\n");
  EXPECT_EQ(load(data).labels.classes, (Texts{"cat", "dog"}));
  data.labels_path = folder.write("y.csv", "u,v\n1,p\n2,q\n");
  error_of(data, ErrorKind::usage);
  data.label = "v";
  EXPECT_EQ(load(data).labels.classes, (Texts{"p", "q"}));
  data.labels_path = folder.write("short.txt", "cat\n");
  EXPECT_EQ(error_of(data, ErrorKind::data),
            data.labels_path + ": 1 labels for 2 rows of " + data.path + "; give one a row");
}

TEST(Load, WhatIsNotSaid) {
  const TemporaryFolder folder;
  error_of(request(folder.write("t.csv", "y,a\n0,1\n1,9\n"), ""), ErrorKind::usage);
  error_of(request(folder.write("c.csv", "y,a\n0,1\n1,1\n"), "y"), ErrorKind::data);
}

TEST(Load, RowsWithoutALabelAreLeftOut) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("t.csv", "x,g,y\n1,a,\n2,a,u\n9,only,?\n3,b,v\n5,,nan\n4,b,u\n");
  DataRequest with_groups = request(path, "y");
  with_groups.groups = {"g"};
  with_groups.drop = {"g"};
  with_groups.scale = false;
  const Dataset dataset = load(with_groups);
  EXPECT_EQ(dataset.row_ids, (std::vector<std::size_t>{1, 3, 5}));
  EXPECT_EQ(dataset.missing_labels, 3U);
  EXPECT_EQ(dataset.file_rows(), 6U);
  EXPECT_EQ(dataset.row_id(2), 5U);
  EXPECT_EQ(dataset.labels.classes, (Texts{"u", "v"}));
  EXPECT_EQ(dataset.labels.codes, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(dataset.groups.classes, (Texts{"a", "b"})) << "a group of left-out rows only is none";
  EXPECT_EQ(dataset.groups.codes, (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(dataset.table->rows, 6U);
  EXPECT_EQ(dataset.table->text.bytes.size(), 45U) << "the text is still there";
  ASSERT_EQ(dataset.features.view().rows, 3U);
  EXPECT_EQ(rows_of(dataset.features.view()), (std::vector<std::vector<float>>{{2}, {3}, {4}}));
  ASSERT_EQ(dataset.warnings.size(), 1U);
  EXPECT_EQ(dataset.warnings[0], "3 of 6 rows have no label and are left out, the first is row 1");
  with_groups.missing_labels = MissingLabels::error;
  EXPECT_EQ(error_of(with_groups, ErrorKind::data),
            path + ":2:5: column 'y': the label is missing; fill it in or remove the row");
}

TEST(Load, AGroupIsNeededWhereThereIsALabel) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "x,g,y\n1,a,\n2,,u\n3,b,v\n");
  DataRequest with_groups = request(path, "y");
  with_groups.groups = {"g"};
  EXPECT_EQ(error_of(with_groups, ErrorKind::data),
            path + ":3:3: column 'g': the group is missing; fill it in or remove the row");
}

TEST(Load, ErrorsOfKeptRowsHaveTheirPlaceInTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "x,y\n1,\n2,u\ninf,v\n");
  EXPECT_NE(error_of(request(path, "y"), ErrorKind::data).find(path + ":4:1"), std::string::npos);
}

}  // namespace
}  // namespace noiseplus
