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

const { findings, flippedWords, plannedWords, wrongShare } =
  await load("sentences.ts");
const words = await load("words.ts");

// The package's own __init__ needs the compiled engine; its views do not.
const SCRIPT = `
import html, json, re, sys, types
package = types.ModuleType("noiseplus"); package.__path__ = [sys.argv[1]]; sys.modules["noiseplus"] = package
from noiseplus._html_sentences import findings, flipped, planned, wrong_share
def plain(markup):
    blocks = re.split(r"</(?:div|span)>", markup)
    return [html.unescape(re.sub(r"<[^>]*>", "", block)).strip() for block in blocks]
said = []
for report in json.load(sys.stdin):
    done = flipped(report["flipped"], report["rows"]) if "flipped" in report else planned(report)
    said.append([line for line in plain(findings(report)) + plain(wrong_share(report)) + plain(done) if line])
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
  const share = wrongShare(report);
  const wrong = share ? share.figure + share.rest : "";
  return [...found, wrong, words.plain(done)].filter((line) => line !== "");
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
const beyond = (count, changes = {}) => ({
  ...grouped(),
  beyond_class: {
    differs: count > 0,
    p_value: count > 0 ? 1e-8 : 0.21,
    claims: Array.from({ length: count }, (_, i) => ({
      class: i % 2 ? "no" : "yes",
      noisier: "south",
      cleaner: i < 3 ? "north" : odd[1],
    })),
  },
  ...changes,
});
const noGroupClaimed = {
  noisier_group: null,
  cleaner_group: null,
  group_claims: [],
  group_gap: { value: 0.02, low: -0.01, high: 0.05, p_value: 0.2 },
};
const wrong = { wrong_share: { value: 0.2, low: 0.151, high: 0.249 } };

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
  "a class that differs between groups": beyond(1),
  "more such classes than are named": beyond(5),
  "no class that differs between groups": beyond(0),
  "a class that differs, and groups that do not": beyond(1, noGroupClaimed),
  "no difference of groups or of classes in them": beyond(0, noGroupClaimed),
  "a group that looks noisier by an upper bound": beyond(0, {
    ...noGroupClaimed,
    leans_group: "south",
    group_gap: { value: 0.15, low: 0, high: 0.2, p_value: 0.001 },
    groups: grouped().groups.map((group) => ({ ...group, upper_bound: true })),
    beyond_class: { differs: false, p_value: 0.014, claims: [] },
  }),
  "classes that differ, of odd names": beyond(1, {
    beyond_class: {
      differs: true,
      p_value: 1e-8,
      claims: [{ class: odd[1], noisier: odd[0], cleaner: unseen[1] }],
    },
  }),
  "the share of wrong labels": twoClasses(wrong),
  "a share of wrong labels that is an upper bound": {
    ...bounded("yes"),
    ...wrong,
  },
  "a share of wrong labels that is not identified": {
    ...notIdentified(),
    ...wrong,
  },
  "names that are not seen": renamed(twoClasses(), unseen),
};

test("verdicts and plans are those of the notebook's view", () => {
  const reports = Object.values(CASES);
  const python = saidByPython(reports);
  Object.keys(CASES).forEach((name, i) =>
    assert.deepEqual(saidByPage(reports[i]), python[i], name),
  );
});

// The terminal's sentences, src/pipeline/findings.cpp.
test("both questions on groups are answered, in the terminal's words", () => {
  const spaced = (text) => text.replace(/\u00a0/g, " ");
  const said = (report) => {
    const [finding] = findings(report);
    const text = spaced(words.plain(finding.words));
    return [finding.kind, finding.badge, text.replace(/^.*?\)\. ?/, "")];
  };
  const claims =
    "Noise depends on the group beyond the class: labels of class 'yes' are noisier in 'south' than in 'north'";
  const none =
    "Within a class, no difference between the groups is proved (p = 0.21): what differs may come from the classes' rates and shares.";
  const found = ["found", "Groups: a difference found"];
  const unproved = "That does not prove them equally noisy. ";
  assert.deepEqual(said(beyond(1)), [...found, `${claims}.`]);
  assert.deepEqual(said(beyond(5)), [
    ...found,
    `${claims}; labels of class 'no' are noisier in 'south' than in 'north'; labels of class 'yes' are noisier in 'south' than in 'north'; and 2 more.`,
  ]);
  assert.deepEqual(said(beyond(0)), [...found, none]);
  assert.deepEqual(said(beyond(1, noGroupClaimed)), [
    "found",
    "Groups: a difference found within a class",
    `${unproved}${claims}.`,
  ]);
  assert.deepEqual(said(beyond(0, noGroupClaimed)), [
    "none",
    "Groups: no difference found",
    unproved + none,
  ]);
  assert.deepEqual(
    said(
      beyond(0, {
        beyond_class: { differs: false, p_value: 0.014, claims: [] },
      }),
    ),
    [
      ...found,
      "Within a class the groups look unlike each other (p = 0.014), but that is not proved: it may be overlap of the classes.",
    ],
  );
  assert.deepEqual(said(grouped()), [...found, ""]); // of an older program
});

test("an interval that is narrow keeps its width", () => {
  const narrow = { value: 0.00012, low: 0.0001, high: 0.00014, p_value: 0.6 };
  const zero = /(\d+\.\d+) to \1(?!\d)/;
  const reports = [
    noDifference({ gap: narrow }),
    twoClasses({ gap: { ...narrow, p_value: 1e-9 } }),
    { ...noDifference(), wrong_share: narrow },
  ];
  for (const report of reports) {
    assert.match(saidByPage(report).join(" "), /0\.010 to 0\.014/);
    assert.doesNotMatch(saidByPage(report).join(" "), zero);
  }
  for (const said of saidByPython(reports)) {
    assert.match(said.join(" "), /0\.010 to 0\.014/);
    assert.doesNotMatch(said.join(" "), zero);
  }
});

test("the share of wrong labels is an upper bound where a rate is one", () => {
  const said = (report) => {
    const share = wrongShare(report);
    return share && (share.figure + share.rest).replace(/\u00a0/g, " ");
  };
  assert.equal(
    said(twoClasses(wrong)),
    "20.0 % of all labels are wrong (15.1 to 24.9 %).",
  );
  assert.equal(
    said({ ...bounded("yes"), ...wrong }),
    "At most 24.9 % of all labels are wrong (15.1 to 24.9 %).",
  );
  assert.equal(said({ ...notIdentified(), ...wrong }), null);
  assert.equal(said(twoClasses()), null);
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
