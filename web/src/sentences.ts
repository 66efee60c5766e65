// The verdict with its certainty, and what balancing does, in the words of the notebook's view
// (python/noiseplus/_html_sentences.py): a sentence claims what the report claims and no more.
import type { Audit, BeyondClass, Flip, Gap, Group, Rate } from "./types";
import {
  INTERVAL,
  capitalised,
  counted,
  intervalPoints,
  joined,
  number,
  pValue,
  percent,
  points,
  quoted,
  say,
  span,
  type Words,
} from "./words";

const CHANCE = 0.05; // a p-value below it is significant to the program
const NO_FLIP = 1e-9;
const MOST_FLIPS = 3; // of classes that are listed

const MAX_CLASS_CLAIMS = 3; // that the sentence names

export const AT_MOST =
  "At most: if noise depends on the class only; overlap of the classes may be in that rate.";
export const AT_MOST_IN_GROUPS =
  "At most: if inside a group noise depends on the class only; overlap of the classes may be in that rate.";
export const NOT_KNOWN = "not known";

export type FindingKind = "found" | "none" | "unknown" | "plain";

export interface Finding {
  kind: FindingKind;
  badge: string;
  words: Words;
  gap?: Gap; // where its interval is part of the sentence
  isGapProved?: boolean;
}

interface Comparison {
  one: string;
  many: string;
  noisier: string | null;
  cleaner: string | null;
  leans: string | null;
  gap: Gap;
  claims: number;
  compared: number;
  upperBounds: Set<string>;
}

export function namesIn(report: {
  label: string;
  classes: string[];
  groups?: { group: string }[];
}): string[] {
  return [report.label, ...report.classes, ...(report.groups ?? []).map((group) => group.group)];
}

// Of a class or a group whose rate is an upper bound only the upper end of the interval is known.
export function shownRate(rate: Rate | Group): number {
  return rate.upper_bound ? rate.high : rate.rate;
}

export function rateText(rate: Rate | Group): string {
  return rate.upper_bound ? `at most ${percent(rate.high)}` : percent(rate.rate);
}

// The shares of the classes depend on all rates, so one upper bound leaves them unknown.
export function hasUpperBound(report: Audit): boolean {
  return report.noise.some((rate) => rate.upper_bound);
}

export interface WrongShare {
  figure: string;
  rest: string; // of the sentence
}

// How many labels are wrong in all; null where that is not estimated.
export function wrongShare(report: Audit): WrongShare | null {
  const share = report.wrong_share;
  if (!share || !report.identified) return null;
  const figure = hasUpperBound(report) ? `At most ${percent(share.high)}` : percent(share.value);
  return { figure, rest: ` of all labels are wrong (${span(share.low, share.high)}).` };
}

export function findings(report: Audit): Finding[] {
  if (report.giveaway) return [giveawayFinding(report.giveaway)];
  if (report.paper) return [paperFinding(report)];
  const found = report.groups.length > 0 ? [groupFinding(report)] : [];
  if (report.identified) return [...found, compared(classesOf(report), condition(report))];
  const words = say`Not identified: these rows do not tell the noise rates of the classes.`;
  return [...found, { kind: "unknown", badge: "Classes: not identified", words }];
}

function giveawayFinding(giveaway: NonNullable<Audit["giveaway"]>): Finding {
  const rule = giveaway.rule ? ` The rule: ${giveaway.rule}.` : "";
  const sentence = `${capitalised(giveaway.text)}.${rule}`;
  return { kind: "unknown", badge: "Cannot be judged", words: say`${sentence}` };
}

// What a claim depends on, where the estimator does not look whether it holds.
function condition(report: Audit): string {
  const twins = report.estimator === "moments" || report.estimator === "latent-class";
  return twins ? ", if neighboring rows share their clean label" : "";
}

function classesOf(report: Audit): Comparison {
  const bounds = report.noise.filter((rate) => rate.upper_bound).map((rate) => rate.class);
  return {
    one: "class",
    many: "classes",
    noisier: report.noisier,
    cleaner: report.cleaner,
    leans: report.leans,
    gap: report.gap,
    claims: report.claims_total ?? report.claims.length,
    compared: report.classes.length,
    upperBounds: new Set(bounds),
  };
}

function groupFinding(report: Audit): Finding {
  const known = report.groups.filter((group) => group.identified).length;
  if (known < 2 || !report.group_gap) {
    const words = say`Not identified: there are no two groups of which the noise rates are known.`;
    return { kind: "unknown", badge: "Groups: not identified", words };
  }
  const groups: Comparison = {
    one: "group",
    many: "groups",
    noisier: report.noisier_group,
    cleaner: report.cleaner_group,
    leans: report.leans_group ?? null,
    gap: report.group_gap,
    claims: report.group_claims_total ?? report.group_claims?.length ?? 0,
    compared: known,
    upperBounds: new Set(report.groups.filter((group) => group.upper_bound).map((group) => group.group)),
  };
  const finding = compared(groups, condition(report));
  const beyond = report.beyond_class;
  if (!beyond) return finding;
  finding.words.push(...beyondClassWords(beyond));
  if (finding.kind === "none" && beyond.claims.length > 0) {
    finding.kind = "found";
    finding.badge = "Groups: a difference found within a class";
  }
  return finding;
}

// Whether the same class is noisier in one group than in another.
function beyondClassWords(beyond: BeyondClass): Words {
  const { claims } = beyond;
  if (claims.length === 0 && beyond.p_value < CHANCE) {
    return [
      ` Within a class the groups look unlike each other (${pValue(beyond.p_value)}), but that is not proved: it may be overlap of the classes.`,
    ];
  }
  if (claims.length === 0) {
    return [
      ` Within a class, no difference between the groups is proved (${pValue(beyond.p_value)}): what differs may come from the classes' rates and shares.`,
    ];
  }
  const words: Words = [" Noise depends on the group beyond the class: "];
  claims.slice(0, MAX_CLASS_CLAIMS).forEach((claim, i) => {
    words.push(
      ...say`${i === 0 ? "" : "; "}labels of class ${quoted(claim.class)} are noisier in ${quoted(claim.noisier)} than in ${quoted(claim.cleaner)}`,
    );
  });
  const more = claims.length - MAX_CLASS_CLAIMS;
  words.push(more > 0 ? `; and ${more} more.` : ".");
  return words;
}

function compared(what: Comparison, condition: string): Finding {
  const heading = capitalised(what.many);
  if (what.noisier === null || what.cleaner === null) return noDifference(what, heading);
  const gap = what.gap;
  // Of several the clearest pair is named, and the gap is that of the highest and the lowest rate.
  const several = what.compared > 2;
  const apart = several
    ? `; the highest and the lowest rate are ${points(gap.value)} points apart`
    : ` by ${points(gap.value)} points`;
  const words = say`${capitalised(what.one)} ${quoted(what.noisier)} is noisier than ${quoted(what.cleaner)}${apart} (${INTERVAL} ${intervalPoints(gap.low, gap.high)}, ${pValue(gap.p_value)})${condition}.`;
  if (what.claims > 1) words.push(` In all, ${number(what.claims)} pairs of ${what.many} differ.`);
  return { kind: "found", badge: `${heading}: a difference found`, words, gap, isGapProved: true };
}

function noDifference(what: Comparison, heading: string): Finding {
  const finding: Finding = { kind: "none", badge: `${heading}: no difference found`, words: [] };
  const gap = what.gap;
  const start = `No difference found between the ${what.many}: `;
  if (gap.p_value < CHANCE) {
    finding.words = [start, ...looksNoisier(what)];
    return finding;
  }
  const pairs = (what.compared * (what.compared - 1)) / 2;
  let size = `the largest gap, ${points(gap.value)} points, `;
  let certainty = `${pValue(gap.p_value)}, corrected for ${number(pairs)} pairs`;
  if (pairs === 1) {
    size = `the gap, ${points(gap.value)} points, `;
    certainty = `${INTERVAL} ${intervalPoints(gap.low, gap.high)}, ${pValue(gap.p_value)}`;
    finding.gap = gap;
  }
  finding.words = [`${start}${size}may be chance (${certainty}). That does not prove them equally noisy.`];
  if (what.leans !== null) finding.words.push(...say` It leans towards ${quoted(what.leans)} being noisier.`);
  return finding;
}

// More than chance, and still not claimed: overlap of the classes may look like noise.
function looksNoisier(what: Comparison): Words {
  const size = points(what.gap.value);
  if (what.leans === null) return [`the gap, ${size} points, is not proved to be one of noise.`];
  const reason = what.upperBounds.has(what.leans) ? "its rate is an upper bound only" : "that is not proved";
  const apart = what.compared > 2 ? ` (the rates are up to ${size} points apart)` : ` by ${size} points`;
  return say`${quoted(what.leans)} looks noisier${apart}, but ${reason}: it may be overlap of the classes.`;
}

function paperFinding(report: Audit): Finding {
  const ofClasses = report.scope === "class";
  const one = ofClasses ? "class" : "group";
  const noisier = ofClasses ? report.noisier : report.noisier_group;
  const cleaner = ofClasses ? report.cleaner : report.cleaner_group;
  if (noisier === null || cleaner === null) {
    return {
      kind: "none",
      badge: "No difference found",
      words: say`By the paper's agreements no ${one} is noisier.`,
    };
  }
  const parts = report.paper?.parts ?? [];
  const shown = [noisier, cleaner].map((name) => {
    const agreement = parts.find((part) => part.name === name)?.agreement;
    return typeof agreement === "number" ? agreement.toFixed(4) : "unknown";
  });
  const words = say`By the paper's agreements (${shown.join(" against ")}) ${one} ${quoted(noisier)} is noisier than ${quoted(cleaner)}. That is a direction without a test: nothing is proved.`;
  return { kind: "unknown", badge: "A direction, not proved", words };
}

// What balancing did, by the class that labels had.
export function flippedWords(counts: Record<string, number>, classes: string[], rows: number): Words {
  const own = (label: string) => (Object.prototype.hasOwnProperty.call(counts, label) ? counts[label] : 0);
  const changed = classes.map((label) => ({ label, count: own(label) })).filter((flip) => flip.count > 0);
  if (changed.length === 0) return ["Balanced: no label was flipped."];
  changed.sort((a, b) => b.count - a.count);
  const total = changed.reduce((sum, flip) => sum + flip.count, 0);
  const each = joined(changed.map((flip) => say`${number(flip.count)} of ${quoted(flip.label)}`));
  return say`Balanced: ${number(total)} of ${counted(rows, "label")} flipped, ${each}.`;
}

// Whether what balancing does is part of the advice: what to do next is said once.
export function isBalancing(report: Audit): boolean {
  return report.flipped !== undefined || report.advice.action === "balance";
}

// What balancing would do; empty where that is nothing.
export function plannedWords(plan: Flip[], classes: string[]): Words {
  const flips = plan.flatMap((part) => flipsOf(part, classes));
  return flips.length > 0 ? say`Balancing would flip ${joined(flips)}.` : [];
}

function flipsOf(part: Flip, classes: string[]): Words[] {
  const shares = part.flip.map((row, c) => 1 - row[c]);
  const group = part.group === null ? [] : say` of group ${quoted(part.group)}`;
  const most = Math.max(...shares);
  if (most - Math.min(...shares) < NO_FLIP) {
    return shares[0] > NO_FLIP ? [say`${percent(shares[0])} of the labels${group}`] : [];
  }
  const flips = shares
    .map((share, c) => ({ share, label: classes[c] }))
    .filter((flip) => flip.share > NO_FLIP);
  flips.sort((a, b) => b.share - a.share);
  if (flips.length > MOST_FLIPS) {
    const range = span(flips[flips.length - 1].share, flips[0].share);
    return [say`${range} of the labels of ${String(flips.length)} classes${group}`];
  }
  return flips.map((flip) => say`${percent(flip.share)} of the labels ${quoted(flip.label)}${group}`);
}

// Why nothing is advised. The plan is about what its scope compares, so that is what is named.
export function notProved(report: Audit): string {
  const between = {
    class: "between the classes",
    group: "between the groups",
    "class-in-group": "between the groups, or between the classes inside one,",
  }[report.scope];
  const classesDiffer = report.noisier !== null && report.cleaner !== null;
  const other =
    report.scope === "group" && classesDiffer
      ? " The classes do differ: noiseplus balance --scope class balances them."
      : "";
  return `no difference ${between} is proved.${other}`;
}

export function flipsSomething(plan: Flip[]): boolean {
  return plan.some((part) => part.flip.some((row, c) => 1 - row[c] > NO_FLIP));
}

// What the data are, in pieces of a line.
export function facts(report: Audit): Words[] {
  const rows = report.anchors === report.rows ? "all rows" : counted(report.anchors, "row");
  const by = report.metric === "cosine" ? " by cosine" : "";
  const said: Words[] = [
    say`Label ${quoted(report.label)}`,
    [counted(report.rows, "row")],
    [counted(report.features, "feature")],
    [counted(report.classes.length, "class", "classes")],
    [`${rows} examined with ${number(report.k)} neighbors each${by}`],
    [`estimator ${report.estimator}`],
  ];
  const precision = report.precision;
  if (precision && precision.reached !== null) {
    said.push([
      `difference known to \u00b1 ${points(precision.reached)} points (wanted: ${points(precision.wanted)})`,
    ]);
  }
  return said;
}
