/** What colours and lines mean; pressing hides a type of edge or lifts a community out. */
import { useEffect, useRef } from "preact/hooks";
import { number } from "../../strings/define.ts";
import { graph, typeName } from "../../strings/graph.ts";
import { closePath, community, grown, hidden, select, stage, toggleType } from "./looking.ts";
import type { GraphModel } from "./model.ts";
import { NodeName } from "./node_name.tsx";
import { edgeStyle } from "./palette.ts";

const COMMUNITIES_SHOWN = 10;
/** There is room for it from this width on. */
const WIDE = "(min-width: 1101px)";

export function Legend({ model }: { model: GraphModel }) {
  void grown.value;
  const own = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (own.current) own.current.open = matchMedia(WIDE).matches;
  }, []);
  return (
    <details class="graph-legend" ref={own}>
      <summary>{graph().legend}</summary>
      <h2>{graph().edges}</h2>
      <ul>
        {model.types().map(({ type, count }) => (
          <li key={type}>
            <button type="button" title={graph().edgesNote} aria-pressed={!hidden.value.has(type)} onClick={() => toggleType(type)}>
              <Stroke type={type} />
              <span>{typeName(type)}</span>
              <span class="graph-count">{number(count)}</span>
            </button>
          </li>
        ))}
      </ul>
      {model.communities.length > 0 && <h2>{graph().communities}</h2>}
      <ul>
        {model.communities.slice(0, COMMUNITIES_SHOWN).map(({ number: group, members }) => (
          <li key={group}>
            <button type="button" aria-pressed={community.value === group} onClick={() => choose(group, members)}>
              <NodeName node={model.node(members[0] ?? 0)} />
              <span class="graph-count">{number(members.length)}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function choose(group: number, members: number[]): void {
  closePath();
  select(undefined);
  community.value = community.value === group ? undefined : group;
  if (community.value === undefined) stage.value?.view.fit();
  else stage.value?.view.lookAtMost(members);
}

/** A piece of a line as edges of a type are drawn. */
function Stroke({ type }: { type: string }) {
  const { colour, dash, arrow } = edgeStyle(type);
  return (
    <svg class="graph-stroke" viewBox="0 0 34 10" aria-hidden="true" focusable="false">
      <path d="M1 5h32" style={{ stroke: `var(${colour})` }} stroke-dasharray={dash.join(" ")} />
      {arrow && <path d="M27 1.500 33 5l-6 3.500Z" style={{ fill: `var(${colour})`, stroke: "none" }} />}
    </svg>
  );
}
