#include "learn/loss_targets.h"

#include <algorithm>

#include "core/checks.h"
#include "learn/checks.h"
#include "learn/labels.h"
#include "learn/layers.h"

namespace noiseplus {
namespace {

std::string class_name(const TrainOptions& options, std::size_t code) {
  return code < options.class_names.size() ? options.class_names[code] : std::to_string(code);
}

void refuse_one_class(const GivenLabels& labels, const TrainOptions& options) {
  const std::vector<double> shares = label_shares(labels);
  const auto present = std::count_if(shares.begin(), shares.end(), [](double s) { return s > 0; });
  if (present >= 2) return;
  const auto only = std::find_if(shares.begin(), shares.end(), [](double s) { return s > 0; });
  const std::string name =
      only == shares.end() ? "none"
                           : class_name(options, static_cast<std::size_t>(only - shares.begin()));
  throw Error(ErrorKind::impossible, "only one class is there to learn ('" + name +
                                         "'); give rows of two classes at least");
}

AnyTargets targets_of(const GivenLabels& labels, const TrainOptions& options, double alpha) {
  switch (options.loss) {
    case LossKind::ce:
    case LossKind::co_teaching:
      return label_targets(labels);
    case LossKind::backward:
      return backward_targets(labels, options.transition);
    case LossKind::forward:
      return forward_label_targets(labels, options.transition);
    case LossKind::peer:
    case LossKind::group_peer:
      break;
  }
  return peer_targets_of(labels, options, alpha);
}

}  // namespace

void refuse_what_diverged(const Model& model, ModelKind kind) {
  if (is_finite(model)) return;
  throw Error(ErrorKind::impossible,
              std::string("training diverged: a weight is no longer a number; ") +
                  (kind == ModelKind::mlp     ? "lower --rate"
                   : kind == ModelKind::trees ? "lower --learning-rate"
                                              : "scale the columns (--scale)"));
}

LossTargets loss_targets(RowsView rows, const GivenLabels& labels, const TrainOptions& options,
                         ThreadPool& pool, const Execution& execution) {
  check_that(is_among(options.loss, LossKind::co_teaching),
             "unknown loss; use ce, backward, forward, peer, group-peer or co-teaching");
  check_that(is_among(options.model, ModelKind::trees), "unknown model; use linear, mlp or trees");
  check_targets(rows, label_targets(labels));
  refuse_one_class(labels, options);
  LossTargets result;
  const bool has_alpha = options.loss == LossKind::peer || options.loss == LossKind::group_peer;
  if (has_alpha && !options.alpha) {
    result.trials = try_alphas(rows, labels, options, pool, execution);
    result.alpha = best_alpha(result.trials);
  } else if (has_alpha) {
    result.alpha = *options.alpha;
  }
  result.targets = targets_of(labels, options, result.alpha);
  return result;
}

}  // namespace noiseplus
