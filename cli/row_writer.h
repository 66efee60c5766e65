// A line a row, written in blocks, with progress: packing millions of them takes longer than people
// wait.
#pragma once

#include <string>
#include <string_view>

#include "core/thread_pool.h"
#include "noiseplus/data.h"

namespace noiseplus::cli {

class RowWriter {
 public:
  RowWriter(OutputFile& output, std::size_t rows, const Execution& execution)
      : output_(output), meter_(execution, "writing", rows) {}

  // Lines that belong to no row.
  void add_heading(std::string_view text) { text_ += text; }

  void add(std::string_view line) {
    constexpr std::size_t flush_at = std::size_t{1} << 20;
    text_ += line;
    ++rows_;
    if (text_.size() >= flush_at) flush();
  }

  // Not in the destructor: it may fail.
  void flush() {
    output_.write(text_);
    text_.clear();
    meter_.step(rows_);
    rows_ = 0;
  }

 private:
  OutputFile& output_;
  ProgressMeter meter_;
  std::string text_;
  std::size_t rows_ = 0;
};

}  // namespace noiseplus::cli
