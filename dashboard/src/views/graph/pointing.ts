/** Which node is pointed at. */
import type Sigma from "sigma";
import type { Coordinates } from "sigma/types";

/** Cells along each side of the picture. */
const CELLS = 64;
/** Small nodes can be pressed from so many pixels beside them. */
const BESIDE = 4;

/** What of sigma is replaced here. */
interface Picking {
  getNodeAtPosition: (position: Coordinates) => string | null;
}

/**
 * Looks up who is pointed at by their places. Sigma reads it back from the graphics card at every movement, for which
 * everything has to wait until the last frame is drawn.
 */
export function pointByPlace(sigma: Sigma): void {
  let cells = new Map<number, string[]>();
  let largest = 0;
  const learn = () => {
    cells = new Map();
    largest = 0;
    sigma.getGraph().forEachNode((node) => {
      const data = sigma.getNodeDisplayData(node);
      if (data === undefined) return;
      largest = Math.max(largest, data.size);
      const cell = cellOf(data.x, data.y);
      const there = cells.get(cell);
      if (there) there.push(node);
      else cells.set(cell, [node]);
    });
  };
  learn();
  sigma.on("afterProcess", learn);
  const picking = sigma as unknown as Picking;
  picking.getNodeAtPosition = (position) => {
    const around = near(sigma, position, sigma.scaleSize(largest) + BESIDE);
    return nearest(sigma, position, around.flatMap((cell) => cells.get(cell) ?? []));
  };
}

function cellOf(x: number, y: number): number {
  return Math.floor(x * CELLS) * 4096 + Math.floor(y * CELLS);
}

/** The cells that a circle touches. */
function near(sigma: Sigma, { x, y }: Coordinates, radius: number): number[] {
  const corners = [-radius, radius].map((by) => sigma.viewportToFramedGraph({ x: x + by, y: y + by }));
  const [left = 0, right = 0] = corners.map((corner) => Math.floor(corner.x * CELLS)).sort((a, b) => a - b);
  const [bottom = 0, top = 0] = corners.map((corner) => Math.floor(corner.y * CELLS)).sort((a, b) => a - b);
  const found: number[] = [];
  for (let column = left; column <= right; column++) for (let row = bottom; row <= top; row++) found.push(column * 4096 + row);
  return found;
}

function nearest(sigma: Sigma, { x, y }: Coordinates, nodes: string[]): string | null {
  let best: string | null = null;
  let least = BESIDE;
  for (const node of nodes) {
    const data = sigma.getNodeDisplayData(node);
    if (data === undefined || data.hidden) continue;
    const spot = sigma.framedGraphToViewport(data);
    const gap = Math.hypot(spot.x - x, spot.y - y) - sigma.scaleSize(data.size);
    if (gap <= least) [best, least] = [node, gap];
  }
  return best;
}
