/** Which body is meant: under the pointer, or next to the one that the keyboard is at. */
import { RINGS } from "./model.ts";
import type { Scene } from "./scene.ts";

const TURN = 2 * Math.PI;

export type Direction = "inward" | "outward" | "left" | "right";

/** The body nearest to a point, if one is near enough. */
export function under(scene: Scene, sizes: Float32Array, x: number, y: number, slack: number): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  for (let slot = 0; slot < scene.count; slot++) {
    const apart = Math.hypot(scene.x[slot]! - x, scene.y[slot]! - y) - sizes[slot]!;
    if (apart < slack && apart < least && scene.isShown(slot)) {
      least = apart;
      best = slot;
    }
  }
  return best;
}

/** How far on one must turn from one angle to another, from 0 to a whole turn. */
function onward(from: number, to: number): number {
  return (((to - from) % TURN) + TURN) % TURN;
}

function apart(a: number, b: number): number {
  const way = onward(a, b);
  return Math.min(way, TURN - way);
}

/** The next body from one, or the first of the nearest ring when there is none yet. */
export function next(scene: Scene, from: number | undefined, direction: Direction): number | undefined {
  if (from === undefined || !scene.isShown(from)) return first(scene);
  if (direction === "left" || direction === "right") return along(scene, from, direction);
  const step = direction === "inward" ? -1 : 1;
  for (let zone = scene.zones[from]! + step; zone >= 0 && zone < RINGS.length; zone += step) {
    const found = closest(scene, zone, scene.angle[from]!);
    if (found !== undefined) return found;
  }
  return from;
}

/** The one at the top of the innermost ring that holds any. */
function first(scene: Scene): number | undefined {
  for (let zone = 0; zone < RINGS.length; zone++) {
    const found = closest(scene, zone, -Math.PI / 2);
    if (found !== undefined) return found;
  }
  return undefined;
}

function closest(scene: Scene, zone: number, angle: number): number | undefined {
  let best: number | undefined;
  let least = Infinity;
  for (let slot = 0; slot < scene.count; slot++) {
    if (scene.zones[slot] !== zone || !scene.isShown(slot)) continue;
    const way = apart(scene.angle[slot]!, angle);
    if (way < least) [best, least] = [slot, way];
  }
  return best;
}

/** Right goes with the clock, left against it. Bodies at the very same angle come in the order of their slots. */
function along(scene: Scene, from: number, direction: "left" | "right"): number {
  const here = scene.angle[from]!;
  let best = from;
  let least = Infinity;
  for (let slot = 0; slot < scene.count; slot++) {
    if (slot === from || scene.zones[slot] !== scene.zones[from] || !scene.isShown(slot)) continue;
    const there = scene.angle[slot]!;
    let way = direction === "right" ? onward(here, there) : onward(there, here);
    if (way === 0 && slot > from !== (direction === "right")) way = TURN;
    if (way < least) [best, least] = [slot, way];
  }
  return best;
}
