/** How long recalls take, over time. */
import { useMemo } from "preact/hooks";
import { ask, useAsk } from "../../api.ts";
import { Card, Choice, Empty, Figure, Time } from "../../parts/basic.tsx";
import { Chart } from "../../parts/chart.tsx";
import { route, setQuery } from "../../route.ts";
import { language } from "../../state.ts";
import { duration } from "../../strings/durations.ts";
import { micros, number } from "../../strings/define.ts";
import { operations } from "../../strings/operations.ts";
import type { DaysTold, Latencies, SlowRecall } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { Table } from "../../parts/table.tsx";
import { scope, WhereChoice } from "./where.tsx";

const SPANS = ["1", "24", "168", "720"];
const BUCKETS = 96;
const EVERY_MS = 30_000;
const MICROS = (value: number) => micros(value);
const WHOLE = (value: number) => number(value);

export function Latency() {
  const words = operations();
  const asked = route.value.query.get("hours") ?? "24";
  const hours = SPANS.includes(asked) ? asked : "24";
  const query = { hours, buckets: BUCKETS, scope: scope() };
  const latencies = useAsk((signal) => ask<Latencies>("GET", "/v1/latencies", { query, signal }), [hours, query.scope], EVERY_MS);
  return (
    <div class="stack">
      <div class="actions operations-filters">
        <Choice label={words.span} value={hours} of={SPANS.map((one) => [one, words.spans[one] ?? one])} onChange={(value) => setQuery({ hours: value })} />
        <WhereChoice />
      </div>
      <Answer of={latencies}>{(value) => <Charts of={value} />}</Answer>
      <Slowest days={Math.max(1, Math.round(Number(hours) / 24))} />
    </div>
  );
}

function Charts({ of }: { of: Latencies }) {
  const words = operations();
  const drawn = useMemo(() => lines(of), [of, language.value]);
  const measured = of.buckets.reduce((sum, one) => sum + one.measured, 0);
  const last = [...of.buckets].reverse().find((one) => one.measured > 0);
  return (
    <>
      <Card title={words.latencyTitle} note={words.latencyNote(duration(of.bucket_seconds * 1000))}>
        {!of.complete && <p class="note operations-gap">{words.latencyPartly}</p>}
        {measured === 0 || last === undefined ? (
          <Empty title={words.latencyEmpty}>
            <p>{words.latencyEmptyText}</p>
          </Empty>
        ) : (
          <>
            <dl class="figures operations-gap">
              <Figure label={words.p50}>{micros(last.p50_micros ?? 0)}</Figure>
              <Figure label={words.p95}>{micros(last.p95_micros ?? 0)}</Figure>
              <Figure label={words.max}>{micros(last.max_micros ?? 0)}</Figure>
              <Figure label={words.latestPoint}>
                <span class="operations-state">
                  <Time at={last.at} />
                </span>
              </Figure>
            </dl>
            <Chart label={words.latencyTitle} times={drawn.times} lines={drawn.spans} height={260} write={MICROS} />
          </>
        )}
      </Card>
      <div class="operations-pair">
        <Card title={words.recallsLine}>
          <Chart label={words.recallsLine} times={drawn.times} lines={drawn.recalls} height={160} write={WHOLE} />
        </Card>
        <Card title={words.storedLine}>
          <Chart label={words.storedLine} times={drawn.times} lines={drawn.stored} height={160} write={WHOLE} />
        </Card>
      </div>
    </>
  );
}

function lines({ buckets }: Latencies) {
  const words = operations();
  return {
    times: buckets.map((one) => Date.parse(one.at) / 1000),
    spans: [
      { label: words.p50, values: buckets.map((one) => one.p50_micros ?? null), colour: "--good", fill: true },
      { label: words.p95, values: buckets.map((one) => one.p95_micros ?? null), colour: "--accent" },
      { label: words.max, values: buckets.map((one) => one.max_micros ?? null), colour: "--kind-episode" },
    ],
    recalls: [{ label: words.recallsLine, values: buckets.map((one) => one.recalls), colour: "--kind-fact", bars: true }],
    stored: [{ label: words.storedLine, values: buckets.map((one) => one.stored), colour: "--kind-procedure", bars: true }],
  };
}

function Slowest({ days }: { days: number }) {
  const words = operations();
  const query = { days, scope: scope() };
  const told = useAsk((signal) => ask<DaysTold>("GET", "/v1/report", { query, signal }), [days, query.scope]);
  return (
    <Card title={words.slowest}>
      <Answer of={told}>{(value) => (value.slowest_recalls.length === 0 ? <Empty title={words.latencyEmpty} /> : <SlowTable of={value.slowest_recalls} />)}</Answer>
    </Card>
  );
}

function SlowTable({ of }: { of: SlowRecall[] }) {
  const words = operations();
  return (
    <Table
      label={words.slowest}
      rows={of}
      rowKey={(row) => `${row.at} ${row.query}`}
      columns={[
        { label: words.question, cell: (row) => row.query, wide: true },
        { label: words.took, cell: (row) => micros(row.micros), number: true },
        { label: words.results, cell: (row) => number(row.results), number: true },
        { label: words.where, cell: (row) => row.namespace ?? "–" },
        { label: words.when, cell: (row) => <Time at={row.at} /> },
      ]}
    />
  );
}
