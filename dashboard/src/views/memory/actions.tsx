/** What can be done with a memory, as far as the key allows. */
import { Button } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { go, to } from "../../route.ts";
import { mayRule, mayWrite } from "../../shell/place.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words } from "../../strings/words.ts";
import type { History, Layer, Memory } from "../../wire.ts";
import { bringBack, destroy, forget, promote, setPinned, split, undoPromotion } from "./verbs.ts";

interface ActionsProps {
  memory: Memory;
  history: History | undefined;
  onEdit: () => void;
  reload: () => void;
}

const QUERY_MAX = 300;

export function Actions({ memory, history, onEdit, reload }: ActionsProps) {
  const then = (done: boolean) => done && reload();
  const similar = memory.content.slice(0, QUERY_MAX);
  return (
    <div class="memory-actions actions" role="group" aria-label={strings().actions}>
      {mayWrite() && (memory.trashed_at ? <InTrash memory={memory} then={then} /> : <Kept memory={memory} history={history} onEdit={onEdit} then={then} />)}
      <span class="memory-elsewhere">
        <a class="button quiet" href={to("search", [], { q: similar })}>
          {strings().similar}
        </a>
        <Button tone="quiet" onClick={() => void copy(memory.id)}>
          {strings().copyId}
        </Button>
      </span>
    </div>
  );
}

function InTrash({ memory, then }: { memory: Memory; then: (done: boolean) => void }) {
  return (
    <>
      <Button tone="main" onClick={() => void bringBack(memory.id).then(then)}>
        {strings().restore}
      </Button>
      {mayRule() && (
        <Button tone="danger" onClick={() => void destroy(memory.id).then((done) => done && go("memories", [], { tab: "trash" }))}>
          {strings().purge}
        </Button>
      )}
    </>
  );
}

interface KeptProps extends Omit<ActionsProps, "reload"> {
  then: (done: boolean) => void;
}

const NEXT: Partial<Record<Layer, Layer>> = { working: "episodic", episodic: "long_term" };

function Kept({ memory, history, onEdit, then }: KeptProps) {
  const { id, pinned = false } = memory;
  const next = memory.promoted_to || memory.superseded_by ? undefined : NEXT[memory.layer];
  const isMerged = history?.merges.some((merge) => merge.absorbed === id) ?? false;
  return (
    <>
      <Button tone="main" onClick={onEdit}>
        <Icon name="edit" />
        {strings().edit}
      </Button>
      <Button aria-pressed={pinned} onClick={() => void setPinned(memory, !pinned).then(then)}>
        <Icon name="pin" />
        {pinned ? strings().unpin : strings().pin}
      </Button>
      <Button onClick={() => void forget(id).then(then)}>
        <Icon name="trash" />
        {strings().forget}
      </Button>
      {next && <Button onClick={() => void promote(id)}>{strings().promoteTo(words().layers[next])}</Button>}
      {memory.promoted_from && <Button onClick={() => void undoPromotion(id).then(then)}>{strings().undoPromotion}</Button>}
      {isMerged && <Button onClick={() => void split(id).then(then)}>{strings().split}</Button>}
    </>
  );
}

/** Without TLS a browser may not let a page write to the clipboard; that is told like any failure. */
async function copy(id: string): Promise<void> {
  await attempt(async () => {
    await navigator.clipboard.writeText(id);
    tell(words().copied);
  });
}
