#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "noiseplus/balance.h"

namespace noiseplus {
namespace {

// The search of one direction, with the sign turned so that the gap falls from positive to
// negative.
class Bisection {
 public:
  Bisection(const AgreementGap& gap, int flipped, const PaperOptions& options)
      : gap_(gap), flipped_(flipped), sign_(flipped == 1 ? 1 : -1), options_(options) {}

  double falling_gap(double epsilon) const { return sign_ * gap_(flipped_, epsilon); }

  std::optional<double> find_right_end() const {
    if (falling_gap(options_.first_right) < -options_.gamma) return options_.first_right;
    for (const double epsilon : options_.other_right) {
      if (falling_gap(epsilon) < -options_.gamma) return epsilon;
    }
    return std::nullopt;
  }

  void run(double right, PaperResult& result) const {
    double left = 0;
    while (result.steps < options_.most_steps) {
      ++result.steps;
      const double middle = (left + right) / 2;
      const double gap = falling_gap(middle);
      if (gap < -options_.gamma) {
        right = middle;
      } else if (gap > options_.gamma) {
        left = middle;
      } else {
        break;
      }
    }
    result.successful = true;
    result.epsilon = (left + right) / 2;
  }

 private:
  const AgreementGap& gap_;
  int flipped_;
  double sign_;
  const PaperOptions& options_;
};

std::vector<std::int32_t> flip_ones(std::span<const std::int32_t> ones, int flipped, double epsilon,
                                    std::uint64_t seed) {
  const FlipPlan plan = FlipPlan::of_two(static_cast<std::size_t>(flipped), epsilon);
  return apply(plan, ones, seed);
}

double gap_of(const NeighbourGraph& graph, std::span<const std::int32_t> ones) {
  return agreements_of(count_views(graph, ones, 1).shares()).gap();
}

}  // namespace

PaperResult search_flip(const AgreementGap& gap, const PaperOptions& options) {
  PaperResult result;
  result.first_gap = gap(1, 0);
  if (std::abs(result.first_gap) <= options.gamma) {
    result.why = "the agreements differ by no more than gamma before any flip";
    return result;
  }
  result.flipped = result.first_gap > 0 ? 1 : 0;
  const Bisection bisection(gap, result.flipped, options);
  const std::optional<double> right = bisection.find_right_end();
  if (!right) {
    result.why = "no flip from the grid turns the sign of the agreement gap";
    return result;
  }
  bisection.run(*right, result);
  return result;
}

std::vector<char> balanced_sample(std::span<const std::int32_t> ones, std::uint64_t seed) {
  std::vector<std::uint32_t> members[2];
  for (std::size_t n = 0; n < ones.size(); ++n) {
    members[ones[n]].push_back(static_cast<std::uint32_t>(n));
  }
  const std::size_t wanted = std::min(members[0].size(), members[1].size());
  std::vector<char> keep(ones.size());
  for (std::vector<std::uint32_t>& rows : members) {
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t ha = hash(seed, Stream::resample, a);
      const std::uint64_t hb = hash(seed, Stream::resample, b);
      return ha != hb ? ha < hb : a < b;
    });
    for (std::size_t i = 0; i < wanted; ++i) keep[rows[i]] = 1;
  }
  return keep;
}

AgreementGap agreement_gap(RowsView rows, const NeighbourGraph& graph,
                           std::span<const std::int32_t> codes, std::int32_t positive,
                           PaperVariant variant, std::uint64_t seed, Metric metric,
                           const Execution& execution) {
  auto ones = std::make_shared<std::vector<std::int32_t>>();
  for (const std::int32_t code : codes) ones->push_back(code == positive ? 1 : 0);
  NeighbourOptions options;
  options.k = 2;
  options.seed = seed;
  options.metric = metric;
  const auto balanced_graph = [rows, &graph, options, execution, seed](const auto& labels) {
    return neighbours_within(rows, graph, balanced_sample(labels, seed), options, execution);
  };
  if (variant == PaperVariant::original) {
    auto sample = std::make_shared<NeighbourGraph>(balanced_graph(*ones));
    return [ones, sample, seed](int flipped, double epsilon) {
      return gap_of(*sample, flip_ones(*ones, flipped, epsilon, seed));
    };
  }
  return [ones, balanced_graph, seed](int flipped, double epsilon) {
    const std::vector<std::int32_t> labels = flip_ones(*ones, flipped, epsilon, seed);
    return gap_of(balanced_graph(labels), labels);
  };
}

}  // namespace noiseplus
