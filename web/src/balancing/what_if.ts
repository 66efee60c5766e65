// A slider, and what balancing that far would do to rates, labels and information.
import { button, freshId, h, replace, s, type Child } from "../dom";
import { at, axisHeading, strip, stripCell } from "../marks";
import { shareAxis } from "../scale";
import { AT_MOST, AT_MOST_IN_GROUPS, NOT_KNOWN, scopeTitles } from "../sentences";
import { columnHeading, rowHeading } from "../table";
import type { Audit } from "../types";
import { fixed, number, percent, plain, points, quoted, say, type Words } from "../words";
import { spread, type BalanceModel } from "./model";

const STEP = 0.01; // of the plan
const ENDS = 10; // of many parts the noisiest and the cleanest
const MOST = 24;

interface View {
  element: HTMLElement;
  update(share: number, rates: number[]): void;
}

function shownParts(before: number[]): { order: number[]; leftOut: number } {
  const order = before.map((_, i) => i);
  if (order.length <= MOST) return { order, leftOut: 0 };
  order.sort((a, b) => before[b] - before[a]);
  return { order: [...order.slice(0, ENDS), -1, ...order.slice(-ENDS)], leftOut: order.length - 2 * ENDS };
}

function ratesTable(model: BalanceModel): View {
  const before = model.shownRates(0);
  const highest = Math.max(...before, ...model.shownRates(1), ...model.shownRates(model.most));
  const axis = shareAxis(highest);
  const { order, leftOut } = shownParts(before);
  const updates: ((rates: number[]) => void)[] = [];
  const shown = (part: number, rate: number) =>
    model.bounds[part] ? `at most ${percent(rate)}` : percent(rate);
  const rows = order.map((part) => {
    if (part < 0)
      return h(
        "tr",
        {},
        h("td", { colspan: 4, class: "text" }, `\u2026 ${number(leftOut)} ${model.many} left out \u2026`),
      );
    const after = h("td", { class: "number strong" });
    const picture = stripCell(axis, null);
    const from = at(axis, before[part]);
    updates.push((rates) => {
      const rate = rates[part];
      after.textContent = shown(part, rate);
      const moved = s("line", { x1: from, x2: at(axis, rate), y1: "50%", y2: "50%", class: "moved" });
      replace(
        picture,
        strip(
          axis,
          [
            { value: before[part], hollow: true, kind: "quiet" },
            { value: rate, kind: "first" },
          ],
          moved,
        ),
      );
    });
    return h(
      "tr",
      {},
      rowHeading(model.parts[part]),
      h("td", { class: "number" }, shown(part, before[part])),
      picture,
      after,
    );
  });
  const atMost = model.many === "classes" ? AT_MOST : AT_MOST_IN_GROUPS;
  const bounded = model.bounds.some((bound) => bound) ? ` ${atMost}` : "";
  const caption = `Noise rates before (hollow) and after (filled).${bounded}`;
  const headings = [
    columnHeading(model.many === "groups" ? "group" : "class", "text"),
    columnHeading("before"),
    columnHeading(axisHeading(axis), "chart"),
    columnHeading("after"),
  ];
  const element = h(
    "table",
    { class: "rates what-if" },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, headings)),
    h("tbody", {}, rows),
  );
  return { element, update: (_, rates) => updates.forEach((update) => update(rates)) };
}

function tile(heading: string): { element: HTMLElement; show(value: Child, note: Child): void } {
  const value = h("dd", { class: "value" });
  const note = h("dd", { class: "note" });
  const element = h("div", { class: "tile" }, h("dt", {}, heading), value, note);
  return {
    element,
    show: (main, rest) => {
      replace(value, main);
      replace(note, rest);
    },
  };
}

function tiles(model: BalanceModel): View {
  const before = { rates: model.rates(0), bits: model.bits(0) };
  const labels = tile("Labels flipped, expected");
  const gap = tile("Highest minus lowest rate");
  const bits = tile("Information a label");
  const to = () => h("span", { class: "to" }, " \u2192 ");
  const unit = (name: string) => h("span", { class: "unit" }, ` ${name}`);
  const update = (share: number, rates: number[]) => {
    const flipped = model.flipped(share);
    labels.show(number(flipped), `${percent(flipped / model.rows)} of ${number(model.rows)} labels`);
    if (model.bounds.some((bound) => bound)) {
      // Both need every rate and the shares of the classes.
      for (const unknown of [gap, bits]) unknown.show(NOT_KNOWN, "a rate is an upper bound only");
      return;
    }
    gap.show(
      [points(spread(before.rates)), to(), points(spread(rates)), unit("points")],
      `highest rate ${percent(Math.max(...rates))}`,
    );
    const now = model.bits(share);
    const lost = before.bits > 0 ? 1 - now / before.bits : 0;
    const said =
      Math.abs(lost) < 5e-4
        ? "nothing is lost"
        : lost > 0
          ? `as if ${percent(lost)} of the rows were lost`
          : `${percent(-lost)} more than before`;
    bits.show([fixed(before.bits, 3), to(), fixed(now, 3), unit("bits")], said);
  };
  return { element: h("dl", { class: "tiles" }, labels.element, gap.element, bits.element), update };
}

const HINTS: Record<BalanceModel["advised"], (report: Audit) => string> = {
  planned: () => "The slider stands at the plan.",
  done: () => "The slider stands at what was done.",
  forced: (report) =>
    `The slider stands at zero, since no flip is advised. ${scopeTitles(report)} The mark is what balance --force would do.`,
  paper: () =>
    "The slider stands at zero. The mark is the flip that the paper's search found; what it does is computed from the rates above.",
};

// In words: of two classes epsilon itself, else the share of the plan.
function settingWords(report: Audit, model: BalanceModel, share: number): Words {
  if (!model.single) return [`${Math.round(100 * share)}\u00a0% of the plan`];
  const epsilon = share * model.single.epsilon;
  return say`\u03b5 = ${fixed(epsilon, 3)}: ${percent(epsilon)} of the labels ${quoted(report.classes[model.single.flipped])} flipped`;
}

export function whatIf(report: Audit, model: BalanceModel, moved: (share: number) => void): HTMLElement {
  const id = freshId("slider");
  const most = Math.floor(model.most / STEP + 1e-9) * STEP;
  const start = model.advised === "forced" || model.advised === "paper" ? 0 : 1;
  const slider = h("input", { type: "range", id, min: 0, max: most.toFixed(2), step: STEP, value: start });
  const shown = h("output", { for: id, class: "setting" });
  const table = ratesTable(model);
  const figures = tiles(model);
  const update = () => {
    const share = Number(slider.value);
    const words = settingWords(report, model, share);
    const rates = model.shownRates(share);
    replace(shown, words);
    slider.setAttribute("aria-valuetext", plain(words));
    figures.update(share, rates);
    table.update(share, rates);
    moved(share);
  };
  slider.addEventListener("input", update);
  const set = (share: number) => () => {
    slider.value = String(share);
    update();
  };
  const mark = h(
    "span",
    { class: "plan-mark", "aria-hidden": "true" },
    h("span", {}, model.advised === "forced" ? "--force" : "plan"),
  );
  mark.style.setProperty("--at", String(Math.min(1, 1 / most)));
  update();
  const atPlan = model.advised === "forced" ? "What --force would do" : "At the plan";
  return h(
    "div",
    { class: "what-if" },
    h("p", { class: "hint" }, HINTS[model.advised](report)),
    h(
      "div",
      { class: "slider-box" },
      h(
        "label",
        { for: id },
        model.single ? "Flip probability \u03b5" : "How much of the plan is carried out",
      ),
      h("div", { class: "slider control" }, slider, mark),
      h(
        "div",
        { class: "slider-foot" },
        shown,
        h("span", { class: "buttons control" }, button("Nothing", set(0)), button(atPlan, set(1))),
      ),
    ),
    figures.element,
    table.element,
    h(
      "p",
      { class: "note" },
      "Information: what a given label tells about the true one, the mutual information of both by the estimated rates. Labels flipped are expected ones: each is drawn by chance.",
    ),
  );
}
