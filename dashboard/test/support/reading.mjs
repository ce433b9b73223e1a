// Reads what a page shows, to be held against what the server says.
import assert from "node:assert/strict";

const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** The texts of all that are found, each in one line. */
export const texts = async (locator) => (await locator.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());

/** Waits until what is read equals what is wanted, and says how it differs if it never does. */
export async function becomes(read, wanted, what) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const got = await read();
    try {
      assert.deepEqual(got, wanted, what);
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** What the terms of a list of definitions say. */
export async function figures(locator) {
  const found = await locator.evaluateAll((all) => all.map((one) => [one.querySelector("dt")?.textContent, one.querySelector("dd")?.firstChild?.textContent]));
  return Object.fromEntries(found);
}
