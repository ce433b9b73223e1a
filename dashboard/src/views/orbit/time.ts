/** Where memories were and will be: from the present back through the moves that happened, or on through those to come. */
import { zoneNumber } from "../../strings/words.ts";
import type { OrbitMove, OrbitMoves } from "../../wire.ts";
import { GONE, RINGS } from "./model.ts";

/** A move in numbers. */
export interface Step {
  slot: number;
  at: number;
  from: number;
  to: number;
}

/** Moves in the order of time, with the number of those that have happened. */
export interface Course {
  from: number;
  now: number;
  until: number;
  steps: Step[];
  happened: number;
}

function zoneOr(zone: OrbitMove["from"]): number {
  return zone === null ? GONE : zoneNumber(zone);
}

/** `slots` tells where each memory is kept; what it does not know is left out. */
export function courseOf(moves: OrbitMoves, slots: ReadonlyMap<string, number>): Course {
  const steps: Step[] = [];
  for (const move of moves.moves) {
    const slot = slots.get(move.id);
    if (slot !== undefined) steps.push({ slot, at: Date.parse(move.at), from: zoneOr(move.from), to: zoneOr(move.to) });
  }
  const now = Date.parse(moves.now);
  const first = steps.findIndex((step) => step.at > now);
  return { from: Date.parse(moves.from), now, until: Date.parse(moves.until), steps, happened: first < 0 ? steps.length : first };
}

/** The zones at a time. It always begins with the present, so a mistake in one move never spreads to another time. */
export function zonesAt(present: Int8Array, course: Course, time: number): Int8Array {
  const zones = present.slice();
  const { steps, happened, now } = course;
  if (time < now) {
    for (let at = happened - 1; at >= 0; at--) {
      const step = steps[at];
      if (step === undefined || step.at <= time) break;
      zones[step.slot] = step.from;
    }
    return zones;
  }
  for (let at = happened; at < steps.length; at++) {
    const step = steps[at];
    if (step === undefined || step.at > time) break;
    zones[step.slot] = step.to;
  }
  return zones;
}

/** How many stand in each zone. */
export function countIn(zones: Int8Array): number[] {
  const counts = RINGS.map(() => 0);
  for (const zone of zones) if (zone >= 0) counts[zone] = (counts[zone] ?? 0) + 1;
  return counts;
}

/** How much moved in a stretch of time. */
export interface Tide {
  nearer: number;
  further: number;
}

/** Appearing counts as nearer, leaving as further. */
export function tides(course: Course, count: number): Tide[] {
  const found: Tide[] = Array.from({ length: count }, () => ({ nearer: 0, further: 0 }));
  const span = Math.max(1, course.until - course.from);
  for (const step of course.steps) {
    const tide = found[Math.min(count - 1, Math.floor(((step.at - course.from) / span) * count))];
    if (tide === undefined) continue;
    if (step.from === GONE || (step.to !== GONE && step.to < step.from)) tide.nearer++;
    else tide.further++;
  }
  return found;
}

/**
 * Ids of what has left: the present does not hold them, and the last that happened to them is that they went. What is
 * only too far out to be drawn is not among them.
 */
export function departed(moves: OrbitMoves, present: ReadonlySet<string>): string[] {
  const now = Date.parse(moves.now);
  const last = new Map<string, OrbitMove["to"]>();
  for (const move of moves.moves) if (!present.has(move.id) && Date.parse(move.at) <= now) last.set(move.id, move.to);
  return [...last].filter(([, to]) => to == null).map(([id]) => id);
}
