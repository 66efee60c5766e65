// Stage 5, balance: flip a few labels of the cleaner classes, or groups, so that all are equally
// noisy.
//
// A flip is random but reproducible: row n has one uniform number u_n = uniform(seed, flip, n), and
// is flipped where u_n < epsilon. Flips are therefore nested: a larger epsilon flips the same rows
// and more.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "noiseplus/core.h"
#include "noiseplus/neighbors.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// What to flip, with what probability: for each group of rows (one, unless said otherwise) a
// row-stochastic matrix, row = given label, column = new label. Entry (i, j) of group g is at
// (g * classes + i) * classes + j.
struct FlipPlan {
  std::size_t classes = 2;
  std::vector<double> flip;
  std::size_t groups = 1;

  // All functions here throw usage when classes, groups, probabilities or sizes do not fit.
  static FlipPlan nothing(std::size_t classes);
  // Labels of one of two classes, 0 or 1, are turned into the other with probability epsilon.
  static FlipPlan of_two(std::size_t flipped_class, double epsilon);

  bool flips_nothing() const;
  // T * F: the transition matrix of a group after the flip, given the one before.
  std::vector<double> after(std::span<const double> transition, std::size_t group = 0) const;
  std::span<const double> of_group(std::size_t group) const;
};

// The flip that makes the rates of the estimate equal. Two classes: with s = 1 - e+ + e-, labels 1
// with epsilon = 1 - 1/s when s > 1, labels 0 with epsilon = (1-s)/(2-s) when s < 1. More: as
// equal_classes_plan, and throws as that does. Exact, no search. Throws usage when s is no number.
FlipPlan closed_form_plan(const NoiseEstimate& estimate,
                          std::span<const std::string> class_names = {});

// Labels of class c are turned, with probability epsilon_c, into one of the others drawn evenly, so
// that every class keeps the same share of its labels, and the highest share that such flips can
// reach: T F has equal diagonals. With A[c][c] = T[c][c], A[c][j] = -T[c][j] / (K-1) and A w = 1:
//   epsilon_c = (K-1)/K * (1 - w_c / max w),   common share = 1/K + (K-1) / (K max w).
// `transition` is K x K, row = clean class; names appear in messages only. Throws impossible,
// naming the class, when one keeps no more than 1/K of its labels: no flip can fix that; usage
// when the matrix is not K x K probabilities whose rows add up to 1.
FlipPlan equal_classes_plan(std::span<const double> transition, std::size_t classes,
                            std::span<const std::string> class_names = {});

// Labels of all classes of group g are turned into others, drawn evenly, until each group has the
// rate of the noisiest: with t = 1 - rate, epsilon = (K-1) (t_g - t_lowest) / (K t_g - 1); of two
// classes that is (e_highest - e_g) / (1 - 2 e_g). `rates` has one entry a group: its share of
// wrong labels, alike for all classes. Throws impossible, naming the group, when a rate is (K-1)/K
// or more and not all rates are equal; usage when a rate is not from 0 to 1 or there is none.
FlipPlan equal_groups_plan(std::span<const double> rates, std::size_t classes,
                           std::span<const std::string> group_names = {});

// First the classes inside each group, then the groups, composed into one flip: every class of
// every group keeps the same share of its labels. `transitions` has one K x K matrix per group, one
// after the other. Throws as the two above, naming the class and the group.
FlipPlan equal_classes_in_groups_plan(std::span<const double> transitions, std::size_t classes,
                                      std::span<const std::string> class_names = {},
                                      std::span<const std::string> group_names = {});

// Throws usage when the plan has more groups than one.
std::vector<std::int32_t> apply(const FlipPlan& plan, std::span<const std::int32_t> codes,
                                std::uint64_t seed);

// Row n is in group groups[n]. With a plan of one group that is what the other does.
std::vector<std::int32_t> apply(const FlipPlan& plan, std::span<const std::int32_t> codes,
                                std::span<const std::int32_t> groups, std::uint64_t seed);

// ------------------------------------------------------------------------------------- the paper's

// Algorithm 1 of the Noise+ paper, kept to the letter so that users can compare, biases included
// (docs/concepts.md): a bisection for the epsilon at which PA - NA vanishes.
struct PaperOptions {
  // Changes the answer.
  double gamma = 0.001;      // |PA - NA| that counts as zero
  double first_right = 0.3;  // the right end to start from ...
  std::vector<double> other_right = {0.1,  0.2,  0.05, 0.15,
                                     0.25, 0.35, 0.4,  0.45};  // ... and if it fails
  int max_steps = 60;  // the gap of a sample is a step function and may jump over zero
};

struct PaperResult {
  bool successful = false;
  int flipped = -1;      // which label, 0 or 1, is flipped; -1 when no direction was found
  double epsilon = 0;    // of the flip, when successful
  double first_gap = 0;  // PA - NA before any flip; above 0 the paper calls label 1 the cleaner one
  int steps = 0;         // bisections done
  std::string why;       // of an unsuccessful end
};

// PA - NA after labels `flipped` were flipped with `epsilon`.
using AgreementGap = std::function<double(int flipped, double epsilon)>;

// Throws usage when the gap is empty, or gamma or a right end is not from 0 to 1.
PaperResult search_flip(const AgreementGap& gap, const PaperOptions& options = {});

enum class PaperVariant {
  original,   // the balanced sample is drawn once, before any flip
  rebalanced  // it is drawn again after each flip
};

// Both variants on rows with labels 0 and 1 (1 = codes equal to `positive`). `graph` has all rows
// as anchors and some 30 neighbors each, so that neighbors inside a balanced sample are found in
// it, of the same seed and metric. The result looks at `rows` and `graph`, which must outlive it;
// labels are copied. Throws usage when rows, graph and codes do not fit.
AgreementGap agreement_gap(RowsView rows, const NeighborGraph& graph,
                           std::span<const std::int32_t> codes, std::int32_t positive,
                           PaperVariant variant, std::uint64_t seed,
                           Metric metric = Metric::euclidean, const Execution& execution = {});

// Which rows are in the balanced sample: all of the rarest label, and as many of each other, those
// with the smallest hash. Rows with a negative code are left out; throws usage when one is not
// below `classes`.
std::vector<char> balanced_sample(std::span<const std::int32_t> codes, std::uint64_t seed,
                                  std::size_t classes = 2);

// ---------------------------------------------------------------- the paper's, classes and groups

// The same search for more than one pair: K classes, or groups of rows ("parts").
//
// What the paper says: each part has an agreement; the part with the lowest is the noisiest; labels
// of each other part are flipped until its agreement is that of the noisiest. Where the paper is
// silent, this is what is done:
//   * The noisiest is found once, before any flip. The others follow one by one in a single pass,
//     the cleanest first, each with the flips found for those before it in place. What a flip does
//     to the agreement of a part before it is not mended.
//   * Part and noisiest are compared on the same labels, as PA and NA are of two classes.
//   * A part within gamma of the noisiest needs no flip. Where no part needs one the search is
//     unsuccessful, as Algorithm 1 is.
//   * A part whose search is unsuccessful stays as it is, and the others are still searched.
//   * Right ends are those of the options, whatever K: flips beyond the largest are not found.
struct PaperPart {
  bool successful = false;  // a flip was found, or none is needed
  double agreement = 0;     // before any flip; nan when it cannot be counted
  double epsilon = 0;       // of the flip; 0 when none was found or is needed
  int steps = 0;            // bisections done
  std::string why;          // of an unsuccessful end; names the part
};

struct PaperParts {
  bool successful = false;  // a flip was found, and no part is without one that it needs
  int noisiest = -1;        // the first of the lowest agreement; -1 when none can be counted
  std::vector<PaperPart> parts;
  std::string why;  // of an unsuccessful end: that of each part, with semicolons

  std::vector<double> epsilons() const;
};

// The agreement of each part after labels of part i were flipped with epsilons[i]. All nan, or
// those of some parts only, when they cannot be counted.
using PartAgreements = std::function<std::vector<double>(std::span<const double> epsilons)>;

// One entry a part in `names`, as messages call them: "class a", "group b". Throws usage when the
// function is empty or gives another number of agreements, or as search_flip does.
PaperParts search_flips(const PartAgreements& agreements, std::span<const std::string> names,
                        const PaperOptions& options = {});

struct PaperSearch {
  // Changes the answer.
  PaperVariant variant = PaperVariant::original;
  std::uint64_t seed = 0;  // of the graph's ties, the balanced sample, and the flips
  Metric metric = Metric::euclidean;
  PaperOptions options = {};
};

// `plan` applied to the same codes with the seed of the search gives the very labels on which the
// search counted at these epsilons.
struct PaperPlan {
  PaperParts search;
  FlipPlan plan;
};

// K classes. KA_k = P(both neighbors k | row k), in a sample with equally many rows of each label;
// labels k are turned with epsilon_k into one of the others drawn evenly. Rows that were turned
// into k are not turned again. Of two classes this is search_flip with agreement_gap.
//
// Rows, graph and codes as for agreement_gap. Throws usage when they do not fit; impossible, naming
// the class, when one has fewer than 3 rows, so that there is no sample to count agreements on.
//
// Where the clean classes are equally frequent and noise goes to all others alike, the order of KA
// is that of the noise, but equal KA are not equal rates: flips into the noisiest class lower its
// KA as well, and the sample's clean classes are no longer equally frequent. Exact figures, highest
// minus lowest rate before and after:
//   rates               before  original  rebalanced
//   .4 .2                 .20      .19       .00
//   .1 .2 .3              .20      .06       .18
//   .1 .2 .3 .4           .30      .07       unsuccessful
//   7 of .6, 3 of .4      .20      .01       unsuccessful
// equal_classes_plan has no such error.
PaperPlan paper_classes_plan(RowsView rows, const NeighborGraph& graph,
                             std::span<const std::int32_t> codes,
                             std::span<const std::string> class_names,
                             const PaperSearch& search = {}, const Execution& execution = {});

// Groups of rows: the labels of a group with the higher agreement are turned with epsilon, whatever
// their class, into one of the others drawn evenly. Its agreement is counted in a sample with
// equally many rows of each label, all of the group, as are the neighbors. Row n is in group
// groups[n].
//
// `positive` is the class whose rows are looked at: P(both neighbors 1 | row 1), the PA that the
// paper compares across groups. Without it all rows of the sample are: P(both neighbors have the
// row's label), which is the same where noise is alike for all classes, from more rows.
//
// As equal_groups_plan, it takes the noise of a group to be alike for all its classes. The paper's
// claim also needs equally frequent clean classes in all groups; then epsilon is that of
// equal_groups_plan. A group with fewer than 3 rows of a class is unsuccessful, and is not taken
// for the noisiest. Throws usage when rows, graph, codes, groups and names do not fit.
PaperPlan paper_groups_plan(RowsView rows, const NeighborGraph& graph,
                            std::span<const std::int32_t> codes,
                            std::span<const std::string> class_names,
                            std::span<const std::int32_t> groups,
                            std::span<const std::string> group_names,
                            std::optional<std::int32_t> positive = std::nullopt,
                            const PaperSearch& search = {}, const Execution& execution = {});

}  // namespace noiseplus
