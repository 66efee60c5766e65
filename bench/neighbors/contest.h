// Measurements of this program, one JSON object a line on standard output; bench/neighbors/run.py
// collects them.
#pragma once

#include <cstddef>
#include <string>

#include "noiseplus/neighbors.h"

namespace noiseplus::bench {

struct SearchContest {
  bool with_ours = true;
  bool with_faiss = false;
  std::size_t k = 10;
  Metric metric = Metric::euclidean;    // of ours; FAISS's is always euclidean
  ValueType type = ValueType::float32;  // of ours; FAISS takes float32 only
  std::size_t anchors = 0;              // of ours; 0 means all rows
  std::size_t queries = 8192;           // of FAISS, evenly spread over the rows
  unsigned threads = 2;
  std::size_t runs = 3;
  double enough_seconds = 30;  // of ours: no further run after these
};

// False when both searched and FAISS found other neighbors than we did.
bool run_searches(MatrixView rows, const SearchContest& contest);

// The rate of a matrix product by BLAS.
void run_sgemm(std::size_t size, std::size_t runs);

}  // namespace noiseplus::bench
