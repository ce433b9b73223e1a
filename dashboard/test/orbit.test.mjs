// The orbit: what the picture holds, what it tells, and how it goes through time.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, within } from "./support/browser.mjs";
import { becomesAnother, clickThere, frames, search } from "./support/pointing.mjs";
import { serve } from "./support/server.mjs";

const ZONES = ["core", "inner", "outer", "belt", "cloud"];
const NAMES = ["Core", "Inner", "Outer", "Belt", "Cloud"];
const KOREAN = ["핵심", "안쪽", "바깥쪽", "소행성대", "구름"];
const DAY_MS = 86_400_000;
const ADDED = ["조수표는 두 주마다 새로 받는다", "潮汐表每两周更新一次"];

let server, browser, held;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  await server.ask("POST", "/v1/sample");
  const memories = ADDED.map((content) => ({ content, namespace: "sample" }));
  await server.ask("POST", "/v1/memories/batch", { memories });
  held = await server.ask("GET", "/v1/orbit?namespace=sample");
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** What stands along the rings, for so many in each zone. */
function captions(counts, names = NAMES) {
  return held.zones.map(({ capacity }, zone) => {
    const count = counts[zone].toLocaleString("en");
    return `${names[zone]} ${capacity === null ? count : `${count} / ${capacity.toLocaleString("en")}`}`;
  });
}
const present = () => held.zones.map((zone) => zone.memories);

/** The zones that somebody is told who does not see the picture. */
async function tells(page, expected) {
  const lines = page.locator('[data-part="orbit-zones"] li');
  await page.locator('[data-part="orbit-zones"]', { hasText: expected.join("") }).waitFor({ state: "attached", timeout: 15_000 }).catch(() => undefined);
  assert.deepEqual(await lines.allTextContents(), expected);
}

const stage = (page) => page.getByRole("application", { name: "Orbit of memories" });
const tip = (page) => page.locator('[data-part="orbit-tip"][data-open="true"]');
const panel = (page) => page.getByRole("complementary", { name: "Chosen memory" });
const bodyOf = async (page) => {
  const label = await tip(page).locator("p").first().textContent();
  const found = held.bodies.find((body) => body.label === label);
  assert.ok(found, `${label} is a memory of the server's`);
  return found;
};
const look = (options, work) => within(browser, server.url, "#/orbit", options, async (page) => {
  await tells(page, captions(present()));
  await work(page);
});

test("zones, kinds and the list hold what the server counts", async () => {
  await look({ still: true }, async (page) => {
    await page.getByText(`${held.total} memories circle`).waitFor();
    for (const kind of ["Fact", "Preference", "Decision", "Procedure", "Episode", "Observation", "Summary", "Document"]) {
      const count = held.bodies.filter((body) => body.kind === kind.toLowerCase()).length;
      assert.equal(await page.getByRole("button", { name: new RegExp(`^${kind} ?${count}$`) }).count(), 1, `${count} of ${kind}`);
    }
    await page.getByRole("button", { name: "As a list" }).click();
    const list = page.getByRole("region", { name: "Memories from near to far" });
    const more = list.getByRole("button", { name: "Show more" });
    while (await more.count()) await more.click();
    assert.deepEqual(await list.getByRole("heading", { level: 3 }).allTextContents(), NAMES);
    const lists = await list.locator("ul").evaluateAll((all) => all.map((one) => [...one.querySelectorAll(".orbit-row-label")].map((row) => row.textContent)));
    assert.deepEqual(lists.map((rows) => rows.length), present());
    assert.deepEqual(lists.flat().sort(), held.bodies.map((body) => body.label).sort(), "each memory once");
    await list.getByRole("button", { name: ADDED[0] }).click();
    await panel(page).getByText(ADDED[0]).waitFor();
  });
});

test("the keyboard walks from memory to memory, and Enter leads to one", async () => {
  await look({ still: true }, async (page) => {
    await stage(page).focus();
    for (const zone of ["core", "inner", "outer"]) {
      await page.keyboard.press("ArrowDown");
      await tip(page).getByText(NAMES[ZONES.indexOf(zone)], { exact: true }).waitFor();
      const body = await bodyOf(page);
      assert.equal(body.zone, zone);
      await tip(page).getByText(`${Math.round(body.importance * 100)}%`).first().waitFor();
    }
    const { label } = await bodyOf(page);
    await page.keyboard.press("ArrowRight");
    await tip(page).filter({ hasNotText: label }).waitFor();
    const body = await bodyOf(page);
    assert.equal(body.zone, "outer", "sideways stays in the zone");
    await page.keyboard.press("Enter");
    const { content } = await server.ask("GET", `/v1/memories/${body.id}`);
    await panel(page).getByText(content).waitFor();
    await page.keyboard.press("Escape");
    await panel(page).waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await panel(page).getByRole("link", { name: "Open" }).click();
    await page.waitForURL(`**/#/memory/${body.id}`);
  });
});

test("pointing tells, clicking opens", async () => {
  await look({ still: true }, async (page) => {
    await frames(page, 2);
    await search(page, page.locator(".orbit-hole"), tip(page));
    const body = await bodyOf(page);
    await clickThere(page);
    assert.equal(await panel(page).getByRole("link", { name: "Open" }).getAttribute("href"), `#/memory/${body.id}`);
    await panel(page).getByRole("button", { name: "Close" }).click();
    await panel(page).waitFor({ state: "detached" });
  });
});

test("a search tells how many it found, and they alone are listed", async () => {
  const { hits } = await server.ask("POST", "/v1/recall", { query: "tide tables", scopes: ["sample"], limit: 50, quiet: true });
  assert.ok(hits.length > 3);
  await look({ still: true }, async (page) => {
    const before = await stage(page).screenshot();
    await page.getByRole("searchbox", { name: "Find in the orbit" }).fill("tide tables");
    await page.getByText(`${hits.length} found`, { exact: true }).waitFor();
    await becomesAnother(stage(page), before);
    await page.getByRole("button", { name: "As a list" }).click();
    await page.getByText(`${hits.length} of ${hits.length}`, { exact: true }).waitFor();
    const shown = await page.locator(".orbit-row-label").allTextContents();
    const labels = hits.map((hit) => held.bodies.find((body) => body.id === hit.memory.id).label);
    assert.deepEqual(shown.sort(), labels.sort());
    await page.getByRole("searchbox", { name: "Find in the orbit" }).fill("zzzz qqqq");
    await page.getByText("Nothing relevant", { exact: true }).waitFor();
  });
});

test("a kind is hidden and brought back", async () => {
  const facts = held.bodies.filter((body) => body.kind === "fact").length;
  await look({ still: true }, async (page) => {
    const all = await stage(page).screenshot();
    await page.getByRole("button", { name: /^Fact/, pressed: true }).click();
    await page.getByRole("button", { name: /^Fact/, pressed: false }).waitFor();
    await becomesAnother(stage(page), all);
    await page.getByRole("button", { name: "As a list" }).click();
    await page.getByText(`100 of ${held.total - facts}`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show all kinds" }).click();
    await page.getByText(`100 of ${held.total}`, { exact: true }).waitFor();
  });
});

/** How many were in each zone at a time, by what the server tells of moves. */
function countsAt({ moves, now }, time) {
  const zones = new Map(held.bodies.map((body) => [body.id, body.zone]));
  const happened = moves.filter((move) => move.at <= now);
  if (time < Date.parse(now)) for (const move of happened.reverse()) if (Date.parse(move.at) > time) zones.set(move.id, move.from);
  for (const move of moves) if (move.at > now && Date.parse(move.at) <= time) zones.set(move.id, move.to);
  return ZONES.map((zone) => [...zones.values()].filter((one) => one === zone).length);
}

test("the slider tells what was and what will be, and says which is a projection", async () => {
  await within(browser, server.url, "", { still: true }, async (page) => {
    const asked = page.waitForResponse((response) => response.url().includes("/v1/orbit/moves"));
    await page.goto(`${server.url}/#/orbit`);
    const moves = await (await asked).json();
    const [from, now, until] = [moves.from, moves.now, moves.until].map((time) => Date.parse(time));
    const slider = page.getByRole("slider", { name: "Point in time" });
    for (const [key, time, said] of [
      ["Home", from, /30 days ago/],
      ["PageUp", from + 5 * DAY_MS, /25 days ago/],
      ["End", until, /in 30 days/],
      ["PageDown", until - 5 * DAY_MS, /in 25 days/],
    ]) {
      await slider.press(key);
      await tells(page, captions(countsAt(moves, time)));
      assert.match(await slider.getAttribute("aria-valuetext"), said);
      const source = time < now ? "From the audit log" : "Projection: if nobody uses anything";
      await page.locator(".orbit-moment").getByText(source).waitFor();
    }
    assert.notDeepEqual(countsAt(moves, from), present(), "the past is another");
    assert.notDeepEqual(countsAt(moves, until), present(), "so is the future");
    await page.getByRole("button", { name: "Back to now" }).click();
    await tells(page, captions(present()));
    const other = page.waitForRequest((request) => /orbit\/moves.*days=7&ahead_days=7/.test(request.url()));
    await page.getByRole("button", { name: "7 days" }).click();
    await other;
  });
});

test("time plays until it is paused", async () => {
  await look({ still: true }, async (page) => {
    const slider = page.getByRole("slider", { name: "Point in time" });
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => Number(document.querySelector('.orbit-track input').value) > 20_000);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Play" }).waitFor();
    const value = await slider.inputValue();
    await frames(page, 10);
    assert.equal(await slider.inputValue(), value, "it stands where it was paused");
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction((before) => Number(document.querySelector('.orbit-track input').value) > before, Number(value));
  });
});

test("it revolves, unless motion is not wanted", async () => {
  await look({}, async (page) => {
    const before = await stage(page).screenshot();
    await becomesAnother(stage(page), before);
    await page.getByRole("button", { name: "Stop revolving" }).click();
  });
  await look({ still: true }, async (page) => {
    await page.getByRole("button", { name: "Let it revolve" }).waitFor();
    await frames(page, 3);
    const before = await stage(page).screenshot();
    await frames(page, 30);
    assert.ok(before.equals(await stage(page).screenshot()), "nothing moves");
  });
});

test("the chart is printed on light paper in the light", async () => {
  await look({ still: true, theme: "light" }, async (page) => {
    await frames(page, 3);
    const darkest = await page.locator('[data-part="orbit-stage"] canvas').first().evaluate((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const sums = [0, 0, 0, 0];
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 100) [0, 1, 2].forEach((part) => (sums[part] += data[at + part])), sums[3]++;
      return Math.min(...sums.slice(0, 3)) / sums[3];
    });
    assert.ok(darkest > 200, `the weakest of red, green and blue is ${darkest} on average`);
  });
});

test("all of it is there without WebGL, in Korean", async () => {
  const plain = await launch(["--disable-3d-apis"]);
  try {
    await within(plain, server.url, "#/orbit", { still: true, language: "ko" }, async (page) => {
      await tells(page, captions(present(), KOREAN));
      assert.equal(await page.locator('[data-part="orbit-stage"]').getAttribute("data-painter"), "canvas");
      await frames(page, 2);
      await search(page, page.locator(".orbit-hole"), tip(page));
      const { content } = await server.ask("GET", `/v1/memories/${(await bodyOf(page)).id}`);
      await clickThere(page);
      await page.getByRole("complementary", { name: "고른 기억" }).getByText(content).waitFor();
    });
  } finally {
    await plain.close();
  }
});
