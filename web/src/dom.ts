// Elements made by calls, never from strings of markup: whatever comes from the data is text.
import { isInvisible, printable, shownName, type Name } from "./words";

export type Child = Node | string | Name | null | undefined | false | Child[];
export type Attributes = Record<string, string | number | boolean | null | undefined>;

const SVG = "http://www.w3.org/2000/svg";

function isName(child: object): child is Name {
  return "name" in child && "longest" in child;
}

// Isolated, since it may be written from right to left; whole where one points at it.
export function nameElement(name: Name): HTMLElement {
  const shown = shownName(name);
  const element = document.createElement("bdi");
  element.textContent = shown;
  const readable = name.name.trim() !== "" && !isInvisible(name.name);
  if (shown !== name.name && readable) element.title = printable(name.name);
  return element;
}

export function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === "") continue;
    if (Array.isArray(child)) append(parent, child);
    else if (typeof child === "string") parent.append(printable(child));
    else if (child instanceof Node) parent.append(child);
    else if (isName(child)) parent.append(nameElement(child));
  }
}

function set(element: Element, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

export function s(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  set(element, attributes);
  append(element, children);
  return element;
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

let made = 0;
export function freshId(what: string): string {
  made += 1;
  return `${what}-${made}`;
}

export interface Option {
  value: string;
  text: Child;
}

// A labeled choice; `chosen` is called with the value.
export function choice(
  label: string,
  options: Option[],
  value: string,
  chosen: (value: string) => void,
): HTMLElement {
  const id = freshId("choice");
  const select = h(
    "select",
    { id },
    options.map((option) => h("option", { value: option.value }, option.text)),
  );
  select.value = value;
  select.addEventListener("change", () => chosen(select.value));
  return h("div", { class: "field control" }, h("label", { for: id }, label), select);
}

export function button(text: string, pressed: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const element = h("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", pressed);
  return element;
}

export function section(id: string, heading: string, ...children: Child[]): HTMLElement {
  const headingId = `${id}-heading`;
  return h("section", { id, "aria-labelledby": headingId }, h("h2", { id: headingId }, heading), children);
}

export function details(summary: Child, ...children: Child[]): HTMLDetailsElement {
  return h("details", {}, h("summary", {}, summary), h("div", { class: "inside" }, children));
}

// A command to copy, broken between words only.
export function commandText(command: string): HTMLElement {
  const words = command.split(" ").flatMap((word, i): Child[] => {
    const shown = h("span", { class: "word" }, printable(word));
    return i === 0 ? [shown] : [" ", shown];
  });
  return h("pre", { class: "command", tabindex: 0 }, h("code", {}, words));
}

// What may be wider than a narrow screen scrolls by itself, also by keyboard.
export function scrolling(label: string, ...children: Child[]): HTMLElement {
  return h("div", { class: "scrolling", role: "region", "aria-label": label, tabindex: 0 }, children);
}
