#include <pybind11/stl.h>

#include "arrays.h"
#include "call.h"
#include "noiseplus/report.h"
#include "options.h"
#include "parts.h"
#include "results.h"

namespace noiseplus::python {
namespace {

using Codes = py::array_t<std::int32_t>;
using Texts = std::vector<std::string>;

Metric parse_metric(const std::string& name) {
  if (name == "euclidean") return Metric::euclidean;
  if (name == "cosine") return Metric::cosine;
  throw Error(ErrorKind::usage, "--metric " + name + ": there are euclidean and cosine");
}

// -------------------------------------------------------------------------------------- neighbors

py::tuple neighbors(const py::array& rows, std::size_t k, const std::string& metric,
                    const std::vector<std::uint32_t>& anchors, std::uint64_t seed, unsigned threads,
                    py::object progress) {
  const RowsView view = rows_of(rows);
  NeighborOptions options;
  options.k = k;
  options.seed = seed;
  options.metric = parse_metric(metric);
  options.anchors = anchors;
  NeighborGraph graph = run(Call{threads, std::move(progress)}, [&](const Execution& execution) {
    return find_neighbors(view, options, execution);
  });
  const Shape shape = {static_cast<py::ssize_t>(graph.size()), static_cast<py::ssize_t>(graph.k)};
  return py::make_tuple(to_array(std::move(graph.ids), shape),
                        to_array(std::move(graph.distances), shape));
}

// --------------------------------------------------------------------------------------- estimates

struct EstimateWithPosterior {
  NoiseEstimate estimate;
  Matrix posterior;
};

py::dict estimate(const py::array& rows, const Codes& codes, const Texts& class_names,
                  const py::dict& values, unsigned threads, py::object progress) {
  const RowsView view = rows_of(rows);
  const std::span<const std::int32_t> labels = codes_below(codes, class_names.size());
  Options from(values);
  const std::string name = from.find<std::string>("estimator").value_or("auto");
  const std::optional<EstimatorKind> kind = parse_estimator(name);
  if (!kind) throw Error(ErrorKind::usage, "--estimator " + name + ": there is none of that name");
  NoiseEstimatorOptions options;
  from.take("k", options.k);
  from.take("seed", options.seed);
  from.take("folds", options.folds);
  from.take("positive", options.positive);
  options.metric = parse_metric(from.find<std::string>("metric").value_or("euclidean"));
  const bool with_posterior = from.find<bool>("posterior").value_or(false);
  from.refuse_others();
  EstimateWithPosterior found =
      run(Call{threads, std::move(progress)}, [&](const Execution& execution) {
        NoiseEstimator evidence(view, labels, class_names, options, execution);
        EstimateWithPosterior result{evidence.estimate(*kind), {}};
        if (with_posterior) result.posterior = evidence.posterior();
        return result;
      });
  py::dict result = to_dict(found.estimate);
  if (with_posterior) result["posterior"] = to_array(std::move(found.posterior));
  return result;
}

py::dict estimate_by_probabilities(const py::array& shares, const Codes& codes,
                                   const Texts& class_names, unsigned threads,
                                   py::object progress) {
  const MatrixView view = matrix_of(shares);
  const std::span<const std::int32_t> labels = values_of(codes);
  return to_dict(run(Call{threads, std::move(progress)}, [&](const Execution&) {
    return estimate_from_probabilities(view, labels, class_names);
  }));
}

py::tuple quality(const py::array& posterior, const Codes& codes, const Numbers& transition,
                  const Numbers& prior, unsigned threads, py::object progress) {
  const MatrixView view = matrix_of(posterior);
  const std::span<const std::int32_t> labels = values_of(codes);
  NoiseEstimate estimate;
  estimate.transition.assign(transition.data(), transition.data() + transition.size());
  estimate.prior.assign(prior.data(), prior.data() + prior.size());
  LabelQuality found = run(Call{threads, std::move(progress)}, [&](const Execution& execution) {
    return label_quality(view, estimate, labels, execution);
  });
  return py::make_tuple(to_array(std::move(found.right)), to_array(std::move(found.suggested)));
}

// ----------------------------------------------------------------------------------- plans, flips

std::vector<double> copied(const Numbers& values) {
  return {values.data(), values.data() + values.size()};
}

py::array_t<double> classes_plan(const Numbers& transition, const Texts& class_names) {
  return to_array(equal_classes_plan(copied(transition), class_names.size(), class_names));
}

py::array_t<double> groups_plan(const Numbers& rates, std::size_t classes,
                                const Texts& group_names) {
  return to_array(equal_groups_plan(copied(rates), classes, group_names));
}

py::array_t<double> classes_in_groups_plan(const Numbers& transitions, const Texts& class_names,
                                           const Texts& group_names) {
  return to_array(equal_classes_in_groups_plan(copied(transitions), class_names.size(), class_names,
                                               group_names));
}

// Of the noise put in, or of a plan; `matrices` is G x K x K, `groups` may be empty where G is 1.
Codes draw(const Codes& codes, const Codes& groups, const Numbers& matrices, std::uint64_t seed,
           bool is_plan) {
  if (matrices.ndim() != 3 || matrices.shape(1) != matrices.shape(2)) {
    throw py::type_error("matrices must be an array of groups x classes x classes");
  }
  const auto classes = static_cast<std::size_t>(matrices.shape(1));
  const std::vector<double> values = copied(matrices);
  const Stream stream = is_plan ? Stream::flip : Stream::corrupt;
  const std::span<const std::int32_t> labels = values_of(codes);
  if (matrices.shape(0) == 1) {
    return to_array(draw_labels(labels, classes, values, seed, stream));
  }
  return to_array(draw_labels(labels, values_of(groups), classes, values, seed, stream));
}

// ---------------------------------------------------------------------------------------- targets

Targets targets_of(LossKind loss, const GivenLabels& labels, std::span<const double> transition,
                   const GroupPeer& peer) {
  switch (loss) {
    case LossKind::backward:
      return backward_targets(labels, transition);
    case LossKind::forward:
      return forward_targets(labels, transition);
    case LossKind::peer:
      return peer_targets(labels, peer.alpha);
    case LossKind::group_peer:
      return group_peer_targets(labels, peer);
    case LossKind::ce:
    case LossKind::co_teaching:
      break;
  }
  return cross_entropy_targets(labels);
}

py::tuple loss_targets(const std::string& loss, const Codes& codes, std::size_t classes,
                       const std::optional<Numbers>& transition, double alpha,
                       const std::optional<Codes>& groups,
                       const std::optional<std::vector<double>>& deltas) {
  const std::vector<double> matrix = transition ? copied(*transition) : std::vector<double>();
  GroupPeer peer;
  peer.alpha = alpha;
  if (groups) peer.groups = values_of(*groups);
  if (deltas) peer.deltas = *deltas;
  Targets targets = targets_of(parse_loss(loss), {values_of(codes), classes}, matrix, peer);
  return py::make_tuple(to_array(std::move(targets.weights)), targets.total);
}

}  // namespace

void add_stages(py::module_& module) {
  module.def("neighbors", &neighbors, py::arg("rows"), py::arg("k"), py::arg("metric"),
             py::arg("anchors"), py::arg("seed"), py::arg("threads") = 0,
             py::arg("progress") = py::none());
  module.def("estimate", &estimate, py::arg("rows"), py::arg("codes"), py::arg("class_names"),
             py::arg("options"), py::arg("threads") = 0, py::arg("progress") = py::none());
  module.def("estimate_from_probabilities", &estimate_by_probabilities, py::arg("shares"),
             py::arg("codes"), py::arg("class_names"), py::arg("threads") = 0,
             py::arg("progress") = py::none());
  module.def("label_quality", &quality, py::arg("posterior"), py::arg("codes"),
             py::arg("transition"), py::arg("prior"), py::arg("threads") = 0,
             py::arg("progress") = py::none());
  module.def("classes_plan", &classes_plan, py::arg("transition"), py::arg("class_names"));
  module.def("groups_plan", &groups_plan, py::arg("rates"), py::arg("classes"),
             py::arg("group_names"));
  module.def("classes_in_groups_plan", &classes_in_groups_plan, py::arg("transitions"),
             py::arg("class_names"), py::arg("group_names"));
  module.def("draw_labels", &draw, py::arg("codes"), py::arg("groups"), py::arg("matrices"),
             py::arg("seed"), py::arg("is_plan"));
  module.def(
      "random_gap_transition",
      [](std::size_t classes, double gap, std::uint64_t seed) {
        return to_square(random_gap_transition(classes, gap, seed), classes);
      },
      py::arg("classes"), py::arg("gap"), py::arg("seed"));
  module.def("loss_targets", &loss_targets, py::arg("loss"), py::arg("codes"), py::arg("classes"),
             py::kw_only(), py::arg("transition") = py::none(), py::arg("alpha") = 0.0,
             py::arg("groups") = py::none(), py::arg("deltas") = py::none());
}

}  // namespace noiseplus::python
