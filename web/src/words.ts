// Text as data: numbers as the program prints them, and sentences whose names are kept apart, so
// that the page can isolate them (they may be written from right to left) and tests can read them.

export interface Name {
  name: string;
  longest: number;
}

export type Word = string | Name;
export type Words = Word[];

export const LONGEST_NAME = 32;
export const INTERVAL = "95\u00a0% interval";
export const MINUS = "\u2212";

// Control characters and halves of surrogates cannot be shown.
export function printable(raw: string): string {
  return raw.replace(/[\p{Cc}\p{Cs}]/gu, "\ufffd");
}

export function shortened(raw: string, longest = LONGEST_NAME): string {
  const letters = Array.from(raw);
  return letters.length <= longest ? raw : letters.slice(0, longest - 1).join("") + "\u2026";
}

export function named(raw: string, longest = LONGEST_NAME): Name {
  return { name: raw, longest };
}

// Beside format characters: joiners, fillers and selectors that leave no trace.
const INVISIBLE =
  "\\p{Cf}\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u2800\\u3164\\ufe00-\\ufe0f\\uffa0";
const HAS_INVISIBLE = new RegExp(`[${INVISIBLE}]`, "u");
const NOTHING_ELSE = new RegExp(`^[${INVISIBLE}\\p{Z}]+$`, "u");
const MOST_CODE_POINTS = 4;

// Of characters only that leave no trace, and not just of blanks.
export function isInvisible(raw: string): boolean {
  return HAS_INVISIBLE.test(raw) && NOTHING_ELSE.test(raw);
}

function codePoints(raw: string): string {
  const letters = Array.from(raw);
  const codes = letters
    .slice(0, MOST_CODE_POINTS)
    .map((letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`);
  return `(${codes.join(" ")}${letters.length > MOST_CODE_POINTS ? "\u2026" : ""})`;
}

export function shownName(name: Name): string {
  if (isInvisible(name.name)) return codePoints(name.name);
  const shown = shortened(name.name, name.longest);
  return shown.trim() === "" ? "(empty)" : printable(shown);
}

export function quoted(raw: string): Words {
  return ["'", named(raw), "'"];
}

// say`Class ${quoted("a")} is noisier` is a sentence that knows its names.
export function say(texts: TemplateStringsArray, ...values: (Word | Words)[]): Words {
  return texts.flatMap((text, i) => {
    const value = values[i];
    const rest = value === undefined ? [] : Array.isArray(value) ? value : [value];
    return [text, ...rest];
  });
}

export function plain(words: Words | Word): string {
  const list = Array.isArray(words) ? words : [words];
  return list.map((word) => (typeof word === "string" ? word : shownName(word))).join("");
}

// A clause of the program's as a sentence, in which names may be long.
export function sentence(clause: string, names: string[]): string {
  const long = names.filter((name) => Array.from(name).length > LONGEST_NAME);
  long.sort((a, b) => b.length - a.length);
  let text = clause;
  for (const name of long) text = text.split(name).join(shortened(name));
  return printable(text.slice(0, 1).toUpperCase() + text.slice(1)) + ".";
}

// As the program prints a name: what a terminal obeys is replaced.
function printed(name: string): string {
  return name.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, "?");
}

// The name that stands before a closing quote, where it may be cut.
function nameBefore(rest: string, names: string[]): { name: string; length: number } | null {
  const whole = names.find((name) => rest.startsWith(`${printed(name)}'`));
  if (whole !== undefined) return { name: whole, length: printed(whole).length };
  const end = rest.indexOf("...'");
  if (end <= 0) return null;
  const cut = names.find((name) => printed(name).startsWith(rest.slice(0, end)));
  return cut === undefined ? null : { name: cut, length: end + 3 };
}

function unbroken(text: string): string {
  return text.replace(/ (?=%)/g, "\u00a0").replace(/\bp ([<=]) (?=\d)/g, "p\u00a0$1\u00a0");
}

// A text of the program's, in which the names that are quoted are kept apart.
export function withNames(text: string, names: string[]): Words {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  const words: Words = [];
  let begin = 0;
  for (let quote = text.indexOf("'"); quote >= 0; quote = text.indexOf("'", quote + 1)) {
    const found = nameBefore(text.slice(quote + 1), longestFirst);
    if (!found) continue;
    words.push(unbroken(text.slice(begin, quote + 1)), named(found.name));
    begin = quote + 1 + found.length;
    quote = begin;
  }
  return [...words, unbroken(text.slice(begin))];
}

export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function number(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

export function counted(count: number, one: string, many = one + "s"): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", MINUS);
}

export function points(share: number): string {
  return fixed(100 * share, 1);
}

export function signedPoints(share: number): string {
  const text = points(share);
  return share > 0 && Number(text) !== 0 ? `+${text}` : text;
}

export function percent(share: number): string {
  return `${points(share)}\u00a0%`;
}

// With more digits where both ends would else look the same.
export function intervalPoints(low: number, high: number): string {
  const text = (share: number, digits: number) => fixed(100 * share, digits);
  let digits = 1;
  while (digits < 6 && low < high && text(low, digits) === text(high, digits)) ++digits;
  return `${text(low, digits)} to ${text(high, digits)}`;
}

export function span(low: number, high: number): string {
  return `${intervalPoints(low, high)}\u00a0%`;
}

export function general(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits))).replace("-", MINUS);
}

// a, b and c; of many the first ones.
export function joined(items: Words[], most = 6): Words {
  const rest = items.length - most;
  const shown = rest <= 0 ? items : [...items.slice(0, most), [`${number(rest)} more`]];
  return shown.flatMap((item, i) => {
    const between = i === 0 ? "" : i === shown.length - 1 ? " and " : ", ";
    return between === "" ? item : [between, ...item];
  });
}
