// What ten thousand memories cost the browser: node test/measure.mjs
//
// Script time is what the page's own code takes of a frame, whatever draws it: 16.7 ms are there for all of it at 60 a
// second. Without a graphics card drawing is computed too, so the frames themselves say little there.
import { launch, open } from "./support/browser.mjs";
import { COUNT, fill } from "./support/many.mjs";
import { serve } from "./support/server.mjs";

const FRAMES = 120;

const [server, browser] = await Promise.all([serve(), launch()]);
try {
  await fill(server.url);
  console.log(`${COUNT} memories, ${FRAMES} frames each`);
  await measure("orbit, revolving", "#/orbit", '[data-part="orbit-stage"]', async () => {});
  await measure("graph of 10,000, panning", "#/graph?limit=10000", '[data-part="graph-canvas"][data-arranging="false"]', pan);
} finally {
  await browser.close();
  await server.stop();
}

async function measure(name, place, ready, doing) {
  const began = performance.now();
  const { page, context } = await open(browser, server.url, place, { width: 1440, height: 900 });
  await page.locator(ready).first().waitFor({ timeout: 120_000 });
  const opened = performance.now() - began;
  await page.waitForTimeout(2000);
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await metrics(client);
  const until = page.evaluate(frames, FRAMES);
  await doing(page, until);
  const gaps = (await until).sort((a, b) => a - b);
  const after = await metrics(client);
  const script = ((after.ScriptDuration - before.ScriptDuration) * 1000) / FRAMES;
  const at = (share) => gaps[Math.floor((gaps.length - 1) * share)].toFixed(1);
  console.log(`${name}: ready after ${(opened / 1000).toFixed(1)} s, script ${script.toFixed(2)} ms a frame, frames every ${at(0.5)} ms (p95 ${at(0.95)})`);
  await context.close();
}

async function metrics(client) {
  const { metrics } = await client.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** The time between frames, so many times. */
function frames(count) {
  return new Promise((resolve) => {
    const gaps = [];
    let last = performance.now();
    const next = () => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
      if (gaps.length < count) requestAnimationFrame(next);
      else resolve(gaps);
    };
    requestAnimationFrame(next);
  });
}

/** Drags the picture to and fro until the frames are counted. */
async function pan(page, until) {
  let over = false;
  void until.then(() => (over = true));
  await page.mouse.move(900, 500);
  await page.mouse.down();
  for (let step = 0; !over; step++) await page.mouse.move(900 + 200 * Math.sin(step / 10), 500 + 100 * Math.cos(step / 10));
  await page.mouse.up();
}
