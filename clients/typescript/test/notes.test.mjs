// Notes of sessions and the context of agents, against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { place, Server } from "./support.mjs";

let server;
before(async () => (server = await Server.start("[server]\nrequests_per_minute = 0\n")));
after(() => server.end());

const start = (context) => server.connect({ namespace: place(context) });
const parts = (context) => context.parts.map((part) => part.kind);
const SAID = { role: "user", text: "앞으로 배포는 금요일에 하지 않기로 결정했어.", at: "2026-03-04T05:06:07Z" };

test("what is heard is noted and replayed and forgotten", async (context) => {
  const client = start(context);
  const heard = await client.hear("팀/월요일", [SAID], { user: "小明", observe: "later" });
  assert.deepEqual([heard.outcome, heard.kept, heard.namespace], ["kept", 1, place(context)]);
  assert.equal((await client.hear("팀/월요일", [SAID], { observe: "later" })).repeated, 1);
  await client.observe("팀/월요일");
  const { notes } = await client.sessionNotes("팀/월요일");
  assert.equal(notes.length, 1);
  assert.match(notes[0].text, /금요일/);
  const [spoken] = await client.replay("팀/월요일", { limit: 5 });
  assert.deepEqual([spoken.entry.text, spoken.notes], [SAID.text, notes]);
  const [session] = await client.noteSessions();
  assert.deepEqual([session.session, session.notes, session.pending], ["팀/월요일", 1, 0]);
  assert.deepEqual((await client.durableNotes()).notes, []);
  assert.ok(Array.isArray(await client.observeDue()));
  assert.equal((await client.forgetNotes("팀/월요일")).notes, 1);
  assert.equal(await client.sessionNotes("팀/월요일"), null);
});

test("a context is lent and returned and confirmed once", async (context) => {
  const client = start(context);
  await client.hear("first", [SAID], { observe: "now" });
  const seen = await client.lookAtContext({ session: "first", tokens_max: 500 });
  assert.deepEqual([parts(seen)[0], seen.loan], ["session_notes", null]);
  const lend = (session) => client.context({ session, moment: "start", deliver: "once" });
  const lent = await lend("second");
  assert.ok(parts(lent).includes("earlier_session"));
  await client.returnContext("second", lent.loan);
  const again = await lend("third");
  assert.ok(parts(again).includes("earlier_session"));
  const confirmed = await client.confirmContext("third", again.loan, { handed_out: ["더"] });
  assert.deepEqual([confirmed.session, confirmed.loan], ["third", again.loan]);
  await assert.rejects(client.confirmContext("second", lent.loan), { status: 409 });
  assert.ok(!parts(await lend("fourth")).includes("earlier_session"));
});
