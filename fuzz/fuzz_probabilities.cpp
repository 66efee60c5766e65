#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  const Labels labels = make_labels({"a", "b", "1"}, "fuzz");
  const Labels numbers = make_labels({"0", "1", "1"}, "fuzz");
  for (const Format format : {Format::npy, Format::csv, Format::tsv}) {
    for (const Labels* of : {&labels, &numbers}) {
      fuzz(data, size, [&](Bytes bytes) {
        const Matrix read = read_probabilities(std::move(bytes), "fuzz", *of, format);
        check_class_probabilities(read.view(), of->codes.size(), of->classes);
      });
    }
  }
  return 0;
}
