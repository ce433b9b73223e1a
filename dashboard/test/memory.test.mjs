// The list of memories and the page of one: what it says, how it came to be so, and what can be done with it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { ask, serve } from "./support/server.mjs";

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const get = (id, more = "") => server.ask("GET", `/v1/memories/${id}${more}`);
const keep = async (content, more = {}) => (await server.ask("POST", "/v1/memories", { content, namespace: "sample", ...more })).id;
const show = (id, options, work) => within(browser, server.url, `#/memory/${id}`, options, work);
const card = (page, title) => page.locator("section.card", { has: page.getByRole("heading", { level: 2, name: title, exact: true }) });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const says = (page, content) => page.locator('[data-part="content"]').getByText(content, { exact: true }).waitFor();
const percent = (value) => `${Math.round(value * 100)}%`;
const isGone = (id) => assert.rejects(ask(server.url, "GET", `/v1/memories/${id}`), /404|410/);

/** The latest first; those of one moment as the server has them. */
const latest = (memories) => [...memories].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at)).map((memory) => memory.id);

test("the list holds what is kept, the latest first, and is narrowed as the server narrows", async () => {
  const { memories } = await server.ask("GET", "/v1/memories?scope=sample&limit=50");
  const narrowed = await server.ask("GET", "/v1/memories?scope=sample&kind=preference&limit=50");
  assert.ok(narrowed.memories.length > 5);
  await within(browser, server.url, "#/memories", {}, async (page) => {
    const rows = page.locator('[data-part="memory"]');
    const shown = () => rows.evaluateAll((all) => all.map((one) => one.dataset.id));
    await rows.first().waitFor();
    assert.deepEqual(await shown(), latest(memories));
    await button(page, "Filters").click();
    await button(page, "Preference").click();
    await rows.nth(narrowed.memories.length).waitFor({ state: "detached" });
    assert.deepEqual(await shown(), latest(narrowed.memories));
    assert.match(page.url(), /kind=preference/);
    await button(page, "Remember something").click();
    await page.getByLabel("What to keep, complete in itself").fill("涨潮前一小时离开海滩");
    await button(page.getByRole("dialog"), "Save").click();
    await page.getByRole("link", { name: "Open it" }).click();
    await says(page, "涨潮前一小时离开海滩");
    const { memories: own } = await server.ask("GET", "/v1/memories?scope=default");
    assert.deepEqual(own.map((one) => one.content), ["涨潮前一小时离开海滩"], "it is kept beside the sample, not in it");
  });
});

test("it shows what it says, why it is so near, and the event that it came from", async () => {
  const { memories } = await server.ask("GET", "/v1/memories?scope=sample&limit=200");
  const { id, content, session } = memories.find((memory) => memory.entry && memory.session);
  const [orbit, trace] = [await get(id, "/orbit"), await get(id, "/trace")];
  assert.ok(trace.entry.text);
  await show(id, {}, async (page) => {
    await says(page, content);
    const parts = card(page, "Orbit").locator("tr");
    await card(page, "Orbit").getByText(percent(orbit.score)).first().waitFor();
    assert.deepEqual(
      await parts.evaluateAll((all) => all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent))),
      orbit.parts.map((part) => [`${percent(part.value)} × ${percent(part.weight)}`, percent(part.share)]),
    );
    await card(page, "Orbit").getByRole("img", { name: `${orbit.moves.length} move` }).waitFor();
    const came = card(page, "Where it came from");
    await came.locator('[data-part="event"]').getByText(trace.entry.text).waitFor();
    await came.getByRole("link", { name: "Show in the timeline" }).click();
    await page.waitForURL((url) => new URLSearchParams(url.hash.split("?")[1]).get("session") === session);
  });
});

test("an edit writes a new version, and the history shows what differs", async () => {
  const id = await keep("The ferry to the island leaves at nine.", { tags: ["ferry"] });
  await show(id, {}, async (page) => {
    await button(page, "Edit").click();
    const dialog = page.getByRole("dialog", { name: "Edit the memory" });
    await dialog.getByLabel("Content").fill("The ferry to the island leaves at eleven.");
    await dialog.getByLabel("Tags, with commas").fill("ferry, winter");
    await button(dialog, "Save").click();
    await dialog.waitFor({ state: "detached" });
    await says(page, "The ferry to the island leaves at eleven.");
    const difference = card(page, "History").locator('[data-part="diff"]');
    assert.equal(await difference.locator("del").textContent(), "nine");
    assert.equal(await difference.locator("ins").textContent(), "eleven");
    await card(page, "History").getByRole("heading", { name: /Version 2/ }).waitFor();
  });
  const now = await get(id);
  assert.deepEqual([now.content, now.version, now.tags], ["The ferry to the island leaves at eleven.", 2, ["ferry", "winter"]]);
});

test("what somebody else changed meanwhile is told, and nothing is lost", async () => {
  const id = await keep("갈매기 둥지는 모두 마흔두 개다.");
  await show(id, {}, async (page) => {
    await button(page, "Edit").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Content").fill("갈매기 둥지는 모두 쉰 개다.");
    await server.ask("PATCH", `/v1/memories/${id}`, { content: "갈매기 둥지는 모두 마흔다섯 개다." });
    await button(dialog, "Save").click();
    await dialog.getByRole("alert").getByText("갈매기 둥지는 모두 마흔다섯 개다.").waitFor();
    assert.equal(await dialog.getByLabel("Content").inputValue(), "갈매기 둥지는 모두 쉰 개다.", "mine is still there");
    assert.equal((await get(id)).content, "갈매기 둥지는 모두 마흔다섯 개다.", "theirs was not overwritten unasked");
    await button(dialog, "Save mine all the same").click();
    await says(page, "갈매기 둥지는 모두 쉰 개다.");
    await card(page, "History").getByText("갈매기 둥지는 모두 마흔두 개다.").waitFor();
    assert.equal(await card(page, "History").locator('[data-part="diff"]').count(), 2, "both changes are kept");
  });
});

test("it is pinned and unpinned", async () => {
  const id = await keep("Hana keeps the keys of the visitor centre.");
  await show(id, {}, async (page) => {
    await button(page, "Pin").click();
    await page.getByRole("button", { name: "Unpin", pressed: true }).waitFor();
    assert.equal((await get(id)).pinned, true);
    await button(page, "Unpin").click();
    await page.getByRole("button", { name: "Pin", pressed: false }).waitFor();
    assert.ok(!(await get(id)).pinned);
  });
});

test("it is forgotten, restored, and destroyed only after a question", async () => {
  const id = await keep("The old lighthouse has no keeper any more.");
  await show(id, {}, async (page) => {
    await button(page, "Forget").click();
    await page.getByText("This memory lies in the trash.").waitFor();
    assert.ok((await get(id)).trashed_at);
    await page.goto(`${server.url}/#/memories?tab=trash`);
    const row = page.locator(`[data-part="memory"][data-id="${id}"]`);
    await button(row, "Restore").click();
    await row.waitFor({ state: "detached" });
    assert.ok(!(await get(id)).trashed_at);
    await page.goto(`${server.url}/#/memory/${id}`);
    await button(page, "Forget").click();
    await button(page, "Destroy for good").click();
    const question = page.getByRole("dialog", { name: "Destroy this memory for good?" });
    await question.press("Escape");
    await question.waitFor({ state: "detached" });
    assert.ok((await get(id)).trashed_at, "nothing is destroyed unasked");
    await button(page, "Destroy for good").click();
    await button(question, "Destroy for good").click();
    await page.waitForURL("**/#/memories?tab=trash");
    await isGone(id);
    await page.goto(`${server.url}/#/memory/${id}`);
    await page.getByText("There is no such memory").waitFor();
  });
});

test("it is linked to another and unlinked again", async () => {
  const [id, other] = [await keep("The northern hide seats twelve."), await keep("Binoculars are lent at the northern hide.")];
  const edges = async () => (await get(id, "/edges")).edges.map(({ source, target, type }) => [source, target, type]);
  const before = await edges();
  await show(id, {}, async (page) => {
    await button(card(page, "Links"), "Link").click();
    const dialog = page.getByRole("dialog", { name: "Link to another memory" });
    await dialog.getByLabel("What links them").selectOption("sequence");
    await dialog.getByLabel("Words of it, or its id").fill(other);
    await dialog.locator('[data-part="pick"]', { hasText: "Binoculars" }).click();
    await button(dialog, "Link").click();
    await dialog.waitFor({ state: "detached" });
    const edge = card(page, "Links").locator('[data-part="edge"]', { hasText: "followed by" });
    await edge.getByRole("link", { name: /Binoculars/ }).waitFor();
    assert.deepEqual((await edges()).filter(([, , type]) => type === "sequence"), [[id, other, "sequence"]]);
    await button(edge, "Unlink: followed by").click();
    await button(page.getByRole("dialog", { name: "Take this link away?" }), "Unlink").click();
    await edge.waitFor({ state: "detached" });
    assert.deepEqual(await edges(), before);
  });
});

test("what was replaced says so and leads to what holds now", async () => {
  const { memories } = await server.ask("GET", "/v1/memories?scope=sample&limit=200");
  const old = memories.find((memory) => memory.superseded_by);
  const { replaced_by } = await get(old.id, "/history");
  const latest = replaced_by.at(-1);
  await show(old.id, { theme: "light" }, async (page) => {
    await says(page, old.content);
    const notice = page.getByRole("note").filter({ hasText: "This does not hold any more." });
    await notice.getByRole("link", { name: latest.content }).click();
    await page.waitForURL(`**/#/memory/${latest.id}`);
    await says(page, latest.content);
    await card(page, "History").getByRole("heading", { name: "Took the place of" }).waitFor();
  });
});

test("all of it in Korean, on a phone", async () => {
  const id = await keep("지수는 만조 한 시간 전에 순찰을 마친다.");
  await show(id, { language: "ko", theme: "light", width: 390, height: 844, touch: true }, async (page) => {
    await says(page, "지수는 만조 한 시간 전에 순찰을 마친다.");
    for (const title of ["이력", "어디서 왔는지", "연결", "궤도", "정보"]) await card(page, title).waitFor();
    await button(page, "편집").click();
    await page.getByRole("dialog", { name: "기억 편집" }).getByLabel("내용").fill("지수는 만조 두 시간 전에 순찰을 마친다.");
    await button(page, "저장").click();
    await says(page, "지수는 만조 두 시간 전에 순찰을 마친다.");
    const difference = card(page, "이력").locator('[data-part="diff"]');
    assert.deepEqual([await difference.locator("del").textContent(), await difference.locator("ins").textContent()], ["한", "두"]);
    await button(page, "잊기").click();
    await page.getByText("이 기억은 휴지통에 있습니다.").waitFor();
  });
});
