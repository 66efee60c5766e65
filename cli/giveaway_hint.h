// How the command line leaves out columns that give the labels away. Internal.
#pragma once

#include <string>

#include "noiseplus/report.h"

namespace noiseplus::cli {

// "To leave it out: --drop score"; empty where no column gives the labels away, or a name has
// characters that a shell would not take as they are.
inline std::string giveaway_hint(const AuditReport& report) {
  if (!report.giveaway) return "";
  constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  std::string names;
  for (const std::string& column : report.giveaway->columns) {
    if (column.empty() || column.find_first_not_of(plain) != column.npos) return "";
    names += (names.empty() ? "" : ",") + column;
  }
  const std::string what = report.giveaway->columns.size() == 1 ? "it" : "them";
  return "To leave " + what + " out: --drop " + names + '\n';
}

}  // namespace noiseplus::cli
