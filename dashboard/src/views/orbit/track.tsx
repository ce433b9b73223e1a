/** The slider through time, over bars that tell how much moved when: up for nearer, down for further. */
import { useMemo } from "preact/hooks";
import { moment } from "../../strings/define.ts";
import { orbit } from "../../strings/orbit.ts";
import type { Look } from "./look.ts";
import { apart } from "./time_bar.tsx";
import { tides, type Course, type Tide } from "./time.ts";

const BARS = 120;
const MIDDLE = 20;
const HOUR_MS = 3_600_000;
const STEP_MS = 1000;

export function Track({ look, course }: { look: Look; course: Course }) {
  const bars = useMemo(() => tides(course, BARS), [course]);
  const span = course.until - course.from;
  const now = (course.now - course.from) / span;
  const days = look.span.value;
  const time = look.time.value ?? course.now;
  const text = look.time.value === undefined ? orbit().now : `${moment(time)}, ${apart(time, course.now)}`;
  return (
    <div class="orbit-track">
      <div class="orbit-tides">
        <Bars bars={bars} now={now} />
        <span class="orbit-now" style={{ left: `${now * 100}%` }} aria-hidden="true">
          {orbit().now}
        </span>
      </div>
      <input
        type="range"
        class={time > course.now ? "ahead" : ""}
        min={0}
        max={Math.round(span / STEP_MS)}
        step={1}
        value={Math.round((time - course.from) / STEP_MS)}
        aria-label={orbit().when}
        aria-valuetext={text}
        onInput={(event) => {
          look.plays.value = false;
          look.goTo(course.from + Number(event.currentTarget.value) * STEP_MS);
        }}
        onKeyDown={(event) => {
          const aim = byKey(event, time, course);
          if (aim === undefined) return;
          event.preventDefault();
          look.plays.value = false;
          look.goTo(aim);
        }}
      />
      <p class="orbit-ends" aria-hidden="true">
        <span>{orbit().before(days)}</span>
        <span>{orbit().past}</span>
        <span class="orbit-ends-ahead">{orbit().ahead}</span>
        <span>{orbit().after(days)}</span>
      </p>
    </div>
  );
}

/** Arrows go by hours, fewer of them when fewer days are shown; with Shift by one minute. They never jump over now. */
function byKey(event: KeyboardEvent, time: number, course: Course): number | undefined {
  const wide = Math.max(1, Math.round((course.until - course.from) / HOUR_MS / 120)) * HOUR_MS;
  const small = event.shiftKey ? 60_000 : wide;
  const ways: Record<string, number> = {
    ArrowLeft: -small,
    ArrowDown: -small,
    ArrowRight: small,
    ArrowUp: small,
    PageDown: -10 * wide,
    PageUp: 10 * wide,
  };
  if (event.key === "Home") return course.from;
  if (event.key === "End") return course.until;
  const way = ways[event.key];
  if (way === undefined) return undefined;
  const aim = time + way;
  const crosses = time !== course.now && time < course.now !== aim < course.now;
  return crosses ? course.now : aim;
}

/** What nearly all bars stay below: one busy hour shall not flatten all the others. */
function usual(bars: Tide[]): number {
  const counts = bars.flatMap((bar) => [bar.nearer, bar.further]).filter((count) => count > 0).sort((a, b) => a - b);
  return counts[Math.floor(counts.length * 0.97)] ?? counts.at(-1) ?? 1;
}

function Bars({ bars, now }: { bars: Tide[]; now: number }) {
  const most = usual(bars);
  // Roots, so that a quiet day can still be seen beside a busy one.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1, Math.min(1, Math.sqrt(count / most)) * (MIDDLE - 2)));
  const at = now * BARS;
  return (
    <svg viewBox={`0 0 ${BARS} ${2 * MIDDLE}`} preserveAspectRatio="none" role="img" aria-label={`${orbit().legendTides}: ↑ ${orbit().nearer}, ↓ ${orbit().further}`}>
      {bars.map((bar, index) => (
        <g key={index} class={index + 0.5 > at ? "ahead" : ""}>
          <rect class="nearer" x={index + 0.14} width="0.72" y={MIDDLE - 1 - tall(bar.nearer)} height={tall(bar.nearer)} />
          <rect class="further" x={index + 0.14} width="0.72" y={MIDDLE + 1} height={tall(bar.further)} />
        </g>
      ))}
      <line class="past" x1="0" x2={at} y1={MIDDLE} y2={MIDDLE} />
      <line class="to-come" x1={at} x2={BARS} y1={MIDDLE} y2={MIDDLE} />
      <line class="mark" x1={at} x2={at} y1="0" y2={2 * MIDDLE} />
    </svg>
  );
}
