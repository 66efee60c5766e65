#include <zlib.h>

#include <filesystem>
#include <memory>

#include "completion.h"
#include "noiseplus/data.h"
#include "noiseplus/report.h"

namespace noiseplus::cli {
namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 20;

// Whole lines from the start of the file, unpacked.
std::string first_lines(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return "";
  std::string text(max_bytes, '\0');
  const int got = gzread(file.get(), text.data(), static_cast<unsigned>(text.size()));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  const std::size_t end = text.rfind('\n');
  return end == text.npos ? text : text.substr(0, end + 1);
}

}  // namespace

std::vector<std::string> column_names(const std::string& path) {
  const Format format = format_of(path);
  std::error_code failed;
  if ((format != Format::csv && format != Format::tsv) ||
      !std::filesystem::is_regular_file(path, failed)) {
    return {};
  }
  TableOptions options;
  options.delimiter = format == Format::tsv ? std::optional('\t') : std::nullopt;
  std::vector<std::string> names;
  try {
    for (const Column& column : read_table(Bytes(first_lines(path)), path, options).columns) {
      if (printable(column.name) == column.name) names.push_back(column.name);
    }
  } catch (const Error&) {
    return {};  // the command will say what is wrong with it
  }
  return names;
}

}  // namespace noiseplus::cli
