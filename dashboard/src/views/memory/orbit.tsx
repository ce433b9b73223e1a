/** Why a memory is as near as it is, and how it moved. */
import { ask, useAsk } from "../../api.ts";
import { Card, Failure, Loading, Time, ZoneBadge } from "../../parts/basic.tsx";
import { percent } from "../../strings/define.ts";
import { memory as strings } from "../../strings/memory.ts";
import { words, zoneName } from "../../strings/words.ts";
import type { Memory, MemoryOrbit, OrbitMove } from "../../wire.ts";
import { Steps } from "./steps.tsx";

export function OrbitCard({ memory }: { memory: Memory }) {
  const orbit = useAsk((signal) => ask<MemoryOrbit>("GET", "/v1/memories/{id}/orbit", { parts: { id: memory.id }, signal }), [memory.id, memory.change]);
  return (
    <Card title={strings().orbit} note={strings().orbitFormula} class="memory-orbit">
      {orbit.error && <Failure error={orbit.error} retry={orbit.reload} />}
      {!orbit.value && orbit.loading && <Loading />}
      {orbit.value && <Shown orbit={orbit.value} />}
    </Card>
  );
}

function Shown({ orbit }: { orbit: MemoryOrbit }) {
  return (
    <>
      <p class="memory-score">
        <strong>{percent(orbit.score)}</strong>
        <span class="soft">{strings().orbitScore}</span>
        <ZoneBadge zone={orbit.zone} />
      </p>
      <div class="memory-shares" aria-hidden="true">
        {orbit.parts.map((part) => (
          <i key={part.name} class={`part-${part.name}`} style={{ width: `${part.share * 100}%` }} />
        ))}
      </div>
      <table class="memory-parts">
        <tbody>
          {orbit.parts.map((part) => (
            <tr key={part.name}>
              <th scope="row">
                <i class={`part-${part.name}`} aria-hidden="true" />
                {strings().part[part.name] ?? part.name}
              </th>
              <td class="number faint">{strings().partText(percent(part.value), percent(part.weight))}</td>
              <td class="number">{percent(part.share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        {words().recalls(orbit.recalls)} · {words().used} <Time at={orbit.used_at} />
      </p>
      <h3>{strings().moves}</h3>
      {orbit.moves.length === 0 ? <p class="note">{strings().noMoves}</p> : <Moves moves={orbit.moves} />}
    </>
  );
}

const LISTED_MAX = 5;

function Moves({ moves }: { moves: OrbitMove[] }) {
  const latest = [...moves].reverse();
  return (
    <>
      <Steps moves={moves} />
      <List moves={latest.slice(0, LISTED_MAX)} />
      {latest.length > LISTED_MAX && (
        <details class="memory-folded">
          <summary>{words().more}</summary>
          <List moves={latest.slice(LISTED_MAX)} />
        </details>
      )}
    </>
  );
}

function List({ moves }: { moves: OrbitMove[] }) {
  return (
    <ol class="memory-moves">
      {moves.map((move) => (
        <li key={move.at + move.from + move.to}>
          <span>{told(move)}</span>
          <span class="soft">{move.reason ? (strings().causes[move.reason] ?? move.reason) : ""}</span>
          <span class="faint">
            <Time at={move.at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function told({ from, to }: OrbitMove): string {
  if (from == null) return strings().appeared(zoneName(to));
  return to == null ? strings().left(zoneName(from)) : strings().moved(zoneName(from), zoneName(to));
}
