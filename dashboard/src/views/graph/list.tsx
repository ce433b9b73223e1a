/** The same as the picture, in words: every node by its rank, with its neighbours. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button, KindBadge, ZoneBadge } from "../../parts/basic.tsx";
import { to } from "../../route.ts";
import { number } from "../../strings/define.ts";
import { graph } from "../../strings/graph.ts";
import { words } from "../../strings/words.ts";
import { grown, selected } from "./looking.ts";
import type { GraphModel } from "./model.ts";
import { Neighbours } from "./neighbours.tsx";
import { NodeName } from "./node_name.tsx";

const PAGE = 50;

export function NodeList({ model }: { model: GraphModel }) {
  void grown.value;
  const text = useSignal("");
  const shown = useSignal(PAGE);
  const opened = useSignal<number | undefined>(undefined);
  useEffect(() => {
    if (selected.value !== undefined) opened.value = selected.value;
  }, [selected.value]);
  const found = text.value.trim() === "" ? model.byRank : model.find(text.value, model.nodes.length);
  const end = Math.max(shown.value, opened.value === undefined ? 0 : found.indexOf(opened.value) + 1);
  return (
    <section class="card graph-list" data-part="graph-list" aria-label={graph().list}>
      <div class="graph-list-head">
        <label class="field">
          <span>{graph().find}</span>
          <input type="search" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        </label>
        <p class="note" role="status">
          {text.value.trim() === "" ? graph().byRank : graph().matches(found.length)}
        </p>
      </div>
      <ol>
        {found.slice(0, end).map((node) => (
          <Row key={node} model={model} node={node} isOpen={opened.value === node} onOpen={(next) => (opened.value = next)} />
        ))}
      </ol>
      {found.length > end && (
        <Button onClick={() => (shown.value = end + PAGE)}>
          {words().more} ({number(found.length - end)})
        </Button>
      )}
    </section>
  );
}

interface RowProps {
  model: GraphModel;
  node: number;
  isOpen: boolean;
  onOpen: (node: number | undefined) => void;
}

function Row({ model, node, isOpen, onOpen }: RowProps) {
  const own = model.node(node);
  return (
    <li class="graph-row" ref={(row) => void (isOpen && row?.scrollIntoView({ block: "nearest" }))}>
      <div>
        <button type="button" class="graph-row-name" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? undefined : node)}>
          <NodeName node={own} />
        </button>
        <span class="graph-row-facts">
          <KindBadge kind={own.kind} />
          <ZoneBadge zone={own.zone} />
          <span class="note">
            {graph().degree} {number(Math.max(own.degree, model.neighbours(node, new Set()).length))}
          </span>
          <a href={to("memory", [own.id])}>{words().open}</a>
        </span>
      </div>
      {isOpen && <Neighbours model={model} node={node} onChoose={onOpen} />}
    </li>
  );
}
