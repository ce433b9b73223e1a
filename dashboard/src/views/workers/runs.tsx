/** What workers did. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Button, Card, Empty, Time } from "../../parts/basic.tsx";
import { route, setQuery } from "../../route.ts";
import { between } from "../../strings/durations.ts";
import { words as glossary } from "../../strings/words.ts";
import { workers } from "../../strings/workers.ts";
import type { WorkerKind, WorkerRun, WorkerRuns } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Tree } from "../../parts/tree.tsx";
import { StatusBadge } from "./overview.tsx";
import { ended } from "./running.ts";

const EVERY_MS = 10_000;
const LISTED = 50;
const LISTED_MAX = 1000;

export function Runs() {
  const words = workers();
  const limit = useSignal(LISTED);
  const chosen = chosenWorker();
  const query = { limit: limit.value, worker: chosen };
  const runs = useAsk((signal) => ask<WorkerRuns>("GET", "/v1/workers/runs", { query, signal }), [limit.value, chosen, ended.value], EVERY_MS);
  return (
    <Card title={words.runsTitle} actions={<WorkerChoice />}>
      <Answer of={runs}>
        {(value) =>
          value.runs.length === 0 ? (
            <Empty title={chosen === undefined ? words.noRuns : words.neverRan}>
              <p>{words.noRunsText}</p>
            </Empty>
          ) : (
            <>
              <Table label={words.runsTitle} rows={value.runs} rowKey={(row) => `${row.worker} ${row.number}`} columns={columns()} detail={Detail} />
              {value.runs.length >= limit.value && limit.value < LISTED_MAX && (
                <Button onClick={() => (limit.value = Math.min(LISTED_MAX, limit.value * 2))}>{glossary().more}</Button>
              )}
            </>
          )
        }
      </Answer>
    </Card>
  );
}

/** The worker that the address names, if there is such a one. */
export function chosenWorker(): WorkerKind | undefined {
  const named = route.value.query.get("worker") ?? "";
  return Object.hasOwn(workers().purposes, named) ? (named as WorkerKind) : undefined;
}

export function WorkerChoice() {
  const words = workers();
  return (
    <label class="workers-choice">
      <span class="unseen">{words.worker}</span>
      <select value={chosenWorker() ?? ""} onChange={(event) => setQuery({ worker: event.currentTarget.value })}>
        <option value="">{words.all}</option>
        {Object.keys(words.purposes).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function columns(): Array<Column<WorkerRun>> {
  const words = workers();
  return [
    { label: words.worker, cell: (row) => <strong>{row.worker}</strong> },
    { label: words.state, cell: (row) => <StatusBadge status={row.status} /> },
    { label: words.summary, cell: (row) => <span lang="en">{row.summary}</span>, wide: true },
    { label: words.took, cell: (row) => between(row.started_at, row.finished_at), number: true },
    { label: words.when, cell: (row) => <Time at={row.finished_at} /> },
  ];
}

/** What was measured. What the worker keeps for its next run is of no use to people. */
function Detail(row: WorkerRun) {
  const { state: _, figures, ...rest } = (row.detail ?? {}) as Record<string, unknown>;
  const told = typeof figures === "object" ? { ...figures, ...rest } : rest;
  return (
    <div class="workers-detail">
      <Tree value={told} />
    </div>
  );
}
