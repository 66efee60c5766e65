// The gap that balancing closes: of two classes the paper's agreements over epsilon, of more
// classes or groups the highest minus the lowest rate over the share of the plan.
import { details, h, scrolling, type Child } from "../dom";
import { expectedGap, theoremGap, theoremRoots, type TwoRates } from "../numbers";
import { hasUpperBound } from "../sentences";
import { axisOf, shareAxis } from "../scale";
import { cell, columnHeading, table } from "../table";
import type { Audit } from "../types";
import { fixed, plain, points, quoted, say, type Words } from "../words";
import { spread, type BalanceModel } from "./model";
import { lineChart, type Chart, type Marker, type Series } from "./line_chart";

const STEPS = 120;

export interface GapView {
  element: HTMLElement;
  moveTo(share: number): void;
}

function steps(end: number): number[] {
  return Array.from({ length: STEPS + 1 }, (_, i) => (i * end) / STEPS);
}

function legendEntry(kind: string, words: Child): HTMLElement {
  return h("li", {}, h("span", { class: `key ${kind}`, "aria-hidden": "true" }), h("span", {}, words));
}

interface TwoClasses {
  flipped: number;
  rates: TwoRates;
  prior: number; // clean share of the flipped class
}

function twoClasses(report: Audit): TwoClasses {
  const rates = report.noise.map((rate) => rate.rate);
  const counted = report.agreement ? report.classes.indexOf(report.agreement.flipped) : -1;
  const flipped = counted >= 0 ? counted : rates[0] <= rates[1] ? 0 : 1;
  return {
    flipped,
    rates: { flipped: rates[flipped], other: rates[1 - flipped] },
    prior: report.prior[flipped],
  };
}

function countedPlaces(report: Audit): [number, number][] {
  const agreement = report.agreement;
  if (!agreement) return [];
  return agreement.epsilon.flatMap((epsilon, i): [number, number][] => {
    const gap = agreement.gap[i];
    return typeof gap === "number" ? [[epsilon, gap]] : [];
  });
}

function numbersTable(setting: TwoClasses, counted: [number, number][], end: number): HTMLElement {
  const known = new Map(counted);
  const places =
    counted.length > 0
      ? counted.map(([epsilon]) => epsilon).filter((e) => e <= end)
      : steps(end).filter((_, i) => i % 10 === 0);
  const rows = places.map((epsilon) => [
    h("th", { scope: "row", class: "number" }, fixed(epsilon, 3)),
    cell(fixed(theoremGap(setting.rates, epsilon), 4)),
    cell(fixed(expectedGap(setting.prior, setting.rates, epsilon), 4)),
    cell(known.has(epsilon) ? fixed(known.get(epsilon) ?? 0, 4) : ""),
  ]);
  const headings = [
    columnHeading("epsilon"),
    columnHeading("theorem"),
    columnHeading("expected at these class shares"),
    columnHeading("counted"),
  ];
  return scrolling("Agreement gap", table("The agreement gap over epsilon.", headings, rows));
}

function explanation(report: Audit, setting: TwoClasses, mark: string): Words[] {
  const roots = theoremRoots(setting.rates);
  const name = quoted(report.classes[setting.flipped]);
  const said: Words[] = [];
  if (roots.balanced > 0) {
    said.push(
      say`\u03b5\u2082 = ${fixed(roots.balanced, 3)}: both classes are equally noisy, by the estimated rates. This is the flip that balances${mark}.`,
    );
  } else {
    said.push(
      say`By the estimated rates ${name} is not the cleaner class, so no flip of its labels balances.`,
    );
  }
  if (roots.half > 0) {
    said.push(
      say`\u03b5\u2083 = ${fixed(roots.half, 3)}: half of the labels of ${name} would be wrong. It is a root of the formula only: on rows the gap has no second zero.`,
    );
  }
  const first = countedPlaces(report)[0]?.[1];
  if (first !== undefined && first < 0 && roots.balanced > 0) {
    const rests = report.paper ? "" : ", which is why the verdict does not rest on agreements";
    said.push(
      say`Counted on these rows the gap starts below zero: by agreements alone ${name} would look like the noisier class. Chance, unequal class shares and overlap can do that${rests}.`,
    );
  }
  return said;
}

// Null where the theorem says nothing: it needs both rates, and rates below one half.
export function agreementGap(report: Audit, model: BalanceModel | null): GapView | null {
  if (report.classes.length !== 2 || !report.identified || hasUpperBound(report)) return null;
  const setting = twoClasses(report);
  if (setting.rates.flipped >= 0.5 || setting.rates.other >= 0.5) return null;
  const roots = theoremRoots(setting.rates);
  const counted = countedPlaces(report);
  const single = model?.single && model.single.flipped === setting.flipped ? model.single : null;
  const planEnd = single && model ? single.epsilon * model.most : 0;
  const end = shareAxis(Math.min(1, Math.max(1.08 * roots.half, planEnd, 0.1)), 6);
  const theorem = steps(end.high).map((e): [number, number] => [e, theoremGap(setting.rates, e)]);
  const expected = steps(Math.min(end.high, 0.999)).map((e): [number, number] => [
    e,
    expectedGap(setting.prior, setting.rates, e),
  ]);
  const series: Series[] = [
    { kind: "expected", places: expected },
    { kind: "theorem", places: theorem },
  ];
  if (counted.length > 0) series.push({ kind: "agreement", places: counted, dots: true });
  const heights = series.flatMap((line) => line.places.filter(([x]) => x <= end.high).map(([, y]) => y));
  const markers: Marker[] = [{ x: roots.half, kind: "second", text: `\u03b5\u2083 ${fixed(roots.half, 3)}` }];
  if (roots.balanced > 0)
    markers.push({
      x: roots.balanced,
      kind: "balanced",
      text: `balanced: \u03b5\u2082 ${fixed(roots.balanced, 3)}`,
    });
  const chosen = single && model?.advised !== "forced" ? single.epsilon : null;
  const same = chosen !== null && Math.abs(chosen - roots.balanced) < 0.002;
  if (chosen !== null && !same) markers.push({ x: chosen, kind: "plan", text: `plan ${fixed(chosen, 3)}` });
  const flippedName = quoted(report.classes[setting.flipped]);
  const chart = lineChart({
    x: end,
    y: axisOf(Math.min(0, ...heights), Math.max(0, ...heights), 5),
    xTitle: "\u03b5, share of those labels that is flipped",
    yTitle: "Agreement gap (PA \u2212 NA)",
    xText: (value) => fixed(value, 2),
    yText: (value) => fixed(value, 3).replace(/0+$/, "").replace(/\.$/, ""),
    series,
    markers,
    said: `The agreement gap over epsilon, the share of labels ${plain(flippedName)} that is flipped: it starts at ${fixed(theorem[0][1], 3)} and is zero at ${fixed(roots.balanced, 3)}. The numbers are in a table below.`,
  });
  const mark =
    chosen === null ? "" : same ? ", and what the plan chooses" : `; the plan chooses ${fixed(chosen, 3)}`;
  const element = h(
    "div",
    {},
    h(
      "p",
      {},
      "When a row carries a label, how often do its two nearest neighbors carry it too? The gap is that share for one label minus the same for the other. Flipping labels ",
      flippedName,
      " with probability \u03b5 closes it: where it is zero, both are equally noisy.",
    ),
    h(
      "ul",
      { class: "legend-list" },
      legendEntry(
        "theorem",
        "the theorem, 4(\u00bd\u2212e\u208a)(\u00bd\u2212e\u208b)(e\u208b\u2212e\u208a), of the estimated rates",
      ),
      legendEntry("expected", "expected on rows with these class shares"),
      counted.length > 0 && legendEntry("agreement", "counted on these rows"),
      single && legendEntry("standing", "where the slider below stands"),
    ),
    chart.element,
    h(
      "ul",
      { class: "roots" },
      explanation(report, setting, mark).map((words) => h("li", {}, words)),
    ),
    h(
      "p",
      { class: "note" },
      "The theorem is exact where neighbors share their clean label and the clean classes are equally frequent. Other class shares move the curve, since the sample is drawn by the label; overlap of the classes moves the counted points. ",
      report.paper
        ? "The plan is what the paper's search over the agreements found; it is not made from the rates."
        : "The plan is made from the rates, not from this curve.",
    ),
    details("The numbers behind the picture", numbersTable(setting, counted, end.high)),
  );
  const moveTo = (share: number) => {
    const epsilon = single ? single.epsilon * share : 0;
    chart.move(single ? [epsilon, theoremGap(setting.rates, epsilon)] : null);
  };
  return { element, moveTo };
}

// Null where a rate is an upper bound only: how far apart the rates are is not known.
export function planGap(model: BalanceModel): GapView | null {
  if (model.bounds.some((bound) => bound)) return null;
  const x = axisOf(0, model.most, 4);
  x.high = Math.max(1, model.most);
  x.ticks = x.ticks.filter((tick) => tick <= x.high + 1e-9);
  const places = steps(model.most).map((share): [number, number] => [share, spread(model.rates(share))]);
  const chart: Chart = lineChart({
    x,
    y: shareAxis(Math.max(...places.map(([, y]) => y)), 5),
    xTitle: "share of the plan that is carried out",
    yTitle: `Highest minus lowest rate of the ${model.many}, in points`,
    xText: (value) => `${Math.round(100 * value)} %`,
    yText: (value) => points(value).replace(".0", ""),
    series: [{ kind: "theorem", places }],
    markers: [{ x: 1, kind: "balanced", text: "the plan" }],
    said: `Highest minus lowest rate of the ${model.many} over the share of the plan: ${points(places[0][1])} points at first, ${points(spread(model.rates(1)))} at the plan.`,
  });
  const rows = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]
    .filter((share) => share <= model.most)
    .map((share) => [
      h("th", { scope: "row", class: "number" }, `${Math.round(100 * share)} %`),
      cell(points(spread(model.rates(share)))),
    ]);
  const numbers = table(
    "Highest minus lowest rate.",
    [columnHeading("of the plan"), columnHeading("points")],
    rows,
  );
  const element = h(
    "div",
    {},
    h(
      "p",
      {},
      `How far apart the ${model.many} are when only a part of the plan is carried out, or more than it.`,
    ),
    chart.element,
    details("The numbers behind the picture", numbers),
  );
  return { element, moveTo: (share) => chart.move([share, spread(model.rates(share))]) };
}
