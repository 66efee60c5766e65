#include "experiments/reproduce.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/measure.h"
#include "experiments/output.h"
#include "experiments/pace.h"
#include "experiments/plan.h"
#include "noiseplus/report.h"
#include "noiseplus/version.h"

namespace noiseplus {
namespace {

// The settings of one data set in one table.
struct Work {
  std::string part, dataset;
  std::vector<std::string> settings;
};

std::vector<Work> grouped(const std::string& part, std::span<const PartSetting> settings) {
  std::vector<Work> work;
  for (const PartSetting& one : settings) {
    if (work.empty() || work.back().dataset != one.dataset) work.push_back({part, one.dataset, {}});
    work.back().settings.push_back(one.setting);
  }
  return work;
}

class Runner {
 public:
  Runner(const ReproduceOptions& options, const Execution& execution)
      : options_(options), execution_(execution), parts_(parts_called(options.what)) {
    for (const std::string& text : options.only) only_.push_back(parse_only(text, parts_));
  }

  Reproduced run(const std::function<void(const Reproduced&)>& before_commit) {
    plan();
    store_.emplace(options_.output + "/cells");
    for (const Work& work : work_) run(work);
    OutputsOfRun files(options_.output);
    for (TableResult& table : result_.tables) {
      if (table.settings.empty()) continue;
      files.add(table, command_of(table.name));
    }
    result_.files = files.paths();
    files.finish();
    if (before_commit) before_commit(result_);
    files.commit();
    return std::move(result_);
  }

 private:
  // What is there and wanted; throws when that is nothing.
  void plan() {
    std::vector<std::string> missing;
    for (const std::string& part : parts_) {
      TableResult table;
      table.name = part;
      for (Work& work : grouped(part, wanted_settings(part, only_))) {
        if (is_there(options_.folders, work.dataset)) {
          pace_.expect(cost_of_cell(part, work.dataset) *
                       static_cast<double>(work.settings.size() * options_.seeds));
          work_.push_back(std::move(work));
        } else {
          table.absent.push_back(work.dataset);
          missing.push_back(work.dataset);
        }
      }
      result_.tables.push_back(std::move(table));
    }
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    report(missing);
  }

  void report(const std::vector<std::string>& missing) {
    for (const std::string& dataset : missing) {
      const std::string where = where_to_get(options_.folders, dataset);
      if (!only_.empty())
        throw Error(ErrorKind::io, where + ": not there; docs/reproduce.md says what it holds");
      result_.warnings.push_back(dataset + " is left out: put it into " + where);
    }
    if (work_.empty()) {
      throw Error(ErrorKind::io, options_.folders.data +
                                     ": no folder of any data set is there; name the folder that "
                                     "holds adult, compas, mnist, ... with --data");
    }
  }

  void run(const Work& work) {
    TableResult& table =
        *std::find_if(result_.tables.begin(), result_.tables.end(),
                      [&](const TableResult& one) { return one.name == work.part; });
    const PreparedSet set = prepare(work.part, work.dataset, options_.folders,
                                    pace_.watched(execution_, work.part + ' ' + work.dataset, 0));
    table.descriptions[work.dataset] = set.description;
    std::vector<std::vector<CellResult>> found(work.settings.size());
    for (std::size_t s = 0; s < options_.seeds; ++s) {
      std::optional<DrawnSet> drawn;  // when the first cell needs it
      for (std::size_t i = 0; i < work.settings.size(); ++i) {
        found[i].push_back(
            result_of({work.part, work.dataset, work.settings[i], options_.seed + s}, set, drawn));
      }
    }
    for (std::size_t i = 0; i < work.settings.size(); ++i) {
      for (std::size_t s = 0; s < options_.seeds; ++s) {
        table.add({work.part, work.dataset, work.settings[i], options_.seed + s}, found[i][s]);
      }
    }
  }

  CellResult result_of(const Cell& cell, const PreparedSet& set, std::optional<DrawnSet>& drawn) {
    const double cost = cost_of_cell(cell.table, cell.dataset);
    const std::uint64_t print = fingerprint(set.fingerprint, version() + ' ' + cell.name());
    if (std::optional<CellResult> kept = store_->find(cell, print)) {
      pace_.skip(cost);
      ++result_.reused;
      return std::move(*kept);
    }
    const std::string name =
        fmt::format("{} {} {}, seed {}", cell.table, cell.dataset, cell.setting, cell.seed);
    const Execution watched = pace_.watched(execution_, name, cost);
    if (!drawn) drawn = draw(set, cell.seed, watched);
    CellResult result = measure(cell, *drawn, watched);
    store_->keep(cell, print, result);
    pace_.finish(cost);
    ++result_.computed;
    return result;
  }

  std::string command_of(const std::string& part) const {
    std::string command =
        fmt::format("noiseplus reproduce {} --data DIR --seeds {}", part, options_.seeds);
    if (options_.seed != 0) command += fmt::format(" --seed {}", options_.seed);
    for (const std::string& text : options_.only) command += " --only " + text;
    for (const auto& [dataset, path] : options_.folders.features) {
      command += " --features " + dataset + "=PATH";
    }
    return command;
  }

  const ReproduceOptions& options_;
  const Execution& execution_;
  std::optional<CellStore> store_;  // once there is work
  std::vector<std::string> parts_;
  std::vector<Only> only_ = {};
  std::vector<Work> work_ = {};
  Pace pace_;
  Reproduced result_;
};

}  // namespace

Reproduced reproduce(const ReproduceOptions& options, const Execution& execution,
                     const std::function<void(const Reproduced&)>& before_commit) {
  if (options.seeds == 0) throw Error(ErrorKind::usage, "--seeds must be at least 1");
  return Runner(options, execution).run(before_commit);
}

}  // namespace noiseplus
