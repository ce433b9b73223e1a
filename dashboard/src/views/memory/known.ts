/** The words that the server knows, in the order in which they are offered. */
import type { EdgeType, Kind, Layer, Zone } from "../../wire.ts";

export const KINDS: Kind[] = ["fact", "preference", "decision", "procedure", "episode", "observation", "summary", "document"];
export const LAYERS: Layer[] = ["working", "episodic", "long_term"];
export const ZONES: Zone[] = ["core", "inner", "outer", "belt", "cloud"];
export const EDGE_TYPES: EdgeType[] = ["related_to", "derived_from", "contradicts", "sequence", "supersedes"];

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether this is written like the id of a memory. */
export function isId(text: string): boolean {
  return ID.test(text.trim());
}
