// Who is let in, against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Client } from "perihelion-client";
import { all, place, Server } from "./support.mjs";

let server;
before(async () => (server = await Server.start()));
after(() => server.end());

async function refused(status, kind, work) {
  await assert.rejects(work, (error) => {
    assert.deepEqual([error.status, error.type], [status, `/problems/${kind}`]);
    return Boolean(error.detail && error.requestId);
  });
}

test("a wrong key and none open nothing", async () => {
  for (const key of ["wrong", "", undefined]) {
    const client = server.connect({ key });
    await refused(401, "unauthenticated", client.recall("anything"));
    await refused(401, "unauthenticated", client.remember("anything"));
    assert.equal(await client.live(), true);
  }
});

test("a key of one namespace does not see another", async (context) => {
  const namespace = place(context);
  const client = server.connect({ namespace });
  const { id } = await client.remember("The safe opens to the left");
  const stranger = await server.restricted("writer", "elsewhere/*");
  await refused(404, "not-found", stranger.get(id));
  await refused(404, "not-found", stranger.revise(id, { content: "mine" }));
  await refused(403, "forbidden", stranger.remember("a guest was here", { namespace }));
  await refused(403, "forbidden", stranger.recall("safe", { scopes: [namespace] }));
  await refused(403, "forbidden", all(stranger.export({ scope: namespace })));
  assert.deepEqual((await stranger.recall("Which way does the safe open?")).hits, []);
  assert.deepEqual((await all(client.list())).map((memory) => memory.id), [id]);
});

test("a reader reads and writes nothing", async (context) => {
  const namespace = place(context);
  await server.connect({ namespace }).remember("The ferry leaves at noon");
  const reader = await server.restricted("reader", namespace);
  assert.equal((await reader.recall("When does the ferry leave?")).hits.length, 1);
  await refused(403, "forbidden", reader.remember("The ferry leaves at one"));
  await refused(403, "forbidden", reader.keys());
});

test("a revoked key opens nothing", async (context) => {
  const admin = server.connect({ namespace: place(context) });
  const { key, secret } = await admin.createKey({ name: "short-lived", role: "writer" });
  assert.equal(key.scope, place(context));
  const client = server.connect({ key: secret });
  await client.remember("The guest has arrived");
  await admin.revokeKey(key.id);
  await refused(401, "unauthenticated", client.remember("The guest is still here"));
  assert.ok((await admin.keys()).some((one) => one.id === key.id && one.revoked_at));
});

test("what is no address is refused at once", () => {
  for (const url of ["127.0.0.1:7437", "ftp://127.0.0.1", ""]) {
    assert.throws(() => new Client(url), TypeError);
  }
});
