// What a suspicious row looks like: its picture, its neighbors' labels, its values.
import { button, h, type Child } from "../dom";
import type { Suspect, Suspects } from "../types";
import { fixed, general, named, percent, shownName, type Words } from "../words";

const LONGEST_VALUE = 40;
const SMALLEST_PICTURE = 56; // in pixels of the page
const FEW_VALUES = 6;

export function thumbnail(suspect: Suspect, image: { width: number; height: number }): Child {
  if (suspect.pixels === undefined) return null;
  let bytes: string;
  try {
    bytes = atob(suspect.pixels);
  } catch {
    return null;
  }
  if (bytes.length < image.width * image.height) return null;
  const canvas = h("canvas", {
    class: "thumbnail",
    width: image.width,
    height: image.height,
    role: "img",
    "aria-label": `Picture of row ${suspect.row}`,
  });
  canvas.style.width = `${Math.max(SMALLEST_PICTURE, image.width)}px`;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  const picture = pen.createImageData(image.width, image.height);
  for (let i = 0; i < image.width * image.height; ++i) {
    const gray = bytes.charCodeAt(i);
    picture.data.set([gray, gray, gray, 255], 4 * i);
  }
  pen.putImageData(picture, 0, 0);
  return canvas;
}

export function agreeing(suspect: Suspect): number {
  return (suspect.neighbours ?? []).filter((label) => label === suspect.suggested).length;
}

// A mark a neighbor, nearest first: filled says the suggested label, hollow the given one.
export function neighborMarks(suspect: Suspect, classes: string[]): Child {
  const neighbors = suspect.neighbours ?? [];
  if (neighbors.length === 0) return null;
  const marks = neighbors.map((label) => {
    const kind = label === suspect.suggested ? "suggested" : label === suspect.given ? "given" : "other";
    return h("i", { class: kind, title: shownName(named(classes[label])) });
  });
  const said: Words = [
    `${agreeing(suspect)} of ${neighbors.length} say `,
    named(classes[suspect.suggested], 18),
  ];
  return [
    h("span", { class: "neighbors", "aria-hidden": "true" }, marks),
    h("span", { class: "beside" }, said),
  ];
}

// The least likely are the ones looked at, so their digits count.
function small(share: number): string {
  if (share >= 0.01) return percent(share);
  return share < 0.0001 ? "<\u00a00.01\u00a0%" : `${fixed(100 * share, 2)}\u00a0%`;
}

function bar(suspect: Suspect): HTMLElement {
  const bar = h("span", { class: "likelihood", "aria-hidden": "true" }, h("span", {}));
  (bar.firstElementChild as HTMLElement).style.width = `${(100 * suspect.probability).toFixed(1)}%`;
  return bar;
}

export function probability(suspect: Suspect): Child {
  return [h("strong", {}, small(suspect.probability)), bar(suspect)];
}

// A number that orders rows is no share, so it has no percent sign; small ones keep their order.
export function score(suspect: Suspect): Child {
  const value = suspect.probability;
  return [h("strong", {}, value < 0.001 ? general(value, 2) : fixed(value, 4)), bar(suspect)];
}

function valueList(columns: string[], values: string[], from: number, to: number): Child[] {
  return columns
    .slice(from, to)
    .map((column, i) =>
      h(
        "span",
        { class: "value" },
        h("span", { class: "column" }, named(column, 24)),
        " ",
        named(values[from + i] ?? "", LONGEST_VALUE),
      ),
    );
}

// The first values, and a button for the rest.
export function values(suspect: Suspect, suspects: Suspects): Child {
  const columns = suspects.columns ?? [];
  const given = suspect.values ?? [];
  if (columns.length === 0 || given.length === 0) return null;
  const list = h("div", { class: "values" }, valueList(columns, given, 0, FEW_VALUES));
  if (columns.length <= FEW_VALUES) return list;
  const rest = columns.length - FEW_VALUES;
  const said = (open: boolean) => `${open ? "fewer" : `${rest} more`} values of row ${suspect.row}`;
  const more: HTMLButtonElement = button(
    `${rest} more`,
    () => {
      const open = more.getAttribute("aria-expanded") !== "true";
      list.replaceChildren();
      list.append(...(valueList(columns, given, 0, open ? columns.length : FEW_VALUES) as Node[]), more);
      more.setAttribute("aria-expanded", String(open));
      more.textContent = open ? "fewer" : `${rest} more`;
      more.setAttribute("aria-label", said(open));
      more.focus();
    },
    {
      class: "link control",
      "aria-expanded": "false",
      "aria-label": said(false),
    },
  );
  list.append(more);
  return list;
}
