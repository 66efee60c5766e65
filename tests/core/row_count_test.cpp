#include "core/row_count.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <functional>

#include "noiseplus/balance.h"
#include "noiseplus/learn.h"
#include "noiseplus/neighbors.h"

namespace noiseplus {
namespace {

constexpr std::size_t too_many = std::size_t{1} << 32;

// Addresses of 2^32 values with no memory behind them: to read one ends the program.
class UnreadableCodes {
 public:
  UnreadableCodes()
      : place_(
            mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~UnreadableCodes() {
    if (exist()) munmap(place_, bytes);
  }
  UnreadableCodes(const UnreadableCodes&) = delete;
  UnreadableCodes& operator=(const UnreadableCodes&) = delete;

  bool exist() const { return place_ != MAP_FAILED; }
  std::span<const std::int32_t> span() const {
    return {static_cast<const std::int32_t*>(place_), too_many};
  }

 private:
  static constexpr std::size_t bytes = too_many * sizeof(std::int32_t);
  void* place_;
};

void expect_refused(const std::function<void()>& call) {
  try {
    call();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("4294967296 rows are too many"), std::string::npos)
        << error.what();
  }
}

TEST(RowCount, UpToTheLargestIdIsAccepted) {
  EXPECT_NO_THROW(check_row_count(too_many - 1));
  expect_refused([] { check_row_count(too_many); });
}

// With ids that wrap it would answer with rows that are drawn twice and others never.
TEST(RowCount, ASampleOfMoreRowsThanIdsIsRefused) {
  expect_refused([] { sample_rows(too_many, 10, 0, Stream::anchors); });
  expect_refused([] { sample_rows(too_many, too_many, 0, Stream::anchors); });
}

TEST(RowCount, FoldsAndBalancedSamplesOfMoreRowsThanIdsAreRefusedBeforeARowIsRead) {
  const UnreadableCodes codes;
  if (!codes.exist()) GTEST_SKIP() << "the system has no 16 GB of addresses to give";
  expect_refused([&] { stratified_folds({codes.span(), 2}, 5, 0, {}); });
  expect_refused([&] { balanced_sample(codes.span(), 0, 2); });
}

TEST(RowCount, NeighborsOfMoreRowsThanIdsAreRefusedBeforeARowIsRead) {
  const UnreadableCodes values;
  if (!values.exist()) GTEST_SKIP() << "the system has no 16 GB of addresses to give";
  const MatrixView rows{reinterpret_cast<const float*>(values.span().data()), too_many, 1};
  expect_refused([&] { find_neighbors(rows, {}); });
}

}  // namespace
}  // namespace noiseplus
