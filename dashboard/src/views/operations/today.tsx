/** What happened today, in numbers. */
import { ask, useAsk } from "../../api.ts";
import { Card, Figure, Time } from "../../parts/basic.tsx";
import { micros, number } from "../../strings/define.ts";
import { operations } from "../../strings/operations.ts";
import type { Counts, DaysTold } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { Table } from "../../parts/table.tsx";

const EVERY_MS = 30_000;
type Counted = Exclude<keyof Counts, "promoted">;
const SHOWN: Counted[] = [
  "stored",
  "recalled",
  "recalled_nothing",
  "repeated",
  "consolidated",
  "superseded",
  "contradicted",
  "forgotten",
  "auto_forgotten",
  "sessions_started",
  "backups",
];

export function Today() {
  const told = useAsk((signal) => ask<DaysTold>("GET", "/v1/report", { query: { days: 1 }, signal }), [], EVERY_MS);
  return <Answer of={told}>{(value) => <Day told={value} />}</Answer>;
}

function Day({ told }: { told: DaysTold }) {
  const words = operations();
  return (
    <>
      <Card title={words.today} note={words.todayNote(told.time_zone)}>
        <dl class="figures operations-day">
          {SHOWN.map((name) => (
            <Figure key={name} label={words.counts[name] ?? name}>
              {number(told.counts[name])}
            </Figure>
          ))}
          {told.recall_times && (
            <>
              <Figure label={words.recallMedian}>{micros(told.recall_times.p50_micros)}</Figure>
              <Figure label={words.recall95}>{micros(told.recall_times.p95_micros)}</Figure>
            </>
          )}
        </dl>
      </Card>
      {told.failures.length > 0 && <Failures told={told} />}
      {told.refusals.length > 0 && <Refusals told={told} />}
    </>
  );
}

function Failures({ told }: { told: DaysTold }) {
  const words = operations();
  return (
    <Card title={words.failures}>
      <Table
        label={words.failures}
        rows={told.failures}
        rowKey={(row) => `${row.operation} ${row.reason}`}
        columns={[
          { label: words.operation, cell: (row) => row.operation },
          { label: words.reason, cell: (row) => <span lang="en">{row.reason}</span>, wide: true },
          { label: words.attempts, cell: (row) => words.times(row.count) },
          { label: words.when, cell: (row) => <Time at={row.last_at} /> },
        ]}
      />
    </Card>
  );
}

function Refusals({ told }: { told: DaysTold }) {
  const words = operations();
  return (
    <Card title={words.refusals}>
      <Table
        label={words.refusals}
        rows={told.refusals}
        rowKey={(row) => `${row.key} ${row.action} ${row.reason}`}
        columns={[
          { label: words.operation, cell: (row) => <code>{row.action}</code>, wide: true },
          { label: words.reason, cell: (row) => <span lang="en">{row.reason}</span> },
          { label: words.keysTitle, cell: (row) => (row.key ? <code>{row.key}</code> : <span class="faint">{words.noKey}</span>) },
          { label: words.attempts, cell: (row) => words.times(row.count) },
          { label: words.when, cell: (row) => <Time at={row.last_at} /> },
        ]}
      />
    </Card>
  );
}
