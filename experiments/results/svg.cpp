#include "experiments/results/svg.h"

#include <fmt/format.h>

#include "noiseplus/report.h"
#include "report/markup.h"

namespace noiseplus::svg {
namespace {

constexpr const char* white_rim =
    R"(stroke="#ffffff" stroke-width="3" stroke-linejoin="round" paint-order="stroke")";

std::string strokes(const Pen& pen) {
  std::string attributes =
      fmt::format(R"(stroke="{}" stroke-width="{:.1f}")", pen.color, pen.width);
  if (!pen.dashes.empty()) attributes += fmt::format(R"( stroke-dasharray="{}")", pen.dashes);
  return attributes;
}

}  // namespace

std::string escaped(const std::string& text) {
  return escaped_markup(printable(valid_utf8(text)));
}

Drawing::Drawing(double width, double height, const std::string& title,
                 const std::string& description) {
  add(fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:.0f} {1:.0f}" )"
                  R"(width="{0:.0f}" height="{1:.0f}" role="img" )"
                  R"(font-family="Helvetica, Arial, sans-serif">)",
                  width, height));
  add(fmt::format("<title>{}</title>", escaped(title)));
  add(fmt::format("<desc>{}</desc>", escaped(description)));
  add(fmt::format(R"(<rect width="{:.0f}" height="{:.0f}" fill="#ffffff"/>)", width, height));
}

void Drawing::line(Point from, Point to, const Pen& pen) {
  add(fmt::format(R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}" {}/>)", from.x, from.y,
                  to.x, to.y, strokes(pen)));
}

void Drawing::path(std::span<const Point> points, const Pen& pen) {
  std::string places;
  for (const Point& point : points) {
    places += fmt::format("{}{:.2f},{:.2f}", places.empty() ? "" : " ", point.x, point.y);
  }
  add(fmt::format(R"(<polyline points="{}" fill="none" stroke-linejoin="round" {}/>)", places,
                  strokes(pen)));
}

void Drawing::circle(Point center, double radius, const std::string& color) {
  add(fmt::format(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:.1f}" fill="{}"/>)", center.x, center.y,
                  radius, color));
}

void Drawing::square(Point center, double half, const std::string& color) {
  add(fmt::format(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)",
                  center.x - half, center.y - half, 2 * half, 2 * half, color));
}

void Drawing::text(Point at, const std::string& words, const Lettering& lettering) {
  std::string look = fmt::format(R"(text-anchor="{}" fill="{}" font-size="{:.0f}")",
                                 lettering.anchor, lettering.color, lettering.size);
  if (lettering.is_bold) look += " font-weight=\"bold\"";
  if (lettering.is_upright) {
    look += fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", at.x, at.y);
  }
  add(fmt::format(R"(<text x="{:.2f}" y="{:.2f}" {} {}>{}</text>)", at.x, at.y, look, white_rim,
                  escaped(words)));
}

void Drawing::add(const std::string& element) {
  text_ += element;
  text_ += '\n';
}

std::string Drawing::finished() const {
  return text_ + "</svg>\n";
}

}  // namespace noiseplus::svg
