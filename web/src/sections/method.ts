// How it was computed, and what the words mean.
import { details, h, section, type Child } from "../dom";
import type { Audit, PageData } from "../types";
import { counted, fixed, general, named, number } from "../words";

const GLOSSARY: [string, string][] = [
  ["Label", "What a row is said to be in the data. The true one is not seen: it is the clean label."],
  [
    "Noise rate",
    "Of a class: the share of the rows truly of it that carry another label. Of a group: the share of its labels that are wrong.",
  ],
  [
    "95 % interval",
    "Drawn so that in 95 of 100 such data sets it holds the true value, as far as the assumptions hold.",
  ],
  [
    "p-value",
    "How likely a difference this large would be by chance if there were none. Below 0.05 counts as more than chance.",
  ],
  [
    "No difference found",
    "What was seen may be chance, or overlap of the classes. It does not prove the rates equal.",
  ],
  ["Leans", "More than chance, or towards one side, but not proved. It is not a finding."],
  [
    "At most",
    "An upper bound: too few rows are surely of that class to tell noise from overlap. It holds if noise depends on the class only; overlap of the classes may be in that rate. The figure is the upper end of the interval.",
  ],
  ["Not identified", "The rows do not tell the rates, so none are shown."],
  ["Point", "A hundredth: 12 % is 2 points more than 10 %."],
  [
    "True share",
    "The share of the rows that truly are of a class, as estimated. It is not known where the rate of any class is an upper bound.",
  ],
  [
    "Beyond the class",
    "Noise depends on the group beyond the class when labels of the same class are wrong more often in one group than in another. Without that, a group can have more wrong labels only because its classes are the noisier ones.",
  ],
  ["Score", "A number that orders the rows by how likely their label is wrong. It is not a probability."],
  ["Transition matrix", "For each true class, the share of its rows that carry each label."],
  [
    "Balancing",
    "Flipping labels of the cleaner side at random until all sides are equally noisy. Training then errs to no side.",
  ],
  ["\u03b5 (epsilon)", "The probability with which a label of the cleaner class is flipped."],
  [
    "PA, NA",
    "When a row carries the one label (PA), or the other (NA): the share of rows whose two nearest neighbors both carry it too.",
  ],
  ["Information", "Mutual information of clean and given label, in bits a label: 0 when labels say nothing."],
  ["Corrected loss", "Training that accounts for the estimated rates instead of changing labels."],
  ["Embedding", "Columns made by a network, in which rows of one class lie close together."],
  ["Violation", "The largest difference between two groups in how they are treated."],
];

function entry(name: string, value: Child): Child {
  return [h("dt", {}, name), h("dd", {}, value)];
}

type Comparison = NonNullable<Audit["advice"]["comparison"]>;

function triedRoutes({ model, rows, judged_by, gains }: Comparison): string {
  const signed = (share: number) => `${share > 0 ? "+" : ""}${fixed(100 * share, 1)}`;
  const each = gains.map(
    ({ action, value, low, high }) => `${action} ${signed(value)} (${signed(low)} to ${signed(high)})`,
  );
  const trained = model === "trees" ? "boosted trees" : "a linear model";
  return `points of accuracy over plain training of ${trained}, by ${judged_by} of ${number(rows)} held-out rows: ${each.join(", ")}`;
}

function settings(report: Audit): Child {
  const seconds = Object.entries(report.seconds).map(([stage, time]) => `${stage} ${fixed(time, 2)}`);
  const total = Object.values(report.seconds).reduce((sum, time) => sum + time, 0);
  return [
    entry("Label", named(report.label)),
    report.group_by !== undefined && entry("Groups by", named(report.group_by)),
    entry("Positive class", named(report.positive)),
    entry("Rows", `${number(report.rows)}, of which ${number(report.anchors)} were examined`),
    entry("Columns after encoding", number(report.features)),
    entry("Neighbors of a row", `${number(report.k)}, ${report.metric} distance`),
    entry("Estimator", report.estimator),
    entry(
      "What a plan makes equal",
      { class: "classes", group: "groups", "class-in-group": "classes inside groups" }[report.scope],
    ),
    report.classes.length === 2 &&
      entry("Conditioning", `${general(report.conditioning, 3)} (near 0 the rates are not identified)`),
    report.advice.balance_bound !== undefined &&
      report.advice.correct_bound !== undefined &&
      entry(
        "Bounds of the error",
        `${fixed(report.advice.balance_bound, 2)} after balancing, ${fixed(report.advice.correct_bound, 2)} with a corrected loss`,
      ),
    report.advice.comparison && entry("Routes that were tried", triedRoutes(report.advice.comparison)),
    entry("Seconds", `${fixed(total, 2)} in all: ${seconds.join(", ")}`),
  ];
}

export function methodSection(page: PageData): HTMLElement {
  const audit = page.documents.find((document) => document.kind === "audit");
  const training = page.documents.find((document) => document.kind === "training");
  return section(
    "method",
    "How it was computed",
    h(
      "div",
      { class: "card" },
      h(
        "dl",
        { class: "settings" },
        audit?.kind === "audit" && settings(audit.report),
        training?.kind === "training" &&
          entry(
            "Training",
            `${training.report.model} model, loss ${training.report.loss}, ${counted(training.report.rows, "row")}, ${fixed(training.report.seconds, 2)} seconds`,
          ),
        entry(
          "Made from",
          page.documents.map((document, i) => [i > 0 && ", ", named(document.name, 60)]),
        ),
        entry("Version", `noiseplus ${page.version}`),
      ),
    ),
    h(
      "p",
      { class: "note" },
      audit ? "The audit looked at no true label. " : "",
      "The page holds all it shows and loads nothing.",
    ),
    details(
      "What the words mean",
      h(
        "dl",
        { class: "glossary" },
        GLOSSARY.map(([word, meaning]) => entry(word, meaning)),
      ),
    ),
  );
}
