// Sums over rows by several threads that come out the same with any number of them: blocks of rows
// are fixed, and what they add up to is added in their order. Internal.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "util/thread_pool.h"

namespace noiseplus {

class RowBlocks {
 public:
  RowBlocks(ThreadPool& pool, std::size_t rows) : pool_(pool), rows_(rows) {}

  std::size_t count() const { return (rows_ + rows_of_a_block - 1) / rows_of_a_block; }

  // visit(begin, end) for the rows of each block.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    pool_.for_each(count(), [&](std::size_t block) {
      visit(block * rows_of_a_block, std::min(rows_, (block + 1) * rows_of_a_block));
    });
  }

  // add(begin, end, sums) adds what the rows of a block contribute to `size` numbers.
  template <typename Add>
  Eigen::VectorXd sum(Eigen::Index size, const Add& add) const {
    std::vector<Eigen::VectorXd> partial(count());
    for_each([&](std::size_t begin, std::size_t end) {
      Eigen::VectorXd sums = Eigen::VectorXd::Zero(size);
      add(begin, end, sums);
      partial[begin / rows_of_a_block] = std::move(sums);
    });
    Eigen::VectorXd total = Eigen::VectorXd::Zero(size);
    for (const Eigen::VectorXd& sums : partial) total += sums;
    return total;
  }

 private:
  static constexpr std::size_t rows_of_a_block = 2048;
  ThreadPool& pool_;
  std::size_t rows_;
};

}  // namespace noiseplus
