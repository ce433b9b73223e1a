/** What the colours, sizes and lights mean. A kind's button hides it or brings it back. */
import { Button } from "../../parts/basic.tsx";
import { number } from "../../strings/define.ts";
import { orbit } from "../../strings/orbit.ts";
import { words } from "../../strings/words.ts";
import type { Kind } from "../../wire.ts";
import type { Look } from "./look.ts";
import { KINDS } from "./scene.ts";

export function Legend({ look }: { look: Look }) {
  const counts = countKinds(look);
  const toggle = (kind: Kind) => {
    const hidden = new Set(look.hidden.value);
    if (!hidden.delete(kind)) hidden.add(kind);
    look.hidden.value = hidden;
  };
  return (
    <section class="orbit-legend" aria-labelledby="orbit-kinds">
      <h2 id="orbit-kinds">{orbit().kinds}</h2>
      <ul>
        {KINDS.map((kind, at) => (
          <li key={kind}>
            <button type="button" class={`orbit-kind kind-${kind}`} aria-pressed={!look.hidden.value.has(kind)} onClick={() => toggle(kind)}>
              <i aria-hidden="true" />
              <span>{words().kinds[kind]}</span>
              <b>{number(counts[at] ?? 0)}</b>
            </button>
          </li>
        ))}
      </ul>
      {look.hidden.value.size > 0 && (
        <Button
          small
          onClick={() => {
            look.hidden.value = new Set();
          }}
        >
          {orbit().allKinds}
        </Button>
      )}
      <Meanings />
    </section>
  );
}

function countKinds(look: Look): number[] {
  const counts = KINDS.map(() => 0);
  const scene = look.scene.value;
  const zones = look.zones.value;
  if (scene === undefined) return counts;
  for (let slot = 0; slot < scene.count; slot++) {
    const kind = scene.kind[slot]!;
    if (zones[slot]! >= 0 && kind < counts.length) counts[kind]!++;
  }
  return counts;
}

const STEPS = [0, 1, 2, 3, 4];

/** A piece of a ring around the point (8, 8). */
function arcAround(radius: number): string {
  const x = 8 + Math.sqrt(radius ** 2 - 49);
  return `M${x} 1A${radius} ${radius} 0 0 1 ${x} 15`;
}

function Meanings() {
  return (
    <ul class="orbit-meanings">
      <li>
        <svg viewBox="0 0 76 16" aria-hidden="true">
          {STEPS.map((step) => (
            <circle key={step} cx={8 + step * 15} cy="8" r={1.6 + step * 1.2} />
          ))}
        </svg>
        <span>{orbit().size}</span>
      </li>
      <li>
        <svg viewBox="0 0 76 16" aria-hidden="true">
          {STEPS.map((step) => (
            <circle key={step} class={`orbit-light-${step}`} cx={8 + step * 15} cy="8" r="4.6" />
          ))}
        </svg>
        <span>{orbit().brightness}</span>
      </li>
      <li>
        <svg viewBox="0 0 76 16" aria-hidden="true">
          <circle class="orbit-key-sun" cx="8" cy="8" r="5" />
          {STEPS.slice(1).map((step) => (
            <path key={step} class="orbit-key-line" d={arcAround(step * 15)} />
          ))}
        </svg>
        <span>{orbit().nearness}</span>
      </li>
      <li>
        <svg viewBox="0 0 76 16" aria-hidden="true">
          <circle cx="38" cy="8" r="3.2" />
          <circle class="orbit-key-line" cx="38" cy="8" r="6.6" />
        </svg>
        <span>{orbit().ring}</span>
      </li>
    </ul>
  );
}
