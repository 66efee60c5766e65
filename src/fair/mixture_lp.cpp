#include "fair/mixture_lp.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/dense_lu.h"
#include "noiseplus/core.h"

namespace noiseplus {
namespace {

void check(const std::vector<MixtureCandidate>& candidates, double tolerance) {
  bool is_valid = std::isfinite(tolerance) && tolerance >= 0;
  for (const MixtureCandidate& candidate : candidates) {
    is_valid = is_valid && std::isfinite(candidate.cost) &&
               candidate.excess.size() == candidates.front().excess.size() &&
               std::all_of(candidate.excess.begin(), candidate.excess.end(),
                           [](double excess) { return std::isfinite(excess); });
  }
  if (!is_valid) {
    throw Error(ErrorKind::usage,
                "a mixture needs finite costs and equally many finite excesses of all candidates, "
                "and a tolerance of at least 0");
  }
}

// The dual simplex method with bounded rows. A vertex is given by the candidates that may have a
// share and the active rows, the excesses that are held at a bound: always one fewer, so that with
// the sum of shares the system is square. The cheapest candidate alone is a start whose prices are
// right, so there is no first phase. Each iteration solves the system anew from the input: it is
// small, and nothing accumulates rounding errors.
class DualSimplex {
 public:
  DualSimplex(const std::vector<MixtureCandidate>& candidates, double tolerance)
      : candidates_(candidates),
        rows_(candidates.front().excess.size()),
        tolerance_(tolerance),
        scale_(rows_),
        is_basic_(candidates.size()),
        side_(rows_) {
    const auto [low, high] =
        std::minmax_element(candidates.begin(), candidates.end(),
                            [](const auto& a, const auto& b) { return a.cost < b.cost; });
    // Halves, so that the difference of two numbers near the largest double is finite.
    const double half_range = high->cost / 2 - low->cost / 2;
    cost_unit_ = half_range > 0 ? half_range : 1;
    basic_ = {static_cast<std::size_t>(low - candidates.begin())};
    is_basic_[basic_.front()] = 1;
    lowest_cost_ = low->cost;
    for (std::size_t row = 0; row < rows_; ++row) {
      double largest = 1;
      for (const MixtureCandidate& candidate : candidates) {
        largest = std::max(largest, std::abs(candidate.excess[row]));
      }
      int exponent = 0;
      std::frexp(largest, &exponent);
      scale_[row] = std::ldexp(1.0, 1 - exponent);
    }
  }

  std::optional<BestMixture> solve() {
    // Far more than is ever needed: the number of iterations is about that of active rows.
    const std::size_t max_iterations = 1000 + 50 * (rows_ + candidates_.size());
    for (std::size_t i = 0; i < max_iterations; ++i) {
      if (!solve_vertex()) return std::nullopt;
      const std::optional<Leaving> leaving = choose_leaving();
      if (!leaving) return result();
      const std::optional<Entering> entering = choose_entering(*leaving);
      if (!entering) return std::nullopt;
      exchange(*leaving, *entering);
    }
    return std::nullopt;
  }

 private:
  static constexpr double max_violation = 1e-10;  // of a share, or of a scaled excess
  static constexpr double min_pivot = 1e-12;

  // What does not satisfy its bound at the vertex: a share below 0 or an excess outside.
  struct Leaving {
    bool is_row = false;
    std::size_t position = 0;  // in `basic_`, or the row itself
    double direction = 0;      // +1 if it has to grow, -1 if it has to shrink
  };
  // What becomes free instead: a candidate without a share, or an active row.
  struct Entering {
    bool is_row = false;
    std::size_t index = 0;  // the candidate, or the position in `active_`
  };

  double excess(std::size_t t, std::size_t row) const {
    return candidates_[t].excess[row] * scale_[row];
  }

  double scaled_cost(std::size_t t) const {
    return (candidates_[t].cost / 2 - lowest_cost_ / 2) / cost_unit_;
  }

  // False if the system is singular, which only rounding can bring about.
  bool solve_vertex() {
    const std::size_t size = basic_.size();
    std::vector<double> matrix(size * size, 1.0);
    std::vector<double> bounds(size, 1.0), costs(size);
    for (std::size_t r = 1; r < size; ++r) {
      const std::size_t row = active_[r - 1];
      bounds[r] = side_[row] * (tolerance_ * scale_[row]);
      for (std::size_t c = 0; c < size; ++c) {
        matrix[r * size + c] = excess(basic_[c], row);
      }
    }
    for (std::size_t c = 0; c < size; ++c) costs[c] = scaled_cost(basic_[c]);
    if (!lu_.factorize(std::move(matrix), size)) return false;
    shares_ = lu_.solve(bounds);
    duals_ = lu_.solve_transposed(costs);
    const double cost = std::inner_product(costs.begin(), costs.end(), shares_.begin(), 0.0);
    idle_ = cost > best_cost_ ? 0 : idle_ + 1;
    best_cost_ = std::max(best_cost_, cost);
    return true;
  }

  // Ties in the costs, as of equal candidates, could make the method run in circles. Bland's rule,
  // the first eligible in a fixed order, cannot, but is slow: it is for long runs without progress.
  bool uses_first_eligible() const { return idle_ > 20 + basic_.size(); }

  std::optional<Leaving> choose_leaving() const {
    std::optional<Leaving> leaving;
    double largest = max_violation;
    const auto offer = [&](double violation, const Leaving& offered) {
      if (violation <= largest) return;
      leaving = offered;
      largest = violation;
    };
    for (std::size_t c = 0; c < basic_.size(); ++c) {
      offer(-shares_[c], {false, c, 1});
      if (leaving && uses_first_eligible()) return leaving;
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      if (side_[row] != 0) continue;
      double mixed = 0;
      for (std::size_t c = 0; c < basic_.size(); ++c) {
        mixed += excess(basic_[c], row) * shares_[c];
      }
      offer(std::abs(mixed) - tolerance_ * scale_[row], {true, row, mixed > 0 ? -1.0 : 1.0});
      if (leaving && uses_first_eligible()) return leaving;
    }
    return leaving;
  }

  double dot_column(std::span<const double> rows, std::size_t t) const {
    double sum = rows[0];
    for (std::size_t a = 0; a < active_.size(); ++a) {
      sum += rows[a + 1] * excess(t, active_[a]);
    }
    return sum;
  }

  // The ratio test: what can end the violation at the lowest price. Prices may become wrong by
  // 1e-12 of the range of costs, which leaves a choice; the largest pivot of those is the safest.
  std::optional<Entering> choose_entering(const Leaving& leaving) const {
    std::vector<double> right(basic_.size());
    for (std::size_t c = 0; c < right.size(); ++c) {
      right[c] = leaving.is_row ? excess(basic_[c], leaving.position)
                                : (c == leaving.position ? 1.0 : 0.0);
    }
    const std::vector<double> weights = lu_.solve_transposed(right);
    struct Option {
      Entering entering;
      double price = 0, pivot = 0;  // both at least 0
    };
    std::vector<Option> options;
    for (std::size_t t = 0; t < candidates_.size(); ++t) {
      if (is_basic_[t] != 0) continue;
      const double own = leaving.is_row ? excess(t, leaving.position) : 0;
      const double pivot = leaving.direction * (own - dot_column(weights, t));
      if (pivot <= min_pivot) continue;
      const double price = std::max(scaled_cost(t) - dot_column(duals_, t), 0.0);
      options.push_back({{false, t}, price, pivot});
    }
    for (std::size_t a = 0; a < active_.size() && tolerance_ > 0; ++a) {
      const double side = side_[active_[a]];
      const double pivot = -side * leaving.direction * weights[a + 1];
      if (pivot <= min_pivot) continue;
      options.push_back({{true, a}, std::max(-side * duals_[a + 1], 0.0), pivot});
    }
    if (options.empty()) return std::nullopt;
    const double slack = uses_first_eligible() ? 0 : 1e-12;
    double ratio = (options.front().price + slack) / options.front().pivot;
    for (const Option& option : options) {
      ratio = std::min(ratio, (option.price + slack) / option.pivot);
    }
    const Option* chosen = nullptr;
    for (const Option& option : options) {
      if (option.price / option.pivot > ratio) continue;
      if (uses_first_eligible()) return option.entering;
      if (chosen == nullptr || option.pivot > chosen->pivot) chosen = &option;
    }
    return chosen->entering;
  }

  void exchange(const Leaving& leaving, const Entering& entering) {
    const std::size_t leaving_candidate = leaving.is_row ? 0 : basic_[leaving.position];
    if (entering.is_row) {
      side_[active_[entering.index]] = 0;
      active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(entering.index));
    } else {
      is_basic_[entering.index] = 1;
      basic_.insert(std::lower_bound(basic_.begin(), basic_.end(), entering.index), entering.index);
    }
    if (leaving.is_row) {
      side_[leaving.position] = -leaving.direction;
      active_.insert(std::lower_bound(active_.begin(), active_.end(), leaving.position),
                     leaving.position);
    } else {
      is_basic_[leaving_candidate] = 0;
      basic_.erase(std::lower_bound(basic_.begin(), basic_.end(), leaving_candidate));
    }
  }

  // The shares of the vertex without those below `min_share`.
  std::vector<double> shares_from(double min_share) const {
    std::vector<double> shares(candidates_.size());
    for (std::size_t c = 0; c < basic_.size(); ++c) {
      if (shares_[c] >= min_share) shares[basic_[c]] = shares_[c];
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= sum;
    return shares;
  }

  bool is_within(const std::vector<double>& shares, double rounding) const {
    for (std::size_t row = 0; row < rows_; ++row) {
      double mixed = 0;
      for (const std::size_t t : basic_) mixed += candidates_[t].excess[row] * shares[t];
      if (!(std::abs(mixed) <= tolerance_ + rounding)) return false;
    }
    return true;
  }

  BestMixture result() const {
    // A model that answers once in ten million times is not worth its place in the file.
    constexpr double min_share = 1e-7, max_change = 1e-6;
    BestMixture best;
    best.shares = shares_from(min_share);
    if (!is_within(best.shares, max_change)) best.shares = shares_from(0);
    for (std::size_t t = 0; t < candidates_.size(); ++t) {
      best.cost += best.shares[t] * candidates_[t].cost;
    }
    best.worth = lowest_cost_ + 2 * cost_unit_ * duals_[0];
    best.prices.resize(rows_);
    for (std::size_t a = 0; a < active_.size(); ++a) {
      best.prices[active_[a]] = -2 * cost_unit_ * duals_[a + 1] * scale_[active_[a]];
    }
    return best;
  }

  const std::vector<MixtureCandidate>& candidates_;
  std::size_t rows_;
  double tolerance_;
  double lowest_cost_ = 0, cost_unit_ = 1;
  // For each row, a power of 2 that brings its largest excess to between 1 and 2; 1 where all are
  // smaller. So rows are held to a rounding error of their own, and scaling adds none.
  std::vector<double> scale_;
  std::vector<std::size_t> basic_;   // candidates, in order
  std::vector<std::size_t> active_;  // rows, in order
  std::vector<char> is_basic_;       // for each candidate
  std::vector<double> side_;  // for each row: +1 held at the tolerance, -1 at its opposite, 0 free
  DenseLu lu_;
  std::vector<double> shares_;  // of the basic candidates
  std::vector<double> duals_;   // of the sum of shares, then of the active rows
  double best_cost_ = -1;       // scaled, grows to the optimum
  std::size_t idle_ = 0;        // iterations since it last grew
};

}  // namespace

std::optional<BestMixture> best_mixture(const std::vector<MixtureCandidate>& candidates,
                                        double tolerance) {
  check(candidates, tolerance);
  if (candidates.empty()) return std::nullopt;
  return DualSimplex(candidates, tolerance).solve();
}

}  // namespace noiseplus
