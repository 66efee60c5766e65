// Which of the listed rows are shown: by text, classes, group and probability.
import type { Suspect } from "../types";

export interface Filter {
  text: string;
  given: number; // -1: any
  suggested: number;
  group: number;
  most: number; // probability that the given label is right
}

export const EVERYTHING: Filter = { text: "", given: -1, suggested: -1, group: -1, most: 1 };

export interface Searchable {
  suspect: Suspect;
  text: string; // in lower case, all that can be looked for
}

export function searchable(rows: Suspect[], classes: string[], groups: string[]): Searchable[] {
  return rows.map((suspect) => {
    const group = suspect.group === undefined ? "" : (groups[suspect.group] ?? "");
    const parts = [
      String(suspect.row),
      classes[suspect.given],
      classes[suspect.suggested],
      group,
      ...(suspect.values ?? []),
    ];
    return { suspect, text: parts.join("\n").toLowerCase() };
  });
}

// Every word must occur somewhere.
export function filtered(rows: Searchable[], filter: Filter): Suspect[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = rows.filter(
    ({ suspect, text }) =>
      (filter.given < 0 || suspect.given === filter.given) &&
      (filter.suggested < 0 || suspect.suggested === filter.suggested) &&
      (filter.group < 0 || suspect.group === filter.group) &&
      suspect.probability <= filter.most &&
      words.every((word) => text.includes(word)),
  );
  return found.map((entry) => entry.suspect);
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// As `noiseplus audit --rows` writes them, so that both can be joined to the data by row.
export function csvOf(rows: Suspect[], classes: string[]): string {
  const lines = rows.map((row) => [
    String(row.row),
    classes[row.given],
    classes[row.suggested],
    String(row.probability),
  ]);
  return [["row", "given", "suggested", "probability"], ...lines]
    .map((line) => line.map(field).join(",") + "\n")
    .join("");
}
