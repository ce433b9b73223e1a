/** Brings memories into the picture that are not among those of highest rank. */
import { ask } from "../../api.ts";
import { namespace } from "../../state.ts";
import type { Connection, GraphNode, Memory, Walked } from "../../wire.ts";
import { type FoundPath, grown, stage } from "./looking.ts";
import type { Addition, GraphModel } from "./model.ts";

const WALKED_MAX = 60;
const LABEL_LENGTH = 120;

async function memory(id: string, signal?: AbortSignal): Promise<GraphNode> {
  const found = await ask<Memory>("GET", "/v1/memories/{id}", { parts: { id }, signal });
  const label = [...found.content.replace(/\s+/g, " ")].slice(0, LABEL_LENGTH).join("");
  return { id, label, kind: found.kind, zone: found.zone ?? "cloud", rank: 0, community: null, degree: 0 };
}

async function add(model: GraphModel, ids: string[], edges: Addition["edges"], signal?: AbortSignal): Promise<void> {
  const missing = [...new Set(ids)].filter((id) => model.number(id) === undefined);
  const nodes = await Promise.all(missing.map((id) => memory(id, signal)));
  if (signal?.aborted) return;
  const before = { nodes: model.nodes.length, edges: model.edges.length };
  model.add({ nodes, edges });
  if (model.nodes.length === before.nodes && model.edges.length === before.edges) return;
  stage.value?.grow(before.nodes, before.edges);
  grown.value++;
}

/** The number of a memory in the picture, with what is around it if it was not there; none if nothing is. */
export async function bringIn(model: GraphModel, id: string, signal: AbortSignal): Promise<number | undefined> {
  const there = model.number(id);
  if (there !== undefined) return there;
  const query = { from: id, depth: 2, limit: WALKED_MAX, direction: "both", namespace: namespace.value };
  const { steps } = await ask<Walked>("GET", "/v1/graph/walk", { query, signal });
  if (steps.length === 0 || signal.aborted) return undefined;
  await add(model, [id, ...steps.map((step) => step.id)], steps.map((step) => step.via), signal);
  return model.number(id);
}

/** The shortest way between two; null if there is none. */
export async function findPath(model: GraphModel, from: number, to: number, signal: AbortSignal): Promise<FoundPath | null> {
  const query = { from: model.node(from).id, to: model.node(to).id, namespace: namespace.value };
  const { path } = await ask<Connection>("GET", "/v1/graph/path", { query, signal });
  if (!path) return null;
  await add(model, path.nodes, path.links, signal);
  const nodes = path.nodes.map((id) => model.number(id)).filter((one) => one !== undefined);
  return { nodes, links: path.links, strength: path.strength };
}
