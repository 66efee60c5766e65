// Sums over rows by several threads that come out the same with any number of them: blocks of rows
// are fixed, and what they add up to is added in their order. Internal.
#pragma once

#include <algorithm>
#include <vector>

#include "core/eigen.h"
#include "core/thread_pool.h"

namespace noiseplus {

class RowBlocks {
 public:
  static constexpr std::size_t usual_rows = 2048;  // of a block

  RowBlocks(ThreadPool& pool, std::size_t rows, std::size_t rows_of_a_block = usual_rows)
      : pool_(pool), rows_(rows), rows_of_a_block_(rows_of_a_block) {}

  // Blocks for sums of so many numbers that one for each usual block would be a burden: all sums
  // together take some 64 MB, or four of them more.
  static RowBlocks for_sums(ThreadPool& pool, std::size_t rows, std::size_t numbers) {
    const std::size_t most = std::clamp<std::size_t>((std::size_t{1} << 23) / numbers, 4, 64);
    return {pool, rows, std::max(usual_rows, (rows + most - 1) / most)};
  }

  std::size_t count() const { return (rows_ + rows_of_a_block_ - 1) / rows_of_a_block_; }

  // From here on each block that is done is a step of the meter, which may end the work.
  void report_to(ProgressMeter& meter) { meter_ = &meter; }

  // visit(block, begin, end) for the rows of each block.
  template <typename Visit>
  void for_each_block(const Visit& visit) const {
    pool_.for_each(count(), [&](std::size_t block) {
      visit(block, block * rows_of_a_block_, std::min(rows_, (block + 1) * rows_of_a_block_));
      if (meter_ != nullptr) meter_->step();
    });
  }

  // visit(begin, end) for the rows of each block.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for_each_block([&](std::size_t, std::size_t begin, std::size_t end) { visit(begin, end); });
  }

  // add(begin, end, sums) adds what the rows of a block contribute to `size` numbers.
  template <typename Add>
  Eigen::VectorXd sum(Eigen::Index size, const Add& add) const {
    std::vector<Eigen::VectorXd> partial(count());
    for_each([&](std::size_t begin, std::size_t end) {
      Eigen::VectorXd sums = Eigen::VectorXd::Zero(size);
      add(begin, end, sums);
      partial[begin / rows_of_a_block_] = std::move(sums);
    });
    Eigen::VectorXd total = Eigen::VectorXd::Zero(size);
    for (const Eigen::VectorXd& sums : partial) total += sums;
    return total;
  }

 private:
  ThreadPool& pool_;
  std::size_t rows_;
  std::size_t rows_of_a_block_;
  ProgressMeter* meter_ = nullptr;
};

}  // namespace noiseplus
