#include "experiments/sets/official_files.h"
#include "experiments/sets/prepare.h"

namespace noiseplus {
namespace {

DataRequest face_request(const std::string& folder, const std::string& part) {
  const std::string advice =
      "get the labels from github.com/joojs/fairface and compute features of its images";
  DataRequest request;
  request.path = find_file(folder, {part + "_features.npy"}, advice);
  request.labels_path = find_file(folder, {part + "_labels.csv"}, advice);
  request.label = "gender";
  request.groups = {"race"};
  return request;
}

DataRequest digits_request(const std::string& folder, const std::string& part) {
  const std::string advice = "get it from the MNIST database of handwritten digits";
  DataRequest request;
  request.path = find_file(folder, {part + "-images-idx3-ubyte"}, advice);
  request.labels_path = find_file(folder, {part + "-labels-idx1-ubyte"}, advice);
  return request;
}

DataRequest embeddings_request(const std::string& folder, const std::string& part) {
  const std::string advice =
      "compute the features with any network, and write labels in the same order";
  const std::string labels = part + "_labels";
  DataRequest request;
  request.path = find_file(folder, {part + "_features.npy"}, advice);
  request.labels_path =
      find_file(folder, {labels + ".csv", labels + ".txt", labels + ".npy"}, advice);
  request.usual_label = "label";
  return request;
}

void from_0_to_1(Matrix& pixels) {
  float* const first = pixels.row(0);
  float* const end = first + pixels.rows() * pixels.columns();
  for (float* pixel = first; pixel != end; ++pixel) *pixel /= 255;
}

// Their columns in the file, and what they are called.
constexpr const char* human_labels[][2] = {
    {"aggre_label", "aggre"}, {"random_label1", "random1"}, {"worse_label", "worse"}};

}  // namespace

Split read_fairface(const std::string& folder, const Execution& execution) {
  const DataRequest training = face_request(folder, "train");
  return load_split("FairFace", training, face_request(folder, "val"), execution);
}

Split read_mnist(const std::string& folder, const Execution& execution) {
  const DataRequest training = digits_request(folder, "train");
  Split split = load_split("MNIST", training, digits_request(folder, "t10k"), execution);
  from_0_to_1(split.training.rows);
  from_0_to_1(split.test.rows);
  return split;
}

HumanLabels read_cifar10n(const std::string& folder, const std::string& features,
                          const Execution& execution) {
  const std::string advice = "get it from github.com/UCSC-REAL/cifar-10-100n";
  const std::string labels = find_file(folder, {"cifar10n_labels.csv"}, advice);
  DataRequest request;
  request.path = features;
  if (features.empty()) {
    request.path = find_file(folder, {"aggre_swin_probabilities.npy"},
                             "get it from github.com/cleanlab/label-error-detection-benchmarks, or "
                             "name features of your own");
  }
  request.labels_path = labels;
  request.label = "clean_label";
  HumanLabels human;
  human.rows = known_rows("CIFAR-10N", load_file(request, execution));

  TableOptions options;
  for (const auto& [column, name] : human_labels) options.text_columns.emplace_back(column);
  const Table table = read_table(Bytes::read(labels), labels, options, execution);
  for (const auto& [column, name] : human_labels) {
    Labels given = make_labels(column_of(table, column), table);
    human.given.push_back({name, in_classes(std::move(given), human.rows.classes, labels).codes});
  }
  return human;
}

Split read_embeddings(const std::string& folder, const Execution& execution) {
  const DataRequest training = embeddings_request(folder, "train");
  return load_split("embeddings", training, embeddings_request(folder, "test"), execution);
}

}  // namespace noiseplus
