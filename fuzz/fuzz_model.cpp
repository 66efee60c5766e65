#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz.h"
#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

// write_model takes a file, so it gets one in memory.
std::string bytes_of(const SavedModel& model) {
  const int file = ::memfd_create("fuzz", 0);
  if (file < 0) __builtin_trap();
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  OutputFile output(path);
  write_model(model, output);
  output.commit();
  std::string bytes(Bytes::read(path).view());
  ::close(file);
  return bytes;
}

// Answers for a few rows, unless they would be too wide.
void predict(const SavedModel& model) {
  constexpr std::size_t max_columns = 4096;
  if (model.recipe.columns > max_columns) return;
  Matrix rows(3, model.recipe.columns);
  for (std::size_t c = 0; c < model.recipe.columns; ++c) {
    rows.row(1)[c] = 1;
    rows.row(2)[c] = -1e30F;
  }
  try {
    probabilities(model, rows.view(), {1, {}});
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;  // a logit that is not finite
  }
}

// What is accepted is a model: it has answers, can be written, and what is written reads back the
// same.
void read_and_write(Bytes bytes) {
  const SavedModel model = read_model(std::move(bytes), "fuzz");
  predict(model);
  const std::string first = bytes_of(model);
  const std::string second = bytes_of(read_model(Bytes(first), "fuzz"));
  if (first != second) __builtin_trap();
}

}  // namespace
}  // namespace noiseplus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  fuzz(data, size, read_and_write);
  // Once more with the checksum that is right, which no fuzzer guesses.
  constexpr std::size_t sum_size = 4;
  if (size < sum_size) return 0;
  std::string mended(reinterpret_cast<const char*>(data), size - sum_size);
  const auto sum = static_cast<std::uint32_t>(crc32_z(0, data, mended.size()));
  for (int shift = 0; shift < 32; shift += 8) mended += static_cast<char>(sum >> shift & 0xffU);
  fuzz(reinterpret_cast<const std::uint8_t*>(mended.data()), mended.size(), read_and_write);
  return 0;
}
