// The columns of the table of suspicious rows.
import { h } from "../dom";
import { cell, rowHeading, type Column } from "../table";
import type { Audit, Suspect, Suspects } from "../types";
import { named, number, shownName } from "../words";
import { agreeing, neighborMarks, probability, score, thumbnail, values } from "./cells";

// Whether the numbers of the rows only order them.
export function isRanking(report: Audit): boolean {
  return report.row_probabilities === "ranking";
}

const FEW_COLUMNS = 4; // of features that are shown as columns at first

// A number where it reads like one.
function sortable(text: string): string | number {
  const value = Number(text);
  return text.trim() !== "" && !Number.isNaN(value) ? value : text;
}

function featureColumns(suspects: Suspects): Column<Suspect>[] {
  return (suspects.columns ?? []).map((column, i) => {
    const texts = suspects.rows.map((row) => row.values?.[i] ?? "");
    const numeric = texts.every((text) => text === "" || typeof sortable(text) === "number");
    return {
      heading: named(column, 24),
      said: shownName(named(column)),
      kind: numeric ? "number below" : "text below",
      key: (row) => (numeric ? (row.values?.[i] ? Number(row.values[i]) : NaN) : (row.values?.[i] ?? "")),
      cell: (row) =>
        cell(
          row.values?.[i] === undefined ? "" : named(row.values[i], 40),
          numeric ? "number below" : "text below",
        ),
    };
  });
}

export function hasFewColumns(suspects: Suspects): boolean {
  return (suspects.columns ?? []).length <= FEW_COLUMNS;
}

// Names the column that the list is sorted by at first.
export function rightSaid(report: Audit): string {
  return isRanking(report) ? "score" : "probability that the given label is right";
}

export function suspectColumns(report: Audit, suspects: Suspects, apart: boolean): Column<Suspect>[] {
  const { classes, groups } = report;
  const { image, rows } = suspects;
  const columns: Column<Suspect>[] = [
    {
      heading: "row",
      said: "row",
      kind: "number",
      key: (row) => row.row,
      cell: (row) => rowHeading(number(row.row)),
    },
  ];
  if (image && rows.some((row) => row.pixels !== undefined)) {
    columns.push({
      heading: "picture",
      said: "picture",
      kind: "text below",
      cell: (row) => cell(thumbnail(row, image), "text below"),
    });
  }
  columns.push(
    {
      heading: "given",
      said: "given label",
      kind: "text",
      key: (row) => classes[row.given],
      cell: (row) => cell(named(classes[row.given]), "text"),
    },
    {
      heading: "suggested",
      said: "suggested label",
      kind: "text",
      key: (row) => classes[row.suggested],
      cell: (row) => cell(h("strong", {}, named(classes[row.suggested])), "text"),
    },
    {
      heading: isRanking(report) ? "score" : "given is right",
      said: rightSaid(report),
      key: (row) => row.probability,
      cell: (row) => cell(isRanking(report) ? score(row) : probability(row), "number likely"),
    },
  );
  if (rows.some((row) => row.group !== undefined)) {
    columns.push({
      heading: "group",
      said: "group",
      kind: "text below",
      key: (row) => groups[row.group ?? -1]?.group ?? "",
      cell: (row) => cell(row.group === undefined ? "" : named(groups[row.group]?.group ?? ""), "text below"),
    });
  }
  if (rows.some((row) => (row.neighbours ?? []).length > 0)) {
    columns.push({
      heading: "neighbors",
      said: "neighbors that say the suggested label",
      kind: "text below",
      descendingFirst: true,
      key: (row) => agreeing(row) / Math.max(1, (row.neighbours ?? []).length),
      cell: (row) => cell(neighborMarks(row, classes), "text below whole"),
    });
  }
  if ((suspects.columns ?? []).length > 0) {
    if (apart) columns.push(...featureColumns(suspects));
    else
      columns.push({
        heading: "values",
        said: "values",
        kind: "text below",
        cell: (row) => cell(values(row, suspects), "text below whole"),
      });
  }
  return columns;
}
