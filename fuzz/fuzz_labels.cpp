#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  for (const Format format : {Format::npy, Format::idx, Format::txt}) {
    fuzz(data, size, [&](Bytes bytes) {
      make_labels(read_label_texts(std::move(bytes), "fuzz", format), "fuzz");
    });
  }
  return 0;
}
