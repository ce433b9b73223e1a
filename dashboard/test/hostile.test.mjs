// Memories that somebody wrote to break the page are text, wherever they are shown.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, overflows, within } from "./support/browser.mjs";
import { HOSTILE } from "./support/hostile.mjs";
import { serve } from "./support/server.mjs";

let server, browser, ids;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
  const memories = HOSTILE.map((content, number) => ({
    content,
    importance: 0.9,
    tags: ['"><img src=x onerror=alert(2)>'],
    session: '"><svg onload=alert(3)>',
    speaker: "<b onmouseover=alert(4)>x</b>",
    source: "javascript:alert(5)",
    metadata: { "<img src=x onerror=alert(6)>": ["<script>alert(7)</script>", number] },
  }));
  const { receipts } = await server.ask("POST", "/v1/memories/batch", { memories });
  ids = receipts.map((receipt) => receipt.id);
  for (const id of ids.slice(1)) {
    await server.ask("POST", "/v1/edges", { source: ids[0], target: id, type: "related_to" });
  }
  await server.ask("PATCH", `/v1/memories/${ids[1]}`, { content: `${HOSTILE[1]} and once more ${HOSTILE[0]}` });
  await server.ask("POST", "/v1/journal", { entries: HOSTILE.map((text) => ({ kind: "message", actor: text.slice(0, 40), text, session: "<i>s</i>" })) });
  await server.ask("POST", "/v1/trajectories", { task: HOSTILE[0], agent: "<img src=x onerror=alert(8)>", outcome: "failure", steps: [{ input: HOSTILE[1], output: HOSTILE[2] }] });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** What of a text can be seen: marks that turn or hide the rest are shown by their names. */
const seen = (text) => text.split(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/).filter((piece) => piece.trim() !== "");

/** Nothing of what was written became a part of the page. */
async function isHarmless(page, where) {
  const made = await page.evaluate(() =>
    [...document.querySelectorAll("main iframe, main script, main link, main form[action], main img, main [onerror], main a[href^='javascript']")].map(
      (element) => element.outerHTML,
    ),
  );
  assert.deepEqual(made, [], `${where}: it is text`);
  assert.equal(await overflows(page), false, `${where}: long words wrap`);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).display), "block", where);
}

test("they are text in every view", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    for (const place of ["orbit", "search?q=script%20alert", "memories", "graph", "timeline", `timeline/${encodeURIComponent("<i>s</i>")}`, "learning", "operations/audit"]) {
      await page.goto(`${server.url}/#/${place}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.waitForTimeout(700);
      await isHarmless(page, place);
    }
  });
});

test("each of them is shown letter for letter on its own page", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    for (const [number, id] of ids.entries()) {
      const { content } = await server.ask("GET", `/v1/memories/${id}`);
      await page.goto(`${server.url}/#/memory/${id}`);
      await page.waitForFunction(
        (pieces) => pieces.every((piece) => document.querySelector("main")?.textContent?.includes(piece)),
        seen(content),
      );
      await isHarmless(page, `memory ${number}`);
    }
  });
});

test("an address that somebody made up does no harm", async () => {
  await within(browser, server.url, "", {}, async (page) => {
    for (const place of ["memory/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "constructor", "__proto__/x", "search?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", "graph?focus=nobody", "%E0%A4%A"]) {
      await page.goto(`${server.url}/#/${place}`);
      await page.waitForTimeout(500);
      await isHarmless(page, place);
    }
  });
});
