// Makes dist/page.html: template, style and script in one file, pure ASCII, the same bytes each time.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2] ?? join(here, "dist", "page.html");

async function bundled(entry, options) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    charset: "ascii",
    legalComments: "none",
    target: ["chrome100", "firefox100", "safari15"],
    ...options,
  });
  return result.outputFiles[0].text.trim();
}

function put(page, mark, text) {
  if (page.split(mark).length !== 2) throw new Error(`the template must have ${mark} once`);
  return page.replace(mark, () => text);
}

const script = await bundled("main.ts", { format: "iife" });
const style = await bundled("style.css", {});
if (script.includes("</script") || style.includes("</style")) throw new Error("an end tag inside its text");
const hash = createHash("sha256").update(script, "utf8").digest("base64");

let page = readFileSync(join(here, "src", "template.html"), "utf8").replace(/\n\s*/g, "\n");
page = put(page, "/*style*/", style);
page = put(page, "/*script*/", script);
page = put(page, "HASH", `sha256-${hash}`);
for (const mark of ["<!--noiseplus:title-->", "<!--noiseplus:data-->"]) put(page, mark, "");
if (/[^\x00-\x7f]/.test(page)) throw new Error("the page is not ASCII");
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
