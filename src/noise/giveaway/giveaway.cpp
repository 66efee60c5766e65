// Whether labels are a short function of a few columns. The criterion, with what it was measured
// on, is in docs/estimators.md.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "core/checks.h"
#include "data/checks.h"
#include "noise/giveaway/small_tree.h"
#include "noise/scores.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

// Fewer rows reproduce labels by chance.
constexpr std::size_t min_rows = 50;
constexpr std::size_t max_sample = 20000, min_sample = 500, max_sample_values = 4000000;
// Nearly all data sets are done with after a look at so many rows.
constexpr std::size_t first_look = 2000;
constexpr double first_look_slack = .02;

// Share of labels that may be missed, and that share relative to the error of always answering with
// the most frequent label.
constexpr double max_error = .01;
constexpr double max_relative_error = .1;
// The other columns reproduce the labels clearly less if they miss more than both.
constexpr double min_extra_error = .01;
constexpr double min_error_ratio = 3;

constexpr int rule_depth = 3;
constexpr std::size_t max_rule_columns = 3;
constexpr int id_depth = 12;
constexpr std::size_t max_id_blocks = 64;
constexpr int rest_depth = 8;
constexpr std::size_t min_distinct_ids = 20;

// A gap between two clusters: on both sides the rows become rarer towards it by this factor.
constexpr double min_dip = 3, min_dip_of_few = 2;
constexpr std::size_t few_near = 10;
constexpr std::size_t min_distinct_values = 6;
// Fewer rows on a side do not show how they lie.
constexpr std::size_t min_side = 20;
// A smooth change from one class to the other: errors gather among the tenth of the rows that are
// nearest to it.
constexpr double min_gathered = .5;
constexpr std::size_t min_gathered_errors = 2;

// A column of the user's: where its values are in the matrix.
struct SourceColumn {
  std::string name;
  std::size_t first = 0, width = 1;
  bool is_text = false;
  bool is_date = false;
  double offset = 0, scale = 1;            // of numbers: (x - offset) * scale is in the matrix
  std::vector<std::string> output_values;  // of texts: what each column of the matrix stands for
  bool indicates_missing = false;
};

std::size_t width_of(const Encoder::Part& part) {
  const std::size_t values =
      part.is_text ? part.categories.size() + (part.pools_rare ? 1 : 0) : std::size_t{1};
  return values + (part.indicates_missing ? 1 : 0);
}

std::vector<SourceColumn> source_columns(const Dataset& dataset) {
  std::vector<SourceColumn> sources;
  const std::size_t columns = dataset.features.view().columns;
  if (!dataset.recipe.encoder) {
    for (std::size_t c = 0; c < columns; ++c) {
      sources.push_back(
          {.name = dataset.feature_names.empty() ? std::to_string(c + 1) : dataset.feature_names[c],
           .first = c,
           .output_values = {}});
    }
    return sources;
  }
  std::size_t first = 0;
  for (const Encoder::Part& part : dataset.recipe.encoder->parts) {
    SourceColumn source{.name = part.column,
                        .first = first,
                        .width = width_of(part),
                        .is_text = part.is_text,
                        .is_date = part.date.has_value(),
                        .offset = part.offset,
                        .scale = part.scale,
                        .output_values = part.categories,
                        .indicates_missing = part.indicates_missing};
    first += source.width;
    sources.push_back(std::move(source));
  }
  return sources;
}

ColumnSample take_sample(const Dataset& dataset, const std::vector<std::uint32_t>& rows) {
  const RowsView view = dataset.features.view();
  ColumnSample sample;
  sample.rows = rows.size();
  sample.classes = dataset.labels.classes.size();
  sample.columns.assign(view.columns, std::vector<float>(rows.size()));
  sample.labels.reserve(rows.size());
  std::vector<float> buffer(view.columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const float* row = view.row(rows[i], buffer.data());
    for (std::size_t c = 0; c < view.columns; ++c) {
      const float value = row[c];
      // What is missing comes before all that is not.
      sample.columns[c][i] = std::isfinite(value) ? value : std::numeric_limits<float>::lowest();
    }
    sample.labels.push_back(dataset.labels.codes[rows[i]]);
  }
  return sample;
}

std::vector<std::uint32_t> every_nth(const std::vector<std::uint32_t>& rows, std::size_t count) {
  if (rows.size() <= count) return rows;
  std::vector<std::uint32_t> some;
  some.reserve(count);
  for (std::size_t i = 0; i < count; ++i) some.push_back(rows[i * rows.size() / count]);
  return some;
}

class GiveawaySearch {
 public:
  GiveawaySearch(const Dataset& dataset, std::uint64_t seed, const Execution& execution)
      : dataset_(dataset),
        seed_(seed),
        pool_(execution.threads),
        meter_(execution, "labels and columns", 4),
        sources_(source_columns(dataset)) {}

  std::optional<Giveaway> run() {
    const RowsView view = dataset_.features.view();
    const std::size_t classes = dataset_.labels.classes.size();
    if (view.rows < min_rows || classes < 2 || view.columns == 0) return std::nullopt;
    const std::vector<std::size_t> class_rows = count_labels(dataset_.labels.codes, classes);
    const double majority =
        static_cast<double>(*std::max_element(class_rows.begin(), class_rows.end())) /
        static_cast<double>(view.rows);
    limit_ = std::min(max_error, max_relative_error * (1 - majority));
    const std::size_t size = std::clamp(max_sample_values / view.columns, min_sample, max_sample);
    const std::vector<std::uint32_t> rows = sample_rows(view.rows, size, seed_, Stream::anchors);
    use(take_sample(dataset_, every_nth(rows, first_look)), rows);
    std::vector<std::size_t> promising = promising_columns();
    meter_.step();
    const bool rule_is_promising = promising.empty() && is_promising_rule();
    meter_.step();
    if (promising.empty() && !rule_is_promising) return std::nullopt;
    if (rows.size() > first_look) use(take_sample(dataset_, rows), rows);
    std::optional<Giveaway> found = promising.empty() ? by_rule() : by_columns(promising);
    meter_.step();
    meter_.finish();
    return found;
  }

 private:
  void use(ColumnSample sample, const std::vector<std::uint32_t>& rows) {
    sample_ = std::move(sample);
    all_.assign(sample_.rows, 1);
    for (int f = 0; f < 2; ++f) {
      folds_[f].assign(sample_.rows, 0);
      for (std::size_t n = 0; n < sample_.rows; ++n) {
        const std::uint64_t drawn = hash(seed_, Stream::folds, rows[n]);
        folds_[f][n] = (drawn & 1) == static_cast<std::uint64_t>(f) ? 1 : 0;
      }
    }
  }

  SmallTreeOptions tree_options(int depth) const {
    constexpr double min_saved_share = .001;
    return {depth, std::max(1.5, min_saved_share * static_cast<double>(sample_.rows))};
  }

  // Enough for a threshold between any two classes, and two more levels for bands.
  int depth_of(const SourceColumn& source) const {
    if (is_id(source)) return id_depth;
    return static_cast<int>(std::bit_width(sample_.classes)) + 2;
  }

  std::size_t max_leaves(const SourceColumn& source) const {
    return is_id(source) ? max_id_blocks : std::max<std::size_t>(5, 2 * sample_.classes);
  }

  // A counter, an id or a time that grows from row to row. The sample is in the order of rows.
  bool is_id(const SourceColumn& source) const {
    if (source.is_text || source.width != 1) return false;
    const std::vector<float>& values = sample_.columns[source.first];
    std::size_t rises = 0, falls = 0;
    for (std::size_t n = 1; n < values.size(); ++n) {
      rises += values[n] > values[n - 1] ? 1 : 0;
      falls += values[n] < values[n - 1] ? 1 : 0;
    }
    return std::max(rises, falls) >= min_distinct_ids && std::min(rises, falls) == 0;
  }

  static std::vector<std::size_t> columns_of(const SourceColumn& source) {
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < source.width; ++c) columns.push_back(source.first + c);
    return columns;
  }

  // Of texts: which of the matrix's columns is set, or `width` where none is.
  std::size_t value_of(const SourceColumn& source, std::size_t row) const {
    for (std::size_t c = 0; c < source.width; ++c) {
      if (sample_.columns[source.first + c][row] > .5F) return c;
    }
    return source.width;
  }

  std::size_t text_errors(const SourceColumn& source, const std::vector<char>& grown_from,
                          const std::vector<char>& tested_on) const {
    const std::size_t values = source.width + 1, classes = sample_.classes;
    std::vector<std::size_t> counts(values * classes), all(classes);
    for (std::size_t n = 0; n < sample_.rows; ++n) {
      if (grown_from[n] == 0) continue;
      const auto label = static_cast<std::size_t>(sample_.labels[n]);
      ++counts[value_of(source, n) * classes + label];
      ++all[label];
    }
    std::vector<std::int32_t> answers;
    for (std::size_t v = 0; v < values; ++v) {
      const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(v * classes);
      const auto end = begin + static_cast<std::ptrdiff_t>(classes);
      const auto most = std::max_element(begin, end);
      answers.push_back(static_cast<std::int32_t>(
          *most > 0 ? most - begin : std::max_element(all.begin(), all.end()) - all.begin()));
    }
    std::size_t errors = 0;
    for (std::size_t n = 0; n < sample_.rows; ++n) {
      if (tested_on[n] == 0) continue;
      errors += answers[value_of(source, n)] != sample_.labels[n] ? 1 : 0;
    }
    return errors;
  }

  double share_of(std::size_t errors) const {
    return static_cast<double>(errors) / static_cast<double>(sample_.rows);
  }

  // Out of fold.
  double tree_error(const std::vector<std::size_t>& columns, int depth) {
    if (columns.empty()) return 1;
    std::size_t errors = 0;
    for (int f = 0; f < 2; ++f) {
      const SmallTree tree =
          SmallTree::grow(sample_, folds_[f], columns, tree_options(depth), pool_);
      for (std::size_t n = 0; n < sample_.rows; ++n) {
        if (folds_[f][n] != 0) continue;
        errors += tree.predict(sample_, n) != sample_.labels[n] ? 1 : 0;
      }
    }
    return share_of(errors);
  }

  double column_error(const SourceColumn& source) {
    if (!source.is_text) return tree_error(columns_of(source), depth_of(source));
    return share_of(text_errors(source, folds_[0], folds_[1]) +
                    text_errors(source, folds_[1], folds_[0]));
  }

  SmallTree tree_of_all(const std::vector<std::size_t>& columns, int depth) {
    return SmallTree::grow(sample_, all_, columns, tree_options(depth), pool_);
  }

  std::vector<std::size_t> promising_columns() {
    std::vector<char> is_promising(sources_.size());
    pool_.for_each(sources_.size(), [&](std::size_t s) {
      const SourceColumn& source = sources_[s];
      ThreadPool alone(1);
      const std::size_t errors = source.is_text
                                     ? text_errors(source, all_, all_)
                                     : SmallTree::grow(sample_, all_, columns_of(source),
                                                       tree_options(depth_of(source)), alone)
                                           .errors();
      is_promising[s] = share_of(errors) <= limit_ + first_look_slack ? 1 : 0;
    });
    std::vector<std::size_t> promising;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      if (is_promising[s] != 0) promising.push_back(s);
    }
    return promising;
  }

  std::vector<std::size_t> all_columns() const {
    std::vector<std::size_t> columns;
    for (const SourceColumn& source : sources_) {
      for (const std::size_t column : columns_of(source)) columns.push_back(column);
    }
    return columns;
  }

  bool is_promising_rule() {
    return share_of(tree_of_all(all_columns(), rule_depth).errors()) <= limit_ + first_look_slack;
  }

  struct Near {
    double distance = 0;  // from a threshold
    bool is_wrong = false;
  };

  // A code or a small count is not measured on a scale. REQUIRES: sorted by distance.
  static bool has_scale(const std::vector<Near>& side) {
    std::size_t distinct = side.empty() ? 0 : 1;
    for (std::size_t i = 1; i < side.size(); ++i) {
      distinct += side[i].distance > side[i - 1].distance ? 1 : 0;
    }
    return distinct >= min_distinct_values;
  }

  // Whether rows become rare towards the threshold. REQUIRES: sorted by distance.
  static bool has_dip(const std::vector<Near>& side) {
    const std::size_t rows = side.size();
    const std::size_t near = std::max(rows / 100, std::min<std::size_t>(5, rows / 4));
    const std::size_t far = std::min(10 * near, rows / 2);
    if (far <= near) return false;
    const double near_density = static_cast<double>(near) / side[near - 1].distance;
    const double far_width = side[far - 1].distance - side[near - 1].distance;
    const double wanted = near < few_near ? min_dip_of_few : min_dip;
    return static_cast<double>(far - near) > wanted * near_density * far_width;
  }

  // Whether the split runs where clusters have their gap, or where one class goes over into the
  // other: both are what measurements of separate classes look like. A threshold that somebody set
  // divides rows that are next to each other, and without errors.
  bool is_natural_split(const SmallTree& tree, std::size_t split) const {
    const SmallTree::Node& node = tree.nodes()[split];
    const std::vector<float>& values = sample_.columns[static_cast<std::size_t>(node.column)];
    std::vector<Near> sides[2];
    for (std::size_t n = 0; n < sample_.rows; ++n) {
      if (!passes(tree, split, n)) continue;
      const double beyond = static_cast<double>(values[n]) - static_cast<double>(node.threshold);
      sides[beyond > 0 ? 1 : 0].push_back(
          {std::abs(beyond), tree.predict(sample_, n) != sample_.labels[n]});
    }
    bool dips = true;
    std::size_t wrong = 0, wrong_near = 0;
    for (std::vector<Near>& side : sides) {
      std::sort(side.begin(), side.end(),
                [](const Near& a, const Near& b) { return a.distance < b.distance; });
      if (!has_scale(side)) return false;
      if (side.size() < min_side) return true;
      dips = dips && has_dip(side);
      const double tenth = side.empty() ? 0 : side[side.size() / 10].distance;
      for (const Near& row : side) {
        wrong += row.is_wrong ? 1 : 0;
        wrong_near += row.is_wrong && row.distance <= tenth ? 1 : 0;
      }
    }
    const bool gather = wrong >= min_gathered_errors &&
                        static_cast<double>(wrong_near) > min_gathered * static_cast<double>(wrong);
    return dips || gather;
  }

  bool passes(const SmallTree& tree, std::size_t through, std::size_t row) const {
    std::size_t at = 0;
    while (at != through) {
      const SmallTree::Node& node = tree.nodes()[at];
      if (node.column < 0) return false;
      const float value = sample_.columns[static_cast<std::size_t>(node.column)][row];
      at = static_cast<std::size_t>(value > node.threshold ? node.right : node.left);
    }
    return true;
  }

  bool is_natural(const SmallTree& tree, std::size_t at = 0) const {
    const SmallTree::Node& node = tree.nodes()[at];
    if (node.column < 0) return true;
    return is_natural_split(tree, at) && is_natural(tree, static_cast<std::size_t>(node.left)) &&
           is_natural(tree, static_cast<std::size_t>(node.right));
  }

  // Whether the columns that are left reproduce clearly fewer labels: then these alone know them.
  bool rest_knows_less(const std::set<std::size_t>& giving, double error) {
    std::vector<std::size_t> rest;
    for (std::size_t s = 0; s < sources_.size(); ++s) {
      if (giving.contains(s)) continue;
      for (const std::size_t column : columns_of(sources_[s])) rest.push_back(column);
    }
    return tree_error(rest, rest_depth) >
           std::max(error + min_extra_error, min_error_ratio * error);
  }

  std::optional<Giveaway> by_columns(const std::vector<std::size_t>& promising) {
    std::set<std::size_t> giving;
    double min_error = 1;
    std::size_t best = 0;
    for (const std::size_t s : promising) {
      const SourceColumn& source = sources_[s];
      const double error = column_error(source);
      if (error > limit_) continue;
      if (!source.is_text && !is_id(source)) {
        const SmallTree tree = tree_of_all(columns_of(source), depth_of(source));
        if (tree.leaves() > max_leaves(source) || is_natural(tree)) continue;
      }
      giving.insert(s);
      if (error < min_error) {
        min_error = error;
        best = s;
      }
    }
    if (giving.empty() || !rest_knows_less(giving, min_error)) return std::nullopt;
    Giveaway found;
    found.kind = is_id(sources_[best]) ? GiveawayKind::id : GiveawayKind::column;
    found.columns.push_back(sources_[best].name);
    for (const std::size_t s : giving) {
      if (s != best) found.columns.push_back(sources_[s].name);
    }
    found.share = 1 - min_error;
    if (!sources_[best].is_text) {
      found.rule = words_of(tree_of_all(columns_of(sources_[best]), depth_of(sources_[best])));
    }
    return found;
  }

  std::size_t source_of(std::size_t column) const {
    std::size_t s = 0;
    while (s + 1 < sources_.size() && sources_[s + 1].first <= column) ++s;
    return s;
  }

  std::optional<Giveaway> by_rule() {
    const double error = tree_error(all_columns(), rule_depth);
    if (error > limit_) return std::nullopt;
    const SmallTree tree = tree_of_all(all_columns(), rule_depth);
    std::set<std::size_t> giving;
    collect_columns(tree, 0, giving);
    if (giving.size() > max_rule_columns || is_natural(tree) || !rest_knows_less(giving, error)) {
      return std::nullopt;
    }
    Giveaway found;
    found.kind = giving.size() == 1 ? GiveawayKind::column : GiveawayKind::rule;
    for (const std::size_t s : giving) found.columns.push_back(sources_[s].name);
    found.share = 1 - error;
    found.rule = words_of(tree);
    return found;
  }

  void collect_columns(const SmallTree& tree, std::size_t at, std::set<std::size_t>& found) const {
    const SmallTree::Node& node = tree.nodes()[at];
    if (node.column < 0) return;
    found.insert(source_of(static_cast<std::size_t>(node.column)));
    collect_columns(tree, static_cast<std::size_t>(node.left), found);
    collect_columns(tree, static_cast<std::size_t>(node.right), found);
  }

  std::string condition(const SmallTree::Node& node, bool is_above) const {
    const auto column = static_cast<std::size_t>(node.column);
    const SourceColumn& source = sources_[source_of(column)];
    const std::size_t output = column - source.first;
    const std::string name = '\'' + source.name + '\'';
    const std::string is = is_above ? " is " : " is not ";
    const bool is_last = output + 1 == source.width;
    if (source.indicates_missing && is_last) return name + is + "missing";
    if (source.is_text && output < source.output_values.size()) {
      return name + is + '\'' + source.output_values[output] + '\'';
    }
    if (source.is_text) return name + is + "rare";
    const double threshold = static_cast<double>(node.threshold) / source.scale + source.offset;
    if (source.is_date) return name + (is_above ? " > " : " <= ") + format_date(threshold);
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", threshold);
    return name + (is_above ? " > " : " <= ") + text;
  }

  void add_paths(const SmallTree& tree, std::size_t at, const std::string& before,
                 std::string& text) const {
    const SmallTree::Node& node = tree.nodes()[at];
    if (node.column < 0) {
      text += (text.empty() ? "" : "; ") + before + ": '" +
              dataset_.labels.classes[static_cast<std::size_t>(node.label)] + '\'';
      return;
    }
    const std::string join = before.empty() ? "" : before + " and ";
    add_paths(tree, static_cast<std::size_t>(node.left), join + condition(node, false), text);
    add_paths(tree, static_cast<std::size_t>(node.right), join + condition(node, true), text);
  }

  // Empty where it is not short.
  std::string words_of(const SmallTree& tree) const {
    constexpr std::size_t max_leaves_told = 6, max_size = 400;
    if (tree.leaves() < 2 || tree.leaves() > max_leaves_told) return "";
    std::string text;
    add_paths(tree, 0, "", text);
    return text.size() > max_size ? "" : text;
  }

  const Dataset& dataset_;
  std::uint64_t seed_;
  ThreadPool pool_;
  ProgressMeter meter_;
  std::vector<SourceColumn> sources_;
  double limit_ = 0;  // share of labels that may be missed
  ColumnSample sample_;
  std::vector<char> all_, folds_[2];  // of each row of the sample: whether it takes part
};

}  // namespace

std::string_view to_string(GiveawayKind kind) {
  switch (kind) {
    case GiveawayKind::column:
      return "column";
    case GiveawayKind::rule:
      return "rule";
    case GiveawayKind::id:
      return "id";
  }
  return "";
}

std::optional<Giveaway> find_giveaway(const Dataset& dataset, std::uint64_t seed,
                                      const Execution& execution) {
  check_dataset(dataset);
  return GiveawaySearch(dataset, seed, execution).run();
}

}  // namespace noiseplus
