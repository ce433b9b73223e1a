/** The rungs of a search: what each stage said of a memory, and where it would stand by that stage alone. */
import { search, stageName } from "../../strings/search.ts";
import { words } from "../../strings/words.ts";
import type { Why } from "../../wire.ts";
import { Bar, hundredths, signed } from "./bars.tsx";
import { scaleOf } from "./scale.ts";

export function Ladder({ why }: { why: Why }) {
  const scale = scaleOf(why.stages.map((stage) => stage.value));
  if (why.stages.length === 0) return <p class="note">{search().noStages}</p>;
  return (
    <div class="search-ladder" data-part="ladder">
      {why.score != null && <ScoreLine score={why.score} floor={why.score_min} />}
      <ol>
        {why.stages.map(({ stage, value, place, of }) => (
          <li key={stage} data-stage={stage}>
            <span class="search-rung">
              <strong title={search().stages[stage]?.text}>{stageName(stage)}</strong>
              <span class="number">{signed(value)}</span>
            </span>
            <Bar value={value} scale={scale} />
            <Place place={place} of={of} />
          </li>
        ))}
        {why.place != null && (
          <li class="search-overall">
            <span class="search-rung">
              <strong>{search().overall}</strong>
              <span class="number">{signed(why.stages.reduce((sum, stage) => sum + stage.value, 0))}</span>
            </span>
            <Place place={why.place} of={why.weighed} limit={why.limit} />
          </li>
        )}
      </ol>
    </div>
  );
}

/** Places are drawn by their logarithm: whether it is the 3rd or the 30th matters more than the 300th or the 330th. */
function along(place: number, of: number): number {
  return of <= 1 ? 0 : (Math.log(Math.min(place, of)) / Math.log(of)) * 100;
}

function Place({ place, of, limit }: { place: number; of: number; limit?: number }) {
  return (
    <span class="search-standing">
      <span class="search-track" aria-hidden="true">
        {limit !== undefined && limit < of && (
          <b style={{ left: `${along(limit, of)}%` }} title={search().limitMark(limit)} />
        )}
        <i style={{ left: `${along(place, of)}%` }} />
      </span>
      <span>{search().place(place, of)}</span>
    </span>
  );
}

/** The score on its way from 0 to 1, and what a result needs, if anything was set. */
function ScoreLine({ score, floor }: { score: number; floor: number }) {
  const isSet = floor > 0;
  const needed = isSet ? search().floorMark(hundredths(floor)) : "";
  const told = `${words().score} ${hundredths(score)}`;
  return (
    <div class="search-scoreline" role="img" aria-label={[told, needed].filter(Boolean).join(", ")}>
      <span class="search-rung">
        <strong>{told}</strong>
        {isSet && <span class="note">{needed}</span>}
      </span>
      <span class="search-track full">
        <u style={{ width: `${score * 100}%` }} />
        {isSet && <b style={{ left: `${floor * 100}%` }} />}
      </span>
    </div>
  );
}
