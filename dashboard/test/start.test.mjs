// A store without anything in it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessibility, launch, within } from "./support/browser.mjs";
import { becomes } from "./support/reading.mjs";
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

test("the sample is loaded with one click and removed after a question, and nothing of one's own with it", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    await page.getByRole("button", { name: "Load the sample" }).click();
    await page.getByText("You are looking at the sample").waitFor();
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    const held = await server.ask("GET", "/v1/sample");
    assert.ok(held.loaded && held.memories > 100, "the sample is there");
    const remove = page.getByRole("button", { name: "Remove the sample" });
    await remove.click();
    const question = page.getByRole("dialog", { name: "Remove the sample?" });
    await question.getByRole("button", { name: "Close" }).click();
    assert.ok((await server.ask("GET", "/v1/sample")).loaded, "whoever closes the question removes nothing");
    const { id } = await server.ask("POST", "/v1/memories", { content: "나의 기억", namespace: "sample" });
    await remove.click();
    await question.getByText("1 of your own").waitFor();
    await question.getByRole("button", { name: "Remove the sample" }).click();
    const left = async () => (await server.ask("GET", "/v1/memories?scope=sample")).memories.map((one) => one.id);
    await becomes(async () => (await left()).length, 1, "what came with it is gone");
    assert.deepEqual(await left(), [id], "one's own stays");
    await server.ask("DELETE", "/v1/namespaces?namespace=sample&purge=true");
    await page.reload();
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
