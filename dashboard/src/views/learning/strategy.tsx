/** What to do, in words. What stands between backticks is code; all of it is only ever text. */
export function Strategy({ text }: { text: string }) {
  const parts = text.split("`");
  // An odd one out is a backtick and nothing more.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}</>;
}
