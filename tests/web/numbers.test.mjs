// The arithmetic of the page, against numbers that were computed another way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./browser.mjs";
import {
  EPSILON,
  grouped,
  manyClasses,
  noDifference,
  twoClasses,
} from "./reports.mjs";

const numbers = await load("numbers.ts");
const { balanceModel, spread } = await load("balancing/model.ts");
const close = (a, b, error = 1e-12) =>
  assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);

const entropy = (p) =>
  p <= 0 || p >= 1 ? 0 : -p * Math.log2(p) - (1 - p) * Math.log2(1 - p);
const information = (prior, down, up) =>
  entropy(prior * (1 - up) + (1 - prior) * down) -
  prior * entropy(up) -
  (1 - prior) * entropy(down);

test("mutual information of two classes is a difference of entropies", () => {
  for (const [prior, down, up] of [
    [0.5, 0.1, 0.3],
    [0.24, 0.2, 0.1],
    [0.9, 0, 0.4],
    [0.5, 0.5, 0.5],
  ]) {
    close(
      numbers.mutualInformation(
        [1 - prior, prior],
        [
          [1 - down, down],
          [up, 1 - up],
        ],
      ),
      information(prior, down, up),
      1e-12,
    );
  }
  close(
    numbers.mutualInformation(
      [0.25, 0.25, 0.25, 0.25],
      [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0, 1],
      ],
    ),
    2,
  );
});

test("the plan of the closed form makes both rates equal", () => {
  const model = balanceModel(twoClasses());
  model.rates(1).forEach((rate) => close(rate, 0.25));
  close(spread(model.rates(0)), 0.2);
  close(model.flipped(1), 6000 * EPSILON, 1e-9);
  close(model.bits(0), information(0.5, 0.1, 0.3));
  close(model.bits(1), information(0.5, 0.25, 0.25));
  close(model.most, 2);
});

test("T F, cell by cell", () => {
  const product = numbers.multiply(
    [
      [0.9, 0.1],
      [0.3, 0.7],
    ],
    [
      [0.8, 0.2],
      [0, 1],
    ],
  );
  [
    [0.72, 0.28],
    [0.24, 0.76],
  ].forEach((row, i) => row.forEach((value, j) => close(product[i][j], value)));
});

test("a plan is not overdone beyond what is a probability", () => {
  close(
    numbers.mostOf([
      [
        [0.3, 0.7],
        [0, 1],
      ],
    ]),
    1 / 0.7,
  );
  close(
    numbers.mostOf([
      [
        [0.9, 0.1],
        [0, 1],
      ],
    ]),
    2,
  );
  close(
    numbers.mostOf([
      [
        [1, 0],
        [0, 1],
      ],
    ]),
    0,
  );
});

test("groups are brought to the highest rate", () => {
  const model = balanceModel(grouped());
  model.rates(1).forEach((rate) => close(rate, 0.25));
  close(model.flipped(1), 5000 * 0.1875, 1e-9);
  close(
    model.bits(0),
    (information(0.5, 0.1, 0.1) + information(0.5, 0.25, 0.25)) / 2,
  );
  close(
    numbers.groupRateAfter(0.4, 0.3, 10),
    1 - (0.6 * 0.7 + (0.4 * 0.3) / 9),
  );
});

test("without counted labels their number follows from prior and rates", () => {
  const model = balanceModel(twoClasses({ class_rows: undefined }));
  close(model.flipped(1), 10000 * (0.5 * 0.9 + 0.5 * 0.3) * EPSILON, 1e-9);
});

test("where nothing is proved the plan is what --force would do, and none without", () => {
  assert.equal(balanceModel(noDifference()).advised, "forced");
  assert.equal(balanceModel(noDifference({ forced: undefined })), null);
  assert.equal(balanceModel(noDifference({ identified: false })), null);
  assert.equal(
    balanceModel(twoClasses({ flipped: { no: 1000, yes: 0 } })).advised,
    "done",
  );
});

test("many classes are recomputed in no time", () => {
  const model = balanceModel(manyClasses(100));
  const start = performance.now();
  for (let step = 0; step <= 120; ++step) model.rates(step / 120);
  model.bits(1);
  assert.ok(performance.now() - start < 500);
});

test("the gap curve has the roots of the theorem", () => {
  const rates = { flipped: 0.1, other: 0.3 };
  const roots = numbers.theoremRoots(rates);
  close(roots.balanced, 1 / 6);
  close(roots.half, 4 / 9);
  for (const root of [roots.balanced, roots.half])
    close(numbers.theoremGap(rates, root), 0);
  close(numbers.theoremGap(rates, 0), 4 * 0.4 * 0.2 * 0.2);
  assert.ok(
    numbers.theoremGap(rates, 0.1) > 0 && numbers.theoremGap(rates, 0.3) < 0,
  );
});

test("the expected gap is zero at the theorem's first root for equal classes, and elsewhere for others", () => {
  const rates = { flipped: 0.1, other: 0.3 };
  const rootAt = (prior) => {
    let [low, high] = [0, 0.9];
    for (let i = 0; i < 60; ++i) {
      const middle = (low + high) / 2;
      if (numbers.expectedGap(prior, rates, middle) > 0) low = middle;
      else high = middle;
    }
    return low;
  };
  // experiments/methods/gap_curve.h has these roots.
  close(rootAt(0.5), 1 / 6, 1e-9);
  close(rootAt(0.47), 0.255, 5e-4);
  close(rootAt(0.53), 0.102, 5e-4);
  for (const epsilon of [0, 0.167, 0.5, 0.9])
    assert.ok(numbers.expectedGap(0.3, rates, epsilon) > 0);
});
