// What a plan does to the rates when a share of it is carried out.
import { flipShares, groupRateAfter, mostOf, multiply, mutualInformation, partOf, ratesOf } from "../numbers";
import { flipsSomething } from "../sentences";
import type { Audit, Flip, Group, Matrix } from "../types";
import { named, say, type Words } from "../words";

export type Advised = "planned" | "done" | "forced";

export interface State {
  rates: number[]; // in the order of the parts
  flipped: number; // labels, expected
  bits: number; // of information a label
}

// One class, one group, or one class inside a group, as the plan makes equal.
export interface BalanceModel {
  advised: Advised;
  plan: Flip[];
  parts: Words[];
  many: string; // what the parts are
  most: number; // share of the plan that can be carried out: up to 2, twice the plan
  rows: number; // labels in all
  single: { flipped: number; epsilon: number } | null; // two classes: whose labels, with what probability
  at(share: number): State;
}

export function spread(rates: number[]): number {
  return Math.max(...rates) - Math.min(...rates);
}

interface Block {
  prior: number[];
  transition: Matrix;
  labels: number[]; // given, by class
  rows: number;
  flip: Matrix;
}

function labelsOf(counted: number[] | undefined, rows: number, prior: number[], transition: Matrix): number[] {
  return counted ?? multiply([prior], transition)[0].map((share) => share * rows);
}

function blockOf(part: { prior: number[]; class_rows?: number[] }, transition: Matrix, rows: number, flip: Matrix): Block {
  return { prior: part.prior, transition, rows, flip, labels: labelsOf(part.class_rows, rows, part.prior, transition) };
}

function totals(blocks: Block[], share: number): { flipped: number; bits: number } {
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  let flipped = 0;
  let bits = 0;
  for (const block of blocks) {
    const flip = partOf(block.flip, share);
    flipShares(flip).forEach((part, c) => (flipped += part * block.labels[c]));
    bits += (block.rows / rows) * mutualInformation(block.prior, multiply(block.transition, flip));
  }
  return { flipped, bits };
}

// The only flip of two classes, where one class alone is flipped.
function singleFlip(flip: Matrix): BalanceModel["single"] {
  if (flip.length !== 2) return null;
  const [first, second] = flipShares(flip);
  if (first > 0 && second > 0) return null;
  return first >= second ? { flipped: 0, epsilon: first } : { flipped: 1, epsilon: second };
}

function ofClasses(report: Audit, plan: Flip[], transition: Matrix): Omit<BalanceModel, "advised"> {
  const flip = plan[0].flip;
  const blocks = [blockOf(report, transition, report.rows, flip)];
  return {
    plan, many: "classes", parts: report.classes.map((label) => [named(label)]), most: mostOf([flip]), rows: report.rows,
    single: singleFlip(flip),
    at: (share) => ({ rates: ratesOf(multiply(transition, partOf(flip, share))), ...totals(blocks, share) }),
  };
}

interface PlannedGroup {
  group: Group;
  flip: Matrix;
  transition: Matrix;
}

function plannedGroups(report: Audit, plan: Flip[]): PlannedGroup[] {
  return report.groups.flatMap((group) => {
    const flip = plan.find((part) => part.group === group.group)?.flip;
    return flip && group.identified && group.transition ? [{ group, flip, transition: group.transition }] : [];
  });
}

function ofGroups(report: Audit, plan: Flip[], planned: PlannedGroup[]): Omit<BalanceModel, "advised"> {
  const classes = report.classes.length;
  const blocks = planned.map(({ group, flip, transition }) => blockOf(group, transition, group.rows, flip));
  const inside = report.scope === "class-in-group";
  const rates = (share: number) => planned.flatMap(({ group, flip, transition }) => {
    if (inside) return ratesOf(multiply(transition, partOf(flip, share)));
    return [groupRateAfter(group.rate, share * flipShares(flip)[0], classes)];
  });
  const names = planned.flatMap(({ group }) => inside
    ? report.classes.map((label) => say`${named(group.group)}: ${named(label)}`)
    : [[named(group.group)]]);
  return {
    plan, parts: names, many: inside ? "classes of groups" : "groups", most: mostOf(blocks.map((block) => block.flip)),
    rows: report.rows, single: null,
    at: (share) => ({ rates: rates(share), ...totals(blocks, share) }),
  };
}

// None where the rates are not known, or no plan is there to be carried out.
export function balanceModel(report: Audit): BalanceModel | null {
  const proved = flipsSomething(report.plan);
  const plan = proved ? report.plan : report.forced;
  if (!plan || !flipsSomething(plan)) return null;
  const advised: Advised = !proved ? "forced" : report.flipped ? "done" : "planned";
  if (plan.length === 1 && plan[0].group === null) {
    if (!report.identified || !report.transition) return null;
    return { advised, ...ofClasses(report, plan, report.transition) };
  }
  const planned = plannedGroups(report, plan);
  return planned.length > 1 ? { advised, ...ofGroups(report, plan, planned) } : null;
}
