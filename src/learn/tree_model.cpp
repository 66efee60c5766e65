#include "learn/tree_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/layers.h"

namespace noiseplus {
namespace {

// Children come after their parent, so that no path goes round; each split and each leaf is the
// child of one split only, so that as many leaves as there are have as many paths.
std::string why_unfit(const Tree& tree, std::size_t inputs) {
  const std::size_t splits = tree.splits.size(), leaves = tree.leaves.size();
  if (leaves != splits + 1) return "a tree has not one leaf more than splits";
  std::vector<char> has_parent(splits + leaves);
  for (std::size_t s = 0; s < splits; ++s) {
    const TreeSplit& split = tree.splits[s];
    if (split.column >= inputs) return "a tree looks at a column that is not there";
    if (!std::isfinite(split.threshold)) return "a threshold of a tree is not a number";
    for (const std::int32_t child : {split.left, split.right}) {
      const bool is_leaf = child < 0;
      const auto index = static_cast<std::size_t>(is_leaf ? ~child : child);
      if (is_leaf ? index >= leaves : index >= splits || index <= s) {
        return "a split of a tree leads nowhere";
      }
      char& is_taken = has_parent[is_leaf ? splits + index : index];
      if (is_taken != 0) return "two splits of a tree lead to one place";
      is_taken = 1;
    }
  }
  const auto is_number = [](double value) { return std::isfinite(value); };
  if (!std::all_of(tree.leaves.begin(), tree.leaves.end(), is_number)) {
    return "a leaf of a tree is not a number";
  }
  return "";
}

double leaf_of(const Tree& tree, const float* row) {
  std::int32_t at = tree.splits.empty() ? -1 : 0;
  while (at >= 0) {
    const TreeSplit& split = tree.splits[static_cast<std::size_t>(at)];
    at = row[split.column] <= split.threshold ? split.left : split.right;
  }
  const std::int32_t leaf = ~at;
  return tree.leaves[static_cast<std::size_t>(leaf)];
}

}  // namespace

std::string why_unfit(const BoostedTrees& boosted, std::size_t classes) {
  const std::size_t outputs = outputs_of(classes);
  if (boosted.inputs == 0) return "the trees take no columns";
  if (boosted.offsets.size() != outputs) return "there is not one offset for each output";
  if (boosted.trees.empty() || boosted.trees.size() % outputs != 0) {
    return "there are not as many trees for each output";
  }
  const auto is_number = [](double value) { return std::isfinite(value); };
  if (!std::all_of(boosted.offsets.begin(), boosted.offsets.end(), is_number)) {
    return "an offset is not a number";
  }
  for (const Tree& tree : boosted.trees) {
    std::string why = why_unfit(tree, boosted.inputs);
    if (!why.empty()) return why;
  }
  return "";
}

void find_logits(const BoostedTrees& boosted, const float* rows, std::size_t count, float* logits) {
  const std::size_t outputs = boosted.offsets.size();
  std::vector<double> sums(count * outputs);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = boosted.offsets[i % outputs];
  // A tree stays in the first cache while all rows of the block go through it.
  for (std::size_t t = 0; t < boosted.trees.size(); ++t) {
    const Tree& tree = boosted.trees[t];
    double* const sum = sums.data() + t % outputs;
    for (std::size_t i = 0; i < count; ++i) {
      sum[i * outputs] += leaf_of(tree, rows + i * boosted.inputs);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const float* const row = rows + i * boosted.inputs;
    const bool is_usable =
        std::all_of(row, row + boosted.inputs, [](float value) { return std::isfinite(value); });
    for (std::size_t o = 0; o < outputs; ++o) {
      logits[i * outputs + o] = is_usable ? static_cast<float>(sums[i * outputs + o])
                                          : std::numeric_limits<float>::quiet_NaN();
    }
  }
}

}  // namespace noiseplus
