#include "neighbors/distinct.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace noiseplus {
namespace {

constexpr std::size_t buckets = 1024;

std::size_t bucket_of(std::uint64_t hash) {
  return hash >> 54;
}

// Rows by the bucket of their hash: ends[b] is where bucket b ends in the order.
struct BucketedRows {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> ends;
};

BucketedRows sort_into_buckets(std::span<const std::uint64_t> hashes) {
  BucketedRows result{std::vector<std::uint32_t>(hashes.size()),
                      std::vector<std::size_t>(buckets + 1)};
  for (const std::uint64_t hash : hashes) ++result.ends[bucket_of(hash) + 1];
  std::partial_sum(result.ends.begin(), result.ends.end(), result.ends.begin());
  for (std::size_t row = 0; row < hashes.size(); ++row) {
    result.rows[result.ends[bucket_of(hashes[row])]++] = static_cast<std::uint32_t>(row);
  }
  result.ends.pop_back();
  return result;
}

// Sets leaders[row] to the first row of equal values, for rows of one hash in increasing order.
void lead(const Points& points, std::span<const std::uint32_t> rows, Points::Scratch& scratch,
          std::vector<std::uint32_t>& leaders) {
  if (rows.size() == 1) {
    leaders[rows[0]] = rows[0];
    return;
  }
  std::vector<std::uint32_t> known;  // more than one only where different rows have one hash
  for (const std::uint32_t row : rows) {
    const auto found = std::find_if(known.begin(), known.end(), [&](std::uint32_t leader) {
      return points.are_equal(leader, row, scratch);
    });
    if (found == known.end()) {
      known.push_back(row);
      leaders[row] = row;
    } else {
      leaders[row] = *found;
    }
  }
}

}  // namespace

DistinctRows::DistinctRows(const Points& points, const TieOrder& ties, ThreadPool& pool,
                           ProgressMeter& meter)
    : group_of_(points.rows()) {
  std::vector<std::uint64_t> hashes(points.rows());
  constexpr std::size_t at_once = Points::rows_at_once;
  pool.for_each((points.rows() + at_once - 1) / at_once, [&](std::size_t chunk) {
    Points::Scratch scratch(points);
    const std::size_t last = std::min((chunk + 1) * at_once, points.rows());
    for (std::size_t row = chunk * at_once; row < last; ++row) {
      hashes[row] = points.content_hash(static_cast<std::uint32_t>(row), scratch);
    }
    meter.step();
  });
  number_groups(find_leaders(points, hashes, pool, meter), hashes);
  collect_members(ties, pool, meter);
}

std::vector<std::uint32_t> DistinctRows::find_leaders(const Points& points,
                                                      std::span<const std::uint64_t> hashes,
                                                      ThreadPool& pool,
                                                      ProgressMeter& meter) const {
  BucketedRows sorted = sort_into_buckets(hashes);
  std::vector<std::uint32_t> leaders(hashes.size());
  pool.for_each(buckets, [&](std::size_t bucket) {
    Points::Scratch scratch(points);
    const std::size_t first = bucket == 0 ? 0 : sorted.ends[bucket - 1];
    const std::span<std::uint32_t> rows(sorted.rows.data() + first, sorted.ends[bucket] - first);
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(hashes[a], a) < std::tie(hashes[b], b);
    });
    for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
      while (end < rows.size() && hashes[rows[end]] == hashes[rows[begin]]) ++end;
      lead(points, rows.subspan(begin, end - begin), scratch, leaders);
    }
    meter.step(0);
  });
  return leaders;
}

void DistinctRows::number_groups(std::span<const std::uint32_t> leaders,
                                 std::span<const std::uint64_t> hashes) {
  for (std::size_t row = 0; row < leaders.size(); ++row) {
    if (leaders[row] == row) {
      group_of_[row] = static_cast<std::uint32_t>(contents_.size());
      contents_.push_back(hashes[row]);
      counts_.push_back(0);
    } else {
      group_of_[row] = group_of_[leaders[row]];  // leaders come first
    }
    ++counts_[group_of_[row]];
  }
}

void DistinctRows::collect_members(const TieOrder& ties, ThreadPool& pool, ProgressMeter& meter) {
  members_.resize(group_of_.size());
  ends_.resize(size());
  std::exclusive_scan(counts_.begin(), counts_.end(), ends_.begin(), 0U);
  for (std::size_t row = 0; row < group_of_.size(); ++row) {
    members_[ends_[group_of_[row]]++] = static_cast<std::uint32_t>(row);
  }
  if (size() == group_of_.size()) return;
  constexpr std::size_t at_once = 1024;
  pool.for_each((size() + at_once - 1) / at_once, [&](std::size_t chunk) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> places;
    const std::size_t last = std::min((chunk + 1) * at_once, size());
    for (std::size_t group = chunk * at_once; group < last; ++group) {
      if (counts_[group] == 1) continue;
      std::uint32_t* const first = members_.data() + ends_[group] - counts_[group];
      places.clear();
      for (std::uint32_t i = 0; i < counts_[group]; ++i) {
        places.emplace_back(ties.place(first[i]), first[i]);
      }
      std::sort(places.begin(), places.end());
      for (std::uint32_t i = 0; i < counts_[group]; ++i) first[i] = places[i].second;
    }
    meter.step(0);
  });
}

}  // namespace noiseplus
