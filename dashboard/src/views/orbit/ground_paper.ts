/** A star chart engraved on paper: double lines, a graduated rim, a sun with split rays. */
import type { Caption } from "./lettering.ts";
import { placed, RINGS, SUN, type Point } from "./model.ts";
import { ink } from "./palette.ts";
import { band, ellipse, openLine, type Ground } from "./rings.ts";

const DEGREE = Math.PI / 180;
const RIM = { inner: 1.052, outer: 1.078 };

export function drawPaper(ground: Ground, captions: ReadonlyArray<Caption | undefined>): void {
  drawSheet(ground);
  drawMeridians(ground);
  const { context, palette } = ground;
  RINGS.forEach((ring, zone) => {
    context.strokeStyle = ink(palette.lineStrong, 0.5);
    context.lineWidth = 0.6;
    ellipse(ground, ring.inner - 0.012);
    context.stroke();
    ellipse(ground, ring.outer + 0.012);
    context.stroke();
    context.strokeStyle = ink(palette.inkFaint, 0.9);
    context.lineWidth = 1;
    openLine(ground, ring.line, captions[zone]);
  });
  drawRim(ground);
  drawSun(ground);
}

/** The sheet is lighter where the chart is printed, and every other zone is washed with a tint. */
function drawSheet(ground: Ground): void {
  const { context, palette } = ground;
  ellipse(ground, RIM.outer);
  context.fillStyle = ink(palette.raised, 0.75);
  context.fill();
  for (const zone of [1, 3]) {
    const [inner, outer] = [RINGS[zone - 1]?.line ?? 0, RINGS[zone]?.line ?? 1];
    context.fillStyle = ink(palette.sunken, 0.6);
    context.fill(band(ground, inner, outer), "evenodd");
  }
}

function line(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
}

function drawMeridians({ context, palette, lie }: Ground): void {
  context.save();
  context.lineWidth = 0.6;
  for (let step = 0; step < 24; step++) {
    const angle = step * 15 * DEGREE;
    const whole = step % 2 === 0;
    context.setLineDash(whole ? [] : [2, 4]);
    context.strokeStyle = ink(palette.lineStrong, whole ? 0.5 : 0.45);
    context.beginPath();
    line(context, placed(lie, whole ? 0.1 : 0.4, angle), placed(lie, RIM.inner, angle));
    context.stroke();
  }
  context.restore();
}

/** Degrees, as on the rim of an instrument. */
function drawRim(ground: Ground): void {
  const { context, palette, lie } = ground;
  context.strokeStyle = ink(palette.inkSoft, 0.85);
  for (const [radius, width] of [[RIM.inner, 0.6], [RIM.outer, 1.6]] as const) {
    context.lineWidth = width;
    ellipse(ground, radius);
    context.stroke();
  }
  context.lineWidth = 0.7;
  context.beginPath();
  for (let degree = 0; degree < 360; degree += 2) {
    const long = degree % 30 === 0 ? 1 : degree % 10 === 0 ? 0.75 : 0.4;
    const depth = RIM.outer - (RIM.outer - RIM.inner) * long;
    line(context, placed(lie, depth, degree * DEGREE), placed(lie, RIM.outer, degree * DEGREE));
  }
  context.stroke();
}

const RAYS = 16;

/** Each ray is dark on one side and open on the other, as if lit from the left. */
function drawSun({ context, palette, lie }: Ground): void {
  const radius = Math.max(7, SUN * lie.reach * 0.72);
  context.save();
  context.translate(lie.x, lie.y);
  context.strokeStyle = context.fillStyle = ink(palette.accent);
  context.lineWidth = Math.max(0.7, radius / 26);
  context.lineJoin = "round";
  for (let ray = 0; ray < RAYS; ray++) {
    context.save();
    context.rotate((ray / RAYS) * 2 * Math.PI);
    drawRay(context, radius, ray % 2 === 0 ? 1.95 : 1.5);
    context.restore();
  }
  drawDisc(context, radius, ink(palette.raised));
  context.restore();
}

/** The old sign of the sun, a circle with a point, and fine strokes between them. */
function drawDisc(context: CanvasRenderingContext2D, radius: number, paper: string): void {
  const dark = context.fillStyle;
  const circle = (share: number) => {
    context.beginPath();
    context.arc(0, 0, radius * share, 0, 2 * Math.PI);
  };
  circle(1.08);
  context.fillStyle = paper;
  context.fill();
  context.stroke();
  circle(0.92);
  context.stroke();
  context.beginPath();
  for (let stroke = 0; stroke < 36; stroke++) {
    const angle = stroke * 10 * DEGREE;
    const inner = radius * (stroke % 2 === 0 ? 0.56 : 0.7);
    line(context, { x: Math.cos(angle) * inner, y: Math.sin(angle) * inner }, { x: Math.cos(angle) * radius * 0.84, y: Math.sin(angle) * radius * 0.84 });
  }
  context.stroke();
  circle(0.42);
  context.fillStyle = dark;
  context.fill();
}

function drawRay(context: CanvasRenderingContext2D, radius: number, length: number): void {
  const half = (Math.PI / RAYS) * radius * 1.05;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.moveTo(0, -radius * length);
    context.lineTo(side * half, -radius * 1.05);
    context.lineTo(0, -radius * 1.05);
    context.closePath();
    if (side > 0) context.fill();
    context.stroke();
  }
}
