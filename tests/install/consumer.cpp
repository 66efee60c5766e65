// Every public header compiles on its own terms, and the library links and answers.
#include <noiseplus/balance.h>
#include <noiseplus/core.h>
#include <noiseplus/data.h>
#include <noiseplus/learn.h>
#include <noiseplus/neighbors.h>
#include <noiseplus/noise.h>
#include <noiseplus/report.h>
#include "noiseplus/version.h"

#include <cstdio>

int main() {
  using namespace noiseplus;
  GeneratorOptions options;
  options.rows = 2000;
  Generated data = generate(options);
  Dataset dataset;
  dataset.label_name = "y";
  dataset.labels.classes = dataset.labels.spellings = {"0", "1"};
  const std::vector<double> transition = {0.9, 0.1, 0.4, 0.6};
  dataset.labels.codes = draw_labels(data.codes, 2, transition, 1, Stream::corrupt);
  dataset.features = Features(std::move(data.features));
  const AuditReport report = audit(dataset, {});
  std::printf("noiseplus %s: noisier is class %d\n", version().c_str(), report.estimate.noisier);
  return report.estimate.noisier == 1 ? 0 : 1;
}
