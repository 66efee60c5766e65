// The verdict: how many labels are wrong; one sentence for groups, one for classes, each with its
// certainty; then what to do.
import { details, h, s, section, type Child } from "../dom";
import { at, axisHeading, strip } from "../marks";
import { axisOf } from "../scale";
import {
  findings,
  flippedWords,
  isBalancing,
  namesIn,
  plannedWords,
  wrongShare,
  type Finding,
} from "../sentences";
import { columnHeading, cell, rowHeading, table } from "../table";
import { nextStep } from "./next_step";
import type { Audit, ClassClaim, Gap, Origin, Pair } from "../types";
import { intervalPoints, joined, named, number, points, printable, sentence, type Words } from "../words";

const MOST_NOISIER = 20;
const MOST_NAMES = 12;
const SIGNS: Record<string, string> = { found: "\u25cf", none: "\u25cb", unknown: "?", plain: "\u25a0" };

// The difference and its interval, against none.
function gapPicture(gap: Gap, found: boolean): HTMLElement {
  const axis = axisOf(Math.min(0, gap.low), Math.max(0, gap.high, gap.value), 4);
  const zero = s("line", { x1: at(axis, 0), x2: at(axis, 0), y1: "0", y2: "100%", class: "zero" });
  const mark = {
    value: gap.value,
    low: gap.low,
    high: gap.high,
    kind: found ? "accent" : "quiet",
    hollow: !found,
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

export function findingCard(finding: Finding, lead: boolean, ...more: Child[]): HTMLElement {
  const sign = h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[finding.kind]);
  return h(
    "div",
    { class: `finding ${finding.kind}${lead ? " lead" : ""}` },
    h("p", { class: "badge" }, sign, finding.badge),
    h("p", { class: "sentence" }, finding.words),
    finding.gap && gapPicture(finding.gap, finding.isGapProved ?? false),
    more,
  );
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
  const share = wrongShare(report);
  if (!share && report.condition === undefined) return null;
  return h(
    "div",
    { class: "headline" },
    share && h("p", { class: "wrong-share" }, h("strong", {}, share.figure), share.rest),
    report.condition !== undefined && h("p", { class: "condition" }, printable(report.condition)),
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
  const done: Words = report.flipped
    ? flippedWords(report.flipped, report.classes, report.rows)
    : isBalancing(report)
      ? plannedWords(report.plan, report.classes)
      : [];
  return h(
    "div",
    { class: "advice" },
    h("h3", {}, `${untested ? "Resting on an untested direction. " : ""}Advice: ${action}`),
    !report.paper && h("p", { class: "action" }, ACTIONS[action] ?? ""),
    h("p", {}, sentence(why, namesIn(report))),
    done.length > 0 && h("p", {}, done),
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
  const found = findings(report);
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
    found.map((finding, i) => findingCard(finding, i === 0)),
    h(
      "div",
      { class: "columns" },
      h("div", {}, advice(report), nextStep(report, origin)),
      warningList("Warnings", report.warnings, namesIn(report)),
    ),
    ofPairs,
  );
}
