// Stands in where FAISS is not installed. The program asks rivals_available() before anything else.
#include <stdexcept>

#include "rivals.h"

namespace noiseplus::bench {
namespace {

[[noreturn]] void refuse() {
  throw std::logic_error("built without FAISS and OpenBLAS");
}

}  // namespace

bool rivals_available() {
  return false;
}

struct FlatIndex::State {};
FlatIndex::FlatIndex(MatrixView) {
  refuse();
}
FlatIndex::~FlatIndex() = default;
std::string FlatIndex::name() {
  refuse();
}
std::vector<std::int64_t> FlatIndex::nearest(MatrixView, std::size_t) const {
  refuse();
}

void multiply(std::span<const float>, std::span<const float>, std::span<float>, std::size_t) {
  refuse();
}
std::string blas_name() {
  refuse();
}

}  // namespace noiseplus::bench
