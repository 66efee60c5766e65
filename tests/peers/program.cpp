// Results of the library with all their digits, for the tests that compare them with peers from
// PyPI.
//   peers-program confident PROBABILITIES.npy LABELS.txt
//   peers-program linear ROWS.npy LABELS.txt RIDGE [WEIGHTS.txt]
//   peers-program estimate ROWS.npy LABELS.txt RIDGE
//   peers-program quality ROWS.npy LABELS.txt [PROBABILITIES.npy]
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "noiseplus/data.h"
#include "noiseplus/learn.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;

Arrays read_matrix(const std::string& path) {
  return read_arrays(Bytes::read(path), path, format_of(path));
}

// Codes, not names: the class of a row is the number in its line, whether or not others occur.
std::vector<std::int32_t> read_codes(const std::string& path) {
  std::vector<std::int32_t> codes;
  for (const std::string& text : read_label_texts(Bytes::read(path), path, Format::txt)) {
    codes.push_back(static_cast<std::int32_t>(std::stol(text)));
  }
  return codes;
}

Json confident(const Arguments& arguments) {
  const Arrays arrays = read_matrix(arguments.at(0));
  const std::vector<std::int32_t> codes = read_codes(arguments.at(1));
  Matrix buffer;
  const ConfidentJoint joint = confident_joint(arrays.features.view().floats(buffer), codes);
  return {{"thresholds", joint.thresholds},
          {"counted", joint.counted},
          {"counts", joint.counts},
          {"prior", joint.prior},
          {"transition", joint.transition}};
}

std::size_t count_classes(const std::vector<std::int32_t>& codes) {
  return static_cast<std::size_t>(*std::max_element(codes.begin(), codes.end())) + 1;
}

std::vector<float> read_weights(const std::string& path) {
  std::vector<float> weights;
  for (const std::string& text : read_label_texts(Bytes::read(path), path, Format::txt)) {
    weights.push_back(std::stof(text));
  }
  return weights;
}

Json linear(const Arguments& arguments) {
  const Arrays arrays = read_matrix(arguments.at(0));
  const std::vector<std::int32_t> codes = read_codes(arguments.at(1));
  LinearOptions options;
  options.ridge = std::stod(arguments.at(2));
  const std::vector<float> weights =
      arguments.size() > 3 ? read_weights(arguments[3]) : std::vector<float>{};
  const Targets targets = cross_entropy_targets({codes, count_classes(codes), weights});
  const FitResult training = train_linear(arrays.features.view(), targets, options);
  const Matrix found = probabilities(training.model, arrays.features.view());
  const Layer& layer = training.model.layers.front();
  return {{"weights", layer.weights},
          {"biases", layer.biases},
          {"probabilities",
           std::vector<float>(found.row(0), found.row(0) + found.rows() * found.columns())}};
}

// From rows to rates, with folds of our own.
Json estimate(const Arguments& arguments) {
  const Arrays arrays = read_matrix(arguments.at(0));
  const std::vector<std::int32_t> codes = read_codes(arguments.at(1));
  FoldOptions options;
  options.linear.ridge = std::stod(arguments.at(2));
  const NoiseEstimate found = estimate_by_confident_learning(
      arrays.features.view(), {codes, count_classes(codes)}, options);
  return {{"prior", found.prior}, {"transition", found.transition}};
}

NeighborGraph nearest_of(const NeighborGraph& graph, std::size_t k) {
  NeighborGraph found{k, graph.anchors, {}, {}};
  for (std::size_t a = 0; a < graph.size(); ++a) {
    for (std::size_t j = 0; j < k; ++j) {
      found.ids.push_back(graph.ids[a * graph.k + j]);
      found.distances.push_back(graph.distances[a * graph.k + j]);
    }
  }
  return found;
}

Matrix read_probabilities(const std::string& path) {
  const Arrays arrays = read_matrix(path);
  Matrix buffer;
  const MatrixView view = arrays.features.view().floats(buffer);
  Matrix probabilities(view.rows, view.columns);
  std::copy(view.row(0), view.row(0) + view.rows * view.columns, probabilities.row(0));
  return probabilities;
}

// The probabilities are out of sample; without them those of a linear model. What peers need for
// the same task comes along: these probabilities and the neighbors.
Json quality(const Arguments& arguments) {
  constexpr std::size_t neighbors = 30, views = 10;
  const Arrays arrays = read_matrix(arguments.at(0));
  const RowsView rows = arrays.features.view();
  const std::vector<std::int32_t> codes = read_codes(arguments.at(1));
  const std::size_t classes = count_classes(codes);
  std::vector<std::string> names;
  for (std::size_t c = 0; c < classes; ++c) names.push_back(std::to_string(c));
  const Matrix scores = arguments.size() > 2 ? read_probabilities(arguments[2])
                                             : out_of_sample_probabilities(rows, {codes, classes});
  const NeighborGraph graph = find_neighbors(rows, {.k = neighbors});
  const Matrix votes = vote_scores(graph, codes, classes);
  const CurveFits fits = fit_curves(scores.view(), votes.view(), codes, names);
  const NoiseEstimate latent = estimate_by_latent_class(nearest_of(graph, views), codes, names);
  const ChosenEstimate chosen =
      choose_estimate(fits, {latent.transition, latent.prior}, graph, distinct_share(rows), names);
  const LabelQuality found = label_quality(fits.both.posterior.view(), chosen.estimate, codes);
  return {{"mode", chosen.mode},
          {"power", found.power},
          {"right", found.right},
          {"suggested", found.suggested},
          {"neighbours", graph.ids},
          {"probabilities",
           std::vector<float>(scores.row(0), scores.row(0) + scores.rows() * classes)}};
}

int run(const Arguments& arguments) {
  const std::map<std::string, std::function<Json(const Arguments&)>> commands = {
      {"confident", confident}, {"linear", linear}, {"estimate", estimate}, {"quality", quality}};
  if (arguments.empty() || !commands.contains(arguments.front())) {
    std::fputs("peers-program: no such command; see tests/peers/program.cpp\n", stderr);
    return 2;
  }
  const Json result = commands.at(arguments.front())({arguments.begin() + 1, arguments.end()});
  std::puts(result.dump().c_str());
  return 0;
}

}  // namespace
}  // namespace noiseplus

int main(int argc, char** argv) {
  try {
    return noiseplus::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peers-program: %s\n", error.what());
    return 1;
  }
}
