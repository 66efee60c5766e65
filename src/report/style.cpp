#include "report/style.h"

#include <string_view>

#include "core/format.h"

namespace noiseplus {
namespace {

// The eight colors that every terminal has, so that its owner's own choice of them counts; no red
// beside green.
std::string_view escape_of(Ink ink) {
  switch (ink) {
    case Ink::strong:
      return "\x1b[1m";
    case Ink::faint:
      return "\x1b[2m";
    case Ink::picture:
      return "\x1b[36m";
    case Ink::caution:
      return "\x1b[1;33m";
    case Ink::plain:
      break;
  }
  return "";
}

}  // namespace

std::string inked(const std::string& text, Ink ink, TextStyle style) {
  if (style == TextStyle::plain || ink == Ink::plain) return text;
  std::string shown;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) {
      shown += escape_of(ink);
      shown.append(text, begin, end - begin);
      shown += "\x1b[0m";
    }
    if (end < text.size()) shown += '\n';
    begin = end + 1;
  }
  return shown;
}

std::string warnings_text(const std::vector<std::string>& warnings, TextStyle style) {
  const std::string mark = "warning:";
  std::string text;
  for (const std::string& warning : warnings) {
    // Names in it may be of any length.
    constexpr std::size_t max_size = 800;
    const std::string shown = printable(shorten_text(warning, max_size));
    const std::string paragraph = wrapped(mark + ' ' + shown, 2);
    text += inked(mark, Ink::caution, style) + paragraph.substr(mark.size());
  }
  return text;
}

}  // namespace noiseplus
