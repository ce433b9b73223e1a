/** Bodies on a plain canvas: a picture for every kind, freshness and size, made when first wanted and then stamped. */
import type { Painter } from "./painter.ts";
import { ink, mixed, type Colour, type Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";
import { GLOW, RIM } from "./shaders.ts";

/** Steps of freshness. */
const LEVELS = 6;
/** Steps of size in a pixel of the screen. Pictures are stamped as they are: to scale each would take most of the time. */
const SIZES = 2;
/** This painter is for machines without a graphics card. Said so, the browser keeps the pixels where the processor is. */
const PLAIN: CanvasRenderingContext2DSettings = { willReadFrequently: true };

export class SpritePainter implements Painter {
  readonly name = "canvas";
  readonly canvas = document.createElement("canvas");
  readonly #context = this.canvas.getContext("2d", PLAIN);
  readonly #stamps = new Map<number, HTMLCanvasElement>();
  #palette: Palette | undefined;
  #ratio = 1;

  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  dress(_: Scene, palette: Palette): void {
    if (this.#palette !== palette) this.#stamps.clear();
    this.#palette = palette;
  }

  paint(scene: Scene, sizes: Float32Array): void {
    const context = this.#context;
    const palette = this.#palette;
    if (context === null || palette === undefined) return;
    const { width, height } = this.canvas;
    context.clearRect(0, 0, width, height);
    for (let slot = 0; slot < scene.count; slot++) {
      const strength = scene.alpha[slot]!;
      const x = scene.x[slot]! * this.#ratio;
      const y = scene.y[slot]! * this.#ratio;
      if (strength < 0.004 || x < -40 || y < -40 || x > width + 40 || y > height + 40) continue;
      const stamp = this.#stampOf(palette, scene, slot, sizes[slot]! * this.#ratio);
      const half = stamp.width / 2;
      context.globalAlpha = Math.min(1, strength);
      context.drawImage(stamp, Math.round(x - half), Math.round(y - half));
    }
    context.globalAlpha = 1;
  }

  #stampOf(palette: Palette, scene: Scene, slot: number, radius: number): HTMLCanvasElement {
    const size = Math.max(1, Math.round(radius * SIZES));
    const level = Math.round(scene.fresh[slot]! * (LEVELS - 1));
    const pinned = scene.pinned[slot]!;
    const number = ((size * 16 + scene.kind[slot]!) * LEVELS + level) * 2 + pinned;
    let stamp = this.#stamps.get(number);
    if (stamp === undefined) {
      const colour = palette.kinds[scene.kind[slot]!] ?? palette.ink;
      stamp = made(palette, colour, level / (LEVELS - 1), size / SIZES, pinned === 1);
      this.#stamps.set(number, stamp);
    }
    return stamp;
  }

  destroy(): void {
    this.canvas.remove();
  }
}

function made(palette: Palette, colour: Colour, fresh: number, radius: number, pinned: boolean): HTMLCanvasElement {
  const stamp = document.createElement("canvas");
  const reach = radius * (palette.dark ? GLOW.least + GLOW.more * fresh * fresh : RIM) + 1;
  const ring = Math.max(radius * 1.9, 3.4);
  stamp.width = stamp.height = 2 * Math.ceil(pinned ? Math.max(reach, ring + 2) : reach);
  const context = stamp.getContext("2d", PLAIN);
  if (context === null) return stamp;
  context.translate(stamp.width / 2, stamp.height / 2);
  if (palette.dark) light(context, colour, fresh, radius, reach);
  else dot(context, colour, palette.ground, fresh, radius);
  if (pinned) {
    circle(context, ring);
    context.lineWidth = 1;
    context.strokeStyle = ink(colour, 0.8);
    context.stroke();
  }
  return stamp;
}

function light(context: CanvasRenderingContext2D, colour: Colour, fresh: number, radius: number, reach: number): void {
  const glow = context.createRadialGradient(0, 0, 0, 0, 0, reach);
  const most = 0.06 + 0.5 * fresh * fresh;
  for (let step = 0; step <= 10; step++) {
    const d = ((step / 10) * reach) / radius;
    glow.addColorStop(step / 10, ink(colour, most * Math.exp(-d * d * 0.42) * (1 - step / 10)));
  }
  circle(context, reach);
  context.fillStyle = glow;
  context.fill();
  const heart = context.createRadialGradient(0, 0, 0, 0, 0, radius);
  const lit = 0.2 + 0.8 * fresh;
  heart.addColorStop(0, ink(mixed(colour, [255, 255, 255], 0.75 * fresh), lit));
  heart.addColorStop(1, ink(colour, lit));
  circle(context, radius);
  context.fillStyle = heart;
  context.fill();
}

/** The smallest have no room for a line around them. */
function dot(context: CanvasRenderingContext2D, colour: Colour, ground: Colour, fresh: number, radius: number): void {
  const small = radius < 2.2;
  if (!small) {
    circle(context, radius + 1);
    context.fillStyle = ink(ground, 0.85);
    context.fill();
  }
  circle(context, small ? radius : radius - 0.5);
  context.fillStyle = ink(mixed(ground, colour, small ? 0.3 + 0.7 * fresh : 0.1 + 0.9 * fresh * fresh));
  context.fill();
  if (small) return;
  context.lineWidth = 1;
  context.strokeStyle = ink(mixed(ground, colour, 0.42 + 0.58 * fresh));
  context.stroke();
}

function circle(context: CanvasRenderingContext2D, radius: number): void {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
}
