// What was done, what worked, who should take a task, and the workers, against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client } from "perihelion-client";
import { all, answers, place, Server, stub } from "./support.mjs";

// What workers do by themselves would come in between.
const QUIET = "[workers]\nenabled = false\n[server]\nrequests_per_minute = 0\n";
const TASKS = ["translate the help pages", "translate button labels into Korean", "translate the error texts"];

let server;
before(async () => (server = await Server.start(QUIET)));
after(() => server.end());

const start = (context) => server.connect({ namespace: place(context) });

test("a task is recorded in any language and told again changes nothing", async (context) => {
  const client = start(context);
  const steps = [{ input: "运行测试", output: "통과", confidence: 0.5 }, { input: "배포" }];
  const told = { task: "로그인을 고쳐 줘", outcome: "partial", agent: "小明", session: "아침", domain: "Testing", steps };
  const receipt = await client.recordTrajectory(told);
  assert.deepEqual([receipt.outcome, receipt.domain], ["stored", "testing"]);
  const found = await client.trajectory(receipt.id);
  assert.deepEqual([found.task, found.agent, found.steps[0].output], ["로그인을 고쳐 줘", "小明", "통과"]);
  const again = await client.recordTrajectory({ task: "another", outcome: "success", id: receipt.id });
  assert.equal(again.outcome, "merged");
  const listed = await all(client.trajectories({ domain: "TESTING", session: "아침", outcome: "partial" }));
  assert.deepEqual(listed.map(({ id }) => id), [receipt.id]);
});

test("trajectories go over all pages", async (context) => {
  const client = start(context);
  for (const number of [1, 2, 3, 4, 5]) await client.recordTrajectory({ task: `${number}번째 일`, outcome: "success" });
  assert.equal((await all(client.trajectories({ limit: 2 }))).length, 5);
});

test("a strategy is kept found and put aside", async (context) => {
  const client = start(context);
  const { pattern } = await client.storePattern("Profile before you optimise the query", { quality: 0.9 });
  const merged = await client.storePattern("profile  before you optimise the query");
  assert.deepEqual([merged.outcome, merged.pattern.id], ["merged", pattern.id]);
  const found = await client.findPatterns({ q: "optimise a slow query" });
  assert.deepEqual([found.patterns[0].pattern.id, typeof found.route.agent], [pattern.id, "string"]);
  assert.equal((await client.findPatterns()).route, undefined);
  assert.equal((await client.promotePattern(pattern.id)).term, "long");
  assert.equal(typeof (await client.retirePattern(pattern.id)).retired_at, "string");
  assert.deepEqual([(await client.patterns()).length, (await client.patterns({ retired: true })).length], [0, 1]);
  assert.equal((await client.restorePattern(pattern.id)).retired_at, undefined);
  assert.equal((await client.pattern(pattern.id)).term, "long");
});

test("routes follow outcomes and what was learned is told and taken back", async (context) => {
  const client = start(context);
  for (const task of TASKS) await client.recordTrajectory({ task, outcome: "success", agent: "번역가" });
  const { agent, outcomes } = await client.route("translate the release notes into Korean");
  assert.deepEqual([agent, outcomes], ["번역가", 3]);
  await client.distil();
  const stats = await client.learningStats();
  assert.deepEqual([stats.trajectories, stats.undistilled, Array.isArray(stats.active_workers)], [3, 0, true]);
  const { router } = await client.train();
  assert.equal((await client.learnedSets("router"))[0].set, router.set);
  assert.equal((await client.rollbackLearned("router", 0)).active, false);
  await assert.rejects(client.rollbackLearned("router", 77), { status: 404 });
});

test("workers are told of and run", async (context) => {
  const client = start(context);
  const names = (await client.workers()).workers.map(({ worker }) => worker);
  assert.deepEqual([names.length, names.includes("audit")], [12, true]);
  const [run] = (await client.dispatchWorkers("map")).results;
  assert.deepEqual([run.status, run.success], ["unavailable", false]);
  assert.equal((await client.workerRuns({ worker: "map", limit: 1 }))[0].number, run.number);
  assert.deepEqual(await client.workerAlerts({ resolved: true, limit: 1 }), []);
  assert.equal(await client.cancelWorker("map"), false);
});

test("records of another store are taken over once", async (context) => {
  const client = start(context);
  const lines = ['{"id": "하나", "text": "민지는 차를 마신다"}', '{"id": "two", "text": "Ana drinks tea"}'];
  const { total, migrated, failed } = await client.migrate(lines);
  assert.deepEqual([total, migrated, failed], [2, 2, 0]);
  assert.equal((await client.migrate(lines)).migrated, 0);
  assert.equal((await all(client.list())).length, 2);
  assert.equal((await client.migrate()).failed, 0);
});

test("a key of one namespace sees no patterns of another and no workers", async (context) => {
  const client = start(context);
  const { id } = (await client.storePattern("回滚之前先问阿娜")).pattern;
  const stranger = await server.restricted("admin", "elsewhere");
  assert.deepEqual(await stranger.patterns(), []);
  assert.equal((await stranger.learningStats()).active_workers, undefined);
  await assert.rejects(stranger.pattern(id), { status: 404 });
  await assert.rejects(stranger.retirePattern(id), { status: 404 });
  await assert.rejects(stranger.patterns({ scope: place(context) }), { status: 403 });
  await assert.rejects(stranger.route("roll back", { namespace: place(context) }), { status: 403 });
  for (const work of [() => stranger.workers(), () => stranger.dispatchWorkers("map"), () => stranger.cancelWorker("map")]) {
    await assert.rejects(work, { status: 403 });
  }
});

test("a pattern that waits is a receipt", async (context) => {
  const { url } = await stub(context, answers(202, { outcome: "queued", pattern: { id: "x" } }));
  assert.equal((await new Client(url).storePattern("先备份")).outcome, "queued");
});

test("names that a task cannot have are not sent", async (context) => {
  const { url, requests } = await stub(context, answers(201, {}));
  const client = new Client(url);
  const task = { task: "text", outcome: "success" };
  await assert.rejects(client.recordTrajectory({ ...task, steps: [{ inputs: "x" }] }), TypeError);
  await assert.rejects(client.recordTrajectory({ ...task, agents: "x" }), TypeError);
  await assert.rejects(client.storePattern("text", { term: "long" }), TypeError);
  assert.deepEqual(requests, []);
});
