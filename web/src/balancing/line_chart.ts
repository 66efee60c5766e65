// Lines, dots and marked places over one axis. Drawn again when its width changes, so that text
// keeps its size.
import { h, s, type Child } from "../dom";
import { along, type Axis } from "../scale";

export interface Series {
  kind: string; // a class of the style sheet
  places: [number, number][];
  dots?: boolean;
}

export interface Marker {
  x: number;
  kind: string;
  text: string;
}

export interface ChartOptions {
  x: Axis;
  y: Axis;
  xTitle: string;
  yTitle: string;
  xText: (value: number) => string;
  yText: (value: number) => string;
  series: Series[];
  markers: Marker[];
  said: string; // the picture in words
}

export interface Chart {
  element: HTMLElement;
  move(place: [number, number] | null): void; // the dot that follows the slider
}

const HEIGHT = 320;
const LETTER = 6.7; // width, about
const LINE = 17;

interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  at: (x: number, y: number) => [number, number];
}

interface Label {
  marker: Marker;
  x: number;
  line: number;
  anchor: "start" | "middle" | "end";
}

// Labels above the plot, on as many lines as they need not to touch.
function placedLabels(markers: Marker[], xOf: (x: number) => number, width: number): Label[] {
  const ends: number[] = [];
  return [...markers]
    .sort((a, b) => a.x - b.x)
    .map((marker) => {
      const half = (marker.text.length * LETTER) / 2;
      const x = xOf(marker.x);
      const anchor = x - half < 4 ? "start" : x + half > width - 4 ? "end" : "middle";
      const start = anchor === "start" ? x : anchor === "end" ? x - 2 * half : x - half;
      let line = 0;
      while (ends[line] !== undefined && ends[line] > start - 10) ++line;
      ends[line] = start + 2 * half;
      return { marker, x, line, anchor };
    });
}

function drawAxes(options: ChartOptions, frame: Frame): Child[] {
  const { x, y } = options;
  const room = frame.right - frame.left;
  const every = Math.max(1, Math.ceil((x.ticks.length * 52) / room));
  return [
    y.ticks.map((tick) => {
      const [, height] = frame.at(x.low, tick);
      return [
        s("line", {
          x1: frame.left,
          x2: frame.right,
          y1: height,
          y2: height,
          class: tick === 0 ? "zero" : "grid",
        }),
        s("text", { x: frame.left - 8, y: height + 4, "text-anchor": "end" }, options.yText(tick)),
      ];
    }),
    x.ticks
      .filter((_, i) => i % every === 0)
      .map((tick) => {
        const [place] = frame.at(tick, y.low);
        return [
          s("line", { x1: place, x2: place, y1: frame.bottom, y2: frame.bottom + 5, class: "grid" }),
          s("text", { x: place, y: frame.bottom + 19, "text-anchor": "middle" }, options.xText(tick)),
        ];
      }),
    s("text", { x: frame.right, y: frame.bottom + 40, "text-anchor": "end", class: "title" }, options.xTitle),
  ];
}

function drawSeries(series: Series, frame: Frame, x: Axis): Child {
  const places = series.places.filter(([value]) => value <= x.high + 1e-9).map(([a, b]) => frame.at(a, b));
  if (series.dots)
    return places.map(([cx, cy]) => s("circle", { cx, cy, r: 4, class: `counted ${series.kind}` }));
  const path = places
    .map(([px, py], i) => `${i === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`)
    .join("");
  return s("path", { d: path, class: `line ${series.kind}` });
}

function drawMarker(label: Label, frame: Frame, lines: number): Child {
  const height = 14 + LINE * label.line;
  const foot = lines > 0 ? height + 5 : frame.top;
  return [
    s("line", { x1: label.x, x2: label.x, y1: foot, y2: frame.bottom, class: `marker ${label.marker.kind}` }),
    s(
      "text",
      { x: label.x, y: height, "text-anchor": label.anchor, class: `marker ${label.marker.kind}` },
      label.marker.text,
    ),
  ];
}

export function lineChart(options: ChartOptions): Chart {
  const picture = s("svg", { role: "img", "aria-label": options.said });
  const element = h(
    "div",
    { class: "line-chart" },
    h("p", { class: "y-title", "aria-hidden": "true" }, options.yTitle),
    picture,
  );
  const dot = s("circle", { r: 7, class: "now", visibility: "hidden" });
  let frame: Frame | null = null;
  let now: [number, number] | null = null;
  const moveDot = () => {
    dot.setAttribute("visibility", now && frame ? "visible" : "hidden");
    if (!now || !frame) return;
    const [cx, cy] = frame.at(...now);
    dot.setAttribute("cx", cx.toFixed(1));
    dot.setAttribute("cy", cy.toFixed(1));
  };
  const draw = (width: number) => {
    const widest = Math.max(...options.y.ticks.map((tick) => options.yText(tick).length));
    const left = 14 + widest * LETTER;
    const right = width - 14;
    const xOf = (value: number) => left + along(options.x, value) * (right - left);
    const labels = placedLabels(options.markers, xOf, width);
    const lines = labels.reduce((most, label) => Math.max(most, label.line + 1), 0);
    const top = 10 + LINE * lines;
    const bottom = HEIGHT - 46;
    frame = {
      left,
      right,
      top,
      bottom,
      at: (x, y) => [xOf(x), bottom - along(options.y, y) * (bottom - top)],
    };
    const drawn = frame;
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.replaceChildren();
    const group = s(
      "g",
      {},
      drawAxes(options, drawn),
      labels.map((label) => drawMarker(label, drawn, lines)),
      options.series.map((series) => drawSeries(series, drawn, options.x)),
      dot,
    );
    picture.append(group);
    moveDot();
  };
  draw(720);
  let drawnWidth = 720;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width > 0 && width !== drawnWidth) draw((drawnWidth = width));
  }).observe(element);
  return {
    element,
    move: (place) => {
      now = place;
      moveDot();
    },
  };
}
