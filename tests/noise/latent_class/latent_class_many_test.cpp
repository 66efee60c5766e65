#include <gtest/gtest.h>

#include <algorithm>

#include "noise/latent_class/class_clusters.h"
#include "noise/latent_class/latent_class_errors.h"

namespace noiseplus {
namespace {

using testing_support::Clusters;
using testing_support::random_clusters;

constexpr std::size_t classes = 20;
constexpr double tiny = 1e-30;  // variances of classes that do not occur are less

std::vector<std::int32_t> noisy_labels(const std::vector<std::int32_t>& clean) {
  std::vector<std::int32_t> codes = clean;
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (uniform(3, Stream::corrupt, n, 0) >= .25) continue;
    codes[n] = static_cast<std::int32_t>(uniform(3, Stream::corrupt, n, 1) * classes);
  }
  return codes;
}

// The definition: the influence of every set on every rate, multiplied pair by pair.
RateSums sums_one_by_one(const LatentClassFit& fit, const ViewPatterns& patterns,
                         const NeighborGraph& graph, ThreadPool& pool) {
  const std::vector<double> influences = influences_of_three(fit, patterns, 0, classes, pool);
  RateSums sums{std::vector<double>(classes), std::vector<double>(classes)};
  std::vector<char> is_own(graph.size());
  for (std::size_t t = 0; t < graph.size(); ++t) {
    const double* own = influences.data() + patterns.of_set[t] * classes;
    for (std::size_t i = 0; i < classes; ++i) sums.alone[i] += own[i] * own[i];
    for_each_row(graph, t, [&](std::uint32_t row) { is_own[row] = 1; });
    for (std::size_t u = 0; u < graph.size(); ++u) {
      double common = 0;
      for_each_row(graph, u, [&](std::uint32_t row) { common += is_own[row]; });
      sums.common_row_pairs += common * (common - 1) / 2;
      if (common == 0) continue;
      sums.sharing += 1;
      const double* theirs = influences.data() + patterns.of_set[u] * classes;
      for (std::size_t i = 0; i < classes; ++i) sums.dependent[i] += own[i] * theirs[i];
    }
    for_each_row(graph, t, [&](std::uint32_t row) { is_own[row] = 0; });
  }
  return sums;
}

void expect_sums_of_the_definition(const Clusters& clusters) {
  const std::vector<std::int32_t> codes = noisy_labels(clusters.clean);
  const LatentClassFit fit = fit_latent_classes(clusters.graph, codes, classes);
  const ViewPatterns patterns = find_patterns(clusters.graph, codes);
  ThreadPool pool(2);
  const Occurrences occurrences = Occurrences::find(clusters.graph, codes.size());
  const Hubs hubs(clusters.graph, occurrences);
  const Execution execution;
  ProgressMeter meter(execution, "intervals", 1);
  const std::optional<RateSums> found =
      sums_of_many_classes(fit, patterns, clusters.graph, occurrences, hubs, pool, meter);
  ASSERT_TRUE(found);
  const RateSums expected = sums_one_by_one(fit, patterns, clusters.graph, pool);
  EXPECT_EQ(found->sharing, expected.sharing);
  EXPECT_EQ(found->common_row_pairs, expected.common_row_pairs);
  for (std::size_t i = 0; i < classes; ++i) {
    SCOPED_TRACE(i);
    EXPECT_NEAR(found->alone[i], expected.alone[i], 1e-8 * expected.alone[i] + tiny);
    EXPECT_NEAR(found->dependent[i], expected.dependent[i], 1e-8 * expected.alone[i] + tiny);
  }
}

struct ManyClassesCase {
  LatentClassFit fit;
  ViewPatterns patterns;
  Occurrences occurrences;
};

ManyClassesCase case_of(const Clusters& clusters) {
  const std::vector<std::int32_t> codes = noisy_labels(clusters.clean);
  return {fit_latent_classes(clusters.graph, codes, classes), find_patterns(clusters.graph, codes),
          Occurrences::find(clusters.graph, codes.size())};
}

std::optional<RateSums> sums_of(const ManyClassesCase& made, const NeighborGraph& graph,
                                unsigned threads) {
  ThreadPool pool(threads);
  const Hubs hubs(graph, made.occurrences);
  const Execution execution;
  ProgressMeter meter(execution, "intervals", 1);
  return sums_of_many_classes(made.fit, made.patterns, graph, made.occurrences, hubs, pool, meter);
}

TEST(LatentClassMany, SumsAreTheSameBytesWithAnyThreads) {
  const std::vector<double> prior(classes, 1.0 / classes);
  // Of 600 rows, all neighbors of each other's clusters: with hubs and without.
  for (const std::size_t size : {60, 600}) {
    const Clusters clusters = random_clusters(2400, prior, 5, size, 9);
    const ManyClassesCase made = case_of(clusters);
    const std::optional<RateSums> one = sums_of(made, clusters.graph, 1);
    const std::optional<RateSums> three = sums_of(made, clusters.graph, 3);
    ASSERT_TRUE(one && three);
    EXPECT_EQ(one->alone, three->alone);
    EXPECT_EQ(one->dependent, three->dependent);
    EXPECT_EQ(one->sharing, three->sharing);
    EXPECT_EQ(one->common_row_pairs, three->common_row_pairs);
  }
}

// Labels that say next to nothing leave every class possible for every set.
TEST(LatentClassMany, SetsOfTooManyClassesAreLeftToTheOtherWay) {
  constexpr std::size_t many = 40;
  const Clusters clusters = random_clusters(1200, std::vector<double>(many, 1.0 / many), 5, 60, 9);
  std::vector<std::int32_t> codes;
  for (std::size_t n = 0; n < clusters.clean.size(); ++n) {
    codes.push_back(static_cast<std::int32_t>(uniform(3, Stream::corrupt, n) * many));
  }
  ManyClassesCase made = {
      {}, find_patterns(clusters.graph, codes), Occurrences::find(clusters.graph, codes.size())};
  made.fit.classes = many;
  made.fit.prior.assign(many, 1.0 / many);
  made.fit.transition = symmetric_transition(many, .9);
  EXPECT_FALSE(sums_of(made, clusters.graph, 2));
  // The errors come the other way.
  ThreadPool pool(2);
  const RateErrors errors =
      errors_of(made.fit, made.patterns, clusters.graph, codes.size(), pool, Execution());
  ASSERT_EQ(errors.variance.size(), many);
  for (const double variance : errors.variance) EXPECT_GT(variance, 0);
}

TEST(LatentClassMany, SumsAreThoseOfTheDefinition) {
  const std::vector<double> prior(classes, 1.0 / classes);
  expect_sums_of_the_definition(random_clusters(2400, prior, 5, 60, 9));
}

// The first row of a cluster is a neighbor of most others of it, and one row of most sets.
TEST(LatentClassMany, SumsAreThoseOfTheDefinitionWithHubs) {
  const std::vector<double> prior(classes, 1.0 / classes);
  Clusters clusters = random_clusters(2400, prior, 5, 600, 9);
  for (std::size_t t = 0; t < clusters.graph.size(); ++t) {
    std::uint32_t* const ids = clusters.graph.ids.data() + t * clusters.graph.k;
    for (const std::size_t hub : {t / 600 * 600, std::size_t{0}}) {
      std::uint32_t* const end = ids + clusters.graph.k;
      if (hub == t || std::find(ids, end, hub) != end) continue;
      ids[hub == 0 ? 1 : 0] = static_cast<std::uint32_t>(hub);
    }
  }
  const Occurrences occurrences = Occurrences::find(clusters.graph, clusters.clean.size());
  ASSERT_GE(Hubs(clusters.graph, occurrences).size(), 4U);
  expect_sums_of_the_definition(clusters);
}

}  // namespace
}  // namespace noiseplus
