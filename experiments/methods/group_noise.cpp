#include "experiments/methods/group_noise.h"

#include "experiments/methods/comparison.h"

namespace noiseplus {
namespace {

void add(CellResult& result, const std::string& method, const std::optional<FairResult>& found) {
  if (!found) return;
  result.add(method, "accuracy", 100 * found->accuracy);
  result.add(method, "violation", 100 * found->violation);
}

}  // namespace

CellResult group_noise_cell(const FairSet& set, std::pair<double, double> rates, std::uint64_t seed,
                            const Execution& execution) {
  FairCase draw(set, {rates.first, rates.second}, seed, execution);
  CellResult result;
  add(result, "lr", draw.run(FairMethod::lr));
  add(result, "gpl", draw.run(FairMethod::group_peer));
  add(result, "balanced-lr", draw.run(FairMethod::balanced));
  add(result, "balanced-peer", draw.run(FairMethod::balanced_peer));
  add(result, "noise-aware-lr", draw.run(FairMethod::noise_aware));
  add(result, "noise-aware-lr-estimated", draw.run(FairMethod::noise_aware_estimate));
  add(result, "unconstrained", draw.run(FairMethod::free));
  add(result, "clean-lr",
      possible([&] { return with_constraint(set, set.rows.training.clean, execution); }));
  const GroupComparison claims = compare_groups(draw.balanced().groups);
  const int noisier = rates.second > rates.first ? 1 : 0;
  result.facts["claim"] = claims.noisier < 0 ? 0 : claims.noisier == noisier ? 1 : -1;
  return result;
}

}  // namespace noiseplus
