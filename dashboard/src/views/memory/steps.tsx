/** The zones that a memory was in, as steps over time. The nearest zone is at the top. */
import { day } from "../../strings/define.ts";
import { memory as strings } from "../../strings/memory.ts";
import { zoneName, zoneNumber } from "../../strings/words.ts";
import type { OrbitMove, Zone } from "../../wire.ts";
import { ZONES } from "./known.ts";

const WIDTH = 100;
const LANE = 20;
const HEIGHT = LANE * ZONES.length;

interface Stay {
  zone: Zone;
  from: number;
  until: number;
}

/** Where it was, from when until when; the time that it was away is left out. */
export function stays(moves: OrbitMove[], now: number): Stay[] {
  const all: Stay[] = [];
  const first = moves[0];
  let here = first && first.from != null ? { zone: first.from, from: Date.parse(first.at) } : undefined;
  for (const move of moves) {
    const at = Date.parse(move.at);
    if (here) all.push({ ...here, until: at });
    here = move.to == null ? undefined : { zone: move.to, from: at };
  }
  if (here) all.push({ ...here, until: Math.max(now, here.from) });
  return all;
}

export function Steps({ moves }: { moves: OrbitMove[] }) {
  const now = Date.now();
  const all = stays(moves, now);
  const start = Date.parse(moves[0]?.at ?? "") || now;
  const room = Math.max(now - start, 1);
  const x = (time: number) => ((time - start) / room) * WIDTH;
  const y = (zone: Zone) => zoneNumber(zone) * LANE + LANE / 2;
  return (
    <div class="memory-lanes" role="img" aria-label={strings().movesLabel(moves.length)} data-part="moves">
      <ul aria-hidden="true">
        {ZONES.map((zone) => (
          <li key={zone}>{zoneName(zone)}</li>
        ))}
      </ul>
      <div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {ZONES.map((zone) => (
            <line key={zone} class="lane" x1={0} x2={WIDTH} y1={y(zone)} y2={y(zone)} />
          ))}
          {all.map((stay, at) => (
            <path key={at} class="step" d={path(stay, all[at - 1], x, y)} />
          ))}
        </svg>
        <p aria-hidden="true">
          <span>{day(start)}</span>
          <span>{strings().now}</span>
        </p>
      </div>
    </div>
  );
}

/** Along the lane, from the lane before if it came straight from there. */
function path(stay: Stay, before: Stay | undefined, x: (time: number) => number, y: (zone: Zone) => number): string {
  const from = before && before.until === stay.from ? `M${x(stay.from)} ${y(before.zone)}V${y(stay.zone)}` : `M${x(stay.from)} ${y(stay.zone)}`;
  return `${from}H${x(stay.until)}`;
}
