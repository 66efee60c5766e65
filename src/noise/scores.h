// What estimators that read scores and labels have in common. Internal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "noiseplus/noise.h"

namespace noiseplus {

// Throws usage when there are not as many labels as rows, fewer than two classes, or a label that
// is no column; data when a score is not within [0, 1]. `who` begins the message.
void check_scores(const std::string& who, MatrixView scores, std::span<const std::int32_t> codes);

// Of each score, or of `least` where it is smaller.
Matrix logarithms(MatrixView scores, double least);

// How many rows have each label. REQUIRES: codes below `classes`.
std::vector<std::size_t> count_labels(std::span<const std::int32_t> codes, std::size_t classes);

// Share of each class among the labels. REQUIRES: codes below `classes`, at least one.
std::vector<double> label_shares(std::span<const std::int32_t> codes, std::size_t classes);

// The clean prior p that gives label shares q through T: q = T^t p, no entry below 0, adding up to
// 1. Empty when T cannot be inverted.
std::vector<double> prior_behind(const std::vector<double>& transition,
                                 const std::vector<double>& shares);

// The class's name, or its number where it has none.
std::string class_name(std::span<const std::string> class_names, std::size_t code);

// Fills gap and p_value from rates that are shares of rows[i] trials each. Both hold for every pair
// of classes at once.
void compare_shares(const std::vector<double>& rows, NoiseEstimate& estimate);

// Fills s and conditioning, which only two classes have.
void fill_two_class_terms(NoiseEstimate& estimate);

// Of n rows without an error the error rate may be 3 / n (95 %): no interval of a rate ends below,
// nor begins above 1 - 3 / n, and the gap's reaches as far where a rate is that low. `rows` is how
// many there are of all classes. REQUIRES: a prior for each rate.
void widen_narrow_intervals(NoiseEstimate& estimate, std::size_t rows);

// The same of one share of `rows`: an interval that begins at 0 ends no lower than 3 / rows.
void widen_narrow_interval(EstimateWithInterval& share, std::size_t rows);

// The class of the highest rate.
int noisiest_class(const NoiseEstimate& estimate);

}  // namespace noiseplus
