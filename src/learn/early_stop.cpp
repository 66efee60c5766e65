#include "learn/early_stop.h"

#include "learn/held_out.h"
#include "learn/layers.h"

namespace noiseplus {

void check_stopping(const EarlyStopping& stopping, std::size_t rows, std::size_t classes) {
  for (const std::uint32_t n : stopping.rows) {
    if (n >= rows || n >= stopping.codes.size()) {
      throw Error(ErrorKind::usage, "rows held out must be among the rows, with their labels");
    }
    const std::int32_t code = stopping.codes[n];
    if (code < 0 || static_cast<std::size_t>(code) >= classes) {
      throw Error(ErrorKind::usage, "row " + std::to_string(n + 1) + " is held out with label " +
                                        std::to_string(code) + "; give codes from 0 to " +
                                        std::to_string(classes - 1));
    }
  }
}

EarlyStop::EarlyStop(MatrixView rows, std::size_t classes, const EarlyStopping& stopping,
                     ThreadPool& pool)
    : patience_(stopping.patience), pool_(pool) {
  check_stopping(stopping, rows.rows, classes);
  for (const std::uint32_t n : stopping.rows) codes_.push_back(stopping.codes[n]);
  rows_ = gather(rows, stopping.rows);
}

double EarlyStop::accuracy_of(const Model& model) const {
  return accuracy(probabilities_or_nan(model, rows_.view(), pool_).view(), codes_);
}

bool EarlyStop::consider(const Model& model) {
  return keep(model, accuracy_of(model));
}

bool EarlyStop::consider(const Model& one, const Model& other) {
  const double of_one = accuracy_of(one);
  const double of_other = accuracy_of(other);
  return of_other > of_one ? keep(other, of_other) : keep(one, of_one);
}

bool EarlyStop::keep(const Model& model, double found) {
  if (found > best_accuracy_) {
    best_accuracy_ = found;
    best_ = model;
    without_rise_ = 0;
    return true;
  }
  return ++without_rise_ < patience_;
}

void EarlyStop::finish(FitResult& training) const {
  if (!is_on() || best_.layers.empty()) return;
  training.model = best_;
  training.held_out_accuracy = best_accuracy_;
}

}  // namespace noiseplus
