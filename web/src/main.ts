// Reads the data of the page and puts the sections together.
import { commandText, h, type Child } from "./dom";
import { balancingSection } from "./sections/balancing";
import { estimatorsSection } from "./sections/estimators";
import { evaluationSection } from "./sections/evaluation";
import { knowsMatrix, matrixSection } from "./sections/matrix";
import { methodSection } from "./sections/method";
import { ratesSection } from "./sections/rates";
import { suspectsSection } from "./sections/suspects";
import { trainingSection } from "./sections/training";
import { verdictSection } from "./sections/verdict";
import { normalized } from "./normalized";
import { facts } from "./sentences";
import type { Audit, Evaluation, Origin, PageData, Training } from "./types";
import { counted, named, printable, quoted, say, type Words } from "./words";

function auditSections(report: Audit, origin: Origin): HTMLElement[] {
  const sections = [verdictSection(report, origin), ratesSection(report)];
  if (knowsMatrix(report)) sections.push(matrixSection(report));
  sections.push(balancingSection(report), estimatorsSection(report));
  if (report.suspects && report.suspects.rows.length > 0)
    sections.push(suspectsSection(report, report.suspects));
  return sections;
}

function sectionsOf(page: PageData): HTMLElement[] {
  const audits: Audit[] = [];
  const trainings: Training[] = [];
  const evaluations: Evaluation[] = [];
  const names: string[] = [];
  for (const document of page.documents) {
    if (document.kind === "audit") audits.push(normalized(document.report));
    else if (document.kind === "training") trainings.push(document.report);
    else if (document.kind === "evaluation") {
      evaluations.push(document.report);
      names.push(document.name);
    }
  }
  return [
    ...audits.flatMap((report) => auditSections(report, page.origin ?? {})),
    ...trainings.map(trainingSection),
    ...(evaluations.length > 0 ? [evaluationSection(evaluations.slice(0, 2), names)] : []),
    methodSection(page),
  ];
}

const LONGEST_FILE = 60;

function originFacts(origin: Origin): Words[] {
  return [
    ...(origin.file ? [[named(origin.file, LONGEST_FILE)]] : []),
    ...(origin.date ? [[origin.date]] : []),
  ];
}

function factsOf(page: PageData): Words[] {
  for (const document of page.documents) {
    if (document.kind === "audit") return facts(document.report);
    if (document.kind === "training") {
      const { label, rows, features, classes } = document.report;
      return [
        say`Label ${quoted(label)}`,
        [counted(rows, "row")],
        [counted(features, "feature")],
        [counted(classes.length, "class", "classes")],
      ];
    }
  }
  return [];
}

function contents(sections: HTMLElement[]): HTMLElement {
  const links = sections.map((part) =>
    h("li", {}, h("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? "")),
  );
  return h("nav", { class: "contents", "aria-label": "Sections" }, h("ul", {}, links));
}

// Marks the section that is read in the list of sections.
function follow(navigation: HTMLElement, sections: HTMLElement[]): void {
  const seen = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) entry.isIntersecting ? seen.add(entry.target) : seen.delete(entry.target);
      const first = sections.find((part) => seen.has(part));
      for (const link of navigation.querySelectorAll("a")) {
        if (first && link.getAttribute("href") === `#${first.id}`) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-15% 0px -60% 0px" },
  );
  sections.forEach((part) => observer.observe(part));
}

// On paper nothing can be opened.
function openForPrint(): void {
  let closed: HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details")].filter((element) => !element.open);
    closed.forEach((element) => (element.open = true));
  });
  window.addEventListener("afterprint", () => closed.forEach((element) => (element.open = false)));
}

function show(...content: Child[]): void {
  const root = document.getElementById("page");
  root?.replaceChildren(...content.filter((child): child is Node => child instanceof Node));
}

function start(): void {
  const text = document.getElementById("noiseplus-data")?.textContent ?? "";
  let page: PageData;
  try {
    page = JSON.parse(text) as PageData;
  } catch {
    show(
      h(
        "main",
        { class: "broken" },
        h("h1", {}, "There is no report in this page"),
        h(
          "p",
          {},
          "Its data cannot be read. Make it again: noiseplus audit DATA --label COLUMN --html report.html",
        ),
      ),
    );
    return;
  }
  const sections = sectionsOf(page);
  const navigation = contents(sections);
  const origin = page.origin ?? {};
  const line = [...originFacts(origin), ...factsOf(page)];
  show(
    h("a", { class: "skip", href: "#main" }, "Skip to the report"),
    h(
      "header",
      { class: "masthead" },
      h(
        "div",
        { class: "inner" },
        h(
          "p",
          { class: "brand" },
          h("span", { class: "logo", "aria-hidden": "true" }, "n+"),
          "noiseplus report",
        ),
        h("h1", {}, printable(page.title)),
        line.length > 0 &&
          h(
            "ul",
            { class: "facts" },
            line.map((words) => h("li", {}, words)),
          ),
        origin.command && commandText(origin.command),
      ),
    ),
    h("div", { class: "layout" }, navigation, h("main", { id: "main", tabindex: -1 }, sections)),
    h("footer", {}, h("div", { class: "inner" }, `Made by noiseplus ${page.version}.`)),
  );
  follow(navigation, sections);
  openForPrint();
}

start();
