/** What learning gained, over time: from the runs of the workers that measure it. */
import { useMemo } from "preact/hooks";
import { ask, useAsk } from "../../api.ts";
import { Badge, Card, Empty, Figure, Time } from "../../parts/basic.tsx";
import { Chart } from "../../parts/chart.tsx";
import { seesAll } from "../../shell/place.ts";
import { language, namespace } from "../../state.ts";
import { micros, number, percent } from "../../strings/define.ts";
import { learning } from "../../strings/learning.ts";
import type { WorkerRuns } from "../../wire.ts";
import { Answer, LeftOut } from "../../parts/answer.tsx";
import { benchmarks, type Measured, routers, type Trial, trials } from "./measured.ts";

const RUNS = 500;
const EVERY_MS = 30_000;
const SHARE = (value: number) => percent(value);
const MICROS = (value: number) => micros(value);
const WHOLE = (value: number) => number(value);

export function Gain({ again }: { again: number }) {
  const words = learning();
  if (!seesAll())
    return (
      <Card title={words.gainTitle}>
        <LeftOut />
      </Card>
    );
  return (
    <>
      <Recall again={again} />
      <Training again={again} />
    </>
  );
}

function useRuns(worker: string, again: number) {
  return useAsk((signal) => ask<WorkerRuns>("GET", "/v1/workers/runs", { query: { worker, limit: RUNS }, signal }), [again], EVERY_MS);
}

function Recall({ again }: { again: number }) {
  const words = learning();
  const runs = useRuns("benchmark", again);
  const measured = useMemo(() => benchmarks(runs.value?.runs ?? []), [runs.value]);
  const last = measured.at(-1);
  return (
    <Answer of={runs}>
      {() =>
        last === undefined ? (
          <Card title={words.qualityTitle}>
            <Empty title={words.noBenchmark}>
              <p>{words.noBenchmarkText}</p>
            </Empty>
          </Card>
        ) : (
          <div class="learning-pair">
            <Quality of={measured} last={last} />
            <Speed of={measured} last={last} />
          </div>
        )
      }
    </Answer>
  );
}

interface Shown {
  of: Measured[];
  last: Measured;
}

function Quality({ of, last }: Shown) {
  const words = learning();
  const drawn = useMemo(
    () => [
      { label: learning().lines.at10, values: of.map((one) => one.at10), colour: "--good", fill: true },
      { label: learning().lines.at5, values: of.map((one) => one.at5), colour: "--accent" },
      { label: learning().lines.rank, values: of.map((one) => one.rank), colour: "--kind-fact" },
    ],
    [of, language.value],
  );
  return (
    <Card title={words.qualityTitle} note={words.qualityNote}>
      <dl class="figures learning-gap">
        <Figure label={words.at5}>{percent(last.at5, 1)}</Figure>
        <Figure label={words.at10}>{percent(last.at10, 1)}</Figure>
      </dl>
      <Drawn of={of} label={words.qualityTitle} lines={drawn} write={SHARE} />
      <p class="note">
        {words.questions(last.questions)} · <Time at={last.at} />
      </p>
    </Card>
  );
}

function Speed({ of, last }: Shown) {
  const words = learning();
  const drawn = useMemo(
    () => [
      { label: learning().p50, values: of.map((one) => one.p50), colour: "--good", fill: true },
      { label: learning().p95, values: of.map((one) => one.p95), colour: "--accent" },
    ],
    [of, language.value],
  );
  return (
    <Card title={words.timeTitle} note={words.timeNote}>
      <dl class="figures learning-gap">
        <Figure label={words.p50}>{micros(last.p50)}</Figure>
        <Figure label={words.p95}>{micros(last.p95)}</Figure>
      </dl>
      <Drawn of={of} label={words.timeTitle} lines={drawn} write={MICROS} />
    </Card>
  );
}

interface DrawnProps {
  of: Array<{ time: number }>;
  label: string;
  lines: Parameters<typeof Chart>[0]["lines"];
  write: (value: number) => string;
}

/** A line needs two points. */
function Drawn({ of, label, lines, write }: DrawnProps) {
  const times = useMemo(() => of.map((one) => one.time), [of]);
  if (of.length < 2) return <p class="note">{learning().onlyOnce}</p>;
  return <Chart label={label} times={times} lines={lines} height={220} write={write} />;
}

function Training({ again }: { again: number }) {
  const words = learning();
  const runs = useRuns("learning", again);
  const tried = useMemo(() => trials(runs.value?.runs ?? [], namespace.value), [runs.value, namespace.value]);
  const known = useMemo(() => routers(runs.value?.runs ?? [], namespace.value), [runs.value, namespace.value]);
  const lines = useMemo(() => [{ label: learning().outcomesLine, values: known.map((one) => one.outcomes), colour: "--kind-procedure", fill: true }], [known, language.value]);
  return (
    <Answer of={runs}>
      {() => (
        <div class="learning-pair">
          <Card title={words.trialsTitle} note={words.trialsNote}>
            {tried.length === 0 ? (
              <Empty title={words.noTrials}>
                <p>{words.noTrialsText}</p>
              </Empty>
            ) : (
              <Trials of={tried} />
            )}
          </Card>
          {known.length > 0 && (
            <Card title={words.outcomesTitle} note={words.outcomesNote}>
              <dl class="figures learning-gap">
                <Figure label={words.outcomesLine}>{number(known.at(-1)?.outcomes ?? 0)}</Figure>
              </dl>
              <Drawn of={known} label={words.outcomesTitle} lines={lines} write={WHOLE} />
            </Card>
          )}
        </div>
      )}
    </Answer>
  );
}

function Trials({ of }: { of: Trial[] }) {
  const words = learning();
  const last = of.at(-1);
  const lines = useMemo(
    () => [
      { label: learning().after, values: of.map((one) => one.after), colour: "--good" },
      { label: learning().before, values: of.map((one) => one.before), colour: "--ink-faint" },
    ],
    [of, language.value],
  );
  return (
    <>
      <Drawn of={of} label={words.trialsTitle} lines={lines} write={SHARE} />
      {last && (
        <p class="learning-trial">
          <Badge tone={last.taken ? "good" : "plain"}>{last.rolledBack ? words.rolledBack : last.taken ? words.taken : words.notTaken}</Badge>
          <span>
            {percent(last.before, 1)} → {percent(last.after, 1)}
          </span>
          <span class="note" lang="en">
            {last.verdict}
          </span>
        </p>
      )}
    </>
  );
}
