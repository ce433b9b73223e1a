/** Memories a page at a time. */
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ask, asProblem, type PeriError } from "../../api.ts";
import { key } from "../../state.ts";
import type { ListParameters, Memory, MemoryPage } from "../../wire.ts";

const PAGE = 50;

interface State {
  memories: Memory[] | undefined;
  next: string | undefined;
  error: PeriError | undefined;
  loading: boolean;
}

export interface Pages extends State {
  more: () => void;
  reload: () => void;
}

/** What fits, from the first page on. Another question begins anew; what was there stays until the answer has come. */
export function usePages(query: ListParameters): Pages {
  const state = useSignal<State>({ memories: undefined, next: undefined, error: undefined, loading: true });
  const again = useSignal(0);
  const ending = useRef(new AbortController());
  const look = async (cursor: string | undefined) => {
    const { signal } = ending.current;
    const before = cursor === undefined ? [] : (state.peek().memories ?? []);
    state.value = { ...state.peek(), loading: true };
    try {
      const asked = { ...query, limit: PAGE, cursor };
      const page = await ask<MemoryPage>("GET", "/v1/memories", { query: asked, signal });
      if (signal.aborted) return;
      const next = page.next_cursor ?? undefined;
      state.value = { memories: [...before, ...page.memories], next, error: undefined, loading: false };
    } catch (error) {
      if (!signal.aborted) state.value = { ...state.peek(), error: asProblem(error), loading: false };
    }
  };
  useEffect(() => {
    ending.current = new AbortController();
    void look(undefined);
    return () => ending.current.abort();
  }, [JSON.stringify(query), again.value, key.value]);
  return { ...state.value, more: () => void look(state.peek().next), reload: () => again.value++ };
}
