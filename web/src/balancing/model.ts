// What a plan does to the rates when a share of it is carried out.
import { between, flipShares, groupRateAfter, mostOf, multiply, mutualInformation } from "../numbers";
import { flipsSomething } from "../sentences";
import type { Audit, Flip, Group, Matrix, Rate } from "../types";
import { named, say, type Words } from "../words";

// Whether the plan is advised, was carried out, or rests on nothing that is proved.
export type Advised = "planned" | "done" | "forced" | "paper";

// One class, one group, or one class inside a group, as the plan makes equal.
export interface BalanceModel {
  advised: Advised;
  plan: Flip[];
  parts: Words[];
  bounds: boolean[]; // of the parts: whether the rate is an upper bound
  many: string; // what the parts are
  most: number; // share of the plan that can be carried out: up to 2, twice the plan
  rows: number; // labels in all
  single: { flipped: number; epsilon: number } | null; // two classes: whose labels, with what probability
  rates(share: number): number[]; // of the parts, when a share of the plan is carried out
  shownRates(share: number): number[]; // the same, with upper ends where a rate is an upper bound
  flipped(share: number): number; // labels, expected
  bits(share: number): number; // of information a label
}

export function spread(rates: number[]): number {
  return Math.max(...rates) - Math.min(...rates);
}

interface Block {
  prior: number[];
  transition: Matrix;
  balanced: Matrix; // the transition matrix after the plan
  flips: number[]; // share of the labels of each class that the plan flips
  labels: number[]; // given, by class
  rows: number;
}

function blockOf(
  part: { prior: number[]; class_rows?: number[] },
  transition: Matrix,
  rows: number,
  flip: Matrix,
): Block {
  const labels = part.class_rows ?? multiply([part.prior], transition)[0].map((share) => share * rows);
  return {
    prior: part.prior,
    transition,
    balanced: multiply(transition, flip),
    flips: flipShares(flip),
    rows,
    labels,
  };
}

function classRates(block: Block, share: number): number[] {
  return block.transition.map((row, c) => 1 - (row[c] + share * (block.balanced[c][c] - row[c])));
}

function withRate(row: number[], c: number, rate: number): number[] {
  const wrong = 1 - row[c];
  return row.map((share, j) =>
    j === c ? 1 - rate : wrong > 0 ? (share * rate) / wrong : rate / (row.length - 1),
  );
}

// A rate after the plan is linear in the rate before it, so an end of the interval has the largest.
function highestAfter(row: number[], c: number, noise: Rate, flip: Matrix, share: number): number {
  const after = (rate: number) => {
    const before = withRate(row, c, rate);
    const kept = multiply([before], flip)[0][c];
    return 1 - (before[c] + share * (kept - before[c]));
  };
  return Math.max(after(noise.low), after(noise.high));
}

function shownClassRates(block: Block, noise: Rate[], flip: Matrix, share: number): number[] {
  return classRates(block, share).map((rate, c) =>
    noise[c].upper_bound ? highestAfter(block.transition[c], c, noise[c], flip, share) : rate,
  );
}

function flippedIn(blocks: Block[], share: number): number {
  const ofBlock = (block: Block) =>
    block.flips.reduce((sum, flip, c) => sum + share * flip * block.labels[c], 0);
  return blocks.reduce((sum, block) => sum + ofBlock(block), 0);
}

function bitsOf(blocks: Block[], share: number): number {
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  const ofBlock = (block: Block) =>
    mutualInformation(block.prior, between(block.transition, block.balanced, share));
  return blocks.reduce((sum, block) => sum + (block.rows / rows) * ofBlock(block), 0);
}

// The only flip of two classes, where one class alone is flipped.
function singleFlip(flip: Matrix): BalanceModel["single"] {
  if (flip.length !== 2) return null;
  const [first, second] = flipShares(flip);
  if (first > 0 && second > 0) return null;
  return first >= second ? { flipped: 0, epsilon: first } : { flipped: 1, epsilon: second };
}

type Unadvised = Omit<BalanceModel, "advised">;

function ofClasses(report: Audit, plan: Flip[], transition: Matrix): Unadvised {
  const flip = plan[0].flip;
  const block = blockOf(report, transition, report.rows, flip);
  return {
    plan,
    many: "classes",
    parts: report.classes.map((label) => [named(label)]),
    bounds: report.noise.map((rate) => rate.upper_bound ?? false),
    most: mostOf([flip]),
    rows: report.rows,
    single: singleFlip(flip),
    rates: (share) => classRates(block, share),
    shownRates: (share) => shownClassRates(block, report.noise, flip, share),
    flipped: (share) => flippedIn([block], share),
    bits: (share) => bitsOf([block], share),
  };
}

interface PlannedGroup {
  group: Group;
  flip: Matrix;
  block: Block;
}

function plannedGroups(report: Audit, plan: Flip[]): PlannedGroup[] {
  return report.groups.flatMap((group) => {
    const flip = plan.find((part) => part.group === group.group)?.flip;
    if (!flip || !group.identified || !group.transition) return [];
    return [{ group, flip, block: blockOf(group, group.transition, group.rows, flip) }];
  });
}

function ofGroups(report: Audit, plan: Flip[], planned: PlannedGroup[]): Unadvised {
  const classes = report.classes.length;
  const blocks = planned.map(({ block }) => block);
  const inside = report.scope === "class-in-group";
  const names = planned.flatMap(({ group }) =>
    inside
      ? report.classes.map((label) => say`${named(group.group)}: ${named(label)}`)
      : [[named(group.group)]],
  );
  const rates = (share: number) =>
    planned.flatMap(({ group, block }) =>
      inside ? classRates(block, share) : [groupRateAfter(group.rate, share * block.flips[0], classes)],
    );
  return {
    plan,
    many: inside ? "classes of groups" : "groups",
    parts: names,
    bounds: planned.flatMap(({ group }) =>
      inside ? group.noise.map((rate) => rate.upper_bound ?? false) : [group.upper_bound ?? false],
    ),
    most: mostOf(planned.map(({ flip }) => flip)),
    rows: report.rows,
    single: null,
    rates,
    shownRates: (share) =>
      planned.flatMap(({ group, flip, block }) => {
        if (inside) return shownClassRates(block, group.noise, flip, share);
        const after = (rate: number) => groupRateAfter(rate, share * block.flips[0], classes);
        return [group.upper_bound ? Math.max(after(group.low), after(group.high)) : after(group.rate)];
      }),
    flipped: (share) => flippedIn(blocks, share),
    bits: (share) => bitsOf(blocks, share),
  };
}

// None where the rates are not known, or no plan is there to be carried out.
export function balanceModel(report: Audit): BalanceModel | null {
  const proved = flipsSomething(report.plan);
  const plan = proved ? report.plan : report.forced;
  if (!plan || !flipsSomething(plan)) return null;
  if (report.scope === "class-in-group" && plan.some((part) => part.rebuilt)) return null;
  const advised: Advised = !proved ? "forced" : report.flipped ? "done" : report.paper ? "paper" : "planned";
  if (plan.length === 1 && plan[0].group === null) {
    if (!report.identified || !report.transition) return null;
    return { advised, ...ofClasses(report, plan, report.transition) };
  }
  const planned = plannedGroups(report, plan);
  return planned.length > 1 ? { advised, ...ofGroups(report, plan, planned) } : null;
}
