#include "data.h"

#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

#include "noiseplus/data.h"
#include "npy.h"

namespace noiseplus::bench {
namespace {

// One seed for each quantity that is drawn: equal seeds would make equal numbers.
constexpr std::uint64_t noise_seed = 1, centre_seed = 2, component_seed = 3, class_seed = 4,
                        flip_seed = 5;

// Each row is a pure function of its index, so it does not matter which thread writes it.
Matrix fill_rows(std::size_t rows, std::size_t columns,
                 const std::function<void(std::size_t row, float* values)>& fill) {
  Matrix matrix(rows, columns);
  const std::size_t workers = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] {
      for (std::size_t i = worker * rows / workers; i < (worker + 1) * rows / workers; ++i) {
        fill(i, matrix.row(i));
      }
    });
  }
  threads.clear();  // joins
  return matrix;
}

double noise_value(std::size_t row, std::size_t column) {
  return normal(noise_seed, Stream::generate, row, column);
}

}  // namespace

Matrix gaussian_noise(std::size_t rows, std::size_t columns) {
  return fill_rows(rows, columns, [columns](std::size_t row, float* values) {
    for (std::size_t c = 0; c < columns; ++c) values[c] = static_cast<float>(noise_value(row, c));
  });
}

Matrix gaussian_mixture(std::size_t rows, std::size_t columns, std::size_t components,
                        double spread) {
  return fill_rows(rows, columns, [=](std::size_t row, float* values) {
    const std::size_t component = hash(component_seed, Stream::generate, row) % components;
    for (std::size_t c = 0; c < columns; ++c) {
      const double center = spread * normal(centre_seed, Stream::generate, component, c);
      values[c] = static_cast<float>(center + noise_value(row, c));
    }
  });
}

void write_noisy_classes(std::size_t rows, std::size_t columns, const std::string& features_path,
                         const std::string& labels_path) {
  constexpr double shift = 0.5;  // of every column: classes 5.7 deviations apart at 128 columns
  constexpr double transition[] = {0.9, 0.1, 0.3, 0.7};

  std::vector<std::int32_t> codes(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    codes[i] = uniform(class_seed, Stream::generate, i) < 0.5 ? 0 : 1;
  }
  // Before the features: a file of these then always has its labels beside it.
  OutputFile labels(labels_path);
  write_labels("label", draw_labels(codes, 2, transition, flip_seed, Stream::corrupt), {"0", "1"},
               labels_path, labels);
  labels.commit();

  const Matrix features = fill_rows(rows, columns, [&](std::size_t row, float* values) {
    for (std::size_t c = 0; c < columns; ++c) {
      values[c] = static_cast<float>(noise_value(row, c) + shift * codes[row]);
    }
  });
  write_npy(features.view(), features_path);
}

Matrix read_features(const std::string& path, const std::string& label) {
  const auto copy = [](RowsView view) {
    return fill_rows(view.rows, view.columns, [view](std::size_t row, float* values) {
      std::copy_n(view.row(row, values), view.columns, values);
    });
  };
  if (label.empty()) {
    return copy(read_arrays(Bytes::read(path), path, format_of(path)).features.view());
  }
  DataRequest request;
  request.path = path;
  request.label = label;
  return copy(load(request).features.view());
}

}  // namespace noiseplus::bench
