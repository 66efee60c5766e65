#include <cmath>
#include <limits>
#include <memory>

#include "balance/balanced_neighbors.h"
#include "balance/bisection.h"
#include "balance/even_flips.h"
#include "core/checks.h"
#include "data/draw_label.h"
#include "noiseplus/balance.h"

namespace noiseplus {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

void check_input(RowsView rows, const NeighborGraph& graph, std::span<const std::int32_t> codes,
                 std::size_t classes, const PaperSearch& search) {
  check_classes(classes);
  check_paper_input(rows, graph, codes, search.variant, search.metric);
  check_codes(codes, classes);
  check_search(search.options);
}

std::vector<std::string> full_names(const std::string& kind, std::span<const std::string> names) {
  std::vector<std::string> full;
  for (std::size_t i = 0; i < names.size(); ++i) full.push_back(name_of(kind, names, i));
  return full;
}

PartAgreements class_agreements(const NeighborSource& source, std::span<const std::int32_t> codes,
                                std::size_t classes, PaperVariant variant) {
  auto among = std::make_shared<const std::vector<std::uint32_t>>(all_rows(codes.size()));
  auto sample = std::make_shared<SampleAgreements>(source, codes, *among, classes, variant);
  return [among, sample, codes, classes, seed = source.seed](std::span<const double> epsilons) {
    const FlipPlan plan{classes, evenly({epsilons.begin(), epsilons.end()})};
    std::vector<double> shares;
    for (const LabelAgreement& of_class : sample->of(apply(plan, codes, seed), *among)) {
      shares.push_back(of_class.share());
    }
    return shares.empty() ? std::vector<double>(classes, unknown) : shares;
  };
}

// The rows of each group, in ascending order.
std::vector<std::vector<std::uint32_t>> rows_by_group(std::span<const std::int32_t> groups,
                                                      std::size_t count) {
  std::vector<std::vector<std::uint32_t>> rows(count);
  for (std::size_t n = 0; n < groups.size(); ++n) {
    rows[static_cast<std::size_t>(groups[n])].push_back(static_cast<std::uint32_t>(n));
  }
  return rows;
}

// One group's agreement as a function of its flip. A call takes the time of the group's own rows.
class GroupAgreement {
 public:
  // `flipped` has room for one label per row of the matrix; groups may share it.
  GroupAgreement(const NeighborSource& source, std::span<const std::int32_t> codes,
                 std::size_t classes, std::span<const std::uint32_t> rows,
                 std::optional<std::int32_t> positive, PaperVariant variant,
                 std::span<std::int32_t> flipped)
      : codes_(codes),
        rows_(rows),
        flipped_(flipped),
        classes_(classes),
        positive_(positive),
        seed_(source.seed),
        sample_(source, codes, rows, classes, variant) {}

  // Only one group's flip changes at a time: what was found for the last is kept.
  double at(double epsilon) {
    if (epsilon != last_epsilon_) {
      last_epsilon_ = epsilon;
      last_ = count(epsilon);
    }
    return last_;
  }

 private:
  double count(double epsilon) {
    const std::vector<double> flip = evenly(std::vector<double>(classes_, epsilon));
    for (const std::uint32_t n : rows_) {
      flipped_[n] = draw_label(codes_[n], classes_, flip, uniform(seed_, Stream::flip, n));
    }
    const std::vector<LabelAgreement> of_classes = sample_.of(flipped_, rows_);
    if (of_classes.empty()) return unknown;
    if (positive_) return of_classes[static_cast<std::size_t>(*positive_)].share();
    LabelAgreement all;
    for (const LabelAgreement& of_class : of_classes) {
      all.rows += of_class.rows;
      all.agreeing += of_class.agreeing;
    }
    return all.share();
  }

  std::span<const std::int32_t> codes_;
  std::span<const std::uint32_t> rows_;
  std::span<std::int32_t> flipped_;
  std::size_t classes_;
  std::optional<std::int32_t> positive_;
  std::uint64_t seed_;
  SampleAgreements sample_;
  double last_epsilon_ = -1;
  double last_ = unknown;
};

}  // namespace

PaperPlan paper_classes_plan(RowsView rows, const NeighborGraph& graph,
                             std::span<const std::int32_t> codes,
                             std::span<const std::string> class_names, const PaperSearch& search,
                             const Execution& execution) {
  const std::size_t classes = class_names.size();
  check_input(rows, graph, codes, classes, search);
  const RarestClass rarest = rarest_class(codes, all_rows(codes.size()), classes);
  if (rarest.rows < min_rows_to_agree) {
    throw Error(ErrorKind::impossible,
                name_of("class", class_names, rarest.code) + " has " + std::to_string(rarest.rows) +
                    " rows, and agreements need " + std::to_string(min_rows_to_agree) +
                    " of each class; leave it out");
  }
  const NeighborSource source{rows, graph, search.seed, search.metric, execution};
  PaperPlan result;
  result.search = search_flips(class_agreements(source, codes, classes, search.variant),
                               full_names("class", class_names), search.options);
  result.plan = {classes, evenly(result.search.epsilons())};
  return result;
}

PaperPlan paper_groups_plan(RowsView rows, const NeighborGraph& graph,
                            std::span<const std::int32_t> codes,
                            std::span<const std::string> class_names,
                            std::span<const std::int32_t> groups,
                            std::span<const std::string> group_names,
                            std::optional<std::int32_t> positive, const PaperSearch& search,
                            const Execution& execution) {
  const std::size_t classes = class_names.size();
  check_input(rows, graph, codes, classes, search);
  check_one_per_row(groups.size(), rows.rows, "groups");
  check_codes(groups, group_names.size(), "group");
  if (positive) check_class(*positive, classes);
  const NeighborSource source{rows, graph, search.seed, search.metric, execution};
  const std::vector<std::vector<std::uint32_t>> by_group =
      rows_by_group(groups, group_names.size());
  std::vector<std::int32_t> flipped(rows.rows);
  std::vector<GroupAgreement> agreements;
  agreements.reserve(by_group.size());
  for (const std::vector<std::uint32_t>& of_group : by_group) {
    agreements.emplace_back(source, codes, classes, of_group, positive, search.variant, flipped);
  }
  const PartAgreements of_groups = [&](std::span<const double> epsilons) {
    std::vector<double> found;
    for (std::size_t g = 0; g < epsilons.size(); ++g)
      found.push_back(agreements[g].at(epsilons[g]));
    return found;
  };
  PaperPlan result;
  result.search = search_flips(of_groups, full_names("group", group_names), search.options);
  result.plan = even_groups(result.search.epsilons(), classes);
  return result;
}

}  // namespace noiseplus
