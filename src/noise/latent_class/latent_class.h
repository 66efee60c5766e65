// The latent class model on patterns of views. Internal.
#pragma once

#include "core/thread_pool.h"
#include "noise/views/view_patterns.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// Below it a probability is 0, for logarithms.
inline constexpr double min_probability = 1e-12;

// fit_latent_classes, with patterns that are known already.
LatentClassFit fit_patterns(const ViewPatterns& patterns, std::span<const std::int32_t> codes,
                            std::size_t classes, const LatentClassOptions& options,
                            ThreadPool& pool, const Execution& execution);

// Throws usage or data as fit_latent_classes does.
void check_latent_class(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                        std::size_t classes, const LatentClassOptions& options);

// Tasks that sums over patterns are cut into: as many whatever the number of threads, so that
// results do not depend on it, and few enough for each to have `numbers` doubles of its own.
std::size_t blocks_of(std::size_t patterns, std::size_t numbers);

// Calls work(block, begin, end) for each of these tasks.
template <typename Work>
void for_blocks(std::size_t count, std::size_t blocks, ThreadPool& pool, const Work& work) {
  pool.for_each(blocks, [&](std::size_t block) {
    work(block, count * block / blocks, count * (block + 1) / blocks);
  });
}

}  // namespace noiseplus
