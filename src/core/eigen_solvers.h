// Eigen's decompositions and solvers, under the rules of core/eigen.h. Apart from it so that files
// that need only matrices do not compile them. Internal.
#pragma once

#include "core/eigen.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
