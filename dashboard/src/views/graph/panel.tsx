/** The memory that is selected, beside the picture. */
import { useEffect, useRef } from "preact/hooks";
import { Button, KindBadge, ZoneBadge } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { to } from "../../route.ts";
import { number, percent } from "../../strings/define.ts";
import { graph } from "../../strings/graph.ts";
import { words } from "../../strings/words.ts";
import { shortened } from "./labels.ts";
import { community, grown, openPath, select } from "./looking.ts";
import type { GraphModel } from "./model.ts";
import { Neighbours } from "./neighbours.tsx";
import { Swatch } from "./node_name.tsx";

export function Panel({ model, node }: { model: GraphModel; node: number }) {
  void grown.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const { id, label, kind, zone } = model.node(node);
  useEffect(() => heading.current?.parentElement?.scrollTo(0, 0), [node]);
  return (
    <aside class="graph-panel card" aria-label={graph().selection} data-part="graph-selection">
      <button type="button" class="graph-close button quiet" aria-label={words().close} onClick={() => select(undefined)}>
        <Icon name="close" />
      </button>
      <h2 ref={heading}>{label}</h2>
      <p class="graph-badges">
        <KindBadge kind={kind} />
        <ZoneBadge zone={zone} />
      </p>
      <Figures model={model} node={node} />
      <div class="actions">
        <a class="button main small" href={to("memory", [id])}>
          {words().open}
        </a>
        <Button small onClick={() => openPath(node)}>
          {graph().pathFromHere}
        </Button>
      </div>
      <h3>{graph().neighbours}</h3>
      <Neighbours key={node} model={model} node={node} onChoose={(other) => select(model.node(other).id)} />
    </aside>
  );
}

function Figures({ model, node }: { model: GraphModel; node: number }) {
  const { rank, degree, community: group } = model.node(node);
  const place = model.byRank.indexOf(node) + 1;
  const first = model.communities.find((one) => one.number === group)?.members[0];
  return (
    <dl class="graph-figures">
      <dt>{graph().rank}</dt>
      <dd>
        {rank === 0 ? graph().rankUnknown : `${percent(rank, 2)} · ${graph().rankPlace(place, model.nodes.length)}`}
      </dd>
      <dt>{graph().degree}</dt>
      <dd>{number(Math.max(degree, model.neighbours(node, new Set()).length))}</dd>
      <dt>{graph().community}</dt>
      <dd>
        {group === null || first === undefined ? (
          graph().noCommunity
        ) : (
          <button
            type="button"
            class="graph-link"
            onClick={() => {
              select(undefined);
              community.value = group;
            }}
          >
            <Swatch community={group} />
            {graph().communityOf(shortened(model.node(first).label))}
          </button>
        )}
      </dd>
    </dl>
  );
}
