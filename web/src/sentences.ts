// What several parts of the page say of an audit. What was found is worded by the program, in the
// report's findings: the page lays it out.
import type { Audit, Finding, Flip, Group, Rate } from "./types";
import { counted, number, percent, quoted, say, withNames, type Words } from "./words";

const NO_FLIP = 1e-9;

export const AT_MOST =
  "At most: if noise depends on the class only; overlap of the classes may be in that rate.";
export const AT_MOST_IN_GROUPS =
  "At most: if inside a group noise depends on the class only; overlap of the classes may be in that rate.";
export const NOT_KNOWN = "not known";

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

export function findingOf(report: Audit, id: string): Finding | undefined {
  return report.findings.find((finding) => finding.id === id);
}

export function findingWords(report: Audit, finding: Finding): Words {
  return withNames(finding.text, namesIn(report));
}

// Whether what balancing does is part of the advice: what to do next is said once.
export function isBalancing(report: Audit): boolean {
  return report.flipped !== undefined || report.advice.action === "balance";
}

const COMPARED = { class: ["classes"], group: ["groups"], "class-in-group": ["groups", "classes"] };

// The findings that a plan of this scope goes by, by their titles.
export function scopeTitles(report: Audit): string {
  const subjects = COMPARED[report.scope];
  const findings = report.findings.filter(
    (finding) => finding.id === "giveaway" || subjects.includes(finding.subject),
  );
  const titles = findings.map((finding) => `${finding.title}.`);
  const ofClasses = report.findings.find((finding) => finding.subject === "classes");
  if (report.scope === "group" && ofClasses?.id === "difference")
    titles.push(`${ofClasses.title}: noiseplus balance --scope class balances them.`);
  return titles.join(" ");
}

export function flipsSomething(plan: Flip[]): boolean {
  return plan.some((part) => part.flip.some((row, c) => 1 - row[c] > NO_FLIP));
}

// What the data are, in pieces of a line.
export function facts(report: Audit): Words[] {
  const rows = report.anchors === report.rows ? "all rows" : counted(report.anchors, "row");
  const by = report.metric === "cosine" ? " by cosine" : "";
  return [
    say`Label ${quoted(report.label)}`,
    [counted(report.rows, "row")],
    [counted(report.features, "feature")],
    [counted(report.classes.length, "class", "classes")],
    [`${rows} examined with ${number(report.k)} neighbors each${by}`],
    [`estimator ${report.estimator}`],
  ];
}
