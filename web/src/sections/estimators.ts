// All estimators side by side, and how auto decided between them.
import { h, s, scrolling, section, type Child } from "../dom";
import { at, axisHeading, strip, stripCell, type Mark } from "../marks";
import { shareAxis } from "../scale";
import { rateText, shownRate } from "../sentences";
import { cell, columnHeading, rowHeading, sortedTable, type Column } from "../table";
import type { Audit, Clusterability, Rate } from "../types";
import { fixed, named, percent, points, printable } from "../words";

export const LOOKS_AT: Record<string, string> = {
  auto: "all of these; claims what survives doubt",
  moments: "labels of neighbors, taken to share their clean label",
  "latent-class": "labels of neighbors, taken to share their clean label",
  edges: "the rows that score highest for each class",
  curve: "labels over the scores of a linear model and of neighbors",
  overlap: "counts of labels among 31 neighbors",
  confident: "a linear model's probabilities; reads overlap as noise",
  paper: "agreements of two neighbors, as in the paper",
};

const SECOND: Mark["shape"][] = ["dot", "diamond"];

function used(report: Audit, estimator: string): Child {
  if (estimator === report.estimator) return h("span", { class: "tag" }, "used");
  const mine = report.estimates[report.estimator];
  const same = mine && report.estimates[estimator].every((rate, c) => Math.abs(rate - mine[c]) < 1e-12);
  return same ? h("span", { class: "tag quiet" }, `taken by ${report.estimator}`) : null;
}

// The used estimator's upper bounds stand at the upper ends of their intervals.
function boundOf(report: Audit, estimator: string, c: number): Rate | null {
  return estimator === report.estimator && report.noise[c]?.upper_bound ? report.noise[c] : null;
}

function rateOf(report: Audit, estimator: string, c: number): number {
  const bound = boundOf(report, estimator, c);
  return bound ? shownRate(bound) : report.estimates[estimator][c];
}

// Which of the numbers is the answer of the report.
function answeredBy(report: Audit): string {
  return `The answer is that of ${report.estimator}; the others have no intervals, and each holds under its own assumption only.`;
}

// Two classes: a row an estimator, a dot and a diamond.
function pairTable(report: Audit): HTMLElement {
  const estimators = Object.keys(report.estimates);
  const axis = shareAxis(
    Math.max(...estimators.flatMap((name) => report.classes.map((_, c) => rateOf(report, name, c)))),
  );
  const rows = estimators.map((name) => {
    const rates = report.classes.map((_, c) => rateOf(report, name, c));
    const marks = rates.map((value, c): Mark => ({
      value,
      shape: SECOND[c],
      hollow: boundOf(report, name, c) !== null,
      kind: c === 0 ? "first" : "accent",
    }));
    const between = s("line", {
      x1: at(axis, rates[0]),
      x2: at(axis, rates[1]),
      y1: "50%",
      y2: "50%",
      class: "moved",
    });
    return h(
      "tr",
      { class: name === report.estimator ? "used" : null },
      rowHeading(name, used(report, name), h("span", { class: "beside" }, LOOKS_AT[name] ?? "")),
      stripCell(axis, strip(axis, marks, between)),
      rates.map((rate, c) => {
        const bound = boundOf(report, name, c);
        return cell(bound ? rateText(bound) : percent(rate));
      }),
    );
  });
  const key = (c: number) =>
    h(
      "span",
      { class: `key-mark ${c === 0 ? "first" : "accent"}`, "aria-hidden": "true" },
      c === 0 ? "\u25cf" : "\u25c6",
    );
  const headings = [
    columnHeading("estimator", "text"),
    columnHeading(axisHeading(axis), "chart"),
    report.classes.map((name, c) => columnHeading([key(c), named(name, 18)])),
  ];
  return h(
    "table",
    { class: "rates estimators" },
    h("caption", {}, `Noise rates by estimator. ${answeredBy(report)}`),
    h("thead", {}, h("tr", {}, headings)),
    h("tbody", {}, rows),
  );
}

// More classes: a row a class, a column an estimator.
function classTable(report: Audit): HTMLElement {
  const estimators = Object.keys(report.estimates);
  const columns: Column<number>[] = [
    {
      heading: "class",
      said: "class",
      kind: "text",
      key: (c) => report.classes[c],
      cell: (c) => rowHeading(named(report.classes[c])),
    },
    ...estimators.map((name): Column<number> => ({
      heading: [name, name === report.estimator && h("span", { class: "tag" }, "used")],
      said: name,
      kind: name === report.estimator ? "number used" : "number",
      descendingFirst: true,
      key: (c) => rateOf(report, name, c),
      cell: (c) =>
        cell(
          `${boundOf(report, name, c) ? "at most " : ""}${points(rateOf(report, name, c))}`,
          name === report.estimator ? "number used" : "number",
        ),
    })),
  ];
  const order = report.classes.map((_, c) => c);
  const start =
    order.length > 12 ? { column: estimators.indexOf(report.estimator) + 1, descending: true } : null;
  return scrolling(
    "Noise rates by estimator",
    sortedTable(
      `Noise rates by estimator, in %. ${answeredBy(report)}`,
      columns,
      order,
      start,
      "classes",
      "estimators",
    ),
  );
}

interface Question {
  name: string;
  asked: string;
  measures: string;
  value: number;
  limit: number;
  atMost: boolean;
}

function questions(test: Clusterability): Question[] {
  return [
    {
      name: "disagreement",
      asked: "Are neighboring rows of different classes?",
      measures:
        "Rows whose class, by a model that does not look at neighbors, is not that of their nearest rows; 1 is chance.",
      value: test.disagreement,
      limit: test.disagreement_limit,
      atMost: true,
    },
    {
      name: "mixed",
      asked: "Are many rows between the classes?",
      measures: "How mixed the classes are around a row; 1 is chance.",
      value: test.mixed,
      limit: test.mixed_limit,
      atMost: true,
    },
    {
      name: "distinct",
      asked: "Are the rows distinct?",
      measures: "Rows that no other row repeats, as a share of all.",
      value: test.distinct,
      limit: test.distinct_limit,
      atMost: false,
    },
  ];
}

function questionCard(question: Question): HTMLElement {
  const axis = shareAxis(1);
  const { value, limit, atMost } = question;
  const passed = atMost ? value <= limit : value >= limit;
  const [low, high] = atMost ? [0, limit] : [limit, 1];
  const zone = s("rect", {
    x: at(axis, low),
    width: at(axis, high - low),
    y: "25%",
    height: "50%",
    class: "zone",
  });
  return h(
    "li",
    {},
    h("p", { class: "asked" }, question.asked),
    h(
      "p",
      { class: "answer" },
      h(
        "span",
        { class: `sign ${passed ? "passed" : "failed"}`, "aria-hidden": "true" },
        passed ? "\u2713" : "\u2717",
      ),
      passed ? "like an embedding" : "like a table",
    ),
    h("div", { class: "bar" }, strip(axis, [{ value, kind: passed ? "first" : "accent" }], zone)),
    h(
      "p",
      { class: "measured" },
      `${question.name} `,
      h("strong", {}, fixed(value, 3)),
      `, limit: ${atMost ? "at most" : "at least"} ${fixed(limit, 2)}`,
    ),
    h("p", { class: "note" }, question.measures),
  );
}

function testCards(test: Clusterability): Child {
  return [
    h(
      "p",
      {},
      "Three numbers decide; all three must be within their limits (shaded) for neighbors to be trusted.",
    ),
    h("ul", { class: "questions" }, questions(test).map(questionCard)),
  ];
}

function decision(report: Audit): Child {
  if (report.mode === undefined || report.reason === undefined) return null;
  const dense = report.mode === "dense";
  const taken = dense ? "an embedding" : "a table with overlapping classes";
  const meaning = dense
    ? "Neighboring rows can be trusted to share their true label, so disagreeing labels are noise, and counting them gives the rates."
    : "Neighboring rows may truly be of different classes, so disagreeing labels are not always noise. The rates are read where the classes are pure; of a class without such rows the rate is an upper bound.";
  return h(
    "div",
    { class: "card" },
    h("h3", {}, "Do neighbors share their label?"),
    h("p", {}, `auto took the rows for ${taken}: ${printable(report.reason)}.`),
    report.clusterability && testCards(report.clusterability),
    h("p", {}, h("strong", {}, "What that means. "), meaning),
    h("p", { class: "note" }, "If you know better, say --assume embedding or --assume table."),
  );
}

export function estimatorsSection(report: Audit): HTMLElement {
  const many = report.identified && Object.keys(report.estimates).length > 1;
  const shown = !report.identified
    ? h(
        "p",
        { class: "card empty" },
        "The numbers of the estimators are not shown: the rates are not identified.",
      )
    : many &&
      h("div", { class: "card" }, report.classes.length === 2 ? pairTable(report) : classTable(report));
  const lead = many
    ? "Each estimator assumes something else about the rows. Where they agree, the answer does not hang on the assumption."
    : !report.identified
      ? "What the rows look like, and why their noise is not told."
      : `One estimator was asked: ${report.estimator}, which looks at ${LOOKS_AT[report.estimator] ?? "the rows"}.`;
  return section(
    "estimators",
    "All estimators side by side",
    h("p", { class: "lead-in" }, lead),
    shown,
    decision(report),
  );
}
