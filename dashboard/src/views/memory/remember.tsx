/** Keeping something new, and what became of it. */
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { ask } from "../../api.ts";
import { Button, Failure } from "../../parts/basic.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { to } from "../../route.ts";
import { lookAround, ownNamespace } from "../../shell/place.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words } from "../../strings/words.ts";
import type { Kind, Receipt } from "../../wire.ts";
import { split } from "./address.ts";
import { Select } from "./fields.tsx";
import { ImportanceField } from "./importance.tsx";
import { KINDS } from "./known.ts";
import { MemoryLinks } from "./links.tsx";
import { useTrying } from "./trying.ts";

interface RememberProps {
  onClose: () => void;
  onKept: () => void;
}

const EMPTY = { content: "", kind: "fact" as Kind, isJudged: true, importance: 0.5, tags: "", pinned: false };

export function RememberDialog({ onClose, onKept }: RememberProps) {
  const form = useSignal(EMPTY);
  const receipt = useSignal<Receipt | undefined>(undefined);
  const trying = useTrying();
  const keep = async () => {
    receipt.value = await trying.run(() => ask<Receipt>("POST", "/v1/memories", { body: asked(form.value) }));
    if (receipt.value === undefined) return;
    onKept();
    void lookAround();
  };
  const again = () => {
    form.value = EMPTY;
    receipt.value = undefined;
  };
  const kept = receipt.value;
  const actions = kept ? (
    <>
      <Button onClick={again}>{strings().another}</Button>
      <a class="button main" href={to("memory", [kept.id])}>
        {strings().openIt}
      </a>
    </>
  ) : (
    <Button tone="main" disabled={trying.isBusy || form.value.content.trim() === ""} onClick={() => void keep()}>
      {words().save}
    </Button>
  );
  return (
    <Dialog title={kept ? strings().storedTitle : strings().rememberTitle} onClose={onClose} actions={actions}>
      {trying.error && <Failure error={trying.error} />}
      {kept ? <Told receipt={kept} /> : <Form form={form.value} onChange={(changes) => (form.value = { ...form.value, ...changes })} />}
    </Dialog>
  );
}

function asked({ content, kind, isJudged, importance, tags, pinned }: typeof EMPTY): object {
  return {
    content: content.trim(),
    namespace: ownNamespace(),
    kind,
    tags: split(tags),
    pinned,
    ...(isJudged ? {} : { importance }),
  };
}

function Form({ form, onChange }: { form: typeof EMPTY; onChange: (changes: Partial<typeof EMPTY>) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <>
      <label class="field">
        <span>{strings().content}</span>
        <textarea ref={field} rows={4} dir="auto" placeholder={strings().contentHint} value={form.content} onInput={(event) => onChange({ content: event.currentTarget.value })} />
      </label>
      <div class="memory-fields">
        <Select label={words().kind} value={form.kind} of={KINDS.map((kind) => [kind, words().kinds[kind]])} onChange={(kind) => onChange({ kind })} />
        <label class="field">
          <span>{strings().tagsLabel}</span>
          <input value={form.tags} onInput={(event) => onChange({ tags: event.currentTarget.value })} />
        </label>
      </div>
      <Check label={strings().importanceAuto} value={form.isJudged} onChange={(isJudged) => onChange({ isJudged })} />
      {!form.isJudged && <ImportanceField value={form.importance} onChange={(importance) => onChange({ importance })} />}
      <p class="note" data-part="where">
        {strings().keptIn(ownNamespace() ?? "")}
      </p>
      <Check label={strings().pinLabel} value={form.pinned} onChange={(pinned) => onChange({ pinned })} />
    </>
  );
}

export function Check({ label, value, onChange }: { label: string; value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label class="memory-check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

function Told({ receipt }: { receipt: Receipt }) {
  const { superseded = [], contradicts = [], redacted = [] } = receipt;
  const outcomes = { stored: strings().stored, merged: strings().merged, queued: strings().queued };
  return (
    <div class="memory-receipt" role="status" data-part="receipt">
      <p>{outcomes[receipt.outcome]}</p>
      {receipt.meaning === "pending" && <p class="note">{strings().pending}</p>}
      {redacted.length > 0 && <p>{strings().redacted(redacted.map((one) => `${one.kind} × ${one.count}`).join(", "))}</p>}
      {superseded.length > 0 && (
        <>
          <p>{strings().replacedOthers(superseded.length)}</p>
          <MemoryLinks ids={superseded} />
        </>
      )}
      {contradicts.length > 0 && (
        <>
          <p>{strings().contradicts(contradicts.length)}</p>
          <MemoryLinks ids={contradicts} />
        </>
      )}
    </div>
  );
}
