#include "misuse.h"

#include <cmath>

#include "noiseplus/core.h"
#include "noiseplus/kernels.h"

namespace noiseplus {
namespace {

using namespace testing_support;

TEST(UtilMisuse, IsRefused) {
  refused("Matrix::Matrix", "more values than 64 bits count", [] { Matrix(huge, 2); });
  refused("Matrix::Matrix", "a product that wraps to 0",
          [] { Matrix(std::size_t{1} << 32, std::size_t{1} << 32); });
  refused("Matrix::Matrix", "more bytes than there are addresses",
          [] { Matrix(std::size_t{1} << 61, 2); });
  answered("Matrix::Matrix", "no rows", [] { EXPECT_EQ(Matrix(0, huge).rows(), 0U); });
  Matrix buffer;
  refused("RowsView::floats", "rows without data", [&] {
    RowsView(MatrixView{nullptr, 3, 2}).floats(buffer);
  });
  refused("RowsView::floats", "halves without data",
          [&] { RowsView(nullptr, 3, 2).floats(buffer); });
  refused("RowsView::floats", "a type that is none", [&] {
    const float value = 0;
    RowsView rows(MatrixView{&value, 1, 1});
    rows.type = static_cast<ValueType>(7);
    rows.floats(buffer);
  });
  answered("RowsView::RowsView", "nothing at all",
           [] { EXPECT_EQ(RowsView(nullptr, 0, 0).rows, 0U); });
  answered("Error::Error", "an empty message",
           [] { EXPECT_STREQ(Error(ErrorKind::usage, "").what(), ""); });
  answered("Error::kind", "a kind that is none", [] {
    EXPECT_EQ(Error(static_cast<ErrorKind>(9), "x").kind(), static_cast<ErrorKind>(9));
  });
  for (const std::uint64_t any : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    const auto stream = static_cast<Stream>(any);
    answered("hash", "any numbers", [&] {
      EXPECT_EQ(hash(any, stream, any, any), hash(any, stream, any, any));
      EXPECT_NE(hash(any, stream, any, any), hash(any, stream, any, any - 1));
    });
    answered("uniform", "any numbers", [&] { EXPECT_LT(uniform(any, stream, any, any), 1); });
    answered("normal", "any numbers",
             [&] { EXPECT_LT(std::abs(normal(any, stream, any, any)), 100); });
  }
  for (const char* name : {"", "avx1024", "Scalar"}) {
    refused("set_kernel", "a name that is none", [=] { set_kernel(name); });
  }
  answered("kernel_names", "nothing", [] { EXPECT_EQ(kernel_names().back(), "scalar"); });
  answered("kernel_in_use", "nothing", [] { EXPECT_NE(kernel_in_use(), "auto"); });
  answered("sample_rows", "more than there are",
           [] { EXPECT_EQ(sample_rows(5, huge, 0, Stream::anchors).size(), 5U); });
  answered("sample_rows", "none of none",
           [] { EXPECT_TRUE(sample_rows(0, 0, 0, Stream::anchors).empty()); });
}

}  // namespace
}  // namespace noiseplus
