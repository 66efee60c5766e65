// A matrix of many classes as a picture: each cell is read by pointer, or by arrow keys.
import { h, replace } from "../dom";
import type { Matrix } from "../types";
import { named, percent } from "../words";

const SIZE = 480; // of the picture, in pixels of the page
const COLOUR = "213, 94, 0"; // on any background, so that themes and paper need no second picture

function paint(canvas: HTMLCanvasElement, matrix: Matrix, most: number): void {
  const cell = Math.max(2, Math.floor((2 * SIZE) / matrix.length));
  canvas.width = canvas.height = cell * matrix.length;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  matrix.forEach((row, i) =>
    row.forEach((share, j) => {
      if (i === j) pen.fillStyle = "rgba(128, 128, 128, 0.45)";
      else if (share / most > 0.004) pen.fillStyle = `rgba(${COLOUR}, ${(share / most).toFixed(3)})`;
      else return;
      pen.fillRect(j * cell, i * cell, cell, cell);
    }),
  );
}

export function heatMap(
  classes: string[],
  matrix: Matrix,
  most: number,
  textOf: (share: number, clean: number, given: number) => string,
): HTMLElement {
  const last = classes.length - 1;
  const canvas = h("canvas", { "aria-hidden": "true" });
  const cursor = h("div", { class: "cursor", hidden: true });
  const reading = h("p", { class: "reading", "aria-live": "polite" });
  const place = { row: 0, column: 0 };
  const read = () => {
    const side = 100 / classes.length;
    cursor.hidden = false;
    Object.assign(cursor.style, {
      left: `${place.column * side}%`,
      top: `${place.row * side}%`,
      width: `${side}%`,
      height: `${side}%`,
    });
    const share = textOf(matrix[place.row][place.column], place.row, place.column);
    const right = place.row === place.column ? " (right)" : "";
    replace(
      reading,
      "Truly ",
      named(classes[place.row]),
      ", labeled ",
      named(classes[place.column]),
      ": ",
      h("strong", {}, share),
      right,
    );
  };
  const frame = h(
    "div",
    {
      class: "frame",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "heat map",
      "aria-label": `Transition matrix of ${classes.length} classes. Arrow keys read its cells; a table of the largest confusions follows.`,
    },
    canvas,
    cursor,
  );
  frame.addEventListener("pointermove", (event) => {
    const box = canvas.getBoundingClientRect();
    const clamp = (share: number) => Math.max(0, Math.min(last, Math.floor(share * classes.length)));
    place.row = clamp((event.clientY - box.top) / box.height);
    place.column = clamp((event.clientX - box.left) / box.width);
    read();
  });
  frame.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return; // the browser's own
    const step = event.shiftKey ? 10 : 1;
    const steps: Record<string, [number, number]> = {
      ArrowUp: [-step, 0],
      ArrowDown: [step, 0],
      ArrowLeft: [0, -step],
      ArrowRight: [0, step],
      Home: [0, -last],
      End: [0, last],
      PageUp: [-last, 0],
      PageDown: [last, 0],
    };
    const move = steps[event.key];
    if (!move) return;
    event.preventDefault();
    place.row = Math.max(0, Math.min(last, place.row + move[0]));
    place.column = Math.max(0, Math.min(last, place.column + move[1]));
    read();
  });
  frame.addEventListener("focus", read);
  paint(canvas, matrix, most);
  reading.append("Point at a cell, or use the arrow keys, to read it.");
  const legend = h(
    "p",
    { class: "scale" },
    h("span", {}, "0"),
    h("span", { class: "ramp", "aria-hidden": "true" }),
    h("span", {}, percent(most)),
    h("span", {}, "gray: right"),
  );
  return h(
    "figure",
    { class: "heat-map" },
    h("div", { class: "across", "aria-hidden": "true" }, "labeled \u2192"),
    h("div", { class: "down", "aria-hidden": "true" }, "truly \u2193"),
    frame,
    legend,
    reading,
  );
}
