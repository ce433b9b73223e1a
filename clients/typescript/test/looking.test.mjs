// What people look at: orbits, the graph, why and from where, backups and the sample, against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client } from "perihelion-client";
import { answers, EAGER, hangsUp, place, Server, stub } from "./support.mjs";

// What workers do by themselves would come in between.
const QUIET = "[workers]\nenabled = false\n[server]\nrequests_per_minute = 0\n";
const TEA = "민수는 아침마다 녹차를 마신다";
const KEYS = "灯塔的钥匙在海关";
// The sample is much to load; only a server that is stuck takes so long.
const LOAD_MS = 300_000;

let server;
before(async () => (server = await Server.start(QUIET)));
after(() => server.end());

const start = (context) => server.connect({ namespace: place(context) });
const sum = (items, field) => items.reduce((total, item) => total + item[field], 0);

/** How often a memory was recalled, once everything is counted. */
async function recalls(client, id) {
  await client.maintain();
  return (await client.memoryOrbit(id)).recalls;
}

test("a quiet recall finds the same and counts as nothing", async (context) => {
  const client = start(context);
  const session = "아침/하나";
  const { id } = await client.remember(TEA);
  const { hits } = await client.recall("녹차", { in_session: session, quiet: true });
  assert.deepEqual(hits.map((hit) => hit.memory.id), [id]);
  assert.equal(await recalls(client, id), 0);
  assert.deepEqual((await client.givenToSession(session)).given, []);
  await client.recall("녹차", { in_session: session });
  assert.equal(await recalls(client, id), 1);
  const { given, more, ...where } = await client.givenToSession(session, { limit: 1 });
  assert.deepEqual([given.map((one) => one.text), more], [[TEA], false]);
  assert.deepEqual(where, { namespace: place(context), session });
  assert.equal(sum((await client.latencies({ hours: 1, buckets: 2 })).buckets, "recalls"), 1);
  assert.equal(sum((await client.latencies({ scope: `${place(context)}/없음` })).buckets, "recalls"), 0);
});

test("why a memory is recalled or not is told", async (context) => {
  const client = start(context);
  const { id: tea } = await client.remember(TEA);
  const { id: keys } = await client.remember(KEYS);
  const why = await client.explainRecall("灯塔的钥匙", keys);
  assert.deepEqual([why.recalled, why.reason, why.place, why.memory.content], [true, "recalled", 1, KEYS]);
  assert.ok(why.stages.some(({ stage }) => stage === "words"));
  const shut = await client.explainRecall("灯塔的钥匙", keys, { kinds: ["summary"], pinned: true });
  assert.deepEqual([shut.reason, shut.filtered_by], ["filtered", ["kinds", "pinned"]]);
  assert.equal((await client.explainRecall("灯塔的钥匙", tea, { without: ["meaning"] })).recalled, false);
  // Asked where the client works, unless another place is named.
  const other = server.connect({ namespace: `${place(context)}/other` });
  assert.equal((await other.explainRecall("灯塔的钥匙", keys)).reason, "elsewhere");
  assert.equal((await other.explainRecall("灯塔的钥匙", keys, { scopes: [place(context)] })).reason, "recalled");
  assert.equal(await recalls(client, keys), 0);
});

test("asking why again does no harm and unknown names are not sent", async (context) => {
  const { url, requests } = await stub(context, hangsUp, answers(200, { recalled: true }));
  const client = new Client(url, { retries: EAGER });
  assert.equal((await client.explainRecall("열쇠", "x")).recalled, true);
  assert.equal(requests.length, 2);
  await assert.rejects(client.explainRecall("열쇠", "x", { kindz: ["fact"] }), TypeError);
  await assert.rejects(client.recall("열쇠", { silent: true }), TypeError);
  await assert.rejects(client.orbit({ scope: "team" }), TypeError);
  await assert.rejects(client.graph({ depth: 2 }), TypeError);
  assert.equal(requests.length, 2);
});

test("a memory leads to the event and turn it came from", async (context) => {
  const client = start(context);
  const { turn } = await client.beginTurn({ session: "회의" });
  const { id: entry } = await client.append("민수: 서버 이름은 가니메데", { turn: turn.id });
  const ids = [];
  for (const text of ["스테이징은 가니메데다", "服务器由民秀命名"]) ids.push((await client.remember(text, { entry })).id);
  const trace = await client.traceMemory(ids[0]);
  assert.deepEqual([trace.memory.id, trace.entry.id, trace.turn.id], [ids[0], entry, turn.id]);
  assert.deepEqual(new Set(trace.memories.map(({ id }) => id)), new Set(ids));
  const alone = await client.traceMemory((await client.remember("茶壶是蓝色的")).id);
  assert.deepEqual([alone.entry, alone.memories], [undefined, []]);
});

test("orbits tell where memories are and how they came there", async (context) => {
  const client = start(context);
  const { id: near } = await client.remember(TEA, { importance: 0.6 });
  const { id: far } = await client.remember(KEYS, { importance: 0.1 });
  const { namespace, total, bodies, zones } = await client.orbit();
  assert.deepEqual([namespace, total, bodies[0].label], [place(context), 2, TEA]);
  assert.deepEqual(bodies.map(({ id }) => id), [near, far]);
  assert.equal(sum(zones, "memories"), 2);
  assert.deepEqual((await client.orbit({ limit: 1 })).bodies.map(({ id }) => id), [near]);
  const told = await client.memoryOrbit(near);
  assert.ok(Math.abs(sum(told.parts, "share") - told.score) < 1e-4);
  assert.deepEqual(told.moves.map((move) => move.from ?? null), [null]);
  await client.forget(far);
  const { moves, complete, more, now, until } = await client.orbitMoves({ days: 1, limit: 10 });
  assert.deepEqual(moves.map(({ id }) => id), [near, far, far]);
  assert.deepEqual([moves[2].to ?? null, complete, more, until], [null, true, false, now]);
  const ahead = await client.orbitMoves({ ahead_days: 365 });
  assert.ok(ahead.moves.some(({ id, at }) => id === near && at > ahead.now));
});

test("a graph is told with its edges by the places of their ends", async (context) => {
  const client = start(context);
  const ids = [];
  for (const text of ["펌프가 고장 났다", "保险丝烧断了", "Rain came in"]) ids.push((await client.remember(text)).id);
  const [pump, fuse, rain] = ids;
  const type = "derived_from";
  await client.link({ source: pump, target: fuse, type, weight: 0.75 });
  await client.link({ source: fuse, target: rain, type });
  const { namespace, total_nodes, nodes, edges } = await client.graph();
  assert.deepEqual([namespace, total_nodes], [place(context), 3]);
  assert.deepEqual(new Set(nodes.map(({ id }) => id)), new Set(ids));
  const derived = edges.filter((edge) => edge.type === type);
  const told = derived.map(({ source, target, weight }) => [nodes[source].id, nodes[target].id, weight].join());
  assert.deepEqual(new Set(told), new Set([[pump, fuse, 0.75].join(), [fuse, rain, 1].join()]));
  assert.equal((await client.graph({ limit: 1 })).nodes.length, 1);
});

test("a backup that was made is listed", async (context) => {
  const client = start(context);
  await client.remember(KEYS);
  const made = await client.createBackup();
  const { backups, scheduled } = await client.backups();
  const kept = backups.find(({ name }) => name === made.name);
  assert.deepEqual([kept.memories, kept.bytes, typeof scheduled], [made.memories, made.bytes, "boolean"]);
  assert.ok(made.memories >= 1);
});

test("the sample is loaded once and removed", async () => {
  const client = server.connect({ timeoutMs: LOAD_MS });
  assert.equal((await client.sampleStatus()).loaded, false);
  await assert.rejects(client.removeSample(), { status: 404 });
  const { namespace, memories } = await client.loadSample();
  assert.deepEqual(await client.sampleStatus(), { namespace, memories, loaded: true, own: 0 });
  const [body] = (await client.orbit({ namespace, limit: 1 })).bodies;
  assert.equal((await client.get(body.id)).memory.namespace, namespace);
  await assert.rejects(client.loadSample(), { status: 409 });
  assert.ok((await client.removeSample()).memories >= memories);
  assert.equal((await client.sampleStatus()).loaded, false);
});

test("a key is told what it opens and opens no more", async (context) => {
  const client = start(context);
  const namespace = place(context);
  const { id } = await client.remember(KEYS);
  const me = await client.me();
  assert.deepEqual([me.role, me.scope, me.local, me.read_only], ["admin", "*", false, false]);
  const use = await client.llmCalls({ limit: 1 });
  assert.deepEqual([use.calls, use.spent_tokens_today, use.days.length], [[], 0, 30]);
  const reader = await server.restricted("reader", "elsewhere");
  const { role, scope } = await reader.me();
  assert.deepEqual([role, scope], ["reader", "elsewhere"]);
  for (const work of [
    () => reader.llmCalls(),
    () => reader.backups(),
    () => reader.createBackup(),
    () => reader.loadSample(),
    () => reader.removeSample(),
    () => reader.orbit({ namespace }),
    () => reader.orbitMoves({ namespace }),
    () => reader.graph({ namespace }),
    () => reader.givenToSession("회의", { namespace }),
    () => reader.latencies({ scope: namespace }),
  ]) {
    await assert.rejects(work, { status: 403 });
  }
  await assert.rejects(reader.memoryOrbit(id), { status: 404 });
  await assert.rejects(reader.traceMemory(id), { status: 404 });
  await assert.rejects(reader.explainRecall("钥匙", id), { status: 404 });
});
