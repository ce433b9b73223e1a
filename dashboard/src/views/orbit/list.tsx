/** The same as the picture, in words: for those who do not see it or would rather read. */
import { useSignal } from "@preact/signals";
import { Button, Empty, KindBadge, Time } from "../../parts/basic.tsx";
import { percent } from "../../strings/define.ts";
import { orbit } from "../../strings/orbit.ts";
import { words } from "../../strings/words.ts";
import type { Look } from "./look.ts";

const PAGE = 100;

export function List({ look }: { look: Look }) {
  const limit = useSignal(PAGE);
  const all = look.shown();
  const shown = all.slice(0, limit.value);
  const zones = look.zones.value;
  return (
    <section class="orbit-list" data-part="orbit-list" aria-labelledby="orbit-list-title">
      <header>
        <h2 id="orbit-list-title">{orbit().listTitle}</h2>
        <p class="note" role="status">
          {orbit().listShown(shown.length, all.length)}
        </p>
      </header>
      {all.length === 0 && <Empty />}
      {words().zones.map((name, zone) => {
        const own = shown.filter((slot) => zones[slot] === zone);
        return own.length === 0 ? null : <ZoneList key={zone} look={look} name={name} slots={own} />;
      })}
      {shown.length < all.length && (
        <Button
          onClick={() => {
            limit.value += PAGE;
          }}
        >
          {words().more}
        </Button>
      )}
    </section>
  );
}

function ZoneList({ look, name, slots }: { look: Look; name: string; slots: number[] }) {
  return (
    <>
      <h3>{name}</h3>
      <ul>
        {slots.map((slot) => (
          <Row key={look.scene.value?.ids[slot]} look={look} slot={slot} />
        ))}
      </ul>
    </>
  );
}

function Row({ look, slot }: { look: Look; slot: number }) {
  const scene = look.scene.value;
  const id = scene?.ids[slot];
  const body = scene?.bodies[slot];
  return (
    <li>
      <button
        type="button"
        aria-pressed={look.selected.value === id}
        onClick={() => {
          look.selected.value = id;
        }}
      >
        <span class="orbit-row-label">{body?.label ?? orbit().gone}</span>
        {body && (
          <span class="orbit-row-line">
            <KindBadge kind={body.kind} />
            <span>
              {words().importance} {percent(body.importance)}
            </span>
            <span>
              {words().freshness} {percent(body.freshness)}
            </span>
            <span>
              {words().used} <Time at={body.used_at} />
            </span>
            {body.pinned && <span>{words().pinned}</span>}
          </span>
        )}
      </button>
    </li>
  );
}
