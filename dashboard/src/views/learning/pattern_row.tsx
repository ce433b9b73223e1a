/** One pattern, and what can be done with it. */
import { ask } from "../../api.ts";
import { Badge, Button, Meter, Time } from "../../parts/basic.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { to } from "../../route.ts";
import { mayWrite } from "../../shell/place.ts";
import { percent } from "../../strings/define.ts";
import { learning } from "../../strings/learning.ts";
import type { Pattern } from "../../wire.ts";
import { Strategy } from "./strategy.tsx";

interface RowProps {
  pattern: Pattern;
  /** How close it is to the task that was looked for. */
  similarity: number | undefined;
  reload: () => void;
}

export function PatternRow({ pattern, similarity, reload }: RowProps) {
  const words = learning();
  const term = pattern.term ?? "short";
  return (
    <li class={`learning-pattern ${pattern.retired_at ? "aside" : ""}`} data-part="pattern" data-id={pattern.id}>
      <div class="learning-pattern-text">
        <p class="learning-strategy">
          <Strategy text={pattern.strategy} />
        </p>
        <p class="learning-tags">
          <Badge tone={pattern.retired_at ? "plain" : term === "long" ? "good" : "accent"}>
            {pattern.retired_at ? words.shows["retired"] : words.term[term]}
          </Badge>
          <Named label={words.domain} value={pattern.domain} />
          {pattern.agent && <Named label={words.agent} value={pattern.agent} />}
          {similarity !== undefined && <strong>{words.alike(percent(similarity))}</strong>}
          <span>
            {pattern.retired_at ? words.retiredAt : words.learnedAt} <Time at={pattern.retired_at ?? pattern.created_at} />
          </span>
        </p>
        <Sources ids={pattern.sources ?? []} />
      </div>
      <div class="learning-quality">
        <p>
          <span class="note">{words.quality}</span> <strong>{percent(pattern.quality)}</strong>
        </p>
        <Meter value={pattern.quality} label={words.quality} text={percent(pattern.quality)} />
        <p class="note">{words.uses(pattern.uses ?? 0, pattern.successes ?? 0)}</p>
        {mayWrite() && <Doing pattern={pattern} reload={reload} />}
      </div>
    </li>
  );
}

export function Named({ label, value }: { label: string; value: string }) {
  return (
    <span>
      <span class="faint">{label}</span> {value}
    </span>
  );
}

function Sources({ ids }: { ids: string[] }) {
  const words = learning();
  if (ids.length === 0) return <p class="note">{words.told}</p>;
  return (
    <details class="learning-sources">
      <summary>{words.sources(ids.length)}</summary>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a class="mono" href={to("learning", ["trajectories", id])} title={id}>
              <span class="unseen">{words.oneTask} </span>
              {id.slice(-8)}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

type Act = "promote" | "retire" | "restore";

function Doing({ pattern, reload }: { pattern: Pattern; reload: () => void }) {
  const words = learning();
  const act = async (name: Act, told: string) => {
    const done = await attempt(() => ask<Pattern>("POST", `/v1/patterns/{pattern}/${name}`, { parts: { pattern: pattern.id } }));
    if (done !== undefined) tell(told);
    reload();
  };
  if (pattern.retired_at)
    return (
      <div class="actions">
        <Button small onClick={() => void act("restore", words.restored)}>
          {words.restore}
        </Button>
      </div>
    );
  return (
    <div class="actions">
      {pattern.term !== "long" && (
        <Button small onClick={() => void act("promote", words.promoted)}>
          {words.promote}
        </Button>
      )}
      <Button small onClick={() => void act("retire", words.retired)}>
        {words.retire}
      </Button>
    </div>
  );
}
