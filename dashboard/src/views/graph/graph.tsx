/** The graph: how memories hang together. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ask, useAsk } from "../../api.ts";
import { Button, Choice, Empty, Failure, Loading, PageHead } from "../../parts/basic.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { route, setQuery } from "../../route.ts";
import { namespace } from "../../state.ts";
import { graph } from "../../strings/graph.ts";
import type { GraphPicture } from "../../wire.ts";
import { Finder } from "./finder.tsx";
import "./graph.css";
import { NodeList } from "./list.tsx";
import { closePath, forget, matches, openPath, pathIsOpen, pressed, select, selected, stage } from "./looking.ts";
import { bringIn } from "./lookup.ts";
import { GraphModel } from "./model.ts";
import { Picture } from "./picture.tsx";
import { canDraw } from "./stage.ts";

const LIMITS = [500, 2000, 5000, 10_000];
const LIMIT = 2000;

function limit(): number {
  const asked = Number(route.value.query.get("limit"));
  return LIMITS.includes(asked) ? asked : LIMIT;
}

export default function Graph() {
  const query = { namespace: namespace.value, limit: limit() };
  const asked = useAsk((signal) => ask<GraphPicture>("GET", "/v1/graph", { query, signal }), [query.namespace, query.limit]);
  const picture = asked.value;
  const model = useMemo(() => (picture ? new GraphModel(picture) : undefined), [picture]);
  const drawable = useMemo(canDraw, []);
  const asList = !drawable || route.value.query.get("as") === "list";
  useFocus(model);
  const lead = picture && graph().lead(picture.nodes.length, picture.total_nodes, picture.edges.length, picture.communities);
  return (
    <div class={asList ? "" : "graph-page"}>
      <PageHead title={graph().title} lead={lead}>
        {drawable && (
          <Choice
            label={graph().show}
            value={asList ? "list" : "picture"}
            of={[
              ["picture", graph().picture],
              ["list", graph().list],
            ]}
            onChange={(as) => setQuery({ as: as === "list" ? as : undefined })}
          />
        )}
        <LimitChoice />
      </PageHead>
      {asked.error && <Failure error={asked.error} retry={asked.reload} />}
      {!drawable && <p class="notice">{graph().noCanvas}</p>}
      {model === undefined ? !asked.error && <Loading /> : <Shown model={model} asList={asList} />}
    </div>
  );
}

function Shown({ model, asList }: { model: GraphModel; asList: boolean }) {
  if (model.nodes.length === 0) {
    return (
      <Empty title={graph().empty}>
        <p class="note">{graph().emptyText}</p>
      </Empty>
    );
  }
  if (asList) return <NodeList model={model} />;
  return (
    <>
      <div class="graph-tools">
        <Finder
          model={model}
          label={graph().find}
          hint={graph().findHint}
          onChoose={(node) => {
            closePath();
            select(model.node(node).id);
          }}
          onMatches={(nodes) => (matches.value = nodes)}
        />
        <Button aria-pressed={pathIsOpen.value} onClick={() => (pathIsOpen.value ? closePath() : openPath(selected.value))}>
          {graph().path}
        </Button>
      </div>
      <Picture model={model} />
    </>
  );
}

function LimitChoice() {
  return (
    <label>
      <span class="unseen">{graph().limit}</span>
      <select value={limit()} onChange={(event) => setQuery({ limit: event.currentTarget.value })}>
        {LIMITS.map((one) => (
          <option key={one} value={one}>
            {graph().limitOf(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The address says which memory is looked at. One that is not in the picture is brought in. */
function useFocus(model: GraphModel | undefined): void {
  const wanted = route.value.query.get("focus") ?? undefined;
  const last = useRef<{ model?: GraphModel; namespace: string | undefined }>({ namespace: namespace.value });
  useEffect(() => {
    if (model === undefined) return;
    if (last.current.model !== model) forget();
    const isElsewhere = last.current.namespace !== namespace.value;
    last.current = { model, namespace: namespace.value };
    if (isElsewhere) setQuery({ focus: undefined });
    if (wanted === undefined || isElsewhere) {
      selected.value = undefined;
      return;
    }
    const ending = new AbortController();
    void focusOn(model, wanted, ending.signal);
    return () => ending.abort();
  }, [model, wanted]);
  // Back from the list, the picture is a new one.
  useEffect(() => {
    if (selected.value !== undefined) stage.value?.view.lookAt(selected.value);
  }, [stage.value]);
}

async function focusOn(model: GraphModel, id: string, signal: AbortSignal): Promise<void> {
  // Nobody waits any more for what was given up.
  const found = await attempt(async () => ({ node: await bringIn(model, id, signal).catch((error) => giveUp(error, signal)) }));
  if (found === undefined || signal.aborted) return;
  selected.value = found.node;
  if (found.node === undefined) tell(graph().notLinked);
  else if (pressed.id !== id) stage.value?.view.lookAt(found.node);
}

function giveUp(error: unknown, signal: AbortSignal): undefined {
  if (!signal.aborted) throw error;
}
