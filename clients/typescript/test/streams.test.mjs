// Exports, imports and events, against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { all, PATIENT, place, Server } from "./support.mjs";

let server;
before(async () => (server = await Server.start()));
after(() => server.end());

const start = (context) => server.connect({ namespace: place(context) });
/** The memories and edges of an export. Zones are left out: a server moves memories when it has time. */
const records = (lines) => {
  const kept = lines.map((line) => JSON.parse(line)).filter(({ record }) => record === "memory" || record === "edge");
  return kept.map((record) => JSON.stringify({ ...record, zone: null })).sort();
};

test("what was exported is imported elsewhere unchanged", async (context) => {
  const client = start(context);
  const contents = ["The bridge is closed", "다리는 내일 열린다", "桥明天开放", "line\nbreak and \u2028 separator"];
  const receipts = await client.rememberAll(contents.map((content) => ({ content })));
  await client.link({ source: receipts[0].id, target: receipts[1].id, type: "related_to" });
  const lines = await all(client.export());
  const other = await Server.start();
  context.after(() => other.end());
  const there = other.connect({ namespace: place(context) });
  const imported = await there.import(lines);
  assert.deepEqual([imported.added, imported.refused], [contents.length, []]);
  assert.equal((await there.import(client.export())).added, 0);
  assert.deepEqual(records(await all(there.export())), records(lines));
  const listed = await all(there.list({ order: "oldest_first" }));
  assert.deepEqual(listed.map((memory) => memory.content), contents);
});

test("an import larger than a request may be is streamed", async (context) => {
  const client = start(context);
  const text = "word ".repeat(2000);
  const pages = Array.from({ length: 300 }, (_, page) => ({ content: `Page ${page}: ${text}` }));
  const receipts = await client.rememberAll(pages);
  const lines = await all(client.export());
  assert.ok(lines.join("").length > 2_500_000);
  assert.equal((await client.import([...lines, ...lines])).known, 2 * receipts.length);
});

test("lines of other namespaces are refused by their number", async (context) => {
  const client = start(context);
  await client.remember("The well is deep");
  const writer = await server.restricted("writer", "elsewhere");
  const imported = await writer.import(client.export());
  assert.equal(imported.added, 0);
  assert.notDeepEqual(imported.refused, []);
});

test("a refused stream says why", async (context) => {
  const reader = await server.restricted("reader", place(context));
  await assert.rejects(reader.import(["{}"]), { status: 403 });
});

test("events are paged and numbered", async (context) => {
  const client = start(context);
  const ids = [];
  for (const number of [1, 2, 3]) ids.push((await client.remember(`Lamp ${number} stands in room ${number}`)).id);
  const page = await client.eventLog({ kind: ["stored"], after: 0, limit: 2 });
  const rest = await client.eventLog({ kind: ["stored"], after: page.next_after });
  assert.deepEqual([...page.events, ...rest.events].map((event) => event.id), ids);
});

test("events go on where they broke off", async (context) => {
  const client = server.connect({ namespace: place(context), retries: PATIENT });
  const events = await client.events({ kind: ["stored"] });
  const next = async (stream) => (await stream.next()).value;
  const { id: first } = await client.remember("The kettle boils");
  assert.equal((await next(events)).id, first);
  const { id: second } = await client.remember("The kettle whistles");
  await server.stop();
  await server.start();
  const { id: third } = await client.remember("The tea is poured");
  const resumed = [await next(events), await next(events)];
  assert.deepEqual(resumed.map((event) => event.id), [second, third]);
  await events.return();
  const behind = await client.events({ kind: ["stored"], after: resumed[0].number });
  assert.equal((await next(behind)).id, third);
  await behind.return();
});

test("whoever has heard enough ends a stream from outside", async (context) => {
  const client = start(context);
  const controller = new AbortController();
  const events = await client.events({ kind: ["stored"] }, { signal: controller.signal });
  const waiting = events.next();
  controller.abort(new Error("enough"));
  await assert.rejects(waiting, { message: "enough" });
});
