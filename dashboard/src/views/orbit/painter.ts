/** Draws the bodies. By WebGL where there is one, or else with pictures made beforehand. */
import type { Point } from "./model.ts";
import type { Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";
import { GlPainter } from "./painter_gl.ts";
import { SpritePainter } from "./painter_sprites.ts";

export interface Painter {
  readonly name: "webgl" | "canvas";
  readonly canvas: HTMLCanvasElement;
  resize(width: number, height: number, ratio: number): void;
  /** Takes what does not change from frame to frame. */
  dress(scene: Scene, palette: Palette): void;
  /** `sizes` are radii in pixels of the page. */
  paint(scene: Scene, sizes: Float32Array, sun: Point): void;
  destroy(): void;
}

/** `onLost` is called when the graphics card takes its context away; the caller then asks for a painter again. */
export function painterFor(onLost: () => void, plain: boolean): Painter {
  if (!plain) {
    try {
      return new GlPainter(onLost);
    } catch {
      // No WebGL here: the other one needs nothing but a canvas.
    }
  }
  return new SpritePainter();
}
