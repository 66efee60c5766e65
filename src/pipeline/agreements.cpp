#include "pipeline/agreements.h"

#include <algorithm>

#include "pipeline/options.h"

namespace noiseplus {
namespace {

constexpr std::size_t max_rows = 200'000;
constexpr int steps = 12;
constexpr double widest_flip = .6;  // beyond it hardly a label of the flipped class is left

}  // namespace

std::optional<AgreementCurve> agreement_curve(const Dataset& dataset, const AuditOptions& options,
                                              const NoiseEstimate& estimate,
                                              NoiseEstimator& evidence,
                                              const Execution& execution) {
  const RowsView rows = dataset.features.view();
  if (dataset.labels.classes.size() != 2 || rows.rows > max_rows) return std::nullopt;
  constexpr std::size_t neighbors_enough = 30;
  const NeighborGraph& graph = evidence.graph(std::min(neighbors_enough, rows.rows - 1));
  double done = 0;
  Execution counting{execution.threads, {}};
  if (execution.progress) {
    counting.progress = [&](const Progress&) { return execution.progress({"agreements", done}); };
  }
  AgreementCurve curve;
  curve.flipped = estimate.noise[0].value <= estimate.noise[1].value ? 0 : 1;
  try {
    const AgreementGap gap =
        agreement_gap(rows, graph, dataset.labels.codes, curve.flipped, PaperVariant::rebalanced,
                      options.seed, metric_of(options), counting);
    for (int step = 0; step <= steps; ++step) {
      done = static_cast<double>(step) / (steps + 1);
      curve.epsilons.push_back(widest_flip * step / steps);
      curve.gaps.push_back(gap(1, curve.epsilons.back()));
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    return std::nullopt;  // a label has too few rows for two neighbors of its own
  }
  return curve;
}

}  // namespace noiseplus
