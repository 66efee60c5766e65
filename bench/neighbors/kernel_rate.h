// The rate of our tile kernel alone: what a search could reach at best.
#pragma once

#include <cstddef>

namespace noiseplus::bench {

// Prints one JSON line.
void run_kernel(std::size_t columns, unsigned threads, std::size_t runs);

}  // namespace noiseplus::bench
