// The real data sets beside the project, with clean labels.
#pragma once

#include "experiments/sets/known_rows.h"
#include "experiments/sets/prepare.h"
#include "noiseplus/noise.h"

namespace noiseplus {

using RealSet = KnownRows;

RealSet adult();
RealSet adult_balanced();  // as many rows of each class
RealSet adult_by_sex();
RealSet adult_by_sex_in_equal_cells();  // as many rows of each class in each group
RealSet compas();
RealSet compas_by_race();  // African-American or not
RealSet german();
RealSet german_by_sex();
RealSet credit();   // groups by SEX
RealSet bank();     // groups by marital status
Split fair_face();  // gender; groups are races
Split fair_face_white_or_not();
RealSet mnist();  // training rows, pixels from 0 to 255
RealSet mnist_pair(int first, int second);
HumanLabels cifar10n();  // Swin probabilities

// The eight settings of every table.
inline constexpr TwoRates eight_settings[] = {{0, .1},  {0, .2}, {.1, .2}, {.1, .3},
                                              {.2, .4}, {.2, 0}, {.3, .1}, {.4, .2}};

}  // namespace noiseplus
