/** What changed between two texts, word by word. */
export interface Change {
  text: string;
  as: "same" | "added" | "removed";
}

// A word, a run of spaces, one sign of a script without spaces, or one other sign.
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}_]+|\s+|[^\s]/gu;
// Beyond so many pairs the middle is shown as replaced whole; a person would not read such a difference anyway.
const PAIRS_MAX = 4_000_000;

export function diff(before: string, after: string): Change[] {
  const [old, now] = [tokens(before), tokens(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const middle = between(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (part: string[]): Change[] => part.map((text) => ({ text, as: "same" }));
  return joined([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))]);
}

function tokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function between(old: string[], now: string[]): Change[] {
  const removed = (text: string): Change => ({ text, as: "removed" });
  const added = (text: string): Change => ({ text, as: "added" });
  if (old.length * now.length > PAIRS_MAX) return [...old.map(removed), ...now.map(added)];
  const lengths = table(old, now);
  const width = now.length + 1;
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  const all: Change[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [was, is] = [old[row], now[column]];
    if (was !== undefined && was === is) {
      all.push({ text: was, as: "same" });
      row++;
      column++;
    } else if (was !== undefined && (is === undefined || at(row + 1, column) >= at(row, column + 1))) {
      all.push(removed(was));
      row++;
    } else {
      all.push(added(is ?? ""));
      column++;
    }
  }
  return all;
}

/** How long the longest common sequence of each two ends is. */
function table(old: string[], now: string[]): Uint32Array {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const here = row * width + column;
      const longer = Math.max(lengths[here + width] ?? 0, lengths[here + 1] ?? 0);
      lengths[here] = old[row] === now[column] ? (lengths[here + width + 1] ?? 0) + 1 : longer;
    }
  }
  return lengths;
}

/** Neighbours of one sort become one piece. Between changes a lone space is no common ground, but only in the way. */
function joined(changes: Change[]): Change[] {
  const all: Change[] = [];
  for (const [at, change] of changes.entries()) {
    const [last, next] = [all.at(-1), changes[at + 1]];
    const isGap = change.as === "same" && /^\s+$/.test(change.text) && last && next && last.as !== "same" && next.as === last.as;
    const as = isGap ? last.as : change.as;
    if (last?.as === as) last.text += change.text;
    else all.push({ text: change.text, as });
  }
  return all;
}
