// A report as the sections expect it. The program leaves out of a page what is too large for it, and
// says so in keys of their own; here that becomes what the sections look at.
import type { Audit, Flip, Matrix } from "./types";

interface TrimmedFlip {
  group: string | null;
  flip?: Matrix;
  epsilon?: number[]; // the share flipped by class, in place of a large matrix
}

// A flip goes to each other class alike.
function evenFlip(epsilon: number[]): Matrix {
  return epsilon.map((share, i) =>
    epsilon.map((_, j) => (i === j ? 1 - share : share / (epsilon.length - 1))),
  );
}

function whole(part: TrimmedFlip): Flip {
  if (part.flip) return { group: part.group, flip: part.flip };
  return { group: part.group, flip: evenFlip(part.epsilon ?? []), rebuilt: true };
}

export function normalized(report: Audit): Audit {
  const given = report as Omit<Audit, "plan" | "forced"> & { plan?: TrimmedFlip[]; forced?: TrimmedFlip[] };
  return {
    ...report,
    plan: (given.plan ?? []).map(whole),
    plan_left_out: given.plan === undefined,
    forced: given.forced?.map(whole),
    groups: report.groups.map((group) => ({ ...group, noise: group.noise ?? [] })),
  };
}
