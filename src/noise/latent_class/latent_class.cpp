#include "noise/latent_class/latent_class.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "data/memory_limit.h"
#include "neighbors/graph_check.h"
#include "noise/latent_class/hidden_label.h"

namespace noiseplus {
namespace {

constexpr std::size_t max_views = 65535;  // of a pattern, which counts in 16 bits

// Steps before the first jump: the start decides which hidden class is called what, and a jump from
// there might not keep that.
constexpr int steps_before_jumps = 5;

// Jumps are limited, and may not shrink a probability further than this: none ever gets to 0.
constexpr double longest_jump = 64;
constexpr double max_shrunk = 0.1;

// Prior, then T row after row: one vector, for the arithmetic of jumps.
using Parameters = std::vector<double>;

struct Step {
  Parameters next;
  double log_likelihood = 0;  // before the step
};

void normalize(std::span<double> row) {
  double sum = 0;
  for (const double value : row) sum += value;
  for (double& value : row) value /= sum;
}

class Maximiser {
 public:
  Maximiser(const ViewPatterns& patterns, std::size_t classes, const LatentClassOptions& options,
            ThreadPool& pool, const Execution& execution)
      : patterns_(patterns),
        classes_(classes),
        options_(options),
        pool_(pool),
        meter_(execution, "latent classes", static_cast<std::size_t>(options.max_steps)),
        blocks_(blocks_of(patterns.size(), classes * (classes + 1))),
        sums_(blocks_),
        likelihoods_(blocks_) {}

  LatentClassFit run(Parameters start) {
    Parameters now = options_.accelerated ? walk(std::move(start), steps_before_jumps)
                                          : walk(std::move(start), options_.max_steps);
    while (!fit_.converged && fit_.steps + 3 <= options_.max_steps) now = jump(now);
    meter_.finish();
    fit_.classes = classes_;
    fit_.prior.assign(now.begin(), now.begin() + static_cast<std::ptrdiff_t>(classes_));
    fit_.transition.assign(now.begin() + static_cast<std::ptrdiff_t>(classes_), now.end());
    return std::move(fit_);
  }

 private:
  Parameters walk(Parameters now, int most);
  Parameters jump(const Parameters& now);
  Parameters beyond(const Parameters& zero, const Parameters& one, const Parameters& two) const;
  Step step(const Parameters& now);
  void expect(const HiddenLabel& hidden, std::size_t block);
  Parameters maximise(const Parameters& now);

  const ViewPatterns& patterns_;
  std::size_t classes_;
  const LatentClassOptions& options_;
  ThreadPool& pool_;
  ProgressMeter meter_;
  std::size_t blocks_;
  // Of each block: expected rows of each clean class, then views by (label, clean class).
  std::vector<std::vector<double>> sums_;
  std::vector<double> likelihoods_;
  LatentClassFit fit_;
};

Parameters Maximiser::walk(Parameters now, int most) {
  double last = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < most && fit_.steps < options_.max_steps && !fit_.converged; ++i) {
    Step next = step(now);
    now = std::move(next.next);
    fit_.log_likelihood = next.log_likelihood;
    fit_.converged = next.log_likelihood - last < options_.tolerance;
    last = next.log_likelihood;
  }
  return now;
}

// Two steps show where the path leads; a jump goes there at once, and one more step makes it a
// point of the path again. What does not raise the likelihood is not kept.
Parameters Maximiser::jump(const Parameters& zero) {
  Step one = step(zero);
  Step two = step(one.next);
  fit_.log_likelihood = two.log_likelihood;
  fit_.converged = two.log_likelihood - one.log_likelihood < options_.tolerance;
  if (fit_.converged) return std::move(two.next);
  Step three = step(beyond(zero, one.next, two.next));
  return std::move(three.log_likelihood >= two.log_likelihood ? three.next : two.next);
}

Parameters Maximiser::beyond(const Parameters& zero, const Parameters& one,
                             const Parameters& two) const {
  double steps = 0, bends = 0;
  for (std::size_t i = 0; i < zero.size(); ++i) {
    const double change = one[i] - zero[i];
    const double bend = two[i] - one[i] - change;
    steps += change * change;
    bends += bend * bend;
  }
  const double length = bends > 0 ? std::clamp(std::sqrt(steps / bends), 1.0, longest_jump) : 1.0;
  Parameters far(zero.size());
  for (std::size_t i = 0; i < zero.size(); ++i) {
    const double change = one[i] - zero[i];
    const double bend = two[i] - one[i] - change;
    far[i] = std::max(zero[i] + 2 * length * change + length * length * bend, max_shrunk * two[i]);
  }
  for (std::size_t row = 0; row <= classes_; ++row) {
    normalize(std::span(far).subspan(row * classes_, classes_));
  }
  return far;
}

Step Maximiser::step(const Parameters& now) {
  const std::span<const double> all(now);
  const HiddenLabel hidden(all.first(classes_), all.subspan(classes_), min_probability);
  pool_.for_each(blocks_, [&](std::size_t block) { expect(hidden, block); });
  for (std::size_t block = 1; block < blocks_; ++block) {
    likelihoods_[0] += likelihoods_[block];
    for (std::size_t i = 0; i < sums_[0].size(); ++i) sums_[0][i] += sums_[block][i];
  }
  ++fit_.steps;
  meter_.step();
  return {maximise(now), likelihoods_[0] / static_cast<double>(patterns_.of_set.size())};
}

void Maximiser::expect(const HiddenLabel& hidden, std::size_t block) {
  HiddenLabel::Posterior posterior;
  std::vector<double>& sums = sums_[block];
  sums.assign(classes_ * (classes_ + 1), 0.0);
  double likelihood = 0;
  const std::size_t end = patterns_.size() * (block + 1) / blocks_;
  for (std::size_t q = patterns_.size() * block / blocks_; q < end; ++q) {
    const std::span<const ViewPatterns::Entry> views = patterns_.pattern(q);
    const double sets = patterns_.sets[q];
    hidden.find(views, posterior);
    likelihood += sets * posterior.log_likelihood;
    for (std::size_t a = 0; a < posterior.classes.size(); ++a) {
      const std::size_t clean = posterior.classes[a];
      const double expected = sets * posterior.probabilities[a];
      sums[clean] += expected;
      for (const ViewPatterns::Entry entry : views) {
        sums[classes_ + entry.label * classes_ + clean] += expected * entry.count;
      }
    }
  }
  likelihoods_[block] = likelihood;
}

Parameters Maximiser::maximise(const Parameters& now) {
  Parameters next(now.size());
  const std::vector<double>& sums = sums_[0];
  std::copy_n(sums.begin(), classes_, next.begin());
  normalize(std::span(next).first(classes_));
  for (std::size_t i = 0; i < classes_; ++i) {
    const std::span<double> row = std::span(next).subspan((i + 1) * classes_, classes_);
    if (!(sums[i] > 0)) {  // no row is of this class any more: nothing is learned about it
      std::copy_n(now.begin() + static_cast<std::ptrdiff_t>((i + 1) * classes_), classes_,
                  row.begin());
      continue;
    }
    for (std::size_t j = 0; j < classes_; ++j) row[j] = sums[(j + 1) * classes_ + i];
    normalize(row);
  }
  return next;
}

Parameters start_of(std::span<const std::int32_t> codes, std::size_t classes) {
  Parameters start(classes * (classes + 1), 0.5 / static_cast<double>(classes));
  std::fill_n(start.begin(), classes, 0.0);
  for (const std::int32_t code : codes) start[static_cast<std::size_t>(code)] += 1;
  normalize(std::span(start).first(classes));
  for (std::size_t i = 0; i < classes; ++i) start[(i + 1) * classes + i] += 0.5;
  return start;
}

}  // namespace

std::size_t blocks_of(std::size_t patterns, std::size_t numbers) {
  constexpr std::size_t numbers_of_all = std::size_t{1} << 23;  // 64 MB
  constexpr std::size_t patterns_worth_a_task = 64;
  const std::size_t most = std::clamp<std::size_t>(numbers_of_all / numbers, 4, 64);
  return std::clamp<std::size_t>(patterns / patterns_worth_a_task, 1, most);
}

LatentClassFit fit_patterns(const ViewPatterns& patterns, std::span<const std::int32_t> codes,
                            std::size_t classes, const LatentClassOptions& options,
                            ThreadPool& pool, const Execution& execution) {
  return Maximiser(patterns, classes, options, pool, execution).run(start_of(codes, classes));
}

void check_latent_class(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                        std::size_t classes, const LatentClassOptions& options) {
  if (graph.k < 2) {
    throw Error(ErrorKind::usage, "latent classes need three views: k must be 2 or more");
  }
  if (graph.size() == 0) throw Error(ErrorKind::usage, "there are no rows to look at");
  if (classes < 2) {
    throw Error(ErrorKind::data, "one class only; noise needs a second one to go to");
  }
  check_class_memory("the label", graph.size(), classes);
  check_codes(codes, classes);
  check_graph(graph, codes.size());
  check_that(graph.k < max_views, "latent classes take k up to 65534; use fewer neighbors");
  check_that(options.max_steps >= 0, "the number of steps must be 0 or above");
  check_number(options.tolerance, 0, std::numeric_limits<double>::infinity(), "the tolerance");
  check_number(options.significance, 0, 1, "the significance");
}

LatentClassFit fit_latent_classes(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                                  std::size_t classes, const LatentClassOptions& options,
                                  const Execution& execution) {
  check_latent_class(graph, codes, classes, options);
  ThreadPool pool(execution.threads);
  return fit_patterns(find_patterns(graph, codes), codes, classes, options, pool, execution);
}

}  // namespace noiseplus
