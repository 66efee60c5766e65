// From a cell to its numbers: the paper's settings of each table.
#pragma once

#include "experiments/drawn_sets.h"
#include "experiments/methods/cells.h"
#include "experiments/results/gap_figure.h"
#include "experiments/results/results.h"

namespace noiseplus {

// Table 1: a linear model. Table 2: of MNIST a network of 128 hidden units, 10 epochs, of CIFAR-10
// a linear model. Table 3: a network. Table 4: a linear model under equalized odds, tolerance 0.01.
// Alpha of peer loss on one split; of networks from five values, 3 epochs each.
CellResult measure(const Cell& cell, const DrawnSet& set, const Execution& execution = {});

// Seconds that a cell took on two cores, to foretell how long others take.
double cost_of_cell(const std::string& table, const std::string& dataset);

// The figure's panels, of a result whose cells `measure` has made.
std::vector<GapPanel> gap_panels(const TableResult& figure);

}  // namespace noiseplus
