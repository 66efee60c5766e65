#include <algorithm>
#include <cmath>
#include <limits>

#include "balance/bisection.h"
#include "core/checks.h"
#include "noiseplus/balance.h"

namespace noiseplus {
namespace {

// One pass over the parts, each with the flips found so far.
class Pass {
 public:
  Pass(const PartAgreements& agreements, std::span<const std::string> names,
       const PaperOptions& options)
      : agreements_(agreements), names_(names), options_(options), epsilons_(names.size()) {
    result_.parts.resize(names.size());
  }

  PaperParts run() {
    const std::vector<double> first = agreements_at(epsilons_);
    for (std::size_t i = 0; i < names_.size(); ++i) result_.parts[i].agreement = first[i];
    const std::vector<std::size_t> ranked = cleanest_first();
    if (!ranked.empty()) settle_noisiest(ranked.back());
    for (const std::size_t part : ranked) {
      if (part != noisiest_) search(part);
    }
    conclude();
    return std::move(result_);
  }

 private:
  std::vector<double> agreements_at(const std::vector<double>& epsilons) const {
    std::vector<double> agreements = agreements_(epsilons);
    check_that(agreements.size() == names_.size(), "there is not one agreement for each part");
    return agreements;
  }

  std::vector<std::size_t> cleanest_first() {
    std::vector<std::size_t> ranked;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (std::isnan(result_.parts[i].agreement)) {
        fail(i, "has too few rows of a class to count agreements on");
      } else {
        ranked.push_back(i);
      }
    }
    // Of equal agreements the first is the last here, and so the noisiest.
    std::sort(ranked.begin(), ranked.end(), [&](std::size_t a, std::size_t b) {
      const double of_a = result_.parts[a].agreement;
      const double of_b = result_.parts[b].agreement;
      return of_a != of_b ? of_a > of_b : a > b;
    });
    return ranked;
  }

  void settle_noisiest(std::size_t part) {
    noisiest_ = part;
    result_.noisiest = static_cast<int>(part);
    result_.parts[part].successful = true;
  }

  double gap(std::size_t part, double epsilon) const {
    std::vector<double> epsilons = epsilons_;
    epsilons[part] = epsilon;
    const std::vector<double> agreements = agreements_at(epsilons);
    const double difference = agreements[part] - agreements[noisiest_];
    // What cannot be counted is no right end.
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
  }

  void search(std::size_t part) {
    const double before = gap(part, 0);
    if (before < -options_.gamma) {
      return fail(part, "is left with a lower agreement than " + names_[noisiest_] +
                            " by the flips of those before it");
    }
    result_.parts[part].successful = true;
    if (before <= options_.gamma) return;
    const std::optional<FoundFlip> found =
        find_flip([&](double epsilon) { return gap(part, epsilon); }, options_);
    if (!found) {
      return fail(part, "has a higher agreement than " + names_[noisiest_] +
                            " after every flip from the grid");
    }
    result_.parts[part].epsilon = epsilons_[part] = found->epsilon;
    result_.parts[part].steps = found->steps;
  }

  void fail(std::size_t part, const std::string& what) {
    result_.parts[part].successful = false;
    result_.parts[part].why = names_[part] + " " + what;
  }

  void conclude() {
    bool flips = false;
    for (const PaperPart& part : result_.parts) {
      flips = flips || part.epsilon > 0;
      if (!part.successful) result_.why += (result_.why.empty() ? "" : "; ") + part.why;
    }
    if (!flips && result_.why.empty()) {
      result_.why = "the agreements differ by no more than gamma before any flip";
    }
    result_.successful = result_.why.empty();
  }

  const PartAgreements& agreements_;
  std::span<const std::string> names_;
  const PaperOptions& options_;
  std::vector<double> epsilons_;
  std::size_t noisiest_ = 0;
  PaperParts result_;
};

}  // namespace

std::vector<double> PaperParts::epsilons() const {
  std::vector<double> all;
  for (const PaperPart& part : parts) all.push_back(part.epsilon);
  return all;
}

PaperParts search_flips(const PartAgreements& agreements, std::span<const std::string> names,
                        const PaperOptions& options) {
  check_that(agreements != nullptr, "there are no agreements to search by; give a function");
  check_search(options);
  return Pass(agreements, names, options).run();
}

}  // namespace noiseplus
