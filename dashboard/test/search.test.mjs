// The search: what is asked and when, the reasons, and that looking leaves no trace.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { serve } from "./support/server.mjs";

const QUERY = "tide tables";
const STAGES = { words: "Words", meaning: "Meaning", neighbours: "Neighbours", session: "Session", graph: "Graph", speaker: "Speaker", dates: "Dates", typos: "Typos", orbit: "Orbit", adaptation: "Feedback" };

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const recall = (more = {}) => server.ask("POST", "/v1/recall", { query: QUERY, scopes: ["sample"], quiet: true, ...more });
const place = (query, more = "") => `#/search?q=${encodeURIComponent(query)}${more}`;
const field = (page) => page.getByRole("searchbox", { name: "Question or words" });
const written = (value) => {
  const text = Math.abs(value).toFixed(2);
  return text === "0.00" ? text : `${value < 0 ? "−" : "+"}${text}`;
};

/** Waits until the results are those that the server gives, in their order. */
async function shows(page, hits) {
  const shown = () => page.locator('[data-part="result"]').evaluateAll((all) => all.map((one) => one.dataset.id));
  const expected = hits.map((hit) => hit.memory.id);
  await page.waitForFunction(
    (ids) => ids.join() === [...document.querySelectorAll('[data-part="result"]')].map((one) => one.dataset.id).join(),
    expected,
    { timeout: 10_000 },
  ).catch(async () => assert.deepEqual(await shown(), expected));
}

test("it asks once when the typing pauses, and shows what the server finds", async () => {
  const { hits, considered, below_floor } = await recall();
  assert.ok(hits.length > 3);
  await within(browser, server.url, "#/search", {}, async (page) => {
    const asked = [];
    page.on("request", (request) => request.url().endsWith("/v1/recall") && asked.push(request.postDataJSON()));
    // Letter by letter, faster than any machine could make it a pause.
    const type = (text) => field(page).evaluate((input, all) => {
      for (let end = 1; end <= all.length; end++) {
        input.value = all.slice(0, end);
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
    }, text);
    await type(QUERY);
    await shows(page, hits);
    assert.deepEqual(asked, [{ query: QUERY, scopes: ["sample"], quiet: true }]);
    await page.getByRole("status").getByText(`${hits.length} results`).waitFor();
    await page.getByText(`${considered} weighed`).waitFor();
    await page.getByText(`${below_floor} below the floor`).waitFor();
    await type("갈매기 보호구역");
    const korean = await recall({ query: "갈매기 보호구역" });
    await shows(page, korean.hits);
    assert.equal(asked.length, 2, "one question for each pause");
  });
});

test("under each result stand the parts of its score as bars of one scale", async () => {
  const { hits } = await recall();
  await within(browser, server.url, place(QUERY), {}, async (page) => {
    await shows(page, hits);
    const shown = await page.locator('[data-part="result"]').evaluateAll((all) =>
      all.map((one) => ({
        score: one.querySelector(".search-score strong").textContent,
        parts: [...one.querySelectorAll("[data-stage]")].map((line) => [line.dataset.stage, line.children[0].textContent, line.lastChild.textContent]),
        widths: [...one.querySelectorAll("[data-stage]")].map((line) => line.querySelector("i")?.getBoundingClientRect().width ?? 0),
      })),
    );
    const parts = hits.flatMap((hit) => hit.explanation.parts);
    const widths = shown.flatMap((one) => one.widths);
    const longest = parts.reduce((best, part, at) => (part.value > parts[best].value ? at : best), 0);
    hits.forEach(({ score, explanation }, at) => {
      assert.equal(shown[at].score, score.toFixed(2));
      assert.deepEqual(shown[at].parts, explanation.parts.map(({ stage, value }) => [stage, STAGES[stage], written(value)]));
    });
    parts.forEach(({ value }, at) => {
      const due = (Math.abs(value) / parts[longest].value) * widths[longest];
      assert.ok(Math.abs(widths[at] - due) < 1.5, `a bar for ${value} is ${widths[at]} wide and not ${due}`);
    });
  });
});

test("nothing that is looked at counts as used", async () => {
  const { hits } = await recall();
  const state = async () => ({
    recalls: await Promise.all(hits.map(async ({ memory }) => (await server.ask("GET", `/v1/memories/${memory.id}/orbit`)).recalls)),
    events: (await server.ask("GET", "/v1/events?kind=recalled&limit=1000")).events.length,
  });
  const before = await state();
  await within(browser, server.url, place(QUERY), {}, async (page) => {
    await shows(page, hits);
    await page.getByRole("button", { name: "Why this?" }).first().click();
    await page.getByRole("complementary", { name: "Why it was found" }).getByText("Found", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Choose another" }).click();
    await page.locator('[data-part="pick"]').first().waitFor();
    await page.goto(`${server.url}/#/orbit`);
    await page.getByRole("searchbox", { name: "Find in the orbit" }).fill(QUERY);
    await page.getByText(/^\d+ found$/).waitFor();
  });
  assert.deepEqual(await state(), before);
  // The other way round: asked aloud, it would have counted.
  await server.ask("POST", "/v1/recall", { query: QUERY, scopes: ["sample"] });
  assert.equal((await state()).events, before.events + 1);
});

test("filters stand in the address and outlive a reload", async () => {
  const narrowed = await recall({ kinds: ["decision", "procedure"], limit: 5, without: ["meaning"] });
  assert.ok(narrowed.hits.length > 0);
  await within(browser, server.url, place(QUERY), {}, async (page) => {
    await page.getByRole("button", { name: "Filters" }).click();
    const filters = page.getByRole("region", { name: "Filters" });
    await filters.getByRole("button", { name: "Decision" }).click();
    await filters.getByRole("button", { name: "Procedure" }).click();
    await filters.getByRole("group", { name: "Without stage" }).getByRole("button", { name: "Meaning" }).click();
    await filters.getByLabel("Results at most").selectOption("5");
    await shows(page, narrowed.hits);
    await page.reload();
    await shows(page, narrowed.hits);
    assert.equal(await filters.getByRole("button", { pressed: true }).count(), 3);
    await filters.getByRole("button", { name: "Clear all filters" }).click();
    await shows(page, (await recall()).hits);
    assert.equal(new URL(page.url()).hash, `#/search?q=${QUERY.replace(" ", "+")}`);
  });
});

test("nothing relevant is said as an answer, and what lies below the floor is shown on demand", async () => {
  const query = "zebra racing championship";
  const nothing = await recall({ query });
  assert.equal(nothing.hits.length, 0);
  assert.ok(nothing.below_floor > 0);
  await within(browser, server.url, place(query), {}, async (page) => {
    await page.getByRole("heading", { name: "Nothing relevant" }).waitFor();
    await page.getByText(new RegExp(`^${nothing.considered} memor.* weighed and ${nothing.below_floor} stayed below`)).waitFor();
    await page.getByRole("button", { name: "Show below the floor" }).click();
    await shows(page, (await recall({ query, without: ["floor"] })).hits);
  });
});

/** The pane says of a memory what the server says. */
async function explains(page, id, title) {
  const why = await server.ask("POST", "/v1/recall/why", { query: QUERY, scopes: ["sample"], id });
  const pane = page.getByRole("complementary", { name: title });
  await pane.locator(`blockquote a[href="#/memory/${id}"]`).waitFor();
  const rungs = await pane.locator("[data-stage]").evaluateAll((all) =>
    all.map((one) => [one.dataset.stage, one.querySelector(".number").textContent, one.querySelector(".search-standing").textContent]),
  );
  assert.deepEqual(rungs, why.stages.map(({ stage, value, place: at, of }) => [stage, written(value), `place ${at} of ${of}`]));
  if (why.place !== null) await pane.getByText(`place ${why.place} of ${why.weighed}`, { exact: true }).last().waitFor();
  return why;
}

test("why something was not found is told as the server tells it", async () => {
  const { hits } = await recall();
  await within(browser, server.url, place(QUERY), {}, async (page) => {
    await shows(page, hits);
    await page.getByRole("button", { name: "Something missing?" }).click();
    await page.locator('[data-part="pick"]').first().click();
    await page.waitForURL(/why=[0-9a-f-]{36}/);
    const id = /why=([0-9a-f-]{36})/.exec(page.url())[1];
    const why = await explains(page, id, "Why it was not found");
    assert.ok(!why.recalled && why.stages.length > 0, why.reason);
    await page.locator('[data-part="verdict"]').getByText("Not found", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Why this?" }).nth(1).click();
    assert.ok((await explains(page, hits[1].memory.id, "Why it was found")).recalled);
    const { memories } = await server.ask("GET", "/v1/memories?scope=sample&trashed=only&limit=1");
    await page.goto(`${server.url}/${place(QUERY, `&why=${memories[0].id}`)}`);
    assert.equal((await explains(page, memories[0].id, "Why it was not found")).reason, "trashed");
    await page.getByRole("link", { name: "Open it to restore it" }).waitFor();
  });
});

test("the keyboard goes through the results, opens one, and clears", async () => {
  const { hits } = await recall();
  await within(browser, server.url, place(QUERY), {}, async (page) => {
    await shows(page, hits);
    const at = () => page.evaluate(() => document.activeElement?.closest('[data-part="result"]')?.dataset.id ?? document.activeElement?.getAttribute("type"));
    await page.waitForFunction(() => document.activeElement?.matches(".search-field input"));
    for (const [key, where] of [["ArrowDown", hits[0].memory.id], ["ArrowDown", hits[1].memory.id], ["ArrowUp", hits[0].memory.id], ["ArrowUp", "search"], ["ArrowDown", hits[0].memory.id], ["Escape", "search"], ["ArrowDown", hits[0].memory.id]]) {
      await page.keyboard.press(key);
      assert.equal(await at(), where, key);
    }
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/#/memory/${hits[0].memory.id}`);
    await page.goBack();
    await shows(page, hits);
    await field(page).press("Escape");
    await page.getByRole("heading", { name: "How a memory is found" }).waitFor();
    assert.equal(await field(page).inputValue(), "");
  });
});

test("a Korean question is answered in Korean", async () => {
  const korean = await recall({ query: "만조" });
  assert.ok(korean.hits.length > 0);
  await within(browser, server.url, place("만조"), { language: "ko", theme: "light", width: 390, height: 844, touch: true }, async (page) => {
    await shows(page, korean.hits);
    await page.getByText(`결과 ${korean.hits.length}개`).waitFor();
    await page.getByRole("button", { name: "왜 나왔나요?" }).first().click();
    await page.getByRole("complementary", { name: "찾은 이유" }).getByText("찾음", { exact: true }).waitFor();
  });
});
