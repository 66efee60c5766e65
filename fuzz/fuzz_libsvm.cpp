#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  fuzz(data, size, [](Bytes bytes) { read_arrays(std::move(bytes), "fuzz", Format::libsvm); });
  return 0;
}
