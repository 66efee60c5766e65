// Rows whose label is most likely wrong: filtered, sorted, a page at a time.
import { button, choice, freshId, h, section, type Child } from "../dom";
import { findingOf, findingWords } from "../sentences";
import { hasFewColumns, isRanking, rightSaid, suspectColumns } from "../suspects/columns";
import { EVERYTHING, csvOf, filtered, searchable, type Filter } from "../suspects/filter";
import { nextSorting, sortHeadings, sorted, type Sorting } from "../table";
import type { Audit, Suspect, Suspects } from "../types";
import { counted, named, number, percent, type Words } from "../words";

const PAGE = 25;

function options(names: string[], used: Set<number | undefined>): { value: string; text: Child }[] {
  const known = names.flatMap((name, i) =>
    used.has(i) ? [{ value: String(i), text: [named(name, 40)] as Child }] : [],
  );
  return [{ value: "-1", text: "any" }, ...known];
}

interface Controls {
  element: HTMLElement;
  reset(): void;
}

function filterControls(report: Audit, suspects: Suspects, filter: Filter, changed: () => void): Controls {
  const textId = freshId("text");
  const mostId = freshId("most");
  const search = h("input", { type: "search", id: textId, autocomplete: "off" });
  const whole = isRanking(report) ? 1 : 100; // scores are not in per cent
  const bound = h("input", {
    type: "number",
    id: mostId,
    min: 0,
    max: whole,
    step: "any",
    placeholder: "any",
  });
  search.addEventListener("input", () => {
    filter.text = search.value;
    changed();
  });
  bound.addEventListener("input", () => {
    filter.most = bound.value === "" ? 1 : Number(bound.value) / whole;
    changed();
  });
  const pick = (key: "given" | "suggested" | "group", label: string, names: string[]) =>
    choice(label, options(names, new Set(suspects.rows.map((row) => row[key]))), "-1", (value) => {
      filter[key] = Number(value);
      changed();
    });
  const groups = report.groups.map((group) => group.group);
  const selects = [
    pick("given", "Given label", report.classes),
    pick("suggested", "Suggested label", report.classes),
  ];
  if (suspects.rows.some((row) => row.group !== undefined)) selects.push(pick("group", "Group", groups));
  const element = h(
    "div",
    { class: "controls control", role: "group", "aria-label": "Filter the rows" },
    h("div", { class: "field grow" }, h("label", { for: textId }, "Contains"), search),
    selects,
    h(
      "div",
      { class: "field small" },
      h("label", { for: mostId }, isRanking(report) ? "Score at most" : "Right at most, %"),
      bound,
    ),
  );
  const reset = () => {
    Object.assign(filter, EVERYTHING);
    search.value = "";
    bound.value = "";
    for (const select of element.querySelectorAll("select")) select.value = "-1";
  };
  return { element, reset };
}

function download(name: string, text: string): void {
  h("a", { href: `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`, download: name }).click();
}

function copyButton(rows: () => Suspect[], said: HTMLElement): HTMLElement {
  return button("Copy row numbers", () => {
    const text = rows()
      .map((row) => row.row)
      .join("\n");
    const done = () => (said.textContent = `${counted(rows().length, "row number")} copied.`);
    const byHand = () =>
      (said.textContent = "The browser does not let this page copy; download the list instead.");
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand);
    else byHand();
  });
}

function summary(report: Audit, suspects: Suspects): Words {
  const ranking = isRanking(report);
  const judged = suspects.judged ?? 0;
  const listed = suspects.rows.length;
  const unlikely = suspects.unlikely;
  const first =
    unlikely !== undefined && judged > 0
      ? `For ${number(unlikely)} of ${counted(judged, "row")} (${percent(unlikely / judged)}) another label ${ranking ? "scores higher" : "is likelier"} than the given one. `
      : "";
  const which = ranking ? "with the lowest scores" : "least likely to be right";
  const scores = findingOf(report, "row-scores");
  return [
    `${first}Listed: ${listed === 1 ? "the one" : `the ${number(listed)}`} ${which}. `,
    ...(scores ? [...findingWords(report, scores), " "] : []),
    "They are worth a second look; a single label is never proved wrong.",
  ];
}

export function suspectsSection(report: Audit, suspects: Suspects): HTMLElement {
  const filter: Filter = { ...EVERYTHING };
  const search = searchable(
    suspects.rows,
    report.classes,
    report.groups.map((group) => group.group),
  );
  let apart = hasFewColumns(suspects);
  let columns = suspectColumns(report, suspects, apart);
  let sorting: Sorting | null = {
    column: columns.findIndex((column) => column.said === rightSaid(report)),
    descending: false,
  };
  let page = 0;
  let listed: Suspect[] = [];
  const head = h("thead");
  const body = h("tbody");
  const count = h("p", { class: "count", role: "status", "aria-live": "polite" });
  const said = h("span", { class: "said", role: "status", "aria-live": "polite" });
  // The buttons stay, also where they do nothing, so that the focus does.
  const turn = (by: number) => {
    page = Math.max(0, page + by);
    drawPage();
  };
  const previous = button("\u2190 Previous", () => turn(-1));
  const next = button("Next \u2192", () => turn(1));
  const place = h("span");
  const pages = h(
    "nav",
    { class: "pages control", "aria-label": "Pages of the list" },
    previous,
    place,
    next,
  );
  const missing = suspects.rows_left_out ?? 0;
  const drawPage = () => {
    const last = Math.max(0, Math.ceil(listed.length / PAGE) - 1);
    page = Math.min(page, last);
    const shown = listed.slice(page * PAGE, (page + 1) * PAGE);
    body.replaceChildren(
      ...shown.map((row) =>
        h(
          "tr",
          {},
          columns.map((column) => {
            const shown = column.cell(row);
            shown.dataset.heading = column.said; // where a narrow screen has no column for it
            return shown;
          }),
        ),
      ),
    );
    const range =
      listed.length === 0
        ? "No row is like that."
        : `Rows ${number(page * PAGE + 1)} to ${number(page * PAGE + shown.length)} of ${number(listed.length)} listed.`;
    count.textContent = missing > 0 ? `${range} ${number(missing)} more did not fit the page.` : range;
    place.textContent = `Page ${number(page + 1)} of ${number(last + 1)}`;
    previous.setAttribute("aria-disabled", String(page === 0));
    next.setAttribute("aria-disabled", String(page === last));
  };
  const drawHead = (focused: number | null) => {
    head.replaceChildren(
      sortHeadings(columns, sorting, (column) => {
        sorting = nextSorting(columns, column, sorting);
        update(column);
      }),
    );
    if (focused !== null) head.querySelectorAll("th")[focused].querySelector("button")?.focus();
  };
  const update = (focused: number | null = null) => {
    listed = sorted(filtered(search, filter), columns, sorting);
    page = 0;
    if (focused !== null) drawHead(focused);
    drawPage();
  };
  const controls = filterControls(report, suspects, filter, () => update());
  const apartId = freshId("apart");
  const toggle = h("input", { type: "checkbox", id: apartId });
  toggle.checked = apart;
  toggle.addEventListener("change", () => {
    const by = sorting === null ? null : columns[sorting.column].said;
    apart = toggle.checked;
    columns = suspectColumns(report, suspects, apart);
    const column = columns.findIndex((candidate) => candidate.said === by);
    sorting = column < 0 || !sorting ? null : { column, descending: sorting.descending };
    drawHead(null);
    update();
  });
  drawHead(null);
  update();
  const leftOut = suspects.columns_left_out ?? 0;
  return section(
    "suspects",
    "Rows most likely mislabeled",
    h("p", { class: "lead-in" }, summary(report, suspects)),
    h(
      "div",
      { class: "card" },
      controls.element,
      h(
        "div",
        { class: "list-head" },
        count,
        h(
          "div",
          { class: "buttons control" },
          (suspects.columns ?? []).length > 0 &&
            h("span", { class: "check" }, toggle, h("label", { for: apartId }, "a column for each value")),
          button("Clear filters", () => {
            controls.reset();
            update();
          }),
          copyButton(() => listed, said),
          button("Download csv", () => download("suspects.csv", csvOf(listed, report.classes))),
          said,
        ),
      ),
      h(
        "div",
        { class: "scrolling", role: "region", "aria-label": "Rows most likely mislabeled", tabindex: 0 },
        h(
          "table",
          { class: "suspects" },
          h("caption", { class: "hidden" }, "Rows whose label is most likely wrong"),
          head,
          body,
        ),
      ),
      pages,
      h(
        "p",
        { class: "note" },
        h("span", { class: "neighbors" }, h("i", { class: "suggested" })),
        " a neighbor with the suggested label, ",
        h("span", { class: "neighbors" }, h("i", { class: "given" })),
        " with the given one",
        report.classes.length > 2 && [
          ", ",
          h("span", { class: "neighbors" }, h("i", { class: "other" })),
          " with another",
        ],
        "; nearest first. Rows are counted from 1.",
        leftOut > 0 && ` ${counted(leftOut, "column is", "columns are")} left out.`,
      ),
    ),
  );
}
