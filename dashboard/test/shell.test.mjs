// The frame: keys, themes, languages, the keyboard, what is sent.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { launch, overflows, within } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";

const VIEWS = ["Orbit", "Search", "Memories", "Graph", "Timeline", "Learning", "Workers", "Operations"];

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("what is sent forbids everything that is not the page's own", async () => {
  const response = await fetch(`${server.url}/`);
  const policy = response.headers.get("content-security-policy");
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*|https?:/);
  assert.doesNotMatch(await response.text(), /<script(?![^>]*src=)|<style|style=|\son\w+=/, "nothing is inline");
});

test("the first paint is small", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    const asked = new Set();
    page.on("request", (request) => {
      if (/\/(dashboard\/[^/]+)?$/.test(new URL(request.url()).pathname)) asked.add(request.url().split("#")[0]);
    });
    // Without what the browser has kept from before.
    const session = await page.context().newCDPSession(page);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    await page.waitForLoadState("load");
    // Asked for once more, since a browser lets go of what a page had before it was loaded again.
    const bodies = await Promise.all([...asked].map(async (url) => (await fetch(url)).arrayBuffer()));
    const sizes = bodies.map((body) => gzipSync(Buffer.from(body)).length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.length >= 3 && total < 200_000, `${sizes.length} files, ${total} bytes compressed`);
  });
});

test("every view is reached by the keyboard alone", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    for (const [letter, name] of Object.entries({ s: 1, m: 2, g: 3, t: 4, l: 5, w: 6, p: 7, o: 0 })) {
      await page.locator("body").click({ position: { x: 4, y: 4 } });
      await page.keyboard.press("g");
      await page.keyboard.press(letter);
      await page.getByRole("heading", { level: 1, name: VIEWS[name] }).waitFor();
    }
    await page.keyboard.press("/");
    await page.keyboard.type("billing");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/search\?q=billing/);
    // The view takes the keyboard into its own field when it is there, which is after the address has changed.
    await page.locator("main").getByRole("searchbox").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await page.locator("main").focus();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

test("the first stop of the Tab key skips the navigation", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to the content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
  });
});

test("theme and language are chosen, kept, and follow the system at first", async () => {
  await within(browser, server.url, "", { theme: "light", language: "ko" }, async (page) => {
    const shown = () => page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.lang]);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    assert.deepEqual(await shown(), ["light", "ko"]);
    await page.getByRole("button", { name: "View in English" }).click();
    await page.getByRole("button", { name: "Theme: as the system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).click();
    assert.deepEqual(await shown(), ["dark", "en"]);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
    assert.deepEqual(await shown(), ["dark", "en"]);
  });
});

test("no view is wider than a phone", async () => {
  await within(browser, server.url, "", { width: 360, height: 740, touch: true }, async (page) => {
    for (const name of VIEWS) {
      await page.goto(`${server.url}/#/${name.toLowerCase()}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForTimeout(400);
      assert.equal(await overflows(page), false, `${name} is too wide`);
    }
  });
});

test("a server with keys lets nobody in without one, and shows a reader what a reader may see", async () => {
  const locked = await serve();
  try {
    await locked.ask("POST", "/v1/sample");
    const admin = await locked.ask("POST", "/v1/keys", { name: "admin", role: "admin" });
    const secret = admin.secret;
    const reader = await locked.ask("POST", "/v1/keys", { name: "reader", role: "reader", scope: "sample" }, secret);
    await within(browser, locked.url, "", {}, async (page) => {
      await page.getByLabel("Key").fill("not-a-key");
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByText("does not know this key").waitFor();
      await page.getByLabel("Key").fill(secret);
      await page.getByRole("button", { name: "Enter" }).click();
      await page.getByRole("heading", { level: 1, name: "Orbit" }).waitFor();
      assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes("peri_")), false, "no key is kept for good");
    });
    await within(browser, locked.url, "", { key: reader.secret }, async (page) => {
      for (const name of VIEWS) {
        await page.goto(`${locked.url}/#/${name.toLowerCase()}`);
        await page.getByRole("heading", { level: 1, name }).waitFor();
        await page.waitForTimeout(300);
        assert.equal(await page.getByRole("alert").count(), 0, `${name} alarms a reader`);
      }
      assert.equal(await page.getByRole("button", { name: "Remove the sample" }).count(), 0, "a reader cannot remove");
    });
  } finally {
    await locked.stop();
  }
});
