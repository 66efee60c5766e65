// Noise of each class and each group: a dot and its interval, in a table that sorts.
import { h, section, type Child } from "../dom";
import { axisHeading, strip, stripCell } from "../marks";
import { shareAxis, type Axis } from "../scale";
import { AT_MOST, AT_MOST_IN_GROUPS, NOT_KNOWN, hasUpperBound, rateText, shownRate } from "../sentences";
import { cell, rowHeading, sortedTable, table, columnHeading, type Column, type Sorting } from "../table";
import type { Audit, Group } from "../types";
import { INTERVAL, named, number, percent, quoted, say, span, type Words } from "../words";

const MANY = 12; // classes or groups that are sorted by their noise at first
const MOST_CLASSES_INSIDE = 12;
const MOST_GROUPS_INSIDE = 20;
const LONGEST = 80;

interface Line {
  name: string;
  rate: number;
  text: string; // the rate in words
  low: number;
  high: number;
  unknown: string; // why nothing is known of it
  bound: boolean; // the rate is an upper bound, the upper end of the interval
  rows: number | null;
  prior: number | null; // null: not shown; NaN: not known
  tooltip: string;
}

function whyUnknown(group: Group): string {
  if (group.too_small !== undefined) return `too small: ${group.too_small}`;
  return group.identified ? "" : "not identified";
}

function classLines(report: Audit): Line[] {
  return report.noise.map((rate, c) => ({
    name: rate.class,
    rate: shownRate(rate),
    text: rateText(rate),
    low: rate.low,
    high: rate.high,
    unknown: "",
    bound: rate.upper_bound ?? false,
    rows: report.class_rows?.[c] ?? null,
    prior: hasUpperBound(report) ? NaN : report.prior[c],
    tooltip: "",
  }));
}

function symmetricRate(group: Group): string {
  return group.symmetric_rate ? `same rate for all classes: ${percent(group.symmetric_rate.rate)}` : "";
}

function priorText(prior: number): string {
  return Number.isNaN(prior) ? NOT_KNOWN : percent(prior);
}

function groupLines(report: Audit): Line[] {
  return report.groups.map((group) => ({
    name: group.group,
    rate: shownRate(group),
    text: rateText(group),
    low: group.low,
    high: group.high,
    unknown: whyUnknown(group),
    bound: group.upper_bound ?? false,
    rows: group.rows,
    prior: null,
    tooltip: symmetricRate(group),
  }));
}

// Beside the name where the screen is too narrow for columns of their own.
function beside(line: Line, rows: string): Child {
  const said = [
    line.rows === null ? "" : `${number(line.rows)} ${rows}`,
    line.prior === null ? "" : `true share ${priorText(line.prior)}`,
  ].filter((text) => text !== "");
  return said.length > 0 && h("span", { class: "beside narrow" }, said.join(" \u00b7 "));
}

function columnsOf(lines: Line[], one: string, rows: string, axis: Axis): Column<Line>[] {
  const unknownLast = (value: (line: Line) => number) => (line: Line) => (line.unknown ? NaN : value(line));
  const columns: Column<Line>[] = [
    {
      heading: one,
      said: one,
      kind: "text",
      key: (line) => line.name,
      cell: (line) => rowHeading(named(line.name, LONGEST), beside(line, rows)),
    },
  ];
  if (lines.some((line) => line.rows !== null)) {
    columns.push({
      heading: rows,
      said: rows,
      kind: "number wide",
      descendingFirst: true,
      key: (line) => line.rows ?? NaN,
      cell: (line) => cell(line.rows === null ? "" : number(line.rows), "number wide"),
    });
  }
  if (lines.some((line) => line.prior !== null)) {
    columns.push({
      heading: "true share",
      said: "true share",
      kind: "number wide",
      descendingFirst: true,
      key: (line) => line.prior ?? NaN,
      cell: (line) => cell(priorText(line.prior ?? NaN), "number wide"),
    });
  }
  columns.push(
    {
      heading: axisHeading(axis),
      said: "picture",
      kind: "chart",
      cell: (line) =>
        stripCell(
          axis,
          line.unknown ? null : strip(axis, [{ ...line, value: line.rate, hollow: line.bound }]),
        ),
    },
    {
      heading: "noise rate",
      said: "noise rate",
      descendingFirst: true,
      key: unknownLast((line) => line.rate),
      cell: (line) =>
        line.unknown
          ? cell("unknown")
          : cell([
              h("strong", { title: line.tooltip || null }, line.text),
              h("span", { class: "beside narrow" }, span(line.low, line.high)),
            ]),
    },
    {
      heading: INTERVAL,
      said: INTERVAL,
      kind: "number wide",
      descendingFirst: true,
      key: unknownLast((line) => line.high - line.low),
      cell: (line) =>
        line.unknown ? cell(line.unknown, "text wide") : cell(span(line.low, line.high), "number wide"),
    },
  );
  return columns;
}

function ratesTable(
  caption: Words,
  lines: Line[],
  one: string,
  many: string,
  rows: string,
  atMost: string,
  axis: Axis,
): HTMLElement {
  const columns = columnsOf(lines, one, rows, axis);
  const byRate = columns.findIndex((column) => column.said === "noise rate");
  const start: Sorting | null = lines.length > MANY ? { column: byRate, descending: true } : null;
  const words: Words = [...caption];
  if (start) words.push(` Noisiest first.`);
  if (lines.some((line) => line.bound)) words.push(` ${atMost} Its dot is hollow.`);
  return h("div", { class: "card" }, sortedTable(words, columns, lines, start, many, "rates"));
}

function insideGroups(report: Audit): Child {
  const { groups, classes } = report;
  if (groups.length === 0 || groups.length > MOST_GROUPS_INSIDE || classes.length > MOST_CLASSES_INSIDE)
    return null;
  if (groups.some((group) => group.noise.length === 0)) return null;
  const difference = (group: Group): Words => {
    if (group.noisier !== null && group.cleaner !== null)
      return say`noisier: ${quoted(group.noisier)}, cleaner: ${quoted(group.cleaner)}`;
    return group.leans === null ? ["none found"] : say`none found, leans: ${quoted(group.leans)}`;
  };
  const rows = groups.map((group) => {
    if (!group.identified)
      return [
        rowHeading(named(group.group)),
        cell(whyUnknown(group), "text"),
        classes.map(() => cell("unknown")),
      ];
    const rates = group.noise.map((rate) =>
      cell([rateText(rate), h("span", { class: "beside" }, span(rate.low, rate.high))]),
    );
    const same = symmetricRate(group);
    const between: Child = [difference(group), same !== "" && h("span", { class: "beside" }, same)];
    return [rowHeading(named(group.group)), cell(between, "text"), rates];
  });
  const headings = [
    columnHeading("group", "text"),
    columnHeading("difference of its classes", "text"),
    classes.map((c) => columnHeading(named(c, 18))),
  ];
  const bounded = groups.some((group) => group.identified && group.noise.some((rate) => rate.upper_bound));
  const caption = `Noise rates of the classes inside each group, with 95\u00a0% intervals.${bounded ? ` ${AT_MOST_IN_GROUPS}` : ""}`;
  return h(
    "details",
    {},
    h("summary", {}, "Classes inside each group"),
    h(
      "div",
      { class: "scrolling", role: "region", "aria-label": "Classes inside each group", tabindex: 0 },
      table(caption, headings, rows),
    ),
  );
}

export function ratesSection(report: Audit): HTMLElement {
  const ofClasses = report.identified ? classLines(report) : [];
  const ofGroups = groupLines(report);
  const known = [...ofClasses, ...ofGroups].filter((line) => !line.unknown);
  const axis = shareAxis(Math.max(0, ...known.map((line) => Math.max(line.rate, line.high))));
  const other = report.classes.length === 2 ? "the other" : "another";
  const classes = report.identified
    ? ratesTable(
        [`Noise of each class: the share of the rows truly of it that carry ${other} label.`],
        ofClasses,
        "class",
        "classes",
        "labels",
        AT_MOST,
        axis,
      )
    : h(
        "p",
        { class: "card empty" },
        "The noise rates of the classes are not shown: these rows do not tell them.",
      );
  const leftOut = report.groups_left_out ?? 0;
  const kept =
    leftOut > 0
      ? ` The noisiest ${number(ofGroups.length)} of those that are known come first; ${number(leftOut)} others are left out.`
      : "";
  const groups =
    ofGroups.length > 0 &&
    ratesTable(
      say`Noise of each group by ${quoted(report.group_by ?? "group")}: the share of its labels that are wrong.${kept}`,
      ofGroups,
      "group",
      "groups",
      "rows",
      AT_MOST_IN_GROUPS,
      axis,
    );
  const what = ofGroups.length > 0 ? "How noisy each group and class is" : "How noisy each class is";
  return section(
    "rates",
    what,
    known.length > 0 &&
      h("p", { class: "lead-in" }, "Each dot is an estimate; the line is its 95\u00a0% interval."),
    groups,
    classes,
    insideGroups(report),
  );
}
