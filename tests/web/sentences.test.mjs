// The page and the notebook's view say the same of the same report.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "./browser.mjs";
import {
  grouped,
  manyClasses,
  noDifference,
  notIdentified,
  twoClasses,
} from "./reports.mjs";

const { findings, flippedWords, plannedWords } = await load("sentences.ts");
const words = await load("words.ts");

// The package's own __init__ needs the compiled engine; its views do not.
const SCRIPT = `
import html, json, re, sys, types
package = types.ModuleType("noiseplus"); package.__path__ = [sys.argv[1]]; sys.modules["noiseplus"] = package
from noiseplus._html_sentences import findings, flipped, planned
def plain(markup):
    blocks = re.split(r"</(?:div|span)>", markup)
    return [html.unescape(re.sub(r"<[^>]*>", "", block)).strip() for block in blocks]
said = []
for report in json.load(sys.stdin):
    done = flipped(report["flipped"], report["rows"]) if "flipped" in report else planned(report)
    said.append([line for line in plain(findings(report)) + plain(done) if line])
json.dump(said, sys.stdout)
`;

function saidByPython(reports) {
  const folder = fileURLToPath(
    new URL("../../python/noiseplus", import.meta.url),
  );
  const run = spawnSync("/usr/bin/python3", ["-c", SCRIPT, folder], {
    input: JSON.stringify(reports),
    encoding: "utf8",
  });
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

const signs = { found: "\u25cf", none: "\u25cb", unknown: "?" };

function saidByPage(report) {
  const done = report.flipped
    ? flippedWords(report.flipped, report.classes, report.rows)
    : plannedWords(report.plan, report.classes);
  const found = findings(report).flatMap((finding) => [
    `${signs[finding.kind]} ${finding.badge}`,
    words.plain(finding.words),
  ]);
  return [...found, words.plain(done)].filter((line) => line !== "");
}

const paper = (noisier, cleaner, changes = {}) =>
  twoClasses({
    noisier,
    cleaner,
    estimator: "paper",
    paper: {
      successful: true,
      noisiest: noisier,
      parts: [
        { name: "no", agreement: 0.61, epsilon: 0, steps: 0, successful: true },
        {
          name: "yes",
          agreement: null,
          epsilon: 0.1,
          steps: 4,
          successful: true,
        },
      ],
    },
    ...changes,
  });
const odd = ["", "<script>alert(1)</script> and a name that goes on for long"];
const unseen = ["\u200b", "\ufeff \u3164\u00ad\u2060\u200d"];
const renamed = (report, odd) => ({
  ...report,
  classes: odd,
  noisier: odd[1],
  cleaner: odd[0],
  claims: [{ noisier: odd[1], cleaner: odd[0] }],
  noise: report.noise.map((rate, c) => ({ ...rate, class: odd[c] })),
});
const bounded = (leans) =>
  noDifference({
    gap: { value: 0.32, low: -0.1, high: 0.4, p_value: 0.001 },
    leans,
    noise: twoClasses().noise.map((rate) => ({
      ...rate,
      upper_bound: rate.class === "yes",
    })),
  });
const tenPairs = manyClasses(5);

const CASES = {
  "a difference of classes": twoClasses(),
  "by moments": twoClasses({ estimator: "moments" }),
  "no difference": noDifference(),
  "no difference that leans": noDifference({ leans: "yes" }),
  "an upper bound": bounded("yes"),
  "more than chance, of the other class": bounded("no"),
  "more than chance, of none": bounded(null),
  "not identified": notIdentified(),
  groups: grouped(),
  "groups of which one is known": {
    ...grouped(),
    groups: grouped().groups.map((group, g) => ({
      ...group,
      identified: g === 0,
    })),
  },
  "many classes": manyClasses(30),
  "no difference of many pairs": {
    ...tenPairs,
    noisier: null,
    cleaner: null,
    claims: [],
    gap: { value: 0.02, low: 0, high: 0.1, p_value: 0.3 },
  },
  "several pairs": {
    ...tenPairs,
    claims: [...tenPairs.claims, ...tenPairs.claims],
  },
  "a balance": twoClasses({ flipped: { no: 1023, yes: 0 } }),
  "a balance that flipped nothing": noDifference({
    flipped: { no: 0, yes: 0 },
  }),
  "the paper's direction": paper("yes", "no"),
  "the paper's silence": paper(null, null),
  "odd names": renamed(twoClasses(), odd),
  "names that are not seen": renamed(twoClasses(), unseen),
};

test("verdicts and plans are those of the notebook's view", () => {
  const reports = Object.values(CASES);
  const python = saidByPython(reports);
  Object.keys(CASES).forEach((name, i) =>
    assert.deepEqual(saidByPage(reports[i]), python[i], name),
  );
});

test("a name of invisible characters is shown by their codes", () => {
  const shown = (name) => words.shownName(words.named(name));
  assert.deepEqual(unseen.map(shown), [
    "(U+200B)",
    "(U+FEFF U+0020 U+3164 U+00AD\u2026)",
  ]);
  assert.equal(shown(" "), "(empty)");
  assert.equal(shown("a\u200b"), "a\u200b");
});

test("numbers are written as the program writes them", () => {
  assert.equal(words.pValue(0.0000999), "p\u00a0<\u00a00.0001");
  assert.equal(words.pValue(0.01234), "p\u00a0=\u00a00.012");
  assert.equal(words.pValue(1), "p\u00a0=\u00a01");
  assert.equal(words.number(1234567), "1,234,567");
  assert.equal(words.percent(-0.00001), "0.0\u00a0%");
  assert.equal(words.points(-0.123), "\u221212.3");
});
