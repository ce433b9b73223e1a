/** How the server is, and what happened today. */
import { ask, useAsk } from "../../api.ts";
import { Card, Figure, Time } from "../../parts/basic.tsx";
import { seesAll } from "../../shell/place.ts";
import { bytes, number, percent as sharePercent } from "../../strings/define.ts";
import { operations } from "../../strings/operations.ts";
import { zoneName } from "../../strings/words.ts";
import type { Health } from "../../wire.ts";
import { Answer, LeftOut } from "../../parts/answer.tsx";
import { Bars } from "../../parts/bars.tsx";
import { Today } from "./today.tsx";

const EVERY_MS = 10_000;

/** Who may not see it is not turned away again and again: each time would be written into the audit log. */
export function HealthPage() {
  return (
    <div class="stack">
      {seesAll() ? <Server /> : <LeftOut />}
      <Today />
    </div>
  );
}

function Server() {
  const health = useAsk((signal) => ask<Health>("GET", "/v1/health", { signal }), [], EVERY_MS);
  return <Answer of={health}>{(value) => <Whole health={value} />}</Answer>;
}

function Whole({ health }: { health: Health }) {
  return (
    <>
      <Verdict health={health} />
      <div class="operations-pair">
        <Held health={health} />
        <Zones health={health} />
      </div>
      <Waiting health={health} />
    </>
  );
}

function Verdict({ health }: { health: Health }) {
  const words = operations();
  const state = !health.healthy ? "bad" : health.warnings.length > 0 || health.read_only ? "warn" : "good";
  const [title, text] = { bad: [words.unwell, words.unwellText], warn: [words.look, words.lookText], good: [words.well, words.wellText] }[state];
  return (
    <section class={`card operations-verdict ${state}`} data-part="verdict" data-state={state}>
      <i aria-hidden="true" />
      <div>
        <h2>{title}</h2>
        <p class="soft">{text}</p>
        {health.read_only && <p>{words.readOnly}</p>}
        <Said label={words.problems} of={health.problems} />
        <Said label={words.warnings} of={health.warnings} />
      </div>
    </section>
  );
}

/** Sentences of the server, which are English. */
function Said({ label, of }: { label: string; of: string[] }) {
  if (of.length === 0) return null;
  return (
    <ul class="operations-said" aria-label={label} lang="en">
      {of.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function Held({ health }: { health: Health }) {
  const words = operations();
  const { running, settled_at } = health.scheduler;
  return (
    <Card title={words.held}>
      <dl class="figures operations-grid">
        <Figure label={words.memories}>{number(health.memories)}</Figure>
        <Figure label={words.edges}>{number(health.edges)}</Figure>
        <Figure label={words.trash}>{number(health.trashed)}</Figure>
        {health.disk_free_bytes != null && <Figure label={words.diskFree}>{bytes(health.disk_free_bytes)}</Figure>}
        <Figure label={words.chores}>
          <span class={`operations-state ${running ? "good" : "warn"}`}>{running ? words.choresRun : words.choresRest}</span>
        </Figure>
        <Figure label={words.settled}>
          <span class="operations-state">{settled_at ? <Time at={settled_at} /> : words.neverSettled}</span>
        </Figure>
      </dl>
    </Card>
  );
}

function Zones({ health }: { health: Health }) {
  const words = operations();
  const most = Math.max(1, ...health.zones.map((one) => one.memories));
  const bars = health.zones.map(({ zone, memories, percent }) => ({
    name: zoneName(zone),
    value: percent == null ? memories / most : percent / 100,
    text: percent == null ? number(memories) : `${number(memories)} · ${sharePercent(percent / 100)}`,
    tone: percent == null ? "bars-quiet" : percent >= 80 ? "bars-warn" : "",
  }));
  return (
    <Card title={words.zonesTitle} note={words.zonesNote}>
      <Bars label={words.zonesTitle} of={bars} most={1} />
    </Card>
  );
}

function Waiting({ health }: { health: Health }) {
  const words = operations();
  const { queue, journal } = health;
  const rows: Array<[string, number, boolean]> = [
    [words.writes, queue.writes, true],
    [words.deadWrites, queue.dead_writes, true],
    [words.unembedded, health.unembedded, false],
    [words.unlinked, queue.unlinked, false],
    [words.indexLag, health.index_lag, false],
    [words.eventsWaiting, queue.events, false],
    [words.eventsLost, queue.events_lost, true],
    [words.journalHeld, journal.held, false],
    [words.journalQueued, journal.queued, true],
  ];
  return (
    <Card title={words.waiting} note={words.waitingNote}>
      <dl class="operations-rows">
        {rows.map(([label, count, matters]) => (
          <div key={label} class={count > 0 && matters ? "matters" : ""}>
            <dt>{label}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
