/**
 * A text cut into what is shown as it is, what is emphasised, and what cannot be seen. Marks that turn the direction of
 * writing or have no width can make a text look like another one, so they are shown by their numbers.
 */
export interface Piece {
  text: string;
  as: "plain" | "strong" | "mark";
}

// Zero-width joiners are left alone: emoji and several scripts are written with them.
const MARKS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const WORD = /[\p{L}\p{N}\p{M}_]+/gu;
// Scripts that are written without spaces, or that put endings right behind a word.
const JOINED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const ENDING = /^(|e|y|s|es|ed|d|er|ers|or|ing|ings|ly|ies|ied|ion|ions|al|ment|ments|n|en)$/;
const STEM_MIN = 3;
const BEGINNING_MIN = 5;

/** Cuts a text, with these words emphasised. */
export function pieces(text: string, words: readonly string[] = []): Piece[] {
  const folded = words.map(fold).filter((word) => word !== "");
  const cut = folded.length === 0 ? [{ text, as: "plain" } as Piece] : emphasised(text, folded);
  return cut.flatMap((piece) => withMarks(piece));
}

/**
 * So much of a text as a list shows: its beginning, or, where the first emphasised word stands far behind, what is around
 * that.
 */
export function excerpt(text: string, words: readonly string[], max: number): string {
  if (text.length <= max) return text;
  const first = words.length === 0 ? 0 : firstStrong(text, words);
  const start = first < max / 2 ? 0 : first - Math.floor(max / 4);
  // A sign of two halves must not be cut in the middle.
  const cut = text.slice(start, start + max).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${start > 0 ? "… " : ""}${cut}${start + max < text.length ? " …" : ""}`;
}

function firstStrong(text: string, words: readonly string[]): number {
  let at = 0;
  for (const piece of emphasised(text, words.map(fold))) {
    if (piece.as === "strong") return at;
    at += piece.text.length;
  }
  return 0;
}

/** What a mark is called, such as `U+202E`. */
export function markName(mark: string): string {
  return `U+${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function emphasised(text: string, words: string[]): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  const add = (until: number, as: Piece["as"]) => {
    if (until > from) found.push({ text: text.slice(from, until), as });
    from = until;
  };
  for (const match of text.matchAll(WORD)) {
    for (const [start, end] of spans(match[0], words)) {
      add(match.index + start, "plain");
      add(match.index + end, "strong");
    }
  }
  add(text.length, "plain");
  return found;
}

/** Which part of a word of the text is one of the words. */
function spans(word: string, words: string[]): Array<[number, number]> {
  const own = fold(word);
  // Folding may change the length of a few words; those are then emphasised as a whole.
  const exact = own.length === word.length;
  if (words.some((other) => isSame(own, other))) return [[0, word.length]];
  const inside = words.filter((other) => JOINED.test(other) && own.includes(other));
  const longest = inside.sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) return [];
  const at = own.indexOf(longest);
  return exact ? [[at, at + longest.length]] : [[0, word.length]];
}

/** Whether two words are the same but for their endings. */
function isSame(a: string, b: string): boolean {
  if (a === b) return true;
  if (JOINED.test(a) || JOINED.test(b)) return false;
  if (b.length >= BEGINNING_MIN && a.startsWith(b)) return true;
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared++;
  return shared >= STEM_MIN && ENDING.test(a.slice(shared)) && ENDING.test(b.slice(shared));
}

function withMarks(piece: Piece): Piece[] {
  if (!MARKS.test(piece.text)) return [piece];
  const all: Piece[] = [];
  for (const sign of piece.text) {
    const last = all.at(-1);
    if (MARKS.test(sign)) all.push({ text: sign, as: "mark" });
    else if (last && last.as === piece.as) last.text += sign;
    else all.push({ text: sign, as: piece.as });
  }
  return all;
}
