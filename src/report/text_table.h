// Tables for a terminal of 80 columns. Internal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/style.h"

namespace noiseplus {

struct TextCell {
  std::string text;
  Ink ink = Ink::plain;
};

// The first column is for names, on the left and cut to what the others leave; the others are for
// numbers, on the right, each as wide as its widest cell. Widths are those on a screen, so that
// names of any script stay aligned. Cells are taken as they are: names made printable before.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings, std::size_t indent = 0);

  // REQUIRES: as many cells as headings.
  void add(std::vector<TextCell> cells);
  // On the left, after all others, cut to the line; without numbers.
  void add_note(std::string heading, std::vector<std::string> notes);

  // Columns that a line has left over.
  std::size_t room() const;

  std::string text(TextStyle style = TextStyle::plain) const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<std::string> headings_;
  std::vector<std::vector<TextCell>> rows_;
  std::string note_heading_;
  std::vector<std::string> notes_;
  std::size_t indent_;
};

// Rates with their intervals as pictures of equal scale, from 0 to a round number above the
// highest.
class IntervalPictures {
 public:
  // None where there are fewer than `min_width` columns for them.
  IntervalPictures(const std::vector<EstimateWithInterval>& rates, std::size_t room);

  bool are_there() const { return width_ > 0; }
  // "0             40 %"
  std::string heading() const;
  // "    ├──●──┤"
  std::string of(const EstimateWithInterval& rate) const;

 private:
  std::size_t place(double share) const;

  double end_ = 1;
  std::size_t width_ = 0;
};

}  // namespace noiseplus
