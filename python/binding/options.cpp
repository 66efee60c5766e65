#include "options.h"

#include <utility>
#include <vector>

#include "arrays.h"

namespace noiseplus::python {
namespace {

void take_audit(Options& from, AuditOptions& options) {
  from.take("estimator", options.estimator);
  from.take("assume", options.assume);
  from.take("k", options.k);
  from.take("anchors", options.anchors);
  from.take("precision", options.precision);
  from.take("seed", options.seed);
  from.take("metric", options.metric);
  from.take("views", options.views);
  from.take("positive", options.positive);
  from.take("judge_rows", options.judge_rows);
  from.take("suspects", options.suspects);
  from.take("agreements", options.agreements);
  from.take("compare_routes", options.compare_routes);
  from.take("gamma", options.paper.gamma);
}

// The dict holds the array, and is held by whoever calls, so that the view stays valid.
void take_probabilities(Options& from, AuditOptions& options) {
  if (const auto array = from.find<py::array>("probabilities")) {
    options.probabilities = matrix_of(*array);
  }
}

void take_training(Options& from, TrainOptions& train) {
  train.loss = parse_loss(from.find<std::string>("loss").value_or("ce"));
  const bool needs_network = train.loss == LossKind::co_teaching;
  const std::string model =
      from.find<std::string>("model").value_or(needs_network ? "mlp" : "linear");
  train.model = parse_model_kind(model);
  if (needs_network && train.model != ModelKind::mlp) {
    throw Error(ErrorKind::usage, "co-teaching trains two networks; say --model mlp");
  }
  from.take("alpha", train.alpha);
  from.take("alpha_folds", train.alpha_folds);
  from.take("sampled_peers", train.sampled_peers);
  from.take("peers_from_all_rows", train.peers_from_all_rows);
  from.take("forget", train.forget);
  from.take("ridge", train.linear.ridge);
  from.take("steps", train.linear.max_steps);
  from.take("tolerance_gradient", train.linear.tolerance);
  from.take("hidden", train.mlp.hidden);
  from.take("epochs", train.mlp.epochs);
  from.take("batch", train.mlp.batch);
  from.take("rate", train.mlp.rate);
  from.take("dropout", train.mlp.dropout);
  from.take("weight_decay", train.mlp.weight_decay);
  from.take("trees", train.trees.trees);
  from.take("learning_rate", train.trees.learning_rate);
  from.take("leaves", train.trees.max_leaves);
  from.take("depth", train.trees.max_depth);
  from.take("min_leaf_rows", train.trees.min_rows_in_leaf);
  from.take("leaf_ridge", train.trees.ridge);
  from.take("bins", train.trees.max_bins);
  from.take("row_share", train.trees.row_share);
  from.take("column_share", train.trees.column_share);
  from.take("hold_out", train.held_out);
  from.take("patience", train.patience);
}

void take_noise(Options& from, TrainModelOptions& options) {
  if (const auto matrix = from.find<Numbers>("transition_matrix")) {
    const double* data = matrix->data();
    options.train.transition.assign(data, data + matrix->size());
    options.transition = "given";
  } else {
    from.take("transition", options.transition);
  }
  using Pairs = std::vector<std::pair<double, double>>;
  for (const auto& [negative, positive] : from.find<Pairs>("group_noise").value_or(Pairs{})) {
    options.group_noise.push_back({negative, positive});
  }
  if (auto deltas = from.find<std::vector<double>>("deltas")) {
    options.train.deltas = std::move(*deltas);
    options.transition = "given";
  }
  from.take("misspecify", options.misspecify);
}

void take_fair(Options& from, TrainModelOptions& options) {
  if (const auto name = from.find<std::string>("constraint")) {
    options.fair = parse_constraint(*name);
    if (!options.fair) {
      throw Error(ErrorKind::usage, "--fair " + *name +
                                        ": there are equalized-odds, equal-opportunity, "
                                        "demographic-parity, fpr-parity and error-parity");
    }
  }
  from.take("tolerance", options.tolerance);
  from.take("noise_aware", options.noise_aware);
  from.take("fair_folds", options.fair_folds);
  from.take("route", options.route);
}

}  // namespace

void Options::refuse_others() const {
  for (const auto& entry : values_) {
    const auto name = entry.first.cast<std::string>();
    if (!known_.contains(name)) throw py::type_error("there is no option called " + name);
  }
}

void Options::throw_type_error(const char* name) const {
  const std::string value = py::repr(values_[name]);
  if (py::isinstance<py::int_>(values_[name])) {
    throw py::value_error(std::string(name) + "=" + value + " is out of range");
  }
  const std::string type = py::str(py::type::of(values_[name]).attr("__name__"));
  throw py::type_error(std::string(name) + "=" + value + " is of a wrong type: " + type);
}

AuditOptions audit_options(const py::dict& values) {
  Options from(values);
  AuditOptions options;
  take_audit(from, options);
  take_probabilities(from, options);
  from.refuse_others();
  return options;
}

BalanceOptions balance_options(const py::dict& values) {
  Options from(values);
  BalanceOptions options;
  take_audit(from, options.audit);
  take_probabilities(from, options.audit);
  from.take("scope", options.scope);
  from.take("method", options.method);
  from.take("force", options.force);
  from.refuse_others();
  return options;
}

TrainModelOptions model_options(const py::dict& values) {
  Options from(values);
  TrainModelOptions options;
  take_training(from, options.train);
  take_noise(from, options);
  take_fair(from, options);
  from.take("folds", options.folds);
  from.take("positive", options.positive);
  from.take("k", options.audit.k);
  from.take("metric", options.audit.metric);
  take_probabilities(from, options.audit);
  from.take("seed", options.seed);
  from.take("balance", options.balance);
  from.take("scope", options.scope);
  from.take("force", options.force);
  if (const auto weights = from.find<py::array_t<float>>("row_weights")) {
    const std::span<const float> given = values_of(*weights);
    options.row_weights.assign(given.begin(), given.end());
  }
  from.refuse_others();
  return options;
}

}  // namespace noiseplus::python
