// How fast a csv file becomes typed columns. The file and the rival are bench/csv_reading.py's
// business.
#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "noiseplus/data.h"

namespace {

// Of this process alone: what getrusage says begins with the parent's.
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

void read_file(benchmark::State& state, const std::string& path, unsigned threads) {
  noiseplus::Execution execution;
  execution.threads = threads;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const noiseplus::Table table =
        noiseplus::read_table(noiseplus::Bytes::read(path), path, {}, execution);
    benchmark::DoNotOptimize(table.columns.data());
    bytes += table.text.bytes.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.counters["peak_MB"] = peak_megabytes();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "csv-bench FILE\n");
    return 2;
  }
  const std::string path = argv[1];
  for (const unsigned threads : {1U, 2U}) {
    benchmark::RegisterBenchmark(("read_table/threads:" + std::to_string(threads)).c_str(),
                                 [=](benchmark::State& state) { read_file(state, path, threads); })
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(1)
        ->Repetitions(5);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
