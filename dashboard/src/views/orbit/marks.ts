/** What is drawn over the bodies: halos of what was found, rings of what is meant, names. */
import type { Box } from "./model.ts";
import { ink, type Palette } from "./palette.ts";
import type { Scene } from "./scene.ts";

export interface Marked {
  /** Under the pointer or at the keyboard. */
  meant: number | undefined;
  selected: number | undefined;
  /** What a search found, the best first. */
  hits: readonly number[] | undefined;
}

interface Drawing {
  context: CanvasRenderingContext2D;
  scene: Scene;
  sizes: Float32Array;
  palette: Palette;
  sight: Box;
}

/** From this zoom on, bodies bear their names. */
const NAMES_FROM = 2.1;
const NAMES_MAX = 26;
const NAMED_HITS = 7;
const NAME_LETTERS = 36;

export function drawMarks(drawing: Drawing, marked: Marked, zoom: number): void {
  for (const slot of marked.hits ?? []) if (drawing.scene.isShown(slot)) drawHalo(drawing, slot);
  drawNames(drawing, marked, zoom);
  if (marked.selected !== undefined) drawSelected(drawing, marked.selected);
  if (marked.meant !== undefined) drawRing(drawing, marked.meant, 5, drawing.palette.dark ? 1.5 : 1.8);
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function drawHalo({ context, scene, sizes, palette }: Drawing, slot: number): void {
  const [x, y] = [scene.x[slot]!, scene.y[slot]!];
  const radius = sizes[slot]! + 7;
  if (palette.dark) {
    const light = context.createRadialGradient(x, y, radius * 0.4, x, y, radius * 2);
    light.addColorStop(0, ink(palette.accent, 0.42));
    light.addColorStop(1, ink(palette.accent, 0));
    circle(context, x, y, radius * 2);
    context.fillStyle = light;
    context.fill();
  } else {
    circle(context, x, y, radius + 4);
    context.lineWidth = 0.8;
    context.strokeStyle = ink(palette.accent, 0.7);
    context.stroke();
  }
  circle(context, x, y, radius);
  context.lineWidth = 1.5;
  context.strokeStyle = ink(palette.accent, 0.95);
  context.stroke();
}

function drawRing({ context, scene, sizes, palette }: Drawing, slot: number, room: number, width: number): void {
  circle(context, scene.x[slot]!, scene.y[slot]!, sizes[slot]! + room);
  context.lineWidth = width;
  context.strokeStyle = ink(palette.ink, 0.95);
  context.stroke();
}

/** A ring with four strokes, like a sight. */
function drawSelected(drawing: Drawing, slot: number): void {
  const { context, scene, sizes, palette } = drawing;
  const [x, y, radius] = [scene.x[slot]!, scene.y[slot]!, sizes[slot]! + 9];
  context.strokeStyle = ink(palette.accent);
  context.lineWidth = 2;
  circle(context, x, y, radius);
  for (const [right, down] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
    context.moveTo(x + right * radius, y + down * radius);
    context.lineTo(x + right * (radius + 8), y + down * (radius + 8));
  }
  context.stroke();
}

/** Names of what was found, and of the most important in sight when one has come near. None lies over another. */
function drawNames(drawing: Drawing, marked: Marked, zoom: number): void {
  const { context, scene, sight } = drawing;
  const hits = (marked.hits ?? []).filter((slot) => scene.isShown(slot));
  const taken = hits.map((slot) => around(drawing, slot));
  context.font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans CJK KR", sans-serif';
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const slot of hits.slice(0, NAMED_HITS)) drawName(drawing, slot, taken, 13);
  if (zoom < NAMES_FROM || marked.hits !== undefined) return;
  for (let slot = 0; slot < scene.count && taken.length < NAMES_MAX; slot++) {
    const [x, y] = [scene.x[slot]!, scene.y[slot]!];
    if (x > sight.left && y > sight.top && x < sight.right && y < sight.bottom && scene.isShown(slot)) drawName(drawing, slot, taken, 7);
  }
}

/** The room that a halo takes. */
function around({ scene, sizes }: Drawing, slot: number): Box {
  const [x, y, reach] = [scene.x[slot]!, scene.y[slot]!, sizes[slot]! + 8];
  return { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach };
}

function drawName({ context, scene, sizes, palette, sight }: Drawing, slot: number, taken: Box[], room: number): void {
  const label = scene.bodies[slot]?.label;
  if (!label || !scene.isShown(slot)) return;
  const letters = [...label];
  const text = letters.length > NAME_LETTERS ? `${letters.slice(0, NAME_LETTERS - 1).join("").trimEnd()}…` : label;
  const long = context.measureText(text).width;
  const y = scene.y[slot]!;
  let x = scene.x[slot]! + sizes[slot]! + room;
  if (x + long > sight.right) x = scene.x[slot]! - sizes[slot]! - room - long;
  const box = { left: x - 4, top: y - 10, right: x + long + 4, bottom: y + 10 };
  if (taken.some((one) => box.left < one.right && one.left < box.right && box.top < one.bottom && one.top < box.bottom)) return;
  taken.push(box);
  context.lineWidth = 4;
  context.strokeStyle = ink(palette.ground, 0.85);
  context.strokeText(text, x, y);
  context.fillStyle = ink(palette.ink);
  context.fillText(text, x, y);
}
