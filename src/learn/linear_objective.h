// The loss of a linear model as a function of its parameters. Internal to the learn stage.
#pragma once

#include <vector>

#include "core/eigen.h"
#include "core/thread_pool.h"
#include "learn/layers.h"
#include "learn/row_losses.h"
#include "learn/targets_view.h"

namespace noiseplus {

// Parameters are the weights of output 0, of output 1, ..., then one bias an output.
//
// Rows are summed in segments of fixed size and the segments in order, so that the sum does not
// depend on the number of threads.
class LinearObjective {
 public:
  // Everything given must outlive the objective.
  LinearObjective(MatrixView rows, TargetsView targets, double ridge, ThreadPool& pool,
                  ProgressMeter& meter);

  Eigen::Index parameters() const;
  std::size_t blocks() const;  // steps of the meter an evaluation takes

  // The model at the parameters of the last evaluation.
  const PackedLayer& layer() const { return layer_; }

  double operator()(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);

 private:
  struct Segment {
    double loss = 0;
    Eigen::VectorXd gradient;
  };
  void sum_segment(std::size_t s);
  // Room for the values of one block, used for one after another.
  struct Room {
    std::vector<float> logits, sums, weights;
  };
  void add_block(std::size_t begin, std::size_t count, Segment& segment, Room& room) const;
  void pack(const Eigen::VectorXd& x);

  MatrixView rows_;
  TargetsView targets_;
  double ridge_;
  ThreadPool& pool_;
  ProgressMeter& meter_;
  const ProductKernel& products_;
  const LossKernel& losses_;
  std::size_t block_;             // rows of a block
  std::size_t blocks_a_segment_;  // of a segment
  std::vector<Segment> segments_;
  PackedLayer layer_;
};

Eigen::VectorXd parameters_of(const Layer& layer);
Layer layer_of(const Eigen::VectorXd& x, std::size_t inputs, std::size_t outputs);

}  // namespace noiseplus
