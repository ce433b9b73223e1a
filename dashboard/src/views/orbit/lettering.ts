/** Names along the rings, as on an engraved chart. */
import { placed, type Lie } from "./model.ts";
import { ink } from "./palette.ts";
import type { Ground } from "./rings.ts";

/** A zone's name and what it holds. */
export interface ZoneText {
  name: string;
  count: string;
}

export interface Caption {
  radius: number;
  text: ZoneText;
  /** The angles between which it stands, with some room. */
  from: number;
  to: number;
  /** Below the sun, names run the other way, so that they stand upright. */
  below: boolean;
  size: number;
  /** On a small ring, letters that follow it could not be read. */
  straight: boolean;
  /** Where bodies stand close together, it is written over them. */
  over: boolean;
}

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans CJK KR", sans-serif';
const SERIF = 'Georgia, "Iowan Old Style", "Noto Serif", "Noto Serif CJK KR", "AppleMyungjo", serif';
/** Between letters, for their size. */
const SPACING = 0.14;
/** Within this radius, bodies reach over the lines. */
const CROWDED = 0.5;
const TOP = -Math.PI / 2;
/** Where a name may stand, the best first. */
const PLACES = [TOP, TOP - 0.5, TOP + 0.5, TOP - 1, TOP + 1, -TOP, -TOP - 0.5, -TOP + 0.5, -TOP - 1, -TOP + 1];

function letters(text: ZoneText): string[] {
  return [...`${text.name.toUpperCase()}\u2002${text.count}`];
}

function setFont(ground: Ground, size: number, strong: boolean): void {
  const { context, palette } = ground;
  context.font = palette.dark ? `${strong ? 600 : 400} ${size}px ${SANS}` : `${strong ? 600 : "italic 400"} ${size}px ${SERIF}`;
}

/** Pixels for a radian, at an angle of a ring. */
function scaleAt(lie: Lie, radius: number, angle: number): number {
  return radius * lie.reach * Math.hypot(Math.sin(angle), lie.squash * Math.cos(angle));
}

function widths(ground: Ground, text: ZoneText, size: number): number[] {
  const names = [...text.name].length;
  return letters(text).map((letter, at) => {
    setFont(ground, size, at < names);
    return ground.context.measureText(letter).width + size * SPACING;
  });
}

/** How far from the top a ring has fallen by the height of the letters: from there on they no longer meet. */
function meeting(lie: Lie, radius: number, size: number): number {
  return Math.acos(Math.max(0, 1 - (size * 0.9) / (radius * lie.reach * lie.squash)));
}

/** The first place along a ring where its name can be read, if there is one. */
export function placeCaption(ground: Ground, radius: number, text: ZoneText): Caption | undefined {
  const { lie, sight } = ground;
  if (text.name === "") return undefined;
  const size = Math.max(9.5, Math.min(13, lie.reach * 0.024));
  const total = widths(ground, text, size).reduce((sum, one) => sum + one, 0);
  for (const middle of PLACES) {
    let half = (total / 2 + size * 0.7) / scaleAt(lie, radius, middle);
    const { x, y } = placed(lie, radius, middle);
    const inside = x > sight.left + total / 2 && x < sight.right - total / 2 && y > sight.top && y < sight.bottom;
    if (!inside || half > 1.4) continue;
    const straight = half > 0.66;
    if (straight) half = Math.min(half, meeting(lie, radius, size));
    return { radius, text, from: middle - half, to: middle + half, below: middle > 0, size, straight, over: straight || radius < CROWDED };
  }
  return undefined;
}

export function writeCaption(ground: Ground, caption: Caption): void {
  ground.context.textAlign = "center";
  ground.context.textBaseline = "middle";
  if (caption.straight) writeAcross(ground, caption);
  else writeAlong(ground, caption);
}

function writeLetter(ground: Ground, caption: Caption, at: number, letter: string, x: number, y: number): void {
  const { context, palette } = ground;
  const strong = at < [...caption.text.name].length;
  setFont(ground, caption.size, strong);
  context.fillStyle = ink(strong ? palette.ink : palette.inkSoft);
  if (caption.over) {
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = ink(palette.ground, 0.8);
    context.strokeText(letter, x, y);
  }
  context.fillText(letter, x, y);
}

function writeAcross(ground: Ground, caption: Caption): void {
  const sizes = widths(ground, caption.text, caption.size);
  const middle = placed(ground.lie, caption.radius, (caption.from + caption.to) / 2);
  let x = middle.x - sizes.reduce((sum, one) => sum + one, 0) / 2;
  letters(caption.text).forEach((letter, at) => {
    const half = (sizes[at] ?? 0) / 2;
    writeLetter(ground, caption, at, letter, x + half, middle.y);
    x += 2 * half;
  });
}

function writeAlong(ground: Ground, caption: Caption): void {
  const { context, lie } = ground;
  const { radius, size, below } = caption;
  const way = below ? -1 : 1;
  const sizes = widths(ground, caption.text, size);
  let angle = below ? caption.to : caption.from;
  angle += (way * size * 0.7) / scaleAt(lie, radius, angle);
  letters(caption.text).forEach((letter, at) => {
    const half = (sizes[at] ?? 0) / 2;
    angle += (way * half) / scaleAt(lie, radius, angle);
    const { x, y } = placed(lie, radius, angle);
    context.save();
    context.translate(x, y);
    context.rotate(Math.atan2(way * lie.squash * Math.cos(angle), -way * Math.sin(angle)));
    writeLetter(ground, caption, at, letter, 0, 0);
    context.restore();
    angle += (way * half) / scaleAt(lie, radius, angle);
  });
}
