/** What is looked at in the graph, shared by the picture, the panels and the list. */
import { signal } from "@preact/signals";
import { setQuery } from "../../route.ts";
import type { Link } from "../../wire.ts";
import type { GraphModel } from "./model.ts";
import type { Highlight } from "./overlay.ts";
import type { Stage } from "./stage.ts";

/** A path that was asked for and found, or none. */
export interface FoundPath {
  nodes: number[];
  links: Link[];
  strength: number;
}

export const stage = signal<Stage | undefined>(undefined);
export const selected = signal<number | undefined>(undefined);
export const hovered = signal<number | undefined>(undefined);
export const community = signal<number | undefined>(undefined);
export const matches = signal<number[]>([]);
export const hidden = signal<ReadonlySet<string>>(new Set());
export const pathIsOpen = signal(false);
export const pathEnds = signal<[from: number | undefined, to: number | undefined]>([undefined, undefined]);
export const foundPath = signal<FoundPath | undefined>(undefined);
/** Counts what was added to the model after it was loaded. */
export const grown = signal(0);

/** Another picture: nothing of what was looked at is in it. */
export function forget(): void {
  selected.value = hovered.value = community.value = undefined;
  matches.value = [];
  closePath();
}

/** Selects a memory, or none. The address says which, and the view follows it. */
export function select(id: string | undefined): void {
  setQuery({ focus: id });
}

/** The memory that was pressed in the picture last; the picture does not jump to where somebody points already. */
export const pressed: { id?: string | undefined } = {};

/** A node was pressed: an end of the path if one is asked for, or else what is selected. */
export function press(model: GraphModel, node: number | undefined): void {
  const [from, to] = pathEnds.value;
  if (!pathIsOpen.value || node === undefined) {
    community.value = undefined;
    pressed.id = node === undefined ? undefined : model.node(node).id;
    select(pressed.id);
  } else if (from === undefined) pathEnds.value = [node, to];
  else if (to === undefined) pathEnds.value = [from, node];
  else pathEnds.value = [node, undefined];
}

export function openPath(from?: number): void {
  pathIsOpen.value = true;
  pathEnds.value = [from, undefined];
  foundPath.value = undefined;
  select(undefined);
}

export function closePath(): void {
  pathIsOpen.value = false;
  pathEnds.value = [undefined, undefined];
  foundPath.value = undefined;
}

export function toggleType(type: string): void {
  const next = new Set(hidden.value);
  if (!next.delete(type)) next.add(type);
  hidden.value = next;
}

/** Few enough to be drawn over the picture at every frame. */
const MEMBERS_MAX = 1500;
const EDGES_MAX = 3000;

/** What stands out now: a path, or a node with its neighbours, or a community, or what was searched for. */
export function highlight(model: GraphModel): Highlight | undefined {
  const ends = pathEnds.value.filter((one) => one !== undefined);
  if (foundPath.value) return alongPath(model, foundPath.value);
  const node = hovered.value ?? selected.value;
  if (node !== undefined) return around(model, node, ends);
  if (ends.length > 0) return { nodes: ends, edges: [], labels: [], centres: ends };
  if (community.value !== undefined) return within(model, community.value);
  if (matches.value.length > 0) return { nodes: matches.value, edges: [], labels: matches.value, centres: [] };
  return undefined;
}

function alongPath(model: GraphModel, { nodes, links }: FoundPath): Highlight {
  const edges = links.map((link, at) => model.edgeBetween(nodes[at] ?? -1, nodes[at + 1] ?? -1, link.type));
  const over = hovered.value === undefined ? [] : [hovered.value];
  return {
    nodes: [...nodes, ...over],
    edges: edges.filter((one) => one !== undefined),
    labels: nodes,
    centres: [...nodes.slice(0, 1), ...nodes.slice(-1), ...over],
    isPath: true,
  };
}

function around(model: GraphModel, node: number, ends: number[]): Highlight {
  const near = model.neighbours(node, hidden.value);
  const others = near.map((one) => one.node);
  return {
    nodes: [...others, ...ends, node],
    edges: near.map((one) => one.edge),
    labels: others,
    centres: [node, ...ends],
  };
}

function within(model: GraphModel, number: number): Highlight {
  const members = model.communities.find((one) => one.number === number)?.members.slice(0, MEMBERS_MAX) ?? [];
  const inside = new Set(members);
  const edges: number[] = [];
  model.edges.forEach((edge, at) => {
    if (edges.length < EDGES_MAX && !hidden.value.has(edge.type) && inside.has(edge.source) && inside.has(edge.target)) edges.push(at);
  });
  return { nodes: members, edges, labels: members.slice(0, 12), centres: [] };
}
