/** Has the picture laid out beside the page, and takes the positions over as they come. */
import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";
import type { GraphModel } from "./model.ts";

/** What the worker is sent. */
export interface Asked {
  positions: Float32Array;
  /** Number, number and weight of each edge. */
  edges: Float32Array;
  settings: ForceAtlas2Settings;
  rounds: number;
}

/** What it sends back. */
export interface Moved {
  positions: Float32Array;
  done: boolean;
}

// Edges within a community pull more, so that communities stay together where they can be seen.
const WITHIN = 1;
const ACROSS = 0.1;
const MANY = 600;
/** Drawing takes at most one part in so many of the time while the layout runs. */
const SHARE = 10;

function asked(model: GraphModel, positions: Float32Array): Asked {
  const count = model.nodes.length;
  const edges = new Float32Array(model.edges.length * 3);
  model.edges.forEach(({ source, target, weight }, at) => {
    const same = model.node(source).community === model.node(target).community;
    edges.set([source, target, weight * (same ? WITHIN : ACROSS)], at * 3);
  });
  const settings = {
    barnesHutOptimize: count > MANY,
    barnesHutTheta: 0.9,
    edgeWeightInfluence: 1,
    gravity: 0.05,
    scalingRatio: 20,
    slowDown: 1 + Math.log(count + 1),
    strongGravityMode: true,
  };
  return { positions, edges, settings, rounds: Math.max(60, Math.min(400, Math.round(900_000 / (count + 1)))) };
}

/**
 * Lays a model out. `draw` is given the positions; while `isBusy` says that somebody moves the picture, nothing is
 * drawn in between. Returns what stops it.
 */
export function layOut(
  model: GraphModel,
  positions: Float32Array,
  draw: (positions: Float32Array, done: boolean) => void,
  isBusy: () => boolean,
): () => void {
  const worker = new Worker(new URL("./layout_worker.ts", import.meta.url), { type: "module", name: "layout" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const take = (moved: Moved) => {
    if (isBusy()) {
      timer = setTimeout(() => take(moved), 150);
      return;
    }
    const before = performance.now();
    draw(moved.positions, moved.done);
    if (moved.done) worker.terminate();
    else timer = setTimeout(() => worker.postMessage("drawn"), SHARE * (performance.now() - before));
  };
  worker.addEventListener("message", ({ data }: MessageEvent<Moved>) => {
    clearTimeout(timer);
    take(data);
  });
  worker.postMessage(asked(model, positions));
  return () => {
    clearTimeout(timer);
    worker.terminate();
  };
}
