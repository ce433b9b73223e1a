/** One turn of an agent: what it meant to do, what it did, what came of it. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Badge, Failure, Loading } from "../../parts/basic.tsx";
import { timeline } from "../../strings/timeline.ts";
import type { Turn, TurnWithEntries } from "../../wire.ts";
import { Calls } from "./calls.tsx";
import { clock, lasting } from "./days.ts";
import { Entry } from "./entry.tsx";
import { Text, Value } from "./texts.tsx";

export function TurnItem({ turn }: { turn: Turn }) {
  const isOpen = useSignal(false);
  const calls = turn.tool_calls?.length ?? 0;
  const agent = turn.metadata?.["agent"];
  return (
    <>
      <p class="timeline-meta">
        <strong>{timeline().turn}</strong>
        {typeof agent === "string" && <span>{agent}</span>}
        <Status turn={turn} />
        {turn.finished_at && <span>{timeline().took(lasting(turn.started_at, turn.finished_at))}</span>}
        {calls > 0 && <span>{timeline().callsCount(calls)}</span>}
      </p>
      {typeof turn.plan === "string" && <p class="timeline-plan">{turn.plan}</p>}
      <Calls turn={turn} />
      {turn.output_text && <Text>{turn.output_text}</Text>}
      {turn.error && <p class="timeline-error">{turn.error}</p>}
      <details class="timeline-details" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>{timeline().showDetail}</summary>
        {isOpen.value && <Detail turn={turn} />}
      </details>
    </>
  );
}

function Status({ turn: { status } }: { turn: Turn }) {
  if (!status) return <Badge tone="warn">{timeline().turnOpen}</Badge>;
  return <Badge tone={status === "ok" ? "good" : "bad"}>{timeline().statuses[status] ?? status}</Badge>;
}

function Detail({ turn }: { turn: Turn }) {
  const whole = useAsk((signal) => ask<TurnWithEntries>("GET", "/v1/turns/{turn}", { parts: { turn: turn.id }, signal }), [turn.id]);
  const { plan, tool_calls: calls = [], tool_results: results = [] } = whole.value?.turn ?? turn;
  return (
    <dl class="timeline-detail">
      {plan !== undefined && plan !== null && <Part name={timeline().plan} values={[plan]} />}
      {calls.length > 0 && <Part name={timeline().calls} values={calls} />}
      {results.length > 0 && <Part name={timeline().results} values={results} />}
      <dt>{timeline().entries}</dt>
      <dd>
        {whole.error && <Failure error={whole.error} retry={whole.reload} />}
        {whole.loading && !whole.value && <Loading />}
        <ol class="timeline-entries">
          {whole.value?.entries.map((entry) => (
            <li key={entry.id}>
              <time dateTime={entry.at}>{clock(entry.at)}</time>
              <div>
                <Entry entry={{ ...entry, turn: null }} />
              </div>
            </li>
          ))}
        </ol>
        {whole.value?.more && <p class="note">{timeline().moreEntries}</p>}
      </dd>
    </dl>
  );
}

function Part({ name, values }: { name: string; values: unknown[] }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {values.map((value, place) => (
          <Call key={place} value={value} />
        ))}
      </dd>
    </>
  );
}

/** A call with a name is told by it; anything else as it came. */
function Call({ value }: { value: unknown }) {
  if (typeof value !== "object" || value === null || !("name" in value) || typeof value.name !== "string") return <Value value={value} />;
  const { name, ...rest } = value as { name: string; arguments?: unknown };
  const told = Object.keys(rest).length === 1 && "arguments" in rest ? rest.arguments : rest;
  return (
    <div class="timeline-call">
      <strong class="mono">{name}</strong>
      {Object.keys(rest).length > 0 && <Value value={told} />}
    </div>
  );
}
