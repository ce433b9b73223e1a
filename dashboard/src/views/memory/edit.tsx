/** Changing a memory. What somebody else changed in the meantime is never overwritten unasked. */
import { useSignal } from "@preact/signals";
import { ask, asProblem } from "../../api.ts";
import { Button, Failure } from "../../parts/basic.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { tell } from "../../parts/told.tsx";
import { memory as strings } from "../../strings/memory.ts";
import { words } from "../../strings/words.ts";
import type { Changes, Kind, Memory, Revised } from "../../wire.ts";
import { localTime, split, wireTime } from "./address.ts";
import { Select } from "./fields.tsx";
import { ImportanceField } from "./importance.tsx";
import { KINDS } from "./known.ts";
import { Check } from "./remember.tsx";
import { Text } from "./text.tsx";
import { useTrying } from "./trying.ts";

const CONFLICT = 412;

interface EditProps {
  memory: Memory;
  onClose: () => void;
  onSaved: () => void;
}

interface Form {
  content: string;
  kind: Kind;
  importance: number;
  tags: string;
  pinned: boolean;
  validFrom: string;
  validUntil: string;
}

export function EditDialog({ memory, onClose, onSaved }: EditProps) {
  const form = useSignal(formOf(memory));
  const newer = useSignal<Memory | undefined>(undefined);
  const trying = useTrying();
  const end = (told: string) => {
    tell(told);
    onSaved();
    onClose();
  };
  const save = async () => {
    const body = changes(memory, form.value);
    if (Object.keys(body).length === 0) return end(strings().unchanged);
    const saved = await trying.run(() => revise(newer.value ?? memory, body));
    if (saved === "conflict") newer.value = await trying.run(() => ask<Memory>("GET", "/v1/memories/{id}", { parts: { id: memory.id } }));
    else if (saved) end(strings().saved);
  };
  return (
    <Dialog
      title={strings().editTitle}
      onClose={onClose}
      actions={
        <Button tone="main" disabled={trying.isBusy || form.value.content.trim() === ""} onClick={() => void save()}>
          {newer.value ? strings().overwrite : words().save}
        </Button>
      }
    >
      {trying.error && <Failure error={trying.error} />}
      {newer.value && (
        <div class="memory-notice" role="alert" data-part="conflict">
          <p>{strings().conflict}</p>
          <blockquote>
            <Text text={newer.value.content} />
          </blockquote>
        </div>
      )}
      <Fields form={form.value} onChange={(part) => (form.value = { ...form.value, ...part })} />
    </Dialog>
  );
}

function formOf(memory: Memory): Form {
  return {
    content: memory.content,
    kind: memory.kind,
    importance: memory.importance,
    tags: (memory.tags ?? []).join(", "),
    pinned: memory.pinned ?? false,
    validFrom: localTime(memory.valid_from),
    validUntil: localTime(memory.valid_until),
  };
}

/** Only what differs from what was seen. */
function changes(memory: Memory, form: Form): Changes {
  const before = formOf(memory);
  const all: Changes = {};
  if (form.content !== before.content) all.content = form.content;
  if (form.kind !== before.kind) all.kind = form.kind;
  if (form.importance !== before.importance) all.importance = form.importance;
  if (form.tags !== before.tags) all.tags = split(form.tags);
  if (form.pinned !== before.pinned) all.pinned = form.pinned;
  if (form.validFrom !== before.validFrom) all.valid_from = wireTime(form.validFrom) ?? null;
  if (form.validUntil !== before.validUntil) all.valid_until = wireTime(form.validUntil) ?? null;
  return all;
}

/** Only while it is as it was seen. */
async function revise(seen: Memory, body: Changes): Promise<Revised | "conflict"> {
  // The tag that the server gives to this state.
  const tag = `"${seen.version}-${seen.change}${seen.trashed_at ? "-trashed" : ""}"`;
  try {
    return await ask<Revised>("PATCH", "/v1/memories/{id}", { parts: { id: seen.id }, body, headers: { "if-match": tag } });
  } catch (error) {
    if (asProblem(error).status === CONFLICT) return "conflict";
    throw error;
  }
}

function Fields({ form, onChange }: { form: Form; onChange: (part: Partial<Form>) => void }) {
  return (
    <>
      <label class="field">
        <span>{strings().editContent}</span>
        <textarea rows={6} dir="auto" value={form.content} onInput={(event) => onChange({ content: event.currentTarget.value })} />
      </label>
      <div class="memory-fields">
        <Select label={words().kind} value={form.kind} of={KINDS.map((kind) => [kind, words().kinds[kind]])} onChange={(kind) => onChange({ kind })} />
        <label class="field">
          <span>{strings().tagsLabel}</span>
          <input value={form.tags} onInput={(event) => onChange({ tags: event.currentTarget.value })} />
        </label>
        <ImportanceField value={form.importance} onChange={(importance) => onChange({ importance })} />
        <span />
        <label class="field">
          <span>{strings().validFrom}</span>
          <input type="datetime-local" value={form.validFrom} onInput={(event) => onChange({ validFrom: event.currentTarget.value })} />
        </label>
        <label class="field">
          <span>{strings().validUntil}</span>
          <input type="datetime-local" value={form.validUntil} onInput={(event) => onChange({ validUntil: event.currentTarget.value })} />
        </label>
      </div>
      <Check label={strings().pinLabel} value={form.pinned} onChange={(pinned) => onChange({ pinned })} />
    </>
  );
}
