/** The picture, what it tells of the body that is meant, and the same by voice. */
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isDark, movesLittle } from "../../state.ts";
import { ago, number, percent } from "../../strings/define.ts";
import { orbit } from "../../strings/orbit.ts";
import { words } from "../../strings/words.ts";
import { KindBadge } from "../../parts/basic.tsx";
import type { OrbitPicture } from "../../wire.ts";
import { Gestures } from "./gestures.ts";
import type { Look } from "./look.ts";
import { paletteOf } from "./palette.ts";
import { Stage } from "./stage.ts";

export interface Hands {
  gestures?: Gestures;
}

interface StageViewProps {
  look: Look;
  picture: OrbitPicture;
  hole: { current: HTMLElement | null };
  hands: Hands;
}

export function StageView({ look, picture, hole, hands }: StageViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const latest = useRef(picture);
  latest.current = picture;
  useEffect(() => {
    if (host.current === null || hole.current === null) return;
    const stage: Stage = new Stage(host.current, hole.current, { onDrawn: () => placeTip(stage, look, tip.current) });
    hands.gestures = gesturesOn(host.current, stage, look);
    const ends = follow(stage, look, latest);
    return () => {
      ends.forEach((end) => end());
      hands.gestures?.destroy();
      stage.destroy();
    };
  }, []);
  return (
    <div class="orbit-stage" inert={look.asList.value}>
      <div
        ref={host}
        class={`orbit-canvas ${look.walked.value === undefined ? "" : "walking"}`}
        data-part="orbit-stage"
        role="application"
        tabIndex={0}
        aria-label={orbit().stage}
        aria-describedby="orbit-how"
        onBlur={() => {
          look.walked.value = undefined;
        }}
      />
      <p id="orbit-how" class="unseen">
        {orbit().stageHow}
      </p>
      <Zones look={look} picture={picture} />
      <Tip look={look} own={tip} />
    </div>
  );
}

/** What the picture writes along its rings, for those who hear it. */
function Zones({ look, picture }: { look: Look; picture: OrbitPicture }) {
  return (
    <ul class="unseen" data-part="orbit-zones" aria-label={words().zone}>
      {zoneTexts(look, picture).map(({ name, count }) => (
        <li key={name}>
          {name} {count}
        </li>
      ))}
    </ul>
  );
}

function gesturesOn(host: HTMLElement, stage: Stage, look: Look): Gestures {
  const idOf = (slot: number | undefined) => (slot === undefined ? undefined : look.scene.value?.ids[slot]);
  return new Gestures(host, stage, {
    onPoint: (slot) => {
      look.pointed.value = idOf(slot);
    },
    onWalk: (slot) => {
      look.walked.value = idOf(slot);
      const scene = look.scene.value;
      if (scene) stage.camera.reveal({ x: scene.x[slot]!, y: scene.y[slot]! }, stage.sight);
    },
    onPick: (slot) => {
      look.selected.value = idOf(slot);
    },
    onLeave: () => {
      look.selected.value = undefined;
    },
    at: () => look.slotOf(look.walked.value ?? look.selected.value),
  });
}

/** Hands on to the stage what changes; each line runs again when a signal in it does. */
function follow(stage: Stage, look: Look, picture: { current: OrbitPicture }): Array<() => void> {
  return [
    effect(() => stage.colour(paletteOf(isDark.value))),
    effect(() => stage.move(look.turns.value && !look.asList.value, movesLittle)),
    effect(() => {
      if (look.scene.value) stage.show(look.scene.value);
    }),
    effect(() => {
      look.scene.value?.aim(look.zones.value, (slot) => look.strength(slot));
      stage.draw();
    }),
    effect(() => {
      const hits = look.hits.value?.map((id) => look.slotOf(id)).filter((slot) => slot !== undefined);
      stage.mark({ meant: look.slotOf(look.meant.value), selected: look.slotOf(look.selected.value), hits });
    }),
    effect(() => stage.caption(zoneTexts(look, picture.current))),
  ];
}

/** At other times it is counted what is drawn; now the server has counted all. */
function zoneTexts(look: Look, picture: OrbitPicture): Array<{ name: string; count: string }> {
  const isNow = look.time.value === undefined;
  return words().zones.map((name, zone) => {
    const own = picture.zones[zone];
    const held = isNow && look.scene.value ? (own?.memories ?? 0) : (look.counts.value[zone] ?? 0);
    return { name, count: own?.capacity == null ? number(held) : `${number(held)} / ${number(own.capacity)}` };
  });
}

/** Beside the body, on the side where there is room. */
function placeTip(stage: Stage, look: Look, tip: HTMLElement | null): void {
  const slot = look.slotOf(look.meant.peek());
  const scene = stage.scene;
  if (tip === null || slot === undefined || scene === undefined) return;
  const [x, y] = [scene.x[slot] ?? 0, scene.y[slot] ?? 0];
  const room = (stage.sizes[slot] ?? 0) + 14;
  const { sight } = stage;
  const right = x + room + tip.offsetWidth < sight.right;
  const left = right ? x + room : Math.max(8, x - room - tip.offsetWidth);
  const top = Math.max(8, Math.min(sight.bottom - tip.offsetHeight, y - tip.offsetHeight / 2));
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

function Tip({ look, own }: { look: Look; own: { current: HTMLDivElement | null } }) {
  const meant = look.meant.value;
  // What is chosen is told beside the picture.
  const slot = meant === look.selected.value ? undefined : look.slotOf(meant);
  const scene = look.scene.value;
  const body = slot === undefined ? undefined : scene?.bodies[slot];
  const zone = slot === undefined ? undefined : words().zones[look.zones.value[slot] ?? -1];
  return (
    <div ref={own} class="orbit-tip" data-part="orbit-tip" role="status" aria-live="polite" data-open={slot !== undefined}>
      {slot !== undefined && <p class="orbit-tip-label">{body?.label ?? orbit().gone}</p>}
      {body && (
        <p class="orbit-tip-line">
          <KindBadge kind={body.kind} />
          <span>{zone}</span>
          {body.pinned && <span>{words().pinned}</span>}
        </p>
      )}
      {body && (
        <dl>
          <dt>{words().importance}</dt>
          <dd>{percent(body.importance)}</dd>
          <dt>{words().freshness}</dt>
          <dd>{percent(body.freshness)}</dd>
          <dt>{words().used}</dt>
          <dd>{ago(body.used_at)}</dd>
        </dl>
      )}
    </div>
  );
}
