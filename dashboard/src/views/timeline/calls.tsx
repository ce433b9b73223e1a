/** What a turn called, in order, each with what came of it. */
import { duration } from "../../strings/durations.ts";
import { timeline } from "../../strings/timeline.ts";
import { words } from "../../strings/words.ts";
import type { Turn } from "../../wire.ts";

/** The others are among the details. */
const SHOWN = 8;

interface Called {
  name: string;
  asked: string;
  took: string;
  came: string;
}

/** Agents write them as they like; what is not understood is left to the details. */
function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value ? (value as Record<string, unknown>)[name] : undefined;
}

function written(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function called(call: unknown, result: unknown): Called | undefined {
  const name = field(call, "name");
  if (typeof name !== "string") return undefined;
  const took = field(call, "duration_ms");
  return {
    name,
    asked: written(field(call, "arguments")),
    took: typeof took === "number" ? duration(took) : "",
    came: written(typeof result === "string" ? result : (field(result, "output") ?? field(result, "error"))),
  };
}

export function Calls({ turn: { tool_calls: calls = [], tool_results: results = [] } }: { turn: Turn }) {
  const all = calls.map((call, place) => called(call, results[place])).filter((one) => one !== undefined);
  if (all.length === 0) return null;
  return (
    <ol class="timeline-calls" aria-label={timeline().calls} data-part="timeline-calls">
      {all.slice(0, SHOWN).map((one, place) => (
        <li key={place}>
          <code>{one.name}</code>
          <span>
            {one.asked} {one.came && <span class="timeline-came">→ {one.came}</span>}
          </span>
          <span class="timeline-took">{one.took}</span>
        </li>
      ))}
      {all.length > SHOWN && <li class="note">{words().andMore(all.length - SHOWN)}</li>}
    </ol>
  );
}
