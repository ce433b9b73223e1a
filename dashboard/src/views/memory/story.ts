/** The history of a memory as steps in time. */
import type { History, Memory, Merge } from "../../wire.ts";

export type Step =
  | { what: "stored"; at: string; content: string }
  | { what: "revised"; at: string; version: number; before: string; after: string }
  | { what: "replaced-by"; at: string; memory: Memory }
  | { what: "replaces"; at: string; memory: Memory }
  | { what: "merge"; at: string; merge: Merge };

/** The latest first. */
export function story(history: History): Step[] {
  const { memory, versions, replaced_by, replaces, merges } = history;
  const merged = new Set(merges.map((merge) => merge.survivor));
  const steps: Step[] = [{ what: "stored", at: memory.created_at, content: versions[0]?.content ?? memory.content }];
  for (const [at, version] of versions.entries()) {
    const after = versions[at + 1]?.content ?? memory.content;
    steps.push({ what: "revised", at: version.until, version: version.version + 1, before: version.content, after });
  }
  // The one that it was merged into is told as a merge already.
  for (const newer of replaced_by) {
    if (!merged.has(newer.id)) steps.push({ what: "replaced-by", at: newer.created_at, memory: newer });
  }
  for (const older of replaces) steps.push({ what: "replaces", at: endOf(older), memory: older });
  for (const merge of merges) steps.push({ what: "merge", at: merge.at, merge });
  // Steps of one moment keep the order in which they were told: what is stored comes before what follows from it.
  return steps.reverse().sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** When a memory ceased to hold, as far as it says so. */
function endOf(older: Memory): string {
  return older.valid_until ?? older.updated_at;
}
