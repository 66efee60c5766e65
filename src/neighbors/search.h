// The search with its choices made by the caller, for tests and benchmarks; and its parts.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "core/kernel_choice.h"
#include "core/thread_pool.h"
#include "neighbors/kernel.h"
#include "neighbors/nearest.h"
#include "neighbors/panels.h"
#include "noiseplus/neighbors.h"

namespace noiseplus {

// What was done, for those who want to know why it took so long.
struct SearchCounts {
  std::atomic<std::uint64_t> distinct_rows = 0;
  std::atomic<std::uint64_t> tiles = 0;              // of 48 x 48 distinct rows, all there were
  std::atomic<std::uint64_t> tiles_past_balls = 0;   // not ruled out by balls
  std::atomic<std::uint64_t> strips_scored = 0;      // of 8 x 48 rows themselves
  std::atomic<std::uint64_t> columns_scored = 0;     // summed over strips
  std::atomic<std::uint64_t> sketch_directions = 0;  // 0 when sketches did not pay
  std::atomic<std::uint64_t> distances = 0;          // measured exactly
};

// Changes only the speed.
struct SearchChoices {
  Kernel kernel = chosen_kernel(available_kernels());
  std::size_t rows_worth_pruning = 2048;     // fewer distinct rows are searched as they come
  std::optional<std::size_t> sketch_length;  // whatever the trial says; see Sketches
  std::size_t block_bytes = 1024 * 1024;     // of packed rows that stay in the second cache
  SearchCounts* counts = nullptr;            // kept, when given
};

NeighborGraph find_neighbors_by(const SearchChoices& choices, RowsView rows,
                                const NeighborOptions& options, const Execution& execution);

// What a running search consists of.
struct SearchRun {
  const SearchSpace& space;
  const Centering& centering;
  const SearchChoices& choices;
  ThreadPool& pool;
  ProgressMeter& meter;

  // How many of `panels` make a block: as many as choices.block_bytes hold, but so few that there
  // are blocks for all threads.
  std::size_t panels_per_block(std::size_t panels) const;

  static constexpr std::size_t max_panels_in_block = 32;
};

// One task's share of the counting. Tiles are told to the meter every millisecond or so and, by
// tell(), at the end of the task; to the counts when it is gone.
class WorkDone {
 public:
  explicit WorkDone(const SearchRun& run) : run_(run) {}
  ~WorkDone();
  WorkDone(const WorkDone&) = delete;
  WorkDone& operator=(const WorkDone&) = delete;

  // Both throw cancelled.
  void finish_tiles(std::size_t count);
  void tell();

  std::size_t tiles_past_balls = 0;
  std::size_t strips_scored = 0;
  std::size_t columns_scored = 0;

 private:
  const SearchRun& run_;
  std::size_t tiles_ = 0;
  std::size_t tiles_not_told_ = 0;
};

// The nearest groups of all groups: each pair of panels is visited once, for both. Steps the meter
// once for each tile of distinct rows.
NearestTable search_all(const SearchRun& run);

// The nearest groups of these ones. The base is packed as it passes by, a block at a time. Steps
// the meter once for each tile.
NearestTable search_anchors(const SearchRun& run, std::span<const std::uint32_t> anchor_groups);

}  // namespace noiseplus
