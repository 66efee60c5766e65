// Tables: plain ones, and ones whose headings sort.
import { append, button, h, type Child } from "./dom";
import { number } from "./words";

export function cell(content: Child, kind = "number"): HTMLTableCellElement {
  return h("td", { class: kind }, content);
}

export function rowHeading(...content: Child[]): HTMLTableCellElement {
  return h("th", { scope: "row" }, content);
}

export function columnHeading(content: Child, kind = "number"): HTMLTableCellElement {
  return h("th", { scope: "col", class: kind }, content);
}

export function table(caption: Child, headings: Child[], rows: Child[][], kind = ""): HTMLTableElement {
  return h(
    "table",
    { class: kind },
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, headings)),
    h(
      "tbody",
      {},
      rows.map((cells) => h("tr", {}, cells)),
    ),
  );
}

export type SortKey = string | number;

export interface Column<Row> {
  heading: Child;
  said: string; // the heading as text
  kind?: string;
  key?: (row: Row) => SortKey; // absent: not sorted by
  descendingFirst?: boolean;
  cell: (row: Row) => HTMLTableCellElement;
}

export interface Sorting {
  column: number;
  descending: boolean;
}

function isUnknown(key: SortKey): boolean {
  return Number.isNaN(key);
}

function compare(a: SortKey, b: SortKey): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// Stable: rows with equal keys stay in the order they came in. What is unknown comes last, both ways.
export function sorted<Row>(rows: Row[], columns: Column<Row>[], sorting: Sorting | null): Row[] {
  const key = sorting === null ? undefined : columns[sorting.column]?.key;
  if (!sorting || !key) return rows;
  const sign = sorting.descending ? -1 : 1;
  return rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => Number(isUnknown(a.key)) - Number(isUnknown(b.key)) || sign * compare(a.key, b.key) || 0)
    .map((entry) => entry.row);
}

// The other way round when it is the column already sorted by.
export function nextSorting<Row>(columns: Column<Row>[], column: number, now: Sorting | null): Sorting {
  if (now?.column === column) return { column, descending: !now.descending };
  return { column, descending: columns[column].descendingFirst ?? false };
}

// A row of headings whose buttons sort; says by aria-sort what it is sorted by.
export function sortHeadings<Row>(
  columns: Column<Row>[],
  sorting: Sorting | null,
  pressed: (column: number) => void,
): HTMLTableRowElement {
  return h(
    "tr",
    {},
    columns.map((column, i) => {
      const kind = column.kind ?? "number";
      if (!column.key) return h("th", { scope: "col", class: kind }, column.heading);
      const mine = sorting?.column === i ? sorting : null;
      const direction = mine === null ? null : mine.descending ? "descending" : "ascending";
      const sign = mine === null ? "\u2195" : mine.descending ? "\u2193" : "\u2191";
      const press = button("", () => pressed(i), { class: "sort", title: `Sort by ${column.said}` });
      append(press, [column.heading, h("span", { class: "sign", "aria-hidden": "true" }, sign)]);
      return h("th", { scope: "col", class: kind, "aria-sort": direction }, press);
    }),
  );
}

const FIRST = 20; // of many rows
const MOST_PRINTED = 120;

// A whole table with sorting; of many rows the first, and a button for the rest.
export function sortedTable<Row>(
  caption: Child,
  columns: Column<Row>[],
  rows: Row[],
  start: Sorting | null,
  many: string,
  kind = "",
): HTMLElement {
  let sorting = start;
  let all = false;
  const head = h("thead");
  const body = h("tbody");
  const more = h("p", { class: "more control" });
  const draw = (focused: number | null) => {
    head.replaceChildren(
      sortHeadings(columns, sorting, (column) => {
        sorting = nextSorting(columns, column, sorting);
        draw(column);
      }),
    );
    const shown = sorted(rows, columns, sorting);
    body.replaceChildren(
      ...shown.map((row, i) => {
        const beyond = !all && i >= FIRST;
        return h(
          "tr",
          { class: beyond ? "beyond" : null },
          columns.map((column) => column.cell(row)),
        );
      }),
    );
    if (focused !== null) head.querySelectorAll("th")[focused].querySelector("button")?.focus();
  };
  draw(null);
  if (rows.length > FIRST) {
    const say = () => (all ? `Show the first ${FIRST} only` : `Show all ${number(rows.length)} ${many}`);
    const toggle = button(
      say(),
      () => {
        all = !all;
        toggle.textContent = say();
        toggle.setAttribute("aria-expanded", String(all));
        draw(null);
      },
      { "aria-expanded": "false" },
    );
    more.append(toggle);
  }
  const printed = rows.length <= MOST_PRINTED ? "prints-all" : "";
  const made = h("table", { class: `${kind} ${printed}`.trim() }, h("caption", {}, caption), head, body);
  return h("div", { class: "sorted" }, made, rows.length > FIRST && more);
}
