// What a person would do with the client, against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { all, place, Server } from "./support.mjs";

let server;
before(async () => (server = await Server.start()));
after(() => server.end());

const start = (context) => server.connect({ namespace: place(context) });

test("what is remembered in any language is recalled", async (context) => {
  const client = start(context);
  for (const [content, question] of [
    ["Mina prefers tea without sugar", "How does Mina like her tea?"],
    ["회의는 매주 화요일 오전 10시에 열린다", "회의는 언제 열리나요?"],
    ["小林住在大阪，每天骑自行车上班", "小林住在哪里？"],
  ]) {
    const receipt = await client.remember(content, { tags: ["이야기", "故事"] });
    assert.equal(receipt.namespace, place(context));
    const { hits } = await client.recall(question);
    assert.equal(hits[0].memory.content, content);
    const { memory } = await client.get(receipt.id);
    assert.deepEqual([memory.content, memory.tags], [content, ["이야기", "故事"]]);
  }
});

test("a memory that has not changed is not sent again", async (context) => {
  const client = start(context);
  const { id } = await client.remember("The door code is kept by Ana");
  const { etag } = await client.get(id);
  assert.deepEqual(await client.get(id, { etag }), { memory: null, etag });
  await client.revise(id, { pinned: true });
  assert.equal((await client.get(id, { etag })).memory.pinned, true);
});

test("whoever saw an older state changes nothing", async (context) => {
  const client = start(context);
  const { id } = await client.remember("The release is on Monday");
  const { etag: ifMatch } = await client.get(id);
  await client.revise(id, { content: "The release is on Tuesday" }, { ifMatch });
  const expected = { status: 412, type: "/problems/precondition-failed" };
  await assert.rejects(client.revise(id, { content: "The release is on Friday" }, { ifMatch }), expected);
  await assert.rejects(client.forget(id, { ifMatch }), (error) => Boolean(error.hint && error.requestId));
  assert.equal((await client.get(id)).memory.content, "The release is on Tuesday");
  const { versions } = await client.history(id);
  assert.deepEqual(versions.map((version) => version.content), ["The release is on Monday"]);
});

test("a time of null is taken away", async (context) => {
  const client = start(context);
  const { id } = await client.remember("The offer stands", { expires_at: "2199-01-01T00:00:00Z" });
  await client.revise(id, { expires_at: null });
  assert.equal((await client.get(id)).memory.expires_at ?? null, null);
});

test("what is forgotten comes back until it is purged", async (context) => {
  const client = start(context);
  const { id } = await client.remember("The spare key lies under the mat");
  await client.forget(id);
  const ids = async (parameters) => (await all(client.list(parameters))).map((memory) => memory.id);
  assert.deepEqual([await ids({ trashed: "only" }), await ids()], [[id], []]);
  await client.restore(id);
  assert.deepEqual(await ids(), [id]);
  await client.forget(id);
  await client.purge(id);
  await assert.rejects(client.get(id), { status: 404, type: "/problems/not-found" });
  await client.forget((await client.remember("The old gate squeaks")).id);
  assert.equal(await client.purgeTrash(), 1);
});

test("a list goes over all pages in order", async (context) => {
  const client = start(context);
  const memories = Array.from({ length: 7 }, (_, number) => ({ content: `Shelf ${number} holds box ${number * 7}` }));
  const ids = (await client.rememberAll(memories)).map((receipt) => receipt.id);
  const listed = await all(client.list({ limit: 3, order: "oldest_first" }));
  assert.deepEqual(listed.map((memory) => memory.id), ids);
  assert.equal((await all(client.list({ kind: ["fact", "decision"], limit: 1000 }))).length, 7);
});

test("a merge is undone", async (context) => {
  const client = start(context);
  const { id: kept } = await client.remember("Ana prefers tea over coffee");
  const { outcome, id, absorbed } = await client.remember("Ana prefers tea to coffee");
  assert.deepEqual([outcome, id], ["merged", kept]);
  assert.equal((await client.split(absorbed)).id, absorbed);
  assert.equal((await all(client.list())).length, 2);
});

test("values are held under keys until they are cleared", async (context) => {
  const client = start(context);
  for (const key of ["draft", "초안/하나 #1?", "100 % 草稿"]) {
    for (const value of ["회의는 금요일", 1.5, false, [], { "받는 사람": ["민수", null] }]) {
      assert.deepEqual((await client.setWork(key, value, { ttl_seconds: 60 })).item.value, value);
      assert.deepEqual((await client.getWork(key)).value, value);
    }
  }
  await client.setWork("draft", "of a session", { session: "s1" });
  assert.equal((await client.getWork("draft", { session: "s1" })).value, "of a session");
  const { items, sessions } = await client.work();
  assert.deepEqual([items.length, sessions.length], [3, 2]);
  assert.deepEqual([await client.clearWork("draft"), await client.getWork("draft")], [1, null]);
  assert.deepEqual([await client.clearAllWork(), await client.clearAllWork({ session: "s1" })], [2, 1]);
});

test("what turned out to matter is promoted and brought back", async (context) => {
  const client = start(context);
  const held = (await client.setWork("plan", "민수에게 사다리를 빌린다")).item.id;
  const { memory, sources } = await client.promote(held, { to: "long_term" });
  assert.deepEqual([memory.layer, sources], ["long_term", [held]]);
  assert.equal(await client.getWork("plan"), null);
  assert.deepEqual((await client.undoPromotion(memory.id)).map((one) => one.id), [held]);
  assert.notEqual(await client.getWork("plan"), null);
});

test("structure and circumstances come back", async (context) => {
  const client = start(context);
  const data = { skill: "차 끓이기", steps: ["물을 끓인다"], conditions: [], success_rate: 0.5 };
  const where = { spatial: { place: "부엌" } };
  const { id } = await client.remember("", { kind: "procedure", data, context: where });
  const { memory } = await client.get(id);
  assert.deepEqual([memory.data, memory.context], [data, where]);
  assert.match(memory.content, /물을 끓인다/);
  const ids = async (place) => (await all(client.list({ context: [`spatial.place=${place}`] }))).map((one) => one.id);
  assert.deepEqual([await ids("부엌"), await ids("사무실")], [[id], []]);
});

test("the days are reported and episodes saved", async (context) => {
  const client = start(context);
  await client.remember("민수가 문을 열었다", { layer: "episodic" });
  assert.equal((await client.report()).counts.stored, 1);
  assert.equal((await client.report({ date: "2020-02-29", days: 2 })).first_day, "2020-02-28");
  // The server may have taken one by itself in this very moment.
  const taken = (await client.takeSnapshot()) ?? (await client.snapshots())[0];
  assert.ok((await client.snapshots()).some((one) => one.file === taken.file));
  assert.equal(await client.takeSnapshot(), null, "nothing has changed since");
  assert.equal((await client.sweep()).outlived, 0);
});

test("linked memories lead to each other", async (context) => {
  const client = start(context);
  const ids = [];
  for (const text of ["The pump failed", "The fuse blew", "Rain came in"]) ids.push((await client.remember(text)).id);
  const [pump, fuse, rain] = ids;
  const type = "derived_from";
  assert.ok((await client.link({ source: pump, target: fuse, type, weight: 0.75 })).linked);
  await client.link({ source: fuse, target: rain, type });
  const edges = (await client.edges(fuse)).filter((edge) => edge.type === type);
  assert.deepEqual(new Set(edges.map((edge) => edge.source)), new Set([pump, fuse]));
  const { steps } = await client.walk(pump, { depth: 2, direction: "out", type: [type] });
  assert.deepEqual(steps.map((step) => step.id), [fuse, rain]);
  assert.notEqual(await client.path(pump, rain), null);
  assert.deepEqual(new Set((await client.pagerank()).ranks.map((rank) => rank.id)), new Set(ids));
  assert.deepEqual((await client.communities()).groups.map((group) => group.sort()), [[...ids].sort()]);
  assert.match(await client.exportGraph({ format: "dot" }), new RegExp(rain));
  assert.equal(await client.unlink({ source: pump, target: fuse, type }), 1);
});

test("a session with any name is begun and ended", async (context) => {
  const client = start(context);
  for (const name of ["plain", "대화/하나 #1?", "100 % 会话"]) {
    await client.startSession(name);
    await client.remember(`In ${name} somebody said that the lamp is green`, { session: name });
    assert.ok((await client.sessions()).some((session) => session.name === name));
    assert.equal((await client.session(name)).session.ended_at ?? null, null);
    const ended = await client.endSession(name);
    assert.ok(ended.session.ended_at);
    assert.match(ended.summary.content, /lamp/);
  }
  await assert.rejects(client.session(".."), TypeError);
});

test("namespaces are moved and deleted", async (context) => {
  const client = start(context);
  await client.remember("The archive is in the cellar");
  const [from, to, scope] = [place(context), `${place(context)}/moved`, `${place(context)}/*`];
  await client.moveNamespace({ from, to });
  assert.deepEqual(await client.namespaces({ scope }), [to]);
  assert.equal((await client.deleteNamespace({ namespace: to, purge: true })).memories, 1);
  assert.deepEqual(await client.namespaces({ scope }), []);
});

test("feedback teaches and can be taken back", async (context) => {
  const client = start(context);
  const { id } = await client.remember("The backup runs at three in the night");
  await client.recall("When does the backup run?");
  await client.feedback("When does the backup run?", { used: [id] });
  assert.equal((await client.weights()).namespace, place(context));
  await client.rollbackWeights(0);
});

test("the server tells of itself", async (context) => {
  const client = start(context);
  await client.remember("The server is in the attic");
  assert.deepEqual([await client.live(), await client.ready()], [true, true]);
  assert.equal((await client.health()).healthy, true);
  assert.equal((await client.stats()).memories, 1);
  assert.equal((await client.version()).name, "perihelion");
  assert.match(await client.metrics(), /# EOF/);
  assert.ok("/v1/recall" in (await client.document()).paths);
  await client.reorbit();
  assert.equal((await client.maintain()).unembedded, 0);
});
