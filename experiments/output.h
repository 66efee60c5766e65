// The files of a run: all of them appear, or none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/results/results.h"

namespace noiseplus {

class OutputsOfRun {
 public:
  explicit OutputsOfRun(std::string folder);

  // Of a table its JSON and its page, of the figure its JSON and its picture. `command` is shown on
  // the page.
  void add(const TableResult& result, const std::string& command);

  const std::vector<std::string>& paths() const { return paths_; }

  // All bytes on the disk; what may fail before the files appear comes between the two.
  void finish();
  void commit();

 private:
  void add(const std::string& name, const std::string& text);

  std::string folder_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

}  // namespace noiseplus
