#include "fair/checks.h"

#include <cmath>

#include "core/checks.h"

namespace noiseplus {
namespace {

void refuse(bool is_wrong, const std::string& message) {
  if (is_wrong) throw Error(ErrorKind::usage, "fair training: " + message);
}

bool is_rate(double value) {
  return value >= 0 && value < 1;
}

}  // namespace

void check_fair_options(RowsView rows, const GivenLabels& labels,
                        std::span<const std::int32_t> groups, const TrainOptions& train,
                        const FairOptions& fair) {
  check_view(rows);
  check_that(is_among(fair.constraint, Constraint::error_parity),
             "the constraint is none of Constraint");
  refuse(labels.classes != 2 || fair.positive > 1, "there must be two classes");
  refuse(!labels.row_weights.empty(), "rows count once each; row weights are not taken");
  refuse(labels.codes.size() != rows.rows || groups.size() != rows.rows,
         "there must be a label and a group for each row");
  for (const std::int32_t code : labels.codes)
    refuse(code < 0 || code > 1, "a label is not 0 or 1");
  const std::size_t count = fair.group_names.size();
  refuse(count < 2, "there must be two groups at least, each with a name");
  std::vector<char> is_there(count);
  for (const std::int32_t group : groups) {
    refuse(group < 0 || static_cast<std::size_t>(group) >= count, "a group is out of range");
    is_there[static_cast<std::size_t>(group)] = 1;
  }
  for (std::size_t z = 0; z < count; ++z) {
    refuse(is_there[z] == 0, "the group '" + fair.group_names[z] + "' has no rows");
  }
  refuse(!(fair.tolerance >= 0 && fair.tolerance <= 1), "the tolerance must be from 0 to 1");
  refuse(fair.max_rounds < 1, "there must be one round at least");
  refuse(!fair.noise.empty() && fair.noise.size() != count, "there must be noise for each group");
  for (const LabelNoise& noise : fair.noise) {
    refuse(!is_rate(noise.negative) || !is_rate(noise.positive) ||
               noise.negative + noise.positive >= 1,
           "the noise rates of a group must be from 0 on and add up to less than 1");
  }
  if (!fair.expected_flips.empty()) {
    refuse(train.loss != LossKind::ce, "expected flips go with the loss ce only");
    check_square(fair.expected_flips.size(), 2, count, "the expected flips");
    check_probabilities(fair.expected_flips, "the expected flips");
  }
  refuse(train.loss == LossKind::forward || train.loss == LossKind::co_teaching,
         "the loss must be ce, backward, peer or group-peer");
  refuse(train.model == ModelKind::trees, "the model must be linear or mlp");
  refuse(train.sampled_peers, "peers are taken in expectation, not drawn");
  refuse(train.held_out > 0, "no rows can be held out");
}

}  // namespace noiseplus
