#include "pipeline/anchors.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace noiseplus {
namespace {

// Below some 2000 anchors the half-width scatters by a tenth, too much to account for. Labels with
// 5 % noise and k = 10 need about 0.05 / precision^2, and few data need less.
constexpr double min_in_first_round = 2000;
constexpr double needed_at_best = 0.05;

constexpr double growth_when_unidentified = 5;
constexpr double max_growth = 10;

// A reckoned number is exceeded a little, so that chance seldom asks for one more round. Far off,
// where the reckoning is coarse, a round stops short of it and reckons again.
constexpr double safety = 1.08;
constexpr double far_off = 2;
constexpr double part_of_the_way = 0.8;

// `gap_shared` is measured from the few pairs of anchors that share rows: it may stretch the
// number that independent anchors would need by this much.
constexpr double max_stretch = 2;

// Searching the last tenth costs less than a round that finds it missing.
constexpr double nearly_all = 0.9;

// With c times the anchors the variance v of the gap becomes v (1 - shared) / c + v shared; this is
// the c that makes it the square of the precision.
double growth_needed(double half_width, double shared, double precision) {
  const double ratio = half_width * half_width / (precision * precision);
  const double room = 1 - shared * ratio;
  const double stretch = room > 0 ? (1 - shared) / room : max_stretch;
  return ratio * std::min(stretch, max_stretch);
}

// Both have their anchors in increasing order, and none in common.
NeighborGraph merged(const NeighborGraph& left, const NeighborGraph& right) {
  NeighborGraph all;
  all.k = right.k;
  all.anchors.reserve(left.size() + right.size());
  all.ids.reserve(left.ids.size() + right.ids.size());
  all.distances.reserve(left.distances.size() + right.distances.size());
  std::size_t l = 0;
  std::size_t r = 0;
  while (l < left.size() || r < right.size()) {
    const bool from_left =
        r == right.size() || (l < left.size() && left.anchors[l] < right.anchors[r]);
    const NeighborGraph& graph = from_left ? left : right;
    const std::size_t a = from_left ? l++ : r++;
    all.anchors.push_back(graph.anchors[a]);
    const std::span<const std::uint32_t> ids = graph.neighbors(a);
    all.ids.insert(all.ids.end(), ids.begin(), ids.end());
    const float* distances = graph.distances.data() + a * graph.k;
    all.distances.insert(all.distances.end(), distances, distances + graph.k);
  }
  return all;
}

}  // namespace

std::optional<double> half_width(const NoiseEstimate& estimate) {
  if (!estimate.identified) return std::nullopt;
  return (estimate.gap.high - estimate.gap.low) / 2;
}

std::size_t first_anchors(double precision, std::size_t rows) {
  const double wanted = std::clamp(needed_at_best / (precision * precision), min_in_first_round,
                                   static_cast<double>(unidentified_ceiling));
  return std::min(rows, static_cast<std::size_t>(std::llround(wanted)));
}

std::size_t next_anchors(const NoiseEstimate& estimate, std::size_t anchors, double precision,
                         std::size_t rows) {
  const std::optional<double> reached = half_width(estimate);
  if (reached && *reached <= precision) return anchors;
  const auto now = static_cast<double>(anchors);
  if (!reached) {
    const double wanted =
        std::min(now * growth_when_unidentified, static_cast<double>(unidentified_ceiling));
    return std::clamp(static_cast<std::size_t>(wanted), anchors, rows);
  }
  const double growth = growth_needed(*reached, estimate.gap_shared, precision);
  const double wanted =
      now * std::min(growth * (growth > far_off ? part_of_the_way : safety), max_growth);
  if (wanted >= nearly_all * static_cast<double>(rows)) return rows;
  return static_cast<std::size_t>(std::ceil(wanted));
}

GrowingGraph::GrowingGraph(RowsView rows, const NeighborOptions& options,
                           const Execution& execution)
    : rows_(rows), seed_(options.seed), execution_(execution), search_(rows, options, execution) {}

const NeighborGraph& GrowingGraph::grow_to(std::size_t anchors) {
  const std::vector<std::uint32_t> sample =
      sample_rows(rows_.rows, anchors, seed_, Stream::anchors);
  std::vector<std::uint32_t> fresh;
  std::set_difference(sample.begin(), sample.end(), graph_.anchors.begin(), graph_.anchors.end(),
                      std::back_inserter(fresh));
  const double before = static_cast<double>(graph_.size()) / static_cast<double>(anchors);
  Execution round = execution_;
  if (execution_.progress) {
    round.progress = [&](const Progress& progress) {
      return execution_.progress({progress.stage, before + (1 - before) * progress.done});
    };
  }
  if (fresh.size() == rows_.rows) fresh.clear();  // a search for all rows has a name of its own
  graph_ = merged(graph_, search_.find(fresh, round));
  return graph_;
}

}  // namespace noiseplus
