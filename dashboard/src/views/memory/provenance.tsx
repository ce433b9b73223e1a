/** Where a memory came from: the event, the turn, and what else came from there. */
import { ask, useAsk } from "../../api.ts";
import { Badge, Card, Failure, Loading, Time } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { memory as strings } from "../../strings/memory.ts";
import type { JournalEntry, Memory, MemoryTrace, Turn } from "../../wire.ts";
import { MemoryLink } from "./links.tsx";
import { Text } from "./text.tsx";
import { Tree } from "./tree.tsx";

export function Provenance({ memory }: { memory: Memory }) {
  const trace = useAsk((signal) => ask<MemoryTrace>("GET", "/v1/memories/{id}/trace", { parts: { id: memory.id }, signal }), [memory.id]);
  const session = trace.value?.entry?.session ?? trace.value?.turn?.session ?? memory.session;
  const actions = session ? (
    <a class="button small" href={to("timeline", [], { session })}>
      {strings().toTimeline}
    </a>
  ) : undefined;
  return (
    <Card title={strings().provenance} actions={actions} class="memory-provenance">
      {trace.error && <Failure error={trace.error} retry={trace.reload} />}
      {!trace.value && trace.loading && <Loading />}
      {trace.value && <Traced trace={trace.value} own={memory} />}
    </Card>
  );
}

function Traced({ trace, own }: { trace: MemoryTrace; own: Memory }) {
  const { entry, turn, memories } = trace;
  const siblings = memories.filter((memory) => memory.id !== own.id);
  const isLinked = Boolean(trace.entry_id ?? own.entry);
  if (!entry && !turn && siblings.length === 0) return <p class="note">{isLinked ? strings().eventGone : strings().noEvent}</p>;
  return (
    <ol class="memory-steps">
      {turn && (
        <li class="memory-step" data-part="turn">
          <TurnShown turn={turn} />
        </li>
      )}
      {entry && (
        <li class="memory-step" data-part="event">
          <EventShown entry={entry} />
        </li>
      )}
      {siblings.length > 0 && (
        <li class="memory-step">
          <header>
            <h3>{strings().siblings}</h3>
          </header>
          <ul class="memory-links">
            {siblings.map((memory) => (
              <li key={memory.id}>
                <MemoryLink id={memory.id} memory={memory} isKnown />
              </li>
            ))}
          </ul>
        </li>
      )}
    </ol>
  );
}

function TurnShown({ turn }: { turn: Turn }) {
  const states = { ok: strings().turnOk, error: strings().turnError, timeout: strings().turnTimeout };
  const tone = turn.status === "ok" ? "good" : turn.status ? "bad" : "plain";
  return (
    <>
      <header>
        <h3>{strings().turn}</h3>
        <Badge tone={tone}>{turn.status ? states[turn.status] : strings().turnOpen}</Badge>
        <span class="faint">
          <Time at={turn.started_at} />
        </span>
      </header>
      {turn.error && <Text text={turn.error} />}
      {turn.output_text && (
        <>
          <p class="note">{strings().turnEnd}</p>
          <Quote text={turn.output_text} />
        </>
      )}
    </>
  );
}

function EventShown({ entry }: { entry: JournalEntry }) {
  const way = entry.direction === "inbound" ? strings().inbound : entry.direction === "outbound" ? strings().outbound : "";
  return (
    <>
      <header>
        <h3>{strings().event}</h3>
        <Badge>{entry.kind}</Badge>
        {entry.actor && <Text text={entry.actor} />}
        {way && <span class="soft">{way}</span>}
        <span class="faint">
          <Time at={entry.at} />
        </span>
      </header>
      {entry.text && <Quote text={entry.text} />}
      {entry.body !== undefined && entry.body !== null && <Fold title={strings().whole} value={entry.body} />}
      {entry.gate !== undefined && entry.gate !== null && <Fold title={strings().gate} value={entry.gate} />}
    </>
  );
}

function Quote({ text }: { text: string }) {
  return (
    <blockquote class="memory-quote">
      <Text text={text} />
    </blockquote>
  );
}

function Fold({ title, value }: { title: string; value: unknown }) {
  return (
    <details class="memory-folded">
      <summary>{title}</summary>
      <Tree value={value} />
    </details>
  );
}
