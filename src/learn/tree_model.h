// What boosted trees must be, and their answers. Internal to the learn stage.
#pragma once

#include <string>

#include "noiseplus/learn.h"

namespace noiseplus {

// Why the trees cannot be used; empty when they can. Then every path from the first split of a tree
// ends at a leaf, every column is one of `inputs`, and all numbers are finite.
std::string why_unfit(const BoostedTrees& boosted, std::size_t classes);

// Logits of `count` rows one after another. Rows with a value that is not finite get NaN.
// REQUIRES: why_unfit finds nothing; rows have `inputs` columns; one logit per row and output.
void find_logits(const BoostedTrees& boosted, const float* rows, std::size_t count, float* logits);

}  // namespace noiseplus
