/** What a new user sees: what this is, and three ways to begin. */
import { useSignal } from "@preact/signals";
import { ask } from "../../api.ts";
import { Button, Card } from "../../parts/basic.tsx";
import { attempt, tell } from "../../parts/told.tsx";
import { go } from "../../route.ts";
import { lookAround, mayWrite, me } from "../../shell/place.ts";
import { namespace } from "../../state.ts";
import { start } from "../../strings/start.ts";
import type { SampleLoaded } from "../../wire.ts";
import "./start.css";

export function Start() {
  const words = start();
  return (
    <div class="start">
      <Rings />
      <header>
        <h1>{words.title}</h1>
        <p class="lead">{words.lead}</p>
      </header>
      {!mayWrite() && <p class="notice">{words.readOnly}</p>}
      <div class="start-ways">
        {mayWrite() && <SampleWay />}
        {mayWrite() && <OwnWay />}
        <AgentWay />
      </div>
    </div>
  );
}

/** The five zones with nothing in them yet. */
function Rings() {
  return (
    <svg class="start-rings" viewBox="-100 -100 200 200" aria-hidden="true">
      {[18, 36, 56, 77, 98].map((radius) => (
        <circle key={radius} r={radius} />
      ))}
      <circle class="sun" r="7" />
    </svg>
  );
}

function SampleWay() {
  const busy = useSignal(false);
  const load = async () => {
    busy.value = true;
    const loaded = await attempt(() => ask<SampleLoaded>("POST", "/v1/sample"));
    if (loaded) {
      namespace.value = loaded.namespace;
      go("orbit");
    }
    await lookAround();
    busy.value = false;
  };
  return (
    <Card title={start().sampleTitle} class="start-way">
      <p class="soft">{start().sampleText}</p>
      <Button tone="main" disabled={busy.value} onClick={() => void load()}>
        {busy.value ? start().sampleLoading : start().sampleLoad}
      </Button>
    </Card>
  );
}

function OwnWay() {
  const text = useSignal("");
  const keep = async (event: Event) => {
    event.preventDefault();
    const content = text.value.trim();
    if (content === "") return;
    const where = me.value?.namespace ?? undefined;
    const kept = await attempt(() => ask("POST", "/v1/memories", { body: { content, namespace: where } }));
    if (kept === undefined) return;
    namespace.value = where;
    tell(start().kept);
    go("orbit");
    await lookAround();
  };
  return (
    <Card title={start().ownTitle} class="start-way">
      <form onSubmit={(event) => void keep(event)}>
        <p class="soft">{start().ownText}</p>
        <label class="field">
          <span>{start().ownLabel}</span>
          <textarea
            rows={2}
            placeholder={start().ownPlaceholder}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
        </label>
        <Button type="submit" disabled={text.value.trim() === ""}>
          {start().ownKeep}
        </Button>
      </form>
    </Card>
  );
}

function AgentWay() {
  const words = start();
  const ways: Array<[string, string]> = [
    ["peri install", words.agentInstall],
    [`${location.origin}/mcp`, words.agentMcp],
    ['peri remember "…"', words.agentCli],
  ];
  return (
    <Card title={words.agentTitle} class="start-way">
      <p class="soft">{words.agentText}</p>
      <dl class="start-commands">
        {ways.map(([command, does]) => (
          <div key={command}>
            <dt>
              <code>{command}</code>
            </dt>
            <dd class="soft">{does}</dd>
          </div>
        ))}
      </dl>
      <a href="/docs">{words.docs}</a>
    </Card>
  );
}
