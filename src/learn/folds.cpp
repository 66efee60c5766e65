#include <algorithm>
#include <numeric>

#include "core/checks.h"
#include "core/row_count.h"
#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

// Rows by class, and within a class by their hash: shuffled, yet the same on every machine.
std::vector<std::uint32_t> shuffled_by_class(const GivenLabels& labels, std::uint64_t seed) {
  std::vector<std::uint64_t> keys(labels.codes.size());
  for (std::size_t n = 0; n < keys.size(); ++n) keys[n] = hash(seed, Stream::folds, n);
  std::vector<std::uint32_t> rows(labels.codes.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (labels.codes[a] != labels.codes[b]) return labels.codes[a] < labels.codes[b];
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  return rows;
}

// Of the rarest class, so that whoever follows the advice is done.
void check_class_sizes(const std::vector<std::size_t>& sizes, std::size_t folds,
                       std::span<const std::string> class_names) {
  std::size_t rarest = sizes.size();
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] == 0) continue;
    if (rarest == sizes.size() || sizes[c] < sizes[rarest]) rarest = c;
  }
  if (rarest == sizes.size() || sizes[rarest] >= folds) return;
  const std::size_t rows = sizes[rarest];
  const std::string name = rarest < class_names.size() ? class_names[rarest]  //
                                                       : std::to_string(rarest);
  const std::string fewer =
      rows < 2 ? ""
               : "use " + std::to_string(rows) + (rows == 2 ? " folds, " : " folds or fewer, ");
  throw Error(ErrorKind::data, "class '" + name + "' has " + std::to_string(rows) +
                                   (rows == 1 ? " row" : " rows") + ", fewer than the " +
                                   std::to_string(folds) + " folds; " + fewer +
                                   "leave out the class or find more rows of it");
}

}  // namespace

std::vector<std::int32_t> stratified_folds(const GivenLabels& labels, std::size_t folds,
                                           std::uint64_t seed,
                                           std::span<const std::string> class_names) {
  if (folds < 2) throw Error(ErrorKind::usage, "folds must be at least 2");
  check_row_count(labels.codes.size());
  check_class_count(labels.classes);
  check_codes(labels.codes, labels.classes);
  std::vector<std::size_t> sizes(labels.classes);
  for (const std::int32_t code : labels.codes) ++sizes[static_cast<std::size_t>(code)];
  check_class_sizes(sizes, folds, class_names);
  // Dealing goes on from class to class: were it to start anew, the first folds would collect the
  // remainder of every class.
  const std::vector<std::uint32_t> rows = shuffled_by_class(labels, seed);
  std::vector<std::int32_t> fold_of(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fold_of[rows[i]] = static_cast<std::int32_t>(i % folds);
  }
  return fold_of;
}

}  // namespace noiseplus
