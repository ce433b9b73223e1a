/** Goes through time: what the audit log tells of the past, and where the rules lead if nobody uses anything. */
import { useEffect } from "preact/hooks";
import { Button, Choice } from "../../parts/basic.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ago, moment } from "../../strings/define.ts";
import { orbit } from "../../strings/orbit.ts";
import type { OrbitMoves } from "../../wire.ts";
import { SPANS, SPEEDS, type Look } from "./look.ts";
import { Track } from "./track.tsx";

const DAY_MS = 86_400_000;

export function TimeBar({ look, moves, failed }: { look: Look; moves: OrbitMoves | undefined; failed: boolean }) {
  usePlaying(look);
  const course = look.scene.value?.course;
  return (
    <section class="orbit-time" data-part="orbit-time" aria-labelledby="orbit-time-title">
      <h2 id="orbit-time-title" class="unseen">
        {orbit().time}
      </h2>
      <div class="orbit-time-row">
        <Button tone="main" disabled={course === undefined} onClick={() => play(look)}>
          <Icon name={look.plays.value ? "pause" : "play"} />
          <span>{look.plays.value ? orbit().pause : orbit().play}</span>
        </Button>
        <Moment look={look} />
        <div class="orbit-time-settings">
          <label>
            <span class="unseen">{orbit().speed}</span>
            <select
              value={String(look.speed.value)}
              onChange={(event) => {
                look.speed.value = Number(event.currentTarget.value);
              }}
            >
              {SPEEDS.map((speed) => (
                <option key={speed} value={String(speed)}>
                  {orbit().perSecond(speed)}
                </option>
              ))}
            </select>
          </label>
          <Choice
            label={orbit().span}
            value={String(look.span.value)}
            of={SPANS.map((span) => [String(span), orbit().days(span)])}
            onChange={(span) => {
              look.time.value = undefined;
              look.plays.value = false;
              look.span.value = Number(span);
            }}
          />
        </div>
      </div>
      {course ? <Track look={look} course={course} /> : <div class="orbit-track" />}
      <Remarks look={look} moves={moves} failed={failed} />
    </section>
  );
}

/** From the beginning when it stands at its end, or at now. */
function play(look: Look): void {
  const course = look.scene.value?.course;
  if (course === undefined) return;
  const time = look.time.value;
  if (!look.plays.value && (time === undefined || time >= course.until)) look.time.value = course.from;
  look.plays.value = !look.plays.value;
}

function usePlaying(look: Look): void {
  const plays = look.plays.value;
  useEffect(() => {
    if (!plays) return;
    let last = performance.now();
    let frame = requestAnimationFrame(function step(time) {
      // Paused a moment ago, which this effect has not heard of yet.
      if (!look.plays.peek()) return;
      const course = look.scene.value?.course;
      const since = Math.min(1000, Math.max(0, time - last));
      last = time;
      if (course) {
        const before = look.time.value ?? course.now;
        // The present has no length: going on from it, one is past it.
        const after = Math.max(before + (since / 1000) * look.speed.value * DAY_MS, before === course.now ? before + 1001 : 0);
        look.goTo(after);
        if (after >= course.until) look.plays.value = false;
      }
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [plays]);
}

/** Which time is looked at, in large letters. */
function Moment({ look }: { look: Look }) {
  const time = look.time.value;
  const course = look.scene.value?.course;
  if (time === undefined || course === undefined) {
    return (
      <p class="orbit-moment still">
        <strong>{orbit().now}</strong>
      </p>
    );
  }
  const ahead = time > course.now;
  return (
    <p class={`orbit-moment ${ahead ? "ahead" : ""}`}>
      <strong>{moment(time)}</strong>
      <span>
        {apart(time, course.now)} · {ahead ? orbit().ahead : orbit().past}
      </span>
      <Button
        small
        onClick={() => {
          look.plays.value = false;
          look.time.value = undefined;
        }}
      >
        {orbit().toNow}
      </Button>
    </p>
  );
}

/** In days, or less than one in words. */
export function apart(time: number, now: number): string {
  const days = Math.round(Math.abs(time - now) / DAY_MS);
  if (days === 0) return ago(time, now);
  return time < now ? orbit().before(days) : orbit().after(days);
}

/** What the picture of another time cannot show, or does not know. */
function Remarks({ look, moves, failed }: { look: Look; moves: OrbitMoves | undefined; failed: boolean }) {
  const course = look.scene.value?.course;
  const time = look.time.value;
  const said: string[] = [];
  if (failed && moves === undefined) said.push(orbit().noMoves);
  if (moves && !moves.complete && time !== undefined && course && time < course.now) said.push(orbit().unreached);
  if (moves?.more) said.push(orbit().tooMany);
  if (time !== undefined && said.length === 0) said.push(orbit().asOfNow);
  return said.length === 0 ? null : <p class="orbit-remarks note">{said.join(" ")}</p>;
}
