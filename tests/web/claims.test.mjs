// The page claims what its report does, and says of what.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  audit,
  browserForTests,
  visibleText,
  unfoldBalancing,
} from "./browser.mjs";
import {
  CLASSES_ALIKE,
  CLASSES_DIFFER,
  CONDITION,
  EPSILON,
  FLIPPED,
  GROUPS_ALIKE,
  WRONG_SHARE,
  evaluation,
  grouped,
  manyClasses,
  noDifference,
  notIdentified,
  training,
  twoClasses,
} from "./reports.mjs";

const browser = browserForTests();

const noGroupClaimed = {
  findings: [CONDITION, GROUPS_ALIKE, CLASSES_ALIKE],
  noisier_group: null,
  cleaner_group: null,
  group_claims: [],
  group_gap: { value: 0.15, low: 0, high: 0.2, p_value: 0.001 },
  plan: noDifference().plan,
  forced: grouped().plan,
};

const plain = (text) => text.replace(/\u00a0/g, " ");

test("why nothing is to be balanced is told by the findings that the plan goes by", async () => {
  const groups = { ...grouped(), ...noGroupClaimed };
  const balancing = async (report) => {
    const page = await browser.open(audit(report));
    await unfoldBalancing(page);
    const text = {
      lead: await visibleText(page, "#balancing .lead-in"),
      hint: await visibleText(page, "#balancing .hint"),
    };
    await page.close();
    return text;
  };
  const apart = { findings: [CONDITION, GROUPS_ALIKE, CLASSES_DIFFER] };
  for (const words of Object.values(await balancing({ ...groups, ...apart }))) {
    assert.match(words, /Groups: no difference found\. Classes: a difference/);
    assert.match(words, /noiseplus balance --scope class balances them/);
  }
  for (const words of Object.values(await balancing(groups))) {
    assert.match(words, /Groups: no difference found\./);
    assert.doesNotMatch(words, /--scope class|Classes: /);
  }
  for (const words of Object.values(await balancing(noDifference())))
    assert.match(words, /Classes: no difference found\./);
});

// The point estimates of 'yes' (30 %, of which 70 % is right) must not be shown anywhere.
test("an upper bound is shown by the upper end of its interval", async () => {
  const noise = twoClasses().noise.map((rate, c) => ({
    ...rate,
    ...(c === 1 ? { low: 0, high: 0.38, upper_bound: true } : {}),
  }));
  const page = await browser.open(audit(noDifference({ noise })));
  await unfoldBalancing(page);
  assert.deepEqual(page.problems, []);
  const rates = plain(await visibleText(page, "#rates"));
  assert.match(rates, /at most 38\.0 %\s+0\.0 to 38\.0 %/);
  assert.equal(rates.split("at most").length, 2);
  assert.match(
    rates,
    /At most: if noise depends on the class only; overlap of the classes may be in that rate\./,
  );
  const ends = await page
    .locator("#rates tbody tr")
    .nth(1)
    .evaluate((row) => [
      row.querySelector("circle.hollow")?.getAttribute("cx"),
      row.querySelector("line.whisker")?.getAttribute("x2"),
    ]);
  assert.match(ends[0] ?? "", /^\d+\.\d+%$/);
  assert.equal(ends[0], ends[1]); // the dot is at the upper end of the line
  assert.equal(rates.split("not known").length, 3); // the true share of both classes
  assert.doesNotMatch(rates, /50\.0 %/);
  assert.match(
    plain(await visibleText(page, "#matrix")),
    /yes\s+\u2264 38\.0\s+\u2265 62\.0/,
  );
  assert.match(
    plain(await visibleText(page, "#estimators")),
    /used[^%]*\s10\.0 %\s+at most 38\.0 %/,
  );
  const balancing = async () => plain(await visibleText(page, "#balancing"));
  assert.match(await balancing(), /yes\s+at most 38\.0 %\s+at most 38\.0 %/);
  assert.equal((await balancing()).split(/\bnot known\b/).length, 3); // gap and information
  await page.getByRole("button", { name: "What --force would do" }).click();
  const after = (100 * 0.38 * (1 - EPSILON)).toFixed(1);
  assert.match(
    await balancing(),
    new RegExp(`yes\\s+at most 38\\.0 %\\s+at most ${after} %`),
  );
  for (const part of ["rates", "matrix", "balancing"])
    assert.doesNotMatch(await visibleText(page, `#${part}`), /\b[37]0\.0\b/);
  await page.close();
});

// 40 % of the positive labels of a group are erased, and only "at most" is known of its rates: the
// point estimates (25 %, and 25 % of each class) must not be shown anywhere.
test("a group's rate is an upper bound where one of its classes' is", async () => {
  const atMost =
    "At most: if inside a group noise depends on the class only; overlap of the classes may be in that rate.";
  const report = grouped();
  Object.assign(report.groups[1], { low: 0.07, high: 0.31, upper_bound: true });
  Object.assign(report.groups[1].noise[1], {
    low: 0,
    high: 0.44,
    upper_bound: true,
  });
  const page = await browser.open(
    audit({ ...report, ...noGroupClaimed, leans_group: "south" }),
  );
  assert.deepEqual(page.problems, []);
  await page.locator("#rates summary").click();
  const rates = plain(await visibleText(page, "#rates"));
  assert.match(rates, /at most 31\.0 %\s+7\.0 to 31\.0 %/);
  assert.match(rates, /at most 44\.0 %\s*0\.0 to 44\.0 %/);
  assert.equal(rates.split(atMost).length, 3); // of the groups, and of their classes
  const south = page.locator("#rates tbody tr", { hasText: "south" }).first();
  assert.equal(await south.locator("circle.hollow").count(), 1);
  assert.doesNotMatch(plain(await south.innerText()), /25\.0/);
  assert.match(
    plain(await visibleText(page, "#verdict")),
    /'south' looks noisier by 15\.0 points, but its rate is an upper bound only/,
  );
  const balancing = plain(await visibleText(page, "#balancing"));
  assert.match(balancing, /south\s+at most 31\.0 %\s+at most 31\.0 %/);
  assert.equal(balancing.split(/\bnot known\b/).length, 3); // gap and information
  await page.close();
});

test("the answer is told from the other estimators' numbers", async () => {
  const answer =
    "The answer is that of auto; the others have no intervals, and each holds under its own assumption only.";
  for (const report of [twoClasses(), manyClasses(5)]) {
    const page = await browser.open(audit(report));
    const text = plain(await visibleText(page, "#estimators"));
    assert.ok(text.includes(answer), text);
    await page.close();
  }
});

test("true shares are shown where no rate is an upper bound", async () => {
  const page = await browser.open(audit(twoClasses()));
  const rates = plain(await visibleText(page, "#rates"));
  assert.equal(rates.split("50.0 %").length, 3);
  assert.doesNotMatch(rates, /not known|at most/i);
  await page.close();
});

test("the share of wrong labels and its condition come first, once", async () => {
  const condition = CONDITION.text;
  const findings = [WRONG_SHARE, ...grouped().findings];
  const page = await browser.open(audit({ ...grouped(), findings }));
  assert.equal(plain(await visibleText(page, ".wrong-share strong")), "20.0 %");
  const text = plain(await visibleText(page, "main"));
  assert.equal(text.split(condition).length, 2);
  const sentence = "20.0 % of all labels are wrong (15.0 to 25.0 %).";
  assert.equal(text.split(sentence).length, 2);
  const verdict = plain(await visibleText(page, "#verdict"));
  const places = [
    sentence,
    condition,
    "Groups: a difference",
    "Classes: no difference",
    "Advice:",
  ];
  const found = places.map((part) => verdict.indexOf(part));
  assert.ok(found[0] >= 0, verdict);
  assert.deepEqual(
    found,
    [...found].sort((a, b) => a - b),
  );
  await page.close();
  const unknown = await browser.open(audit(notIdentified()));
  assert.equal(await unknown.locator(".wrong-share, .condition").count(), 0);
  await unknown.close();
});

test("one rate for all classes of a group is a detail only", async () => {
  const report = grouped();
  report.groups[1].symmetric_rate = { rate: 0.234, low: 0.2, high: 0.27 };
  const page = await browser.open(audit(report));
  assert.doesNotMatch(await visibleText(page, "main"), /23\.4/);
  const titles = await page
    .locator("#rates td strong[title]")
    .evaluateAll((list) => list.map((element) => element.title));
  assert.deepEqual(titles.map(plain), ["same rate for all classes: 23.4 %"]);
  await page.locator("#rates summary").click();
  assert.match(
    plain(await visibleText(page, "#rates details")),
    /same rate for all classes: 23\.4 %/,
  );
  await page.close();
});

test("every class that differs between groups is listed", async () => {
  const claims = Array.from({ length: 4 }, (_, i) => ({
    class: `kind ${i}`,
    noisier: "south",
    cleaner: "north",
  }));
  const beyond_class = { differs: true, p_value: 1e-9, claims };
  const page = await browser.open(audit({ ...grouped(), beyond_class }));
  await page.getByText("Classes that are noisier in one group").click();
  assert.match(
    await visibleText(page, "#verdict details"),
    /kind 3\s+south\s+north/,
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

test("a route that was tried is shown with the gain of each", async () => {
  const gain = { value: 0.031, low: 0.019, high: 0.043 };
  const page = await browser.open(
    audit(
      noDifference({
        advice: {
          action: "weight",
          why: "tried out, weighting each row gains +3.1 points",
          expected_gain: gain,
          comparison: {
            model: "trees",
            rows: 6000,
            judged_by: "given labels",
            gains: [{ action: "weight", ...gain }],
          },
        },
      }),
    ),
  );
  const advice = await visibleText(page, "#verdict .advice");
  assert.match(advice, /Advice: weight/);
  assert.match(advice, /probability that its label is right/);
  assert.match(
    await page.evaluate(() => document.querySelector("#method").textContent),
    /boosted trees, by given labels of 6,000 held-out rows: weight \+3.1 \(\+1.9 to \+4.3\)/,
  );
  await page.close();
});

test("a plan to flip labels is told where balancing is the advice, and there once", async () => {
  const told = async (report) => {
    const page = await browser.open(audit(report));
    const verdict = plain(await visibleText(page, "#verdict"));
    const balancing = plain(await visibleText(page, "#balancing"));
    const folded = page.locator("#balancing > details");
    const isFolded = (await folded.count()) === 1;
    if (isFolded) await folded.locator("summary").first().click();
    const inside = plain(await visibleText(page, "#balancing"));
    await page.close();
    const has = (text) =>
      /To balance: flip|Flipped 1,000|Labels flipped, expected/i.test(text);
    return [has(verdict), has(balancing), has(inside), isFolded];
  };
  assert.deepEqual(await told(twoClasses()), [true, true, true, false]);
  for (const action of ["nothing", "weight", "correct", "check"])
    assert.deepEqual(
      await told(twoClasses({ advice: { action, why: "that was measured" } })),
      [false, false, true, true],
      action,
    );
  const flipped = {
    flipped: { no: 1000, yes: 0 },
    findings: [CONDITION, CLASSES_DIFFER, FLIPPED],
  };
  const advice = { action: "weight", why: "that was measured" };
  assert.deepEqual(await told(twoClasses({ ...flipped, advice })), [
    true,
    true,
    true,
    false,
  ]);
});
