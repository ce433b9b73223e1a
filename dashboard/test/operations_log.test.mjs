// Operations: keys, events as they happen, the audit log, and what a reader sees of it all.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { becomes, texts } from "./support/reading.mjs";
import { serve } from "./support/server.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const remember = (content) => server.ask("POST", "/v1/memories", { namespace: "sample", content });
const status = async (key) => (await fetch(`${server.url}/v1/me`, { headers: key ? { authorization: `Bearer ${key}` } : {} })).status;

test("events arrive while somebody looks, and wait while it is paused", async () => {
  await within(browser, server.url, "#/operations/events", {}, async (page) => {
    const about = (id) => page.getByRole("log", { name: "Live events" }).locator(`[data-part="event"]:has(a[href="#/memory/${id}"])`);
    await page.locator('[data-part="stream-state"][data-state="live"]').waitFor();
    await page.getByRole("log", { name: "Live events" }).waitFor();
    const first = await remember("두루미 열두 마리가 왔다");
    await about(first.id).first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    const second = await remember("鹤又飞走了");
    await page.locator('[data-part="stream-state"]').getByText(/paused · \d+ new one/).waitFor();
    assert.equal(await about(second.id).count(), 0, "nothing moves under the eye");
    await page.getByRole("button", { name: "Go on" }).click();
    await about(second.id).first().waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText("Nothing has happened yet").waitFor();
  });
});

test("the audit log goes back to its beginning, and nothing is left out or told twice", async () => {
  const all = [];
  for (let after = 0; ; ) {
    const { events, next_after: next } = await server.ask("GET", `/v1/events?after=${after}&limit=1000`);
    all.push(...events);
    if (events.length < 1000) break;
    after = next;
  }
  assert.ok(all.length > 1000, "the sample has a past");
  await within(browser, server.url, "#/operations/audit", {}, async (page) => {
    const kinds = () => page.locator('[data-part="event"]').evaluateAll((rows) => rows.map((row) => row.dataset.kind));
    const newest = all.map((event) => event.event).reverse();
    await becomes(kinds, newest.slice(0, 100));
    const earlier = page.getByRole("button", { name: "Show earlier" });
    const end = page.getByText("That is the beginning of the log.");
    for (let click = 0; click < 10 && (await end.count()) === 0; click++) {
      const before = (await kinds()).length;
      await earlier.click();
      await page.waitForFunction((count) => document.querySelectorAll('[data-part="event"]').length > count, before);
    }
    await end.waitFor();
    assert.deepEqual(await kinds(), newest, "all of it, in its order");

    const rare = newest.find((kind) => newest.filter((one) => one === kind).length < 100);
    await page.getByLabel("Kind of event").selectOption(rare);
    await becomes(kinds, newest.filter((kind) => kind === rare));
  });
});

test("a reader of one namespace sees quiet words, and what is its own", async () => {
  const locked = await serve();
  try {
    await locked.ask("POST", "/v1/sample");
    const { secret } = await locked.ask("POST", "/v1/keys", { name: "admin", role: "admin" });
    const reader = await locked.ask("POST", "/v1/keys", { name: "reader", role: "reader", scope: "sample" }, secret);
    await within(browser, locked.url, "#/operations", { key: reader.secret }, async (page) => {
      const tabs = page.getByRole("navigation", { name: "Pages of operations" }).getByRole("link");
      await tabs.first().waitFor();
      assert.deepEqual(await texts(tabs), ["Health", "Store", "Latencies", "Live events", "Audit log"]);
      await page.locator('[data-part="left-out"]').waitFor();
      for (const name of ["keys", "queue", "backups", "llm"]) {
        await page.goto(`${locked.url}/#/operations/${name}`);
        await page.getByText("This is not shown with your key").waitFor();
        assert.equal(await page.getByRole("alert").count(), 0, `${name} alarms a reader`);
      }
      await page.goto(`${locked.url}/#/operations/store`);
      await page.getByRole("table", { name: "Namespaces" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Reorbit" }).count(), 0);
    });
  } finally {
    await locked.stop();
  }
});

// The last one: from here on nobody is served without a key.
test("the first key is shown once, the page goes on with it, and another is revoked", async () => {
  await within(browser, server.url, "#/operations/keys", {}, async (page) => {
    await page.getByText("There are no keys").waitFor();
    const first = await create(page, "열쇠 하나");
    assert.deepEqual([await status(first), await status()], [200, 401], "it opens, and without it nothing does");
    const table = page.getByRole("table", { name: "Keys" });
    await table.getByRole("row", { name: /열쇠 하나/ }).getByText("yours").waitFor();
    assert.ok(!(await page.content()).includes(first), "its secret is gone from the page");

    const second = await create(page, "for the phone", "Reader");
    assert.equal(await status(second), 200);
    await table.getByRole("button", { name: "Revoke: for the phone" }).click();
    await page.getByRole("dialog", { name: "Revoke “for the phone”?" }).getByRole("button", { name: "Revoke" }).click();
    await table.getByRole("row", { name: /for the phone/ }).getByText("revoked").waitFor();
    assert.equal(await status(second), 401);
    const { keys } = await server.ask("GET", "/v1/keys", undefined, first);
    assert.deepEqual(keys.map((one) => [one.name, Boolean(one.revoked_at)]).sort(), [["for the phone", true], ["열쇠 하나", false]].sort());
  });
});

/** Makes a key as a person would, and gives the secret that is shown. */
async function create(page, name, role) {
  await page.getByRole("button", { name: "New key" }).click();
  const form = page.getByRole("dialog", { name: "New key" });
  await form.getByLabel("For what").fill(name);
  if (role) await form.getByRole("radio", { name: new RegExp(`^${role}`) }).check();
  await form.getByRole("button", { name: "Create" }).click();
  const shown = page.getByRole("dialog", { name: `The new key: ${name}` });
  const secret = await shown.getByLabel("Secret").inputValue();
  await shown.getByRole("button", { name: "Close" }).click();
  await shown.waitFor({ state: "detached" });
  return secret;
}
