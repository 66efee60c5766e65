#include "fuzz.h"
#include "noiseplus/report.h"

// What is accepted as a report makes a page, whose data cannot end the script they stand in.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  fuzz(data, size, [](const Bytes& bytes) {
    const PageDocument document{"fuzz", std::string(bytes.view())};
    const std::string page = to_html({&document, 1});
    const std::size_t begin = page.find("id=\"noiseplus-data\">");
    const std::size_t end = page.find('<', begin);
    if (begin == page.npos || page.compare(end, 9, "</script>") != 0) __builtin_trap();
  });
  return 0;
}
