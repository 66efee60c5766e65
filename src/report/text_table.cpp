#include "report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/display_width.h"
#include "core/format.h"

namespace noiseplus {
namespace {

constexpr std::size_t gap_between = 2;
constexpr std::size_t narrowest_name = 8;

std::string without_end_spaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

TextTable::TextTable(std::vector<std::string> headings, std::size_t indent)
    : headings_(std::move(headings)), indent_(indent) {}

void TextTable::add(std::vector<TextCell> cells) {
  rows_.push_back(std::move(cells));
}

void TextTable::add_note(std::string heading, std::vector<std::string> notes) {
  note_heading_ = std::move(heading);
  notes_ = std::move(notes);
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < headings_.size(); ++c) {
    std::size_t widest = columns_of(headings_[c]);
    for (const auto& row : rows_) widest = std::max(widest, columns_of(row[c].text));
    widths.push_back(widest);
  }
  const std::size_t others = std::accumulate(widths.begin() + 1, widths.end(), indent_) +
                             gap_between * (widths.size() - 1);
  const std::size_t left = others + narrowest_name < widest_line ? widest_line - others : 0;
  widths[0] = std::min(widths[0], std::max(left, narrowest_name));
  return widths;
}

std::size_t TextTable::room() const {
  const std::vector<std::size_t> taken = widths();
  const std::size_t all =
      std::accumulate(taken.begin(), taken.end(), indent_) + gap_between * taken.size();
  return all < widest_line ? widest_line - all : 0;
}

std::string TextTable::text(TextStyle style) const {
  const std::vector<std::size_t> width = widths();
  const std::string margin(indent_, ' '), gap(gap_between, ' ');
  const std::size_t note_room = room();
  const auto line = [&](const auto& cell_of, const std::string& note, Ink note_ink) {
    std::string plain_end = note.empty() ? "" : gap + cut(note, note_room);
    std::string text = margin;
    for (std::size_t c = 0; c < width.size(); ++c) {
      const TextCell cell = cell_of(c);
      const std::string fitted = c == 0 ? padded_right(cut(cell.text, width[0]), width[0])
                                        : padded_left(cell.text, width[c]);
      const bool is_last = c + 1 == width.size() && plain_end.empty();
      text += (c == 0 ? "" : gap) +
              inked(is_last ? without_end_spaces(fitted) : fitted, cell.ink, style);
    }
    return text + inked(without_end_spaces(plain_end), note_ink, style) + '\n';
  };
  std::string text = line(
      [&](std::size_t c) {
        return TextCell{headings_[c], Ink::faint};
      },
      note_heading_, Ink::faint);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    text += line([&](std::size_t c) { return rows_[r][c]; }, r < notes_.size() ? notes_[r] : "",
                 Ink::picture);
  }
  return text;
}

IntervalPictures::IntervalPictures(const std::vector<EstimateWithInterval>& rates,
                                   std::size_t room) {
  constexpr std::size_t min_width = 12, max_width = 30;
  constexpr std::array<double, 10> ends = {.01, .02, .05, .1, .2, .3, .4, .5, .7, 1};
  if (room < min_width || rates.empty()) return;
  width_ = std::min(room, max_width);
  double highest = 0;
  for (const EstimateWithInterval& rate : rates)
    highest = std::max({highest, rate.value, rate.high});
  end_ = *std::find_if(ends.begin(), ends.end() - 1, [&](double end) { return end >= highest; });
}

std::string IntervalPictures::heading() const {
  const std::string end = fmt::format("{:.0f} %", 100 * end_);
  return '0' + padded_left(end, width_ - 1);
}

std::size_t IntervalPictures::place(double share) const {
  const double within = std::clamp(share / end_, 0.0, 1.0);
  return static_cast<std::size_t>(std::lround(within * static_cast<double>(width_ - 1)));
}

std::string IntervalPictures::of(const EstimateWithInterval& rate) const {
  const std::size_t low = place(rate.low), middle = place(rate.value), high = place(rate.high);
  std::string picture(std::min(low, middle), ' ');
  for (std::size_t at = std::min(low, middle); at <= std::max(high, middle); ++at) {
    picture += at == middle ? "●" : at == low ? "├" : at == high ? "┤" : "─";
  }
  return picture;
}

}  // namespace noiseplus
