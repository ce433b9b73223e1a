// Ten thousand invented statements that differ, so that none is taken for another.
import { ask } from "./server.mjs";

export const COUNT = 10_000;
const KINDS = ["fact", "preference", "decision", "procedure", "episode", "observation", "document"];
const PEOPLE = ["Ana", "Ben", "Chidi", "민지", "王伟", "Dora", "Emil", "Fatima"];
const THINGS = ["the billing service", "the release notes", "green tea", "the staging cluster", "사진 앨범", "周末计划", "the invoice archive", "the login page"];
const DEEDS = ["owns", "prefers", "asked about", "moved", "broke", "repaired", "wrote down", "decided on"];

/** Invented statements that differ, so that none is taken for another. */
function statement(number) {
  const pick = (list, step) => list[Math.floor(number / step) % list.length];
  return `${pick(PEOPLE, 1)} ${pick(DEEDS, 8)} ${pick(THINGS, 64)} (ticket ${number * 7919}, build ${number})`;
}

/** Puts all of them into a server. */
export async function fill(url) {
  for (let begin = 0; begin < COUNT; begin += 1000) {
    const memories = Array.from({ length: 1000 }, (_, offset) => {
      const number = begin + offset;
      return { content: statement(number), kind: KINDS[number % KINDS.length], importance: ((number * 37) % 100) / 100 };
    });
    await ask(url, "POST", "/v1/memories/batch", { memories });
  }
}
