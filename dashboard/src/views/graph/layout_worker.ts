/** Pulls and pushes the nodes of a graph into place, beside the page so that nothing there waits for it. */
import iterate from "graphology-layout-forceatlas2/iterate.js";
import type { Asked, Moved } from "./layout.ts";

// What the layout keeps of a node and of an edge: so many numbers each.
const OF_NODE = 10;
const OF_EDGE = 3;
const [X, Y, MASS, CONVERGENCE, SIZE] = [0, 1, 6, 7, 8];

/** How long it works before it looks whether something came in. */
const SLICE_MS = 60;

let nodes = new Float32Array();
let edges = new Float32Array();
let settings = {};
let left = 0;
/** The page has drawn what it was sent last. */
let ready = true;

addEventListener("message", ({ data }: MessageEvent<Asked | "drawn">) => {
  if (data === "drawn") {
    ready = true;
    return;
  }
  begin(data);
  slice();
});

function begin(asked: Asked): void {
  const count = asked.positions.length / 2;
  left = asked.rounds;
  settings = asked.settings;
  nodes = new Float32Array(count * OF_NODE);
  for (let at = 0; at < count; at++) {
    const row = at * OF_NODE;
    nodes[row + X] = asked.positions[2 * at] ?? 0;
    nodes[row + Y] = asked.positions[2 * at + 1] ?? 0;
    nodes[row + MASS] = 1;
    nodes[row + CONVERGENCE] = 1;
    nodes[row + SIZE] = 1;
  }
  edges = new Float32Array(asked.edges.length);
  for (let row = 0; row < edges.length; row += OF_EDGE) join(asked.edges, row);
}

/** The layout counts in places of its rows, and weighs a node by its edges. */
function join(asked: Float32Array, row: number): void {
  const [source = 0, target = 0, weight = 1] = asked.subarray(row, row + OF_EDGE);
  edges.set([source * OF_NODE, target * OF_NODE, weight], row);
  for (const end of [source, target]) nodes[end * OF_NODE + MASS] = (nodes[end * OF_NODE + MASS] ?? 0) + weight;
}

function slice(): void {
  const until = performance.now() + SLICE_MS;
  while (left > 0 && performance.now() < until) {
    iterate(settings, nodes, edges);
    left--;
  }
  if (ready || left === 0) tell();
  if (left > 0) setTimeout(slice);
}

function tell(): void {
  const positions = new Float32Array((nodes.length / OF_NODE) * 2);
  for (let at = 0; 2 * at < positions.length; at++) {
    positions[2 * at] = nodes[at * OF_NODE + X] ?? 0;
    positions[2 * at + 1] = nodes[at * OF_NODE + Y] ?? 0;
  }
  ready = false;
  const moved: Moved = { positions, done: left === 0 };
  postMessage(moved, { transfer: [positions.buffer] });
}
