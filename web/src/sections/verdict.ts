// The verdict: what the program found, in its words; then what to do.
import { details, h, s, section, type Child } from "../dom";
import { at, axisHeading, strip } from "../marks";
import { axisOf } from "../scale";
import { findingOf, findingWords, namesIn } from "../sentences";
import { columnHeading, cell, rowHeading, table } from "../table";
import { nextStep } from "./next_step";
import type { Audit, ClassClaim, Finding, Origin, Pair } from "../types";
import { intervalPoints, joined, named, number, points, sentence, withNames, type Words } from "../words";

const MOST_NOISIER = 20;
const MOST_NAMES = 12;

export type CardKind = "found" | "none" | "unknown" | "plain";

export interface Card {
  kind: CardKind;
  badge: string;
  words: Words;
  gap?: { value: number; low: number; high: number; isProved: boolean };
}

const SIGNS: Record<CardKind, string> = { found: "\u25cf", none: "\u25cb", unknown: "?", plain: "\u25a0" };

const KINDS: Record<string, CardKind> = {
  difference: "found",
  "difference-within-class": "found",
  "no-difference": "none",
};
const KINDS_BY_SEVERITY: Record<Finding["severity"], CardKind> = {
  info: "plain",
  notice: "found",
  warning: "unknown",
};

// What the page shows elsewhere than on a card: above the cards, below them, with the advice.
const NOT_ON_CARDS = ["wrong-share", "condition", "row-scores", "precision", "balancing"];

// The difference and its interval, against none.
function gapPicture(gap: NonNullable<Card["gap"]>): HTMLElement {
  const axis = axisOf(Math.min(0, gap.low), Math.max(0, gap.high, gap.value), 4);
  const zero = s("line", { x1: at(axis, 0), x2: at(axis, 0), y1: "0", y2: "100%", class: "zero" });
  const mark = {
    value: gap.value,
    low: gap.low,
    high: gap.high,
    kind: gap.isProved ? "accent" : "quiet",
    hollow: !gap.isProved,
  };
  const picture = h("div", { class: "plot" }, strip(axis, [mark], zero));
  return h(
    "div",
    {
      class: "gap-picture",
      role: "img",
      "aria-label": `Difference ${points(gap.value)} points, 95 % interval ${intervalPoints(gap.low, gap.high)}`,
    },
    h(
      "div",
      { class: "legend", "aria-hidden": "true" },
      "Difference in points, with its 95\u00a0% interval; 0: equally noisy",
    ),
    picture,
    axisHeading(axis, "points"),
  );
}

export function cardElement(card: Card, lead: boolean): HTMLElement {
  const sign = h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[card.kind]);
  return h(
    "div",
    { class: `finding ${card.kind}${lead ? " lead" : ""}` },
    h("p", { class: "badge" }, sign, card.badge),
    h("p", { class: "sentence" }, card.words),
    card.gap && gapPicture(card.gap),
  );
}

function cardOf(report: Audit, finding: Finding): Card {
  const { gap, low, high } = finding.numbers;
  const hasInterval = [gap, low, high].every((number) => number !== undefined);
  return {
    kind: KINDS[finding.id] ?? KINDS_BY_SEVERITY[finding.severity],
    badge: finding.title,
    words: findingWords(report, finding),
    gap: hasInterval ? { value: gap, low, high, isProved: finding.id === "difference" } : undefined,
  };
}

function cards(report: Audit): HTMLElement[] {
  return report.findings
    .filter((finding) => !NOT_ON_CARDS.includes(finding.id))
    .map((finding, i) => cardElement(cardOf(report, finding), i === 0));
}

// That of rows goes with the list of them, where there is one.
function notes(report: Audit): Child {
  const ids = report.suspects?.rows.length ? ["precision"] : ["row-scores", "precision"];
  return report.findings
    .filter((finding) => ids.includes(finding.id))
    .map((finding) => h("p", { class: "note" }, findingWords(report, finding)));
}

function pairs(what: string, claims: Pair[], total = claims.length): Child {
  if (claims.length < 2) return null;
  const cleaner = new Map<string, Words[]>();
  for (const pair of claims) {
    const others = cleaner.get(pair.noisier) ?? [];
    others.push([named(pair.cleaner)]);
    cleaner.set(pair.noisier, others);
  }
  const rows = [...cleaner.entries()]
    .slice(0, MOST_NOISIER)
    .map(([noisier, others]) => [rowHeading(named(noisier)), cell(joined(others, MOST_NAMES), "text")]);
  const more = total > claims.length ? " and more" : "";
  const first =
    cleaner.size > MOST_NOISIER
      ? ` The first ${MOST_NOISIER} of ${number(cleaner.size)} ${what}${more}.`
      : "";
  const caption = `Pairs of ${what} of which a difference was found.${first}`;
  const headings = [columnHeading("noisier", "text"), columnHeading("than", "text")];
  return details(`The ${number(total)} pairs of ${what} that differ`, table(caption, headings, rows));
}

// The sentence names the clearest; here are all.
function classClaims(claims: ClassClaim[]): Child {
  if (claims.length < 2) return null;
  const rows = claims
    .slice(0, MOST_NOISIER)
    .map((claim) => [
      rowHeading(named(claim.class)),
      cell(named(claim.noisier), "text"),
      cell(named(claim.cleaner), "text"),
    ]);
  const first = claims.length > MOST_NOISIER ? ` The first ${MOST_NOISIER} of ${number(claims.length)}.` : "";
  const headings = ["class", "noisier in", "than in"].map((heading) => columnHeading(heading, "text"));
  return details(
    "Classes that are noisier in one group than in another",
    table(`Classes with different noise rates in two groups.${first}`, headings, rows),
  );
}

// How many labels are wrong in all, and what every rate assumes.
function headline(report: Audit): Child {
  const share = findingOf(report, "wrong-share");
  const condition = findingOf(report, "condition");
  if (!share && !condition) return null;
  const [figure = ""] = share?.text.match(/^[^%]*%/) ?? [];
  return h(
    "div",
    { class: "headline" },
    share &&
      h(
        "p",
        { class: "wrong-share" },
        h("strong", {}, withNames(figure, [])),
        withNames(share.text.slice(figure.length), []),
      ),
    condition && h("p", { class: "condition" }, findingWords(report, condition)),
  );
}

// The program's actions, as a heading.
const ACTIONS: Record<string, string> = {
  balance: "Balance the labels, then train as usual.",
  correct: "Train with a corrected loss.",
  weight: "Weight each row by the probability that its label is right.",
  fix: "Fix the few labels that are surely wrong, then train as usual.",
  check: "Check some rows by hand first.",
  nothing: "Leave the labels as they are, and train as usual.",
};

function advice(report: Audit): HTMLElement {
  const { action, why } = report.advice;
  const untested = report.paper !== undefined && !["nothing", "check"].includes(action);
  const balancing = findingOf(report, "balancing");
  return h(
    "div",
    { class: "advice" },
    h("h3", {}, `${untested ? "Resting on an untested direction. " : ""}Advice: ${action}`),
    !report.paper && h("p", { class: "action" }, ACTIONS[action] ?? ""),
    h("p", {}, sentence(why, namesIn(report))),
    balancing && h("p", {}, findingWords(report, balancing)),
  );
}

export function warningList(heading: string, warnings: string[], names: string[]): Child {
  if (warnings.length === 0) return null;
  return h(
    "div",
    { class: "warnings" },
    h("h3", {}, h("span", { class: "sign", "aria-hidden": "true" }, "\u26a0"), heading),
    h(
      "ul",
      {},
      warnings.map((warning) => h("li", {}, sentence(warning, names))),
    ),
  );
}

export function verdictSection(report: Audit, origin: Origin): HTMLElement {
  const ofPairs = report.paper
    ? null
    : [
        pairs("groups", report.group_claims ?? [], report.group_claims_total),
        classClaims(report.beyond_class?.claims ?? []),
        pairs("classes", report.claims, report.claims_total),
      ];
  return section(
    "verdict",
    "Verdict",
    headline(report),
    cards(report),
    notes(report),
    h(
      "div",
      { class: "columns" },
      h("div", {}, advice(report), nextStep(report, origin)),
      warningList("Warnings", report.warnings, namesIn(report)),
    ),
    ofPairs,
  );
}
