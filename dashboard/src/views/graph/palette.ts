/** The colours of the picture: one for each community, one for each type of edge. */
import type { Colour } from "../../parts/colour.ts";
import { isDark } from "../../state.ts";
import type { GraphNode } from "../../wire.ts";

export type { Colour };

// Successive hues are as far from all before them as can be.
const GOLDEN_ANGLE = 137.507_764;
const FIRST_HUE = 250;
// The hues come round after a while; another lightness keeps neighbours apart.
const LIGHTNESS = { dark: [0.76, 0.67, 0.84], light: [0.55, 0.46, 0.61] };
const CHROMA = { dark: 0.125, light: 0.135 };
const TURN = 8;

/** The colour of a community; grey for what belongs to none. */
export function communityColour(community: number | null | undefined): Colour {
  const theme = isDark.value ? "dark" : "light";
  if (community == null) return fromOklch(isDark.value ? 0.6 : 0.58, 0.02, 260);
  const steps = LIGHTNESS[theme];
  const lightness = steps[Math.floor(community / TURN) % steps.length] ?? 0.7;
  return fromOklch(lightness, CHROMA[theme], (FIRST_HUE + community * GOLDEN_ANGLE) % 360);
}

export function nodeColour(node: GraphNode): Colour {
  return communityColour(node.community);
}

/** How edges of a type look. */
export interface EdgeStyle {
  /** A variable of the style. */
  colour: string;
  /** Lengths of strokes and gaps; none for a whole line. */
  dash: number[];
  /** Whether the way it points matters. */
  arrow: boolean;
}

const STYLES: Record<string, EdgeStyle> = {
  related_to: { colour: "--ink-faint", dash: [], arrow: false },
  derived_from: { colour: "--kind-fact", dash: [7, 4], arrow: true },
  sequence: { colour: "--good", dash: [], arrow: true },
  supersedes: { colour: "--kind-episode", dash: [11, 4, 2, 4], arrow: true },
  contradicts: { colour: "--bad", dash: [2, 4], arrow: false },
};

const OTHER: EdgeStyle = { colour: "--ink-soft", dash: [4, 4], arrow: true };

export function edgeStyle(type: string): EdgeStyle {
  return STYLES[type] ?? OTHER;
}

/** What a variable of the style says now. */
export function variable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function css([red, green, blue]: Colour, alpha = 1): string {
  return alpha === 1 ? `rgb(${red} ${green} ${blue})` : `rgb(${red} ${green} ${blue} / ${alpha})`;
}

export function hex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** See-through as the renderer of edges wants it: with the colour multiplied already. */
export function multiplied(colour: Colour, alpha: number): string {
  const [red, green, blue] = colour.map((part) => Math.round(part * alpha));
  return `rgba(${red},${green},${blue},${alpha})`;
}

/** From lightness, chroma and hue, which are even to the eye, to what a screen shows. */
function fromOklch(lightness: number, chroma: number, hue: number): Colour {
  const angle = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    screen(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
    screen(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
    screen(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short),
  ];
}

function screen(linear: number): number {
  const bent = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.max(0, Math.min(1, bent)));
}
