/** What a memory is linked to. */
import { useSignal } from "@preact/signals";
import { ask, useAsk } from "../../api.ts";
import { Button, Card, Failure, Loading } from "../../parts/basic.tsx";
import { confirmed } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { to } from "../../route.ts";
import { mayWrite } from "../../shell/place.ts";
import { percent } from "../../strings/define.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words } from "../../strings/words.ts";
import type { Edge, Edges as EdgeList, Memory } from "../../wire.ts";
import { LinkDialog } from "./link.tsx";
import { MemoryLink, readAll } from "./links.tsx";

const SHOWN_FIRST = 12;

interface Linked {
  edges: Edge[];
  others: Map<string, Memory>;
}

async function look(id: string, limit: number, signal: AbortSignal): Promise<Linked> {
  const { edges } = await ask<EdgeList>("GET", "/v1/memories/{id}/edges", { parts: { id }, signal });
  const sorted = [...edges].sort((a, b) => b.weight - a.weight);
  const others = sorted.slice(0, limit).map((edge) => otherOf(edge, id));
  return { edges: sorted, others: await readAll(others, signal) };
}

function otherOf(edge: Edge, own: string): string {
  return edge.source === own ? edge.target : edge.source;
}

export function Edges({ memory }: { memory: Memory }) {
  const isLinking = useSignal(false);
  const limit = useSignal(SHOWN_FIRST);
  const linked = useAsk((signal) => look(memory.id, limit.value, signal), [memory.id, memory.change, limit.value]);
  const all = linked.value?.edges ?? [];
  const actions = (
    <>
      <a class="button small" href={to("graph", [], { focus: memory.id })}>
        {strings().inGraph}
      </a>
      {mayWrite() && !memory.trashed_at && (
        <Button small onClick={() => (isLinking.value = true)}>
          {strings().link}
        </Button>
      )}
    </>
  );
  return (
    <Card title={strings().edges} actions={actions} class="memory-edges">
      {linked.error && <Failure error={linked.error} retry={linked.reload} />}
      {!linked.value && linked.loading && <Loading />}
      {linked.value && all.length === 0 && <p class="note">{strings().noEdges}</p>}
      {linked.value && (
        <ul>
          {all.slice(0, limit.value).map((edge) => (
            <EdgeRow key={edge.source + edge.target + edge.type} edge={edge} own={memory.id} others={linked.value?.others} onGone={linked.reload} />
          ))}
        </ul>
      )}
      {all.length > limit.value && (
        <Button small onClick={() => (limit.value = all.length)}>
          {words().more}
        </Button>
      )}
      {isLinking.value && <LinkDialog memory={memory} onClose={() => (isLinking.value = false)} onLinked={linked.reload} />}
    </Card>
  );
}

interface EdgeRowProps {
  edge: Edge;
  own: string;
  others: Map<string, Memory> | undefined;
  onGone: () => void;
}

function EdgeRow({ edge, own, others, onGone }: EdgeRowProps) {
  const isOutgoing = edge.source === own;
  const other = otherOf(edge, own);
  const name = (isOutgoing ? strings().edgeTypes : strings().edgeTypesBack)[edge.type] ?? edge.type;
  return (
    <li data-part="edge">
      <p class="memory-edge-type">
        <span aria-label={isOutgoing ? strings().outgoing : strings().incoming} role="img">
          {isOutgoing ? "→" : "←"}
        </span>
        <strong>{name}</strong>
        <span class="faint">{strings().weight(percent(edge.weight))}</span>
        {mayWrite() && (
          <Button tone="quiet" small aria-label={`${strings().unlink}: ${name}`} title={strings().unlink} onClick={() => void unlink(edge).then((done) => done && onGone())}>
            <Icon name="close" />
          </Button>
        )}
      </p>
      <MemoryLink id={other} memory={others?.get(other)} isKnown={others !== undefined} />
    </li>
  );
}

async function unlink({ source, target, type }: Edge): Promise<boolean> {
  if (!(await confirmed(strings().unlinkTitle, strings().unlinkText, strings().unlink))) return false;
  const gone = await attempt(async () => ({ value: await ask("DELETE", "/v1/edges", { query: { source, target, type } }) }));
  if (gone) tell(strings().unlinked);
  return gone !== undefined;
}
