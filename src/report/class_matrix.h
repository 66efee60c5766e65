// Numbers by class and class: confusions, transition matrices. Internal.
#pragma once

#include <string>
#include <vector>

#include "noiseplus/report.h"

namespace noiseplus {

// `cells` has a row a class. Columns are named by the class where all names fit a line, and else by
// number, which then stands before the name of the row too; where the names do not fit there, they
// are listed below with their numbers. `corner` says what the rows are.
std::string class_matrix_text(const std::string& corner, const std::vector<std::string>& classes,
                              const std::vector<std::string>& cells, std::size_t indent,
                              TextStyle style);

}  // namespace noiseplus
