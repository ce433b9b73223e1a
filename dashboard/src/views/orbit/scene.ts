/** All bodies of the picture in plain arrays: where they are drawn, where they are going, how they look. */
import { zoneNumber } from "../../strings/words.ts";
import type { Kind, OrbitBody, OrbitMoves, OrbitPicture } from "../../wire.ts";
import { depths, firstAngle, GONE, pace, radiusIn, share, type Lie } from "./model.ts";
import { courseOf, departed, type Course } from "./time.ts";

export const KINDS: Kind[] = ["fact", "preference", "decision", "procedure", "episode", "observation", "summary", "document"];

/** What has left is known by its moves alone: it has no kind and no colour. */
export const NO_KIND = KINDS.length;

function kindNumber(kind: Kind | undefined): number {
  const found = kind === undefined ? NO_KIND : KINDS.indexOf(kind);
  return found < 0 ? NO_KIND : found;
}

/** How fast things glide, per second. */
const GLIDE = 5;
const FADE = 6;
const NEAR_ENOUGH = 0.0006;

export class Scene {
  readonly count: number;
  /** Those that are there now come first; what has left follows. */
  readonly ids: string[];
  /** Nothing for what has left since. */
  readonly bodies: Array<OrbitBody | undefined>;
  readonly slots = new Map<string, number>();
  readonly present: Int8Array;
  readonly course: Course | undefined;
  readonly kind: Uint8Array;
  readonly fresh: Float32Array;
  readonly importance: Float32Array;
  readonly pinned: Uint8Array;
  /** The zones that are shown, which are not those of now when one looks at another time. */
  zones: Int8Array;
  readonly angle: Float32Array;
  readonly radius: Float32Array;
  readonly alpha: Float32Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly #depth: Float32Array;
  readonly #aimRadius: Float32Array;
  readonly #aimAlpha: Float32Array;

  constructor(picture: OrbitPicture, moves: OrbitMoves | undefined, before: Scene | undefined) {
    const depth = depths(picture.bodies);
    // The large ones are drawn first, so that they never hide the small ones.
    const order = picture.bodies.map((_, at) => at).sort((a, b) => (picture.bodies[b]?.importance ?? 0) - (picture.bodies[a]?.importance ?? 0));
    const gone = moves ? departed(moves, new Set(picture.bodies.map((body) => body.id))) : [];
    this.count = order.length + gone.length;
    this.bodies = [...order.map((at) => picture.bodies[at]), ...gone.map(() => undefined)];
    this.ids = [...order.map((at) => picture.bodies[at]?.id ?? ""), ...gone];
    this.ids.forEach((id, slot) => this.slots.set(id, slot));
    this.#depth = Float32Array.from(this.ids, (id, slot) => depth[order[slot] ?? -1] ?? share(id, 1));
    this.present = Int8Array.from(this.bodies, (body) => (body ? zoneNumber(body.zone) : GONE));
    this.kind = Uint8Array.from(this.bodies, (body) => kindNumber(body?.kind));
    this.fresh = Float32Array.from(this.bodies, (body) => body?.freshness ?? 0.15);
    this.importance = Float32Array.from(this.bodies, (body) => body?.importance ?? 0.25);
    this.pinned = Uint8Array.from(this.bodies, (body) => (body?.pinned ? 1 : 0));
    this.course = moves && courseOf(moves, this.slots);
    this.zones = this.present;
    this.angle = Float32Array.from(this.ids, firstAngle);
    this.radius = Float32Array.from(this.ids, (_, slot) => this.#radiusOf(slot) * 1.12 + 0.02);
    this.alpha = new Float32Array(this.count);
    this.#aimRadius = this.radius.map((_, slot) => this.#radiusOf(slot));
    this.#aimAlpha = new Float32Array(this.count);
    this.x = new Float32Array(this.count);
    this.y = new Float32Array(this.count);
    if (before) this.#goOnFrom(before);
  }

  /** What was there keeps its place and glides from it. */
  #goOnFrom(before: Scene): void {
    this.ids.forEach((id, slot) => {
      const old = before.slots.get(id);
      if (old === undefined) return;
      this.angle[slot] = before.angle[old] ?? 0;
      this.radius[slot] = before.radius[old] ?? 1;
      this.alpha[slot] = before.alpha[old] ?? 0;
    });
  }

  #radiusOf(slot: number): number {
    const zone = this.zones[slot] ?? GONE;
    return radiusIn(zone === GONE ? 4 : zone, this.#depth[slot] ?? 0.5);
  }

  /** Sets where everything goes. `strength` says how much of each is to be seen, from 0 to 1. */
  aim(zones: Int8Array, strength: (slot: number) => number): void {
    this.zones = zones;
    for (let slot = 0; slot < this.count; slot++) {
      const there = zones[slot] !== GONE;
      this.#aimAlpha[slot] = there ? strength(slot) : 0;
      // What appears or leaves does so where it stands, not by flying across the picture.
      if (there) this.#aimRadius[slot] = this.#radiusOf(slot);
      if (there && (this.alpha[slot] ?? 0) < 0.01) this.radius[slot] = (this.#aimRadius[slot] ?? 1) * 1.12 + 0.02;
    }
  }

  isShown(slot: number): boolean {
    return (this.#aimAlpha[slot] ?? 0) > 0.3;
  }

  /** Moves everything by so many seconds. False when nothing glides any more. */
  step(seconds: number, turns: boolean): boolean {
    const glide = 1 - Math.exp(-seconds * GLIDE);
    const fade = 1 - Math.exp(-seconds * FADE);
    const { angle, radius, alpha } = this;
    let glides = false;
    for (let slot = 0; slot < this.count; slot++) {
      const way = this.#aimRadius[slot]! - radius[slot]!;
      const light = this.#aimAlpha[slot]! - alpha[slot]!;
      if (Math.abs(way) > NEAR_ENOUGH || Math.abs(light) > 0.01) {
        radius[slot]! += way * glide;
        alpha[slot]! += light * fade;
        glides = true;
      }
      if (turns) angle[slot]! -= pace(radius[slot]!) * seconds;
    }
    return glides;
  }

  /** Puts everything where it is going, for those who would rather not see things move. */
  settle(): void {
    this.radius.set(this.#aimRadius);
    this.alpha.set(this.#aimAlpha);
  }

  project(lie: Lie): void {
    const { x, y, angle, radius, count } = this;
    const tall = lie.reach * lie.squash;
    for (let slot = 0; slot < count; slot++) {
      x[slot] = lie.x + Math.cos(angle[slot]!) * radius[slot]! * lie.reach;
      y[slot] = lie.y + Math.sin(angle[slot]!) * radius[slot]! * tall;
    }
  }
}
