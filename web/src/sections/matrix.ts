// The transition matrix: which label the rows of each class carry, in all and for each group.
import { choice, details, h, replace, scrolling, section, type Child } from "../dom";
import { heatMap } from "./heat_map";
import { cell, columnHeading, rowHeading, table } from "../table";
import { AT_MOST } from "../sentences";
import type { Audit, Confusion, Matrix } from "../types";
import { named, percent, points } from "../words";

export const LARGEST_TABLE = 20;
// Whose numbers fit on the screen of a telephone, and with signs of bounds before them.
const LARGEST_NARROW_TABLE = 10;
const LARGEST_NARROW_TABLE_OF_BOUNDS = 3;
export const MOST_PAIRS = 15;
const FAINTEST = 0.05; // a matrix with less noise than this has no dark cell

// Upper ends of the rates that are upper bounds, by class: such a row is known no better.
export type Highs = Map<number, number>;

function highsOf(report: Audit): Highs {
  return new Map(report.noise.flatMap((rate, c) => (rate.upper_bound ? [[c, rate.high]] : [])));
}

export function shareText(share: number, clean: number, given: number, highs: Highs): string {
  const high = highs.get(clean);
  if (high === undefined) return percent(share);
  return clean === given ? `at least ${percent(1 - high)}` : `at most ${percent(high)}`;
}

function pointsText(share: number, clean: number, given: number, highs: Highs): string {
  const high = highs.get(clean);
  if (high === undefined) return points(share);
  return clean === given ? `\u2265\u00a0${points(1 - high)}` : `\u2264\u00a0${points(high)}`;
}

export function mostWrong(matrix: Matrix, least = FAINTEST): number {
  let most = least;
  matrix.forEach((row, i) =>
    row.forEach((share, j) => {
      if (i !== j && share > most) most = share;
    }),
  );
  return most;
}

export function confusionsOf(matrix: Matrix, most = MOST_PAIRS): Confusion[] {
  const pairs: Confusion[] = [];
  matrix.forEach((row, clean) =>
    row.forEach((share, given) => {
      if (clean !== given && share > 0) pairs.push({ clean, given, share });
    }),
  );
  pairs.sort((a, b) => b.share - a.share || a.clean - b.clean || a.given - b.given);
  return pairs.slice(0, most);
}

export function confusionTable(classes: string[], pairs: Confusion[], highs: Highs = new Map()): HTMLElement {
  const rows = pairs.map((pair) => [
    rowHeading(named(classes[pair.clean])),
    cell(named(classes[pair.given]), "text"),
    cell(shareText(pair.share, pair.clean, pair.given, highs)),
  ]);
  const headings = [
    columnHeading("true class", "text"),
    columnHeading("labeled", "text"),
    columnHeading("share"),
  ];
  return table(
    "The pairs that are confused most, and the share of the true class.",
    headings,
    rows,
    "confusions",
  );
}

function matrixTable(classes: string[], matrix: Matrix, what: string, highs: Highs): HTMLElement {
  const most = mostWrong(matrix);
  const rows = matrix.map((row, i) => [
    rowHeading(named(classes[i], 24)),
    row.map((share, j) => {
      const text = pointsText(share, i, j, highs);
      if (i === j) return cell(text, "kept");
      const wrong = cell(text, "wrong");
      wrong.style.setProperty("--shade", (share / most).toFixed(3));
      return wrong;
    }),
  ]);
  const headings = [
    columnHeading("truly \u2193 labeled \u2192", "text corner"),
    classes.map((name) => columnHeading(named(name, 18), "label")),
  ];
  const caption = `${what}: the % of each true class with each label; framed: right, shaded: wrong.`;
  return scrolling(what, table(caption, headings, rows, `matrix${classes.length > 8 ? " dense" : ""}`));
}

// As a table where numbers fit, else as a picture with the largest confusions beside it.
export function matrixView(classes: string[], matrix: Matrix, what: string, highs: Highs = new Map()): Child {
  if (classes.length > LARGEST_TABLE) return picture(classes, matrix, highs);
  const numbers = matrixTable(classes, matrix, what, highs);
  const largest = highs.size > 0 ? LARGEST_NARROW_TABLE_OF_BOUNDS : LARGEST_NARROW_TABLE;
  if (classes.length <= largest) return numbers;
  const small = h("div", { class: "narrow" }, picture(classes, matrix, highs));
  return [h("div", { class: "wide" }, numbers), small];
}

function picture(classes: string[], matrix: Matrix, highs: Highs): HTMLElement {
  return h(
    "div",
    { class: "heat" },
    heatMap(classes, matrix, mostWrong(matrix, 0.001), (share, i, j) => shareText(share, i, j, highs)),
    confusionTable(classes, confusionsOf(matrix), highs),
  );
}

function contentOf(report: Audit, group: number): Child {
  const part = group < 0 ? report : report.groups[group];
  const highs: Highs = group < 0 ? highsOf(report) : new Map();
  const bound = highs.size > 0 && h("p", { class: "note" }, AT_MOST);
  if (!part.identified)
    return h("p", { class: "empty" }, "There is no matrix, because the noise rates are not identified.");
  if (part.transition)
    return [
      matrixView(
        report.classes,
        part.transition,
        group < 0 ? "Transition matrix of all rows" : "Transition matrix of the group",
        highs,
      ),
      bound,
    ];
  if (group < 0 && report.confusions) {
    return [
      h("p", {}, `The transition matrix of ${report.classes.length} classes is too large to show.`),
      confusionTable(report.classes, report.confusions.slice(0, MOST_PAIRS), highs),
      bound,
    ];
  }
  return h("p", { class: "empty" }, "The transition matrix is not part of this report.");
}

// Whether there is anything to show.
export function knowsMatrix(report: Audit): boolean {
  return report.identified || report.groups.some((group) => group.identified);
}

export function matrixSection(report: Audit): HTMLElement {
  const content = h("div", { class: "content" }, contentOf(report, -1));
  const options = [{ value: "-1", text: "all rows" as Child }].concat(
    report.groups.map((group, g) => ({ value: String(g), text: [named(group.group)] as Child })),
  );
  const chooser =
    report.groups.length > 0 &&
    h(
      "div",
      { class: "controls control" },
      choice("Rows of", options, "-1", (value) => replace(content, contentOf(report, Number(value)))),
    );
  return section(
    "matrix",
    "Which labels are confused",
    h(
      "p",
      { class: "lead-in" },
      "A row says which labels the rows truly of a class carry, as far as the audit can tell.",
    ),
    h("div", { class: "card" }, chooser, content),
    report.identified &&
      details(
        "What to look for",
        h(
          "p",
          {},
          "Off the frame, a dark cell is a mistake that labelers make often. A row with one dark cell is a confusion of two classes; a row shaded evenly is carelessness.",
        ),
      ),
  );
}
