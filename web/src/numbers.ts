// The arithmetic of balancing, recomputed in the page: matrices, rates, information, the gap curve.
import type { Matrix } from "./types";

export function multiply(a: Matrix, b: Matrix): Matrix {
  const columns = b[0]?.length ?? 0;
  return a.map((row) => {
    const sums = new Array<number>(columns).fill(0);
    row.forEach((value, i) => {
      if (value !== 0) b[i].forEach((other, j) => (sums[j] += value * other));
    });
    return sums;
  });
}

// The share of the labels of each class that a plan flips.
export function flipShares(flip: Matrix): number[] {
  return flip.map((row, c) => 1 - row[c]);
}

// On the way from one matrix to another; beyond 1 past it. A plan F of which a share is carried out
// is I + share (F - I), so T after it is on the way from T to T F.
export function between(from: Matrix, to: Matrix, share: number): Matrix {
  return from.map((row, i) => row.map((value, j) => value + share * (to[i][j] - value)));
}

// How far a plan can be overdone, at most twice, until a probability leaves [0, 1].
export function mostOf(flips: Matrix[]): number {
  const largest = Math.max(0, ...flips.flatMap(flipShares));
  return largest > 0 ? Math.min(2, 1 / largest) : 0;
}

// The rate of a group whose labels are turned with `epsilon` into one of the others.
export function groupRateAfter(rate: number, epsilon: number, classes: number): number {
  const kept = 1 - rate;
  return 1 - (kept * (1 - epsilon) + ((1 - kept) * epsilon) / (classes - 1));
}

// Of clean and given label, in bits a label.
export function mutualInformation(prior: number[], transition: Matrix): number {
  const given = new Array<number>(prior.length).fill(0);
  prior.forEach((share, i) => transition[i].forEach((t, j) => (given[j] += share * t)));
  let bits = 0;
  prior.forEach((share, i) =>
    transition[i].forEach((t, j) => {
      if (share > 0 && t > 0) bits += share * t * Math.log2(t / given[j]);
    }),
  );
  return Math.max(0, bits);
}

// Two classes: `flipped` is the rate of the class whose labels are flipped, e+ of the theorem when
// it is the cleaner one; `other` that of the other, e-.
export interface TwoRates {
  flipped: number;
  other: number;
}

export function afterFlip(rates: TwoRates, epsilon: number): TwoRates {
  return {
    flipped: rates.flipped + (1 - rates.flipped) * epsilon,
    other: (1 - epsilon) * rates.other,
  };
}

// 4 (1/2 - e+^)(1/2 - e-^)(e-^ - e+^)
export function theoremGap(rates: TwoRates, epsilon: number): number {
  const after = afterFlip(rates, epsilon);
  return 4 * (0.5 - after.flipped) * (0.5 - after.other) * (after.other - after.flipped);
}

export interface Roots {
  balanced: number; // the rates are equal
  half: number; // half the labels of the flipped class are wrong
}

export function theoremRoots(rates: TwoRates): Roots {
  return {
    balanced: (rates.other - rates.flipped) / (1 - rates.flipped + rates.other),
    half: (0.5 - rates.flipped) / (1 - rates.flipped),
  };
}

// What the gap is to be on rows whose neighbors share their clean label, when the sample has
// equally many of each label after each flip. `prior` is the clean share of the flipped class.
// The sample is drawn by the label, so its rates are others: only at prior 1/2 is its root the
// theorem's.
export function expectedGap(prior: number, rates: TwoRates, epsilon: number): number {
  const after = afterFlip(rates, epsilon);
  const share = prior * (1 - after.flipped) + (1 - prior) * after.other;
  const mean = (same: number) => {
    const kept = same / share;
    const lost = (1 - same) / (1 - share);
    return (kept - lost) / (kept + lost);
  };
  const u = mean(1 - after.flipped);
  const v = -mean(after.other);
  return (u * v * (u - v)) / 2;
}
