/** What the language model was asked for, and what that took. Never what was said. */
import { useMemo } from "preact/hooks";
import { ask, useAsk } from "../../api.ts";
import { Badge, Card, Empty, Figure, Meter, Time } from "../../parts/basic.tsx";
import { Chart } from "../../parts/chart.tsx";
import { language } from "../../state.ts";
import { number, percent } from "../../strings/define.ts";
import { duration } from "../../strings/durations.ts";
import { operations } from "../../strings/operations.ts";
import type { LlmCalls } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const EVERY_MS = 30_000;
const LISTED = 100;
const WHOLE = (value: number) => number(value);

export function Llm() {
  const calls = useAsk((signal) => ask<LlmCalls>("GET", "/v1/llm", { query: { limit: LISTED }, signal }), [], EVERY_MS);
  return <Answer of={calls}>{(value) => (value.model == null && value.calls.length === 0 ? <None /> : <Spend of={value} />)}</Answer>;
}

function None() {
  const words = operations();
  return (
    <Card>
      <Empty title={words.llmNone}>
        <p>{words.llmNoneText}</p>
      </Empty>
    </Card>
  );
}

function Spend({ of }: { of: LlmCalls }) {
  const words = operations();
  return (
    <div class="stack">
      <div class="operations-pair">
        <Budget of={of} />
        <Days of={of} />
      </div>
      <Card title={words.calls}>
        {of.calls.length === 0 ? (
          <Empty title={words.noCalls} />
        ) : (
          <Table label={words.calls} rows={of.calls} rowKey={(row) => `${row.at} ${row.purpose}`} columns={columns()} />
        )}
      </Card>
    </div>
  );
}

function Budget({ of }: { of: LlmCalls }) {
  const words = operations();
  const share = of.cap_tokens ? of.spent_tokens_today / of.cap_tokens : 0;
  return (
    <Card title={of.model ?? words.model} note={of.provider ?? undefined}>
      <div class="operations-budget">
        <dl>
          <Figure label={words.spentToday}>{number(of.spent_tokens_today)}</Figure>
        </dl>
        {of.cap_tokens ? (
          <>
            <Meter value={share} label={words.spentToday} text={percent(share)} class={share >= 0.9 ? "operations-full" : ""} />
            <p class="note">
              {words.ofCap(number(of.spent_tokens_today), number(of.cap_tokens))} · {percent(share)}
            </p>
          </>
        ) : (
          <p class="note">{words.noCap}</p>
        )}
        {of.resets_at && (
          <p class="note">
            {words.resets} <Time at={of.resets_at} />
          </p>
        )}
      </div>
    </Card>
  );
}

function Days({ of }: { of: LlmCalls }) {
  const words = operations();
  const drawn = useMemo(() => {
    const times = of.days.map((one) => Date.parse(`${one.day}T00:00:00`) / 1000);
    return { times, lines: [{ label: operations().perDay, values: of.days.map((one) => one.tokens), colour: "--accent", bars: true }] };
  }, [of, language.value]);
  return (
    <Card title={words.perDay}>
      {of.days.length === 0 ? <Empty title={words.noCalls} /> : <Chart label={words.perDayLabel} times={drawn.times} lines={drawn.lines} height={190} write={WHOLE} />}
    </Card>
  );
}

function columns(): Array<Column<LlmCalls["calls"][number]>> {
  const words = operations();
  return [
    { label: words.when, cell: (row) => <Time at={row.at} /> },
    { label: words.purpose, cell: (row) => row.purpose },
    {
      label: words.outcome,
      wide: true,
      cell: (row) => (
        <span>
          <Badge tone={row.error == null ? "good" : "bad"}>{row.outcome}</Badge> {row.error && <span lang="en">{row.error}</span>}
        </span>
      ),
    },
    { label: words.model, cell: (row) => <code>{row.model}</code> },
    { label: words.tokens, cell: (row) => `${number(row.input_tokens)} / ${number(row.output_tokens)}`, number: true },
    { label: words.took, cell: (row) => (row.took_ms == null ? "–" : duration(row.took_ms)), number: true },
  ];
}
