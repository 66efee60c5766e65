// For everybody: contrast, names and roles by axe, keyboards, narrow screens, paper, odd names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { audit, browserForTests, require } from "./browser.mjs";
import {
  CLASSES_DIFFER,
  PRECISION,
  RANKING,
  WRONG_SHARE,
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

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const both = [
  { kind: "evaluation", report: evaluation(0.8, 0.1) },
  { kind: "evaluation", report: evaluation(0.82, 0.02) },
];
const whole = [
  ...audit({
    ...grouped(),
    findings: [WRONG_SHARE, ...grouped().findings, RANKING, PRECISION],
    row_probabilities: "ranking",
    beyond_class: {
      differs: true,
      p_value: 0.001,
      claims: ["no", "yes"].map((name) => ({
        class: name,
        noisier: "south",
        cleaner: "north",
      })),
    },
    suspects: suspects(30, 8, (i) => ({ group: i % 2 })),
  }),
  { kind: "training", report: training() },
  ...both,
];

async function check(page, what) {
  await page.evaluate(() =>
    document
      .querySelectorAll("details")
      .forEach((element) => (element.open = true)),
  );
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run({ resultTypes: ["violations"] }),
  );
  const bad = violations.filter((violation) =>
    ["serious", "critical"].includes(violation.impact),
  );
  assert.deepEqual(
    bad.map(
      (violation) =>
        `${violation.id}: ${violation.nodes
          .slice(0, 3)
          .map((node) => node.html)
          .join(" ")}`,
    ),
    [],
    what,
  );
}

for (const scheme of ["light", "dark"]) {
  for (const width of [1280, 400]) {
    test(`axe finds nothing serious, ${scheme}, ${width} pixels`, async () => {
      for (const documents of [whole, audit(twoClasses())]) {
        const page = await browser.open(documents, { scheme, width });
        await check(page, `${scheme} ${width}`);
        await page.close();
      }
    });
  }
}

test("axe finds nothing serious in the heat map and where nothing is known", async () => {
  for (const report of [
    manyClasses(40),
    notIdentified(),
    noDifference({ agreement: undefined }),
    noDifference({
      noise: twoClasses().noise.map((rate) => ({ ...rate, upper_bound: true })),
    }),
  ]) {
    const page = await browser.open(audit(report));
    await check(page, report.label);
    await page.close();
  }
});

const NAMES = [
  "",
  "\u0642\u0637\u0629 \u0633\u0648\u062f\u0627\u0621",
  "\ud83d\udc08\u200d\u2b1b cat",
  "<script>window.broken = 1</script>",
  '</script><img src=x onerror="window.broken = 1">',
  "x".repeat(300),
  "many words ".repeat(40),
  "__proto__",
  "&lt;b&gt;",
  "a\u0000b\ud800c",
  "\u200b",
];

function oddNames() {
  const report = manyClasses(NAMES.length);
  const rename = (name) =>
    name === null ? null : NAMES[report.classes.indexOf(name)];
  return {
    ...report,
    label: NAMES[4],
    classes: NAMES,
    positive: NAMES[3],
    noisier: rename(report.noisier),
    cleaner: rename(report.cleaner),
    noise: report.noise.map((rate, c) => ({ ...rate, class: NAMES[c] })),
    findings: [NAMES[0], NAMES[3], `${NAMES[5].slice(0, 45)}...`].map(
      (name, i) => ({
        ...CLASSES_DIFFER,
        title: `${CLASSES_DIFFER.title} ${NAMES[i]}`,
        text: `Class '${name}' is noisier than '${NAMES[4]}'.`,
      }),
    ),
    warnings: NAMES.map((name) => `of class ${name} little is known`),
    claims: [
      { noisier: NAMES[3], cleaner: NAMES[5] },
      { noisier: NAMES[4], cleaner: NAMES[6] },
    ],
    suspects: {
      ...suspects(NAMES.length, 2, (i) => ({
        given: i,
        suggested: (i + 1) % NAMES.length,
        values: [NAMES[i], NAMES[5]],
      })),
      columns: [NAMES[3], NAMES[5]],
    },
  };
}

test("no page scrolls sideways at 400 pixels, whatever the names", async () => {
  const cases = [
    whole,
    audit(twoClasses({ suspects: suspects(30, 3) })),
    audit(manyClasses(60)),
    audit(notIdentified()),
    audit(oddNames()),
    audit(grouped([NAMES[5], NAMES[6]])),
  ];
  for (const [i, documents] of cases.entries()) {
    const page = await browser.open(documents, {
      width: 400,
      title: i === 4 ? NAMES[5] : "A report",
    });
    await page.evaluate(() =>
      document
        .querySelectorAll("details")
        .forEach((element) => (element.open = true)),
    );
    const width = await page.evaluate(
      () => document.documentElement.scrollWidth,
    );
    assert.ok(width <= 400, `case ${i}: ${width} pixels`);
    await page.close();
  }
});

test("names are text, never markup", async () => {
  const page = await browser.open(audit(oddNames()), { title: NAMES[4] });
  assert.deepEqual(page.problems, []);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator("#page img, #page script").count(), 0);
  assert.match(
    await page.locator("#rates").innerText(),
    /<script>window\.broken = 1<\/script>/,
  );
  assert.match(await page.locator("#rates").innerText(), /\(empty\)/);
  assert.match(await page.locator("#rates").innerText(), /\(U\+200B\)/);
  const verdict = await page.locator("#verdict .sentence").allInnerTexts();
  assert.match(verdict[0], /Class '\(empty\)' is/);
  assert.match(
    verdict[1],
    /Class '<script>window\.broken = 1<\/scri\u2026' is/,
  );
  assert.match(verdict[2], /Class 'x{31}\u2026' is/);
  assert.equal(await page.locator("h1").innerText(), NAMES[4]);
  await page.close();
});

test("the first key leads past the navigation, and focus is seen", async () => {
  const page = await browser.open(whole);
  await page.keyboard.press("Tab");
  const skip = page.locator(".skip");
  assert.ok(
    await skip.evaluate(
      (element) =>
        element === document.activeElement &&
        element.getBoundingClientRect().left >= 0,
    ),
  );
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(
    () => getComputedStyle(document.activeElement).outlineWidth,
  );
  assert.equal(outline, "3px");
  await page.close();
});

test("on paper all is light, open, and without controls", async () => {
  const page = await browser.open(whole, { scheme: "dark" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(
    await page.evaluate(
      () => getComputedStyle(document.documentElement).backgroundColor,
    ),
    "rgb(255, 255, 255)",
  );
  assert.equal(await page.locator("details:not([open])").count(), 0);
  assert.equal(
    await page
      .locator(
        "button:not(.sort):visible, .sort .sign:visible, select:visible, input:visible, nav:visible",
      )
      .count(),
    0,
  );
  assert.ok(await page.locator("#suspects tbody tr").first().isVisible());
  await page.close();
});

test("without motion where it is not wanted", async () => {
  const page = await browser.open(audit(twoClasses()));
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(
    await page.evaluate(
      () => getComputedStyle(document.documentElement).scrollBehavior,
    ),
    "auto",
  );
  await page.close();
});
