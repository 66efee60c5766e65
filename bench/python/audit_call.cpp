// The audit of an array in memory, called from C++: what bench/python/run.py compares with.
//   audit-call ROWS.npy LABELS.npy THREADS   prints {"seconds", "megabytes", "report"}
#include <cstdio>
#include <string>

#include "measure.h"
#include "noiseplus/report.h"

namespace {

using namespace noiseplus;  // NOLINT(google-build-using-namespace)

// In memory of its own, as numpy has it, and not in pages of a file that come as they are needed.
Matrix copied(RowsView rows) {
  Matrix matrix(rows.rows, rows.columns);
  for (std::size_t n = 0; n < rows.rows; ++n) {
    const float* row = rows.row(n, matrix.row(n));
    std::copy(row, row + rows.columns, matrix.row(n));
  }
  return matrix;
}

void run(const std::string& rows_path, const std::string& labels_path, unsigned threads) {
  DataRequest request;
  request.path = rows_path;
  request.labels_path = labels_path;
  Dataset file = load(request);
  const Matrix rows = copied(file.features.view());
  DataRequest in_memory;
  in_memory.path = "X";
  in_memory.label = "label";
  AuditOptions options;
  options.judge_rows = true;
  AuditReport report;
  bench::Stopwatch watch(1, 0);
  watch.run([&] {
    Dataset dataset = make_dataset(rows.view(), in_memory);
    dataset.labels = file.labels;
    report = audit(dataset, options, {threads, {}});
  });
  const bench::Measurement best = watch.best();
  std::printf("{\"seconds\": %.6f, \"megabytes\": %.1f, \"report\": %s}\n", best.seconds,
              best.megabytes, to_json(report).c_str());
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("audit-call: say ROWS.npy LABELS.npy THREADS\n", stderr);
    return 2;
  }
  try {
    run(arguments[1], arguments[2], static_cast<unsigned>(std::stoul(arguments[3])));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "audit-call: %s\n", error.what());
    return 1;
  }
  return 0;
}
