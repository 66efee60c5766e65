// From the records of a csv text to typed columns. Internal to the data stage.
#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "data/csv.h"

namespace noiseplus {

// How a pass over the text treats a column.
enum class CellUse : char { skip, number, text };

// Fills the columns of a table, chunk by chunk, in parallel.
//
// Invariants:
//   1. Rows of different chunks are different places in a column, so chunks write without locks.
//   2. Texts get codes of their chunk first; finish() renumbers them in order of first appearance,
//   so
//      codes do not depend on which thread came first.
//   3. A number column that meets a text is only marked; the caller reads it again as text.
class CsvColumns {
 public:
  CsvColumns(Table& table, const TableOptions& options);

  // One pass over all chunks. Throws the fault that is earliest in the text, as Error(data).
  void read(const std::vector<CsvChunk>& chunks, const std::vector<CellUse>& uses, ThreadPool& pool,
            ProgressMeter& meter);

  bool met_text(std::size_t column) const { return met_text_[column] != 0; }

 private:
  // The distinct texts of a column within a chunk. Few are searched one by one: a table may have a
  // million columns, and a map for each would be larger than the file.
  struct Dictionary {
    std::vector<std::string_view> texts;
    std::unique_ptr<std::unordered_map<std::string_view, std::int32_t>> codes;

    std::int32_t find(std::string_view text) const;  // -1 when new
    std::int32_t add(std::string_view text);
  };
  struct ChunkTexts {
    std::vector<Dictionary> dictionaries;                // one for each text column
    std::vector<std::unique_ptr<std::string>> unfolded;  // texts that had doubled quotes
  };

  void read_chunk(const CsvChunk& chunk, ChunkTexts& texts);
  std::size_t read_record(std::size_t row, std::size_t begin, ChunkTexts& texts);
  std::size_t read_number(std::size_t column, std::size_t row, std::size_t begin);
  std::size_t read_text(std::size_t column, std::size_t row, std::size_t begin, ChunkTexts& texts);
  bool is_missing(const CsvCell& cell) const;
  void finish(const std::vector<CsvChunk>& chunks, std::vector<ChunkTexts>& texts,
              ThreadPool& pool);

  Table& table_;
  const TableOptions& options_;
  std::string_view text_;
  char delimiter_;
  std::vector<CellUse> uses_;
  std::vector<std::size_t> dictionary_of_;  // position of a text column's dictionary in a chunk
  std::unique_ptr<std::atomic<char>[]> met_text_;
};

}  // namespace noiseplus
