/** Other memories, by what they say. */
import { ask, useAsk } from "../../api.ts";
import { KindBadge } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { memory as strings } from "../../strings/memory.ts";
import type { Memory } from "../../wire.ts";
import { Excerpt } from "./text.tsx";

/** Those that can be read, by their ids. What was destroyed or is out of reach is left out. */
export async function readAll(ids: string[], signal: AbortSignal): Promise<Map<string, Memory>> {
  const read = async (id: string) => {
    try {
      return await ask<Memory>("GET", "/v1/memories/{id}", { parts: { id }, signal });
    } catch {
      // The others can still be shown; this one is told as gone.
      return undefined;
    }
  };
  const found = await Promise.all([...new Set(ids)].map(read));
  return new Map(found.flatMap((memory) => (memory ? [[memory.id, memory] as const] : [])));
}

export function MemoryLinks({ ids }: { ids: string[] }) {
  const known = useAsk((signal) => readAll(ids, signal), [ids.join(" ")]);
  return (
    <ul class="memory-links">
      {ids.map((id) => (
        <li key={id}>
          <MemoryLink id={id} memory={known.value?.get(id)} isKnown={known.value !== undefined} />
        </li>
      ))}
    </ul>
  );
}

interface MemoryLinkProps {
  id: string;
  memory: Memory | undefined;
  /** Whether it has been looked for. */
  isKnown: boolean;
}

export function MemoryLink({ id, memory, isKnown }: MemoryLinkProps) {
  if (!memory) return <span class="faint mono">{isKnown ? `${strings().gone} ${id}` : "…"}</span>;
  return (
    <a class="memory-link" href={to("memory", [id])}>
      <span class="memory-link-said">
        <Excerpt text={memory.content} />
      </span>
      <KindBadge kind={memory.kind} />
    </a>
  );
}
