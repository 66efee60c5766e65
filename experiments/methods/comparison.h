// One model after the other on the same rows, and what each gets right.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/methods/cells.h"
#include "noiseplus/learn.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// What `work` gives; nothing where it is impossible. A method that is impossible has no value.
template <typename Work>
auto possible(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::impossible) throw;
    return std::nullopt;
  }
}

using Codes = std::vector<std::int32_t>;

// Labels flipped by the estimate, claimed or not; as they are where it is not identified; nothing
// where a class is at or below chance, and no flip could balance it.
std::optional<Codes> balanced_by(const NoiseEstimate& found, const Codes& given,
                                 std::span<const std::string> class_names, std::uint64_t seed);

class Comparison {
 public:
  // All must outlive it. `train` is the model, alike for all methods.
  Comparison(const KnownRows& training, const KnownRows& test, const TrainOptions& train,
             std::uint64_t seed, const Execution& execution);

  // Trains on these labels, if there are any, and adds the accuracy on clean test rows.
  void add(const std::string& method, LossKind loss, const std::optional<Codes>& labels,
           const std::vector<double>& transition = {});

  CellResult result;

 private:
  double accuracy_after(LossKind loss, const Codes& labels,
                        const std::vector<double>& transition) const;

  const KnownRows& training_;
  const KnownRows& test_;
  const TrainOptions& train_;
  std::uint64_t seed_;
  const Execution& execution_;
};

}  // namespace noiseplus
