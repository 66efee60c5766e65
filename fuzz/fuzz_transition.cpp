#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  for (const std::size_t classes : {2, 3}) {
    fuzz(data, size, [&](Bytes bytes) { read_transition(std::move(bytes), "fuzz", classes); });
  }
  return 0;
}
