/** Finds memories in the picture. Looking counts as no use of them. */
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ask, asProblem } from "../../api.ts";
import { Icon } from "../../parts/icon.tsx";
import { namespace } from "../../state.ts";
import { orbit } from "../../strings/orbit.ts";
import type { Recalled } from "../../wire.ts";
import type { Look } from "./look.ts";

/** Long enough that not every letter asks. */
const WAIT_MS = 250;
const LIMIT = 50;

export function Finder({ look }: { look: Look }) {
  const text = useSignal("");
  const looks = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const own = namespace.value;
  const query = text.value.trim();
  useEffect(() => {
    problem.value = undefined;
    looks.value = query !== "";
    if (query === "" || own === undefined) {
      look.hits.value = undefined;
      return;
    }
    const ending = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const body = { query, scopes: [own], limit: LIMIT, quiet: true };
        const found = await ask<Recalled>("POST", "/v1/recall", { body, signal: ending.signal });
        if (!ending.signal.aborted) look.hits.value = found.hits.map((hit) => hit.memory.id);
      } catch (error) {
        if (!ending.signal.aborted) problem.value = asProblem(error).detail;
      }
      if (!ending.signal.aborted) looks.value = false;
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [query, own]);
  return (
    <form class="orbit-find" role="search" aria-label={orbit().find} onSubmit={(event) => event.preventDefault()}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label={orbit().find}
        placeholder={orbit().find}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") text.value = "";
        }}
      />
      <p class="orbit-found" role="status">
        {problem.value ?? (looks.value ? orbit().finding : tally(look))}
      </p>
    </form>
  );
}

/** What was found and is in the picture at this time, and what is not. */
function tally(look: Look): string {
  const hits = look.hits.value;
  if (hits === undefined) return "";
  const zones = look.zones.value;
  const here = hits.filter((id) => {
    const slot = look.slotOf(id);
    return slot !== undefined && zones[slot]! >= 0 && !look.isHidden(slot);
  });
  return orbit().found(here.length, hits.length - here.length);
}
