#include "experiments/output.h"

#include "experiments/measure.h"

namespace noiseplus {

OutputsOfRun::OutputsOfRun(std::string folder) : folder_(std::move(folder)) {}

void OutputsOfRun::add(const std::string& name, const std::string& text) {
  paths_.push_back(folder_ + '/' + name);
  files_.push_back(std::make_unique<OutputFile>(paths_.back()));
  files_.back()->write(text);
}

void OutputsOfRun::add(const TableResult& result, const std::string& command) {
  add(result.name + ".json", results_json(result));
  if (result.name == "figure-gap") {
    add(result.name + ".svg", gap_figure_svg(gap_panels(result)));
  } else {
    add(result.name + ".md", results_markdown(result, command));
  }
}

void OutputsOfRun::finish() {
  for (const std::unique_ptr<OutputFile>& file : files_) file->finish();
}

void OutputsOfRun::commit() {
  finish();
  for (const std::unique_ptr<OutputFile>& file : files_) file->stage();
  for (const std::unique_ptr<OutputFile>& file : files_) file->commit();
}

}  // namespace noiseplus
