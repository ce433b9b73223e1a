// Learning: patterns, routes, recorded tasks and what it gained.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { becomes, figures, texts } from "./support/reading.mjs";
import { serve } from "./support/server.mjs";

const flat = (text) => text.replaceAll("`", "").replace(/\s+/g, " ").trim();
const percent = (value, digits = 0) => new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: digits }).format(value);

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const patterns = async (more = "") => (await server.ask("GET", `/v1/patterns?scope=sample&limit=200${more}`)).patterns;
const rows = (page) => page.locator('[data-part="pattern"]');
const ids = (page) => rows(page).evaluateAll((all) => all.map((one) => one.dataset.id));

test("the figures are the server's", async () => {
  const numbers = await server.ask("GET", "/api/memory/learning/stats?scope=sample");
  await within(browser, server.url, "#/learning", {}, async (page) => {
    await page.locator(".learning-figures").waitFor();
    const shown = await figures(page.locator(".learning-figures .figure"));
    const wanted = { "Proven patterns": numbers.long_term, "Patterns on trial": numbers.short_term, "Put aside": numbers.retired, "Recorded tasks": numbers.trajectories };
    for (const [name, value] of Object.entries(wanted)) assert.equal(shown[name], String(value), name);
    const { sets } = await server.ask("GET", "/v1/learning/sets?name=router&namespace=sample");
    const router = page.getByRole("region", { name: "Router" });
    await router.getByText(sets[0].reason).waitFor();
    await router.getByText("holds", { exact: true }).waitFor();
  });
});

test("a pattern is put aside and brought back", async () => {
  const all = await patterns();
  await within(browser, server.url, "#/learning/patterns", {}, async (page) => {
    await becomes(() => ids(page), all.map((one) => one.id), "every pattern that is offered");
    assert.deepEqual(await texts(rows(page).locator(".learning-strategy")), all.map((one) => flat(one.strategy)));
    const first = page.locator(`[data-part="pattern"][data-id="${all[0].id}"]`);
    await first.getByText(percent(all[0].quality), { exact: true }).first().waitFor();
    await first.getByRole("button", { name: "Put aside" }).click();
    await first.waitFor({ state: "detached" });
    assert.ok(!(await patterns()).some((one) => one.id === all[0].id), "the server does not offer it");

    await page.getByRole("group", { name: "Show" }).getByRole("button", { name: "Put aside" }).click();
    await first.getByRole("button", { name: "Bring back" }).waitFor();
    const aside = (await patterns("&retired=true")).filter((one) => one.retired_at);
    assert.ok((await ids(page)).includes(all[0].id) && aside.some((one) => one.id === all[0].id), "it is among those put aside");
    await first.getByRole("button", { name: "Bring back" }).click();
    await page.getByText("It is offered again.").waitFor();
    assert.ok((await patterns()).some((one) => one.id === all[0].id), "the server offers it again");
  });
});

test("patterns are found by a task, as the server finds them", async () => {
  const task = "fix a wrong date in the counts";
  const { patterns: found } = await server.ask("GET", `/api/memory/patterns?q=${encodeURIComponent(task)}&namespace=sample&limit=20`);
  await within(browser, server.url, "#/learning/patterns", {}, async (page) => {
    await page.getByLabel("Find by task").fill(task);
    await becomes(() => ids(page), found.map((one) => one.pattern.id));
    await rows(page).first().getByText(`${percent(found[0].similarity)} alike`).waitFor();
  });
});

test("who should take a task is what the server says, with how sure it is and why", async () => {
  const task = "fix the flaky login test";
  const routed = await server.ask("POST", "/v1/route", { task, namespace: "sample" });
  await within(browser, server.url, "#/learning", {}, async (page) => {
    await page.getByLabel("Task", { exact: true }).fill(task);
    await page.keyboard.press("Enter");
    const shown = page.locator('[data-part="route"]');
    await shown.getByText(routed.agent, { exact: true }).first().waitFor();
    await shown.getByText(`${percent(routed.confidence)} sure`).waitFor();
    assert.deepEqual(await texts(shown.locator(".learning-reasons li")), routed.reasons.map(flat));
    const others = routed.alternatives.filter((one) => one.confidence >= 0.0005);
    const bars = shown.getByRole("list", { name: "Who else might" });
    assert.deepEqual(await texts(bars.locator(".bars-name")), others.map((one) => one.agent));
    assert.deepEqual(await texts(bars.locator(".bars-text")), others.map((one) => percent(one.confidence, 1)));
    assert.deepEqual(await texts(shown.locator(".learning-worked li > span:first-child")), routed.patterns.map((one) => flat(one.pattern.strategy)));
  });
});

test("a pattern leads to the tasks it was drawn from, and those to their steps", async () => {
  const drawn = (await patterns()).find((one) => one.sources?.length > 1);
  const task = await server.ask("GET", `/v1/trajectories/${drawn.sources[0]}`);
  await within(browser, server.url, "#/learning/patterns", {}, async (page) => {
    const row = page.locator(`[data-part="pattern"][data-id="${drawn.id}"]`);
    await row.getByText(`Drawn from ${drawn.sources.length} tasks`).click();
    await row.getByRole("link").first().click();
    await page.getByRole("heading", { level: 2, name: task.task }).waitFor();
    const steps = page.getByRole("list", { name: `${task.steps.length} steps` }).getByRole("listitem");
    assert.deepEqual(await texts(steps.locator("code")), task.steps.map((step) => flat(step.input)));
    await page.getByRole("link", { name: "All tasks" }).click();
    await page.getByRole("table", { name: "Recorded tasks" }).waitFor();
  });
});

test("recorded tasks are the server's, by how they ended", async () => {
  const { trajectories } = await server.ask("GET", "/v1/trajectories?scope=sample&limit=50");
  const { trajectories: failed } = await server.ask("GET", "/v1/trajectories?scope=sample&limit=50&outcome=failure");
  const named = (all) => all.map((one) => flat(one.task));
  await within(browser, server.url, "#/learning/trajectories", {}, async (page) => {
    const table = page.getByRole("table", { name: "Recorded tasks" });
    await becomes(() => texts(table.locator("tbody td.wide")), named(trajectories));
    await table.getByRole("button", { name: "Details" }).first().click();
    assert.deepEqual(await texts(table.locator(".learning-steps code")), trajectories[0].steps.map((step) => flat(step.input)));
    await page.getByRole("group", { name: "Outcome" }).getByRole("button", { name: "failure" }).click();
    await becomes(() => texts(table.locator("tbody td.wide")), named(failed));
  });
});

test("the gain over time is what the worker benchmark measured", async () => {
  await within(browser, server.url, "#/learning", {}, async (page) => {
    await page.getByText("Not measured yet").waitFor();
    for (let run = 0; run < 2; run++) await server.ask("POST", "/api/workers/dispatch?worker=benchmark");
    const { runs } = await server.ask("GET", "/v1/workers/runs?worker=benchmark&limit=2");
    await page.reload();
    const card = page.locator("section.card", { has: page.getByRole("heading", { name: "How good recall is" }) });
    await card.getByRole("img", { name: "How good recall is" }).locator("canvas").waitFor();
    const shown = await figures(card.locator(".figure"));
    assert.equal(shown["of use among the first 5"], percent(runs[0].detail.figures.recall_at_5, 1));
    await card.getByText(`${runs[0].detail.figures.questions} judged questions`).waitFor();
  });
});

test("new tasks become patterns when somebody asks for it, in Korean", async () => {
  // Those on trial are put aside when their time is over, which depends on the hour of the day; they stay kept.
  const kept = async () => {
    const numbers = await server.ask("GET", "/api/memory/learning/stats?scope=sample");
    return numbers.long_term + numbers.short_term + numbers.retired;
  };
  const before = await kept();
  const steps = ["조석표를 읽는다", "경고 시각을 계산한다", "화면을 확인한다"].map((input) => ({ input, output: "완료" }));
  for (const hour of ["06", "07", "08"]) {
    const task = `밀물 경고를 ${hour}시에 보낸다`;
    await server.ask("POST", "/v1/trajectories", { namespace: "sample", task, domain: "밀물", agent: "coder", steps, outcome: "success", duration_ms: 60_000 });
  }
  await within(browser, server.url, "#/learning", { language: "ko", theme: "light" }, async (page) => {
    await page.getByText("3개는 아직").waitFor();
    await page.getByRole("button", { name: "패턴 뽑기" }).click();
    await becomes(async () => (await server.ask("GET", "/api/memory/learning/stats?scope=sample")).undistilled, 0, "all was drawn from");
    await page.getByRole("link", { name: "패턴", exact: true }).click();
    await becomes(async () => (await ids(page)).length, (await patterns()).length);
    assert.ok((await kept()) >= before, "nothing was lost");
    await page.getByText("조석표를 읽는다").first().waitFor();
  });
});
