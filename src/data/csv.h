// The cells of a csv record, and where records begin. Internal to the data stage.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/thread_pool.h"
#include "noiseplus/data.h"

namespace noiseplus {

std::string_view trim_blanks(std::string_view text);

// Where the first record begins: after a byte order mark and blank lines; the size of the text
// where there is none.
std::size_t begin_of_records(std::string_view text);

// A run of whole records. Splitting by size, not by thread, keeps every result independent of the
// number of threads.
struct CsvChunk {
  std::size_t first_row = 0;
  std::vector<std::size_t> record_begin;
};

// Where the record that starts at `begin` ends (the line feed, or the end of the text).
std::size_t end_of_record(std::string_view text, std::size_t begin);

// Chunks of the records that start at or after `begin`. A line feed inside quotes does not end a
// record; whether a place is inside quotes is the parity of the quotes before it, which is right up
// to the first misplaced quote, where reading stops anyway.
std::vector<CsvChunk> split_records(std::string_view text, std::size_t begin, bool keep_blank_lines,
                                    ThreadPool& pool);

// Thrown inside a chunk; the one earliest in the text is turned into an Error.
struct CsvFault {
  std::size_t offset = 0;
  std::string message;
};

struct CsvCell {
  std::string_view text;  // without quotes and outer blanks
  bool quoted = false;
  std::size_t next = 0;  // offset of the delimiter or line end after the cell
};

// The cell that starts at `begin`. A doubled quote is unfolded into `scratch`.
CsvCell read_cell(std::string_view text, std::size_t begin, char delimiter, std::string& scratch);

// "file:line:column" of an offset, both from 1, the column in bytes.
std::string locate(std::string_view text, std::size_t offset, const std::string& source);

}  // namespace noiseplus
