/** What must be known before anything else: that a memory does not hold any more, and what holds instead. */
import type { ComponentChildren } from "preact";
import { Button } from "../../parts/basic.tsx";
import { mayWrite } from "../../shell/place.ts";
import { moment } from "../../strings/define.ts";
import { memory as strings } from "../../strings/memory.ts";
import type { History, Memory } from "../../wire.ts";
import { MemoryLinks } from "./links.tsx";
import { bringBack } from "./verbs.ts";

interface NoticesProps {
  memory: Memory;
  history: History | undefined;
  reload: () => void;
}

export function Notices({ memory, history, reload }: NoticesProps) {
  const { superseded_by, promoted_to, trashed_at, valid_until } = memory;
  const isMerged = history?.merges.some((merge) => merge.absorbed === memory.id) ?? false;
  // What took its place may have been replaced in turn; the last of them holds now.
  const latest = history?.replaced_by.at(-1)?.id;
  const isOver = !superseded_by && valid_until != null && Date.parse(valid_until) <= Date.now();
  return (
    <>
      {trashed_at && (
        <Notice name="trashed" text={strings().trashedNotice}>
          {mayWrite() && (
            <Button small tone="main" onClick={() => void bringBack(memory.id).then((done) => done && reload())}>
              {strings().restore}
            </Button>
          )}
        </Notice>
      )}
      {superseded_by && (
        <Notice name="superseded" text={isMerged ? strings().mergedNotice : strings().supersededNotice}>
          <MemoryLinks ids={[latest ?? superseded_by]} />
        </Notice>
      )}
      {promoted_to && promoted_to !== superseded_by && (
        <Notice name="promoted" text={strings().promotedNotice}>
          <MemoryLinks ids={[promoted_to]} />
        </Notice>
      )}
      {isOver && valid_until && <Notice name="ended" text={strings().endedNotice(moment(valid_until))} />}
    </>
  );
}

function Notice({ name, text, children }: { name: string; text: string; children?: ComponentChildren }) {
  return (
    <div class="memory-notice" role="note" data-part={`notice-${name}`}>
      <p>{text}</p>
      {children}
    </div>
  );
}
