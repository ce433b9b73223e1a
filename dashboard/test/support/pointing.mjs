// Pointing at what is drawn and has no element of its own.
import assert from "node:assert/strict";

const STEPS = 400;

/** Waits until so many frames were drawn. */
export async function frames(page, count) {
  for (let left = count; left > 0; left--) await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
}

/** Goes outward over a part of the page in a spiral, until something under the pointer makes `told` appear. */
export async function search(page, part, told) {
  const { x, y, width, height } = await part.boundingBox();
  for (let step = 6; step < STEPS; step++) {
    const [angle, out] = [step * 0.7, (step / STEPS) * 0.45];
    await page.mouse.move(x + width * (0.5 + out * Math.cos(angle)), y + height * (0.5 + out * Math.sin(angle)));
    if (await told.count()) return;
  }
  assert.fail("nothing was found under the pointer");
}

/** Where the pointer is. */
export async function clickThere(page) {
  await page.mouse.down();
  await page.mouse.up();
}

/** What is drawn becomes another picture than one before. */
export async function becomesAnother(drawn, before) {
  for (let tries = 0; before.equals(await drawn.screenshot()); tries++) assert.ok(tries < 20, "the picture stays as it was");
}
