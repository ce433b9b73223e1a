/** The orbit of a namespace: what is near, what is far, and how it came to be so. */
import { useEffect, useMemo, useRef } from "preact/hooks";
import { ask, events, useAsk } from "../../api.ts";
import { Empty, Failure, Loading, PageHead } from "../../parts/basic.tsx";
import { namespace } from "../../state.ts";
import { orbit } from "../../strings/orbit.ts";
import type { EventKind, OrbitMoves, OrbitPicture } from "../../wire.ts";
import { Finder } from "./finder.tsx";
import { Legend } from "./legend.tsx";
import { List } from "./list.tsx";
import { Look } from "./look.ts";
import "./orbit.css";
import "./orbit_words.css";
import "./orbit_time.css";
import { Panel } from "./panel.tsx";
import { Scene } from "./scene.ts";
import { StageView, type Hands } from "./stage_view.tsx";
import { TimeBar } from "./time_bar.tsx";
import { Tools } from "./tools.tsx";

const LOOK_EVERY_MS = 30_000;
/** Changes come in flocks; one look is enough for all of them. */
const GATHER_MS = 1500;
const MOVING: EventKind[] = ["stored", "revised", "forgotten", "restored", "purged", "reorbited", "zone_changed", "auto_forgotten", "consolidated", "superseded", "imported"];

export default function Orbit() {
  const look = useMemo(() => new Look(), []);
  const own = namespace.value;
  const span = look.span.value;
  const here = { namespace: own };
  const picture = useAsk((signal) => ask<OrbitPicture>("GET", "/v1/orbit", { query: here, signal }), [own], LOOK_EVERY_MS);
  const moves = useAsk(
    (signal) => ask<OrbitMoves>("GET", "/v1/orbit/moves", { query: { ...here, days: span, ahead_days: span }, signal }),
    [own, span],
    LOOK_EVERY_MS,
  );
  useNews(own, () => {
    picture.reload();
    moves.reload();
  });
  // Another namespace is another sky: nothing of the one before stays.
  useEffect(() => {
    look.time.value = look.selected.value = look.walked.value = look.pointed.value = undefined;
    look.plays.value = false;
  }, [own]);
  const shown = own === undefined || picture.value?.namespace === own ? picture.value : undefined;
  useEffect(() => {
    look.scene.value = shown && new Scene(shown, moves.value, look.scene.peek());
  }, [shown, moves.value]);
  if (shown === undefined) {
    return (
      <>
        <PageHead title={orbit().title} />
        {picture.error ? <Failure error={picture.error} retry={picture.reload} /> : <Loading />}
      </>
    );
  }
  return <Sky look={look} picture={shown} moves={moves.value} failed={moves.error !== undefined} />;
}

/** Looks again soon after something moved. Without the stream, the clock alone does it. */
function useNews(own: string | undefined, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    if (own === undefined) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = async () => {
      for await (const _ of events({ scope: own, kind: MOVING }, ending.signal)) {
        timer ??= setTimeout(() => {
          timer = undefined;
          latest.current();
        }, GATHER_MS);
      }
    };
    listen().catch(() => undefined);
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [own]);
}

function Sky({ look, picture, moves, failed }: { look: Look; picture: OrbitPicture; moves: OrbitMoves | undefined; failed: boolean }) {
  const hole = useRef<HTMLDivElement>(null);
  const hands = useMemo<Hands>(() => ({}), []);
  const limited = picture.total > picture.bodies.length;
  return (
    <div class="orbit">
      <StageView look={look} picture={picture} hole={hole} hands={hands} />
      <div class="orbit-side">
        <header>
          <h1>{orbit().title}</h1>
          {picture.total > 0 && (
            <p class="orbit-lead">
              {orbit().lead(picture.total)} {limited && orbit().limited(picture.bodies.length)}
            </p>
          )}
        </header>
        <Finder look={look} />
        <Legend look={look} />
      </div>
      <div class="orbit-hole" ref={hole}>
        {picture.total === 0 && look.time.value === undefined && (
          <Empty title={orbit().emptyTitle}>
            <p>{orbit().empty}</p>
          </Empty>
        )}
        {look.asList.value && <List look={look} />}
      </div>
      <Tools look={look} hands={hands} />
      <Panel look={look} />
      <TimeBar look={look} moves={moves} failed={failed} />
    </div>
  );
}
