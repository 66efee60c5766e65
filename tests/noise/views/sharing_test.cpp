#include "noise/views/sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr std::uint64_t seed = 5;

// Each row's own set, with k neighbors drawn as `draw` says from a number in [0, 1).
NeighborGraph random_graph(std::size_t rows, std::size_t k,
                           const std::function<std::size_t(double)>& draw) {
  NeighborGraph graph;
  graph.k = k;
  for (std::size_t t = 0; t < rows; ++t) {
    graph.anchors.push_back(static_cast<std::uint32_t>(t));
    std::vector<std::uint32_t> ids;
    for (std::uint64_t i = 0; ids.size() < k; ++i) {
      const auto id = static_cast<std::uint32_t>(draw(uniform(seed, Stream::generate, t, i)));
      if (id != t && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    graph.ids.insert(graph.ids.end(), ids.begin(), ids.end());
  }
  return graph;
}

// Everybody's neighbors are anybody.
NeighborGraph even_graph(std::size_t rows, std::size_t k) {
  return random_graph(
      rows, k, [&](double u) { return static_cast<std::size_t>(u * static_cast<double>(rows)); });
}

// A few rows are the neighbors of most, others of many, as in embeddings of many dimensions: the
// degree of the i-th is proportional to 1 / i.
NeighborGraph skewed_graph(std::size_t rows, std::size_t k) {
  return random_graph(rows, k, [&](double u) {
    return static_cast<std::size_t>(std::pow(static_cast<double>(rows), u)) - 1;
  });
}

// Everybody's neighbors are among the first `hubs` rows, such as those of the smallest norm.
NeighborGraph central_graph(std::size_t rows, std::size_t k, std::size_t hubs) {
  return random_graph(
      rows, k, [&](double u) { return static_cast<std::size_t>(u * static_cast<double>(hubs)); });
}

// Seven of ten neighbors are among the first `hubs` rows, the others are anybody.
NeighborGraph mixed_graph(std::size_t rows, std::size_t k, std::size_t hubs) {
  return random_graph(rows, k, [&](double u) {
    const double share = .7;
    return u < share
               ? static_cast<std::size_t>(u / share * static_cast<double>(hubs))
               : static_cast<std::size_t>((u - share) / (1 - share) * static_cast<double>(rows));
  });
}

// Row 0 is the first neighbor of all, the others are anybody.
NeighborGraph star_graph(std::size_t rows, std::size_t k) {
  NeighborGraph graph = even_graph(rows, k);
  for (std::size_t t = 1; t < rows; ++t) {
    const auto begin = graph.ids.begin() + static_cast<std::ptrdiff_t>(t * k);
    if (std::find(begin, begin + static_cast<std::ptrdiff_t>(k), 0U) ==
        begin + static_cast<std::ptrdiff_t>(k)) {
      *begin = 0;
    }
  }
  return graph;
}

std::vector<std::int32_t> random_codes(std::size_t rows) {
  std::vector<std::int32_t> codes;
  for (std::size_t n = 0; n < rows; ++n) {
    codes.push_back(uniform(seed, Stream::corrupt, n) < .4 ? 1 : 0);
  }
  return codes;
}

// The definition, pair by pair.
PairCounts pairs_one_by_one(const NeighborGraph& graph, std::span<const std::int32_t> codes) {
  const std::size_t width = 2 * (graph.k + 1);
  PairCounts pairs{graph.k, std::vector<std::int64_t>(width * width), 0};
  std::vector<std::size_t> cells;
  for (std::size_t t = 0; t < graph.size(); ++t) {
    std::size_t cell = codes[graph.anchors[t]] == 1 ? graph.k + 1 : 0;
    for (const std::uint32_t id : graph.neighbors(t)) cell += codes[id] == 1 ? 1 : 0;
    cells.push_back(cell);
  }
  std::vector<char> is_own(codes.size());
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) { is_own[row] = 1; });
    for (std::size_t u = 0; u < graph.size(); ++u) {
      std::int64_t common = 0;
      for_each_row(graph, u, [&](std::uint32_t row) { common += is_own[row]; });
      pairs.common_row_pairs += common * (common - 1) / 2;
      if (common > 0) ++pairs.cells[cells[t] * width + cells[u]];
    }
    for_each_row(graph, t, [&](std::uint32_t row) { is_own[row] = 0; });
  }
  return pairs;
}

struct GraphCase {
  const char* name;
  NeighborGraph graph;
  bool has_hubs;
};

std::vector<GraphCase> graph_cases() {
  std::vector<GraphCase> cases;
  cases.push_back({"even", even_graph(1000, 10), false});
  cases.push_back({"skewed, 3 views", skewed_graph(1500, 2), true});
  cases.push_back({"skewed, 5 views", skewed_graph(1500, 4), true});
  cases.push_back({"skewed, 11 views", skewed_graph(1500, 10), true});
  cases.push_back({"central, as many hubs as neighbors", central_graph(600, 10, 11), true});
  cases.push_back({"central, 40 hubs", central_graph(1000, 30, 40), true});
  cases.push_back({"central, 100 hubs", central_graph(1000, 30, 100), true});
  cases.push_back({"mixed", mixed_graph(1500, 20, 60), true});
  cases.push_back({"star", star_graph(1500, 10), true});
  return cases;
}

TEST(Sharing, CountsOfPairsAreThoseOfTheDefinitionWithAndWithoutHubs) {
  for (const GraphCase& one : graph_cases()) {
    SCOPED_TRACE(one.name);
    const std::size_t rows = one.graph.size();
    const Occurrences occurrences = Occurrences::find(one.graph, rows);
    EXPECT_EQ(!Hubs(one.graph, occurrences).empty(), one.has_hubs);
    const std::vector<std::int32_t> codes = random_codes(rows);
    const PairCounts expected = pairs_one_by_one(one.graph, codes);
    for (const unsigned threads : {1U, 3U}) {
      const PairCounts found = count_pairs(one.graph, codes, 1, {threads, {}});
      EXPECT_EQ(found.cells, expected.cells);
      EXPECT_EQ(found.common_row_pairs, expected.common_row_pairs);
    }
  }
}

struct Steps {
  double taken = 0;       // by hubs, and on walks through other rows
  double of_a_walk = 0;   // had there been no hubs
  std::size_t parts = 0;  // that threads could share
};

Steps steps_of(const NeighborGraph& graph) {
  const Occurrences occurrences = Occurrences::find(graph, graph.size());
  const Hubs hubs(graph, occurrences);
  Steps steps;
  steps.parts = hubs.parts();
  for (std::size_t part = 0; part < hubs.parts(); ++part) {
    steps.taken += hubs.sum_products(part, [](int, SetList, SetList) {});
  }
  for (std::size_t row = 0; row < graph.size(); ++row) {
    const auto degree = static_cast<double>(occurrences.degree(row));
    steps.of_a_walk += degree * degree;
    if (!hubs.is_hub(row)) steps.taken += degree * degree;
  }
  return steps;
}

TEST(Sharing, StepsCountEverySetThatIsVisited) {
  const NeighborGraph graph = central_graph(1000, 30, 100);
  const Occurrences occurrences = Occurrences::find(graph, 1000);
  const Hubs hubs(graph, occurrences);
  for (std::size_t part = 0; part < hubs.parts(); ++part) {
    double visited = 0;
    const double steps = hubs.sum_products(part, [&](int, SetList x, SetList y) {
      visited += static_cast<double>(x.size() + y.size());
    });
    EXPECT_GT(steps, visited);
  }
}

TEST(Sharing, TwiceTheRowsTakeAboutTwiceTheSteps) {
  const auto expect_linear = [](const char* name, const auto& graph_of) {
    const Steps few = steps_of(graph_of(5000)), many = steps_of(graph_of(10000));
    EXPECT_LT(many.taken / few.taken, 2.8) << name;
  };
  expect_linear("star", [](std::size_t rows) { return star_graph(rows, 10); });
  expect_linear("skewed", [](std::size_t rows) { return skewed_graph(rows, 6); });
  expect_linear("central", [](std::size_t rows) { return central_graph(rows, 30, 40); });
}

// Sets of many hubs have to be compared with each other, in fewer steps than a walk takes.
TEST(Sharing, ManyDenseHubsTakeFarFewerStepsThanAWalkInPartsThatThreadsCanShare) {
  const auto expect_few = [](const char* name, const NeighborGraph& graph, double times_fewer) {
    const Steps steps = steps_of(graph);
    EXPECT_LT(steps.taken, steps.of_a_walk / times_fewer) << name;
    EXPECT_GE(steps.parts, 8U) << name;
  };
  expect_few("100 hubs", central_graph(8000, 30, 100), 15);
  expect_few("200 hubs", central_graph(8000, 30, 200), 3);
  expect_few("mixed", mixed_graph(8000, 20, 60), 5);
}

TEST(Sharing, CanBeCancelledWhileHubsAreSummed) {
  const NeighborGraph graph = central_graph(8000, 30, 100);
  const std::vector<std::int32_t> codes = random_codes(8000);
  // All sets have been walked from at half of the way.
  const Execution until_hubs{
      1, [](const Progress& progress) { return progress.done < .5 || progress.done == 1; }};
  try {
    count_pairs(graph, codes, 1, until_hubs);
    FAIL() << "was not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace noiseplus
