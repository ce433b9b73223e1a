/** What is known of the memory that was chosen. Beside the picture, or from below on a phone. */
import { useEffect, useRef } from "preact/hooks";
import { ask, useAsk } from "../../api.ts";
import { Button, KindBadge, Meter, Time, ZoneBadge } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { to } from "../../route.ts";
import { number, percent } from "../../strings/define.ts";
import { orbit } from "../../strings/orbit.ts";
import { words } from "../../strings/words.ts";
import type { Memory, MemoryOrbit, OrbitBody } from "../../wire.ts";
import type { Look } from "./look.ts";

export function Panel({ look }: { look: Look }) {
  const id = look.selected.value;
  const slot = look.slotOf(id);
  if (id === undefined || slot === undefined) return null;
  return <Chosen key={id} look={look} id={id} body={look.scene.value?.bodies[slot]} />;
}

function Chosen({ look, id, body }: { look: Look; id: string; body: OrbitBody | undefined }) {
  const own = useRef<HTMLElement>(null);
  const close = () => {
    look.selected.value = undefined;
    document.querySelector<HTMLElement>(".orbit-canvas")?.focus();
  };
  useEffect(() => {
    const end = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      close();
    };
    const panel = own.current;
    panel?.addEventListener("keydown", end);
    return () => panel?.removeEventListener("keydown", end);
  }, []);
  return (
    <aside ref={own} class="orbit-panel" data-part="orbit-panel" aria-labelledby="orbit-chosen">
      <header>
        <h2 id="orbit-chosen">{orbit().chosen}</h2>
        <Button tone="quiet" small aria-label={words().close} onClick={close}>
          <Icon name="close" />
        </Button>
      </header>
      {body ? <Told body={body} look={look} /> : <p class="orbit-panel-text">{orbit().gone}</p>}
      <footer>
        <a class="button main" href={to("memory", [id])}>
          {words().open}
        </a>
      </footer>
    </aside>
  );
}

/** The label is there at once; the whole text takes its place when it has come. */
function Told({ body, look }: { body: OrbitBody; look: Look }) {
  const memory = useAsk((signal) => ask<Memory>("GET", "/v1/memories/{id}", { parts: { id: body.id }, signal }), [body.id]);
  const slot = look.slotOf(body.id) ?? -1;
  return (
    <div class="orbit-panel-body" tabIndex={0} role="group" aria-labelledby="orbit-chosen">
      <p class="orbit-panel-text">{memory.value?.content ?? body.label}</p>
      <p class="orbit-panel-line">
        <KindBadge kind={body.kind} />
        <ZoneBadge zone={(["core", "inner", "outer", "belt", "cloud"] as const)[look.zones.value[slot] ?? 4]} />
        {body.pinned && <span class="badge accent">{words().pinned}</span>}
      </p>
      <dl class="orbit-measures">
        <Measure label={words().importance} value={body.importance} />
        <Measure label={words().freshness} value={body.freshness} />
        <Measure label={words().score} value={body.score} />
      </dl>
      <dl class="orbit-facts">
        <dt>{words().used}</dt>
        <dd>
          <Time at={body.used_at} />
        </dd>
        <dt>{words().created}</dt>
        <dd>
          <Time at={body.created_at} />
        </dd>
        <dt>{orbit().recalls}</dt>
        <dd>{number(body.recalls)}×</dd>
        <dt>{words().layer}</dt>
        <dd>{words().layers[body.layer]}</dd>
      </dl>
      <Reasons id={body.id} />
    </div>
  );
}

function Measure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Meter value={value} label={label} text={percent(value)} />
        <span>{percent(value)}</span>
      </dd>
    </div>
  );
}

/** The terms of the memory function. Without them the panel still says enough. */
function Reasons({ id }: { id: string }) {
  const found = useAsk((signal) => ask<MemoryOrbit>("GET", "/v1/memories/{id}/orbit", { parts: { id }, signal }), [id]);
  if (found.value === undefined || found.value.parts.length === 0) return null;
  return (
    <section class="orbit-reasons">
      <h3>{orbit().hereBecause}</h3>
      <div class="orbit-shares" aria-hidden="true">
        {found.value.parts.map((part, at) => (
          <i key={part.name} class={`orbit-share-${at % 4}`} style={{ width: `${Math.max(0, part.share) * 100}%` }} />
        ))}
      </div>
      <ul>
        {found.value.parts.map((part, at) => (
          <li key={part.name}>
            <i class={`orbit-share-${at % 4}`} aria-hidden="true" />
            <span>{orbit().parts[part.name] ?? part.name}</span>
            <b>{number(part.share, 2)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
