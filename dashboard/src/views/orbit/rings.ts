/** Lines around the sun, seen at a slant. */
import type { Caption } from "./lettering.ts";
import type { Box, Lie } from "./model.ts";
import type { Palette } from "./palette.ts";

/** What is needed to draw what stands behind the bodies. */
export interface Ground {
  context: CanvasRenderingContext2D;
  lie: Lie;
  palette: Palette;
  /** Where it can be seen: beside it lie the controls. */
  sight: Box;
}

export function ellipse(ground: Ground, radius: number, from = 0, to = 2 * Math.PI): void {
  const { context, lie } = ground;
  context.beginPath();
  context.ellipse(lie.x, lie.y, radius * lie.reach, radius * lie.reach * lie.squash, 0, from, to);
}

/** The line around a zone, open where its name stands. */
export function openLine(ground: Ground, radius: number, caption: Caption | undefined): void {
  if (caption) ellipse(ground, radius, caption.to, caption.from + 2 * Math.PI);
  else ellipse(ground, radius);
  ground.context.stroke();
}

/** What lies between two of them. */
export function band({ lie }: Ground, inner: number, outer: number): Path2D {
  const path = new Path2D();
  for (const radius of [outer, inner]) path.ellipse(lie.x, lie.y, radius * lie.reach, radius * lie.reach * lie.squash, 0, 0, 2 * Math.PI);
  return path;
}
