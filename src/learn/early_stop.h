// Keeps the best model seen, by the accuracy on rows held out, and says when to give up. Internal
// to the learn stage.
#pragma once

#include "core/thread_pool.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// Throws usage when rows held out are not among the rows, or their labels are not from 0 to
// classes - 1.
void check_stopping(const EarlyStopping& stopping, std::size_t rows, std::size_t classes);

class EarlyStop {
 public:
  // Copies the rows held out; the pool must outlive this. Throws as check_stopping does.
  EarlyStop(MatrixView rows, std::size_t classes, const EarlyStopping& stopping, ThreadPool& pool);

  bool is_on() const { return !codes_.empty(); }

  // False when it is time to stop.
  bool consider(const Model& model);
  // Of two, the better.
  bool consider(const Model& one, const Model& other);

  // Puts the best model in place of the last. REQUIRES: one was considered, or early stopping is
  // off.
  void finish(FitResult& training) const;

 private:
  double accuracy_of(const Model& model) const;
  bool keep(const Model& model, double found);

  Matrix rows_;
  std::vector<std::int32_t> codes_;
  int patience_;
  ThreadPool& pool_;
  Model best_;
  double best_accuracy_ = -1;
  int without_rise_ = 0;
};

}  // namespace noiseplus
