/** Runs that were begun from this page. The server answers when they have ended; the page goes on meanwhile. */
import { signal } from "@preact/signals";
import { ask, asProblem } from "../../api.ts";
import { tell } from "../../parts/told.tsx";
import { workers } from "../../strings/workers.ts";
import type { Cancelled, Dispatched, WorkerKind } from "../../wire.ts";

/** Those that are waited for; `all` stands for every one of them. */
export const waited = signal<ReadonlySet<string>>(new Set());
/** How many have ended. */
export const ended = signal(0);

function note(name: string, isWaited: boolean): void {
  const next = new Set(waited.value);
  if (isWaited) next.add(name);
  else next.delete(name);
  waited.value = next;
}

/** Runs a worker, or all of them, and tells what came of it. */
export async function run(worker?: WorkerKind): Promise<void> {
  const name = worker ?? "all";
  note(name, true);
  try {
    const query = worker === undefined ? {} : { worker };
    told(await ask<Dispatched>("POST", "/api/workers/dispatch", { query }), worker);
  } catch (error) {
    const problem = asProblem(error);
    // Nobody waits for minutes; the run goes on, and its end is seen in the list.
    if (problem.status === undefined) tell(workers().stillRuns(worker ?? workers().everyWorker));
    else tell([problem.detail, problem.hint].filter(Boolean).join(" · "), true);
  }
  note(name, false);
  ended.value++;
}

function told(done: Dispatched, worker: WorkerKind | undefined): void {
  const words = workers();
  const first = done.results[0];
  if (worker !== undefined && first !== undefined) tell(words.ended(worker, first.output), !first.success);
  else {
    const all = done.results.length + (done.failed?.length ?? 0) + (done.at_work?.length ?? 0);
    tell(words.allEnded(done.results.filter((one) => one.success).length, all));
  }
}

/** Asks a worker to stop, wherever it is at work. */
export async function cancel(worker: WorkerKind): Promise<void> {
  try {
    const done = await ask<Cancelled>("POST", "/v1/workers/{worker}/cancel", { parts: { worker } });
    tell(done.asked ? workers().cancelling : workers().notAtWork);
  } catch (error) {
    tell(asProblem(error).detail, true);
  }
  ended.value++;
}
