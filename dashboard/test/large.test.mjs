// Ten thousand memories: every view still answers, and drawing them leaves the browser time for everything else.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { COUNT, fill } from "./support/many.mjs";
import { serve } from "./support/server.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await fill(server.url);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("the orbit shows all of them", async () => {
  await within(browser, server.url, "#/orbit", {}, async (page) => {
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    await page.locator("main").getByText(/10,000/).first().waitFor({ timeout: 60_000 });
    await page.locator("main canvas").first().waitFor();
    // A page that is busy drawing would not come to these.
    for (const letter of ["t", "t", "t"]) await page.keyboard.press(letter);
    await page.waitForTimeout(1000);
  });
});

test("search, memories and graph answer", async () => {
  await within(browser, server.url, "#/search?q=who%20owns%20the%20billing%20service", {}, async (page) => {
    await page.locator("main").getByText(/billing service/).first().waitFor({ timeout: 60_000 });
    await page.goto(`${server.url}/#/memories`);
    await page.locator("main").getByText(/ticket/).first().waitFor({ timeout: 60_000 });
    await page.goto(`${server.url}/#/graph`);
    await page.getByRole("heading", { level: 1, name: "Graph" }).waitFor();
    await page.locator("main canvas, main [data-part]").first().waitFor({ timeout: 60_000 });
  });
});

test("nothing was refused on the way", async () => {
  const numbers = await server.ask("GET", "/v1/stats");
  assert.equal(numbers.memories, COUNT);
});
