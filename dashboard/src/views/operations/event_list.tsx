/** Events as rows: when, what kind, what happened, and the memories it is about. */
import { to } from "../../route.ts";
import { moment } from "../../strings/define.ts";
import { language } from "../../state.ts";
import { operations } from "../../strings/operations.ts";
import { words } from "../../strings/words.ts";
import type { Event, EventKind } from "../../wire.ts";
import { groupFor, groups, kindName, kindWords } from "./event_kinds.ts";
import { memoriesOf, sentence } from "./event_words.ts";

// The others are in the event's details at the interface of programs.
const LINKS_MAX = 3;

function clock(at: string): string {
  return new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false }).format(new Date(at));
}

function date(at: string): string {
  return new Intl.DateTimeFormat(language.value, { month: "short", day: "numeric" }).format(new Date(at));
}

export function EventRow({ event }: { event: Event }) {
  const group = groupFor(event.event);
  return (
    <li class={`operations-event group-${group}`} data-part="event" data-kind={event.event}>
      <time dateTime={event.at} title={`${moment(event.at)} · ${operations().eventNumber(event.number)}`}>
        <span class="faint">{date(event.at)}</span> {clock(event.at)}
      </time>
      <span class="operations-event-kind">
        <i aria-hidden="true" />
        {kindName(event.event)}
      </span>
      <p>
        {sentence(event)}{" "}
        <Links event={event} />
      </p>
      {event.namespace && <span class="operations-event-where">{event.namespace}</span>}
    </li>
  );
}

function Links({ event }: { event: Event }) {
  const ids = memoriesOf(event);
  if (ids.length === 0) return null;
  return (
    <span class="operations-event-links">
      {ids.slice(0, LINKS_MAX).map((id) => (
        <a key={id} href={to("memory", [id])} title={id}>
          <span class="unseen">{operations().openMemory} </span>
          {id.slice(-6)}
        </a>
      ))}
      {ids.length > LINKS_MAX && <span class="faint">{words().andMore(ids.length - LINKS_MAX)}</span>}
    </span>
  );
}


export function kindsOf(chosen: string): EventKind[] | undefined {
  if (chosen === "") return undefined;
  return groups.find(([group]) => group === chosen)?.[1] ?? groups.flatMap(([, kinds]) => kinds).filter((kind) => kind === chosen);
}

export function KindChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const words = operations();
  return (
    <label class="field">
      <span>{words.ofKind}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{words.allKinds}</option>
        {groups.map(([group, kinds]) => (
          <optgroup key={group} label={kindWords().groups[group]}>
            <option value={group}>
              {kindWords().groups[group]}: {words.allKinds}
            </option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kindName(kind)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
