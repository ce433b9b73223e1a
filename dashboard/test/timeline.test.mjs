// The timeline: sessions, what happened in them, what memory noted and what it gave.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { becomes, texts } from "./support/reading.mjs";
import { serve } from "./support/server.mjs";

const SAID = "갯벌 지도를 밀물 전에 다시 그려 주세요";
const GIVEN = "潮位表每天早上六点更新";

let server, browser;
before(async () => {
  // Notes outlive their sessions from the first one on.
  [server, browser] = await Promise.all([serve({ settings: "[notes]\npromote_tokens = 1\n" }), launch()]);
  await server.ask("POST", "/v1/sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const flat = (text) => text.replace(/\s+/g, " ").trim();
const place = (session) => `#/timeline/${encodeURIComponent(session)}`;

/** All that the server knows of a session. */
async function known(session) {
  const name = encodeURIComponent(session);
  const [{ turns }, { entries }, { memories }, { notes }, { given }] = await Promise.all([
    server.ask("GET", `/v1/turns?scope=sample&session=${name}&limit=100&order=oldest_first`),
    server.ask("GET", `/v1/journal?scope=sample&session=${name}&limit=100&order=oldest_first`),
    server.ask("GET", `/v1/memories?scope=sample&session=${name}&limit=100`),
    server.ask("GET", `/v1/sessions/${name}/notes?namespace=sample`),
    server.ask("GET", `/v1/sessions/${name}/given?namespace=sample`),
  ]);
  return { turns, entries, memories, notes, given };
}

const moments = (page, strand) => page.locator(`[data-part="timeline-moment"]${strand ? `[data-strand="${strand}"]` : ""}`);
const shownNotes = (page) => texts(page.locator('[data-part="timeline-notes"] .timeline-text'));

test("the sessions are the server's, the latest first, and can be found by name", async () => {
  const { sessions } = await server.ask("GET", "/v1/sessions?scope=sample&limit=100");
  const names = sessions.toSorted((a, b) => b.started_at.localeCompare(a.started_at)).map((one) => one.name);
  await within(browser, server.url, "#/timeline", {}, async (page) => {
    const cards = page.locator('[data-part="timeline-session"]');
    await cards.first().waitFor();
    assert.deepEqual(await texts(cards.locator("strong")), names);
    const { entries } = await server.ask("GET", `/v1/journal?scope=sample&session=${encodeURIComponent(names[0])}&limit=100`);
    await cards.first().getByText(`${entries.length} events`).waitFor();
    await page.getByLabel("Find a session").fill("stor");
    await becomes(() => texts(cards.locator("strong")), names.filter((name) => name.includes("stor")));
    await page.getByLabel("Find a session").fill("storage");
    await cards.first().click();
    await page.getByRole("heading", { level: 1, name: "storage" }).waitFor();
  });
});

test("a session is told in the order of time, and every strand is whole", async () => {
  const { turns, entries, notes, given } = await known("storage");
  assert.ok(turns.length > 0 && notes.length > 1 && given.length > 1, "the sample has all of it");
  await within(browser, server.url, place("storage"), {}, async (page) => {
    await moments(page).first().waitFor();
    const times = await moments(page).locator("time").evaluateAll((all) => all.map((one) => one.dateTime));
    assert.deepEqual(times, times.toSorted(), "in the order of time");
    for (const [strand, all] of Object.entries({ turn: turns, journal: entries, note: notes, given })) {
      assert.equal(await moments(page, strand).count(), all.length, strand);
    }
    assert.deepEqual(await texts(moments(page, "journal").locator(".timeline-text")), entries.map((one) => flat(one.text)));
    assert.deepEqual(await texts(moments(page, "given").locator(".timeline-text")), given.map((one) => flat(one.text)));
    const handed = await moments(page, "given").locator("time").evaluateAll((all) => all.map((one) => Date.parse(one.dateTime)));
    assert.deepEqual(handed, given.map((one) => Date.parse(one.at)), "when it was given is told");

    await page.getByRole("button", { name: `Journal ${entries.length}` }).click();
    await becomes(() => moments(page, "journal").count(), 0);
    assert.equal(await moments(page, "turn").count(), turns.length, "the others stay");
  });
});

test("a turn shows its plan, its tool calls with what came of them, and what happened in it", async () => {
  const { turns } = await known("storage");
  const [turn] = turns;
  const whole = await server.ask("GET", `/v1/turns/${turn.id}`);
  await within(browser, server.url, place("storage"), {}, async (page) => {
    const shown = moments(page, "turn").first();
    await shown.getByText(turn.output_text).first().waitFor();
    await shown.getByText(turn.plan).waitFor();
    const calls = shown.getByRole("list", { name: "Tool calls" }).getByRole("listitem");
    assert.deepEqual(await texts(calls.locator("code")), turn.tool_calls.map((call) => call.name));
    for (const [at, result] of turn.tool_results.entries()) await calls.nth(at).getByText(result.output).waitFor();
    await shown.getByText("Details").click();
    await becomes(() => texts(shown.locator(".timeline-entries .timeline-text")), whole.entries.map((one) => flat(one.text)));
  });
});

test("notes are shown as they were at any moment", async () => {
  const { notes } = await known("kickoff");
  const made = notes.map((note) => Date.parse(note.made_at));
  const [first] = made.toSorted((a, b) => a - b);
  const upTo = (ms) => notes.filter((_, at) => made[at] <= ms).map((note) => flat(note.text));
  assert.ok(upTo(first).length < notes.length, "they grew");
  await within(browser, server.url, place("kickoff"), {}, async (page) => {
    await becomes(() => shownNotes(page), notes.map((note) => flat(note.text)));
    const at = moments(page, "note").first().getByRole("button", { name: /Show the notes as of this moment/ });
    await at.click();
    await becomes(() => shownNotes(page), upTo(first));
    assert.equal(await at.getAttribute("aria-pressed"), "true");
    const slider = page.getByRole("slider", { name: "Notes as of this moment" });
    await slider.press("Home");
    await page.getByText("None yet at this moment.").waitFor();
    await slider.press("End");
    await becomes(() => shownNotes(page), notes.map((note) => flat(note.text)));
    await at.click();
    await page.getByRole("button", { name: "Latest" }).click();
    await becomes(() => shownNotes(page), notes.map((note) => flat(note.text)));
  });
});

test("what was remembered leads to its memory, and back to all sessions", async () => {
  const { memories } = await known("storage");
  const remembered = memories.find((memory) => memory.kind !== "summary");
  await within(browser, server.url, place("storage"), {}, async (page) => {
    await page.getByRole("link", { name: remembered.content, exact: true }).click();
    await page.waitForURL(new RegExp(`#/memory/${remembered.id}`));
    await page.getByText(remembered.content).first().waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "All sessions" }).click();
    await page.locator('[data-part="timeline-session"]').first().waitFor();
  });
});

test("what is said and given now is there, as text, in Korean too", async () => {
  const messages = [{ role: "user", text: SAID }];
  await server.ask("POST", "/v1/sessions/gaetbeol/messages", { namespace: "sample", messages, handed_out: [GIVEN], observe: "now" });
  await within(browser, server.url, place("gaetbeol"), { language: "ko", theme: "light" }, async (page) => {
    await moments(page, "journal").getByText(SAID).waitFor();
    await moments(page, "given").getByText(GIVEN).waitFor();
    await moments(page, "given").getByText("에이전트에게 제공").waitFor();
    await page.getByRole("link", { name: "모든 세션" }).click();
    await page.locator('[data-part="timeline-session"]').first().getByText("gaetbeol").waitFor();
  });
});

test("durable notes and the journal are the server's", async () => {
  const { notes } = await server.ask("GET", "/v1/notes?namespace=sample");
  const { entries } = await server.ask("GET", "/v1/journal?scope=sample&limit=100&order=newest_first");
  assert.ok(notes.length > 1, "some notes outlived their sessions");
  await within(browser, server.url, "#/timeline", {}, async (page) => {
    await page.getByRole("button", { name: "Durable notes" }).click();
    await becomes(() => texts(page.locator('[data-part="timeline-durable"] .timeline-text')), notes.map((note) => flat(note.text)));
    await page.getByRole("button", { name: "Journal", exact: true }).click();
    const shown = page.locator('[data-part="timeline-journal"] .timeline-moment');
    await becomes(() => shown.count(), entries.length);
    await page.getByRole("button", { name: "Outside of sessions" }).click();
    await becomes(() => shown.count(), entries.filter((one) => !one.session).length);
  });
});
