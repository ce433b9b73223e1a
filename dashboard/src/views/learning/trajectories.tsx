/** Recorded tasks. */
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ask, asProblem, type PeriError, useAsk } from "../../api.ts";
import { Badge, Button, Card, Choice, Empty, Failure, Loading, Time } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { route, setQuery, to } from "../../route.ts";
import { key, namespace } from "../../state.ts";
import { duration } from "../../strings/durations.ts";
import { learning } from "../../strings/learning.ts";
import type { TaskOutcome, Trajectory, TrajectoryList } from "../../wire.ts";
import { Answer, LeftOut } from "../../parts/answer.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Named } from "./pattern_row.tsx";
import { Steps } from "./steps.tsx";

const OUTCOMES = ["all", "success", "partial", "failure"];
const PAGE = 50;
const TONES = { success: "good", partial: "warn", failure: "bad" } as const;

export function TrajectoriesPage({ again }: { again: number }) {
  const words = learning();
  const asked = route.value.query.get("outcome") ?? "all";
  const outcome = OUTCOMES.includes(asked) ? asked : "all";
  const pages = usePages(outcome, again);
  return (
    <Card
      title={words.trajectoriesTitle}
      note={words.trajectoriesNote}
      actions={
        <Choice
          label={words.outcome}
          value={outcome}
          of={OUTCOMES.map((one) => [one, words.outcomes[one as TaskOutcome] ?? words.allOutcomes])}
          onChange={(value) => setQuery({ outcome: value })}
        />
      }
    >
      {pages.error?.status === 403 ? <LeftOut /> : pages.error && <Failure error={pages.error} retry={pages.again} />}
      {pages.list === undefined ? (
        !pages.error && <Loading />
      ) : pages.list.length === 0 ? (
        <Empty title={words.noTasks}>
          <p>{words.noTasksText}</p>
        </Empty>
      ) : (
        <Table label={words.trajectoriesTitle} rows={pages.list} rowKey={(row) => row.id} columns={columns()} detail={(row) => <Steps of={row} />} />
      )}
      {pages.more && (
        <Button disabled={pages.busy} onClick={pages.more}>
          {words.more}
        </Button>
      )}
    </Card>
  );
}

/** Page after page, until there are no more. */
function usePages(outcome: string, again: number) {
  const list = useSignal<Trajectory[] | undefined>(undefined);
  const cursor = useSignal<string | undefined>(undefined);
  const error = useSignal<PeriError | undefined>(undefined);
  const busy = useSignal(false);
  const load = async (from: string | undefined, signal?: AbortSignal) => {
    busy.value = true;
    const query = { scope: namespace.value, limit: PAGE, outcome: outcome === "all" ? undefined : outcome, cursor: from };
    try {
      const page = await ask<TrajectoryList>("GET", "/v1/trajectories", { query, signal });
      list.value = [...(from === undefined ? [] : (list.value ?? [])), ...page.trajectories];
      cursor.value = page.next_cursor ?? undefined;
      error.value = undefined;
    } catch (problem) {
      if (signal?.aborted) return;
      error.value = asProblem(problem);
    }
    busy.value = false;
  };
  useEffect(() => {
    const ending = new AbortController();
    void load(undefined, ending.signal);
    return () => ending.abort();
  }, [outcome, namespace.value, key.value, again]);
  const more = cursor.value === undefined ? undefined : () => void load(cursor.value);
  return { list: list.value, error: error.value, busy: busy.value, more, again: () => void load(undefined) };
}

export function OutcomeBadge({ outcome }: { outcome: TaskOutcome }) {
  return <Badge tone={TONES[outcome]}>{learning().outcomes[outcome] ?? outcome}</Badge>;
}

function columns(): Array<Column<Trajectory>> {
  const words = learning();
  return [
    { label: words.task, cell: (row) => <a href={to("learning", ["trajectories", row.id])}>{row.task}</a>, wide: true },
    { label: words.agent, cell: (row) => row.agent ?? "–" },
    { label: words.domain, cell: (row) => row.domain },
    { label: words.outcome, cell: (row) => <OutcomeBadge outcome={row.outcome} /> },
    { label: words.took, cell: (row) => duration(row.duration_ms), number: true },
    { label: words.when, cell: (row) => <Time at={row.at} /> },
  ];
}

/** One task, such as one that a pattern was drawn from. */
export function TrajectoryPage({ id }: { id: string }) {
  const words = learning();
  const loaded = useAsk((signal) => ask<Trajectory>("GET", "/v1/trajectories/{trajectory}", { parts: { trajectory: id }, signal }), [id]);
  return (
    <div class="stack">
      <a class="learning-back" href={to("learning", ["trajectories"])}>
        <Icon name="back" />
        {words.back}
      </a>
      <Answer of={loaded}>{(value) => <One task={value} />}</Answer>
    </div>
  );
}

function One({ task }: { task: Trajectory }) {
  const words = learning();
  return (
    <Card title={task.task}>
      <p class="learning-tags learning-gap">
        <OutcomeBadge outcome={task.outcome} />
        {task.agent && <Named label={words.agent} value={task.agent} />}
        <Named label={words.domain} value={task.domain} />
        <span>{duration(task.duration_ms)}</span>
        <Time at={task.at} />
        {task.session && <Named label={words.session} value={task.session} />}
        <span>{task.distilled_at ? words.drawn : words.notDrawn}</span>
      </p>
      <Steps of={task} />
    </Card>
  );
}
