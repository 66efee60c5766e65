#include <gtest/gtest.h>

#include "data/array_test_support.h"
#include "support.h"

namespace noiseplus {
namespace {

using array_test::error_of;
using testing_support::TemporaryFolder;
using Texts = std::vector<std::string>;
using Codes = std::vector<std::int32_t>;

std::string four_rows(const TemporaryFolder& folder) {
  return folder.write(
      "x.npy", array_test::npy_file("<f4", "(4, 1)", array_test::little<float>({1, 2, 3, 4})));
}

DataRequest of_table(const std::string& path, Texts groups) {
  DataRequest request;
  request.path = path;
  request.label = "y";
  request.groups = std::move(groups);
  return request;
}

DataRequest of_array(const std::string& path, const std::string& labels, const std::string& groups,
                     Texts columns = {}) {
  DataRequest request;
  request.path = path;
  request.labels_path = labels;
  request.groups_path = groups;
  request.groups = std::move(columns);
  return request;
}

std::string error_of_load(const DataRequest& request, ErrorKind kind) {
  return error_of([&] { load(request); }, kind);
}

TEST(Groups, NoneWhenNoneAreAskedFor) {
  const TemporaryFolder folder;
  const Dataset dataset = load(of_table(folder.write("t.csv", "y,x\na,1\nb,2\n"), {}));
  EXPECT_TRUE(dataset.groups.codes.empty());
  EXPECT_EQ(dataset.group_name, "");
}

TEST(Groups, AColumnNamesThemAndStaysTheFeatureItWas) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("t.csv", "y,sex,age\na,m,30\nb,f,40\na,f,30\nb,m,50\na,f,30\n");
  const Dataset plain = load(of_table(path, {}));
  const Dataset by_sex = load(of_table(path, {"sex"}));
  EXPECT_EQ(by_sex.groups.classes, (Texts{"f", "m"}));
  EXPECT_EQ(by_sex.groups.codes, (Codes{1, 0, 0, 1, 0}));
  EXPECT_EQ(by_sex.group_name, "sex");
  EXPECT_EQ(by_sex.feature_names, plain.feature_names);

  const Dataset by_age = load(of_table(path, {"age"}));
  EXPECT_EQ(by_age.groups.classes, (Texts{"30", "40", "50"}));
  EXPECT_EQ(by_age.feature_names, plain.feature_names);
  EXPECT_EQ(array_test::rows_of(by_age.features), array_test::rows_of(plain.features));

  DataRequest dropped = of_table(path, {"sex"});
  dropped.drop = {"sex"};
  EXPECT_EQ(load(dropped).feature_names, (Texts{"age"}));
}

TEST(Groups, SeveralColumnsIntersect) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("t.csv", "y,sex,race,x\na,m,10,1\nb,f,9,2\na,f,10,3\nb,m,10.0,4\na,f,9,5\n");
  const Dataset dataset = load(of_table(path, {"sex", "race"}));
  EXPECT_EQ(dataset.group_name, "sex|race");
  EXPECT_EQ(dataset.groups.classes, (Texts{"f|10", "f|9", "m|10"}));
  EXPECT_EQ(dataset.groups.codes, (Codes{2, 1, 0, 2, 1}));
  EXPECT_EQ(load(of_table(path, {"sex", "race", "y"})).groups.classes,
            (Texts{"f|10|a", "f|9|a", "f|9|b", "m|10|a", "m|10|b"}));
}

TEST(Groups, TwoThatWouldHaveOneNameAreRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "y,p,q,x\na,u|v,w,1\nb,u,v|w,2\n");
  EXPECT_EQ(error_of_load(of_table(path, {"p", "q"}), ErrorKind::data),
            path + ": two groups would be called 'u|v|w'; take the '|' out of their names");
}

TEST(Groups, AMissingCellIsNamed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "y,g,x\na,1,1\nb,?,2\n");
  EXPECT_EQ(error_of_load(of_table(path, {"g"}), ErrorKind::data),
            path + ":3:3: column 'g': the group is missing; fill it in or remove the row");
  error_of_load(of_table(path, {"nothing"}), ErrorKind::usage);
}

TEST(Groups, OfArraysFromAFile) {
  const TemporaryFolder folder;
  const std::string rows = four_rows(folder);
  const std::string labels = folder.write("y.txt", "a\nb\na\nb\n");
  const Dataset text = load(of_array(rows, labels, folder.write("g.txt", "u\nv\nv\nu\n")));
  EXPECT_EQ(text.groups.classes, (Texts{"u", "v"}));
  EXPECT_EQ(text.group_name, "group");
  const std::string numbers = folder.write(
      "g.npy", array_test::npy_file("<i4", "(4,)", array_test::little<std::int32_t>({3, 3, 1, 2})));
  EXPECT_EQ(load(of_array(rows, labels, numbers)).groups.codes, (Codes{2, 2, 0, 1}));

  const std::string one = folder.write("one.csv", "site\n01\n1\n2\n1\n");
  EXPECT_EQ(load(of_array(rows, labels, one)).groups.classes, (Texts{"1", "2"}));
  EXPECT_EQ(load(of_array(rows, labels, one)).group_name, "site");
  const std::string gap = folder.write("gap.csv", "site\n1\n\n2\n1\n");
  EXPECT_EQ(error_of_load(of_array(rows, labels, gap), ErrorKind::data),
            gap + ":3:1: column 'site': the group is missing; fill it in or remove the row");

  const std::string two = folder.write("two.csv", "p,q\n1,a\n1,b\n2,a\n1,a\n");
  EXPECT_EQ(load(of_array(rows, labels, two, {"q"})).groups.codes, (Codes{0, 1, 0, 0}));
  EXPECT_EQ(load(of_array(rows, labels, two, {"p", "q"})).groups.classes,
            (Texts{"1|a", "1|b", "2|a"}));
  EXPECT_EQ(error_of_load(of_array(rows, labels, two), ErrorKind::usage),
            two + ": holds several columns; say which is the group with --group");
}

TEST(Groups, OfArraysFromTheFileOfLabels) {
  const TemporaryFolder folder;
  const std::string rows = four_rows(folder);
  DataRequest request =
      of_array(rows, folder.write("y.csv", "y,sex\n1,m\n0,f\n1,f\n0,f\n"), "", {"sex"});
  request.label = "y";
  const Dataset dataset = load(request);
  EXPECT_EQ(dataset.labels.codes, (Codes{1, 0, 1, 0}));
  EXPECT_EQ(dataset.groups.codes, (Codes{1, 0, 0, 0}));
  request.with_labels = false;
  EXPECT_TRUE(load(request).labels.codes.empty());
  EXPECT_EQ(load(request).groups.codes, (Codes{1, 0, 0, 0}));
  request.labels_path = folder.write("y.txt", "1\n0\n1\n0\n");
  error_of_load(request, ErrorKind::usage);
}

TEST(Groups, OneForEachRow) {
  const TemporaryFolder folder;
  const std::string rows = four_rows(folder);
  const std::string labels = folder.write("y.txt", "a\nb\na\nb\n");
  const std::string groups = folder.write("g.txt", "u\nv\n");
  EXPECT_EQ(error_of_load(of_array(rows, labels, groups), ErrorKind::data),
            groups + ": 2 groups for 4 rows of " + rows + "; give one a row");
  error_of_load(of_array(rows, labels, groups, {"a", "b"}), ErrorKind::usage);
}

}  // namespace
}  // namespace noiseplus
