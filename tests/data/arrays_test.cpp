#include "data/array_test_support.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT

TEST(Arrays, RefusesFormatsThatAreNotArrays) {
  EXPECT_EQ(features_error("a", Format::csv, "x.csv", "", ErrorKind::usage),
            "x.csv: not a format of arrays; name one of npy, npz, idx or libsvm");
  EXPECT_EQ(features_error("a", Format::automatic, "x.txt", "", ErrorKind::usage),
            "x.txt: not a format of arrays; name one of npy, npz, idx or libsvm");
  EXPECT_EQ(labels_error("a", Format::libsvm, "y.svm", ErrorKind::usage),
            "y.svm: not a format of plain labels; name one of npy, idx or txt");
}

TEST(TxtLabels, AreALineEach) {
  const auto read = [](const std::string& text) {
    return read_label_texts(Bytes(text), "y.txt", Format::txt);
  };
  EXPECT_EQ(read("a\nb\n"), (Texts{"a", "b"}));
  EXPECT_EQ(read("a\nb"), (Texts{"a", "b"}));
  EXPECT_EQ(read("a\r\nb c\r\n"), (Texts{"a", "b c"}));
  EXPECT_EQ(read("a\n\nb\n"), (Texts{"a", "", "b"}));
  EXPECT_EQ(read("\n"), (Texts{""}));
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a\n"),
            (Texts{"a"}));
}

TEST(TxtLabels, RefusesWhatIsNoText) {
  EXPECT_EQ(labels_error("", Format::txt, "y.txt"),
            "y.txt: the file is empty; write one label on each line");
  EXPECT_EQ(labels_error("\xef\xbb\xbf", Format::txt, "y.txt"),
            "y.txt: the file is empty; write one label on each line");
  EXPECT_EQ(labels_error(std::string("a\nb\0\n", 5), Format::txt, "y.txt"),
            "y.txt:2:2: a NUL byte, so this is no UTF-8 text; check the file and its format");
}

}  // namespace
}  // namespace noiseplus
