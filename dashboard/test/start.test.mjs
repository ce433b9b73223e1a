// A store without anything in it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessibility, launch, within } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("an empty store explains itself, in both languages and themes", async () => {
  for (const [language, theme, heading] of [
    ["en", "dark", /nothing is remembered/i],
    ["ko", "light", /아직 아무것도/],
  ]) {
    await within(browser, server.url, "", { language, theme }, async (page) => {
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      assert.deepEqual(await accessibility(page), []);
    });
  }
});

test("the sample is loaded, explored and removed with one click each", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    await page.getByRole("button", { name: "Load the sample" }).click();
    await page.getByText("You are looking at the sample").waitFor();
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    const held = await server.ask("GET", "/v1/sample");
    assert.ok(held.loaded && held.memories > 100, "the sample is there");
    await page.getByRole("button", { name: "Remove the sample" }).click();
    await page.getByRole("heading", { level: 1, name: /nothing is remembered/i }).waitFor();
    const numbers = await server.ask("GET", "/v1/stats");
    assert.equal(numbers.memories + numbers.trashed, 0, "nothing of it is left");
  });
});

test("the first memory leads into the orbit", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    await page.getByLabel("What should be remembered?").fill("지수는 녹차를 좋아한다");
    await page.getByRole("button", { name: "Remember" }).click();
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    const listed = await server.ask("GET", "/v1/memories");
    assert.equal(listed.memories[0].content, "지수는 녹차를 좋아한다");
  });
});
