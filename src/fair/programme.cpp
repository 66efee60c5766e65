#include "fair/programme.h"

#include <lpsolve/lp_lib.h>

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>

namespace noiseplus {
namespace {

// Variables: the share of each candidate. Rows: all shares add up to 1; then two for each excess,
// which is neither above the tolerance nor below its opposite.
class Programme {
 public:
  Programme(const std::vector<MixtureCandidate>& candidates, double tolerance)
      : candidates_(candidates), lp_(make_lp(0, static_cast<int>(candidates.size())), &delete_lp) {
    if (!lp_) throw std::bad_alloc();
    set_verbose(lp_.get(), NEUTRAL);
    set_scaling(lp_.get(), SCALE_NONE);
    set_add_rowmode(lp_.get(), TRUE);
    add_rows(tolerance);
    set_add_rowmode(lp_.get(), FALSE);
    std::vector<double> costs =
        row_of([](const MixtureCandidate& candidate) { return candidate.cost; });
    set_obj_fn(lp_.get(), costs.data());
  }

  std::optional<BestMixture> solve() {
    if (::solve(lp_.get()) != OPTIMAL) return std::nullopt;
    BestMixture best;
    best.shares.resize(candidates_.size());
    get_variables(lp_.get(), best.shares.data());
    clean(best.shares);
    for (std::size_t t = 0; t < candidates_.size(); ++t) {
      best.cost += best.shares[t] * candidates_[t].cost;
    }
    read_prices(best);
    return best;
  }

 private:
  // Entry 0 is not used.
  template <typename Entry>
  std::vector<double> row_of(const Entry& entry) const {
    std::vector<double> row = {0};
    row.reserve(candidates_.size() + 1);
    for (const MixtureCandidate& candidate : candidates_) row.push_back(entry(candidate));
    return row;
  }

  void add_rows(double tolerance) {
    std::vector<double> row = row_of([](const MixtureCandidate&) { return 1.0; });
    add_constraint(lp_.get(), row.data(), EQ, 1);
    for (std::size_t i = 0; i < candidates_.front().excess.size(); ++i) {
      row = row_of([i](const MixtureCandidate& candidate) { return candidate.excess[i]; });
      add_constraint(lp_.get(), row.data(), LE, tolerance);
      add_constraint(lp_.get(), row.data(), GE, -tolerance);
    }
  }

  // Shares below what rounding leaves are none.
  static void clean(std::vector<double>& shares) {
    constexpr double least = 1e-7;
    for (double& share : shares) share = share < least ? 0 : share;
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= sum;
  }

  void read_prices(BestMixture& best) const {
    double* duals = nullptr;
    get_ptr_dual_solution(lp_.get(), &duals);
    best.worth = duals[1];
    best.prices.resize(candidates_.front().excess.size());
    for (std::size_t i = 0; i < best.prices.size(); ++i) {
      best.prices[i] = -(duals[2 * i + 2] + duals[2 * i + 3]);
    }
  }

  const std::vector<MixtureCandidate>& candidates_;
  std::unique_ptr<lprec, decltype(&delete_lp)> lp_;
};

}  // namespace

std::optional<BestMixture> best_mixture(const std::vector<MixtureCandidate>& candidates,
                                        double tolerance) {
  if (candidates.empty()) return std::nullopt;
  return Programme(candidates, tolerance).solve();
}

}  // namespace noiseplus
