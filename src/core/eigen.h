// Eigen's matrices and vectors, such that they give the same bits on every CPU. Internal. Included
// in place of Eigen's own headers (tests/architecture_test.cpp); core/eigen_solvers.h has more.
#pragma once

#ifdef EIGEN_CORE_H
#error "include core/eigen.h before, and in place of, Eigen's headers"
#endif

// Its vectors are as wide as the instruction set has them, and fuse where it can: sums differ.
#define EIGEN_DONT_VECTORIZE
#define EIGEN_DONT_PARALLELIZE

// Products are summed in blocks that fit the caches: of these sizes, not of those that the CPU says
// it has.
#define EIGEN_NO_CPUID
#define EIGEN_DEFAULT_L1_CACHE_SIZE 32768
#define EIGEN_DEFAULT_L2_CACHE_SIZE 524288
#define EIGEN_DEFAULT_L3_CACHE_SIZE 8388608

// In a namespace of its own: a program that itself uses Eigen compiles it with other settings, and
// the linker would keep one of two functions of the same name.
#define Eigen noiseplus_eigen

#include <Eigen/Core>
