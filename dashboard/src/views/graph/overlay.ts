/** What stands out: drawn over the dimmed picture, so that the thousands below need not be drawn anew. */
import type Sigma from "sigma";
import { parseColour } from "../../parts/colour.ts";
import { type Ink, LENGTH_WHOLE, place, Room, shortened, type Word, write, writeFramed } from "./labels.ts";
import type { GraphModel } from "./model.ts";
import { css, edgeStyle, nodeColour, variable } from "./palette.ts";

export interface Highlight {
  nodes: number[];
  edges: number[];
  /** Written with their labels, as far as there is room; the first ones first. */
  labels: number[];
  /** Framed and ringed. */
  centres: number[];
  /** Drawn as one strong line. */
  isPath?: boolean;
}

interface Spot {
  x: number;
  y: number;
  radius: number;
}

const LABELS_MAX = 28;

export class Overlay {
  readonly #sigma: Sigma;
  readonly #model: GraphModel;
  readonly #context: CanvasRenderingContext2D;
  ink: Ink;

  constructor(sigma: Sigma, model: GraphModel, ink: Ink) {
    const context = sigma.getCanvases()["overlay"]?.getContext("2d");
    if (!context) throw new Error("no canvas to draw on");
    this.#sigma = sigma;
    this.#model = model;
    this.#context = context;
    this.ink = ink;
  }

  draw(shown: Highlight | undefined): void {
    const { width, height } = this.#sigma.getDimensions();
    this.#context.clearRect(0, 0, width, height);
    if (shown === undefined) return;
    for (const edge of shown.edges) this.#edge(edge, shown.isPath === true);
    for (const node of shown.nodes) this.#node(node, shown.isPath === true);
    for (const node of shown.centres) this.#ring(node);
    this.#labels(shown);
  }

  #spot(node: number): Spot | undefined {
    const data = this.#sigma.getNodeDisplayData(String(node));
    if (data === undefined) return undefined;
    const { x, y } = this.#sigma.framedGraphToViewport(data);
    return { x, y, radius: Math.max(2.5, this.#sigma.scaleSize(data.size)) };
  }

  #edge(number: number, isPath: boolean): void {
    const edge = this.#model.edges[number];
    const [from, to] = edge ? [this.#spot(edge.source), this.#spot(edge.target)] : [];
    if (edge === undefined || from === undefined || to === undefined) return;
    const style = edgeStyle(edge.type);
    const context = this.#context;
    context.save();
    if (isPath) glow(context, from, to, this.ink.accent);
    context.strokeStyle = context.fillStyle = css(parseColour(variable(style.colour)), isPath ? 1 : 0.85);
    context.lineWidth = isPath ? 3 : 1 + edge.weight;
    context.setLineDash(style.dash);
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    if (style.arrow) arrow(context, from, to, isPath ? 10 : 7);
    context.restore();
  }

  #node(number: number, isPath: boolean): void {
    const spot = this.#spot(number);
    if (spot === undefined) return;
    this.#context.beginPath();
    this.#context.arc(spot.x, spot.y, spot.radius + (isPath ? 2 : 0), 0, 2 * Math.PI);
    this.#context.fillStyle = css(nodeColour(this.#model.node(number)));
    this.#context.fill();
    this.#context.lineWidth = 1.5;
    this.#context.strokeStyle = this.ink.ground;
    this.#context.stroke();
  }

  #ring(number: number): void {
    const spot = this.#spot(number);
    if (spot === undefined) return;
    this.#context.beginPath();
    this.#context.arc(spot.x, spot.y, spot.radius + 4, 0, 2 * Math.PI);
    this.#context.lineWidth = 2.5;
    this.#context.strokeStyle = this.ink.accent;
    this.#context.stroke();
  }

  /** Labels that would lie on others are left out; those that are framed are not. */
  #labels({ labels, centres }: Highlight): void {
    const room = new Room();
    for (const number of [...centres, ...labels.filter((one) => !centres.includes(one))].slice(0, LABELS_MAX)) {
      const spot = this.#spot(number);
      if (spot === undefined) continue;
      const isCentre = centres.includes(number);
      const text = shortened(this.#model.node(number).label, isCentre ? LENGTH_WHOLE : undefined);
      const look = isCentre ? { size: 13, weight: 600 } : { size: 12, weight: 500 };
      const word = { text, x: spot.x + spot.radius + 6, y: spot.y, colour: this.ink.text, ...look };
      if (isCentre) this.#below(word, spot);
      if (!room.claim(place(this.#context, this.ink, word)) && !isCentre) continue;
      (isCentre ? writeFramed : write)(this.#context, this.ink, word);
    }
  }

  /** Under the node and within the picture, where it covers the fewest edges. */
  #below(word: Word, spot: Spot): void {
    const [left, , right] = place(this.#context, this.ink, word);
    const width = right - left;
    const { width: room } = this.#sigma.getDimensions();
    word.x = Math.max(14, Math.min(room - width - 6, spot.x - width / 2 + 2));
    word.y = spot.y + spot.radius + 24;
  }
}

/** The light along a path. */
function glow(context: CanvasRenderingContext2D, from: Spot, to: Spot, colour: string): void {
  context.globalAlpha = 0.4;
  context.lineWidth = 9;
  context.lineCap = "round";
  context.strokeStyle = colour;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
  context.stroke();
  context.globalAlpha = 1;
  context.lineCap = "butt";
}

/** The head of an arrow, before the rim of the node that it points to. */
function arrow(context: CanvasRenderingContext2D, from: Spot, to: Spot, size: number): void {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const tip = { x: to.x - (to.radius + 2) * Math.cos(angle), y: to.y - (to.radius + 2) * Math.sin(angle) };
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  for (const side of [-0.45, 0.45]) context.lineTo(tip.x - size * Math.cos(angle + side), tip.y - size * Math.sin(angle + side));
  context.closePath();
  context.fill();
}
