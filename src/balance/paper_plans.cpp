#include <cmath>
#include <limits>
#include <memory>

#include "balance/balanced_neighbors.h"
#include "balance/bisection.h"
#include "balance/even_flips.h"
#include "core/checks.h"
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
  auto sample = std::make_shared<SampleAgreements>(source, codes, classes, variant);
  return [sample, codes, classes, seed = source.seed](std::span<const double> epsilons) {
    const FlipPlan plan{classes, evenly({epsilons.begin(), epsilons.end()})};
    std::vector<double> shares;
    for (const LabelAgreement& of_class : sample->of(apply(plan, codes, seed))) {
      shares.push_back(of_class.share());
    }
    return shares.empty() ? std::vector<double>(classes, unknown) : shares;
  };
}

// The labels of one group; those of other rows are -1.
std::vector<std::int32_t> inside(std::vector<std::int32_t> labels,
                                 std::span<const std::int32_t> groups, std::size_t group) {
  for (std::size_t n = 0; n < labels.size(); ++n) {
    if (static_cast<std::size_t>(groups[n]) != group) labels[n] = -1;
  }
  return labels;
}

// One group's agreement as a function of its flip.
class GroupAgreement {
 public:
  GroupAgreement(const NeighborSource& source, std::span<const std::int32_t> codes,
                 std::size_t classes, std::span<const std::int32_t> groups, std::size_t group,
                 std::optional<std::int32_t> positive, PaperVariant variant)
      : codes_(codes),
        groups_(groups),
        classes_(classes),
        group_(group),
        positive_(positive),
        seed_(source.seed),
        sample_(source, inside({codes.begin(), codes.end()}, groups, group), classes, variant) {}

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
    // As if all groups were flipped alike; those of others do not matter.
    const FlipPlan plan{classes_, evenly(std::vector<double>(classes_, epsilon))};
    const std::vector<LabelAgreement> of_classes =
        sample_.of(inside(apply(plan, codes_, seed_), groups_, group_));
    if (of_classes.empty()) return unknown;
    if (positive_) return of_classes[static_cast<std::size_t>(*positive_)].share();
    LabelAgreement all;
    for (const LabelAgreement& of_class : of_classes) {
      all.rows += of_class.rows;
      all.agreeing += of_class.agreeing;
    }
    return all.share();
  }

  std::span<const std::int32_t> codes_, groups_;
  std::size_t classes_, group_;
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
  const RarestClass rarest = rarest_class(codes, classes);
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
  std::vector<GroupAgreement> agreements;
  for (std::size_t g = 0; g < group_names.size(); ++g) {
    agreements.emplace_back(source, codes, classes, groups, g, positive, search.variant);
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
