// Eigen's decompositions and solvers, under the rules of core/eigen.h. Apart from it because they
// take several times as long to compile as matrices and vectors do. Internal.
#pragma once

#include "core/eigen.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
