/** Texts and structures as they came, never more than a screen of them at once. */
import { useSignal } from "@preact/signals";
import { timeline } from "../../strings/timeline.ts";

const LENGTH = 700;

/** A text that is shown in part if it is long. */
export function Text({ children, mono }: { children: string; mono?: boolean }) {
  const isWhole = useSignal(false);
  const isLong = children.length > LENGTH * 1.25;
  const shown = isLong && !isWhole.value ? `${children.slice(0, LENGTH)}…` : children;
  const Held = mono ? "pre" : "p";
  return (
    <>
      <Held class={mono ? "timeline-raw" : "timeline-text"}>{shown}</Held>
      {isLong && (
        <button type="button" class="timeline-link" onClick={() => (isWhole.value = !isWhole.value)}>
          {isWhole.value ? timeline().less : timeline().wholeText}
        </button>
      )}
    </>
  );
}

/** Any value: words as words, structures as they are written. */
export function Value({ value }: { value: unknown }) {
  if (typeof value === "string") return <Text>{value}</Text>;
  return <Text mono>{JSON.stringify(value, null, 2) ?? ""}</Text>;
}
