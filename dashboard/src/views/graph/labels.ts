/** Words on the canvas, in the font and the colours of the page. */
import { variable } from "./palette.ts";

const LENGTH = 30;
export const LENGTH_WHOLE = 64;

/** As much of a label as fits, by whole characters. */
export function shortened(label: string, length = LENGTH): string {
  const all = [...label];
  return all.length <= length ? label : `${all.slice(0, length - 1).join("").trimEnd()}…`;
}

/** What words are written with. It is looked up once for each theme, not for each word. */
export interface Ink {
  font: string;
  text: string;
  soft: string;
  ground: string;
  raised: string;
  line: string;
  accent: string;
}

export function currentInk(): Ink {
  return {
    font: variable("--sans") || "sans-serif",
    text: variable("--ink"),
    soft: variable("--ink-soft"),
    ground: variable("--ground"),
    raised: variable("--raised"),
    line: variable("--line-strong"),
    accent: variable("--accent"),
  };
}

type Box = [left: number, top: number, right: number, bottom: number];

/** Keeps words from lying on each other. */
export class Room {
  #taken: Box[] = [];

  clear(): void {
    this.#taken = [];
  }

  /** Takes a place, unless a part of it is taken. */
  claim(box: Box): boolean {
    const isFree = !this.#taken.some(([l, t, r, b]) => box[0] < r && box[2] > l && box[1] < b && box[3] > t);
    if (isFree) this.#taken.push(box);
    return isFree;
  }
}

/** The place that words would take. */
export function place(context: CanvasRenderingContext2D, ink: Ink, { text, x, y, size, weight }: Word): Box {
  context.font = `${weight} ${size}px ${ink.font}`;
  return [x - 4, y - size, x + context.measureText(text).width + 8, y + size];
}

export interface Word {
  text: string;
  x: number;
  y: number;
  size: number;
  weight: number;
  colour: string;
}

/** Writes with a rim of the ground's colour, so that it can be read on lines. */
export function write(context: CanvasRenderingContext2D, ink: Ink, { text, x, y, size, weight, colour }: Word): void {
  context.font = `${weight} ${size}px ${ink.font}`;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = ink.ground;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

/** Writes into a frame of its own. */
export function writeFramed(context: CanvasRenderingContext2D, ink: Ink, word: Word): void {
  context.font = `${word.weight} ${word.size}px ${ink.font}`;
  context.textBaseline = "middle";
  const width = context.measureText(word.text).width;
  context.beginPath();
  context.roundRect(word.x - 8, word.y - word.size, width + 16, word.size * 2, 7);
  context.fillStyle = ink.raised;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = ink.line;
  context.stroke();
  context.fillStyle = word.colour;
  context.fillText(word.text, word.x, word.y);
}
