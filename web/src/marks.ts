// Small pictures in the cells of tables: a dot with its interval on an axis that the column shares.
// Positions are percentages, so a cell may have any width.
import { h, s, type Child } from "./dom";
import { along, type Axis } from "./scale";
import { fixed } from "./words";

export function at(axis: Axis, value: number): string {
  return `${(100 * along(axis, value)).toFixed(3)}%`;
}

export function tickText(share: number): string {
  return fixed(100 * share, 3).replace(/\.?0+$/, "");
}

export function axisHeading(axis: Axis, unit = "%"): HTMLElement {
  const last = axis.ticks.length - 1;
  const labels = axis.ticks.map((tick, i) => {
    const text = tickText(tick) + (i === last ? `\u00a0${unit}` : "");
    const label = h("span", { class: i === 0 || i === last ? "tick end" : "tick" }, text);
    label.style.left = at(axis, tick);
    return label;
  });
  return h("div", { class: "axis", "aria-hidden": "true" }, labels);
}

export type Shape = "dot" | "square" | "diamond";

export interface Mark {
  value: number;
  low?: number;
  high?: number;
  shape?: Shape;
  hollow?: boolean;
  lane?: number; // height in the cell, from 0 at its top to 1
  kind?: string; // a class of the style sheet
}

function shapeOf(axis: Axis, mark: Mark): SVGElement {
  const style = `mark ${mark.kind ?? "first"}${mark.hollow ? " hollow" : ""}`;
  const x = at(axis, mark.value);
  const y = `${100 * (mark.lane ?? 0.5)}%`;
  if (mark.shape === "square" || mark.shape === "diamond") {
    const turn = mark.shape === "diamond" ? "rotate(45)" : null;
    const box = s("rect", { x: -5, y: -5, width: 10, height: 10, class: style, transform: turn });
    return s("svg", { x, y, overflow: "visible", width: 1, height: 1 }, box);
  }
  return s("circle", { cx: x, cy: y, r: 5.5, class: style });
}

function whisker(axis: Axis, mark: Mark): Child {
  if (mark.low === undefined || mark.high === undefined) return null;
  const [low, high] = [at(axis, mark.low), at(axis, mark.high)];
  const style = `whisker ${mark.kind ?? "first"}`;
  const lane = mark.lane ?? 0.5;
  const [top, middle, bottom] = [lane - 0.17, lane, lane + 0.17].map(
    (height) => `${(100 * height).toFixed(1)}%`,
  );
  return [
    s("line", { x1: low, x2: high, y1: middle, y2: middle, class: style }),
    s("line", { x1: low, x2: low, y1: top, y2: bottom, class: style }),
    s("line", { x1: high, x2: high, y1: top, y2: bottom, class: style }),
  ];
}

// Hidden from screen readers: the numbers are in cells of the same row.
export function strip(axis: Axis, marks: Mark[], ...more: Child[]): SVGElement {
  return s(
    "svg",
    { class: "strip", "aria-hidden": "true", focusable: "false" },
    more,
    marks.map((mark) => whisker(axis, mark)),
    marks.map((mark) => shapeOf(axis, mark)),
  );
}

// A cell with a strip, and lines at the ticks of the axis.
export function stripCell(axis: Axis, content: Child): HTMLTableCellElement {
  const cell = h("td", { class: "chart" }, content);
  const step = axis.ticks.length > 1 ? along(axis, axis.ticks[1]) : 1;
  cell.style.setProperty("--step", `${(100 * step).toFixed(4)}%`);
  return cell;
}
