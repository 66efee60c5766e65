// A browser, and pages made from reports as the program makes them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

export const web = fileURLToPath(new URL("../../web/", import.meta.url));
export const require = createRequire(join(web, "package.json"));
const template = readFileSync(join(web, "dist", "page.html"), "utf8");

export function pageText(documents, title = "A report", origin = undefined) {
  const list = documents.map((entry) => ({
    name: `${entry.kind}.json`,
    ...entry,
  }));
  const escaped = (text) =>
    text.replace(
      /[<>&]/g,
      (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
    );
  const json = escaped(
    JSON.stringify({ version: "0.1.0", title, origin, documents: list }),
  );
  return template
    .replace("<!--noiseplus:title-->", "A report")
    .replace("<!--noiseplus:data-->", () => json);
}

export const audit = (report) => [{ kind: "audit", report }];

export async function startBrowser() {
  const { chromium } = require("playwright-core");
  const folder = mkdtempSync(join(tmpdir(), "noiseplus-web-"));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
  let made = 0;
  // A page that remembers what went wrong in it and what it asked for.
  const openFile = async (file, options = {}) => {
    const page = await browser.newPage({
      viewport: { width: options.width ?? 1280, height: 900 },
      colorScheme: options.scheme ?? "light",
    });
    page.problems = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()))
        page.problems.push(message.text());
    });
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url()))
        page.problems.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    return page;
  };
  const open = (documents, options = {}) => {
    const file = join(folder, `page-${++made}.html`);
    writeFileSync(file, pageText(documents, options.title, options.origin));
    return openFile(file, options);
  };
  const stop = async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { open, openFile, stop, folder };
}

// One browser for the tests of a file, there as soon as the first of them runs.
export function browserForTests() {
  const browser = {};
  before(async () => Object.assign(browser, await startBrowser()));
  after(() => browser.stop());
  return browser;
}

export const visibleText = (page, selector) =>
  page.locator(selector).innerText();

// A text without the layout of its spaces.
export const saidIn = (text) => text.replace(/[\s\u00a0]+/g, " ");

// What the notebook's views of these reports say. The package's own __init__ needs the compiled
// engine; its views do not.
export function notebookTexts(reports) {
  const script = `
import html, json, re, sys, types
package = types.ModuleType("noiseplus"); package.__path__ = [sys.argv[1]]; sys.modules["noiseplus"] = package
from noiseplus._html import audit_html
def plain(markup):
    markup = re.sub(r"<style>.*?</style>", "", markup, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"</(?:div|p|span)>", " ", markup)))
json.dump([plain(audit_html(report)) for report in json.load(sys.stdin)], sys.stdout)
`;
  const folder = fileURLToPath(
    new URL("../../python/noiseplus", import.meta.url),
  );
  const run = spawnSync("/usr/bin/python3", ["-c", script, folder], {
    input: JSON.stringify(reports),
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout).map(saidIn);
}

// Balancing is folded away where nothing is to be balanced.
export const unfoldBalancing = (page) =>
  page.evaluate(() => {
    const folded = document.querySelector("#balancing > details");
    if (folded) folded.open = true;
  });

// Modules of the page, for tests that need no browser.
export async function load(entry) {
  const { build } = require("esbuild");
  const result = await build({
    entryPoints: [join(web, "src", entry)],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "silent",
  });
  return import(
    `data:text/javascript;base64,${Buffer.from(result.outputFiles[0].text).toString("base64")}`
  );
}
