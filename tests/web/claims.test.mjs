// The page claims what its report does, and says of what.
import assert from "node:assert/strict";
import { test } from "node:test";
import { audit, browserForTests, visibleText } from "./browser.mjs";
import {
  EPSILON,
  evaluation,
  grouped,
  noDifference,
  training,
  twoClasses,
} from "./reports.mjs";

const browser = browserForTests();

test("nothing is proved of what the plan is about, and no more is said", async () => {
  const groups = {
    ...grouped(),
    noisier_group: null,
    cleaner_group: null,
    group_claims: [],
    plan: noDifference().plan,
    forced: grouped().plan,
  };
  const balancing = async (report) => {
    const page = await browser.open(audit(report));
    const text = {
      lead: await visibleText(page, "#balancing .lead-in"),
      hint: await visibleText(page, "#balancing .hint"),
    };
    await page.close();
    return text;
  };
  const apart = { noisier: "yes", cleaner: "no" };
  for (const words of Object.values(await balancing({ ...groups, ...apart }))) {
    assert.match(words, /no difference between the groups is proved\./);
    assert.match(words, /noiseplus balance --scope class balances them/);
    assert.doesNotMatch(words, /nothing is proved/i);
  }
  for (const words of Object.values(await balancing(groups))) {
    assert.match(words, /no difference between the groups is proved\./);
    assert.doesNotMatch(words, /--scope class/);
  }
  for (const words of Object.values(await balancing(noDifference())))
    assert.match(words, /no difference between the classes is proved\./);
});

test("an upper bound is said to be an estimate", async () => {
  const noise = twoClasses().noise.map((rate, c) => ({
    ...rate,
    upper_bound: c === 1,
  }));
  const page = await browser.open(audit(noDifference({ noise })));
  const rates = await visibleText(page, "#rates");
  assert.equal(rates.split("upper bound, estimated").length, 2);
  assert.match(rates, /the estimate is of an upper bound; overlap/);
  assert.match(
    await page.locator("#method").textContent(),
    /the true one is likely lower; the interval says how sure the estimate is/,
  );
  await page.close();
});

test("the paper's plan and advice do not claim to rest on tested rates", async () => {
  const parts = ["no", "yes"].map((name, c) => ({
    name,
    agreement: 0.6 - 0.1 * c,
    epsilon: c ? 0 : EPSILON,
    steps: 3,
    successful: true,
  }));
  const paper = { successful: true, noisiest: "yes", parts };
  const page = await browser.open(
    audit(twoClasses({ estimator: "paper", paper })),
  );
  assert.match(
    await visibleText(page, "#verdict .advice h3"),
    /^Resting on an untested direction\. Advice: balance$/,
  );
  const balancing = await visibleText(page, "#balancing");
  assert.match(balancing, /the paper's search over the agreements/);
  assert.doesNotMatch(balancing, /made from the rates, not from this curve/);
  await page.close();
  const ours = await browser.open(audit(twoClasses()));
  assert.equal(
    await visibleText(ours, "#verdict .advice h3"),
    "Advice: balance",
  );
  await ours.close();
});

test("two evaluations: which is which is said of every table", async () => {
  const clean = {
    groups: [
      {
        group: "north",
        negative_noise: 0.1,
        positive_noise: 0.2,
        base_rate: 0.4,
        tpr: 0.8,
        tpr_interval: [0.7, 0.9],
        fpr: 0.1,
        fpr_interval: [0, 0.2],
      },
    ],
    equalized_odds_violation: null,
    equalized_odds_violation_interval: null,
    violation_bound: null,
  };
  const report = { ...evaluation(0.8, 0.1), clean };
  const page = await browser.open([
    { kind: "evaluation", name: "plain.json", report },
    { kind: "evaluation", name: "fair.json", report },
  ]);
  const text = await visibleText(page, "#evaluation");
  assert.match(text, /Before: plain\.json\. After: fair\.json\./);
  assert.match(text, /Before: rates by clean labels/);
  assert.match(text, /After: rates by clean labels/);
  await page.close();
});

test("a training knows which groups were identified", async () => {
  const group = (name, more) => ({
    group: name,
    rate: 0.2,
    low: 0.1,
    high: 0.3,
    ...more,
  });
  const balanced = {
    scope: "group",
    estimator: "auto",
    flipped: { no: 10, yes: 0 },
    groups: [
      group("north", { identified: false }),
      group("south", { identified: true, low: 0, high: 1 }),
      group("east", {}),
      group("west", { low: 0, high: 1 }),
    ],
  };
  const page = await browser.open([
    { kind: "training", report: { ...training(), balanced } },
  ]);
  const rows = page.locator("#training table.rates:not(.fair) tbody tr", {
    hasText: /north|south|east|west/,
  });
  const unknown = (await rows.allInnerTexts()).map((text) =>
    text.includes("unknown"),
  );
  assert.deepEqual(unknown, [true, false, false, true]);
  await page.close();
});
