// A training: what was trained, the noise it accounted for, what fairness cost.
import { details, h, section, type Child } from "../dom";
import { axisHeading, strip, stripCell } from "../marks";
import { shareAxis } from "../scale";
import { namesIn } from "../sentences";
import { cell, columnHeading, rowHeading, table } from "../table";
import type { Fair, Training } from "../types";
import {
  INTERVAL,
  capitalised,
  counted,
  fixed,
  general,
  joined,
  named,
  number,
  percent,
  points,
  quoted,
  say,
  sentence,
  span,
  type Words,
} from "../words";
import { MOST_PAIRS, confusionTable, matrixView } from "./matrix";
import { cardElement, warningList } from "./verdict";

export const RATE_NAMES: Record<string, string> = {
  accuracy: "accuracy",
  tpr: "true positive rate",
  fpr: "false positive rate",
  positive_rate: "positive rate",
  error: "error",
};

const UNITS_OF_STEPS: Record<string, string> = { linear: "step", mlp: "epoch", trees: "round" };

function agreement(report: Training): HTMLElement {
  let text = `Agrees with ${percent(report.noisy_accuracy)} of the labels it was given`;
  if (report.held_out_accuracy !== null)
    text += `, with ${percent(report.held_out_accuracy)} of those held out`;
  text += ". These labels may be wrong: labels that you trust say more.";
  if (report.steps !== undefined) {
    text += ` Trained in ${counted(report.steps, UNITS_OF_STEPS[report.model] ?? "step")}`;
    text += report.converged ? "." : ", stopped before it converged.";
  }
  const badge = `${capitalised(report.model)} model, loss ${report.loss}`;
  return cardElement({ kind: "plain", badge, words: [text] }, false);
}

// The most first.
function flippedLabels(counts: Record<string, number>): Words {
  const flipped = Object.entries(counts).filter(([, count]) => count > 0);
  flipped.sort(([, a], [, b]) => b - a);
  if (flipped.length === 0) return ["Labels flipped: 0."];
  return say`Labels flipped: ${joined(flipped.map(([label, count]) => say`${number(count)} of ${quoted(label)}`))}.`;
}

function balancedFirst(report: Training): Child {
  const balanced = report.balanced;
  if (!balanced) return null;
  const done = h("p", {}, flippedLabels(balanced.flipped));
  if (balanced.groups.length === 0) return h("div", { class: "card" }, h("h3", {}, "Balanced first"), done);
  const known = balanced.groups.filter((group) => group.identified ?? (group.low > 0 || group.high < 1));
  const axis = shareAxis(Math.max(0, ...known.map((group) => group.high)));
  const rows = balanced.groups.map((group) => {
    const unknown = !known.includes(group);
    return [
      rowHeading(named(group.group)),
      stripCell(axis, unknown ? null : strip(axis, [{ ...group, value: group.rate }])),
      cell(unknown ? "unknown" : percent(group.rate)),
      cell(unknown ? "" : span(group.low, group.high)),
    ];
  });
  const headings = [
    columnHeading("group", "text"),
    columnHeading(axisHeading(axis), "chart"),
    columnHeading("noise rate"),
    columnHeading(INTERVAL),
  ];
  return h(
    "div",
    { class: "card" },
    h("h3", {}, "Balanced first"),
    done,
    table("Noise of each group before it was balanced.", headings, rows, "rates"),
  );
}

function fairRates(fair: Fair): HTMLElement {
  const keys = Object.keys(fair.groups[0] ?? {}).filter((key) => `${key}_spread` in fair.groups[0]);
  const value = (group: Fair["groups"][number], key: string) => Number(group[key] ?? 0);
  const ends = fair.groups.flatMap((group) =>
    keys.map((key) => value(group, key) + 2 * value(group, `${key}_spread`)),
  );
  const axis = shareAxis(Math.max(0, ...ends));
  const rows = fair.groups.map((group) => [
    rowHeading(
      named(group.group),
      h(
        "span",
        { class: "beside" },
        `${counted(group.rows, "row")} \u00b7 positive ${percent(group.base_rate)}`,
      ),
    ),
    keys.map((key) => {
      const [rate, deviation] = [value(group, key), value(group, `${key}_spread`)];
      return [
        stripCell(axis, strip(axis, [{ value: rate, low: rate - deviation, high: rate + deviation }])),
        cell(`${percent(rate)} \u00b1 ${points(deviation)}`),
      ];
    }),
  ]);
  const exact = fair.groups[0]?.negative_noise !== undefined ? ", were the noise rates exact" : "";
  const caption = `${capitalised(fair.constraint)} within ${general(fair.tolerance, 6)}, judged by ${fair.judged_by}. \u00b1: one standard error by the chance of sampling${exact}.`;
  const headings = [
    columnHeading("group", "text"),
    keys.map((key) => [columnHeading(axisHeading(axis), "chart"), columnHeading(RATE_NAMES[key] ?? key)]),
  ];
  return table(caption, headings, rows, "rates fair");
}

function priceTiles(fair: Fair): HTMLElement {
  const tile = (name: string, value: Child, note: string) =>
    h(
      "div",
      { class: "tile" },
      h("dt", {}, name),
      h("dd", { class: "value" }, value),
      h("dd", { class: "note" }, note),
    );
  const models = fair.shares.length === 1 ? "one model" : `lot among ${number(fair.shares.length)} models`;
  return h(
    "dl",
    { class: "tiles" },
    tile(
      "Disagrees with the labels",
      [percent(fair.unconstrained_error), h("span", { class: "to" }, " \u2192 "), percent(fair.error)],
      "without, with the constraint",
    ),
    tile(
      "Largest difference between two groups",
      [
        fair.unconstrained_violation !== undefined && [
          points(fair.unconstrained_violation),
          h("span", { class: "to" }, " \u2192 "),
        ],
        points(fair.violation),
        h("span", { class: "unit" }, " points"),
      ],
      `wanted: within ${points(fair.tolerance)}`,
    ),
    tile(
      "Answers by",
      models,
      `found in ${counted(fair.rounds, "round")}${fair.converged ? "" : ", stopped before it converged"}`,
    ),
  );
}

function fairness(report: Training): Child {
  const fair = report.fair;
  if (!fair) return null;
  const names = [...namesIn(report), ...fair.groups.map((group) => group.group)];
  return h(
    "div",
    { class: "card" },
    h("h3", {}, "Groups treated alike"),
    priceTiles(fair),
    fairRates(fair),
    h("p", { class: "note" }, sentence(fair.why, names)),
  );
}

function alphas(report: Training): Child {
  if (report.alpha === undefined) return null;
  const trials = report.alphas ?? [];
  if (trials.length === 0) return h("p", {}, `alpha ${general(report.alpha, 6)}, as given.`);
  const low = Math.min(...trials.map((trial) => trial.accuracy));
  const high = Math.max(...trials.map((trial) => trial.accuracy));
  const axis = { low, high: high > low ? high : low + 0.01, ticks: [low, high] };
  const rows = trials.map((trial) =>
    h(
      "tr",
      { class: trial.alpha === report.alpha ? "used" : null },
      rowHeading(
        general(trial.alpha, 6),
        trial.alpha === report.alpha && h("span", { class: "tag" }, "used"),
      ),
      stripCell(axis, strip(axis, [{ value: trial.accuracy }])),
      cell(percent(trial.accuracy)),
    ),
  );
  const summary = `alpha ${general(report.alpha, 6)}, the best of ${number(trials.length)} by labels held out`;
  const headings = [
    columnHeading("alpha", "text"),
    columnHeading("lowest to highest", "chart"),
    columnHeading("agreement"),
  ];
  return details(
    summary,
    h(
      "table",
      { class: "rates" },
      h("caption", {}, "Agreement with given labels held out, by alpha."),
      h("thead", {}, h("tr", {}, headings)),
      h("tbody", {}, rows),
    ),
  );
}

function deltas(report: Training): Child {
  if (!report.groups || report.groups.length === 0) return null;
  const what = report.classes.length === 2 ? "1 \u2212 e+ \u2212 e\u2212" : "delta";
  const rows = report.groups.map((group) => [rowHeading(named(group.group)), cell(fixed(group.delta, 3))]);
  return h(
    "div",
    { class: "card" },
    table(
      "How much the labels of each group tell: 1 is all, 0 nothing.",
      [columnHeading("group", "text"), columnHeading(what)],
      rows,
    ),
  );
}

function usedNoise(report: Training): Child {
  if (!report.transition && !report.confusions) return null;
  const shown = report.transition
    ? matrixView(report.classes, report.transition, "Transition matrix")
    : confusionTable(report.classes, (report.confusions ?? []).slice(0, MOST_PAIRS));
  return h(
    "div",
    { class: "card" },
    h("h3", {}, "Noise that the loss accounts for"),
    report.transition_from !== undefined && h("p", {}, `From: ${report.transition_from}.`),
    shown,
  );
}

export function trainingSection(report: Training): HTMLElement {
  return section(
    "training",
    "Training",
    agreement(report),
    balancedFirst(report),
    fairness(report),
    alphas(report),
    deltas(report),
    usedNoise(report),
    warningList("Warnings of the training", report.warnings, namesIn(report)),
  );
}
