/** The colours of the theme as numbers, for what is drawn and not styled. */
import { parseColour } from "../../parts/colour.ts";
import { KINDS } from "./scene.ts";

export type Colour = readonly [number, number, number];

export interface Palette {
  dark: boolean;
  ground: Colour;
  raised: Colour;
  sunken: Colour;
  line: Colour;
  lineStrong: Colour;
  ink: Colour;
  inkSoft: Colour;
  inkFaint: Colour;
  accent: Colour;
  link: Colour;
  /** By the number of the kind; the last is for what has none. */
  kinds: Colour[];
}

function read(style: CSSStyleDeclaration, variable: string): Colour {
  return parseColour(style.getPropertyValue(variable));
}

export function paletteOf(dark: boolean): Palette {
  const style = getComputedStyle(document.documentElement);
  const inkFaint = read(style, "--ink-faint");
  return {
    dark,
    ground: read(style, "--ground"),
    raised: read(style, "--raised"),
    sunken: read(style, "--sunken"),
    line: read(style, "--line"),
    lineStrong: read(style, "--line-strong"),
    ink: read(style, "--ink"),
    inkSoft: read(style, "--ink-soft"),
    inkFaint,
    accent: read(style, "--accent"),
    link: read(style, "--link"),
    kinds: [...KINDS.map((kind) => read(style, `--kind-${kind}`)), inkFaint],
  };
}

export function ink(colour: Colour, alpha = 1): string {
  return `rgb(${colour[0]} ${colour[1]} ${colour[2]} / ${alpha})`;
}

export function mixed(a: Colour, b: Colour, share: number): Colour {
  const at = (part: 0 | 1 | 2) => Math.round(a[part] + (b[part] - a[part]) * share);
  return [at(0), at(1), at(2)];
}
