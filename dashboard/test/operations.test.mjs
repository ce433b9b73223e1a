// Operations: how the server is, what waits, what it holds, how fast it is, its backups and its language model.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { outage } from "./support/outage.mjs";
import { becomes, figures, texts } from "./support/reading.mjs";
import { serve } from "./support/server.mjs";

const number = (value, digits = 0) => new Intl.NumberFormat("en", { maximumFractionDigits: digits }).format(value);
const rows = (table) => table.locator("tbody tr");

/** As the page writes millionths of a second. */
function micros(value) {
  return value < 1000 ? `${number(value)} µs` : `${number(value / 1000, value < 10_000 ? 1 : 0)} ms`;
}

let server, browser;
before(async () => {
  // A write that fails once is given up, so that there is something to try again.
  const settings = "[store]\nbusy_timeout_ms = 100\n[queue]\nattempts_max = 1\nbackoff_min_ms = 1\nbackoff_max_ms = 5\n";
  [server, browser] = await Promise.all([serve({ settings }), launch()]);
  await server.ask("POST", "/v1/sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("health is what the server says", async () => {
  const health = await server.ask("GET", "/v1/health");
  await within(browser, server.url, "#/operations", {}, async (page) => {
    const state = !health.healthy ? "bad" : health.warnings.length > 0 ? "warn" : "good";
    await page.locator(`[data-part="verdict"][data-state="${state}"]`).waitFor();
    assert.deepEqual(await texts(page.getByRole("list", { name: "What needs a look" }).getByRole("listitem")), health.warnings);
    const shown = await figures(page.locator(".operations-grid .figure"));
    assert.equal(shown["Memories"], number(health.memories));
    assert.equal(shown["Edges"], number(health.edges));
    assert.equal(shown["In the trash"], number(health.trashed));
    const zones = page.getByRole("list", { name: "Zones" }).locator(".bars-text");
    const wanted = health.zones.map(({ memories, percent }) => (percent === null ? number(memories) : `${number(memories)} · ${percent}%`));
    assert.deepEqual(await texts(zones), wanted);
    await page.getByText("Writes in the failure queue").waitFor();
  });
});

test("a write that was given up is tried again, and another is dropped", async () => {
  await within(browser, server.url, "#/operations/queue", {}, async (page) => {
    await page.getByText("Nothing waits").waitFor();
    await page.getByText("Nothing was given up").waitFor();
    const end = await outage(server.home);
    try {
      for (const content of ["밀물이 여섯 시에 온다", "潮水六点来"]) {
        const { outcome } = await server.ask("POST", "/v1/memories", { namespace: "sample", content });
        assert.equal(outcome, "queued");
      }
      await becomes(async () => (await server.ask("GET", "/v1/queue")).status.dead, 2, "both are given up");
    } finally {
      await end();
    }
    const { dead } = await server.ask("GET", "/v1/queue");
    await page.reload();
    const letters = page.getByRole("table", { name: "Dead letters" });
    await becomes(async () => (await texts(letters.locator("td.wide"))).sort(), dead.map((one) => one.reason).sort());
    const first = dead.findIndex((one) => one.at === dead.map((each) => each.at).toSorted()[0]);
    await rows(letters).nth(first).getByRole("button", { name: "Try again" }).click();
    const stored = async () => (await server.ask("GET", "/v1/memories?scope=sample&limit=2")).memories.some((one) => one.content.includes("밀물이 여섯 시에"));
    await becomes(stored, true, "the write was made");
    await becomes(() => rows(letters).count(), 1);
    await letters.getByRole("button", { name: "Drop" }).click();
    await page.getByRole("dialog", { name: "Drop this write?" }).getByRole("button", { name: "Drop" }).click();
    await page.getByText("Nothing was given up").waitFor();
    assert.equal((await server.ask("GET", "/v1/queue")).status.dead, 0);
  });
});

test("what the store holds and takes is told", async () => {
  const { namespaces, store } = await server.ask("GET", "/v1/stats");
  const own = namespaces.find((one) => one.namespace === "sample");
  await within(browser, server.url, "#/operations/store", {}, async (page) => {
    const row = page.getByRole("table", { name: "Namespaces" }).getByRole("row", { name: /sample/ });
    const counts = async () => (await texts(row.getByRole("cell"))).slice(1, 4);
    await becomes(counts, [own.memories, own.trashed, own.edges].map((one) => number(one)));
    const kinds = page.getByRole("list", { name: "Kinds" }).locator(".bars-text");
    assert.deepEqual(await texts(kinds), own.kinds.map(([, count]) => count).sort((a, b) => b - a).map((one) => number(one)));
    const disk = page.getByRole("list", { name: "On the disk" });
    await disk.getByText("Database").waitFor();
    assert.ok(store.database_bytes > 0);
    await becomes(async () => (await disk.getByRole("listitem").count()) > 2, true, "by what it is taken");
    await page.getByRole("button", { name: "Reorbit" }).click();
    await page.getByText(/memories looked at/).waitFor();
  });
});

test("latencies are those of the recalls that were made", async () => {
  const questions = ["release train", "who counts birds?", "배포", "潮水"];
  await within(browser, server.url, "#/operations/latency", {}, async (page) => {
    await page.getByText("No recall was measured in this time").first().waitFor();
    for (const query of questions) await server.ask("POST", "/v1/recall", { query, scopes: ["sample"] });
    const measured = async () => (await server.ask("GET", "/v1/latencies?hours=24&buckets=96")).buckets.filter((one) => one.measured > 0);
    await becomes(async () => (await measured()).reduce((sum, one) => sum + one.measured, 0), questions.length);
    await page.reload();
    await page.getByRole("img", { name: "How long recalls take" }).locator("canvas").waitFor();
    const last = (await measured()).at(-1);
    const shown = await figures(page.locator(".operations-gap .figure"));
    assert.equal(shown["Median"], micros(last.p50_micros));
    assert.equal(shown["Slowest"], micros(last.max_micros));
    const slow = page.getByRole("table", { name: "Slowest recalls" }).locator("td.wide");
    await becomes(async () => (await texts(slow)).sort(), questions.toSorted());
    await page.getByRole("button", { name: "1 hour" }).click();
    await page.getByRole("img", { name: "Recalls", exact: true }).locator("canvas").waitFor();
    assert.match(page.url(), /hours=1/);
    await page.setViewportSize({ width: 390, height: 844 });
    const fits = () => page.evaluate(() => document.documentElement.scrollHeight <= innerHeight);
    await becomes(fits, true, "on a phone only what lies between the bars scrolls");
  });
});

test("a backup that is made from the page is there", async () => {
  await within(browser, server.url, "#/operations/backups", { language: "ko", theme: "light" }, async (page) => {
    await page.getByText("아직 백업이 없습니다").waitFor();
    await page.getByRole("button", { name: "지금 백업" }).click();
    const table = page.getByRole("table", { name: "백업" });
    await table.waitFor();
    const { backups } = await server.ask("GET", "/v1/backups");
    assert.equal(backups.length, 1);
    assert.deepEqual(await texts(table.locator("td code")), [backups[0].name]);
    await table.getByRole("cell", { name: number(backups[0].memories), exact: true }).waitFor();
  });
});

test("without a language model that is said, and that nothing is sent", async () => {
  assert.equal((await server.ask("GET", "/v1/llm")).model, null);
  await within(browser, server.url, "#/operations/llm", {}, async (page) => {
    await page.getByText("No language model is set up").waitFor();
    await page.getByText("Nothing is ever sent to one then.").waitFor();
  });
});
