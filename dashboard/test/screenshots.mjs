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
  for (const query of ["release train", "who owns billing?", "배포", "incident"]) {
    await server.ask("POST", "/v1/recall", { query, scopes: ["sample"] });
  }
  const { hits } = await server.ask("POST", "/v1/recall", { query: "decision replaced billing", scopes: ["sample"], quiet: true });
  const { sessions } = await server.ask("GET", "/v1/sessions?scope=sample&limit=3");
  await picture("orbit", "#/orbit", {});
  await picture("orbit-light", "#/orbit", { theme: "light" });
  await picture("orbit-phone", "#/orbit", { width: 390, height: 844 });
  await picture("search", "#/search?q=who%20owns%20billing", {});
  await picture("memory", `#/memory/${hits[0].memory.id}`, { theme: "light" });
  await picture("memories", "#/memories", {});
  await picture("graph", "#/graph", {}, 9000);
  await picture("timeline", `#/timeline/${encodeURIComponent(sessions[0].name)}`, { theme: "light" });
  await picture("learning", "#/learning", {});
  await picture("workers", "#/workers", { theme: "light" });
  await picture("operations", "#/operations/health", {});
  await picture("latency", "#/operations/latency", { theme: "light" });
  await picture("korean", "#/search?q=%EB%B0%B0%ED%8F%AC", { language: "ko", theme: "light" });
} finally {
  await browser.close();
  await server.stop();
}

async function picture(name, place, options, wait = 3500) {
  const { page, context } = await open(browser, server.url, place, { ...SIZE, ...options });
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForTimeout(wait);
  await page.screenshot({ path: `${folder}/${name}.png` });
  await context.close();
  console.log(`${folder}/${name}.png`);
}
