// Pictures of every view for the documentation: node test/screenshots.mjs FOLDER
import { launch, open } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";

const folder = process.argv[2] ?? "../docs/images";
const SIZE = { width: 1440, height: 900 };

const [server, browser] = await Promise.all([serve(), launch()]);
try {
  await picture("start", "", {});
  await server.ask("POST", "/v1/sample");
  for (const worker of ["consolidate", "audit", "deepdive", "optimize", "benchmark"]) {
    await server.ask("POST", `/api/workers/dispatch?worker=${worker}`);
  }
  await server.ask("POST", "/v1/backups");
  for (const query of ["tide tables", "how do we release the app?", "만조", "who decides about photos?"]) {
    await server.ask("POST", "/v1/recall", { query, scopes: ["sample"] });
  }
  const { hits } = await server.ask("POST", "/v1/recall", { query: "what did we decide about storing photos?", scopes: ["sample"], quiet: true });
    await picture("orbit", "#/orbit", {});
  await picture("orbit-light", "#/orbit", { theme: "light" });
  await picture("orbit-phone", "#/orbit", { width: 390, height: 844 });
  await picture("search", "#/search?q=how%20do%20we%20release%20the%20app%3F", {});
  await picture("memory", `#/memory/${hits[0].memory.id}`, { theme: "light" });
  await picture("memories", "#/memories", {});
  await picture("graph", "#/graph", {}, 9000);
  await picture("timeline", "#/timeline/storage", { theme: "light" });
  await picture("learning", "#/learning", {}, 3500, async (page) => {
    await page.getByLabel("Task").fill("the count of two volunteers was overwritten again");
    await page.keyboard.press("Enter");
  });
  await picture("workers", "#/workers", { theme: "light" });
  await picture("operations", "#/operations/health", {});
  await picture("store", "#/operations/store", { theme: "light" });
  await picture("korean", "#/search?q=%EB%A7%8C%EC%A1%B0", { language: "ko", theme: "light" });
} finally {
  await browser.close();
  await server.stop();
}

async function picture(name, place, options, wait = 3500, doing = async () => {}) {
  const { page, context } = await open(browser, server.url, place, { ...SIZE, ...options });
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await doing(page);
  await page.waitForTimeout(wait);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
  console.log(`${folder}/${name}.png`);
}
