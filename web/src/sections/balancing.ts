// Balancing: the gap it closes, and what it would do.
import { agreementGap, planGap } from "../balancing/gap";
import { balanceModel } from "../balancing/model";
import { whatIf } from "../balancing/what_if";
import { details, h, section, type Child } from "../dom";
import { findingOf, findingWords, flipsSomething, isBalancing, scopeTitles } from "../sentences";
import { cell, columnHeading, rowHeading, table } from "../table";
import type { Audit } from "../types";
import { fixed, named, number, percent, type Words } from "../words";

function summary(report: Audit): Words {
  const finding = findingOf(report, "balancing");
  const leftOut = report.plan_left_out
    ? ["There are more groups than a page holds: their plan is left out, the JSON has it."]
    : [];
  if (finding) return [...findingWords(report, finding), " ", ...leftOut];
  if (report.plan_left_out) return leftOut;
  if (flipsSomething(report.plan)) return ["Balancing is possible, but it is not what is advised here."];
  return [`Nothing is to be balanced. ${scopeTitles(report)}`.trim()];
}

function paperSearch(report: Audit): Child {
  if (!report.paper) return null;
  const rows = report.paper.parts.map((part) => [
    rowHeading(named(part.name)),
    cell(part.agreement === null ? "unknown" : fixed(part.agreement, 4)),
    cell(percent(part.epsilon)),
    cell(number(part.steps)),
    cell(part.successful ? "yes" : "no"),
  ]);
  const headings = [
    columnHeading(report.scope === "class" ? "class" : "group", "text"),
    columnHeading("agreement"),
    columnHeading("flip found"),
    columnHeading("steps"),
    columnHeading("successful"),
  ];
  return h("div", { class: "card" }, table("What the paper's search found.", headings, rows));
}

// Where no slider can be shown, why.
function whyNothing(report: Audit): Child {
  const groups = report.scope !== "class";
  if (!report.identified && !groups)
    return h(
      "p",
      { class: "card empty" },
      "The rates are not identified, so what a flip would do is not known.",
    );
  const planned = flipsSomething(report.plan);
  const comparable = !groups || report.groups.filter((group) => group.identified).length > 1;
  if (planned || (comparable && flipsSomething(report.forced ?? [])))
    return h(
      "p",
      { class: "card empty" },
      `There are too many classes or groups to recompute the plan in a page; noiseplus balance${planned ? "" : " --force"} carries it out.`,
    );
  if (report.plan_left_out) return null;
  return h(
    "p",
    { class: "card empty" },
    "There is no plan to try: no flip is justified by what is known of these rates.",
  );
}

export function balancingSection(report: Audit): HTMLElement {
  const model = balanceModel(report);
  const ofPair = agreementGap(report, model);
  const view = (report.scope === "class" ? ofPair : null) ?? (model ? planGap(model) : null);
  // Where nothing is to be balanced, the rest is there for who asks.
  const rest: Child = [
    h(
      "p",
      {},
      "Training tolerates noise that is equal everywhere; unequal noise misleads it. Flipping a few labels of the cleaner side makes the noise equal, at the price of some information.",
    ),
    paperSearch(report),
    view && h("div", { class: "card" }, h("h3", {}, "The gap that balancing closes"), view.element),
    model
      ? h(
          "div",
          { class: "card" },
          h("h3", {}, "What balancing would do"),
          whatIf(report, model, (share) => view?.moveTo(share)),
        )
      : whyNothing(report),
    report.scope !== "class" &&
      ofPair &&
      details(
        "Between the classes of all rows: the agreement gap",
        h("div", { class: "card" }, ofPair.element),
      ),
  ];
  return section(
    "balancing",
    "Balancing the noise",
    h("p", { class: "lead-in" }, summary(report)),
    isBalancing(report) ? rest : details("What balancing is, and would do", rest),
  );
}
