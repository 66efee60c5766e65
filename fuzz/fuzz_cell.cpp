#include "experiments/methods/cells.h"
#include "fuzz.h"

// Whatever bytes a stored cell has, it is one or it is none; what was read is stored alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  constexpr std::uint64_t print = 7;
  fuzz(data, size, [&](Bytes bytes) {
    const std::optional<CellResult> cell = parse_cell(bytes.view(), print);
    if (!cell) return;
    const std::string text = cell_text(*cell, print);
    const std::optional<CellResult> back = parse_cell(text, print);
    if (back && cell_text(*back, print) != text) __builtin_trap();
  });
  return 0;
}
