/** What is looked at and how: shared by the picture and all that stands around it. */
import { computed, signal } from "@preact/signals";
import { movesLittle } from "../../state.ts";
import type { Kind } from "../../wire.ts";
import type { Scene } from "./scene.ts";
import { countIn, zonesAt } from "./time.ts";

export const SPANS = [7, 30, 90] as const;
/** Days in a second. */
export const SPEEDS = [0.25, 1, 3, 7] as const;

export class Look {
  readonly scene = signal<Scene | undefined>(undefined);
  readonly hidden = signal<ReadonlySet<Kind>>(new Set());
  /** Ids that a search found, the best first; undefined when nothing is looked for. */
  readonly hits = signal<readonly string[] | undefined>(undefined);
  /** Undefined is now, however time goes on. */
  readonly time = signal<number | undefined>(undefined);
  readonly plays = signal(false);
  readonly speed = signal<number>(1);
  readonly span = signal<number>(30);
  readonly turns = signal(!movesLittle);
  readonly asList = signal(false);
  /** By id, since the picture is made anew again and again. */
  readonly pointed = signal<string | undefined>(undefined);
  readonly walked = signal<string | undefined>(undefined);
  readonly selected = signal<string | undefined>(undefined);

  readonly zones = computed(() => {
    const scene = this.scene.value;
    if (scene === undefined) return new Int8Array(0);
    const time = this.time.value;
    return time === undefined || scene.course === undefined ? scene.present : zonesAt(scene.present, scene.course, time);
  });
  readonly counts = computed(() => countIn(this.zones.value));
  readonly meant = computed(() => this.pointed.value ?? this.walked.value);
  readonly #found = computed(() => new Set(this.hits.value ?? []));

  slotOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.scene.value?.slots.get(id);
  }

  isHidden(slot: number): boolean {
    const kind = this.scene.value?.bodies[slot]?.kind;
    return kind !== undefined && this.hidden.value.has(kind);
  }

  /** How much of a body is to be seen, from 0 to 1. */
  strength(slot: number): number {
    if (this.isHidden(slot)) return 0;
    if (this.hits.value === undefined) return 1;
    return this.#found.value.has(this.scene.value?.ids[slot] ?? "") ? 1 : 0.1;
  }

  /** Slots that can be seen at the time looked at, the nearest first. */
  shown(): number[] {
    const scene = this.scene.value;
    if (scene === undefined) return [];
    const zones = this.zones.value;
    const found: number[] = [];
    for (let slot = 0; slot < scene.count; slot++) if (zones[slot]! >= 0 && this.strength(slot) > 0.5) found.push(slot);
    const score = (slot: number) => scene.bodies[slot]?.score ?? 0;
    return found.sort((a, b) => zones[a]! - zones[b]! || score(b) - score(a));
  }

  /** Moves in time, but not over the ends. */
  goTo(time: number): void {
    const course = this.scene.value?.course;
    if (course === undefined) return;
    const kept = Math.max(course.from, Math.min(course.until, time));
    this.time.value = Math.abs(kept - course.now) < 1000 ? undefined : kept;
  }
}
