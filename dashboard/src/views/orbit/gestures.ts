/** What hands do on the picture: point, click, drag, pinch, turn the wheel, press keys. */
import type { Stage } from "./stage.ts";
import { next, under, type Direction } from "./walk.ts";

export interface Meant {
  /** The body under the pointer, or none. */
  onPoint: (slot: number | undefined) => void;
  /** The body that the keyboard has come to. */
  onWalk: (slot: number) => void;
  onPick: (slot: number) => void;
  onLeave: () => void;
  /** Where the keyboard is. */
  at: () => number | undefined;
}

const STEP = 1.4;
/** A finger needs more room than a mouse. */
const SLACK = { mouse: 6, touch: 18 };
const STILL_PIXELS = 5;

const DIRECTIONS: Record<string, Direction> = { ArrowUp: "inward", ArrowDown: "outward", ArrowLeft: "left", ArrowRight: "right" };

interface Finger {
  x: number;
  y: number;
}

export class Gestures {
  readonly #host: HTMLElement;
  readonly #stage: Stage;
  readonly #meant: Meant;
  readonly #ending = new AbortController();
  readonly #fingers = new Map<number, Finger>();
  #way = 0;

  constructor(host: HTMLElement, stage: Stage, meant: Meant) {
    this.#host = host;
    this.#stage = stage;
    this.#meant = meant;
    const { signal } = this.#ending;
    host.addEventListener("pointerdown", this.#onDown, { signal });
    host.addEventListener("pointermove", this.#onMove, { signal });
    host.addEventListener("pointerup", this.#onUp, { signal });
    host.addEventListener("pointercancel", this.#onCancel, { signal });
    host.addEventListener("pointerleave", () => meant.onPoint(undefined), { signal });
    host.addEventListener("wheel", this.#onWheel, { signal, passive: false });
    host.addEventListener("keydown", this.#onKey, { signal });
  }

  #place(event: PointerEvent | WheelEvent): Finger {
    const room = this.#host.getBoundingClientRect();
    return { x: event.clientX - room.left, y: event.clientY - room.top };
  }

  #under(event: PointerEvent): number | undefined {
    const { scene, sizes } = this.#stage;
    const { x, y } = this.#place(event);
    return scene && under(scene, sizes, x, y, event.pointerType === "mouse" ? SLACK.mouse : SLACK.touch);
  }

  readonly #onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    this.#host.setPointerCapture(event.pointerId);
    this.#fingers.set(event.pointerId, this.#place(event));
    this.#way = this.#fingers.size > 1 ? Infinity : 0;
  };

  readonly #onMove = (event: PointerEvent) => {
    const before = this.#fingers.get(event.pointerId);
    if (before === undefined) {
      const slot = this.#under(event);
      this.#host.classList.toggle("over", slot !== undefined);
      this.#meant.onPoint(slot);
      return;
    }
    const now = this.#place(event);
    this.#way += Math.hypot(now.x - before.x, now.y - before.y);
    if (this.#fingers.size === 1 && this.#way > STILL_PIXELS) this.#stage.camera.panBy(now.x - before.x, now.y - before.y);
    if (this.#fingers.size === 2) this.#pinch(event.pointerId, before, now);
    if (this.#way > STILL_PIXELS || this.#fingers.size > 1) this.#fingers.set(event.pointerId, now);
    this.#stage.redraw();
  };

  #pinch(moved: number, before: Finger, now: Finger): void {
    const other = [...this.#fingers].find(([id]) => id !== moved)?.[1];
    if (other === undefined) return;
    const apart = (one: Finger) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.#stage.camera.zoomAt(apart(now) / apart(before), middle);
    this.#stage.camera.panBy((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  readonly #onUp = (event: PointerEvent) => {
    if (!this.#fingers.delete(event.pointerId) || this.#way > STILL_PIXELS) return;
    const slot = this.#under(event);
    if (slot !== undefined) this.#meant.onPick(slot);
    else this.#meant.onLeave();
  };

  readonly #onCancel = (event: PointerEvent) => {
    this.#fingers.delete(event.pointerId);
  };

  readonly #onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // Pinching on a touchpad comes as a wheel with Control held, in small steps.
    const strength = event.ctrlKey ? 0.01 : 0.0016;
    const factor = Math.exp(-Math.max(-240, Math.min(240, event.deltaY * lines)) * strength);
    this.#stage.camera.zoomAt(factor, this.#place(event));
    this.#stage.redraw();
  };

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#pressed(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** True if the key means something here. */
  #pressed(event: KeyboardEvent): boolean {
    const { stage } = { stage: this.#stage };
    const direction = DIRECTIONS[event.key];
    if (direction !== undefined && stage.scene) {
      const found = next(stage.scene, this.#meant.at(), direction);
      if (found !== undefined) this.#meant.onWalk(found);
      return true;
    }
    const at = this.#meant.at();
    if (event.key === "Enter" || event.key === " ") {
      if (at !== undefined) this.#meant.onPick(at);
    } else if (event.key === "Escape") this.#meant.onLeave();
    else if (event.key === "+" || event.key === "=") this.zoom("in");
    else if (event.key === "-" || event.key === "_") this.zoom("out");
    else if (event.key === "0") this.zoom("all");
    else return false;
    return true;
  }

  /** As the keys and the buttons do: around the middle. */
  zoom(way: "in" | "out" | "all"): void {
    const { camera } = this.#stage;
    if (way === "all") camera.reset();
    else camera.zoomAt(way === "in" ? STEP : 1 / STEP);
    this.#stage.redraw();
  }

  destroy(): void {
    this.#ending.abort();
  }
}
