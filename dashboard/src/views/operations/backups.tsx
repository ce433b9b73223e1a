/** Backups: which there are, and one now. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Badge, Button, Card, Empty, Figure, Time } from "../../parts/basic.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { bytes, number } from "../../strings/define.ts";
import { operations } from "../../strings/operations.ts";
import type { BackupList, BackupMade } from "../../wire.ts";
import { Answer } from "../../parts/answer.tsx";
import { type Column, Table } from "../../parts/table.tsx";

export function Backups() {
  const words = operations();
  const busy = useSignal(false);
  const list = useAsk((signal) => ask<BackupList>("GET", "/v1/backups", { signal }), []);
  const make = async () => {
    busy.value = true;
    const made = await attempt(() => ask<BackupMade>("POST", "/v1/backups"));
    busy.value = false;
    if (made) tell(operations().backedUp(made.name, bytes(made.bytes)));
    list.reload();
  };
  return (
    <Answer of={list}>
      {(value) => (
        <Card
          title={words.backupsTitle}
          note={words.restoreNote}
          actions={
            <Button tone="main" disabled={busy.value} onClick={() => void make()}>
              {busy.value ? words.backingUp : words.backupNow}
            </Button>
          }
        >
          <Plan of={value} />
          {value.backups.length === 0 ? (
            <Empty title={words.noBackups} />
          ) : (
            <Table label={words.backupsTitle} rows={value.backups} rowKey={(row) => row.name} columns={columns()} />
          )}
        </Card>
      )}
    </Answer>
  );
}

function Plan({ of }: { of: BackupList }) {
  const words = operations();
  return (
    <dl class="figures operations-gap">
      <Figure label={words.backupPlace}>
        <span class="operations-state">{of.place ?? words.noPlace}</span>
        {of.place == null && <span class="operations-under block">{words.noPlaceText}</span>}
      </Figure>
      <Figure label={words.backupNext}>
        <span class="operations-state">{of.scheduled && of.next_at ? <Time at={of.next_at} /> : words.byHand}</span>
      </Figure>
    </dl>
  );
}

function columns(): Array<Column<BackupList["backups"][number]>> {
  const words = operations();
  return [
    {
      label: words.backupName,
      wide: true,
      cell: (row) => (
        <span>
          <code>{row.name}</code> {row.before_restore && <Badge>{words.beforeRestore}</Badge>}
        </span>
      ),
    },
    { label: words.when, cell: (row) => <Time at={row.at} /> },
    { label: words.memories, cell: (row) => (row.memories == null ? "–" : number(row.memories)), number: true },
    { label: words.size, cell: (row) => (row.bytes == null ? "–" : bytes(row.bytes)), number: true },
  ];
}
