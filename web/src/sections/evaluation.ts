// Evaluations by labels that are trusted: one, or two beside each other.
import { h, scrolling, section, type Child } from "../dom";
import { axisHeading, strip, stripCell, type Mark } from "../marks";
import { axisOf, type Axis } from "../scale";
import { cell, columnHeading, rowHeading, table } from "../table";
import type { Evaluation, Interval, Measure, Quality, Violation } from "../types";
import {
  INTERVAL,
  capitalised,
  counted,
  named,
  number,
  percent,
  points,
  quoted,
  signedPoints,
  span,
  type Words,
} from "../words";
import { RATE_NAMES } from "./training";
import { warningList } from "./verdict";

interface Measured {
  value: number | null;
  interval: Interval;
}

interface Line {
  name: Child;
  values: Measured[]; // before and after, or one
}

const VIOLATIONS: [Violation, string, string][] = [
  ["equalized_odds_violation", "equalized odds", "largest difference of the true or false positive rates"],
  ["demographic_parity_violation", "demographic parity", "largest difference of the positive rates"],
  ["error_parity_violation", "error parity", "largest difference of the errors"],
];
const SIDES = ["before", "after"];

export function measured(part: Quality, key: Measure): Measured {
  return { value: part[key], interval: part[`${key}_interval`] };
}

function axisFor(lines: Line[]): Axis {
  const ends = lines
    .flatMap((line) => line.values)
    .flatMap(({ value, interval }) => [...(value === null ? [] : [value]), ...(interval ?? [])]);
  if (ends.length === 0) return axisOf(0, 1);
  const axis = axisOf(Math.max(0, Math.min(...ends)), Math.min(1, Math.max(...ends)), 4);
  return axis;
}

function markOf({ value, interval }: Measured, position: number, both: boolean): Mark[] {
  if (value === null) return [];
  const before = both && position === 0;
  const ends = interval ? { low: interval[0], high: interval[1] } : {};
  const lane = both ? (before ? 0.3 : 0.7) : 0.5;
  return [{ value, ...ends, lane, hollow: before, kind: before ? "quiet" : "first" }];
}

function valueCell({ value, interval }: Measured): HTMLElement {
  if (value === null) return cell("unknown");
  return cell([
    h("strong", {}, percent(value)),
    interval && h("span", { class: "beside" }, span(interval[0], interval[1])),
  ]);
}

function difference(values: Measured[]): Child {
  const [before, after] = values;
  return cell(before.value === null || after.value === null ? "" : signedPoints(after.value - before.value));
}

function comparison(caption: Child, first: string, lines: Line[], axis: Axis): HTMLElement {
  const both = lines[0].values.length === 2;
  const rows = lines.map((line) => [
    rowHeading(line.name),
    stripCell(
      axis,
      strip(
        axis,
        line.values.flatMap((value, i) => markOf(value, i, both)),
      ),
    ),
    line.values.map(valueCell),
    both && difference(line.values),
  ]);
  const values = both ? SIDES.map((side) => columnHeading(side)) : columnHeading(`value, ${INTERVAL}`);
  const headings = [
    columnHeading(first, "text"),
    columnHeading(axisHeading(axis), "chart"),
    values,
    both && columnHeading("change, points"),
  ];
  return table(caption, headings, rows, both ? "rates compared both" : "rates compared");
}

function overall(reports: Evaluation[]): HTMLElement {
  const keys: Measure[] =
    reports[0].classes.length === 2 ? ["accuracy", "tpr", "fpr", "positive_rate"] : ["accuracy"];
  const lines = keys.map((key): Line => ({
    name: RATE_NAMES[key],
    values: reports.map((report) => measured(report, key)),
  }));
  const rows = reports
    .map((report) => counted(report.rows, "row"))
    .filter((text, i, all) => all.indexOf(text) === i);
  const positive: Words = keys.length > 1 ? [" Positive: ", ...quoted(reports[0].positive), "."] : [];
  return h(
    "div",
    { class: "card" },
    comparison(
      [`All rows (${rows.join(", ")}), with 95\u00a0% intervals.`, positive],
      "measure",
      lines,
      axisFor(lines),
    ),
  );
}

function violations(reports: Evaluation[]): Child {
  if (reports.every((report) => report.groups.length < 2)) return null;
  const lines = VIOLATIONS.map(([key, name, meaning]): Line => ({
    name: [name, h("span", { class: "beside" }, meaning)],
    values: reports.map((report) => ({ value: report[key], interval: report[`${key}_interval`] })),
  })).filter((line) => line.values.some(({ value }) => value !== null));
  if (lines.length === 0) return null;
  return h(
    "div",
    { class: "card" },
    comparison(
      "How differently groups are treated: the largest difference between two of them, in points of 100.",
      "violation",
      lines,
      axisFor(lines),
    ),
  );
}

function groupTables(reports: Evaluation[]): Child {
  const names = reports
    .flatMap((report) => report.groups.map((group) => group.group))
    .filter((name, i, all) => all.indexOf(name) === i);
  if (names.length === 0) return null;
  const none: Measured = { value: null, interval: null };
  const keys: Measure[] =
    reports[0].classes.length === 2 ? ["accuracy", "tpr", "fpr", "positive_rate"] : ["accuracy"];
  const leftOut = Math.max(...reports.map((report) => report.groups_left_out ?? 0));
  return h(
    "div",
    { class: "card" },
    h("h3", {}, "Each group"),
    leftOut > 0 &&
      h(
        "p",
        { class: "note" },
        `The largest groups; ${number(leftOut)} smaller ones are left out of the page.`,
      ),
    keys.map((key) => {
      const lines = names.map((name): Line => ({
        name: named(name),
        values: reports.map((report) => {
          const group = report.groups.find((candidate) => candidate.group === name);
          return group ? measured(group, key) : none;
        }),
      }));
      return comparison(
        RATE_NAMES[key][0].toUpperCase() + RATE_NAMES[key].slice(1),
        "group",
        lines,
        axisFor(lines),
      );
    }),
  );
}

function confusion(report: Evaluation, side: string): HTMLElement {
  const rows = (report.confusion ?? []).map((row, i) => {
    const sum = row.reduce((total, count) => total + count, 0);
    return [
      rowHeading(named(report.classes[i], 24)),
      row.map((count, j) => {
        const made = cell(
          [number(count), h("span", { class: "beside" }, percent(sum > 0 ? count / sum : 0))],
          i === j ? "kept" : "wrong",
        );
        if (i !== j) made.style.setProperty("--shade", (sum > 0 ? count / sum : 0).toFixed(3));
        return made;
      }),
    ];
  });
  const headings = [
    columnHeading("label \u2193 answer \u2192", "text corner"),
    report.classes.map((name) => columnHeading(named(name, 18), "label")),
  ];
  const caption = `Rows by label and answer${side ? `, ${side}` : ""}; framed: right.`;
  return scrolling(
    caption,
    table(caption, headings, rows, `matrix${report.classes.length > 8 ? " dense" : ""}`),
  );
}

function cleanRates(report: Evaluation, side: string): Child {
  const clean = report.clean;
  if (!clean) return null;
  const rate = (value: number | null, interval: Interval) => valueCell({ value, interval });
  const rows = clean.groups.map((group) => [
    rowHeading(named(group.group)),
    cell(percent(group.base_rate)),
    rate(group.tpr, group.tpr_interval),
    rate(group.fpr, group.fpr_interval),
  ]);
  const headings = [
    columnHeading("group", "text"),
    columnHeading("positive"),
    columnHeading(RATE_NAMES.tpr),
    columnHeading(RATE_NAMES.fpr),
  ];
  const violation = clean.equalized_odds_violation;
  return h(
    "div",
    { class: "card" },
    table(
      `${side ? `${capitalised(side)}: rates` : "Rates"} by clean labels, reckoned from the noise of those given.`,
      headings,
      rows,
    ),
    violation !== null &&
      h("p", {}, `Equalized odds are violated by ${points(violation)} points by clean labels.`),
    clean.violation_bound !== null &&
      h(
        "p",
        { class: "note" },
        `A constraint met at the noise that training accounted for leaves at least ${points(clean.violation_bound)} points, were both classes equally frequent.`,
      ),
  );
}

function warnings(reports: Evaluation[]): Child {
  const said = reports
    .flatMap((report) => report.warnings)
    .filter((warning, i, all) => all.indexOf(warning) === i);
  const names = reports.flatMap((report) => [
    ...report.classes,
    ...report.groups.map((group) => group.group),
  ]);
  return warningList("Warnings of the evaluation", said, names);
}

const LARGEST_CONFUSION = 20;

export function evaluationSection(reports: Evaluation[], names: string[]): HTMLElement {
  const both = reports.length === 2;
  const files = names[0] === names[1] ? "" : `Before: ${names[0]}. After: ${names[1]}. `;
  const lead = both
    ? [`${files}Hollow dots are before, filled ones after.`]
    : ["How good the model is by the labels it was evaluated on. They count as the truth here."];
  const matrices =
    reports[0].classes.length <= LARGEST_CONFUSION &&
    h(
      "div",
      { class: "card" },
      h("h3", {}, "Right and wrong answers"),
      h(
        "div",
        { class: both ? "side-by-side" : "" },
        reports.map((report, i) => confusion(report, both ? SIDES[i] : "")),
      ),
    );
  return section(
    "evaluation",
    both ? "Evaluation, before and after" : "Evaluation",
    h("p", { class: "lead-in" }, lead),
    overall(reports),
    violations(reports),
    groupTables(reports),
    matrices,
    reports.map((report, i) => cleanRates(report, both ? SIDES[i] : "")),
    warnings(reports),
  );
}
