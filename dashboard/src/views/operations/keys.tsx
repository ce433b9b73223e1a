/** Who may do what, and where. */
import { signal, useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Badge, Button, Card, Empty, Time } from "../../parts/basic.tsx";
import { confirmed, Dialog } from "../../parts/dialog.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { me } from "../../shell/place.ts";
import { key } from "../../state.ts";
import { operations } from "../../strings/operations.ts";
import { words as glossary } from "../../strings/words.ts";
import type { ApiKey, CreatedKey, Keys } from "../../wire.ts";
import { NewKey } from "./new_key.tsx";
import { Answer } from "../../parts/answer.tsx";
import { type Column, Table } from "../../parts/table.tsx";

/** The key that was just made. It outlives the page of keys, which a first key of a lower role may not see any more. */
const made = signal<{ created: CreatedKey; taken: boolean } | undefined>(undefined);

export function KeysPage() {
  const words = operations();
  const asking = useSignal(false);
  const keys = useAsk((ending) => ask<Keys>("GET", "/v1/keys", { signal: ending }), []);
  const ready = (created: CreatedKey, taken: boolean) => {
    asking.value = false;
    made.value = { created, taken };
    keys.reload();
  };
  return (
    <Answer of={keys}>
      {(value) => (
        <Card
          title={words.keysTitle}
          note={words.keysNote}
          actions={
            <Button tone="main" onClick={() => (asking.value = true)}>
              {words.keyNew}
            </Button>
          }
        >
          {value.keys.length === 0 ? (
            <Empty title={words.noKeys}>
              <p>{words.noKeysText}</p>
            </Empty>
          ) : (
            <Table label={words.keysTitle} rows={sorted(value.keys)} rowKey={(row) => row.id} columns={columns(keys.reload)} />
          )}
          {asking.value && <NewKey isFirst={isFirst(value.keys)} ready={ready} close={() => (asking.value = false)} />}
        </Card>
      )}
    </Answer>
  );
}

/** As long as no key is in use, nobody needs one. */
function isFirst(keys: ApiKey[]): boolean {
  return key.value === undefined && keys.every((one) => one.revoked_at);
}

/** Those in use first, the latest on top. */
function sorted(keys: ApiKey[]): ApiKey[] {
  return [...keys].sort((a, b) => Number(!!a.revoked_at) - Number(!!b.revoked_at) || b.created_at.localeCompare(a.created_at));
}

function columns(reload: () => void): Array<Column<ApiKey>> {
  const words = operations();
  return [
    {
      label: words.keyName,
      wide: true,
      cell: (row) => (
        <span>
          <strong>{row.name}</strong> {row.id === me.value?.key && <Badge tone="accent">{words.yours}</Badge>}
          <br />
          <code class="faint">{row.id}</code>
        </span>
      ),
    },
    { label: words.role, cell: (row) => words.roles[row.role] ?? row.role },
    { label: words.scope, cell: (row) => <code>{row.scope}</code> },
    { label: words.created, cell: (row) => <Time at={row.created_at} /> },
    { label: words.lastUsed, cell: (row) => (row.used_at ? <Time at={row.used_at} /> : <span class="faint">{words.never}</span>) },
    { label: "", cell: (row) => <Ending row={row} reload={reload} /> },
  ];
}

function Ending({ row, reload }: { row: ApiKey; reload: () => void }) {
  const words = operations();
  if (row.revoked_at)
    return (
      <span class="note">
        {words.revoked} <Time at={row.revoked_at} />
      </span>
    );
  const revoke = async () => {
    const own = row.id === me.value?.key ? ` ${words.revokeOwn}` : "";
    if (!(await confirmed(words.revokeTitle(row.name), words.revokeText + own, words.revoke))) return;
    const done = await attempt(async () => {
      await ask("DELETE", "/v1/keys/{key}", { parts: { key: row.id } });
      return true;
    });
    if (done) tell(words.revokedTold(row.name));
    reload();
  };
  return (
    <Button small tone="danger" aria-label={`${words.revoke}: ${row.name}`} onClick={() => void revoke()}>
      {words.revoke}
    </Button>
  );
}

/** Shows a secret this once. */
export function KeyMade() {
  const words = operations();
  const copied = useSignal(false);
  if (made.value === undefined) return null;
  const { created, taken } = made.value;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(created.secret);
      copied.value = true;
    } catch {
      // Without permission the text can still be marked and copied by hand.
      document.querySelector<HTMLInputElement>(".operations-secret input")?.select();
    }
  };
  const close = () => {
    made.value = undefined;
    copied.value = false;
  };
  return (
    <Dialog
      title={`${words.keyReady}: ${created.key.name}`}
      onClose={close}
      actions={
        <Button tone="main" onClick={() => void copy()}>
          {copied.value ? glossary().copied : glossary().copy}
        </Button>
      }
    >
      <p class="operations-once">{words.keyOnce}</p>
      <label class="field operations-secret">
        <span>{words.keySecret}</span>
        <input class="mono" readOnly value={created.secret} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <p class="note">
        {words.roles[created.key.role]} · <code>{created.key.scope}</code>
        {taken && ` · ${words.keyTaken}`}
      </p>
    </Dialog>
  );
}
