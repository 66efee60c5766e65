// The README's picture of the report: three parts of the demo's page beside each other.
//
//   make demo web && node docs/figures/report.mjs demo-output/report.html docs/figures/report.png
import { resolve } from "node:path";

import { startBrowser } from "../../tests/web/browser.mjs";

const [report, picture] = process.argv.slice(2);
const browser = await startBrowser();
const page = await browser.openFile(resolve(report));

// The page as it is, but for what a picture this size has no room for.
await page.addStyleTag({
  content: `#suspects tbody tr:nth-child(n + 9) { display: none }`,
});
const part = async (id) => {
  const shot = await page.locator(`#${id}`).screenshot();
  return `<img alt="" src="data:image/png;base64,${shot.toString("base64")}">`;
};
const parts = {
  left: [await part("verdict"), await part("rates"), await part("suspects")],
  right: [await part("balancing"), await part("estimators")],
};
await page.setContent(`<style>
  body { margin: 0; padding: 24px; background: #f4f6f8; display: grid; grid-template-columns: 1fr 1fr; gap: 24px; width: 1552px }
  img { width: 100%; display: block; margin-bottom: 24px }
</style><div>${parts.left.join("")}</div><div>${parts.right.join("")}</div>`);
await page.setViewportSize({ width: 1600, height: 1250 });
await page.screenshot({ path: picture });
await browser.stop();
