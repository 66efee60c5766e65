// The data of the contest, made once and read by every contestant from the same file.
#pragma once

#include <cstddef>
#include <string>

#include "noiseplus/core.h"

namespace noiseplus::bench {

// Standard normal in every column: nothing to prune, the hard case of an exact search.
Matrix gaussian_noise(std::size_t rows, std::size_t columns);

// `components` equally likely Gaussians of unit variance; each column of a center is normal with
// standard deviation `spread`.
Matrix gaussian_mixture(std::size_t rows, std::size_t columns, std::size_t components,
                        double spread);

// Two overlapping Gaussians whose labels are wrong at known, different rates. The features go to
// `features_path` (npy), the noisy labels to `labels_path`.
void write_noisy_classes(std::size_t rows, std::size_t columns, const std::string& features_path,
                         const std::string& labels_path);

// The features of a file as `noiseplus audit` would see them; `label` names a table's label column
// and is empty for arrays.
Matrix read_features(const std::string& path, const std::string& label);

}  // namespace noiseplus::bench
