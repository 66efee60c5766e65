#include "contest.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "measure.h"
#include "rivals.h"

namespace noiseplus::bench {
namespace {

// Share of the queries. FAISS computes in floats and may miss a neighbor now and then.
constexpr double min_agreement = 0.999;

// FAISS is run with several settings, some of them very slow: these get fewer runs.
constexpr double faiss_enough_seconds = 10;

void print(const nlohmann::ordered_json& line) {
  std::cout << line.dump() << std::endl;
}

nlohmann::ordered_json describe(const Measurement& measurement) {
  nlohmann::ordered_json line = {{"seconds", measurement.seconds}, {"runs", measurement.runs}};
  if (measurement.knows_megabytes) line["megabytes"] = measurement.megabytes;
  return line;
}

std::vector<std::uint16_t> to_halves(MatrixView rows) {
  std::vector<std::uint16_t> halves(rows.rows * rows.columns);
  std::transform(rows.data, rows.data + halves.size(), halves.begin(),
                 [](float value) { return Eigen::half(value).x; });
  return halves;
}

std::vector<std::uint32_t> spread_evenly(std::size_t rows, std::size_t count) {
  std::vector<std::uint32_t> chosen(std::min(rows, count));
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = static_cast<std::uint32_t>(i * rows / chosen.size());
  }
  return chosen;
}

Matrix gather(MatrixView rows, std::span<const std::uint32_t> chosen) {
  Matrix gathered(chosen.size(), rows.columns);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    std::copy_n(rows.row(chosen[i]), rows.columns, gathered.row(i));
  }
  return gathered;
}

double squared_norm(const float* row, std::size_t columns) {
  double sum = 0;
  for (std::size_t c = 0; c < columns; ++c) sum += static_cast<double>(row[c]) * row[c];
  return sum;
}

double squared_distance(const float* a, const float* b, std::size_t columns) {
  double sum = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    const double difference = static_cast<double>(a[c]) - b[c];
    sum += difference * difference;
  }
  return sum;
}

// Whether two answers for one row are the same but for distances that floats cannot tell apart.
// FAISS has the norms in its sums, so it is their size that its rounding goes by.
bool agrees(MatrixView rows, std::uint32_t query, std::span<const std::uint32_t> ours,
            std::span<const std::int64_t> with_itself) {
  std::vector<double> theirs;
  for (const std::int64_t id : with_itself) {
    if (id == query || theirs.size() == ours.size()) continue;
    theirs.push_back(
        squared_distance(rows.row(query), rows.row(static_cast<std::size_t>(id)), rows.columns));
  }
  std::sort(theirs.begin(), theirs.end());
  const double tolerance = 1e-5 * squared_norm(rows.row(query), rows.columns);
  for (std::size_t j = 0; j < ours.size(); ++j) {
    const double distance = squared_distance(rows.row(query), rows.row(ours[j]), rows.columns);
    if (std::abs(distance - theirs[j]) > tolerance) return false;
  }
  return true;
}

// Our search as the contest wants it, ready to be timed.
class OurSearch {
 public:
  OurSearch(MatrixView rows, const SearchContest& contest) : rows_(rows) {
    if (contest.type == ValueType::float16) {
      halves_ = to_halves(rows);
      rows_ = RowsView(halves_.data(), rows.rows, rows.columns);
    }
    if (contest.anchors != 0) {
      anchors_ = sample_rows(rows.rows, contest.anchors, 0, Stream::anchors);
    }
    options_.k = contest.k;
    options_.metric = contest.metric;
    options_.anchors = anchors_;
    execution_.threads = contest.threads;
  }
  OurSearch(const OurSearch&) = delete;  // options_ looks into anchors_
  OurSearch& operator=(const OurSearch&) = delete;

  void run() { found_ = find_neighbors(rows_, options_, execution_); }
  const NeighborGraph& found() const { return found_; }

 private:
  RowsView rows_;
  std::vector<std::uint16_t> halves_;
  std::vector<std::uint32_t> anchors_;
  NeighborOptions options_;
  Execution execution_;
  NeighborGraph found_;
};

// FAISS on a sample of the rows as queries; what it finds first for a row is mostly the row itself.
class FaissSearch {
 public:
  FaissSearch(MatrixView rows, const SearchContest& contest)
      : count_(contest.k + 1),
        sample_(spread_evenly(rows.rows, contest.queries)),
        queries_(gather(rows, sample_)),
        index_(rows) {}

  void run() { found_ = index_.nearest(queries_.view(), count_); }
  std::span<const std::uint32_t> sample() const { return sample_; }

  double agreement(MatrixView rows, const NeighborGraph& ours) const {
    std::size_t same = 0;
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      const std::span<const std::int64_t> theirs(found_.data() + i * count_, count_);
      same += agrees(rows, sample_[i], ours.neighbors(sample_[i]), theirs) ? 1 : 0;
    }
    return static_cast<double>(same) / static_cast<double>(sample_.size());
  }

 private:
  std::size_t count_;
  std::vector<std::uint32_t> sample_;
  Matrix queries_;
  FlatIndex index_;
  std::vector<std::int64_t> found_;
};

}  // namespace

bool run_searches(MatrixView rows, const SearchContest& contest) {
  std::optional<OurSearch> ours;
  std::optional<FaissSearch> faiss;
  if (contest.with_ours) ours.emplace(rows, contest);
  if (contest.with_faiss) faiss.emplace(rows, contest);

  Stopwatch our_watch(contest.runs, contest.enough_seconds);
  Stopwatch faiss_watch(contest.runs, faiss_enough_seconds);
  while ((ours && our_watch.wants_another()) || (faiss && faiss_watch.wants_another())) {
    if (ours && our_watch.wants_another()) our_watch.run([&] { ours->run(); });
    if (faiss && faiss_watch.wants_another()) faiss_watch.run([&] { faiss->run(); });
  }

  const nlohmann::ordered_json shape = {
      {"rows", rows.rows}, {"columns", rows.columns}, {"k", contest.k}};
  if (ours) {
    nlohmann::ordered_json line = {{"search", "noiseplus"}, {"queries", ours->found().size()}};
    line.update(shape);
    line.update(describe(our_watch.best()));
    print(line);
  }
  if (faiss) {
    nlohmann::ordered_json line = {{"search", FlatIndex::name()},
                                   {"queries", faiss->sample().size()}};
    line.update(shape);
    line.update(describe(faiss_watch.best()));
    print(line);
  }
  if (!ours || !faiss || ours->found().size() != rows.rows) return true;
  const double agreement = faiss->agreement(rows, ours->found());
  print({{"agreement", agreement}, {"k", contest.k}});
  return agreement > min_agreement;
}

void run_sgemm(std::size_t size, std::size_t runs) {
  const std::vector<float> left(size * size, 1.5F);
  const std::vector<float> right(size * size, 0.5F);
  std::vector<float> product(size * size);
  Stopwatch watch(runs, 10);
  while (watch.wants_another()) watch.run([&] { multiply(left, right, product, size); });
  const double flops = 2 * std::pow(static_cast<double>(size), 3);
  print({{"sgemm", blas_name()}, {"gflops", flops / watch.best().seconds / 1e9}});
}

}  // namespace noiseplus::bench
