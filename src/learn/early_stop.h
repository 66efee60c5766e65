// Keeps the best model seen, by the accuracy on rows held out, and says when to give up. Internal
// to the learn stage.
#pragma once

#include "noiseplus/learn.h"

namespace noiseplus {

class EarlyStop {
 public:
  // Copies the rows held out. Throws usage when they are not among the rows.
  EarlyStop(MatrixView rows, const EarlyStopping& stopping, unsigned threads);

  bool is_on() const { return !codes_.empty(); }

  // False when it is time to stop.
  bool consider(const Model& model);

  const Model& best() const { return best_; }
  double best_accuracy() const { return best_accuracy_; }

 private:
  Matrix rows_;
  std::vector<std::int32_t> codes_;
  int patience_;
  unsigned threads_;
  Model best_;
  double best_accuracy_ = -1;
  int without_rise_ = 0;
};

}  // namespace noiseplus
