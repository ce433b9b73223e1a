// What is sent again, and what never is.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, EventsMissing, Unreachable } from "perihelion-client";
import { all, answers, breaksOff, EAGER, forwarder, hangsUp, PATIENT, place, Server, stub } from "./support.mjs";

const STORED = answers(201, { id: "x", outcome: "stored" });
const busy = (status, headers) => answers(status, { type: "/problems/busy", detail: "later" }, headers);

async function scripted(context, script, options = {}) {
  const { url, requests } = await stub(context, ...script);
  const keys = () => requests.map((request) => request.headers["idempotency-key"]);
  return { client: new Client(url, { retries: EAGER, ...options }), requests, keys };
}

test("a write whose answer is lost is sent again under the same key", async (context) => {
  const { client, requests, keys } = await scripted(context, [hangsUp, hangsUp, STORED]);
  assert.equal((await client.remember("once")).outcome, "stored");
  assert.equal(requests.length, 3);
  assert.equal(new Set(keys()).size, 1);
  assert.equal(new Set(requests.map((request) => request.body)).size, 1);
});

test("every write has a key of its own unless one is given", async (context) => {
  const { client, keys } = await scripted(context, [STORED]);
  await client.remember("one");
  await client.remember("one");
  await client.remember("one", {}, { idempotencyKey: "mine" });
  const [first, second, third] = keys();
  assert.ok(first && second && first !== second);
  assert.equal(third, "mine");
});

test("a request that could be done twice is sent once", async (context) => {
  for (const script of [hangsUp, busy(503, { "retry-after": "0" })]) {
    const { client, keys } = await scripted(context, [script]);
    await assert.rejects(client.createKey({ name: "k", role: "reader" }), { name: /PeriError|Unreachable/ });
    assert.deepEqual(keys(), [undefined]);
  }
});

test("a busy server is asked again only when it says so", async (context) => {
  for (const [status, headers, times] of [
    [429, { "retry-after": "0" }, 2],
    [503, { "retry-after": "0" }, 2],
    [503, {}, 1],
    [500, { "retry-after": "0" }, 1],
    [400, {}, 1],
    [409, {}, 1],
  ]) {
    const { client, requests } = await scripted(context, [busy(status, headers), STORED]);
    if (times === 1) await assert.rejects(client.remember("text"), { status });
    else await client.remember("text");
    assert.equal(requests.length, times);
  }
});

test("a first request that is still worked on is waited for", async (context) => {
  const underWay = answers(409, { type: "/problems/under-way", detail: "wait" }, { "retry-after": "0" });
  const { client } = await scripted(context, [underWay, STORED]);
  assert.equal((await client.remember("text")).outcome, "stored");
});

test("retries come to an end", async (context) => {
  const { client, requests } = await scripted(context, [hangsUp]);
  await assert.rejects(client.recall("anything"), (error) => error instanceof Unreachable && error.status === undefined);
  assert.equal(requests.length, 1 + EAGER.count);
});

test("a stream that breaks off is not taken for whole", async (context) => {
  const { client } = await scripted(context, [breaksOff('{"a":1}\n{"b"')]);
  const lines = client.export();
  assert.equal((await lines.next()).value, '{"a":1}');
  await assert.rejects(lines.next(), Unreachable);
});

test("events that are gone are told of", async (context) => {
  const lagged = 'retry: 3000\n\nevent: lagged\ndata: {"after":3,"through":9}\n\n';
  const { client } = await scripted(context, [breaksOff(lagged)]);
  const events = await client.events({ after: 3 });
  await assert.rejects(events.next(), (error) => error instanceof EventsMissing && error.through === 9);
});

test("events come once however often the stream breaks", async (context) => {
  const told = (...numbers) =>
    numbers.map((number) => `id: ${number}\nevent: stored\ndata: {"number":${number}}\n\n`).join("");
  const { client, requests } = await scripted(context, [
    breaksOff(`${told(4, 5)}id: 6\nevent: stored\ndata: {"num`),
    breaksOff(": alive\nid: 8\n\n"),
    breaksOff(told(9)),
  ]);
  const events = await client.events({ after: 3 });
  const numbers = [];
  while (numbers.length < 3) numbers.push((await events.next()).value.number);
  assert.deepEqual(numbers, [4, 5, 9]);
  assert.deepEqual(requests.map((request) => request.headers["last-event-id"]), ["3", "5", "8"]);
});

test("an answer of something in between is an error all the same", async (context) => {
  const gateway = (_, response) => response.writeHead(502, { "x-request-id": "r1" }).end("<html>Bad Gateway</html>");
  const { client } = await scripted(context, [gateway]);
  await assert.rejects(client.health(), { status: 502, requestId: "r1" });
});

test("names that the server does not know are not sent", async (context) => {
  const { client, requests } = await scripted(context, [STORED]);
  await assert.rejects(client.remember("text", { tagz: ["a"] }), TypeError);
  await assert.rejects(client.recall("text", { scope: "team" }), TypeError);
  await assert.rejects(all(client.list({ tags: ["a"] })), TypeError);
  await assert.rejects(client.get(""), TypeError);
  assert.deepEqual(requests, []);
});

test("lists, truth and any character survive the address", async (context) => {
  const empty = answers(200, { memories: [], next_cursor: null });
  const { client, requests } = await scripted(context, [empty], { namespace: "팀/에이전트" });
  await all(client.list({ tag: ["a&b=c", "둘"], pinned: false, session: null }));
  const asked = new URL(requests[0].path, "http://localhost").searchParams;
  assert.deepEqual([...asked].sort(), [
    ["pinned", "false"],
    ["scope", "팀/에이전트"],
    ["tag", "a&b=c"],
    ["tag", "둘"],
  ]);
});

test("a server behind a path is reached with the key, which follows no pointer elsewhere", async (context) => {
  const elsewhere = (_, response) => response.writeHead(307, { location: "/stolen" }).end();
  const { url, requests } = await stub(context, STORED, elsewhere);
  const client = new Client(`${url}/memory/`, { key: "secret", retries: { count: 0 } });
  await client.remember("text");
  assert.equal(requests[0].path, "/memory/v1/memories");
  assert.equal(requests[0].headers.authorization, "Bearer secret");
  await assert.rejects(client.health(), Unreachable);
  assert.ok(requests.every((request) => request.path !== "/stolen"));
});

test("an answer that does not come is given up", async (context) => {
  const { client } = await scripted(context, [() => {}], { timeoutMs: 1, retries: { count: 0 } });
  await assert.rejects(client.health(), Unreachable);
});

test("a write is stored once though the server was restarted before it was answered", async (context) => {
  const server = await Server.start();
  context.after(() => server.end());
  let lost = 0;
  const loses = async () => {
    if (lost > 0) return false;
    lost++;
    await server.stop();
    await server.start();
    return true;
  };
  const url = await forwarder(context, () => server.url, loses);
  const options = { key: server.admin, namespace: place(context) };
  const receipt = await new Client(url, { ...options, retries: PATIENT }).remember("The parcel was delivered");
  assert.equal(lost, 1);
  // Done a second time, it would have been merged into the first.
  assert.equal(receipt.outcome, "stored");
  const client = server.connect(options);
  assert.deepEqual((await all(client.list())).map((memory) => memory.id), [receipt.id]);
  assert.deepEqual((await client.eventLog({ kind: ["repeated"] })).events, []);
});
