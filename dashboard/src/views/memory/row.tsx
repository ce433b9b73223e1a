/** A memory in a list. */
import { Badge, Button, KindBadge, Meter, Time, ZoneBadge } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { to } from "../../route.ts";
import { mayRule, mayWrite } from "../../shell/place.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words } from "../../strings/words.ts";
import type { Memory } from "../../wire.ts";
import { Excerpt, Text } from "./text.tsx";
import { bringBack, destroy } from "./verbs.ts";

export function Row({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  return (
    <li class={`memories-row kind-${memory.kind}`} data-part="memory" data-id={memory.id}>
      <div class="memories-said">
        <a href={to("memory", [memory.id])}>
          <Excerpt text={memory.content} />
        </a>
        <p>
          <KindBadge kind={memory.kind} />
          {memory.superseded_by && <Badge tone="warn">{strings().supersededTag}</Badge>}
          {memory.speaker && <Text text={memory.speaker} />}
          {memory.session && (
            <a href={to("timeline", [], { session: memory.session })}>
              <Text text={memory.session} />
            </a>
          )}
          {(memory.tags ?? []).map((tag) => (
            <a key={tag} class="memory-tag" href={to("memories", [], { tag })}>
              <Text text={tag} />
            </a>
          ))}
        </p>
      </div>
      {memory.trashed_at ? <InTrash memory={memory} onChange={onChange} /> : <Standing memory={memory} />}
    </li>
  );
}

function Standing({ memory }: { memory: Memory }) {
  return (
    <div class="memories-standing">
      <span class="memories-zone">
        {memory.pinned && (
          <span class="memory-pin" title={words().pinned}>
            <Icon name="pin" />
            <span class="unseen">{words().pinned}</span>
          </span>
        )}
        <ZoneBadge zone={memory.zone} />
      </span>
      <span title={words().importance}>
        <Meter value={memory.importance} label={words().importance} />
      </span>
      <span class="faint">
        <Time at={memory.created_at} />
      </span>
    </div>
  );
}

function InTrash({ memory, onChange }: { memory: Memory; onChange: () => void }) {
  return (
    <div class="memories-standing">
      <span class="faint">
        {strings().trashedAt} <Time at={memory.trashed_at} />
      </span>
      <div class="actions">
        {mayWrite() && (
          <Button small onClick={() => void bringBack(memory.id).then((done) => done && onChange())}>
            {strings().restore}
          </Button>
        )}
        {mayWrite() && mayRule() && (
          <Button small tone="danger" onClick={() => void destroy(memory.id).then((done) => done && onChange())}>
            {strings().purge}
          </Button>
        )}
      </div>
    </div>
  );
}
