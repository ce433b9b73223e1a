/** The picture on the page: three canvases over one another, drawn when something moves and only then. */
import { Camera } from "./camera.ts";
import { drawGround } from "./ground.ts";
import { writeCaption, type Caption, type ZoneText } from "./lettering.ts";
import { drawMarks, type Marked } from "./marks.ts";
import { crowd, fitted, sizeOf, type Box } from "./model.ts";
import { painterFor, type Painter } from "./painter.ts";
import type { Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";

/** When things only revolve, slowly, half of the frames are enough. */
const REST_MS = 14;
/** A frame that takes longer than this to come shows that the machine is busy. It then gets time for other things. */
const SLOW_MS = 40;
const RATIO_MAX = 3;

export interface Told {
  /** After each frame: where the body stands that is meant. */
  onDrawn: () => void;
}

export class Stage {
  readonly camera = new Camera();
  readonly #host: HTMLElement;
  readonly #hole: HTMLElement;
  readonly #ground: CanvasRenderingContext2D | null;
  readonly #marks: CanvasRenderingContext2D | null;
  readonly #watch: ResizeObserver;
  readonly #onDrawn: () => void;
  #painter: Painter;
  #palette: Palette | undefined;
  #zones: readonly ZoneText[] = [];
  #captions: Caption[] = [];
  #marked: Marked = { meant: undefined, selected: undefined, hits: undefined };
  #sizes = new Float32Array(0);
  #turns = false;
  #still = false;
  #groundIsOld = true;
  #frame = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #asked = 0;
  #delay = 0;
  #ratio = 1;
  /** Where the picture can be seen, between the controls. */
  sight: Box = { left: 0, top: 0, right: 0, bottom: 0 };
  scene: Scene | undefined;

  /** The canvases fill the host; the picture is fitted into the hole that the controls leave. */
  constructor(host: HTMLElement, hole: HTMLElement, told: Told) {
    this.#host = host;
    this.#hole = hole;
    this.#onDrawn = told.onDrawn;
    const [ground, marks] = [document.createElement("canvas"), document.createElement("canvas")];
    this.#painter = painterFor(this.#onLost, false);
    host.prepend(ground, this.#painter.canvas, marks);
    host.dataset["painter"] = this.#painter.name;
    [this.#ground, this.#marks] = [ground.getContext("2d"), marks.getContext("2d")];
    this.#watch = new ResizeObserver(() => this.#measure());
    this.#watch.observe(host);
    this.#watch.observe(hole);
    document.addEventListener("visibilitychange", this.#wake);
    this.#measure();
  }

  get sizes(): Float32Array {
    return this.#sizes;
  }

  readonly #wake = () => {
    this.#last = 0;
    this.draw();
  };

  /** The graphics card may be taken away at any time. The picture goes on without it. */
  readonly #onLost = () => {
    const before = this.#painter;
    this.#painter = painterFor(this.#onLost, true);
    before.canvas.replaceWith(this.#painter.canvas);
    this.#host.dataset["painter"] = this.#painter.name;
    this.#measure();
    this.#dress();
  };

  #measure(): void {
    const room = this.#host.getBoundingClientRect();
    const hole = this.#hole.getBoundingClientRect();
    const ratio = Math.min(RATIO_MAX, devicePixelRatio || 1);
    this.#ratio = ratio;
    this.sight = { left: hole.left - room.left, top: hole.top - room.top, right: hole.right - room.left, bottom: hole.bottom - room.top };
    for (const context of [this.#ground, this.#marks]) {
      if (context === null) continue;
      context.canvas.width = Math.round(room.width * ratio);
      context.canvas.height = Math.round(room.height * ratio);
    }
    this.#painter.resize(room.width, room.height, ratio);
    this.camera.fitTo(fitted(this.sight));
    this.#size();
    this.redraw();
  }

  show(scene: Scene): void {
    this.scene = scene;
    this.#dress();
    this.#size();
    this.draw();
  }

  colour(palette: Palette): void {
    this.#palette = palette;
    this.#dress();
    this.redraw();
  }

  #dress(): void {
    if (this.scene && this.#palette) this.#painter.dress(this.scene, this.#palette);
  }

  caption(zones: readonly ZoneText[]): void {
    this.#zones = zones;
    this.redraw();
  }

  mark(marked: Marked): void {
    this.#marked = marked;
    this.draw();
  }

  /** Whether bodies revolve, and whether anything may be seen to glide. */
  move(turns: boolean, still: boolean): void {
    this.#turns = turns;
    this.#still = still;
    this.draw();
  }

  #size(): void {
    const { scene, camera } = this;
    if (scene === undefined) return;
    const { reach, squash } = camera.fit;
    const scale = camera.zoom ** 0.55;
    const area = Math.PI * reach * reach * squash;
    const count = crowd(scene.present);
    if (this.#sizes.length !== scene.count) this.#sizes = new Float32Array(scene.count);
    for (let slot = 0; slot < scene.count; slot++) this.#sizes[slot] = sizeOf(scene.importance[slot]!, area, count) * scale;
  }

  redraw(): void {
    this.#groundIsOld = true;
    this.draw();
  }

  draw(): void {
    if (this.#frame !== 0) return;
    this.#asked = performance.now();
    this.#frame = requestAnimationFrame(this.#onFrame);
  }

  readonly #onFrame = (time: number) => {
    this.#frame = 0;
    const since = this.#last === 0 ? 16 : time - this.#last;
    const seconds = Math.min(0.1, since / 1000);
    this.#last = time;
    const follows = this.camera.step(seconds, this.#still);
    if (follows) {
      this.#groundIsOld = true;
      this.#size();
    }
    if (this.#still) this.scene?.settle();
    const glides = this.scene?.step(seconds, this.#turns) ?? false;
    this.#paint();
    this.#delay += (performance.now() - this.#asked - this.#delay) * 0.3;
    if (document.hidden) return;
    if (follows || glides) this.draw();
    else if (this.#turns && this.scene) this.#rest();
    else this.#last = 0;
  };

  #rest(): void {
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.draw(), this.#delay > SLOW_MS ? 2 * this.#delay : REST_MS);
  }

  /** What is drawn after it is measured in pixels of the page. */
  #clear(context: CanvasRenderingContext2D): void {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
  }

  #paint(): void {
    const { scene, sight } = this;
    const palette = this.#palette;
    if (palette === undefined || this.#ground === null || this.#marks === null || sight.right === 0) return;
    const lie = this.camera.lie();
    const room = { lie, palette, sight };
    if (this.#groundIsOld) this.#clear(this.#ground);
    if (this.#groundIsOld) this.#captions = drawGround({ context: this.#ground, ...room }, this.#zones);
    this.#groundIsOld = false;
    if (scene === undefined) return;
    scene.project(lie);
    this.#painter.paint(scene, this.#sizes, lie);
    this.#clear(this.#marks);
    drawMarks({ context: this.#marks, scene, sizes: this.#sizes, palette, sight }, this.#marked, this.camera.zoom);
    for (const caption of this.#captions) writeCaption({ context: this.#marks, ...room }, caption);
    this.#onDrawn();
  }

  destroy(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#pause);
    // No frame is asked for any more.
    this.#frame = -1;
    this.#watch.disconnect();
    document.removeEventListener("visibilitychange", this.#wake);
    this.#painter.destroy();
    this.#host.querySelectorAll("canvas").forEach((canvas) => canvas.remove());
  }
}
