/** Choosing a memory by words that come near it, or by its id. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Empty, Failure, KindBadge, Loading, Time } from "../../parts/basic.tsx";
import { namespace } from "../../state.ts";
import { memory as strings } from "../../strings/memory.ts";
import type { Memory, MemoryPage, Recalled } from "../../wire.ts";
import { Typed } from "./fields.tsx";
import { isId } from "./known.ts";
import { Excerpt } from "./text.tsx";
import "./picker.css";

const LIMIT = 100;

interface PickerProps {
  /** The words to begin with. */
  start?: string;
  /** What is not offered, unless it is asked for by its id. */
  except?: readonly string[];
  onPick: (memory: Memory) => void;
}

export function Picker({ start = "", except = [], onPick }: PickerProps) {
  const text = useSignal(start);
  const near = useAsk((signal) => nearest(text.value.trim(), signal), [text.value, namespace.value]);
  const offered = (near.value ?? []).filter((one) => isId(text.value) || !except.includes(one.id));
  return (
    <div class="memory-picker">
      <Typed label={strings().pickLabel} type="search" value={text.value} onTyped={(typed) => (text.value = typed)} />
      {near.error && <Failure error={near.error} />}
      {near.value === undefined && near.loading && <Loading />}
      {near.value !== undefined && offered.length === 0 && !near.error && <Empty title={strings().pickNothing} />}
      <ul aria-label={strings().pickList} aria-busy={near.loading}>
        {offered.map((one) => (
          <li key={one.id}>
            <button type="button" data-part="pick" onClick={() => onPick(one)}>
              <span class="memory-picker-said">
                <Excerpt text={one.content} />
              </span>
              <span class="memory-picker-about">
                <KindBadge kind={one.kind} />
                <span class="faint">
                  <Time at={one.created_at} />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Everything near these words, whatever its score; the latest if there are no words. */
async function nearest(text: string, signal: AbortSignal): Promise<Memory[]> {
  if (isId(text)) return [await ask<Memory>("GET", "/v1/memories/{id}", { parts: { id: text }, signal })];
  const scope = namespace.value;
  if (text === "") {
    const page = await ask<MemoryPage>("GET", "/v1/memories", { query: { scope, limit: LIMIT }, signal });
    return page.memories;
  }
  const body = { query: text, scopes: scope ? [scope] : [], limit: LIMIT, score_min: 0, without: ["floor"], quiet: true };
  const found = await ask<Recalled>("POST", "/v1/recall", { body, signal });
  return found.hits.map((hit) => hit.memory);
}
