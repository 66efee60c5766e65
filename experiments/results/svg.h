// A picture as SVG text, piece by piece. It needs no other file, and the same pieces give the same
// bytes.
#pragma once

#include <span>
#include <string>

namespace noiseplus::svg {

// Pixels, from the upper left corner.
struct Point {
  double x = 0, y = 0;
};

struct Pen {
  std::string color;
  double width = 1.5;
  std::string dashes = {};  // as stroke-dasharray has it, "6 4"; empty: none
};

struct Lettering {
  std::string color;
  double size = 12;
  std::string anchor = "start";  // start, middle or end: which part of the text is at its point
  bool is_bold = false;
  bool is_upright = false;  // read from below
};

// May stand in a text or an attribute, whatever bytes it came from: markup is escaped, control
// characters become '?', and what is not UTF-8 becomes U+FFFD.
std::string escaped(const std::string& text);

class Drawing {
 public:
  // Title and description are for those who hear the picture.
  Drawing(double width, double height, const std::string& title, const std::string& description);

  void line(Point from, Point to, const Pen& pen);
  void path(std::span<const Point> points, const Pen& pen);
  void circle(Point center, double radius, const std::string& color);
  void square(Point center, double half, const std::string& color);
  // With a white rim, so that it can be read on top of a line.
  void text(Point at, const std::string& words, const Lettering& lettering);

  std::string finished() const;

 private:
  void add(const std::string& element);

  std::string text_;
};

}  // namespace noiseplus::svg
