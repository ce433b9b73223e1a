/** What the workers `benchmark` and `learning` wrote down of their runs, read with care: earlier versions wrote less. */
import type { WorkerRun } from "../../wire.ts";

export interface Measured {
  /** Seconds since the epoch. */
  time: number;
  at: string;
  questions: number;
  at5: number;
  at10: number;
  rank: number;
  p50: number;
  p95: number;
}

export interface Trial {
  time: number;
  before: number;
  after: number;
  taken: boolean;
  rolledBack: boolean;
  verdict: string;
}

export interface RouterTrained {
  time: number;
  outcomes: number;
}

type Fields = Record<string, unknown>;

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function figure(of: Fields, name: string): number | undefined {
  const value = of[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The runs that came to something, the earliest first. */
function done(runs: WorkerRun[]): Array<{ run: WorkerRun; time: number; figures: Fields }> {
  const kept = runs.filter((run) => run.status === "done");
  const told = kept.map((run) => ({ run, time: Date.parse(run.finished_at) / 1000, figures: fields(fields(run.detail)["figures"]) }));
  return told.sort((a, b) => a.time - b.time);
}

export function benchmarks(runs: WorkerRun[]): Measured[] {
  return done(runs).flatMap(({ run, time, figures }) => {
    const [at5, at10] = [figure(figures, "recall_at_5"), figure(figures, "recall_at_10")];
    if (at5 === undefined || at10 === undefined) return [];
    return [
      {
        time,
        at: run.finished_at,
        questions: figure(figures, "questions") ?? 0,
        at5,
        at10,
        rank: figure(figures, "reciprocal_rank") ?? 0,
        p50: figure(figures, "p50_micros") ?? 0,
        p95: figure(figures, "p95_micros") ?? 0,
      },
    ];
  });
}

/** What was done in a namespace, of a list that tells of several. */
function of(list: unknown, namespace: string | undefined): Fields[] {
  return (Array.isArray(list) ? list : []).map(fields).filter((one) => one["namespace"] === namespace);
}

export function trials(runs: WorkerRun[], namespace: string | undefined): Trial[] {
  return done(runs).flatMap(({ time, figures }) =>
    of(figures["adapters"], namespace).flatMap((one) => {
      const outcome = fields(one["outcome"]);
      const [before, after] = [figure(outcome, "before"), figure(outcome, "after")];
      if (before === undefined || after === undefined) return [];
      const { taken, rolled_back: rolledBack, verdict } = outcome;
      return [{ time, before, after, taken: taken === true, rolledBack: rolledBack === true, verdict: String(verdict ?? "") }];
    }),
  );
}

export function routers(runs: WorkerRun[], namespace: string | undefined): RouterTrained[] {
  return done(runs).flatMap(({ time, figures }) =>
    of(figures["routers"], namespace).flatMap((one) => {
      const outcomes = figure(one, "outcomes");
      return outcomes === undefined ? [] : [{ time, outcomes }];
    }),
  );
}
