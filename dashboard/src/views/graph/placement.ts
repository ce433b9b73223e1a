/** Where nodes stand before anything has pulled at them: each community a disc, the discs beside each other. */
import type { GraphModel } from "./model.ts";

const TURN = Math.PI * (3 - Math.sqrt(5));
/** The room that one node takes. */
const SPACING = 14;
/** The room around a community, as a multiple of its own. */
const ROOM = 1.35;

interface Disc {
  members: number[];
  radius: number;
  x: number;
  y: number;
}

/** X and y of every node, one after the other. */
export function placed(model: GraphModel): Float32Array {
  const positions = new Float32Array(model.nodes.length * 2);
  for (const disc of discs(model)) fill(disc, positions);
  return positions;
}

function discs(model: GraphModel): Disc[] {
  const alone = model.byRank.filter((number) => model.node(number).community == null);
  const groups = [...model.communities.map((one) => one.members), ...(alone.length > 0 ? [alone] : [])];
  const all = groups.map((members) => ({ members, radius: SPACING * Math.sqrt(members.length) * ROOM, x: 0, y: 0 }));
  pack(all);
  return all;
}

/** Sets the discs along a spiral, each as near to the middle as those before leave room for. */
function pack(all: Disc[]): void {
  const set: Disc[] = [];
  let angle = 0;
  for (const disc of all) {
    let reach = set.length === 0 ? 0 : Math.max((set[0]?.radius ?? 0) * 0.5, disc.radius);
    for (let tries = 0; tries < 4000; tries++) {
      disc.x = reach * Math.cos(angle);
      disc.y = reach * Math.sin(angle);
      if (set.every((other) => Math.hypot(other.x - disc.x, other.y - disc.y) >= other.radius + disc.radius)) break;
      angle += 0.35;
      reach += disc.radius * 0.06;
    }
    set.push(disc);
  }
}

/** The highest rank in the middle, the others around it as the seeds of a sunflower. */
function fill(disc: Disc, positions: Float32Array): void {
  disc.members.forEach((number, place) => {
    const reach = SPACING * Math.sqrt(place);
    positions[2 * number] = disc.x + reach * Math.cos(place * TURN);
    positions[2 * number + 1] = disc.y + reach * Math.sin(place * TURN);
  });
}

/** Places for nodes that came later: beside those that they are linked with, or at the edge of the picture. */
export function placedLater(model: GraphModel, before: Float32Array): Float32Array {
  const positions = new Float32Array(model.nodes.length * 2);
  positions.set(before);
  const first = before.length / 2;
  const edge = rightmost(before) + SPACING * 8;
  for (let number = first; number < model.nodes.length; number++) {
    const near = model.neighbours(number, new Set()).filter((one) => one.node < number);
    const at = near.length === 0 ? { x: edge, y: 0 } : middle(positions, near.map((one) => one.node));
    const place = number - first;
    const reach = SPACING * (1.5 + Math.sqrt(place));
    positions[2 * number] = at.x + reach * Math.cos(place * TURN);
    positions[2 * number + 1] = at.y + reach * Math.sin(place * TURN);
  }
  return positions;
}

function rightmost(positions: Float32Array): number {
  let far = 0;
  for (let at = 0; at < positions.length; at += 2) far = Math.max(far, positions[at] ?? 0);
  return far;
}

function middle(positions: Float32Array, numbers: number[]): { x: number; y: number } {
  let [x, y] = [0, 0];
  for (const number of numbers) {
    x += positions[2 * number] ?? 0;
    y += positions[2 * number + 1] ?? 0;
  }
  return { x: x / numbers.length, y: y / numbers.length };
}
