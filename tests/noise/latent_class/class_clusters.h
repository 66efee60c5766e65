// Rows in clusters of one clean class each, as a graph alone: neighbors are of the same cluster,
// so the assumption holds exactly and no search is needed.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "noiseplus/data.h"
#include "noiseplus/neighbors.h"

namespace noiseplus::testing_support {

struct Clusters {
  NeighborGraph graph;
  std::vector<std::int32_t> clean;
};

// Neighbors of a row are the k that follow it on the ring of its cluster. Whole clusters only:
// there may be fewer rows than asked for.
inline Clusters ring_clusters(std::size_t rows, std::size_t classes, std::size_t k,
                              std::size_t size) {
  Clusters clusters;
  rows = rows / size * size;
  clusters.graph.k = k;
  for (std::size_t r = 0; r < rows; ++r) {
    clusters.clean.push_back(static_cast<std::int32_t>(r / size % classes));
    clusters.graph.anchors.push_back(static_cast<std::uint32_t>(r));
    const std::size_t base = r / size * size;
    for (std::size_t i = 1; i <= k; ++i) {
      clusters.graph.ids.push_back(static_cast<std::uint32_t>(base + (r - base + i) % size));
    }
  }
  clusters.graph.distances.resize(rows * k);
  return clusters;
}

// Random neighbors inside clusters whose classes are drawn with the given prior.
inline Clusters random_clusters(std::size_t rows, std::span<const double> prior, std::size_t k,
                                std::size_t size, std::uint64_t seed) {
  Clusters clusters = ring_clusters(rows, prior.size(), k, size);
  std::vector<std::uint32_t> others(size - 1);
  for (std::size_t r = 0; r < clusters.clean.size(); ++r) {
    const double u = uniform(seed, Stream::generate, r / size, 0);
    double sum = 0;
    std::size_t c = 0;
    while (c + 1 < prior.size() && u >= (sum += prior[c])) ++c;
    clusters.clean[r] = static_cast<std::int32_t>(c);
    std::iota(others.begin(), others.end(), 0U);
    const std::size_t base = r / size * size;
    for (std::size_t i = 0; i < k; ++i) {
      const double v = uniform(seed, Stream::generate, r, 1 + i);
      const std::size_t pick =
          i + static_cast<std::size_t>(v * static_cast<double>(others.size() - i));
      std::swap(others[i], others[pick]);
      const std::size_t at = base + others[i] + (base + others[i] >= r ? 1 : 0);
      clusters.graph.ids[r * k + i] = static_cast<std::uint32_t>(at);
    }
  }
  return clusters;
}

inline std::vector<std::string> numbered_names(std::size_t classes) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < classes; ++c) names.push_back("c" + std::to_string(c));
  return names;
}

}  // namespace noiseplus::testing_support
