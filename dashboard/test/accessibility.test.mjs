// WCAG 2.2 A and AA as far as axe sees it: every view, both themes, both languages, wide and narrow.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessibility, launch, within } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";

let server, browser, places;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
  const { memories } = await server.ask("GET", "/v1/memories?scope=sample&limit=1");
  const { sessions } = await server.ask("GET", "/v1/sessions?scope=sample&limit=1");
  const operations = ["health", "queue", "store", "latency", "backups", "llm", "keys", "events", "audit"];
  places = ["orbit", "search?q=release", "memories", `memory/${memories[0].id}`, "graph", "timeline", `timeline/${encodeURIComponent(sessions[0].name)}`, "learning", "workers", ...operations.map((tab) => `operations/${tab}`)];
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const options of [
  { theme: "dark", language: "en" },
  { theme: "light", language: "ko" },
  { theme: "light", language: "en", width: 390, height: 844 },
]) {
  test(`every view, ${Object.values(options).join(" ")}`, async () => {
    await within(browser, server.url, "", { ...options, still: true }, async (page) => {
      for (const place of places) {
        await page.goto(`${server.url}/#/${place}`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        await page.getByText(/Loading…|불러오는 중…/).first().waitFor({ state: "detached" });
        assert.deepEqual(await accessibility(page), [], place);
        assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1, `${place} has one heading of the first level`);
      }
    });
  });
}
