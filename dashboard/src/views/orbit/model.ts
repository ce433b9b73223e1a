/** Where a memory stands in the picture. Lengths are shares of the outermost radius, angles are in radians. */
import { zoneNumber } from "../../strings/words.ts";
import type { OrbitBody } from "../../wire.ts";

export interface Ring {
  inner: number;
  outer: number;
  /** The line around it, which bears its name. No body stands there. */
  line: number;
}

export const SUN = 0.052;

/** The nearest first. Room grows outward as the zones' capacities do. */
export const RINGS: readonly Ring[] = [
  { inner: 0.115, outer: 0.195, line: 0.222 },
  { inner: 0.25, outer: 0.372, line: 0.4 },
  { inner: 0.428, outer: 0.61, line: 0.638 },
  { inner: 0.666, outer: 0.815, line: 0.843 },
  { inner: 0.871, outer: 0.998, line: 1.026 },
];

/** What is not there: before it appeared, after it left. */
export const GONE = -1;

const TURN = 2 * Math.PI;

/** A number from 0 to 1 that is the same for the same id, here and everywhere. */
export function share(id: string, salt = 0): number {
  let hash = (0x811c9dc5 ^ salt) >>> 0;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193) >>> 0;
  // Ids made one after another differ in few digits; these steps spread them over the whole turn.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

export function firstAngle(id: string): number {
  return share(id) * TURN;
}

/**
 * How far out in its ring each body stands, from 0 to 1: the higher its score, the nearer. Places are shared out by
 * rank, so that equal scores do not pile up on one line.
 */
export function depths(bodies: readonly OrbitBody[]): Float32Array {
  const found = new Float32Array(bodies.length);
  const members: number[][] = RINGS.map(() => []);
  bodies.forEach((body, at) => members[zoneNumber(body.zone)]?.push(at));
  for (const zone of members) {
    zone.sort((a, b) => scoreAt(bodies, b) - scoreAt(bodies, a));
    zone.forEach((at, rank) => {
      found[at] = (rank + 0.5) / zone.length;
    });
  }
  return found;
}

function scoreAt(bodies: readonly OrbitBody[], at: number): number {
  return bodies[at]?.score ?? 0;
}

/** The radius of a depth within a zone. Equal depths take equal areas, so a ring is evenly strewn. */
export function radiusIn(zone: number, depth: number): number {
  const ring = RINGS[zone];
  if (ring === undefined) return 1.2;
  return Math.sqrt(ring.inner ** 2 + depth * (ring.outer ** 2 - ring.inner ** 2));
}

/** A body at the middle of the core goes round in about 100 seconds; further out by Kepler's third law. */
const PACE = (TURN / 100) * 0.155 ** 1.5;

/** Radians in a second. */
export function pace(radius: number): number {
  return PACE / (radius * Math.sqrt(radius));
}

/** The radius of a body in pixels, by importance, for a picture with so much room and so many bodies. */
export function sizeOf(importance: number, area: number, count: number): number {
  const room = Math.sqrt(area / Math.max(count, 1) / 190);
  const scale = Math.min(1.9, Math.max(0.62, room));
  return (1.15 + 4.1 * Math.max(0, Math.min(1, importance)) ** 1.7) * scale;
}

/**
 * For how many bodies there must be room. The zones are not equally full: where most of them stand close together, all
 * become smaller, but not so much that an empty sky would be strewn with dust.
 */
export function crowd(zones: Int8Array): number {
  const counts = RINGS.map(() => 0);
  for (const zone of zones) if (zone >= 0) counts[zone] = (counts[zone] ?? 0) + 1;
  const densest = Math.max(...RINGS.map((ring, zone) => (counts[zone] ?? 0) / (ring.outer ** 2 - ring.inner ** 2)));
  const all = counts.reduce((sum, count) => sum + count, 0);
  return Math.sqrt(all * Math.max(all, densest));
}

/** How the plane of the orbits lies on the screen. Lengths in pixels. */
export interface Lie {
  x: number;
  y: number;
  /** The outermost radius. */
  reach: number;
  /** How much the plane is tilted: height for width. */
  squash: number;
}

export interface Point {
  x: number;
  y: number;
}

export function placed(lie: Lie, radius: number, angle: number): Point {
  return {
    x: lie.x + Math.cos(angle) * radius * lie.reach,
    y: lie.y + Math.sin(angle) * radius * lie.reach * lie.squash,
  };
}

/** A part of the page, in pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** More than the outermost line: names and marks stand outside of it. */
const AROUND = 1.1;

/** The largest picture that fits into a room: the wider the room, the more the plane is tilted. */
export function fitted(room: Box): Lie {
  const width = Math.max(room.right - room.left, 1);
  const height = Math.max(room.bottom - room.top, 1);
  const squash = Math.min(1.12, Math.max(0.5, height / width));
  const reach = Math.max(40, Math.min(width, height / squash) / 2 / AROUND);
  return { x: room.left + width / 2, y: room.top + height / 2, reach, squash };
}
