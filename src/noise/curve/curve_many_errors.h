// Errors of the rates of a curve of more than two classes. Internal.
#pragma once

#include "core/eigen.h"
#include "core/thread_pool.h"
#include "noise/curve/curve_information.h"

namespace noiseplus {

// Covariance of the rates 1 - T[i][i]: Huber's (1967) sandwich with weights, intercepts and T all
// uncertain, to which the pull of the pseudo-counts is added as an error. With more parameters than
// `max_parameters` the rate of each class is worked out with the intercepts and rows of T of the
// others held fixed: the time is then that of a few gradients.
Eigen::MatrixXd covariance_of_rates(const ManyClassFit& fit, std::size_t max_parameters,
                                    ThreadPool& pool, ProgressMeter& meter);

}  // namespace noiseplus
