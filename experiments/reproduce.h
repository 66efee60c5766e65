// The runner behind `noiseplus reproduce`: every table and figure of the paper.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/drawn_sets.h"
#include "experiments/results/results.h"

namespace noiseplus {

struct ReproduceOptions {
  // Changes the answer.
  std::string what = "all";  // table1, table2, table3, table4, figure-gap or all
  SetFolders folders;
  std::size_t seeds = 5;
  std::uint64_t seed = 0;         // the first of them
  std::vector<std::string> only;  // data sets, or settings of them; empty: all
  // Where results go: TABLE.json, TABLE.md, figure-gap.svg, and the finished cells in `cells`.
  std::string output = "reproduce-output";
};

struct Reproduced {
  std::vector<TableResult> tables;
  std::vector<std::string> files;        // written
  std::vector<std::string> warnings;     // data sets that are not there
  std::size_t computed = 0, reused = 0;  // cells
};

// Cells that are finished in the output folder, of the same data, are not computed again. Data sets
// whose folder is not there are left out, with a warning. Progress tells the cell and how far the
// whole has come. Throws io when no data set is there, or one that `only` names is not; and as the
// preparers do. Cancelled, it leaves the finished cells and no table.
// `before_commit` is called when every file is written and none is in its place yet; if it throws,
// there are no new tables.
Reproduced reproduce(const ReproduceOptions& options, const Execution& execution = {},
                     const std::function<void(const Reproduced&)>& before_commit = {});

}  // namespace noiseplus
