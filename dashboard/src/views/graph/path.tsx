/** The way between two memories. */
import { useEffect } from "preact/hooks";
import { useAsk } from "../../api.ts";
import { Button, Failure, Loading } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { to } from "../../route.ts";
import { graph, told } from "../../strings/graph.ts";
import { words } from "../../strings/words.ts";
import { Finder } from "./finder.tsx";
import { closePath, type FoundPath, foundPath, openPath, pathEnds, stage } from "./looking.ts";
import { findPath } from "./lookup.ts";
import type { GraphModel } from "./model.ts";
import { NodeName } from "./node_name.tsx";

export function PathPanel({ model }: { model: GraphModel }) {
  const [from, end] = pathEnds.value;
  const isWhole = from !== undefined && end !== undefined;
  return (
    <aside class="graph-panel card" aria-label={graph().path} data-part="graph-path">
      <button type="button" class="graph-close button quiet" aria-label={words().close} onClick={closePath}>
        <Icon name="close" />
      </button>
      <h2>{graph().path}</h2>
      <p class="note">{graph().pathHint}</p>
      <div class="graph-ends">
        <div class="field">
          <span aria-hidden="true">{graph().pathFrom}</span>
          <Finder model={model} label={graph().pathFrom} hint={graph().findHint} chosen={from} onChoose={(node) => (pathEnds.value = [node, end])} />
        </div>
        <div class="field">
          <span aria-hidden="true">{graph().pathTo}</span>
          <Finder model={model} label={graph().pathTo} hint={graph().findHint} chosen={end} onChoose={(node) => (pathEnds.value = [from, node])} />
        </div>
      </div>
      {isWhole && (from === end ? <p role="status">{graph().samePlace}</p> : <Answer key={`${from} ${end}`} model={model} from={from} end={end} />)}
      {(from !== undefined || end !== undefined) && (
        <Button small onClick={() => openPath()}>
          {graph().pathClear}
        </Button>
      )}
    </aside>
  );
}

function Answer({ model, from, end }: { model: GraphModel; from: number; end: number }) {
  const asked = useAsk((signal) => findPath(model, from, end, signal), []);
  useEffect(() => {
    foundPath.value = asked.value ?? undefined;
    if (asked.value) stage.value?.view.lookAtAll(asked.value.nodes);
    return () => {
      foundPath.value = undefined;
    };
  }, [asked.value]);
  if (asked.error) return <Failure error={asked.error} retry={asked.reload} />;
  if (asked.value === undefined) return <Loading />;
  if (asked.value === null) return <p role="status">{graph().noPath}</p>;
  return <Steps model={model} path={asked.value} />;
}

function Steps({ model, path }: { model: GraphModel; path: FoundPath }) {
  return (
    <>
      <p class="note" role="status">
        {graph().pathSteps(path.links.length)} · {graph().pathStrength(path.strength)}
      </p>
      <ol class="graph-steps">
        {path.nodes.map((node, place) => {
          const before = path.links[place - 1];
          const outward = before?.source === model.node(path.nodes[place - 1] ?? node).id;
          return (
            <li key={node}>
              {before && <span class="graph-told">{told(before.type, outward)}</span>}
              <span class="graph-step">
                <button type="button" onClick={() => stage.value?.view.lookAt(node)}>
                  <NodeName node={model.node(node)} />
                </button>
                <a href={to("memory", [model.node(node).id])}>{words().open}</a>
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}
