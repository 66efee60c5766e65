#include "contest.h"

#include <algorithm>

#include "measure.h"
#include "noiseplus/data.h"
#include "noiseplus/noise.h"
#include "npy.h"

namespace noiseplus::bench {
namespace {

Matrix copy(RowsView rows) {
  Matrix copied(rows.rows, rows.columns);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const float* const values = rows.row(i, copied.row(i));
    if (values != copied.row(i)) std::copy_n(values, rows.columns, copied.row(i));
  }
  return copied;
}

Measurement measure(const Timing& timing, const std::function<void()>& work) {
  Stopwatch watch(timing.runs, timing.enough_seconds);
  while (watch.wants_another()) watch.run(work);
  return watch.best();
}

Json describe(const Measurement& measurement) {
  Json line = {{"seconds", measurement.seconds}, {"runs", measurement.runs}};
  if (measurement.knows_megabytes) line["megabytes"] = measurement.megabytes;
  return line;
}

void write_coefficients(const Layer& layer, const std::string& path) {
  Matrix coefficients(layer.inputs + 1, layer.outputs);
  std::copy(layer.weights.begin(), layer.weights.end(), coefficients.row(0));
  std::copy(layer.biases.begin(), layer.biases.end(), coefficients.row(layer.inputs));
  write_npy(coefficients.view(), path);
}

}  // namespace

LabeledRows read_labeled_rows(const std::string& rows_path, const std::string& codes_path) {
  LabeledRows data;
  data.rows = copy(read_arrays(Bytes::read(rows_path), rows_path, Format::npy).features.view());
  Labels labels =
      make_labels(read_label_texts(Bytes::read(codes_path), codes_path, Format::npy), codes_path);
  if (labels.codes.size() != data.rows.rows()) {
    throw Error(ErrorKind::data, codes_path + " does not have a label for each row");
  }
  data.codes = std::move(labels.codes);
  data.classes = labels.classes.size();
  return data;
}

Json time_linear(const LabeledRows& data, const LinearOptions& options, const Timing& timing,
                 const std::string& coefficients_path) {
  FitResult training;
  const Measurement measurement = measure(timing, [&] {
    // The targets too: the rivals turn labels into numbers in their own time.
    const Targets targets = cross_entropy_targets(data.labels());
    training = train_linear(data.rows.view(), targets, options, nullptr, {timing.threads, {}});
  });
  if (!coefficients_path.empty()) write_coefficients(training.model.layers[0], coefficients_path);
  Json line = describe(measurement);
  line["steps"] = training.steps;
  line["converged"] = training.converged;
  line["objective"] = training.loss;
  return line;
}

Json time_confident(const LabeledRows& data, const FoldOptions& options, const Timing& timing) {
  NoiseEstimate estimate;
  const Measurement measurement = measure(timing, [&] {
    estimate = estimate_by_confident_learning(data.rows.view(), data.labels(), options,
                                              {timing.threads, {}});
  });
  Json line = describe(measurement);
  line["prior"] = estimate.prior;
  line["transition"] = estimate.transition;
  return line;
}

Json time_mlp(const LabeledRows& data, const LabeledRows& test, const MlpOptions& options,
              const Timing& timing) {
  FitResult training;
  const Measurement measurement = measure(timing, [&] {
    const Targets targets = cross_entropy_targets(data.labels());
    training = train_mlp(data.rows.view(), targets, options, nullptr, {timing.threads, {}});
  });
  Json line = describe(measurement);
  line["epochs"] = training.steps;
  line["loss"] = training.loss;
  if (test.rows.rows() > 0) {
    const Matrix found = probabilities(training.model, test.rows.view(), {timing.threads, {}});
    line["accuracy"] = accuracy(found.view(), test.codes);
  }
  return line;
}

Json time_trees(const LabeledRows& data, const FoldOptions& folds, const TreeOptions& options,
                const Timing& timing, const std::string& scores_path) {
  Matrix found;
  const Measurement measurement = measure(timing, [&] {
    found = out_of_fold_tree_probabilities(data.rows.view(), data.labels(), folds, options,
                                           {timing.threads, {}});
  });
  if (!scores_path.empty()) write_npy(found.view(), scores_path);
  return describe(measurement);
}

Json time_tree_model(const LabeledRows& data, const std::vector<double>& transition,
                     const TreeOptions& options, const Timing& timing,
                     const std::string& scores_path) {
  FitResult training;
  const Measurement measurement = measure(timing, [&] {
    const Targets targets = transition.empty() ? cross_entropy_targets(data.labels())
                                               : forward_targets(data.labels(), transition);
    training = train_trees(data.rows.view(), targets, {options, 0, {}}, {timing.threads, {}});
  });
  Matrix found;
  const Measurement predicting = measure(timing, [&] {
    found = probabilities(training.model, data.rows.view(), {timing.threads, {}});
  });
  if (!scores_path.empty()) write_npy(found.view(), scores_path);
  Json line = describe(measurement);
  line["predict_seconds"] = predicting.seconds;
  return line;
}

void encode_table(const std::string& path, const std::string& label, const std::string& rows_path,
                  const std::string& codes_path) {
  DataRequest request;
  request.path = path;
  request.label = label;
  const Dataset data = load(request);
  std::vector<std::string> numbers;
  for (std::size_t c = 0; c < data.labels.classes.size(); ++c) {
    numbers.push_back(std::to_string(c));
  }
  OutputFile codes(codes_path);
  write_labels("label", data.labels.codes, numbers, codes_path, codes);
  codes.commit();
  write_npy(copy(data.features.view()).view(), rows_path);
}

}  // namespace noiseplus::bench
