/** The question that the address asks. */
import { among, many, one, wireTime, yesOrNo } from "../memory/address.ts";
import { KINDS, LAYERS } from "../memory/known.ts";
import type { Question, Stage } from "../../wire.ts";

export const STAGES: Stage[] = [
  "words",
  "meaning",
  "neighbours",
  "session",
  "speaker",
  "dates",
  "graph",
  "typos",
  "adaptation",
  "floor",
];

/** Names of the filters in the address. */
export const FILTERS = ["kinds", "layers", "tags", "since", "until", "session", "speaker", "pinned", "as_of", "limit", "without"];

const LIMIT_MAX = 1000;

export type Quiet = Omit<Question, "quiet"> & { quiet: true };

/** Nothing if nothing is asked. */
export function question(namespace: string | undefined): Quiet | undefined {
  const query = one("q").trim();
  if (query === "" || namespace === undefined) return undefined;
  return { query, scopes: [namespace], ...filters(), quiet: true };
}

/** How many filters are set. */
export function filterCount(): number {
  return FILTERS.filter((name) => one(name) !== "").length;
}

/** Every filter taken away, for `setQuery`. */
export function noFilters(): Record<string, undefined> {
  return Object.fromEntries(FILTERS.map((name) => [name, undefined]));
}

function filters(): Partial<Question> {
  const all: Partial<Question> = {
    kinds: among("kinds", KINDS),
    layers: among("layers", LAYERS),
    tags: many("tags"),
    without: among("without", STAGES),
    since: wireTime(one("since")),
    until: wireTime(one("until")),
    as_of: wireTime(one("as_of")),
    session: one("session") || undefined,
    speaker: one("speaker") || undefined,
    pinned: yesOrNo("pinned"),
    limit: limit(),
  };
  const isSet = ([, value]: [string, unknown]) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(all).filter(isSet));
}

function limit(): number | undefined {
  const said = Number(one("limit"));
  return Number.isInteger(said) && said >= 1 ? Math.min(said, LIMIT_MAX) : undefined;
}
