#include "experiments/results/gap_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/results/svg.h"

namespace noiseplus {
namespace {

using svg::Drawing;
using svg::Point;

// Okabe and Ito: safe for the color-blind.
constexpr const char* blue = "#0072b2";
constexpr const char* vermilion = "#d55e00";
constexpr const char* green = "#009e73";
constexpr const char* ink = "#24292f";
constexpr const char* muted = "#6e7781";
constexpr const char* faint = "#d8dee4";

constexpr double width = 900, height = 500;
constexpr double plot_top = 92, plot_bottom = 362;
constexpr double room_for_ticks = 58, margin = 14;

struct Axis {
  double low = 0, high = 0;
  double from = 0, to = 0;  // pixels of low and high

  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
  bool has(double value) const { return value >= low && value <= high; }

  double step() const {
    constexpr std::array steps = {.001, .002, .005, .01, .02, .05, .1, .2};
    const auto* fits = std::find_if(steps.begin(), steps.end(),
                                    [&](double step) { return (high - low) / step <= 8; });
    return fits == steps.end() ? .5 : *fits;
  }
  std::vector<double> ticks() const {
    std::vector<double> values;
    for (double i = std::ceil(low / step()); i * step() <= high + 1e-9; ++i)
      values.push_back(i * step());
    return values;
  }
  std::string tick_label(double value) const {
    return value == 0 ? "0" : fmt::format("{:.{}f}", value, step() < .01 ? 3 : step() < .1 ? 2 : 1);
  }
};

struct Axes {
  Axis x, y;

  Point at(double epsilon, double gap) const { return {x.at(epsilon), y.at(gap)}; }
};

// One variant of the sample, with its look.
struct Series {
  PaperVariant variant;
  const std::vector<MeanGap>& measured;
  const char* color;
  bool has_squares;
};

std::array<Series, 2> series_of(const GapPanel& panel) {
  return {Series{PaperVariant::original, panel.original, vermilion, true},
          Series{PaperVariant::rebalanced, panel.rebalanced, blue, false}};
}

void check(const GapPanel& panel) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, "panel '" + panel.title + "': " + why);
  };
  const std::vector<double>& epsilons = panel.epsilons;
  if (epsilons.size() < 2 || !(epsilons.front() >= 0 && epsilons.back() < 1) ||
      std::adjacent_find(epsilons.begin(), epsilons.end(),
                         [](double a, double b) { return !(a < b); }) != epsilons.end()) {
    refuse("the epsilons are to be two or more, rising from 0 to below 1");
  }
  for (const Series& series : series_of(panel)) {
    if (series.measured.size() != epsilons.size()) {
      refuse(fmt::format("{} epsilons, but measurements of {}", epsilons.size(),
                         series.measured.size()));
    }
    for (const MeanGap& gap : series.measured) {
      if (!std::isfinite(gap.mean) || !std::isfinite(gap.deviation)) refuse("a gap is no number");
    }
  }
}

// The same for all panels; what is drawn of Algorithm 1 is what finds room.
Axes ranges_of(std::span<const GapPanel> panels) {
  Axes axes;
  axes.y.high = .005;
  for (const GapPanel& panel : panels) {
    axes.x.high =
        std::max({axes.x.high, panel.epsilons.back(), theorem_roots(panel.rates).second * 1.1});
  }
  const auto include = [&](double gap) {
    axes.y.low = std::min(axes.y.low, gap);
    axes.y.high = std::max(axes.y.high, gap);
  };
  for (const GapPanel& panel : panels) {
    for (const double epsilon : panel.epsilons) {
      include(theorem_gap(panel.rates, epsilon));
      include(expected_gap(panel.prior, panel.rates, epsilon, PaperVariant::rebalanced));
    }
    for (const MeanGap& gap : panel.rebalanced) {
      include(gap.mean - gap.deviation);
      include(gap.mean + gap.deviation);
    }
  }
  axes.y.low = std::min(axes.y.low, -.75 * axes.y.high);
  const double rim = .04 * (axes.y.high - axes.y.low);
  axes.y.low -= rim;
  axes.y.high += rim;
  return axes;
}

std::vector<double> finely(const Axis& x) {
  std::vector<double> epsilons(241);
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    epsilons[i] = x.high * static_cast<double>(i) / static_cast<double>(epsilons.size() - 1);
  }
  return epsilons;
}

template <typename Gap>
void draw_curve(Drawing& drawing, const Axes& axes, const svg::Pen& pen, const Gap& gap) {
  std::vector<Point> inside;
  for (const double epsilon : finely(axes.x)) {
    const double value = gap(epsilon);
    if (axes.y.has(value)) {
      inside.push_back(axes.at(epsilon, value));
      continue;
    }
    if (!inside.empty()) drawing.path(inside, pen);
    inside.clear();
  }
  if (!inside.empty()) drawing.path(inside, pen);
}

void draw_mark(Drawing& drawing, Point at, double bar_top, double bar_bottom,
               const Series& series) {
  if (bar_top < bar_bottom) {
    drawing.line({at.x, bar_top}, {at.x, bar_bottom}, {series.color, 1});
  }
  if (series.has_squares) {
    drawing.square(at, 2.6, series.color);
  } else {
    drawing.circle(at, 2.9, series.color);
  }
}

// Says where a curve that has left the picture ends.
void draw_way_out(Drawing& drawing, const Axes& axes, const GapPanel& panel, const Series& series) {
  const double last = series.measured.back().mean;
  const auto left = std::find_if(series.measured.begin(), series.measured.end(),
                                 [&](const MeanGap& gap) { return gap.mean < axes.y.low; });
  if (left == series.measured.end() || axes.y.has(last)) return;
  const double epsilon = panel.epsilons[static_cast<std::size_t>(left - series.measured.begin())];
  drawing.text({std::min(axes.x.at(epsilon) + 4, axes.x.to - 130), plot_bottom - 7},
               fmt::format("↓ {:.2f} at ε = {:.2f}", last, panel.epsilons.back()),
               {series.color, 11});
}

void draw_series(Drawing& drawing, const Axes& axes, const GapPanel& panel, const Series& series) {
  draw_curve(drawing, axes, {series.color, 1.3}, [&](double epsilon) {
    return expected_gap(panel.prior, panel.rates, epsilon, series.variant);
  });
  for (std::size_t i = 0; i < series.measured.size(); ++i) {
    const auto [mean, deviation] = series.measured[i];
    if (!axes.y.has(mean)) continue;
    draw_mark(drawing, axes.at(panel.epsilons[i], mean),
              axes.y.at(std::min(mean + deviation, axes.y.high)),
              axes.y.at(std::max(mean - deviation, axes.y.low)), series);
  }
  draw_way_out(drawing, axes, panel, series);
}

void draw_axes(Drawing& drawing, const Axes& axes) {
  for (const double tick : axes.y.ticks()) {
    const double y = axes.y.at(tick);
    drawing.line({axes.x.from, y}, {axes.x.to, y}, {tick == 0 ? ink : faint, 1});
    drawing.text({axes.x.from - 6, y + 4}, axes.y.tick_label(tick), {muted, 11, "end"});
  }
  for (const double tick : axes.x.ticks()) {
    const double x = axes.x.at(tick);
    drawing.line({x, plot_bottom}, {x, plot_bottom + 4}, {muted, 1});
    drawing.text({x, plot_bottom + 17}, axes.x.tick_label(tick), {muted, 11, "middle"});
  }
  drawing.line({axes.x.from, plot_bottom}, {axes.x.to, plot_bottom}, {muted, 1});
  drawing.line({axes.x.from, plot_top}, {axes.x.from, plot_bottom}, {muted, 1});
  drawing.text({(axes.x.from + axes.x.to) / 2, plot_bottom + 36}, "share of labels + flipped, ε",
               {ink, 12, "middle"});
  drawing.text({axes.x.from - 44, (plot_top + plot_bottom) / 2}, "PA − NA",
               {ink, 12, "middle", false, true});
}

// The label is above the plot, at its line, or as near as the panel's sides let it be.
void draw_root(Drawing& drawing, const Axes& axes, double root, double label_y, const char* color,
               const std::string& label) {
  constexpr double pixels_a_letter = 6;
  const double x = axes.x.at(root);
  const double half = pixels_a_letter * static_cast<double>(label.size()) / 2;
  const double middle = std::clamp(x, axes.x.from + half, axes.x.to - half);
  drawing.line({x, label_y + 4}, {x, plot_bottom}, {color, 1.2, "2 3"});
  drawing.text({middle, label_y}, label, {color, 12, "middle"});
}

void draw_panel(Drawing& drawing, const Axes& axes, const GapPanel& panel) {
  const GapRoots roots = theorem_roots(panel.rates);
  drawing.text({axes.x.from, 24}, panel.title, {ink, 15, "start", true});
  drawing.text({axes.x.from, 42},
               fmt::format("e+ = {:.2f}, e− = {:.2f}, clean + {:.1f} %", panel.rates.positive,
                           panel.rates.negative, 100 * panel.prior),
               {muted, 12});
  draw_axes(drawing, axes);
  draw_root(drawing, axes, roots.wanted, plot_top - 24, green,
            fmt::format("ε₂ = {:.3f}, rates equal", roots.wanted));
  draw_root(drawing, axes, roots.second, plot_top - 8, muted,
            fmt::format("ε₃ = {:.3f}, root of the formula only", roots.second));
  draw_curve(drawing, axes, {ink, 1.5, "6 4"},
             [&](double epsilon) { return theorem_gap(panel.rates, epsilon); });
  for (const Series& series : series_of(panel)) draw_series(drawing, axes, panel, series);
}

void draw_legend(Drawing& drawing, const GapPanel& any) {
  const double x = room_for_ticks;
  double y = plot_bottom + 68;
  drawing.line({x, y - 4}, {x + 30, y - 4}, {ink, 1.5, "6 4"});
  drawing.text({x + 38, y}, "the theorem's formula: takes the rates as unchanged by the sampling",
               {ink});
  const auto [original, rebalanced] = series_of(any);
  for (const auto& [series, sample] :
       {std::pair{rebalanced, "sample drawn again after the flip"},
        std::pair{original, "sample drawn once, before the flip (Algorithm 1)"}}) {
    y += 22;
    drawing.line({x, y - 4}, {x + 30, y - 4}, {series.color, 1.3});
    drawing.text({x + 38, y}, fmt::format("exact expectation, {}", sample), {ink});
    draw_mark(drawing, {x + 470, y - 4}, y - 11, y + 3, series);
    drawing.text({x + 480, y}, "measured, mean and one deviation over seeds", {ink});
  }
  drawing.text(
      {x, y + 20},
      "Exact where neighbors share their clean label. Its zero is ε₂ where the clean classes "
      "are equally frequent, and there is no second.",
      {muted, 11});
}

std::string zero_of(const GapPanel& panel, const Series& series) {
  std::vector<double> means;
  for (const MeanGap& gap : series.measured) means.push_back(gap.mean);
  const std::optional<double> zero = first_zero(panel.epsilons, means);
  if (zero) return fmt::format("falls to zero at {:.3f}", *zero);
  return means.front() > 0 ? "stays above zero" : "is not above zero even without a flip";
}

std::string description_of(std::span<const GapPanel> panels) {
  std::string text;
  for (const GapPanel& panel : panels) {
    const GapRoots roots = theorem_roots(panel.rates);
    const auto [original, rebalanced] = series_of(panel);
    text += fmt::format(
        "{}{}: e+ {:.2f}, e- {:.2f}. The theorem's formula is zero at epsilon {:.3f}, where the "
        "rates are equal, and at {:.3f}. Measured on a sample drawn again after the flip PA - NA "
        "{}; on one drawn before the flip it {}.",
        text.empty() ? "" : " ", panel.title, panel.rates.positive, panel.rates.negative,
        roots.wanted, roots.second, zero_of(panel, rebalanced), zero_of(panel, original));
  }
  return text;
}

}  // namespace

std::string gap_figure_svg(std::span<const GapPanel> panels) {
  if (panels.empty() || panels.size() > 2) {
    throw Error(ErrorKind::usage, fmt::format("{} panels; one or two fit", panels.size()));
  }
  for (const GapPanel& panel : panels) check(panel);
  Drawing drawing(width, height, "PA - NA over the share of labels flipped",
                  description_of(panels));
  Axes axes = ranges_of(panels);
  axes.y.from = plot_bottom;
  axes.y.to = plot_top;
  const double panel_width = width / static_cast<double>(panels.size());
  for (std::size_t i = 0; i < panels.size(); ++i) {
    axes.x.from = panel_width * static_cast<double>(i) + room_for_ticks;
    axes.x.to = panel_width * static_cast<double>(i + 1) - margin;
    draw_panel(drawing, axes, panels[i]);
  }
  draw_legend(drawing, panels[0]);
  return drawing.finished();
}

}  // namespace noiseplus
