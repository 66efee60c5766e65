#include <algorithm>

#include "noise/hidden_label.h"
#include "noise/sharing.h"
#include "noiseplus/noise.h"
#include "util/thread_pool.h"

namespace noiseplus {
namespace {

constexpr double least_credible = 1e-4;  // as the header says

// How often each label occurs among the views, by label.
void count_labels(const NeighbourGraph& graph, std::size_t set, std::span<const std::int32_t> codes,
                  std::vector<std::uint16_t>& labels, std::vector<ViewPatterns::Entry>& counts) {
  labels.clear();
  counts.clear();
  for_each_row(graph, set, [&](std::uint32_t row) {
    labels.push_back(static_cast<std::uint16_t>(codes[row]));
  });
  std::sort(labels.begin(), labels.end());
  for (const std::uint16_t label : labels) {
    if (counts.empty() || counts.back().label != label) counts.push_back({label, 0});
    ++counts.back().count;
  }
}

}  // namespace

LabelQuality label_quality(const NoiseEstimate& estimate, const NeighbourGraph& graph,
                           std::span<const std::int32_t> codes, const Execution& execution) {
  const std::size_t classes = estimate.prior.size();
  if (estimate.transition.size() != classes * classes) {
    throw Error(ErrorKind::usage,
                "the estimate's matrix does not fit its " + std::to_string(classes) + " classes");
  }
  check_codes(codes, classes);
  const HiddenLabel hidden(estimate.prior, estimate.transition, least_credible);
  LabelQuality quality{std::vector<double>(graph.size()), std::vector<std::int32_t>(graph.size())};
  ThreadPool pool(execution.threads);
  ProgressMeter meter(execution, "label quality", graph.size());
  constexpr std::size_t sets_of_a_task = 1024;
  pool.for_each((graph.size() + sets_of_a_task - 1) / sets_of_a_task, [&](std::size_t task) {
    HiddenLabel::Posterior posterior;
    std::vector<std::uint16_t> labels;
    std::vector<ViewPatterns::Entry> counts;
    const std::size_t end = std::min(graph.size(), (task + 1) * sets_of_a_task);
    for (std::size_t t = task * sets_of_a_task; t < end; ++t) {
      count_labels(graph, t, codes, labels, counts);
      hidden.find(counts, posterior);
      const std::int32_t given = codes[graph.anchors[t]];
      double highest = 0;
      for (std::size_t a = 0; a < posterior.classes.size(); ++a) {
        const auto label = static_cast<std::int32_t>(posterior.classes[a]);
        const double probability = posterior.probabilities[a];
        if (label == given) quality.right[t] = probability;
        if (probability > highest || (probability == highest && label == given)) {
          highest = probability;
          quality.suggested[t] = label;
        }
      }
    }
    meter.step(end - task * sets_of_a_task);
  });
  return quality;
}

}  // namespace noiseplus
