#include "kernel_rate.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/kernel_choice.h"
#include "core/thread_pool.h"
#include "neighbors/kernel.h"
#include "neighbors/limits.h"
#include "neighbors/panels.h"
#include "noiseplus/core.h"

namespace noiseplus::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Panels of noise that stay in the second cache, scored against each other without any hit.
std::size_t score_for(double seconds, const Kernel& kernel, std::size_t columns) {
  constexpr std::size_t cache_bytes = 1U << 20;
  const std::size_t panel_bytes = panel_rows * columns * sizeof(float);
  const std::size_t count = std::clamp<std::size_t>(cache_bytes / panel_bytes, 2, 64);
  Panels panels(count, columns);
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t i = 0; i < panel_rows * columns; ++i) {
      panels.values(p)[i] = static_cast<float>(normal(1, Stream::generate, p, i));
    }
    std::fill_n(panels.starts(p), panel_rows, 0.0F);
  }
  const PanelLimits nobody;
  TileHits hits;
  std::size_t tiles = 0;
  const auto start = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - start).count() < seconds) {
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t q = 0; q < count; ++q) {
        const Tile tile{panels.side(q, nobody.limits), panels.side(p, nobody.limits), columns};
        kernel.score_tile(tile, all_strips, hits);
      }
    }
    tiles += count * count;
  }
  return tiles;
}

}  // namespace

void run_kernel(std::size_t columns, unsigned threads, std::size_t runs) {
  const Kernel& kernel = chosen_kernel(available_kernels());
  constexpr double seconds = 0.5;
  double best = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    ThreadPool pool(threads);
    std::vector<std::size_t> tiles(pool.size());
    pool.for_each(tiles.size(),
                  [&](std::size_t i) { tiles[i] = score_for(seconds, kernel, columns); });
    double flops = 0;
    for (const std::size_t count : tiles) {
      flops += 2.0 * panel_rows * panel_rows * static_cast<double>(columns * count);
    }
    best = std::max(best, flops / seconds);
  }
  const nlohmann::ordered_json line = {
      {"kernel", kernel.name}, {"columns", columns}, {"gflops", best / 1e9}};
  std::cout << line.dump() << std::endl;
}

}  // namespace noiseplus::bench
