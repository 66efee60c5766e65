// Pages that the program itself writes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { browserForTests, notebookTexts, saidIn } from "./browser.mjs";

const program = process.env.NOISEPLUS;
const help = program
  ? (spawnSync(program, ["audit", "--help"], { encoding: "utf8" }).stdout ?? "")
  : "";
const skip = !program
  ? "NOISEPLUS is not set"
  : help.includes("--html")
    ? false
    : "this program has no --html";

const browser = browserForTests();

// Two clusters; labels of the second class are wrong more often. The same numbers each time.
function table(rows) {
  let state = 1;
  const uniform = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const lines = ["x,y,color,region,label"];
  for (let i = 0; i < rows; ++i) {
    const clean = uniform() < 0.5 ? 0 : 1;
    const wrong = uniform() < (clean ? 0.3 : 0.05);
    const label = wrong ? 1 - clean : clean;
    const place = () =>
      (4 * clean + uniform() + uniform() + uniform()).toFixed(3);
    lines.push(
      `${place()},${place()},${uniform() < 0.5 ? "red" : "blue"},${i % 2 ? "north" : "south"},${label ? "<script>yes" : "no"}`,
    );
  }
  return lines.join("\n") + "\n";
}

test(
  "audit --html writes a page that opens and says what the audit says",
  { skip },
  async () => {
    const data = join(browser.folder, "data.csv");
    const html = join(browser.folder, "report.html");
    const json = join(browser.folder, "report.json");
    writeFileSync(data, table(3000));
    const run = spawnSync(
      program,
      [
        "audit",
        data,
        "--label",
        "label",
        "--group",
        "region",
        "--html",
        html,
        "--json",
        json,
        "--quiet",
      ],
      { encoding: "utf8" },
    );
    assert.equal(run.status, 0, run.stderr);
    const page = await browser.openFile(html);
    assert.deepEqual(page.problems, []);
    const report = JSON.parse(readFileSync(json, "utf8"));
    const shown = saidIn(await page.locator("main").innerText());
    const [notebook] = notebookTexts([report]);
    assert.ok(report.findings.length > 4);
    for (const { text } of report.findings) {
      assert.ok(shown.includes(text), `${text}\n${shown}`);
      assert.ok(notebook.includes(text), `${text}\n${notebook}`);
    }
    const verdict = await page.locator("#verdict").innerText();
    assert.match(
      verdict,
      /Class '<script>yes' is noisier than 'no' by \d+\.\d points/,
    );
    assert.match(verdict, /Groups: no difference found/);
    assert.match(
      verdict,
      /Within a class, no difference between the groups is proved \(p\s=/,
    );
    assert.match(verdict, /\d+\.\d\s% of all labels are wrong \(/);
    assert.ok((await page.locator("#suspects tbody tr").count()) > 0);
    assert.ok(
      (await page.locator("#balancing input[type=range]").count()) === 1,
    );
    await page.close();
  },
);
