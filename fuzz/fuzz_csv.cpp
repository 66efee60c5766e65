#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  for (const bool header : {true, false}) {
    TableOptions options;
    options.header = header;
    Execution execution;
    execution.threads = 1;
    fuzz(data, size,
         [&](Bytes bytes) { read_table(std::move(bytes), "fuzz", options, execution); });
  }
  return 0;
}
