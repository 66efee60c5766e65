// Rows on a ring whose clean posterior is known: data for curves and choices that Python's numpy
// makes too, number by number, so that a prototype there can be the oracle.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "noiseplus/neighbors.h"

namespace noiseplus::testing_support {

// Row n is at n / rows of the ring. The weight of class i is exp(sharpness (cos(turn) - 1)) with
// turn = 2 pi (cycles n / rows - i / K); class 0 counts `favor` times. The noise of class i is
// base + i * step, to all others alike.
struct RingOptions {
  std::size_t rows = 2000, classes = 2;
  double sharpness = 4, favor = 1, base = .1, step = .1;
  double cycles = 3;
  double score_noise = 1;  // of the logarithms of the scores: uniform, of this width
  std::uint64_t seed = 1;
};

struct Ring {
  std::vector<double> transition;
  std::vector<std::int32_t> clean, codes;
  Matrix scores;        // of the labels, as a model would have them
  NeighborGraph graph;  // 30 neighbors along the ring
  std::vector<std::string> names;
};

class RingNumbers {
 public:
  explicit RingNumbers(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 33) / 2147483648.0;
  }

 private:
  std::uint64_t state_;
};

inline std::int32_t draw(const double* shares, std::size_t count, double number) {
  double sum = 0;
  for (std::size_t j = 0; j + 1 < count; ++j) {
    sum += shares[j];
    if (number < sum) return static_cast<std::int32_t>(j);
  }
  return static_cast<std::int32_t>(count - 1);
}

inline std::vector<double> ring_transition(const RingOptions& options) {
  const std::size_t classes = options.classes;
  std::vector<double> transition(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    const double rate = options.base + static_cast<double>(i) * options.step;
    for (std::size_t j = 0; j < classes; ++j) {
      transition[i * classes + j] = i == j ? 1 - rate : rate / static_cast<double>(classes - 1);
    }
  }
  return transition;
}

inline std::vector<double> ring_posterior(const RingOptions& options, std::size_t n) {
  std::vector<double> posterior(options.classes);
  double sum = 0;
  for (std::size_t i = 0; i < options.classes; ++i) {
    const double turn =
        2 * std::numbers::pi *
        (options.cycles * static_cast<double>(n) / static_cast<double>(options.rows) -
         static_cast<double>(i) / static_cast<double>(options.classes));
    posterior[i] =
        std::exp(options.sharpness * (std::cos(turn) - 1)) * (i == 0 ? options.favor : 1);
    sum += posterior[i];
  }
  for (double& p : posterior) p /= sum;
  return posterior;
}

inline NeighborGraph ring_graph(std::size_t rows, std::size_t k) {
  NeighborGraph graph;
  graph.k = k;
  for (std::size_t n = 0; n < rows; ++n) {
    graph.anchors.push_back(static_cast<std::uint32_t>(n));
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t step = j / 2 + 1;
      graph.ids.push_back(
          static_cast<std::uint32_t>((j % 2 == 0 ? n + step : n + rows - step) % rows));
      graph.distances.push_back(static_cast<float>(step));
    }
  }
  return graph;
}

inline Ring make_ring(const RingOptions& options) {
  const std::size_t classes = options.classes;
  Ring ring;
  ring.transition = ring_transition(options);
  ring.scores = Matrix(options.rows, classes);
  ring.graph = ring_graph(options.rows, 30);
  for (std::size_t i = 0; i < classes; ++i) ring.names.push_back("c" + std::to_string(i));
  RingNumbers numbers(options.seed);
  for (std::size_t n = 0; n < options.rows; ++n) {
    const std::vector<double> posterior = ring_posterior(options, n);
    ring.clean.push_back(draw(posterior.data(), classes, numbers.next()));
    const auto clean = static_cast<std::size_t>(ring.clean.back());
    ring.codes.push_back(draw(ring.transition.data() + clean * classes, classes, numbers.next()));
    std::vector<double> score(classes);
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      for (std::size_t i = 0; i < classes; ++i) {
        score[j] += posterior[i] * ring.transition[i * classes + j];
      }
      sum += score[j] *= std::exp(options.score_noise * (numbers.next() - .5));
    }
    for (std::size_t j = 0; j < classes; ++j) {
      ring.scores.row(n)[j] = static_cast<float>(score[j] / sum);
    }
  }
  return ring;
}

}  // namespace noiseplus::testing_support
