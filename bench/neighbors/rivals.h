// What Debian offers for the same work, called in this process. Built from rivals_faiss.cpp where
// FAISS and OpenBLAS are installed, else from rivals_none.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "noiseplus/core.h"

namespace noiseplus::bench {

bool rivals_available();

// FAISS's exact search over float32 rows, with a copy of these.
class FlatIndex {
 public:
  explicit FlatIndex(MatrixView rows);
  ~FlatIndex();
  FlatIndex(const FlatIndex&) = delete;
  FlatIndex& operator=(const FlatIndex&) = delete;

  static std::string name();

  // The `count` nearest rows of each query, nearest first: queries x count.
  std::vector<std::int64_t> nearest(MatrixView queries, std::size_t count) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The product of two square float matrices by BLAS; product += left * right, all size x size.
void multiply(std::span<const float> left, std::span<const float> right, std::span<float> product,
              std::size_t size);

// Which BLAS it is and for which processor it chose its code.
std::string blas_name();

}  // namespace noiseplus::bench
