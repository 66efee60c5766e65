// The gradient of every loss, for every model, against differences of the loss in double.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "learn/linear_objective.h"
#include "learn/mlp_network.h"
#include "learn_support.h"
#include "reference_loss.h"

namespace noiseplus {
namespace {

const std::vector<double> two_class_noise = {.8, .2, .4, .6};
const std::vector<double> three_class_noise = {.7, .2, .1, .1, .8, .1, .25, .05, .7};

std::map<std::string, Targets> every_loss(const GivenLabels& labels) {
  const std::vector<double>& noise = labels.classes == 2 ? two_class_noise : three_class_noise;
  std::vector<std::int32_t> groups(labels.codes.size());
  for (std::size_t n = 0; n < groups.size(); ++n) groups[n] = static_cast<std::int32_t>(n % 3);
  const std::vector<double> deltas = {.9, .5, .7};
  std::vector<float> weights(labels.codes.size());
  for (std::size_t n = 0; n < weights.size(); ++n) weights[n] = static_cast<float>(n % 4);
  GivenLabels weighted = labels;
  weighted.row_weights = weights;
  std::map<std::string, Targets> losses;
  losses["ce"] = cross_entropy_targets(labels);
  losses["weighted ce"] = cross_entropy_targets(weighted);
  losses["backward"] = backward_targets(labels, noise);
  losses["weighted backward"] = backward_targets(weighted, noise);
  losses["forward"] = forward_targets(labels, noise);
  losses["weighted forward"] = forward_targets(weighted, noise);
  losses["peer"] = peer_targets(labels, .6);
  losses["peer, alpha below 0"] = peer_targets(labels, -.5);
  losses["weighted peer"] = peer_targets(weighted, .6);
  losses["sampled peer"] = sampled_peer_targets(labels, .6, 3);
  losses["group peer"] = group_peer_targets(labels, {groups, deltas, .8});
  losses["group peer, peers from all"] = group_peer_targets(labels, {groups, deltas, .8, true});
  return losses;
}

Model random_model(std::size_t inputs, std::size_t hidden, std::size_t classes) {
  Model model{classes, {}};
  const auto add = [&](std::size_t from, std::size_t to) {
    Layer layer{from, to, std::vector<float>(from * to), std::vector<float>(to)};
    std::uint64_t draw = 100 * model.layers.size();
    for (float& weight : layer.weights) {
      weight = static_cast<float>(.7 * normal(5, Stream::generate, 0, draw++));
    }
    for (float& bias : layer.biases) {
      bias = static_cast<float>(.3 * normal(5, Stream::generate, 0, draw++));
    }
    model.layers.push_back(layer);
  };
  if (hidden > 0) add(inputs, hidden);
  add(hidden > 0 ? hidden : inputs, outputs_of(classes));
  return model;
}

// Central differences at every parameter.
void expect_gradient(const Model& model, MatrixView rows, const Targets& targets, double ridge,
                     double floor, const std::vector<double>& gradient) {
  std::vector<double> values = parameters_in_double(model);
  ASSERT_EQ(values.size(), gradient.size());
  constexpr double step = 1e-5;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    values[i] = value + step;
    const double above = reference_loss(model, values, rows, targets, ridge, floor);
    values[i] = value - step;
    const double below = reference_loss(model, values, rows, targets, ridge, floor);
    values[i] = value;
    ASSERT_NEAR(gradient[i], (above - below) / (2 * step), 3e-6) << "parameter " << i;
  }
}

TEST(Gradients, OfTheLinearModel) {
  for (const std::size_t classes : {2U, 3U}) {
    const LearnSample sample = blobs(53, classes, 1);
    const Model model = random_model(5, 0, classes);
    for (const auto& [name, targets] : every_loss(sample.labels())) {
      SCOPED_TRACE(name + ", classes " + std::to_string(classes));
      ThreadPool pool(2);
      const Execution execution;
      ProgressMeter meter(execution, "", 1);
      constexpr double ridge = .02;
      LinearObjective objective(sample.rows.view(), targets, ridge, pool, meter);
      const Eigen::VectorXd x = parameters_of(model.layers[0]);
      Eigen::VectorXd gradient(x.size());
      const double loss = objective(x, gradient);
      EXPECT_NEAR(
          loss,
          reference_loss(model, parameters_in_double(model), sample.rows.view(), targets, ridge, 0),
          3e-6);
      const Layer slopes = layer_of(gradient, 5, outputs_of(classes));
      expect_gradient(model, sample.rows.view(), targets, ridge, 0,
                      parameters_in_double({classes, {slopes}}));
    }
  }
}

TEST(Gradients, OfTheNetwork) {
  for (const std::size_t classes : {2U, 3U}) {
    const LearnSample sample = blobs(53, classes, 1);
    const Model model = random_model(5, 7, classes);
    std::vector<std::uint32_t> all(53);
    for (std::uint32_t n = 0; n < 53; ++n) all[n] = n;
    for (const auto& [name, targets] : every_loss(sample.labels())) {
      SCOPED_TRACE(name + ", classes " + std::to_string(classes));
      for (const double floor : {1e-9, .2}) {
        ThreadPool pool(2);
        const Scaling as_they_are{std::vector<float>(5), 1};
        MlpOptions options;
        options.hidden = 7;
        options.floor = floor;
        MlpNetwork network(sample.rows.view(), targets, as_they_are, options, &model, pool);
        std::vector<std::uint32_t> rows;  // those with weights, as training takes them
        for (const std::uint32_t n : all) {
          const float* const row = targets.weights.row(n);
          if (std::any_of(row, row + classes, [](float w) { return w != 0; })) rows.push_back(n);
        }
        const double loss = network.find_gradient({rows, 0});
        EXPECT_NEAR(loss,
                    reference_loss(model, parameters_in_double(model), sample.rows.view(), targets,
                                   0, floor),
                    3e-6);
        const auto [first, second] = network.gradients();
        expect_gradient(model, sample.rows.view(), targets, 0, floor,
                        parameters_in_double({classes, {first, second}}));
      }
    }
  }
}

// Sizes around those of vectors.
TEST(Gradients, OfWiderShapes) {
  for (const auto [columns, hidden, classes] :
       {std::array<std::size_t, 3>{33, 17, 16}, {16, 15, 17}, {1, 2, 2}, {65, 16, 2}}) {
    SCOPED_TRACE(columns);
    const LearnSample sample = blobs(40, classes, 1, columns);
    const Model model = random_model(columns, hidden, classes);
    const Targets targets = peer_targets(sample.labels(), .5);
    ThreadPool pool(2);
    const Scaling as_they_are{std::vector<float>(columns), 1};
    MlpOptions options;
    options.floor = 1e-9;
    MlpNetwork network(sample.rows.view(), targets, as_they_are, options, &model, pool);
    std::vector<std::uint32_t> rows(40);
    for (std::uint32_t n = 0; n < 40; ++n) rows[n] = n;
    network.find_gradient({rows, 0});
    const auto [first, second] = network.gradients();
    expect_gradient(model, sample.rows.view(), targets, 0, 1e-9,
                    parameters_in_double({classes, {first, second}}));
  }
}

}  // namespace
}  // namespace noiseplus
