#include "noise/giveaway/small_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace noiseplus {
namespace {

constexpr std::int32_t no_node = -1;

// How a node may be split. The purity is the sum over both sides of (sum of squared counts) / rows.
struct Split {
  double purity = 0;
  std::int32_t column = -1;
  float threshold = 0;
};

// A value between both that rows below do not exceed and rows above do.
float midpoint(float low, float high) {
  const float middle = low + (high - low) / 2;
  return middle < high && std::isfinite(middle) ? std::max(low, middle) : low;
}

// The side of a node that a pass over sorted rows has seen so far.
struct Seen {
  std::vector<double> counts;  // by class
  double rows = 0, squares = 0, squares_right = 0;
  float last = 0;
};

class Grower {
 public:
  Grower(const ColumnSample& sample, std::span<const char> is_used,
         std::span<const std::size_t> columns, ThreadPool& pool)
      : sample_(sample), columns_(columns), pool_(pool), node_of_(sample.rows, no_node) {
    orders_.resize(columns.size());
    std::vector<std::uint32_t> rows;
    for (std::size_t n = 0; n < sample.rows; ++n) {
      if (is_used[n] == 0) continue;
      rows.push_back(static_cast<std::uint32_t>(n));
      node_of_[n] = 0;
    }
    pool_.for_each(columns.size(), [&](std::size_t c) {
      const std::vector<float>& values = sample_.columns[columns_[c]];
      std::vector<std::pair<float, std::uint32_t>> sorted;
      sorted.reserve(rows.size());
      for (const std::uint32_t row : rows) sorted.emplace_back(values[row], row);
      std::sort(sorted.begin(), sorted.end());
      orders_[c].reserve(rows.size());
      for (const auto& [value, row] : sorted) orders_[c].push_back(row);
    });
    nodes_.emplace_back();
    totals_.emplace_back(sample.classes);
    for (const std::uint32_t row : rows) totals_[0][label(row)] += 1;
    describe(0);
  }

  std::vector<SmallTree::Node> run(int max_depth) {
    for (int depth = 0; depth < max_depth && split_level(); ++depth) {
    }
    return std::move(nodes_);
  }

 private:
  std::size_t label(std::size_t row) const { return static_cast<std::size_t>(sample_.labels[row]); }

  void describe(std::size_t node) {
    const std::vector<double>& counts = totals_[node];
    const auto most = std::max_element(counts.begin(), counts.end());
    const double rows = std::accumulate(counts.begin(), counts.end(), 0.0);
    nodes_[node].label = static_cast<std::int32_t>(most - counts.begin());
    nodes_[node].rows = static_cast<std::size_t>(rows);
    nodes_[node].errors = static_cast<std::size_t>(rows - *most);
  }

  // The best split of each node from `first_` on, by one column.
  std::vector<Split> splits_by(std::size_t c) const {
    const std::size_t open = nodes_.size() - first_;
    std::vector<Split> best(open);
    std::vector<Seen> seen(open);
    for (std::size_t i = 0; i < open; ++i) {
      seen[i].counts.resize(sample_.classes);
      for (const double count : totals_[first_ + i]) seen[i].squares_right += count * count;
    }
    const std::vector<float>& values = sample_.columns[columns_[c]];
    for (const std::uint32_t row : orders_[c]) {
      const auto node = static_cast<std::size_t>(node_of_[row]);
      if (node < first_ || nodes_[node].errors == 0) continue;
      Seen& left = seen[node - first_];
      const float value = values[row];
      const auto all = static_cast<double>(nodes_[node].rows);
      if (left.rows > 0 && value > left.last) {
        const double purity = left.squares / left.rows + left.squares_right / (all - left.rows);
        Split& split = best[node - first_];
        if (purity > split.purity) {
          split = {purity, static_cast<std::int32_t>(columns_[c]), midpoint(left.last, value)};
        }
      }
      const std::size_t own = label(row);
      const double on_left = left.counts[own]++;
      const double on_right = totals_[node][own] - on_left;
      left.squares += 2 * on_left + 1;
      left.squares_right -= 2 * on_right - 1;
      left.rows += 1;
      left.last = value;
    }
    return best;
  }

  // False when no node could be split.
  bool split_level() {
    std::vector<std::vector<Split>> found(columns_.size());
    pool_.for_each(columns_.size(), [&](std::size_t c) { found[c] = splits_by(c); });
    const std::size_t begin = first_, end = nodes_.size();
    for (std::size_t node = begin; node < end; ++node) {
      Split best;
      for (const std::vector<Split>& splits : found) {
        if (splits[node - begin].purity > best.purity) best = splits[node - begin];
      }
      if (best.column < 0) continue;
      nodes_[node].column = best.column;
      nodes_[node].threshold = best.threshold;
      nodes_[node].left = static_cast<std::int32_t>(nodes_.size());
      nodes_[node].right = nodes_[node].left + 1;
      nodes_.resize(nodes_.size() + 2);
      totals_.resize(nodes_.size(), std::vector<double>(sample_.classes));
    }
    first_ = end;
    if (nodes_.size() == end) return false;
    for (std::size_t n = 0; n < sample_.rows; ++n) {
      if (node_of_[n] == no_node) continue;
      const SmallTree::Node& node = nodes_[static_cast<std::size_t>(node_of_[n])];
      if (node.column < 0) continue;
      const float value = sample_.columns[static_cast<std::size_t>(node.column)][n];
      node_of_[n] = value > node.threshold ? node.right : node.left;
      if (static_cast<std::size_t>(node_of_[n]) >= first_) {
        totals_[static_cast<std::size_t>(node_of_[n])][label(n)] += 1;
      }
    }
    for (std::size_t node = first_; node < nodes_.size(); ++node) describe(node);
    return true;
  }

  const ColumnSample& sample_;
  std::span<const std::size_t> columns_;
  ThreadPool& pool_;
  std::vector<std::int32_t> node_of_;               // of each row
  std::vector<std::vector<std::uint32_t>> orders_;  // of each column: its rows by value
  std::vector<SmallTree::Node> nodes_;
  std::vector<std::vector<double>> totals_;  // of each node, by class
  std::size_t first_ = 0;                    // node of the lowest level
};

}  // namespace

SmallTree SmallTree::grow(const ColumnSample& sample, std::span<const char> is_used,
                          std::span<const std::size_t> columns, const SmallTreeOptions& options,
                          ThreadPool& pool) {
  SmallTree tree;
  tree.nodes_ = Grower(sample, is_used, columns, pool).run(options.max_depth);
  tree.prune(0, options.min_saved_errors);
  return tree;
}

std::size_t SmallTree::leaf_of(const ColumnSample& sample, std::size_t row) const {
  std::size_t at = 0;
  while (nodes_[at].column >= 0) {
    const float value = sample.columns[static_cast<std::size_t>(nodes_[at].column)][row];
    at =
        static_cast<std::size_t>(value > nodes_[at].threshold ? nodes_[at].right : nodes_[at].left);
  }
  return at;
}

std::int32_t SmallTree::predict(const ColumnSample& sample, std::size_t row) const {
  return nodes_[leaf_of(sample, row)].label;
}

std::size_t SmallTree::leaves(std::size_t node) const {
  const Node& at = nodes_[node];
  if (at.column < 0) return 1;
  return leaves(static_cast<std::size_t>(at.left)) + leaves(static_cast<std::size_t>(at.right));
}

std::size_t SmallTree::errors(std::size_t node) const {
  const Node& at = nodes_[node];
  if (at.column < 0) return at.errors;
  return errors(static_cast<std::size_t>(at.left)) + errors(static_cast<std::size_t>(at.right));
}

void SmallTree::prune(std::size_t node, double min_saved_errors) {
  Node& at = nodes_[node];
  if (at.column < 0) return;
  prune(static_cast<std::size_t>(at.left), min_saved_errors);
  prune(static_cast<std::size_t>(at.right), min_saved_errors);
  const double saved = static_cast<double>(at.errors) - static_cast<double>(errors(node));
  if (saved < min_saved_errors * static_cast<double>(leaves(node) - 1)) at.column = -1;
}

}  // namespace noiseplus
