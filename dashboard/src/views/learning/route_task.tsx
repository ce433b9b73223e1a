/** Which agent should take a task, how sure that is, and why. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask } from "../../api.ts";
import { Button, Card, Meter } from "../../parts/basic.tsx";
import { attempt } from "../../parts/told.tsx";
import { namespace } from "../../state.ts";
import { percent } from "../../strings/define.ts";
import { learning } from "../../strings/learning.ts";
import type { Routed } from "../../wire.ts";
import { Bars } from "../../parts/bars.tsx";
import { Strategy } from "./strategy.tsx";

// Below this nobody would think of them.
const SHARE_MIN = 0.0005;

export function RouteTask() {
  const words = learning();
  const task = useSignal("");
  const busy = useSignal(false);
  const routed = useSignal<Routed | undefined>(undefined);
  useEffect(() => {
    routed.value = undefined;
  }, [namespace.value]);
  const send = async (event: Event) => {
    event.preventDefault();
    if (task.value.trim() === "") return;
    busy.value = true;
    const body = { task: task.value.trim(), namespace: namespace.value };
    routed.value = (await attempt(() => ask<Routed>("POST", "/v1/route", { body }))) ?? routed.value;
    busy.value = false;
  };
  return (
    <Card title={words.routeTitle} note={words.routeNote}>
      <form class="learning-ask" onSubmit={(event) => void send(event)}>
        <input
          aria-label={words.task}
          placeholder={words.taskHint}
          value={task.value}
          maxLength={4000}
          onInput={(event) => (task.value = event.currentTarget.value)}
        />
        <Button tone="main" type="submit" disabled={busy.value || task.value.trim() === ""}>
          {words.route}
        </Button>
      </form>
      <div aria-live="polite">{routed.value && <Verdict routed={routed.value} />}</div>
    </Card>
  );
}

function Verdict({ routed }: { routed: Routed }) {
  const words = learning();
  const others = routed.alternatives.filter((one) => one.confidence >= SHARE_MIN);
  return (
    <div class="learning-route" data-part="route" data-agent={routed.agent}>
      <div class="learning-agent">
        <p class="learning-agent-name">{routed.agent}</p>
        <Meter value={routed.confidence} label={words.confidence} text={percent(routed.confidence)} class="learning-big" />
        <p>
          <strong>{words.sure(percent(routed.confidence))}</strong>{" "}
          <span class="note">
            {words.field}: {routed.domain}. {words.learnedFrom(routed.outcomes)}
          </span>
        </p>
        {routed.degraded && routed.degraded.length > 0 && (
          <p class="note" lang="en">
            {words.degraded}: {routed.degraded.join("; ")}
          </p>
        )}
      </div>
      <div>
        <h3>{words.alternatives}</h3>
        {others.length === 0 ? (
          <p class="note">{words.noAlternatives}</p>
        ) : (
          <Bars
            label={words.alternatives}
            most={1}
            of={others.map((one) => ({ name: one.agent, value: one.confidence, text: percent(one.confidence, 1), tone: "bars-quiet" }))}
          />
        )}
      </div>
      <div class="learning-why">
        <h3>{words.reasons}</h3>
        <ul class="learning-reasons" lang="en">
          {routed.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
      {routed.patterns && routed.patterns.length > 0 && (
        <div class="learning-why">
          <h3>{words.routePatterns}</h3>
          <ul class="learning-worked">
            {routed.patterns.map((match) => (
              <li key={match.pattern.id}>
                <span>
                  <Strategy text={match.pattern.strategy} />
                </span>
                <span class="note">
                  {words.alike(percent(match.similarity))} · {words.quality} {percent(match.pattern.quality)}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
