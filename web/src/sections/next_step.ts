// What to do next, with the command where the data is a file that one word names.
import { commandText, h, type Child } from "../dom";
import { flipsSomething } from "../sentences";
import type { Audit, Origin } from "../types";
import { printable } from "../words";

interface Step {
  text: string;
  alone?: string; // the text where no command goes with it
  command?: string[];
}

// Flags that say how the file is read, which the next command needs as well.
const DATA_FLAGS = /(^| )--(drop|features|missing|no-header|delimiter|format|missing-label)( |=|$)/;

function forShell(word: string): string {
  return /^[\w.,:/=+@%-]+$/.test(word) ? word : `'${word.split("'").join("'\\''")}'`;
}

function isTable(origin: Origin): boolean {
  return /\.(csv|tsv|txt)(\.gz)?$/.test(origin.file ?? "") && !/ --labels[ =]/.test(origin.command ?? "");
}

function stepOf(report: Audit, file: string): Step {
  const label = ["--label", report.label];
  const columns = report.group_by?.split("|") ?? [];
  const groups = columns.flatMap((column) => ["--group", column]);
  if (report.giveaway)
    return {
      text: "Leave out what gives the labels away, and look again.",
      command: ["audit", file, ...label, "--drop", report.giveaway.columns.join(",")],
    };
  if (report.flipped)
    return {
      text: `Train on the column ${report.label}_balanced of the file that was written, as usual.`,
    };
  if (report.advice.action === "balance" && flipsSomething(report.plan))
    return {
      text: `Balance the labels; then train on the column ${report.label}_balanced as usual.`,
      command: ["balance", file, ...label, ...groups, "--output", "balanced.csv"],
    };
  if (report.advice.action === "correct")
    return {
      text: "Train with a loss that accounts for the noise rates.",
      command: ["train", file, ...label, "--loss", "forward", "--output", "corrected.model"],
    };
  if (report.advice.action === "weight")
    return {
      text: "Take the column probability of this file as the weight of each row in training.",
      alone: "Train with weights: that of each row is the probability that its label is right.",
      command: ["audit", file, ...label, ...groups, "--rows", "rows.csv"],
    };
  if (report.advice.action === "fix")
    return {
      text: "Fix these rows by hand, the most suspicious first; then train as usual.",
      alone: "Fix the most suspicious rows by hand; then train as usual.",
      command: ["audit", file, ...label, ...groups, "--suspects-file", "suspects.csv"],
    };
  return {
    text: "Look at the most suspicious rows by hand: they show what kind of mistakes there are.",
    command: ["audit", file, ...label, "--suspects-file", "suspects.csv"],
  };
}

export function nextStep(report: Audit, origin: Origin): Child {
  const step = stepOf(report, origin.file ?? "");
  const hasCommand = step.command !== undefined && isTable(origin);
  const sameFlags = hasCommand && DATA_FLAGS.test(origin.command ?? "");
  return h(
    "div",
    { class: "next-step" },
    h("h3", {}, "Next step"),
    h("p", {}, printable(hasCommand ? step.text : (step.alone ?? step.text))),
    hasCommand && commandText(["noiseplus", ...(step.command ?? [])].map(forShell).join(" ")),
    sameFlags &&
      h("p", { class: "note" }, "With the flags that said how to read the file, as in the command above."),
  );
}
