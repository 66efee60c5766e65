// What was found is worded once, by the program: the page and the notebook's view lay it out.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  audit,
  browserForTests,
  load,
  notebookTexts,
  saidIn,
  web,
} from "./browser.mjs";
import {
  CLASSES_ALIKE,
  CLASSES_DIFFER,
  CONDITION,
  DIRECTION,
  FLIPPED,
  GIVEAWAY,
  GROUPS_ALIKE,
  PRECISION,
  RANKING,
  WRONG_SHARE,
  finding,
  grouped,
  manyClasses,
  noDifference,
  notIdentified,
  suspects,
  twoClasses,
} from "./reports.mjs";

const browser = browserForTests();
const words = await load("words.ts");

const CASES = {
  "a difference of classes": twoClasses(),
  "no difference": noDifference(),
  "not identified": notIdentified(),
  "groups that differ": grouped(),
  "groups that do not": {
    ...grouped(),
    findings: [WRONG_SHARE, CONDITION, GROUPS_ALIKE, CLASSES_DIFFER, RANKING],
  },
  "many classes": manyClasses(30),
  "columns that give the labels away": noDifference({
    findings: [GIVEAWAY],
    giveaway: {
      kind: "column",
      columns: ["code"],
      share: 0.99,
      text: "column 'code' alone reproduces 99.0 % of the labels",
    },
  }),
  "the paper's direction": twoClasses({
    findings: [DIRECTION],
    estimator: "paper",
    paper: { successful: true, noisiest: "yes", parts: [] },
  }),
  "some rows": noDifference({
    anchors: 2000,
    findings: [WRONG_SHARE, CONDITION, CLASSES_ALIKE, RANKING, PRECISION],
  }),
  "a balance, with suspects": twoClasses({
    flipped: { no: 1000, yes: 0 },
    suspects: suspects(10, 3),
    row_probabilities: "ranking",
    findings: [WRONG_SHARE, CONDITION, CLASSES_DIFFER, RANKING, FLIPPED],
  }),
  "a finding that this page does not know": twoClasses({
    findings: [finding("new", "labels", "A new title", "A new sentence.")],
  }),
};

test("the page and the notebook's view say each finding, in its own words", async () => {
  const notebook = notebookTexts(Object.values(CASES));
  for (const [i, [what, report]] of Object.entries(CASES).entries()) {
    const page = await browser.open(audit(report));
    const shown = saidIn(await page.locator("main").innerText());
    assert.deepEqual(page.problems, [], what);
    for (const { text } of report.findings) {
      assert.ok(shown.includes(text), `${what}: ${text}\n${shown}`);
      assert.ok(notebook[i].includes(text), `${what}: ${text}\n${notebook[i]}`);
    }
    await page.close();
  }
});

test("a finding's sign follows its id, or else its severity", async () => {
  const cards = [
    [CLASSES_DIFFER, "found"],
    [{ ...GROUPS_ALIKE, id: "difference-within-class" }, "found"],
    [GROUPS_ALIKE, "none"],
    [CASES["not identified"].findings[0], "unknown"],
    [GIVEAWAY, "unknown"],
    [DIRECTION, "unknown"],
    [{ ...DIRECTION, id: "new", severity: "info" }, "plain"],
    [{ ...DIRECTION, id: "new", severity: "notice" }, "found"],
    [{ ...DIRECTION, id: "new", severity: "warning" }, "unknown"],
  ];
  const findings = cards.map(([shown]) => shown);
  const page = await browser.open(audit(noDifference({ findings })));
  const kinds = await page
    .locator("#verdict .finding")
    .evaluateAll((list) => list.map((card) => card.classList[1]));
  assert.deepEqual(
    kinds,
    cards.map(([, kind]) => kind),
  );
  const badges = await page.locator("#verdict .badge").allInnerTexts();
  cards.forEach(([{ title }], i) => assert.ok(badges[i].includes(title)));
  await page.close();
  const [notebook] = notebookTexts([noDifference({ findings })]);
  for (const [{ title }, kind] of cards) {
    const sign = { found: "● ", none: "○ ", unknown: "? ", plain: "" }[kind];
    assert.ok(notebook.includes(sign + title), sign + title);
  }
});

test("a difference is drawn where its interval is known, and hollow where it is not proved", async () => {
  const findings = [CLASSES_DIFFER, CLASSES_ALIKE, GROUPS_ALIKE];
  const page = await browser.open(audit(noDifference({ findings })));
  const pictures = page.locator("#verdict .finding");
  const seen = await pictures.evaluateAll((list) =>
    list.map((card) => [
      card.querySelector(".gap-picture")?.getAttribute("aria-label") ?? null,
      card.querySelectorAll("circle.hollow").length,
    ]),
  );
  assert.deepEqual(seen, [
    ["Difference 20.0 points, 95 % interval 17.0 to 23.0", 0],
    ["Difference 1.2 points, 95 % interval \u22123.0 to 5.0", 1],
    [null, 0],
  ]);
  await page.close();
});

// Words of src/pipeline/findings.cpp, src/pipeline/giveaway.cpp.
const VERDICT =
  /is noisier than|looks noisier|leans towards|may be chance|no difference found|a difference found|is not proved|groups is proved|not identified: |labels are wrong \(|by the paper's|beyond the class:|within a class|does not prove|to balance:|would flip|rates hold if|are a ranking|are calibrated|were enough to know|cannot be judged/gi;
// The glossary of the page names what it explains.
const GLOSSARY = {
  "method.ts": [
    '"No difference found",',
    '"What was seen may be chance, or overlap of the classes. It does not prove the rates equal.",',
  ],
};

test("neither the page nor the notebook's view words a verdict", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const sources = [
    ...readdirSync(join(web, "src"), { recursive: true })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(web, "src", file)),
    ...readdirSync(join(root, "python", "noiseplus"))
      .filter((file) => /^_(html|report)/.test(file))
      .map((file) => join(root, "python", "noiseplus", file)),
  ];
  assert.ok(sources.length > 25, String(sources));
  for (const file of sources) {
    let text = readFileSync(file, "utf8");
    for (const label of GLOSSARY[file.split("/").at(-1)] ?? [])
      text = text.replace(label, "");
    assert.deepEqual(text.match(VERDICT) ?? [], [], file);
  }
  const wording = readFileSync(
    join(root, "src", "pipeline", "findings.cpp"),
    "utf8",
  );
  assert.ok(wording.match(VERDICT).length > 10);
});

const unseen = "\ufeff \u3164\u00ad\u2060\u200d";
const long = "<script>alert(1)</script> and a name that goes on for long";

test("names in a finding are kept apart, however the program prints them", () => {
  const names = ["no", "yes", "", "a 'b' c", "\u001b[1m", unseen, long];
  const of = (text) =>
    words
      .withNames(text, names)
      .filter((word) => typeof word !== "string")
      .map((word) => word.name);
  const shown = (text) => words.plain(words.withNames(text, names));
  assert.deepEqual(of("'no' and the classes' rates, 'other'"), ["no"]);
  assert.deepEqual(of("'' against 'a 'b' c'"), ["", "a 'b' c"]);
  assert.deepEqual(of("'?[1m' is noisier than 'no'."), ["\u001b[1m", "no"]);
  assert.deepEqual(of(`'${long.slice(0, 45)}...', '${unseen}'`), [
    long,
    unseen,
  ]);
  assert.equal(
    shown("'' by 3.0 % (p = 0.2, p < 0.0001)."),
    "'(empty)' by 3.0\u00a0% (p\u00a0=\u00a00.2, p\u00a0<\u00a00.0001).",
  );
  const texts = [
    `Class '${long.slice(0, 45)}...' is noisier than '${unseen}'.`,
    "Class '' is noisier than 'no'.",
  ];
  const findings = texts.map((text) => ({ ...CLASSES_DIFFER, text }));
  const [notebook] = notebookTexts([
    noDifference({ findings, classes: names, flipped: {} }),
  ]);
  for (const text of texts)
    assert.ok(notebook.includes(shown(text)), `${shown(text)}\n${notebook}`);
});

test("a name of invisible characters is shown by their codes", () => {
  const shown = (name) => words.shownName(words.named(name));
  assert.deepEqual(["\u200b", unseen].map(shown), [
    "(U+200B)",
    "(U+FEFF U+0020 U+3164 U+00AD\u2026)",
  ]);
  assert.equal(shown(" "), "(empty)");
  assert.equal(shown("a\u200b"), "a\u200b");
});

test("numbers are written as the program writes them", () => {
  assert.equal(words.number(1234567), "1,234,567");
  assert.equal(words.percent(-0.00001), "0.0\u00a0%");
  assert.equal(words.points(-0.123), "\u221212.3");
  assert.equal(words.intervalPoints(0.0001, 0.00014), "0.010 to 0.014");
});
