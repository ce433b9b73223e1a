// The journal and its turns, and what is queued while the store cannot be reached, against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client, Queued } from "perihelion-client";
import { all, answers, outage, place, Server, stub } from "./support.mjs";

// So many times the queue is looked at until nothing waits; a healthy server needs far fewer.
const LOOKS_MAX = 5000;
const HASTY = "[store]\nbusy_timeout_ms = 20\n[server]\nrequests_per_minute = 0\n";

let server;
before(async () => (server = await Server.start(HASTY)));
after(() => server.end());

const start = (context) => server.connect({ namespace: place(context) });
const texts = (entries) => entries.map((entry) => entry.text ?? "");
const ids = (items) => items.map((item) => item.id);

test("what is written down in any language is read back and counted", async (context) => {
  const client = start(context);
  const [body, gate] = [{ 온도: 21, 목록: [null, "창"] }, { action: "DELIVER", score: 0.5 }];
  const { id, state, namespace } = await client.append("배포가 끝났다", {
    session: "아침/하나",
    actor: "小明",
    kind: "alert",
    direction: "inbound",
    status: "ok",
    at: "2026-03-01T00:00:00Z",
    body,
    gate,
    metadata: { 방: "부엌" },
  });
  assert.deepEqual([state, namespace], ["stored", place(context)]);
  const entry = await client.journalEntry(id);
  assert.deepEqual([entry.text, entry.actor, entry.kind], ["배포가 끝났다", "小明", "alert"]);
  assert.deepEqual([entry.body, entry.gate, entry.metadata], [body, gate, { 방: "부엌" }]);
  await client.append("", { kind: "schedule", body: [1, 2] });
  const sought = { text: "배포가", session: "아침/하나", status: "ok", until: "2026-03-02T00:00:00Z" };
  assert.deepEqual(ids(await all(client.journal(sought))), [id]);
  const { entries, waiting } = await client.journalStats();
  assert.deepEqual([entries, waiting.held], [2, 0]);
});

test("a journal goes over all pages in order", async (context) => {
  const client = start(context);
  const told = Array.from({ length: 7 }, (_, number) => `${number}번째 관찰`);
  const appended = await client.appendAll(told.map((text, day) => ({ text, at: `2026-04-0${day + 1}T12:00:00Z` })));
  assert.ok(appended.every(({ state }) => state === "stored"));
  assert.deepEqual(texts(await all(client.journal({ limit: 3, order: "oldest_first" }))), told);
  assert.deepEqual(texts(await all(client.journal({ limit: 7 }))), told.toReversed());
  const { entries, missing } = await client.recent({ limit: 2 });
  assert.deepEqual([texts(entries), missing ?? null], [[told[6], told[5]], null]);
});

test("a remembered event is a memory that leads back to it", async (context) => {
  const client = start(context);
  const { id, memory } = await client.append("小林住在大阪", { remember: true });
  const { memory: found } = await client.get(memory);
  assert.deepEqual([found.entry, found.content], [id, "小林住在大阪"]);
});

test("a turn is begun told of and finished", async (context) => {
  const client = start(context);
  const { id: input } = await client.append("날씨 알려 줘", { session: "저녁" });
  const { turn: begun } = await client.beginTurn({ session: "저녁", input, plan: ["look", "answer"] });
  assert.equal(begun.status ?? null, null);
  const { id: output } = await client.append("비가 온다", { turn: begun.id, direction: "outbound" });
  await client.updateTurn(begun.id, { tool_calls: [{ tool: "날씨" }], metadata: { round: 1 } });
  const { state } = await client.updateTurn(begun.id, { status: "ok", output, tool_results: [{ 비: true }] });
  assert.equal(state, "stored");
  const { turn, entries } = await client.turn(begun.id);
  assert.deepEqual(ids(entries), [input, output]);
  assert.deepEqual([turn.status, turn.tool_calls, turn.metadata], ["ok", [{ tool: "날씨" }], { round: 1 }]);
});

test("turns go over all pages and are found by how they went", async (context) => {
  const client = start(context);
  const begun = [];
  for (const day of [1, 2, 3, 4, 5]) {
    begun.push((await client.beginTurn({ started_at: `2026-05-0${day}T00:00:00Z` })).turn.id);
  }
  await client.updateTurn(begun[2], { status: "timeout", error: "超时" });
  assert.deepEqual(ids(await all(client.turns({ limit: 2, order: "oldest_first" }))), begun);
  assert.deepEqual((await all(client.turns({ status: "timeout" }))).map((turn) => turn.error), ["超时"]);
  assert.equal((await client.journalStats()).turns_open, 4);
});

test("bad input is named and nothing is written down", async (context) => {
  const client = start(context);
  const { id } = (await client.beginTurn()).turn;
  for (const [named, work] of [
    [/NUL/, () => client.append("a\0b")],
    [/kind/, () => client.appendAll([{ text: "good" }, { text: "bad", kind: " " }])],
    [/entries/, () => client.appendAll([])],
    [/NUL/, () => client.updateTurn(id, { error: "a\0b" })],
    [/status/, () => client.updateTurn(id, { status: "fine" })],
  ]) {
    await assert.rejects(work, { status: 400, type: "/problems/invalid-input", detail: named });
  }
  const nobody = "0198c5b2-7d3e-7a41-9c55-1f2e3d4c5bff";
  await assert.rejects(client.journalEntry(nobody), { status: 404 });
  await assert.rejects(client.turn(nobody), { status: 404 });
  await assert.rejects(client.updateTurn(nobody, { status: "ok" }), { status: 404 });
  assert.deepEqual((await client.recent()).entries, []);
});

test("a key of one namespace sees no journal of another", async (context) => {
  const client = start(context);
  const { id } = await client.append("비밀번호는 서랍에 있다");
  const stranger = await server.restricted("writer", "elsewhere");
  await assert.rejects(stranger.journalEntry(id), { status: 404 });
  await assert.rejects(stranger.append("a guest was here", { namespace: place(context) }), { status: 403 });
  await assert.rejects(all(stranger.journal({ scope: place(context) })), { status: 403 });
  for (const work of [() => stranger.queue(), () => stranger.replayQueue(), () => stranger.dropQueued(id)]) {
    await assert.rejects(work, { status: 403 });
  }
  assert.deepEqual(await all(stranger.journal()), []);
});

/** Looks at the queue until nothing waits any more. */
async function workedOff(client) {
  for (let look = 0; look < LOOKS_MAX; look++) {
    if ((await client.queue()).status.depth === 0) return;
  }
  assert.fail(`the queue is not worked off: ${JSON.stringify(await client.queue())}`);
}

test("what happens in an outage is queued seen at once and stored later", async (context) => {
  const client = start(context);
  const release = await outage(context, server);
  const first = await client.append("첫 번째", { session: "밤" });
  const rest = await client.appendAll([{ text: "第二" }, { text: "the third", remember: true }]);
  assert.ok([first, ...rest].every(({ state }) => state === "queued"));
  const begun = await client.beginTurn({ session: "밤", input: first.id });
  const told = await client.updateTurn(begun.turn.id, { status: "error", error: "저장소가 없다" });
  assert.deepEqual([begun.state, told.state, told.turn.error], ["queued", "queued", "저장소가 없다"]);
  const receipt = await client.remember("李娜喜欢喝茶");
  assert.equal(receipt.outcome, "queued");
  const known = new Set(["첫 번째", "第二", "the third"]);
  assert.deepEqual(new Set(texts((await client.recent()).entries)), known);
  const { status, queued } = await client.queue({ limit: 2 });
  assert.deepEqual([status.depth >= 5, queued.length], [true, 2]);
  await release();
  await client.replayQueue();
  await workedOff(client);
  assert.deepEqual(new Set(texts(await all(client.journal()))), known);
  assert.equal((await client.turn(begun.turn.id)).turn.status, "error");
  assert.equal((await client.get(receipt.id)).memory.content, "李娜喜欢喝茶");
});

test("a change that waits says so and one that was given up can be tried and dropped", async (context) => {
  const client = start(context);
  const { id } = await client.remember("the gate is open");
  const { etag: ifMatch } = await client.get(id);
  const release = await outage(context, server);
  for (const content of ["문이 닫혔다", "门关了"]) {
    const refused = (error) => error instanceof Queued && error.status === 202;
    await assert.rejects(client.revise(id, { content }, { ifMatch }), refused);
  }
  await release();
  await client.replayQueue();
  await workedOff(client);
  assert.equal((await client.get(id)).memory.content, "문이 닫혔다");
  const [dead, ...others] = (await client.queue()).dead;
  assert.match(dead.reason, new RegExp(id));
  assert.deepEqual(others, []);
  assert.equal((await client.replayQueue({ id: dead.id })).revived, 1);
  await workedOff(client);
  await client.dropQueued(dead.id);
  assert.deepEqual((await client.queue()).dead, []);
  await assert.rejects(client.dropQueued(dead.id), { status: 404 });
});

test("names that an event cannot have are not sent", async (context) => {
  const { url, requests } = await stub(context, answers(201, { entries: [] }));
  const client = new Client(url);
  await assert.rejects(client.append("text", { speaker: "Mina" }), TypeError);
  await assert.rejects(client.appendAll([{ text: "good" }, { txt: "bad" }]), TypeError);
  await assert.rejects(client.rememberAll([{ content: "good", tagz: [] }]), TypeError);
  await assert.rejects(client.beginTurn({ text: "good" }), TypeError);
  assert.deepEqual(requests, []);
});
