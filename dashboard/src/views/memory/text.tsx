/** What somebody wrote, and only ever as text. */
import { memory } from "../../strings/memory.ts";
import { excerpt, markName, pieces, type Piece } from "./pieces.ts";
import "./text.css";

interface TextProps {
  text: string;
  /** Words to emphasise. */
  words?: readonly string[];
}

const EXCERPT_MAX = 600;

/** As much of it as a list has room for. */
export function Excerpt({ text, words = [] }: TextProps) {
  return <Text text={excerpt(text, words, EXCERPT_MAX)} words={words} />;
}

export function Text({ text, words }: TextProps) {
  return (
    <bdi class="memory-text" dir="auto" lang={languageOf(text)}>
      {pieces(text, words).map((piece, at) => (
        <Shown key={at} piece={piece} />
      ))}
    </bdi>
  );
}

/** Lines break by the customs of the language, whatever the page speaks; the script tells which it is. */
function languageOf(text: string): string | undefined {
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  return /\p{Script=Han}/u.test(text) ? "zh" : undefined;
}

function Shown({ piece }: { piece: Piece }) {
  if (piece.as === "strong") return <mark>{piece.text}</mark>;
  if (piece.as === "plain") return <>{piece.text}</>;
  return (
    <span class="memory-mark" title={memory().mark}>
      {markName(piece.text)}
    </span>
  );
}
