/** How the picture is looked at: near or far, moved aside, and how it comes to rest there. */
import type { Box, Lie } from "./model.ts";

export const ZOOM_MIN = 0.6;
export const ZOOM_MAX = 14;

interface Look {
  zoom: number;
  x: number;
  y: number;
}

/** How fast it follows, per second. */
const FOLLOW = 11;

export class Camera {
  #fit: Lie = { x: 0, y: 0, reach: 1, squash: 1 };
  #fitAim: Lie | undefined;
  #look: Look = { zoom: 1, x: 0, y: 0 };
  #lookAim: Look = { zoom: 1, x: 0, y: 0 };

  get zoom(): number {
    return this.#look.zoom;
  }

  /** The picture as it would lie without zoom. */
  get fit(): Lie {
    return this.#fit;
  }

  lie(): Lie {
    const { x, y, reach, squash } = this.#fit;
    return { x: x + this.#look.x, y: y + this.#look.y, reach: reach * this.#look.zoom, squash };
  }

  /** The room has changed. The first time there is nothing to glide from. */
  fitTo(fit: Lie): void {
    if (this.#fitAim === undefined) this.#fit = fit;
    this.#fitAim = fit;
  }

  /** What is under the point stays there. */
  zoomAt(factor: number, at?: { x: number; y: number }): void {
    const aim = this.#lookAim;
    const zoom = Math.max(ZOOM_MIN, Math.min(ZOOM_MAX, aim.zoom * factor));
    const way = zoom / aim.zoom;
    const [x, y] = at ? [at.x - this.#fit.x, at.y - this.#fit.y] : [0, 0];
    this.#lookAim = { zoom, x: x + (aim.x - x) * way, y: y + (aim.y - y) * way };
  }

  panBy(x: number, y: number): void {
    const aim = this.#lookAim;
    this.#lookAim = { ...aim, x: aim.x + x, y: aim.y + y };
    this.#look = { ...this.#look, x: this.#look.x + x, y: this.#look.y + y };
    this.#keepInSight();
  }

  /** The sun may leave the middle, the whole picture may not leave the page. */
  #keepInSight(): void {
    const most = this.#fit.reach * this.#lookAim.zoom * 1.05;
    for (const look of [this.#look, this.#lookAim]) {
      look.x = Math.max(-most, Math.min(most, look.x));
      look.y = Math.max(-most, Math.min(most, look.y));
    }
  }

  reset(): void {
    this.#lookAim = { zoom: 1, x: 0, y: 0 };
  }

  /** Brings a point of the page into sight if it is not, with the least movement. */
  reveal(at: { x: number; y: number }, sight: Box): void {
    const aside = (value: number, least: number, most: number) => (value < least ? least - value : value > most ? most - value : 0);
    const [x, y] = [aside(at.x, sight.left, sight.right), aside(at.y, sight.top, sight.bottom)];
    const aim = this.#lookAim;
    if (x !== 0 || y !== 0) this.#lookAim = { ...aim, x: aim.x + x, y: aim.y + y };
  }

  /** Follows by so many seconds; at once if nothing should be seen to move. False when it has come to rest. */
  step(seconds: number, atOnce: boolean): boolean {
    const share = atOnce ? 1 : 1 - Math.exp(-seconds * FOLLOW);
    const fitAim = this.#fitAim ?? this.#fit;
    const far = Math.abs(fitAim.reach - this.#fit.reach) + Math.abs(fitAim.x - this.#fit.x) + Math.abs(fitAim.y - this.#fit.y);
    const aside = Math.abs(this.#lookAim.x - this.#look.x) + Math.abs(this.#lookAim.y - this.#look.y);
    const near = Math.abs(this.#lookAim.zoom - this.#look.zoom) / this.#lookAim.zoom;
    const rests = far < 0.3 && aside < 0.3 && near < 0.001 && Math.abs(fitAim.squash - this.#fit.squash) < 0.001;
    if (rests && far + aside + near === 0) return false;
    this.#fit = between(this.#fit, fitAim, rests ? 1 : share);
    this.#look = between(this.#look, this.#lookAim, rests ? 1 : share);
    return true;
  }
}

function between<T extends Lie | Look>(from: T, to: T, share: number): T {
  const mixed = Object.entries(to).map(([name, aim]) => {
    const start = (from as unknown as Record<string, number>)[name] ?? aim;
    return [name, start + (aim - start) * share];
  });
  return Object.fromEntries(mixed) as T;
}
