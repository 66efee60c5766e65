// What the page shows and does, in a browser.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  audit,
  browserForTests,
  unfoldBalancing,
  visibleText,
  web,
} from "./browser.mjs";
import {
  EPSILON,
  evaluation,
  grouped,
  manyClasses,
  noDifference,
  notIdentified,
  suspects,
  training,
  twoClasses,
} from "./reports.mjs";

const browser = browserForTests();

const plain = (text) => text.replace(/\u00a0/g, " ");

test("the page is small, ASCII, and has each placeholder once", () => {
  const file = join(web, "dist", "page.html");
  const page = readFileSync(file, "utf8");
  assert.ok(statSync(file).size < 300_000);
  assert.match(page, /^[\x00-\x7f]*$/);
  for (const mark of ["<!--noiseplus:title-->", "<!--noiseplus:data-->"])
    assert.equal(page.split(mark).length, 2);
  assert.ok(page.includes("default-src 'none'"));
});

test("every kind of report opens without an error or a request", async () => {
  const both = [
    { kind: "evaluation", report: evaluation(0.8, 0.1) },
    { kind: "evaluation", report: evaluation(0.82, 0.02) },
  ];
  const cases = [
    audit(twoClasses({ suspects: suspects(60, 3) })),
    audit(noDifference()),
    audit(notIdentified()),
    audit(grouped()),
    audit(manyClasses(12)),
    audit(manyClasses(60)),
    [{ kind: "training", report: training() }, ...both],
    both.slice(0, 1),
    audit(
      twoClasses({
        transition: undefined,
        confusions: [{ clean: 0, given: 1, share: 0.1 }],
      }),
    ),
    audit(
      twoClasses({
        class_rows: undefined,
        clusterability: undefined,
        agreement: undefined,
        mode: undefined,
        reason: undefined,
      }),
    ),
  ];
  for (const documents of cases) {
    const page = await browser.open(documents);
    assert.deepEqual(page.problems, []);
    assert.ok((await page.locator("main h2").count()) > 0);
    await page.close();
  }
});

test("the verdict names the difference with its certainty", async () => {
  const page = await browser.open(audit(twoClasses()));
  const verdict = plain(await visibleText(page, "#verdict"));
  assert.match(
    verdict,
    /Class 'yes' is noisier than 'no' by 20\.0 points \(95 % interval 17\.0 to 23\.0, p < 0\.0001\)/,
  );
  assert.match(verdict, /a difference found/);
  assert.match(verdict, /A first warning\./);
  await page.close();
});

test("groups come before classes", async () => {
  const page = await browser.open(audit(grouped()));
  const badges = await page.locator("#verdict .badge").allInnerTexts();
  assert.match(badges[0], /Groups: a difference found/);
  assert.match(badges[1], /Classes: no difference found/);
  await page.close();
});

test("what is not proved is no finding, and nothing is advised", async () => {
  const page = await browser.open(audit(noDifference()));
  const verdict = await visibleText(page, "#verdict");
  assert.match(verdict, /no difference found/);
  assert.doesNotMatch(verdict, /is noisier than/);
  assert.equal(await page.locator("#verdict .found").count(), 0);
  await unfoldBalancing(page);
  assert.match(await visibleText(page, "#balancing"), /no flip is advised/);
  assert.equal(
    await page.locator("#balancing input[type=range]").inputValue(),
    "0",
  );
  await page.close();
});

test("rates that are not identified are not shown, anywhere", async () => {
  const page = await browser.open(audit(notIdentified()));
  const text = await page.locator("main").textContent();
  for (const digits of ["43.2", "80.9", "44.4", "87.6", "37.7"])
    assert.ok(!text.includes(digits), digits);
  assert.match(text, /not identified/);
  await page.close();
});

test("the slider recomputes rates, labels and information", async () => {
  const page = await browser.open(audit(twoClasses()));
  const slider = page.locator("#balancing input[type=range]");
  const read = async () => ({
    after: (
      await page.locator("table.what-if tbody tr td:last-child").allInnerTexts()
    ).map(plain),
    tiles: (await page.locator("#balancing .tile").allInnerTexts()).map(plain),
    said: plain(await slider.getAttribute("aria-valuetext")),
  });
  const entropy = (p) => -p * Math.log2(p) - (1 - p) * Math.log2(1 - p);
  const bits = (down, up) =>
    entropy(0.5 * (1 - up) + 0.5 * down) -
    0.5 * entropy(up) -
    0.5 * entropy(down);
  const atPlan = await read();
  assert.deepEqual(atPlan.after, ["25.0 %", "25.0 %"]);
  assert.match(atPlan.tiles[0], /1,000\s/);
  assert.match(atPlan.tiles[1], /20\.0 → 0\.0 points/);
  const lost = 100 * (1 - bits(0.25, 0.25) / bits(0.1, 0.3));
  assert.ok(
    atPlan.tiles[2].includes(
      `${bits(0.1, 0.3).toFixed(3)} → ${bits(0.25, 0.25).toFixed(3)} bits`,
    ),
    atPlan.tiles[2],
  );
  assert.ok(
    atPlan.tiles[2].includes(
      `as if ${lost.toFixed(1)} % of the rows were lost`,
    ),
    atPlan.tiles[2],
  );
  assert.match(atPlan.said, new RegExp(`${EPSILON.toFixed(3)}`));

  // By keyboard alone: to the start, then ten steps of a hundredth of the plan.
  await slider.focus();
  await page.keyboard.press("Home");
  assert.deepEqual((await read()).after, ["10.0 %", "30.0 %"]);
  for (let i = 0; i < 10; ++i) await page.keyboard.press("ArrowRight");
  const epsilon = 0.1 * EPSILON;
  const wanted = [0.1 + 0.9 * epsilon, 0.3 * (1 - epsilon)].map(
    (rate) => `${(100 * rate).toFixed(1)} %`,
  );
  assert.deepEqual((await read()).after, wanted);
  await page.getByRole("button", { name: "At the plan" }).press("Enter");
  assert.deepEqual((await read()).after, ["25.0 %", "25.0 %"]);
  await page.close();
});

test("the slider's dot moves on the gap chart", async () => {
  const page = await browser.open(audit(twoClasses()));
  const place = async () =>
    [
      await page.locator("circle.now").getAttribute("cx"),
      await page.locator("circle.now").getAttribute("cy"),
    ].map(Number);
  const zero = Number(
    await page.locator(".line-chart line.zero").getAttribute("y1"),
  );
  assert.ok(Math.abs((await place())[1] - zero) < 0.2);
  await page.getByRole("button", { name: "Nothing" }).click();
  assert.ok((await place())[1] < zero - 20);
  assert.equal(await page.locator(".line-chart circle.counted").count(), 3);
  await page.close();
});

test("a hundred classes: the noisiest first, the rest behind a button", async () => {
  const page = await browser.open(audit(manyClasses(100)));
  const shown = () => page.locator("#rates tbody tr:visible").count();
  assert.equal(await shown(), 20);
  const rates = (
    await page
      .locator("#rates tbody tr:visible td.number strong")
      .allInnerTexts()
  ).map(parseFloat);
  assert.deepEqual(
    rates,
    [...rates].sort((a, b) => b - a),
  );
  await page
    .getByRole("button", { name: "Show all 100 classes" })
    .first()
    .press("Enter");
  assert.equal(await shown(), 100);
  const heat = page.locator(".heat-map .frame");
  await heat.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.match(
    await visibleText(page, ".heat-map .reading"),
    /Truly species 2, labeled species 1: /,
  );
  const kept = await heat.evaluate((frame) =>
    ["altKey", "ctrlKey", "metaKey", "shiftKey"].map((key) =>
      frame.dispatchEvent(
        new KeyboardEvent("keydown", {
          key: "ArrowLeft",
          cancelable: true,
          [key]: true,
        }),
      ),
    ),
  );
  assert.deepEqual(kept, [true, true, true, false]);
  await page.close();
});

test("unknown groups come last, whichever way the table is sorted", async () => {
  const report = grouped();
  const groups = Array.from({ length: 30 }, (_, i) => ({
    ...report.groups[i % 2],
    group: `group ${i}`,
    rate: 0.01 * (30 - i),
    identified: i >= 20,
  }));
  const page = await browser.open(audit({ ...report, groups }));
  const rates = async () =>
    (
      await page
        .locator("#rates .card")
        .first()
        .locator("tbody tr td:nth-of-type(3)")
        .allTextContents()
    ).map((text) => (text.startsWith("unknown") ? NaN : parseFloat(text)));
  const known = (list) => list.filter((rate) => !Number.isNaN(rate));
  for (const sign of [-1, 1]) {
    const seen = await rates();
    assert.equal(seen.length, 30);
    assert.deepEqual(
      seen.slice(0, 10),
      known(seen).sort((a, b) => sign * (a - b)),
    );
    await page
      .locator("#rates .card")
      .first()
      .getByRole("button", { name: "noise rate" })
      .click();
  }
  await page.close();
});

test("matrices of groups are chosen from a list", async () => {
  const page = await browser.open(audit(grouped()));
  const kept = async () =>
    (await page.locator("#matrix td.kept").allInnerTexts()).join(" ");
  assert.equal(await kept(), "90.0 70.0");
  await page.getByLabel("Rows of").selectOption({ label: "south" });
  assert.equal(await kept(), "75.0 75.0");
  await page.close();
});

test("two evaluations are compared", async () => {
  const page = await browser.open([
    { kind: "evaluation", report: evaluation(0.8, 0.1) },
    { kind: "evaluation", report: evaluation(0.825, 0.02) },
  ]);
  const text = plain(await visibleText(page, "#evaluation"));
  assert.match(text, /before and after/i);
  assert.match(
    text,
    /accuracy\s+80\.0 %\s+78\.0 to 82\.0 %\s+82\.5 %\s+80\.5 to 84\.5 %\s+\+2\.5/,
  );
  assert.match(text, /−8\.0/);
  assert.doesNotMatch(text, /evaluation\.json/);
  await page.close();
});

test("a training says what fairness cost", async () => {
  const page = await browser.open([{ kind: "training", report: training() }]);
  const text = plain(await visibleText(page, "#training"));
  assert.match(text, /22\.0 % → 25\.0 %/);
  assert.match(text, /2\.0 points/);
  assert.match(text, /70\.0 % ± 2\.0/);
  assert.match(text, /alpha 0\.5, the best of 2/);
  await page.close();
});

test("what the program leaves out of a large page is not missed", async () => {
  const large = manyClasses(130);
  const confusions = [{ clean: 3, given: 7, share: 0.125 }];
  const epsilon = large.plan[0].flip.map((row, c) => 1 - row[c]);
  const trimmed = {
    ...large,
    transition: undefined,
    confusions,
    plan: [{ group: null, epsilon }],
    claims: [...large.claims, ...large.claims],
    claims_total: 1234,
  };
  const page = await browser.open(audit(trimmed));
  assert.deepEqual(page.problems, []);
  assert.match(
    await visibleText(page, "#verdict"),
    /The 1,234 pairs of classes that differ/,
  );
  assert.match(
    plain(await visibleText(page, "#matrix")),
    /species 3\s+species 7\s+12\.5 %/,
  );
  assert.match(
    await visibleText(page, "#balancing"),
    /too many classes or groups to recompute/,
  );
  await page.close();

  const forced = {
    ...trimmed,
    ...{ noisier: null, cleaner: null, claims: [], claims_total: undefined },
    plan: [{ group: null, epsilon: epsilon.map(() => 0) }],
    forced: trimmed.plan,
  };
  const unproved = await browser.open(audit(forced));
  const said = await visibleText(unproved, "#balancing");
  assert.match(said, /too many classes or groups .* balance --force carries/);
  assert.doesNotMatch(said, /There is no plan to try/);
  await unproved.close();

  const groups = grouped();
  const shares = groups.plan.map((part) => ({
    group: part.group,
    epsilon: part.flip.map((row, c) => 1 - row[c]),
  }));
  const rebuilt = await browser.open(audit({ ...groups, plan: shares }));
  const after = await rebuilt
    .locator("table.what-if tbody tr td:last-child")
    .allInnerTexts();
  assert.deepEqual(after.map(plain), ["25.0 %", "25.0 %"]);
  await rebuilt.close();

  const noPlan = { ...groups, plan: undefined, groups_left_out: 7 };
  noPlan.groups = groups.groups.map((group) => ({
    ...group,
    noise: undefined,
  }));
  const without = await browser.open(audit(noPlan));
  assert.deepEqual(without.problems, []);
  assert.match(
    await visibleText(without, "#balancing"),
    /their plan is left out/,
  );
  assert.match(await visibleText(without, "#rates"), /7 others are left out/);
  await without.close();

  const models = [
    {
      kind: "training",
      report: {
        ...training(),
        transition: undefined,
        confusions: [{ clean: 0, given: 1, share: 0.1 }],
      },
    },
    {
      kind: "evaluation",
      report: { ...evaluation(0.8, 0.1), confusion: undefined },
    },
  ];
  const trained = await browser.open(models);
  assert.deepEqual(trained.problems, []);
  await trained.close();
});

test("a page without data says so", async () => {
  const page = await browser.openFile(join(web, "dist", "page.html"));
  assert.match(
    await visibleText(page, "main"),
    /There is no report in this page/,
  );
  await page.close();
});

const origin = {
  file: "customers.csv",
  date: "2026-03-04",
  command:
    "noiseplus audit customers.csv --label approved --drop notes --html report.html",
};

test("the page names the file, the date, the command and the next step", async () => {
  const page = await browser.open(audit(twoClasses()), { origin });
  const head = await visibleText(page, "header");
  for (const text of [origin.file, origin.date, origin.command])
    assert.ok(head.includes(text), head);
  const next = await visibleText(page, ".next-step");
  assert.match(
    next,
    /noiseplus balance customers\.csv --label approved --output balanced\.csv/,
  );
  assert.match(next, /flags that said how to read the file/);
  await page.close();

  const nothing = await browser.open(audit(noDifference()), {
    origin: { ...origin, file: "my data.csv", command: "noiseplus audit -" },
  });
  assert.match(
    await visibleText(nothing, ".next-step"),
    /noiseplus audit 'my data\.csv' --label approved --suspects-file suspects\.csv$/,
  );
  await nothing.close();

  // Of an array the next command would need more than its name.
  const array = await browser.open(audit(twoClasses()), {
    origin: {
      file: "x.npy",
      command: "noiseplus audit x.npy --labels y.csv",
    },
  });
  assert.doesNotMatch(await visibleText(array, ".next-step"), /noiseplus/);
  await array.close();

  // Without a file there is none to speak of.
  for (const action of ["weight", "fix"]) {
    const advice = { action, why: "that was measured" };
    for (const from of [undefined, origin]) {
      const page = await browser.open(audit(twoClasses({ advice })), {
        origin: from,
      });
      const said = await visibleText(page, ".next-step");
      assert.equal(/this file|these rows/.test(said), from !== undefined, said);
      assert.equal(said.includes("noiseplus audit"), from !== undefined);
      await page.close();
    }
  }

  const silent = await browser.open(audit(twoClasses()));
  assert.equal(await silent.locator("header .command").count(), 0);
  assert.match(
    await visibleText(silent, ".next-step"),
    /Balance the labels; then train on the column approved_balanced/,
  );
  await silent.close();
});

test("what does not apply is folded away", async () => {
  const folded = await browser.open(audit(noDifference()));
  assert.equal(await folded.locator("#balancing > details").count(), 1);
  assert.equal(
    await folded.locator("#balancing input[type=range]").isVisible(),
    false,
  );
  await folded.locator("#balancing > details > summary").click();
  assert.equal(
    await folded.locator("#balancing input[type=range]").isVisible(),
    true,
  );
  await folded.close();
  // Also where labels could be flipped, but something else is advised.
  for (const action of ["nothing", "weight"]) {
    const advice = { action, why: "that was measured" };
    const page = await browser.open(audit(twoClasses({ advice })));
    const slider = page.locator("#balancing input[type=range]");
    assert.equal(await slider.isVisible(), false, action);
    assert.match(
      await visibleText(page, "#balancing"),
      /Balancing is possible, but it is not what is advised here\./,
    );
    await page.locator("#balancing > details > summary").click();
    assert.equal(await slider.isVisible(), true, action);
    await page.close();
  }
  const advised = await browser.open(audit(twoClasses()));
  assert.equal(
    await advised.locator("#balancing input[type=range]").isVisible(),
    true,
  );
  await advised.close();
});

// Elements that reach beyond the screen, and tables whose columns can only be seen by scrolling.
const clippedParts = (page) =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    const found = [...document.querySelectorAll("header *, main *")]
      .filter((element) => element.getBoundingClientRect().right > wide + 1)
      .map((element) => element.outerHTML.slice(0, 80));
    for (const part of document.querySelectorAll(".scrolling"))
      if (part.scrollWidth > part.clientWidth + 1)
        found.push(part.getAttribute("aria-label"));
    return found;
  });

const longNames = [
  "Some-college-or-technical-school",
  "Donaudampfschifffahrtsgesellschaft",
];
const renamed = (report, names) => {
  const name = (old) => names[report.classes.indexOf(old)] ?? old;
  const rates = (list) =>
    list.map((rate) => ({ ...rate, class: name(rate.class) }));
  return {
    ...report,
    classes: names,
    positive: names[0],
    noise: rates(report.noise),
    noisier: report.noisier && name(report.noisier),
    cleaner: report.cleaner && name(report.cleaner),
    claims: report.claims.map((pair) => ({
      noisier: name(pair.noisier),
      cleaner: name(pair.cleaner),
    })),
    groups: report.groups.map((group) => ({
      ...group,
      noise: rates(group.noise),
    })),
  };
};
const bounded = (report) => ({
  ...report,
  noise: report.noise.map((rate) => ({ ...rate, upper_bound: true })),
});
const tenNames = {
  "CIFAR-10":
    "airplane automobile bird cat deer dog frog horse ship truck".split(" "),
  "Fashion-MNIST":
    "T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot".split(
      ",",
    ),
};

test("no column is clipped on a wide or a narrow screen", async () => {
  const both = [evaluation(0.8, 0.1), evaluation(0.82, 0.02)].map(
    (report, i) => ({
      kind: "evaluation",
      name: `a-model-with-a-long-name-${i}.json`,
      report,
    }),
  );
  const cases = {
    "14 columns": audit(twoClasses({ suspects: suspects(30, 14) })),
    "3 columns": audit(twoClasses({ suspects: suspects(30, 3) })),
    groups: audit(grouped()),
    "groups with long names": audit(renamed(grouped(longNames), longNames)),
    "long names": audit(renamed(twoClasses(), longNames)),
    "10 classes": audit(manyClasses(10)),
    "11 classes": audit(manyClasses(11)),
    "3 classes, bounds": audit(bounded(manyClasses(3))),
    "10 classes, bounds": audit(bounded(manyClasses(10))),
    "20 classes": audit(manyClasses(20)),
    "100 classes": audit(manyClasses(100)),
    training: [{ kind: "training", report: training() }],
    "before and after": both,
  };
  for (const [kind, names] of Object.entries(tenNames))
    cases[kind] = audit(renamed(manyClasses(10), names));
  for (const [what, documents] of Object.entries(cases)) {
    for (const width of [1280, 400]) {
      const page = await browser.open(documents, { width, origin });
      assert.deepEqual(
        await clippedParts(page),
        [],
        `${what}, ${width} pixels`,
      );
      await page.evaluate(() =>
        document
          .querySelectorAll("details")
          .forEach((element) => (element.open = true)),
      );
      const opened = await clippedParts(page);
      assert.deepEqual(opened, [], `${what}, all open, ${width} pixels`);
      await page.close();
    }
  }
});

test("matrices of ten classes have whole names", async () => {
  for (const names of Object.values(tenNames)) {
    for (const width of [1280, 400]) {
      const report = renamed(manyClasses(10), names);
      const page = await browser.open(audit(report), { width });
      const matrix = page.locator("#matrix table.matrix");
      for (const part of ["thead th.label", "tbody th"])
        assert.deepEqual(await matrix.locator(part).allInnerTexts(), names);
      const cut = await matrix.evaluate((table) =>
        [...table.querySelectorAll("th")]
          .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
          .map((cell) => cell.innerText),
      );
      assert.deepEqual(cut, [], `${width} pixels`);
      await page.close();
    }
  }
});
