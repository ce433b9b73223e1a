/** The failure queue and its dead letters. */
import { ask, useAsk } from "../../api.ts";
import { Button, Card, Empty, Figure, Time } from "../../parts/basic.tsx";
import { confirmed } from "../../parts/dialog.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { bytes, number } from "../../strings/define.ts";
import { operations } from "../../strings/operations.ts";
import type { DeadCall, Queue, QueuedCall, Replayed } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const EVERY_MS = 10_000;

export function QueuePage() {
  const queue = useAsk((signal) => ask<Queue>("GET", "/v1/queue", { signal }), [], EVERY_MS);
  const retry = async (id?: string) => {
    const body = id === undefined ? {} : { id };
    const done = await attempt(() => ask<Replayed>("POST", "/v1/queue/replay", { body }));
    if (done) tell(operations().tried(done.revived));
    queue.reload();
  };
  const drop = async (id: string, what: string) => {
    const words = operations();
    if (!(await confirmed(words.dropTitle, words.dropText(what), words.drop))) return;
    // The answer is empty, so what tells success is that it did not fail.
    const done = await attempt(async () => {
      await ask("DELETE", "/v1/queue/{id}", { parts: { id } });
      return true;
    });
    if (done) tell(words.dropped);
    queue.reload();
  };
  return <Answer of={queue}>{(value) => <Both queue={value} retry={retry} drop={drop} />}</Answer>;
}

interface Doing {
  queue: Queue;
  retry: (id?: string) => Promise<void>;
  drop: (id: string, what: string) => Promise<void>;
}

function Both(doing: Doing) {
  return (
    <div class="stack">
      <Waiting {...doing} />
      <Dead {...doing} />
    </div>
  );
}

function Waiting({ queue, retry, drop }: Doing) {
  const words = operations();
  const { status } = queue;
  const any = status.depth > 0 || status.dead > 0;
  return (
    <Card
      title={words.queueTitle}
      note={words.queueNote}
      actions={
        any && (
          <Button tone="main" onClick={() => void retry()}>
            {words.tryAll}
          </Button>
        )
      }
    >
      <dl class="figures operations-gap">
        <Figure label={words.depth}>
          {number(status.depth)}
          {status.bytes > 0 && <span class="operations-under">{bytes(status.bytes)}</span>}
        </Figure>
        <Figure label={words.dead}>{number(status.dead)}</Figure>
        {status.damaged > 0 && <Figure label={words.damaged}>{number(status.damaged)}</Figure>}
        <Figure label={words.replayed}>{number(status.replayed)}</Figure>
        {status.next_try && (
          <Figure label={words.nextTry}>
            <Time at={status.next_try} />
          </Figure>
        )}
      </dl>
      {queue.queued.length === 0 ? (
        <Empty title={words.queueEmpty}>
          <p>{words.queueEmptyText}</p>
        </Empty>
      ) : (
        <Table label={words.queueTitle} rows={queue.queued} rowKey={(row) => row.id} columns={waitingColumns(drop)} />
      )}
    </Card>
  );
}

function waitingColumns(drop: Doing["drop"]): Array<Column<QueuedCall>> {
  const words = operations();
  return [
    { label: words.operation, cell: (row) => row.operation },
    { label: words.reason, cell: (row) => <span lang="en">{row.last_error ?? "–"}</span>, wide: true },
    { label: words.attempts, cell: (row) => number(row.attempts), number: true },
    { label: words.changes, cell: (row) => number(row.changes), number: true },
    { label: words.when, cell: (row) => <Time at={row.at} /> },
    { label: words.nextTry, cell: (row) => <Time at={row.next_try} /> },
    { label: "", cell: (row) => <DropButton row={row} drop={drop} /> },
  ];
}

function DropButton({ row, drop }: { row: QueuedCall | DeadCall; drop: Doing["drop"] }) {
  return (
    <Button small tone="danger" onClick={() => void drop(row.id, row.operation)}>
      {operations().drop}
    </Button>
  );
}

function Dead({ queue, retry, drop }: Doing) {
  const words = operations();
  const columns: Array<Column<DeadCall>> = [
    { label: words.operation, cell: (row) => row.operation },
    { label: words.reason, cell: (row) => <span lang="en">{row.reason}</span>, wide: true },
    { label: words.attempts, cell: (row) => number(row.attempts), number: true },
    { label: words.when, cell: (row) => <Time at={row.at} /> },
    { label: words.diedAt, cell: (row) => <Time at={row.died_at} /> },
    {
      label: "",
      cell: (row) => (
        <span class="actions operations-nowrap">
          <Button small onClick={() => void retry(row.id)}>
            {words.tryAgain}
          </Button>
          <DropButton row={row} drop={drop} />
        </span>
      ),
    },
  ];
  return (
    <Card title={words.deadTitle} note={words.deadNote}>
      {queue.dead.length === 0 ? (
        <Empty title={words.deadEmpty} />
      ) : (
        <Table label={words.deadTitle} rows={queue.dead} rowKey={(row) => row.id} columns={columns} />
      )}
    </Card>
  );
}
