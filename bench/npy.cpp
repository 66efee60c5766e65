#include "npy.h"

#include <string_view>

#include "noiseplus/data.h"

namespace noiseplus::bench {

void write_npy(MatrixView matrix, const std::string& path) {
  constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t alignment = 64;
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(matrix.rows) + ", " + std::to_string(matrix.columns) + "), }";
  const std::size_t unpadded = magic.size() + 2 + header.size() + 1;
  header.append((alignment - unpadded % alignment) % alignment, ' ');
  header += '\n';

  OutputFile file(path);
  file.write(magic);
  const char length[] = {static_cast<char>(header.size() % 256),
                         static_cast<char>(header.size() / 256)};
  file.write({length, sizeof length});
  file.write(header);
  file.write(
      {reinterpret_cast<const char*>(matrix.data), matrix.rows * matrix.columns * sizeof(float)});
  file.commit();
}

}  // namespace noiseplus::bench
