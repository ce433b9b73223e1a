/** The night sky: light that falls from the sun into the plane of the orbits. */
import type { Caption } from "./lettering.ts";
import { RINGS, SUN } from "./model.ts";
import { ink, mixed } from "./palette.ts";
import { band, openLine, type Ground } from "./rings.ts";

const WHITE = [255, 255, 255] as const;

export function drawNight(ground: Ground, captions: ReadonlyArray<Caption | undefined>): void {
  drawPlane(ground);
  RINGS.forEach((ring, zone) => {
    ground.context.fillStyle = ink(ground.palette.inkSoft, 0.05 - zone * 0.007);
    ground.context.fill(band(ground, ring.inner, ring.outer), "evenodd");
    ground.context.lineWidth = 1;
    ground.context.strokeStyle = ink(mixed(ground.palette.lineStrong, ground.palette.accent, 0.3 - zone * 0.07), 0.75);
    openLine(ground, ring.line, captions[zone]);
  });
  drawSun(ground);
}

/** Sunlight in the plane, brightest near the sun. */
function drawPlane({ context, lie, palette }: Ground): void {
  context.save();
  context.translate(lie.x, lie.y);
  context.scale(1, lie.squash);
  const light = context.createRadialGradient(0, 0, 0, 0, 0, lie.reach * 1.06);
  light.addColorStop(0, ink(palette.accent, 0.3));
  light.addColorStop(0.16, ink(palette.accent, 0.13));
  light.addColorStop(0.42, ink(mixed(palette.accent, palette.link, 0.5), 0.06));
  light.addColorStop(0.8, ink(palette.link, 0.035));
  light.addColorStop(1, ink(palette.link, 0));
  context.fillStyle = light;
  context.beginPath();
  context.arc(0, 0, lie.reach * 1.06, 0, 2 * Math.PI);
  context.fill();
  context.restore();
}

function drawSun({ context, lie, palette }: Ground): void {
  const radius = Math.max(8, SUN * lie.reach);
  context.save();
  context.translate(lie.x, lie.y);
  context.globalCompositeOperation = "lighter";
  const corona = context.createRadialGradient(0, 0, radius * 0.6, 0, 0, radius * 5.5);
  corona.addColorStop(0, ink(palette.accent, 0.6));
  corona.addColorStop(0.2, ink(palette.accent, 0.22));
  corona.addColorStop(0.5, ink(palette.accent, 0.06));
  corona.addColorStop(1, ink(palette.accent, 0));
  context.fillStyle = corona;
  context.beginPath();
  context.arc(0, 0, radius * 5.5, 0, 2 * Math.PI);
  context.fill();
  context.globalCompositeOperation = "source-over";
  const face = context.createRadialGradient(0, 0, 0, 0, 0, radius * 1.04);
  face.addColorStop(0, ink(mixed(palette.accent, WHITE, 0.92)));
  face.addColorStop(0.5, ink(mixed(palette.accent, WHITE, 0.62)));
  face.addColorStop(0.88, ink(mixed(palette.accent, WHITE, 0.12)));
  face.addColorStop(1, ink(palette.accent, 0));
  context.fillStyle = face;
  context.beginPath();
  context.arc(0, 0, radius * 1.04, 0, 2 * Math.PI);
  context.fill();
  context.restore();
}
