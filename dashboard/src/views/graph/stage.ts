/** The picture itself: sigma draws it, and what stands out is drawn over it. */
import { MultiDirectedGraph } from "graphology";
import Sigma from "sigma";
import { EdgeLineProgram, EdgeRectangleProgram, NodePointProgram } from "sigma/rendering";
import type { Settings } from "sigma/settings";
import { parseColour } from "../../parts/colour.ts";
import { currentInk, type Ink, place, Room, shortened, type Word, write } from "./labels.ts";
import type { GraphModel } from "./model.ts";
import { type Highlight, Overlay } from "./overlay.ts";
import { edgeStyle, hex, multiplied, nodeColour, variable } from "./palette.ts";
import { placedLater } from "./placement.ts";
import { pointByPlace } from "./pointing.ts";
import { View } from "./view.ts";

interface Options {
  hidden: ReadonlySet<string>;
  onClick: (node: number | undefined) => void;
  onHover: (node: number | undefined) => void;
}

const SIZE_MIN = 2.2;
const SIZE_MAX = 12;
/** Up to so many edges are drawn as thick as they weigh. */
const EDGES_THICK = 1500;
/** A picture of so few has room for thicker lines and more words. */
const FEW = 400;
/** The width of the buttons at the right edge. */
const COVERED = 62;
/** Frames that take longer than this are seen as stutter... */
const FRAME_MS = 34;
/** ...if so many come one after another. */
const FRAMES = 6;

/** Sigma draws what changed at its next frame, and only then, if it is told that its order may have changed. */
const INDEXED = ["type"];

/** Whether this browser can draw it at all. */
export function canDraw(): boolean {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2") ?? canvas.getContext("webgl");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

export class Stage {
  readonly view: View;
  readonly #model: GraphModel;
  readonly #graph = new MultiDirectedGraph();
  readonly #sigma: Sigma;
  readonly #overlay: Overlay;
  readonly #container: HTMLElement;
  #positions: Float32Array;
  /** The picture is as wide as the room it has. */
  readonly #stretch: number;
  readonly #size: (rank: number) => number;
  #ink: Ink = currentInk();
  readonly #room = new Room();
  #names: Array<{ context: CanvasRenderingContext2D; word: Word; size: number }> = [];
  #shown: Highlight | undefined;
  #hidden: ReadonlySet<string>;
  #renderedAt = 0;
  #slowFrames = 0;
  /** Nodes moved since the last frame. */
  #nodesMoved = false;

  constructor(container: HTMLElement, model: GraphModel, positions: Float32Array, options: Options) {
    this.#container = container;
    this.#model = model;
    this.#positions = positions;
    this.#hidden = options.hidden;
    const { clientWidth, clientHeight } = container;
    this.#stretch = Math.max(0.7, Math.min(1.45, (0.85 * clientWidth) / (clientHeight || 1)));
    this.#size = sizes(model, Math.min(clientWidth, clientHeight));
    this.#fill(0, 0);
    this.#sigma = new Sigma(this.#graph, container, this.#settings());
    this.#sigma.createCanvasContext("overlay", { style: { pointerEvents: "none" } });
    this.#overlay = new Overlay(this.#sigma, model, this.#ink);
    this.view = new View(this.#sigma, model, () => this.#hidden);
    pointByPlace(this.#sigma);
    this.#listen(options);
    // The overlay came last and has no size yet.
    this.#sigma.resize(true).scheduleRender();
  }

  #settings(): Partial<Settings> {
    return {
      allowInvalidContainer: true,
      // Points and plain lines are drawn in one go. The others are drawn one by one where no graphics card helps.
      defaultNodeType: "point",
      nodeProgramClasses: { point: NodePointProgram },
      defaultEdgeType: this.#model.edges.length > EDGES_THICK ? "thin" : "thick",
      edgeProgramClasses: { thin: EdgeLineProgram, thick: EdgeRectangleProgram },
      labelDensity: this.#isSmall ? 1 : 0.5,
      labelGridCellSize: 130,
      labelRenderedSizeThreshold: (this.#isSmall ? 0.44 : 0.7) * this.#size(Infinity),
      minEdgeThickness: 0.7,
      maxCameraRatio: 2.5,
      minCameraRatio: 0.01,
      stagePadding: 36,
      zIndex: false,
      // The overlay does it.
      defaultDrawNodeHover: () => undefined,
      defaultDrawNodeLabel: (context, data) => {
        if (!data.label) return;
        const x = data.x + data.size + 5;
        const word = { text: data.label, x, y: data.y, size: 12, weight: 500, colour: this.#ink.text };
        const [left, , right] = place(context, this.#ink, word);
        // What would be cut off or covered at the right stands left of its node.
        if (right > this.#container.clientWidth - COVERED) word.x = data.x - data.size - (right - left);
        this.#names.push({ context, word, size: data.size });
      },
    };
  }

  /** Writes the names that sigma chose, the largest first: where there is room for one, it is the one that matters. */
  #name(): void {
    for (const { context, word } of this.#names.sort((a, b) => b.size - a.size)) {
      if (this.#room.claim(place(context, this.#ink, word))) write(context, this.#ink, word);
    }
    this.#names = [];
  }

  get #isSmall(): boolean {
    return this.#model.nodes.length <= FEW;
  }

  #listen({ onClick, onHover }: Options): void {
    this.#sigma.on("clickNode", ({ node }) => onClick(Number(node)));
    this.#sigma.on("clickStage", () => onClick(undefined));
    this.#sigma.on("enterNode", ({ node }) => onHover(Number(node)));
    this.#sigma.on("leaveNode", () => onHover(undefined));
    this.#sigma.on("afterRender", () => {
      this.#name();
      this.#overlay.draw(this.#shown);
      if (this.#nodesMoved) this.view.follow();
      this.#nodesMoved = false;
    });
    this.#sigma.on("beforeRender", () => {
      this.#room.clear();
      this.#names = [];
      this.#watch();
    });
  }

  /** Where drawing is slow, edges are left out while the picture moves. */
  #watch(): void {
    const now = performance.now();
    const took = now - this.#renderedAt;
    this.#renderedAt = now;
    if (!this.view.isMoving()) return;
    this.#slowFrames = took > FRAME_MS ? this.#slowFrames + 1 : 0;
    if (this.#slowFrames === FRAMES) this.#sigma.setSetting("hideEdgesOnMove", true);
  }

  /** Adds the nodes and edges from these numbers on. */
  #fill(firstNode: number, firstEdge: number): void {
    this.#model.nodes.slice(firstNode).forEach((node, place) => {
      const number = firstNode + place;
      const [x = 0, y = 0] = this.#positions.subarray(2 * number);
      const label = shortened(node.label);
      this.#graph.addNode(number, { x: this.#stretch * x, y, size: this.#size(node.rank), color: hex(nodeColour(node)), label });
    });
    const colours = this.#edgeColours();
    this.#model.edges.slice(firstEdge).forEach(({ source, target, type, weight }, place) => {
      const look = { size: (this.#isSmall ? 1.5 : 1) * (0.5 + weight), color: colours(type), hidden: this.#hidden.has(type) };
      this.#graph.addEdgeWithKey(firstEdge + place, source, target, look);
    });
  }

  /** Many edges are fainter each, so that the whole stays light. */
  #edgeColours(): (type: string) => string {
    const alpha = Math.max(0.13, Math.min(0.7, 14 / Math.sqrt(this.#model.edges.length + 1)));
    const known = new Map<string, string>();
    return (type) => {
      const found = known.get(type) ?? multiplied(parseColour(variable(edgeStyle(type).colour)), alpha);
      known.set(type, found);
      return found;
    };
  }

  /** Draws what the model got after the picture was made. */
  grow(firstNode: number, firstEdge: number): void {
    this.#positions = placedLater(this.#model, this.#positions.slice(0, 2 * firstNode));
    this.#fill(firstNode, firstEdge);
  }

  move(positions: Float32Array): void {
    this.#positions.set(positions.subarray(0, this.#positions.length));
    this.#graph.updateEachNodeAttributes(
      (key, attributes) => {
        const number = Number(key);
        attributes["x"] = this.#stretch * (this.#positions[2 * number] ?? 0);
        attributes["y"] = this.#positions[2 * number + 1] ?? 0;
        return attributes;
      },
      { attributes: ["x", "y"] },
    );
    this.#nodesMoved = true;
  }

  recolour(): void {
    if (variable("--ground") === this.#ink.ground) return;
    this.#ink = this.#overlay.ink = currentInk();
    this.#graph.updateEachNodeAttributes(
      (key, attributes) => ({ ...attributes, color: hex(nodeColour(this.#model.node(Number(key)))) }),
      { attributes: INDEXED },
    );
    this.#redrawEdges();
  }

  hideTypes(hidden: ReadonlySet<string>): void {
    if (hidden === this.#hidden) return;
    this.#hidden = hidden;
    this.#redrawEdges();
  }

  #redrawEdges(): void {
    const colours = this.#edgeColours();
    this.#graph.updateEachEdgeAttributes(
      (key, attributes) => {
        const type = this.#model.edges[Number(key)]?.type ?? "";
        return { ...attributes, color: colours(type), hidden: this.#hidden.has(type) };
      },
      { attributes: INDEXED },
    );
  }

  highlight(shown: Highlight | undefined): void {
    this.#shown = shown;
    this.#container.classList.toggle("dimmed", shown !== undefined);
    this.#overlay.draw(shown);
  }

  resize(): void {
    this.#sigma.resize();
    this.#sigma.scheduleRender();
  }

  end(): void {
    this.#sigma.kill();
  }
}

/** The size of a node by its rank: its area follows the rank, within what can be seen and what leaves room. */
function sizes(model: GraphModel, room: number): (rank: number) => number {
  const highest = model.node(model.byRank[0] ?? 0).rank || 1;
  const crowd = Math.max(0.5, Math.min(1.3, 32 / Math.sqrt(model.nodes.length + 1)));
  const scale = crowd * Math.max(0.6, Math.min(1, room / 600));
  return (rank) => (SIZE_MIN + (SIZE_MAX - SIZE_MIN) * Math.sqrt(Math.max(0, Math.min(1, rank / highest)))) * scale;
}
