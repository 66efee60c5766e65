#include <algorithm>
#include <bit>
#include <cmath>

#include "core/checks.h"
#include "neighbors/graph_check.h"
#include "noise/row_blocks.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

std::size_t likeliest(const float* row, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(row, row + classes) - row);
}

std::uint64_t content_hash(const float* row, std::size_t columns) {
  std::uint64_t hash = 0x9e3779b97f4a7c15U;
  for (std::size_t j = 0; j < columns; ++j) {
    const float value = row[j] == 0 ? 0.0F : row[j];  // -0 equals 0
    hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0xbf58476d1ce4e5b9U;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

PosteriorShape shape_of(MatrixView posterior, double pure_from) {
  const std::size_t classes = posterior.columns;
  if (posterior.rows == 0) throw Error(ErrorKind::usage, "a posterior without rows has no shape");
  check_that(classes > 0, "a posterior without columns has no shape");
  check_probabilities(posterior, "the posterior");
  check_number(pure_from, 0, 1, "the probability of pure rows");
  PosteriorShape shape;
  shape.prior.assign(classes, 0);
  shape.pure.assign(classes, 0);
  double surest = 0;
  for (std::size_t n = 0; n < posterior.rows; ++n) {
    const float* row = posterior.row(n);
    surest += *std::max_element(row, row + classes);
    for (std::size_t i = 0; i < classes; ++i) {
      const double h = row[i];
      shape.prior[i] += h;
      if (h > pure_from) shape.pure[i] += h;
    }
  }
  const auto rows = static_cast<double>(posterior.rows);
  for (std::size_t i = 0; i < classes; ++i) {
    shape.pure[i] /= std::max(shape.prior[i], 1e-9);
    shape.prior[i] /= rows;
  }
  const double commonest = *std::max_element(shape.prior.begin(), shape.prior.end());
  shape.mixed = (1 - surest / rows) / std::max(1 - commonest, 1e-3);
  return shape;
}

double neighbor_disagreement(MatrixView posterior, const NeighborGraph& graph,
                             std::size_t nearest) {
  const std::size_t classes = posterior.columns;
  check_view(posterior, "the posterior");
  check_that(classes > 0, "a posterior without columns has no likeliest class");
  check_graph(graph, posterior.rows);
  std::vector<std::size_t> guesses(posterior.rows);
  std::vector<double> shares(classes);
  for (std::size_t n = 0; n < guesses.size(); ++n) {
    guesses[n] = likeliest(posterior.row(n), classes);
    ++shares[guesses[n]];
  }
  const std::size_t compared = std::min(nearest, graph.k);
  if (graph.size() == 0 || compared == 0) {
    throw Error(ErrorKind::usage, "there are no neighbors to compare with");
  }
  std::size_t differ = 0;
  for (std::size_t a = 0; a < graph.size(); ++a) {
    for (const std::uint32_t id : graph.neighbors(a).first(compared)) {
      differ += guesses[graph.anchors[a]] != guesses[id] ? 1 : 0;
    }
  }
  double by_chance = 1;
  for (const double share : shares) {
    by_chance -=
        share / static_cast<double>(guesses.size()) * share / static_cast<double>(guesses.size());
  }
  return static_cast<double>(differ) / static_cast<double>(graph.size() * compared) /
         std::max(by_chance, 1e-6);
}

double distinct_share(RowsView rows, const Execution& execution) {
  if (rows.rows == 0) throw Error(ErrorKind::usage, "there are no rows to compare");
  check_view(rows);
  ThreadPool pool(execution.threads);
  std::vector<std::uint64_t> hashes(rows.rows);
  RowBlocks(pool, rows.rows).for_each([&](std::size_t begin, std::size_t end) {
    std::vector<float> buffer(rows.columns);
    for (std::size_t n = begin; n < end; ++n) {
      hashes[n] = content_hash(rows.row(n, buffer.data()), rows.columns);
    }
  });
  std::sort(hashes.begin(), hashes.end());
  const auto distinct = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
  return static_cast<double>(distinct) / static_cast<double>(rows.rows);
}

}  // namespace noiseplus
