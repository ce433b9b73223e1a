/** What the search did besides finding: how much was weighed and left out, what was understood, what was missing. */
import { day, moment, percent } from "../../strings/define.ts";
import { search } from "../../strings/search.ts";
import { shell } from "../../strings/shell.ts";
import { to } from "../../route.ts";
import { Badge, Card } from "../../parts/basic.tsx";
import { Text } from "../memory/text.tsx";
import type { PatternMatch, Recalled, UnderstoodTime } from "../../wire.ts";

export function Summary({ found, busy }: { found: Recalled; busy: boolean }) {
  return (
    <div class="search-summary">
      <p role="status">
        <strong>{busy ? search().searching : search().found(found.hits.length)}</strong>
        <span>{search().weighed(found.considered)}</span>
        {found.below_floor > 0 && <span>{search().belowFloor(found.below_floor)}</span>}
        {found.over_budget > 0 && <span>{search().overBudget(found.over_budget)}</span>}
        {found.adapted && <span>{search().adapted}</span>}
      </p>
      {(found.times ?? []).length > 0 && (
        <p class="search-times">
          <span>{search().understood}</span>
          {found.times?.map((time) => (
            <Badge key={time.text + time.from} tone="accent">
              {search().understoodTime(time.text, range(time))}
            </Badge>
          ))}
        </p>
      )}
      {(found.degraded ?? []).length > 0 && (
        <div class="search-degraded" role="note">
          <strong>{search().degraded}</strong>
          <ul>
            {found.degraded?.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Days where the server's days are ours; with the time of day otherwise. The end is the first moment after. */
function range({ from, until }: UnderstoodTime): string {
  const [first, end] = [new Date(from), new Date(until)];
  const isDay = (date: Date) => date.getHours() === 0 && date.getMinutes() === 0;
  if (!isDay(first) || !isDay(end)) return `${moment(first)} – ${moment(end)}`;
  const last = new Date(end.getTime() - 1);
  return day(first) === day(last) ? day(first) : `${day(first)} – ${day(last)}`;
}

export function Offered({ patterns }: { patterns: PatternMatch[] }) {
  if (patterns.length === 0) return null;
  const more = <a href={to("learning")}>{shell().views["learning"]}</a>;
  return (
    <Card title={search().patterns} actions={more} class="search-patterns">
      <ul>
        {patterns.map(({ pattern, score }) => (
          <li key={pattern.id}>
            <Text text={pattern.strategy} />
            <p class="note">
              <Badge>{pattern.domain}</Badge> {percent(score)} · {search().quality(percent(pattern.quality))}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
