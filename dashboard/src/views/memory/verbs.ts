/** What can be done with a memory. Each tells what came of it and answers whether it was done. */
import { ask } from "../../api.ts";
import { confirmed } from "../../parts/dialog.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { go } from "../../route.ts";
import { lookAround } from "../../shell/place.ts";
import { memory as strings } from "../../strings/memory.ts";
import type { Memory, Promoted, Purged, Undone } from "../../wire.ts";

/** Does it, tells what was done, and counts anew what there is. */
async function done<T>(work: () => Promise<T>, told: string): Promise<T | undefined> {
  // Answers without a body are undefined, which must not look like a failure.
  const result = await attempt(async () => ({ value: await work() }));
  if (result === undefined) return undefined;
  tell(told);
  void lookAround();
  return result.value ?? ({} as T);
}

export async function setPinned(memory: Memory, pinned: boolean): Promise<boolean> {
  const change = () => ask("PATCH", "/v1/memories/{id}", { parts: { id: memory.id }, body: { pinned } });
  return (await done(change, pinned ? strings().pinnedNow : strings().unpinnedNow)) !== undefined;
}

export async function forget(id: string): Promise<boolean> {
  return (await done(() => ask("DELETE", "/v1/memories/{id}", { parts: { id } }), strings().forgotten)) !== undefined;
}

export async function bringBack(id: string): Promise<boolean> {
  const restore = () => ask("POST", "/v1/memories/{id}/restore", { parts: { id } });
  return (await done(restore, strings().restored)) !== undefined;
}

export async function destroy(id: string): Promise<boolean> {
  if (!(await confirmed(strings().purgeTitle, strings().purgeText, strings().purge))) return false;
  const purge = () => ask("POST", "/v1/memories/{id}/purge", { parts: { id } });
  return (await done(purge, strings().purged)) !== undefined;
}

export async function emptyTrash(scope: string, count: number): Promise<boolean> {
  const sure = await confirmed(strings().emptyTrashTitle, strings().emptyTrashText(count), strings().emptyTrash);
  if (!sure) return false;
  const result = await attempt(() => ask<Purged>("POST", "/v1/trash/purge", { body: { scope } }));
  if (result) tell(strings().emptied(result.purged));
  void lookAround();
  return result !== undefined;
}

export async function promote(id: string): Promise<boolean> {
  const work = () => ask<Promoted>("POST", "/v1/memories/{id}/promote", { parts: { id }, body: {} });
  const promoted = await done(work, strings().promotedNow);
  if (promoted) go("memory", [promoted.memory.id]);
  return promoted !== undefined;
}

export async function undoPromotion(id: string): Promise<boolean> {
  if (!(await confirmed(strings().undoTitle, strings().undoText, strings().undoPromotion, false))) return false;
  const undo = () => ask<Undone>("POST", "/v1/memories/{id}/undo-promotion", { parts: { id } });
  return (await done(undo, strings().undone)) !== undefined;
}

/** Takes a memory out of the one that it was merged into. */
export async function split(id: string): Promise<boolean> {
  return (await done(() => ask("POST", "/v1/memories/{id}/split", { parts: { id } }), strings().splitDone)) !== undefined;
}
