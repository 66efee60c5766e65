#include <cblas.h>
#include <faiss/IndexFlat.h>

#include "rivals.h"

namespace noiseplus::bench {

bool rivals_available() {
  return true;
}

struct FlatIndex::State {
  faiss::IndexFlatL2 index;
};

FlatIndex::FlatIndex(MatrixView rows)
    : state_(std::make_unique<State>(
          State{faiss::IndexFlatL2(static_cast<faiss::Index::idx_t>(rows.columns))})) {
  state_->index.add(static_cast<faiss::Index::idx_t>(rows.rows), rows.data);
}

FlatIndex::~FlatIndex() = default;

std::string FlatIndex::name() {
  return "FAISS " + std::to_string(FAISS_VERSION_MAJOR) + "." +
         std::to_string(FAISS_VERSION_MINOR) + "." + std::to_string(FAISS_VERSION_PATCH);
}

std::vector<std::int64_t> FlatIndex::nearest(MatrixView queries, std::size_t count) const {
  std::vector<float> distances(queries.rows * count);
  std::vector<faiss::Index::idx_t> ids(queries.rows * count);
  state_->index.search(static_cast<faiss::Index::idx_t>(queries.rows), queries.data,
                       static_cast<faiss::Index::idx_t>(count), distances.data(), ids.data());
  return {ids.begin(), ids.end()};
}

void multiply(std::span<const float> left, std::span<const float> right, std::span<float> product,
              std::size_t size) {
  const auto n = static_cast<blasint>(size);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, left.data(), n, right.data(),
              n, 1, product.data(), n);
}

std::string blas_name() {
  return openblas_get_config();
}

}  // namespace noiseplus::bench
