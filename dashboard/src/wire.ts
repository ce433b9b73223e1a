/** What the server sends and takes: the types of the client, and those that only this page uses. */
import type { JournalEntry, Kind, Layer, Memory, Namespace, Role, Scope, Turn, Zone } from "perihelion-client/types.ts";

export type * from "perihelion-client/types.ts";

/** Who asks, and where. */
export interface Me {
  role: Role;
  scope: Scope;
  namespace: Namespace;
  key: string | null;
  local: boolean;
  version: string;
  read_only: boolean;
}

/** A memory as a body of the orbit. */
export interface OrbitBody {
  id: string;
  label: string;
  kind: Kind;
  layer: Layer;
  zone: Zone;
  importance: number;
  score: number;
  freshness: number;
  recalls: number;
  created_at: string;
  used_at: string;
  pinned: boolean;
}

export interface OrbitPicture {
  namespace: Namespace;
  settled_at: string | null;
  total: number;
  zones: Array<{ zone: Zone; memories: number; capacity: number | null }>;
  bodies: OrbitBody[];
}

/** A memory appeared (`from` null), changed its zone, or left (`to` null). */
export interface OrbitMove {
  id: string;
  at: string;
  from: Zone | null;
  to: Zone | null;
  reason: string | null;
}

export interface OrbitMoves {
  namespace: Namespace;
  from: string;
  now: string;
  until: string;
  complete: boolean;
  moves: OrbitMove[];
  more: boolean;
}

export interface MemoryOrbit {
  id: string;
  zone: Zone;
  score: number;
  parts: Array<{ name: string; value: number; weight: number; share: number }>;
  recalls: number;
  used_at: string;
  pinned: boolean;
  moves: OrbitMove[];
}

export interface GraphNode {
  id: string;
  label: string;
  kind: Kind;
  zone: Zone;
  rank: number;
  community: number | null;
  degree: number;
}

export interface GraphPicture {
  namespace: Namespace;
  total_nodes: number;
  total_edges: number;
  communities: number;
  modularity: number;
  nodes: GraphNode[];
  edges: Array<{ source: number; target: number; type: string; weight: number }>;
}

export type WhyReason =
  | "recalled"
  | "below_floor"
  | "beyond_limit"
  | "over_budget"
  | "filtered"
  | "superseded"
  | "expired"
  | "trashed"
  | "not_weighed"
  | "elsewhere";

/** Why a memory was recalled or was not. */
export interface Why {
  id: string;
  query: string;
  recalled: boolean;
  verdict: string;
  reason: WhyReason;
  score: number | null;
  score_min: number;
  limit: number;
  place: number | null;
  weighed: number;
  stages: Array<{ stage: string; value: number; place: number; of: number }>;
  filtered_by: string[];
  memory: Memory;
}

/** Where a memory came from. */
export interface MemoryTrace {
  memory?: Memory | null;
  entry_id?: string | null;
  entry?: JournalEntry | null;
  turn?: Turn | null;
  memories: Memory[];
}

export interface GivenToSession {
  namespace: Namespace;
  session: string;
  given: Array<{ at: string; text: string }>;
  more: boolean;
}

export interface Latencies {
  from: string;
  until: string;
  bucket_seconds: number;
  complete: boolean;
  buckets: Array<{
    at: string;
    recalls: number;
    measured: number;
    p50_micros: number | null;
    p95_micros: number | null;
    max_micros: number | null;
    stored: number;
  }>;
}

export interface BackupList {
  place: string | null;
  scheduled: boolean;
  next_at: string | null;
  backups: Array<{
    name: string;
    at: string;
    memories: number | null;
    bytes: number | null;
    change: number;
    before_restore: boolean;
  }>;
}

export interface BackupMade {
  name: string;
  bytes: number;
  memories: number;
}

export interface LlmCalls {
  model: string | null;
  provider: string | null;
  cap_tokens: number | null;
  spent_tokens_today: number;
  resets_at: string | null;
  calls: Array<{
    at: string;
    purpose: string;
    model: string;
    outcome: string;
    input_tokens: number;
    output_tokens: number;
    took_ms: number | null;
    error: string | null;
  }>;
  days: Array<{ day: string; calls: number; tokens: number }>;
}

export interface SampleStatus {
  namespace: Namespace;
  loaded: boolean;
  memories: number;
}

export interface SampleLoaded {
  namespace: Namespace;
  memories: number;
  edges: number;
  sessions: number;
  trajectories: number;
  patterns: number;
}
