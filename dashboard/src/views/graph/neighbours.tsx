/** Who a node is linked with, in words. */
import { useSignal } from "@preact/signals";
import { Button } from "../../parts/basic.tsx";
import { graph, told } from "../../strings/graph.ts";
import { words } from "../../strings/words.ts";
import { hidden } from "./looking.ts";
import type { GraphModel } from "./model.ts";
import { NodeName } from "./node_name.tsx";

interface NeighboursProps {
  model: GraphModel;
  node: number;
  onChoose: (node: number) => void;
}

const AT_FIRST = 20;

export function Neighbours({ model, node, onChoose }: NeighboursProps) {
  const shown = useSignal(AT_FIRST);
  const all = model.neighbours(node, hidden.value);
  if (all.length === 0) return <p class="note">{graph().noNeighbours}</p>;
  return (
    <>
      <ul class="graph-neighbours">
        {all.slice(0, shown.value).map(({ node: other, edge, outward }) => (
          <li key={edge}>
            <span class="graph-told">{told(model.edges[edge]?.type ?? "", outward)}</span>
            <button type="button" onClick={() => onChoose(other)}>
              <NodeName node={model.node(other)} />
            </button>
          </li>
        ))}
      </ul>
      {all.length > shown.value && (
        <Button small onClick={() => (shown.value += 4 * AT_FIRST)}>
          {words().more} ({all.length - shown.value})
        </Button>
      )}
    </>
  );
}
