/** From where the picture is looked at. */
import type Sigma from "sigma";
import type { CameraState, Coordinates } from "sigma/types";
import { movesLittle } from "../../state.ts";
import type { GraphModel } from "./model.ts";

type Place = Omit<CameraState, "angle">;

/** How near and how far several nodes are looked at... */
const RATIOS = [0.12, 1.6] as const;
/** ...one node... */
const RATIOS_AROUND = [0.25, 0.7] as const;
/** ...and a community. */
const RATIOS_MOST = [0.2, 1] as const;
/** The part of a community at each side that does not count. */
const FAR = 0.08;
/** The width of the panel over the picture and of the room beside it, as the style says. */
const PANEL = 362;
/** How long after its last movement the picture still counts as moving. */
const RESTING_MS = 250;

export class View {
  readonly #sigma: Sigma;
  readonly #model: GraphModel;
  readonly #hidden: () => ReadonlySet<string>;
  #movedAt = 0;
  /** The node that stays in the middle until somebody moves the picture. */
  #followed: number | undefined;

  constructor(sigma: Sigma, model: GraphModel, hidden: () => ReadonlySet<string>) {
    this.#sigma = sigma;
    this.#model = model;
    this.#hidden = hidden;
    const letGo = () => {
      this.#followed = undefined;
    };
    sigma.getMouseCaptor().on("mousedown", letGo).on("wheel", letGo);
    sigma.getTouchCaptor().on("touchdown", letGo);
    sigma.getCamera().on("updated", () => {
      this.#movedAt = performance.now();
    });
  }

  /** Whether somebody moves the picture. */
  isMoving(): boolean {
    return this.#sigma.getMouseCaptor().isMouseDown || performance.now() - this.#movedAt < RESTING_MS;
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera();
    this.#go({ ratio: camera.getBoundedRatio(camera.ratio / factor) }, 180);
  }

  pan(right: number, down: number): void {
    const { x, y, ratio } = this.#sigma.getCamera();
    this.#followed = undefined;
    this.#go({ x: x + 0.15 * ratio * right, y: y - 0.15 * ratio * down }, 120);
  }

  fit(): void {
    this.#followed = undefined;
    this.#go({ x: 0.5, y: 0.5, ratio: 1 }, 350);
  }

  /** Brings a node to the middle, near enough to see what is around it. */
  lookAt(node: number): void {
    this.#followed = node;
    this.#go(this.#around(node), 450);
  }

  /** Brings nodes into sight, beside the panel that covers a part of the picture. */
  lookAtAll(nodes: number[]): void {
    this.#followed = undefined;
    this.#go(this.#over(this.#spots(nodes), RATIOS), 450);
  }

  /** Brings most of the nodes into sight; a few far away do not count. There is no panel beside them. */
  lookAtMost(nodes: number[]): void {
    this.#followed = undefined;
    const spots = this.#spots(nodes);
    const [xs, ys] = [spots.map((spot) => spot.x), spots.map((spot) => spot.y)].map(inner);
    if (xs && ys) this.#go(this.#over([{ x: xs[0], y: ys[0] }, { x: xs[1], y: ys[1] }], RATIOS_MOST, 0), 450);
  }

  /** Stays with the node that is looked at when nodes have moved. */
  follow(): void {
    const there = this.#followed === undefined ? undefined : this.#around(this.#followed);
    if (there) this.#sigma.getCamera().setState(there);
  }

  #go(there: Partial<Place> | undefined, duration: number): void {
    if (there) void this.#sigma.getCamera().animate(there, { duration: movesLittle ? 1 : duration });
  }

  #spots(nodes: number[]): Coordinates[] {
    return nodes.map((node) => this.#sigma.getNodeDisplayData(String(node))).filter((one) => one !== undefined);
  }

  /** A node in the middle, with its neighbours as far as they are near. */
  #around(node: number): Place | undefined {
    const near = this.#model.neighbours(node, this.#hidden()).map((one) => one.node);
    const [centre, ...others] = this.#spots([node, ...near]);
    if (centre === undefined) return undefined;
    const across = others.map((spot) => ({ x: 2 * centre.x - spot.x, y: 2 * centre.y - spot.y }));
    return this.#over([centre, ...others, ...across], RATIOS_AROUND);
  }

  #over(spots: Coordinates[], [nearest, farthest]: readonly [number, number], panel = PANEL): Place | undefined {
    if (spots.length === 0) return undefined;
    const [left, right] = reach(spots.map((spot) => spot.x));
    const [bottom, top] = reach(spots.map((spot) => spot.y));
    const { width, height } = this.#sigma.getDimensions();
    const least = Math.min(width, height);
    const covered = width > 2 * PANEL ? panel : 0;
    const wanted = 1.45 * Math.max(((right - left) * least) / (width - covered), ((top - bottom) * least) / height);
    const ratio = Math.max(nearest, Math.min(farthest, wanted));
    return { x: (left + right) / 2 + (ratio * covered) / 2 / least, y: (bottom + top) / 2, ratio };
  }
}

function reach(values: number[]): [least: number, most: number] {
  return [Math.min(...values), Math.max(...values)];
}

function inner(values: number[]): [least: number, most: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const left = Math.floor(FAR * sorted.length);
  return [sorted[left] ?? 0.5, sorted[sorted.length - 1 - left] ?? 0.5];
}
