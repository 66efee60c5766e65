#include "experiments/sets/prepare.h"

#include <gtest/gtest.h>

#include "data/array_test_support.h"
#include "support.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT
using testing_support::TemporaryFolder;
using Codes = std::vector<std::int32_t>;

void write_gzip(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  OutputFile file(folder.file(name + ".gz"));
  file.write(text);
  file.finish();
  file.commit();
}

Rows rows_of(const KnownRows& set) {
  return array_test::rows_of(make_dataset(set, set.clean).features);
}

// The message of the error, what is in front of the folder's own path aside.
template <typename Read>
std::string fault_of(const TemporaryFolder& folder, const Read& read,
                     ErrorKind kind = ErrorKind::data) {
  std::string message = error_of([&] { read(folder.file("")); }, kind);
  for (std::size_t at = 0; (at = message.find(folder.file(""))) != message.npos;) {
    message.replace(at, folder.file("").size(), "D/");
  }
  return message;
}

// ------------------------------------------------------------------------------------------ Adult

std::string adult_line(int age, const std::string& sex, const std::string& income) {
  return std::to_string(age) + ", Private, 1" + std::to_string(age) +
         ", HS-grad, 9, Divorced, Sales, Husband, White, " + sex + ", 0, 0, 40, Cuba, " + income +
         "\n";
}

const std::string adult_data = adult_line(30, "Male", "<=50K") + adult_line(40, "Female", ">50K") +
                               adult_line(50, "Female", "<=50K") + "\n";
const std::string adult_test = "|1x3 Cross validator\n" + adult_line(60, "Male", ">50K.") + "\n";

TEST(Adult, IsBothFilesAsOneTable) {
  TemporaryFolder folder;
  folder.write("adult.data", adult_data);
  write_gzip(folder, "adult.test", adult_test);
  const KnownRows set = read_adult(folder.file(""));
  EXPECT_EQ(set.name, "Adult");
  EXPECT_EQ(set.clean, (Codes{0, 1, 0, 1}));
  EXPECT_EQ(set.classes, (Texts{"<=50K", ">50K"}));
  EXPECT_EQ(set.groups, (Codes{1, 0, 0, 1}));
  EXPECT_EQ(set.group_names, (Texts{"Female", "Male"}));

  std::string table =
      "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,"
      "sex,capital-gain,capital-loss,hours-per-week,native-country,income\n";
  table += adult_line(30, "Male", "<=50K") + adult_line(40, "Female", ">50K") +
           adult_line(50, "Female", "<=50K") + adult_line(60, "Male", ">50K");
  DataRequest request;
  request.path = folder.write("t.csv", table);
  request.label = "income";
  const Dataset expected = load(request);
  EXPECT_EQ(expected.feature_names, (Texts{"age", "fnlwgt", "sex=Female", "sex=Male"}));
  EXPECT_EQ(rows_of(set), array_test::rows_of(expected.features));
}

TEST(Adult, WindowsLineEndsAndNoLastOne) {
  TemporaryFolder folder;
  folder.write("adult.data", adult_data);
  std::string windows = "|1x3 Cross validator\r\n" + adult_line(60, "Male", ">50K.");
  windows.back() = '\r';
  folder.write("adult.test", windows);
  EXPECT_EQ(read_adult(folder.file("")).clean, (Codes{0, 1, 0, 1}));
  windows.pop_back();
  folder.write("adult.test", windows);
  EXPECT_EQ(read_adult(folder.file("")).clean, (Codes{0, 1, 0, 1}));
}

TEST(Adult, Faults) {
  TemporaryFolder folder;
  const auto fault = [&](ErrorKind kind = ErrorKind::data) {
    return fault_of(
        folder, [](const std::string& path) { read_adult(path); }, kind);
  };
  folder.write("adult.data", adult_data);
  EXPECT_EQ(fault(ErrorKind::io),
            "D/adult.test: no such file (nor adult.test.gz); get it from the UCI Machine Learning "
            "Repository (Adult)");
  folder.write("adult.test", adult_test + "25, Private\n");
  EXPECT_EQ(fault(),
            "D/adult.test:4:12: the line has 2 cells, the first line 15; add the missing ones");
  folder.write("adult.test", "|comment\n25, Private\n");
  EXPECT_EQ(fault(), "D/adult.test:2:1: 2 cells, not the 15 of UCI Adult; get the file again");
  folder.write("adult.test", "|comment\n" + adult_line(60, "Male", "50000."));
  EXPECT_EQ(fault(),
            "D/adult.test: row 1: the label '50000' is none of the classes <=50K, >50K; correct "
            "the label or leave out the row");
  folder.write("adult.test", "|comment\n" + adult_line(60, "?", "<=50K."));
  EXPECT_EQ(fault(),
            "D/adult.test:2:63: column '10': the group is missing; fill it in or remove the row");
  folder.write("adult.test", "|comment\n");
  EXPECT_EQ(fault(), "D/adult.test: the file is empty; give it a header line and rows");
}

// ----------------------------------------------------------------------------------------- COMPAS

const std::string compas_header =
    "id,sex,age,age_cat,race,juv_fel_count,decile_score,juv_misd_count,juv_other_count,"
    "priors_count,c_charge_degree,decile_score,priors_count,two_year_recid\n";
const std::string compas_rows =
    "1,Male,20,Less than 25,African-American,0,5,0,0,3,F,5,7,1\n"
    "2,Female,50,Greater than 45,Caucasian,0,1,0,1,0,M,1,8,0\n"
    "3,Male,30,25 - 45,Other,1,2,0,0,1,F,2,9,0\n";

TEST(Compas, HasNineColumnsAndTheFirstOfTwo) {
  TemporaryFolder folder;
  write_gzip(folder, "compas-scores-two-years.csv", compas_header + compas_rows);
  const KnownRows set = read_compas(folder.file(""));
  EXPECT_EQ(set.clean, (Codes{1, 0, 0}));
  EXPECT_EQ(set.classes, (Texts{"0", "1"}));
  EXPECT_EQ(set.group_names, (Texts{"African-American", "Caucasian", "Other"}));
  EXPECT_EQ(set.groups, (Codes{0, 1, 2}));

  DataRequest request;
  request.path = folder.file("compas-scores-two-years.csv.gz");
  request.label = "two_year_recid";
  request.drop = {"id", "decile_score", "decile_score.1", "priors_count.1"};
  EXPECT_EQ(rows_of(set), array_test::rows_of(load(request).features));
}

TEST(Compas, Faults) {
  TemporaryFolder folder;
  const auto fault = [&](ErrorKind kind = ErrorKind::data) {
    return fault_of(
        folder, [](const std::string& path) { read_compas(path); }, kind);
  };
  EXPECT_EQ(fault(ErrorKind::io),
            "D/compas-scores-two-years.csv: no such file (nor compas-scores-two-years.csv.gz); "
            "get it from github.com/propublica/compas-analysis");
  folder.write("compas-scores-two-years.csv", compas_header + compas_rows + "4,Male\n");
  EXPECT_TRUE(fault().starts_with("D/compas-scores-two-years.csv:5:7: the line has 2 cells"));
  folder.write("compas-scores-two-years.csv",
               compas_header + compas_rows + "4,Male,20,25 - 45,Other,0,5,0,0,3,F,5,7,2\n");
  EXPECT_TRUE(fault().starts_with(
      "D/compas-scores-two-years.csv: row 4: the label '2' is none of the classes 0, 1;"));
  folder.write("compas-scores-two-years.csv", "id,sex,two_year_recid\n1,Male,0\n");
  EXPECT_TRUE(
      fault().starts_with("D/compas-scores-two-years.csv: there is no column 'race'; the columns"));
}

// ---------------------------------------------------------------------------------------- FairFace

std::string features_of(std::initializer_list<float> values, std::size_t columns) {
  const std::string shape =
      "(" + std::to_string(values.size() / columns) + ", " + std::to_string(columns) + ")";
  return npy_file("<f4", shape, little<float>(values));
}

void write_faces(const TemporaryFolder& folder) {
  folder.write("train_features.npy", features_of({1, 2, 3, 4, 5, 6}, 2));
  folder.write("train_labels.csv",
               "age,gender,race\n1,Male,White\n2,Female,Black\n3,Female,East Asian\n");
  folder.write("val_features.npy", features_of({7, 8}, 2));
  folder.write("val_labels.csv", "gender,race\nMale,White\n");
}

TEST(FairFace, TestRowsHaveTheTrainingsClassesAndGroups) {
  TemporaryFolder folder;
  write_faces(folder);
  const Split split = read_fairface(folder.file(""));
  EXPECT_EQ(rows_of(split.training), (Rows{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(rows_of(split.test), (Rows{{7, 8}}));
  EXPECT_EQ(split.training.clean, (Codes{1, 0, 0}));
  EXPECT_EQ(split.training.groups, (Codes{2, 0, 1}));
  EXPECT_EQ(split.test.classes, (Texts{"Female", "Male"}));
  EXPECT_EQ(split.test.clean, (Codes{1}));
  EXPECT_EQ(split.test.group_names, (Texts{"Black", "East Asian", "White"}));
  EXPECT_EQ(split.test.groups, (Codes{2}));
}

TEST(FairFace, Faults) {
  TemporaryFolder folder;
  const auto fault = [&](ErrorKind kind = ErrorKind::data) {
    return fault_of(
        folder, [](const std::string& path) { read_fairface(path); }, kind);
  };
  EXPECT_EQ(fault(ErrorKind::io),
            "D/train_features.npy: no such file (nor train_features.npy.gz); get the labels from "
            "github.com/joojs/fairface and compute features of its images");
  write_faces(folder);
  folder.write("val_labels.csv", "gender,race\nMale,Green\n");
  EXPECT_EQ(fault(),
            "D/val_labels.csv: row 1: the group 'Green' is none of the training groups Black, East "
            "Asian, White; correct the group or leave out the row");
  folder.write("val_labels.csv", "gender,race\nBoth,White\n");
  EXPECT_EQ(fault(),
            "D/val_labels.csv: row 1: the label 'Both' is none of the training classes Female, "
            "Male; correct the label or leave out the row");
  folder.write("val_labels.csv", "gender,race\nMale,White\nMale,White\n");
  EXPECT_EQ(fault(), "D/val_labels.csv: 2 labels for 1 rows of D/val_features.npy; give one a row");
  folder.write("val_labels.csv", "gender\nMale\n");
  EXPECT_EQ(fault(), "D/val_labels.csv: there is no column 'race'; the columns are: gender");
  write_faces(folder);
  folder.write("val_features.npy", features_of({7, 8, 9}, 3));
  EXPECT_EQ(fault(),
            "D/val_features.npy: 3 columns where D/train_features.npy has 2; give both the same");
}

// ------------------------------------------------------------------------------------------ MNIST

TEST(Mnist, PixelsAreFrom0To1) {
  TemporaryFolder folder;
  write_gzip(folder, "train-images-idx3-ubyte",
             idx_file(8, {2, 1, 2}, std::string("\x00\xff\x33\x66", 4)));
  write_gzip(folder, "train-labels-idx1-ubyte", idx_file(8, {2}, "\x07\x03"));
  folder.write("t10k-images-idx3-ubyte", idx_file(8, {1, 1, 2}, "\xff\x33"));
  folder.write("t10k-labels-idx1-ubyte", idx_file(8, {1}, "\x07"));
  const Split split = read_mnist(folder.file(""));
  EXPECT_EQ(rows_of(split.training), (Rows{{0, 1}, {.2F, .4F}}));
  EXPECT_EQ(rows_of(split.test), (Rows{{1, .2F}}));
  EXPECT_EQ(split.training.classes, (Texts{"3", "7"}));
  EXPECT_EQ(split.training.clean, (Codes{1, 0}));
  EXPECT_EQ(split.test.clean, (Codes{1}));
  EXPECT_TRUE(split.test.groups.empty());

  const auto read = [](const std::string& path) { read_mnist(path); };
  folder.write("t10k-labels-idx1-ubyte", idx_file(8, {2}, "\x07\x07"));
  EXPECT_EQ(fault_of(folder, read),
            "D/t10k-labels-idx1-ubyte: 2 labels for 1 rows of D/t10k-images-idx3-ubyte; give one a "
            "row");
  std::filesystem::remove(folder.file("t10k-labels-idx1-ubyte"));
  EXPECT_EQ(fault_of(folder, read, ErrorKind::io),
            "D/t10k-labels-idx1-ubyte: no such file (nor t10k-labels-idx1-ubyte.gz); get it from "
            "the MNIST database of handwritten digits");
}

// -------------------------------------------------------------------------------------- CIFAR-10N

const std::string cifar_header =
    "clean_label,aggre_label,worse_label,random_label1,random_label2,random_label3\n";

TEST(Cifar10n, HumanLabelsAreOfTheCleanClasses) {
  TemporaryFolder folder;
  folder.write("aggre_swin_probabilities.npy", features_of({.9F, .1F, .2F, .8F, 0, 1}, 2));
  write_gzip(folder, "cifar10n_labels.csv",
             cifar_header + "3,3,5,5,3,3\n5,5,5,3,5,5\n5,5,3,5,5,5\n");
  const HumanLabels human = read_cifar10n(folder.file(""));
  EXPECT_EQ(human.rows.name, "CIFAR-10N");
  EXPECT_EQ(human.rows.classes, (Texts{"3", "5"}));
  EXPECT_EQ(human.rows.clean, (Codes{0, 1, 1}));
  EXPECT_EQ(rows_of(human.rows), (Rows{{.9F, .1F}, {.2F, .8F}, {0, 1}}));
  ASSERT_EQ(human.given.size(), 3U);
  EXPECT_EQ(human.given[0].name, "aggre");
  EXPECT_EQ(human.given[0].codes, (Codes{0, 1, 1}));
  EXPECT_EQ(human.given[1].name, "random1");
  EXPECT_EQ(human.given[1].codes, (Codes{1, 0, 1}));
  EXPECT_EQ(human.given[2].name, "worse");
  EXPECT_EQ(human.given[2].codes, (Codes{1, 1, 0}));
}

// Labels of all one class would else be class 0; names may be texts.
TEST(Cifar10n, LabelsOfOneClassOnlyKeepIt) {
  TemporaryFolder folder;
  folder.write("own.npy", features_of({1, 2}, 1));
  folder.write("cifar10n_labels.csv",
               cifar_header + "cat,dog,dog,dog,cat,cat\ndog,dog,cat,dog,dog,dog\n");
  const HumanLabels human = read_cifar10n(folder.file(""), folder.file("own.npy"));
  EXPECT_EQ(human.rows.classes, (Texts{"cat", "dog"}));
  EXPECT_EQ(human.given[0].codes, (Codes{1, 1}));
  EXPECT_EQ(human.given[2].codes, (Codes{1, 0}));
  EXPECT_EQ(rows_of(human.rows), (Rows{{1}, {2}}));
}

TEST(Cifar10n, Faults) {
  TemporaryFolder folder;
  const auto fault = [&](ErrorKind kind = ErrorKind::data) {
    return fault_of(
        folder, [](const std::string& path) { read_cifar10n(path); }, kind);
  };
  EXPECT_EQ(fault(ErrorKind::io),
            "D/cifar10n_labels.csv: no such file (nor cifar10n_labels.csv.gz); get it from "
            "github.com/UCSC-REAL/cifar-10-100n");
  folder.write("cifar10n_labels.csv", cifar_header + "0,0,0,0,0,0\n1,1,1,2,1,1\n");
  EXPECT_EQ(fault(ErrorKind::io),
            "D/aggre_swin_probabilities.npy: no such file (nor aggre_swin_probabilities.npy.gz); "
            "get it from github.com/cleanlab/label-error-detection-benchmarks, or name features of "
            "your own");
  folder.write("aggre_swin_probabilities.npy", features_of({0, 1}, 1));
  EXPECT_EQ(fault(),
            "D/cifar10n_labels.csv: row 2: the label '2' is none of the classes 0, 1; correct the "
            "label or leave out the row");
  folder.write("cifar10n_labels.csv", "clean_label,aggre_label\n0,0\n1,1\n");
  EXPECT_EQ(fault(),
            "D/cifar10n_labels.csv: there is no column 'random_label1'; the columns are: "
            "clean_label, aggre_label");
  folder.write("aggre_swin_probabilities.npy", features_of({0, 1, 2}, 1));
  EXPECT_EQ(fault(),
            "D/cifar10n_labels.csv: 2 labels for 3 rows of D/aggre_swin_probabilities.npy; give "
            "one a row");
}

// ------------------------------------------------------------------------------------- embeddings

TEST(Embeddings, LabelsInAnyFile) {
  TemporaryFolder folder;
  folder.write("train_features.npy", features_of({1, 2, 3}, 1));
  folder.write("test_features.npy", features_of({4, 5}, 1));
  folder.write("train_labels.csv", "path,label\na.jpg,10\nb.jpg,2\nc.jpg,7\n");
  folder.write("test_labels.npy", npy_file("<i8", "(2,)", little<std::int64_t>({7, 10})));
  Split split = read_embeddings(folder.file(""));
  EXPECT_EQ(split.training.classes, (Texts{"2", "7", "10"}));
  EXPECT_EQ(split.training.clean, (Codes{2, 0, 1}));
  EXPECT_EQ(split.test.clean, (Codes{1, 2}));
  EXPECT_EQ(rows_of(split.test), (Rows{{4}, {5}}));
  write_gzip(folder, "test_labels.txt", "2\n2\n");  // comes before npy
  split = read_embeddings(folder.file(""));
  EXPECT_EQ(split.test.clean, (Codes{0, 0}));
  EXPECT_EQ(split.test.classes, split.training.classes);
}

TEST(Embeddings, Faults) {
  TemporaryFolder folder;
  const auto fault = [&](ErrorKind kind = ErrorKind::data) {
    return fault_of(
        folder, [](const std::string& path) { read_embeddings(path); }, kind);
  };
  folder.write("train_features.npy", features_of({1, 2}, 1));
  EXPECT_EQ(fault(ErrorKind::io),
            "D/train_labels.csv: no such file (nor train_labels.csv.gz, train_labels.txt, "
            "train_labels.txt.gz, train_labels.npy, train_labels.npy.gz); compute the features "
            "with any network, and write labels in the same order");
  folder.write("train_labels.txt", "0\n1\n");
  folder.write("test_features.npy", features_of({3}, 1));
  folder.write("test_labels.txt", "4\n");
  EXPECT_EQ(fault(),
            "D/test_labels.txt: row 1: the label '4' is none of the training classes 0, 1; correct "
            "the label or leave out the row");
  folder.write("train_labels.csv", "a,b\n0,0\n1,1\n");
  EXPECT_TRUE(fault().starts_with("D/train_labels.csv: holds several columns;"));
}

}  // namespace
}  // namespace noiseplus
